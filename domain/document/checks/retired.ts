import { say } from '../../base/say.ts';
import { postsNothing } from '../../books/legs.ts';
import type { Draft, Id } from '../document.ts';
import { kindCalled } from '../kinds/index.ts';
import type { Facts } from '../resolve.ts';
import type { Finding, TypedCheck } from './check.ts';

interface Named {
  readonly field: string;
  readonly row?: number;
  readonly id: Id;
}

/** What is said of a record that does not exist, and of one that is retired. */
const records = {
  costCentre: {
    missing: say('This cost centre does not exist: choose another'),
    retired: (name: string) => say('{{name}} is retired: restore it, or choose another cost centre', { name }),
  },
  party: {
    missing: say('This party does not exist: choose another'),
    retired: (name: string) => say('{{name}} is retired: restore it, or choose another party', { name }),
  },
  item: {
    missing: say('This item does not exist: choose another'),
    retired: (name: string) => say('{{name}} is retired: restore it, or choose another item', { name }),
  },
  ledger: {
    missing: say('This ledger does not exist: choose another'),
    retired: (name: string) => say('{{name}} is retired: restore it, or choose another ledger', { name }),
  },
  place: {
    missing: say('This place does not exist: choose another'),
    retired: (name: string) => say('{{name}} is retired: restore it, or choose another place', { name }),
  },
};

/** A field of a draft that names a record, and what is known of the record. */
export interface Reference {
  readonly field: string;
  readonly record: keyof typeof records;
  readonly named: (draft: Draft) => readonly (Id | undefined)[];
  /** The name of the record when it is retired; undefined when it is active, or not known here. */
  readonly retired: (facts: Facts, id: Id) => string | undefined;
  /** Whether it does not exist; left out where another check says so. */
  readonly missing?: (facts: Facts, id: Id) => boolean;
}

const ledger = (facts: Facts, id: Id): string | undefined => facts.retiredLedgers?.get(id);
const party = (facts: Facts, id: Id): string | undefined => {
  const found = facts.parties?.get(id) ?? (facts.party?.id === id ? facts.party : undefined);
  return found?.retired ? found.name : undefined;
};
const centre = {
  record: 'costCentre' as const,
  retired: ({ costCentres }: Facts, id: Id): string | undefined => {
    const found = costCentres?.get(id);
    return found && !found.active ? found.name : undefined;
  },
  missing: ({ costCentres }: Facts, id: Id): boolean => costCentres !== undefined && !costCentres.has(id),
};

/**
 * Every field by which a draft names a record that can be retired. Its own location and registration are compared
 * where they are looked up, stock rooms where their goods are.
 */
export const references: readonly Reference[] = [
  { field: 'party', record: 'party', named: (d) => [d.party], retired: party },
  {
    field: 'lines.party',
    record: 'party',
    named: (d) => d.lines.map((l) => l.party),
    retired: party,
    missing: ({ parties }, id) => parties !== undefined && !parties.has(id),
  },
  {
    field: 'lines.item',
    record: 'item',
    named: (d) => d.lines.map((l) => l.item),
    retired: ({ items }, id) => {
      const item = items.get(id);
      return item?.retired ? item.name : undefined;
    },
  },
  { field: 'lines.ledger', record: 'ledger', named: (d) => d.lines.map((l) => l.ledger), retired: ledger },
  { field: 'moneyLedger', record: 'ledger', named: (d) => [d.moneyLedger], retired: ledger },
  {
    field: 'tenders.ledger',
    record: 'ledger',
    named: (d) => d.tenders?.map((t) => t.ledger) ?? [],
    retired: ledger,
  },
  {
    field: 'charges.ledger',
    record: 'ledger',
    named: (d) => d.charges?.map((c) => c.ledger) ?? [],
    retired: ledger,
  },
  {
    field: 'adjustments.ledger',
    record: 'ledger',
    named: (d) => d.adjustments?.map((a) => a.ledger) ?? [],
    retired: ledger,
  },
  {
    field: 'toLocation',
    record: 'place',
    named: (d) => [d.toLocation === d.location ? undefined : d.toLocation],
    retired: ({ places }, id) => {
      const place = places?.get(id);
      return place && !place.active ? place.name : undefined;
    },
  },
  { field: 'costCentre', named: (d) => [d.costCentre], ...centre },
  { field: 'lines.costCentre', named: (d) => d.lines.map((l) => l.costCentre), ...centre },
];

/** Fields of one record of the document; all others are of a row. */
const isOfRow = (field: string): boolean => field.includes('.');

const namedBy = (reference: Reference, draft: Draft): Named[] =>
  reference
    .named(draft)
    .flatMap((id, row) => (id ? [{ field: reference.field, id, ...(isOfRow(reference.field) && { row }) }] : []));

/** It moved goods or money: what is made from it goes on with something that has begun. An order or a quotation has moved nothing. */
const isBegun = (kind: string): boolean => {
  const row = kindCalled(kind);
  return row !== undefined && (!postsNothing(row) || (row.stock.effect !== 'none' && row.stock.effect !== 'reserve'));
};

/**
 * What a document may name though it is retired: the party, items, ledgers and places of the documents that it returns, corrects,
 * receives or settles. Undefined where those are not known yet: then nothing is said.
 */
function begun(draft: Draft, { documents, sources }: Facts): ReadonlySet<Id> | undefined {
  const ids = [
    ...(draft.against ? [draft.against] : []),
    ...draft.lines.flatMap(({ source }) => (source ? [source.document] : [])),
  ];
  const settles = (draft.allocations?.length ?? 0) > 0;
  if (ids.length > 0 && documents === undefined) return undefined;
  const found = ids.flatMap((id) => documents?.get(id) ?? []).filter(({ kind }) => isBegun(kind));
  const known = new Set(found.map(({ id }) => id));
  const lines = [...sources.values()].filter(({ document }) => known.has(document));
  return new Set(
    [
      ...(settles && draft.party ? [draft.party] : []),
      ...found.flatMap(({ party: whose, toLocation, location }) => [whose, toLocation, location]),
      ...lines.flatMap(({ item, ledger: on }) => [item, on]),
    ].filter((id) => id !== null && id !== undefined),
  );
}

/** What a draft names and may not, each at its field. */
export const retiredIn = (draft: Draft, facts: Facts): Finding[] => {
  const may = begun(draft, facts);
  return references.flatMap((reference) =>
    namedBy(reference, draft).flatMap(({ id, ...at }): Finding[] => {
      const said = records[reference.record];
      if (reference.missing?.(facts, id)) return [{ ...at, ...said.missing }];
      const name = reference.retired(facts, id);
      if (name === undefined || may === undefined || may.has(id)) return [];
      return [{ ...at, ...said.retired(name) }];
    }),
  );
};

/** What a new document names is active. What returns, corrects, receives or settles a document that exists may name what that one names. */
export const namesRetired: TypedCheck = {
  code: 'namesRetired',
  weight: 'problem',
  source: 'A record is retired so that nothing new is made with it',
  find: ({ draft, facts }) => retiredIn(draft, facts),
};
