interface Exception {
  readonly file: string;
  readonly reason: string;
}

/** Statements that are not compared: a part of their text is known only when the program runs. */
export const NOT_COMPARED: readonly (Exception & { readonly part: string })[] = [
  {
    file: 'server/documents/read/posted-rows.ts',
    part: 'used',
    reason: 'two fragments are taken from one of two lists',
  },
  {
    file: 'server/documents/stock/revision.ts',
    part: 'text',
    reason: 'the caller gives the text of the statement that writes a document of the system',
  },
  {
    file: 'server/kit/database/embedded-database.ts',
    part: 'text',
    reason: 'a function runs two texts about the roles of the cluster',
  },
  {
    file: 'server/kit/database/invariants.ts',
    part: 'sql',
    reason: 'the text is that of a check; each check runs in tests',
  },
  {
    file: 'server/kit/database/stock-replayed.ts',
    part: 'fetch',
    reason: 'it reads on from a cursor, which exists only in the transaction',
  },
  { file: 'server/kit/secrets/renew.ts', part: 'column', reason: 'the columns of secrets are rows of a list' },
  { file: 'server/kit/secrets/renew.ts', part: 'key', reason: 'the columns of secrets are rows of a list' },
  { file: 'server/lookups/organisation.ts', part: 'before', reason: 'the questions are texts of a list' },
  { file: 'server/masters/index.ts', part: 'store.order', reason: 'the table is that of the master' },
  { file: 'server/masters/index.ts', part: 'store.table', reason: 'the table is that of the master' },
  { file: 'server/masters/named.ts', part: 'store.where', reason: 'the table is that of the master' },
  { file: 'server/masters/picks.ts', part: 's.id', reason: 'the table is that of the master' },
  { file: 'server/masters/rights.ts', part: 'ownRoles[master]?.(id)', reason: 'the condition is that of the master' },
  { file: 'server/masters/special.ts', part: 'within(values)', reason: 'the condition is that of the master' },
];

/** Differences that are right as they are: PostgreSQL does not say what a check of a table or a condition excludes. */
export const RIGHT: readonly (Exception & { readonly difference: string })[] = [
  {
    file: 'server/closing/year-end.ts',
    difference: 'registration may be null',
    reason: 'it is read only where the closing has a document',
  },
  {
    file: 'server/closing/year-end.ts',
    difference: 'location may be null',
    reason: 'it is read only where the closing has a document',
  },
  {
    file: 'server/documents/posting/checks/approve.ts',
    difference: 'figures may be null',
    reason: 'a draft sent for approval has figures: constraint drafts_figures',
  },
  {
    file: 'server/identity/links.ts',
    difference: 'organisation may be null',
    reason: 'links of these purposes name it: a check of the table',
  },
  {
    file: 'server/identity/links.ts',
    difference: 'user may be null',
    reason: 'links of these purposes name it: a check of the table',
  },
  {
    file: 'server/identity/links.ts',
    difference: 'person may be null',
    reason: 'links of these purposes name it: a check of the table',
  },
  {
    file: 'server/items/variants.ts',
    difference: 'variant may be null',
    reason: 'an item with a template has it: a check of the table',
  },
  { file: 'server/kit/database/rebuild.ts', difference: 'series may be null', reason: 'it is joined with its series' },
  {
    file: 'server/http/pages/sign-up.ts',
    difference: 'email may be null',
    reason: 'links of this purpose name it: a check of the table',
  },
];
