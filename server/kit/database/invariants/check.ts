/** What must always be true of the books. The query gives the rows that break it: none, when all is well. */
export interface Check {
  readonly id: string;
  readonly says: string;
  /** Gives `organisation` and `what`. The parameters named in `uses` come in that order. */
  readonly sql: string;
  readonly uses?: readonly (keyof KindLists)[];
}

/** Names of kinds by what their rows say; the checks never name a kind. */
export interface KindLists {
  readonly pricedFromSource: readonly string[];
  readonly transfers: readonly string[];
  /** Kinds by which goods go out to customers. */
  readonly sales: readonly string[];
  readonly gstNumbered: readonly string[];
  readonly supplierNumbered: readonly string[];
  /** Kinds whose documents have the number of a bill of entry. */
  readonly customsNumbered: readonly string[];
  /** Kinds with the day that a supplier or customs wrote on the paper. */
  readonly othersDated: readonly string[];
  /** Kinds that are written in the place of a supplier. */
  readonly forSupplier: readonly string[];
  /** Kinds of orders that hold goods until they are delivered. */
  readonly reserving: readonly string[];
  /** Kinds that GSTR-1 shows: what adds to its tax, and what takes from it. */
  readonly returned: readonly string[];
  readonly returnedLess: readonly string[];
  /** Kinds that may be without GST: a price cut that leaves the tax as it was. */
  readonly financial: readonly string[];
  /** Kinds that receive advances which bear tax, and those that use them. */
  readonly advances: readonly string[];
  readonly advanceUsers: readonly string[];
  /** Entries as somebody wrote them. */
  readonly written: readonly string[];
  /** Kinds whose entries have the day of what they revise. */
  readonly revisions: readonly string[];
  /**
   * In step: kinds whose goods have no price within a registration, and the sign that brings the cost of a first
   * movement to what its line is worth.
   */
  readonly valued: readonly string[];
  readonly valuedSigns: readonly string[];
  /** In step: kinds that are made from others, and each kind that they are made from. */
  readonly made: readonly string[];
  readonly madeFrom: readonly string[];
  /** Kinds that correct a supply line by line, those that bear its tax, those that receive what was sent, and those with a party. */
  readonly correcting: readonly string[];
  readonly taxedAsSource: readonly string[];
  readonly lessening: readonly string[];
  readonly receiving: readonly string[];
  /** Kinds that change what goods are worth, and move none. */
  readonly repricing: readonly string[];
  readonly partied: readonly string[];
  /** In step: kinds that the portal registers, and its type of each. */
  readonly registered: readonly string[];
  readonly registeredTypes: readonly string[];
  /** In step: kinds that people post, and each register that locks them. */
  readonly lockedKinds: readonly string[];
  readonly lockedRegisters: readonly string[];
  /**
   * In step: effects of postings, the natures and roles that their ledgers may have (joined by a space; no roles: all of
   * them), and what they keep a ledger for.
   */
  readonly effects: readonly string[];
  readonly effectNatures: readonly string[];
  readonly effectRoles: readonly string[];
  readonly effectKeeps: readonly string[];
  /** In step: what keeps rows apart in the catalogue of the database, and how the product makes it; the same of guards and rights. */
  readonly rowSecurity: readonly string[];
  readonly rowSecurityMade: readonly string[];
  readonly guards: readonly string[];
  readonly guardsMade: readonly string[];
  readonly tables: readonly string[];
  readonly tablesMade: readonly string[];
}

/** A condition: the document of this alias is not cancelled. */
export const live = (document: string) =>
  `not exists (select from cancellations c where c.organisation = ${document}.organisation and c.document = ${document}.id)`;
