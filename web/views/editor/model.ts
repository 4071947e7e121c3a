import { useSyncExternalStore } from 'react';
import type { Session } from '../../../contract/session.ts';
import { addDays, isDay } from '../../../domain/dates.ts';
import { percentText, rateText } from '../../../domain/decimal.ts';
import { type KindName, kindOf } from '../../../domain/kinds/index.ts';
import type { Kind } from '../../../domain/kinds/kind.ts';
import { usualRate } from '../../../domain/resolve.ts';
import { createRowStore, type LineRow, type RowStore } from '../../kit/rowStore.ts';
import { createFacts, type FactCache } from './facts.ts';
import { once } from './once.ts';
import { countedDelta, type Texts, type Typed } from './wire.ts';

/** The head of a document as text by field, outside React. */
export interface HeadStore {
  get(): Texts;
  set(patch: Texts): void;
  subscribe(tell: () => void): () => void;
}

const createHead = (initial: Texts): HeadStore => {
  let head = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => head,
    set: (patch) => {
      if (Object.entries(patch).every(([field, value]) => head[field] === value)) return;
      head = { ...head, ...patch };
      for (const tell of listeners) tell();
    },
    subscribe: (tell) => {
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
  };
};

/** Everything a document in the making is made of. */
export interface Model {
  readonly name: KindName;
  readonly kind: Kind;
  readonly session: Session;
  readonly head: HeadStore;
  readonly lines: RowStore;
  readonly charges: RowStore;
  readonly tenders: RowStore;
  readonly allocations: RowStore;
  readonly facts: FactCache;
  typed(): Typed;
  subscribe(tell: () => void): () => void;
}

const blankHead = (session: Session): Texts => {
  const place = session.locations.find((l) => l.id === session.physicalLocation) ?? session.locations[0];
  const tax = session.locations.find((l) => l.id === session.taxLocation);
  return {
    date: session.today,
    location: place?.id ?? '',
    registration: tax?.registration ?? place?.registration ?? session.registrations[0]?.id ?? '',
    currency: 'INR',
  };
};

/** The stores of a new document, or of a stored one that is opened or continued. */
export const createModel = (name: KindName, session: Session, stored?: Typed): Model => {
  const kind = kindOf(name);
  const head = createHead({ ...blankHead(session), ...stored?.head });
  const facts = createFacts(
    () => head.get()['location'] ?? '',
    () => head.get()['date'] ?? session.today,
  );
  const blank = { items: 1, expenses: 1, stock: 1, ledgers: 2, none: 0 }[kind.lines];
  const lines = createRowStore(stored?.lines.length ? stored.lines : Array.from({ length: blank }, () => ({})));
  const [charges, tenders, allocations] = (['charges', 'tenders', 'allocations'] as const).map((list) =>
    createRowStore(stored?.[list] ?? []),
  );
  if (!charges || !tenders || !allocations) throw new Error('a store is missing');
  const stores = [head, lines, charges, tenders, allocations];
  const model: Model = {
    name,
    kind,
    session,
    head,
    lines,
    charges,
    tenders,
    allocations,
    facts,
    typed: () => ({
      kind: name,
      head: head.get(),
      lines: lines.rows(),
      charges: charges.rows(),
      tenders: tenders.rows(),
      allocations: allocations.rows(),
    }),
    subscribe: (tell) => {
      const stop = stores.map((store) => store.subscribe(tell));
      return () => {
        for (const each of stop) each();
      };
    },
  };
  wire(model);
  return model;
};

/** Asks for the facts of whatever is picked, and fills a line's blanks when they come. */
const wire = (model: Model): void => {
  const { head, lines, facts } = model;
  const ask = () =>
    facts.want({
      parties: [head.get()['party'] ?? '', ...lines.rows().map((row) => row['partyId'] ?? '')].filter(Boolean),
      items: [...new Set(lines.rows().map((row) => row['itemId'] ?? ''))].filter(Boolean),
      ledgers: [
        head.get()['moneyLedger'] ?? '',
        ...['lines', 'charges', 'tenders'].flatMap((list) =>
          model[list as 'lines'].rows().map((row) => row['ledgerId'] ?? ''),
        ),
      ].filter(Boolean),
    });
  const fill = () => {
    for (const row of lines.rows()) {
      const patch = fillLine(model, row);
      if (patch) lines.set(row.key, patch);
    }
    for (const store of [model.charges, model.tenders])
      for (const row of store.rows()) {
        const name = facts.ledgers.get(row['ledgerId'] ?? '')?.name;
        if (name && !row['ledger']) store.set(row.key, { ledger: name });
      }
  };
  const due = () => head.set(dueDate(model));
  const follow = once(() => {
    ask();
    fill();
    due();
  });
  model.subscribe(follow);
  facts.subscribe(follow);
  ask();
};

/** The due date follows the date and the party's credit days until it is typed. */
const dueDate = ({ head, facts, kind }: Model): Texts => {
  const { party = '', date = '', dueDate: old = '', _due = '' } = head.get();
  const days = facts.parties.get(party)?.creditDays;
  if (!kind.fields.includes('dueDate') || days === undefined || (old && old !== _due) || !isDay(date)) return {};
  const due = addDays(date, days);
  return { dueDate: due, _due: due };
};

const markOf = (row: Texts): string => `${row['itemId'] ?? ''}/${row['ledgerId'] ?? ''}/${row['partyId'] ?? ''}`;

/**
 * The fields of a line that follow from its records and are still empty. Each pick fills once (`filled` remembers it),
 * so that a cell the person empties stays empty. A count of stock gives the difference to the books.
 */
export const fillLine = ({ kind, facts }: Pick<Model, 'kind' | 'facts'>, row: LineRow): Texts | undefined => {
  const delta =
    row['counted'] === row['countedSeen'] ? undefined : countedDelta(row['counted'] ?? '', row['onHand'] ?? '');
  const counted = delta === undefined ? {} : { countedSeen: row['counted'] ?? '', ...(delta && { delta }) };
  const mark = markOf(row);
  const item = facts.items.get(row['itemId'] ?? '');
  const ledger = facts.ledgers.get(row['ledgerId'] ?? '');
  const party = facts.parties.get(row['partyId'] ?? '');
  const due =
    row['filled'] !== mark &&
    mark !== '//' &&
    (!row['itemId'] || item) &&
    (!row['ledgerId'] || ledger) &&
    (!row['partyId'] || party);
  if (!due) return delta === undefined ? undefined : counted;
  const rate = item && usualRate(kind, item);
  const wanted: Texts = {
    ...(item && {
      item: item.name,
      hsn: item.hsn,
      unit: item.unit,
      gstRate: percentText(item.gstRate),
      gstOwn: percentText(item.gstRate),
    }),
    ...(item && { onHand: item.stocked ? item.onHand : '', lastRate: item.lastRate }),
    ...(item && rate !== undefined && { rate: rateText(rate) }),
    ...(item && kind.lines === 'items' && { quantity: '1' }),
    ...(ledger && { ledger: ledger.name }),
    ...(party && { party: party.name }),
  };
  const missing = Object.entries(wanted).filter(([field, value]) => !row[field] && value);
  return { ...Object.fromEntries(missing), ...counted, filled: mark };
};

export const useHead = (model: Model, field: string): string =>
  useSyncExternalStore(model.head.subscribe, () => model.head.get()[field] ?? '');
/** The whole head: for what depends on many of its fields. */
export const useWholeHead = (model: Model): Texts => useSyncExternalStore(model.head.subscribe, model.head.get);
/** Re-renders when facts arrive. */
export const useFacts = (model: Model): FactCache => {
  useSyncExternalStore(model.facts.subscribe, model.facts.revision);
  return model.facts;
};
