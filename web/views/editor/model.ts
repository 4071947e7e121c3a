import { useSyncExternalStore } from 'react';
import type { Session } from '../../../contract/session.ts';
import { addDays, financialYearOf, isDay } from '../../../domain/base/dates.ts';
import { moneyText, parseDecimal, percentText, quantityText, rateText } from '../../../domain/base/decimal.ts';
import { paise } from '../../../domain/base/money.ts';
import { mayHaveGap } from '../../../domain/books/legs.ts';
import { bringsIn } from '../../../domain/document/checks/dates.ts';
import { proposesReverseCharge } from '../../../domain/document/checks/imports.ts';
import { correctsSource, isPriced, type KindName, kindOf } from '../../../domain/document/kinds/index.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import { batchesFrom, batchesText, wholeText } from '../../../domain/stock/part-text.ts';
import { firstExpiryFirstOut, partName } from '../../../domain/stock/parts.ts';
import { adjustsAdvance } from '../../../domain/tax/advances.ts';
import { stateProposed } from '../../../domain/tax/gst/portal/pincodes.ts';
import { hasGst, isRegular, statusOn } from '../../../domain/tax/gst/registration/registered.ts';
import { usualSection } from '../../../domain/tax/withheld.ts';
import { createRowStore, type LineRow, type RowStore } from '../../kit/grid/rowStore.ts';
import { usualPlace } from '../../kit/server/session.ts';
import {
  createFacts,
  type FactCache,
  type KnownBatch,
  type KnownItem,
  type KnownLedger,
  type KnownSource,
} from './facts.ts';
import { once } from './once.ts';
import { inclusiveOf, lastShown, offered, offerOf } from './prices.ts';
import { addMoney, countedDelta, type Texts, type Typed } from './wire.ts';

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
  /** Who types and what is set, as it is by now. */
  readonly session: Session;
  readonly head: HeadStore;
  readonly lines: RowStore;
  readonly charges: RowStore;
  readonly adjustments: RowStore;
  readonly tenders: RowStore;
  readonly allocations: RowStore;
  readonly facts: FactCache;
  /** Whether a change comes from the facts that arrived and not from the person. */
  isFilling(): boolean;
  /** Somebody has changed what is set while this is typed: it adds up, and asks for a word, as it would anew. */
  renew(session: Session): void;
  typed(): Typed;
  subscribe(tell: () => void): () => void;
}

/** Whether the configuration leaves the document one line. */
export const hasOneLine = ({ kind, session }: Pick<Model, 'kind' | 'session'>): boolean =>
  kind.lines.mayBeLimited === true && !session.settings.isMultiItemsInvoice;

/** What the books begin with is dated at the beginning of the year. */
const usualDate = (kind: Kind, { today }: Session): string => (bringsIn(kind) ? financialYearOf(today).start : today);

const blankHead = (kind: Kind, session: Session): Texts => ({
  ...{ date: usualDate(kind, session), ...usualPlace(session), currency: 'INR' },
});

/** The stores of a new document, or of a stored one that is opened or continued. */
export const createModel = (name: KindName, session: Session, stored?: Typed): Model => {
  const kind = kindOf(name);
  // what was kept with a party was chosen with it
  const kept = stored && {
    _terms: 'kept',
    ...(stored.head['party'] && { _inclusiveFor: stored.head['party'] }),
    // what is made from another document is new
    ...(!stored.head['_against'] && { _reverse: 'kept', ...(stored.head['party'] && { _section: 'kept' }) }),
  };
  const head = createHead({ ...blankHead(kind, session), ...stored?.head, ...kept });
  const facts = createFacts(() => {
    const { date: typed = '', location = '', party = '', registration = '' } = head.get();
    const date = isDay(typed) ? typed : session.today;
    return { kind: name, date, location, party, registration, isBackDated: kind.numbering.gst && date < session.today };
  });
  const blank = kind.source.givesPrice ? 0 : { items: 1, expenses: 1, stock: 1, ledgers: 2, none: 0 }[kind.lines.of];
  const lines = createRowStore(stored?.lines.length ? stored.lines : Array.from({ length: blank }, () => ({})));
  const [charges, adjustments, tenders, allocations] = (
    ['charges', 'adjustments', 'tenders', 'allocations'] as const
  ).map((list) => createRowStore(stored?.[list] ?? []));
  if (!charges || !adjustments || !tenders || !allocations) throw new Error('a store is missing');
  const stores = [head, lines, charges, adjustments, tenders, allocations];
  let filling = false;
  let current = session;
  const model: Model = {
    name,
    kind,
    get session() {
      return current;
    },
    head,
    lines,
    charges,
    adjustments,
    tenders,
    allocations,
    facts,
    isFilling: () => filling,
    renew: (now) => {
      if (now === current) return;
      current = now;
      facts.learn({}); // the totals are worked out again
    },
    typed: () => ({
      kind: name,
      head: head.get(),
      lines: lines.rows(),
      charges: charges.rows(),
      adjustments: adjustments.rows(),
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
  wire(model, (work) => {
    filling = true;
    work();
    filling = false;
  });
  return model;
};

/**
 * The documents that a draft names: the one that it is against, the order that it carries out, those that its lines come from,
 * and those that an advance is set against.
 */
export const namedIn = ({
  head,
  lines,
  kind,
  allocations,
}: Pick<Model, 'head' | 'lines' | 'kind' | 'allocations'>): readonly string[] => {
  const { against = '', order = '' } = head.get();
  const documentOf = (name: string | undefined): string => (name ?? '').split('/')[0] ?? '';
  const sources = lines.rows().map((row) => documentOf(row['source']));
  const settled = adjustsAdvance(kind)
    ? allocations.rows().flatMap((row) => (row['amount'] ? [documentOf(row['item'])] : []))
    : [];
  return [...new Set([against, order, ...sources, ...settled])].filter(Boolean);
};

/** The cost centres that a draft names. */
const centresIn = ({ head, lines }: Pick<Model, 'head' | 'lines'>): readonly string[] =>
  [...new Set([head.get()['costCentre'] ?? '', ...lines.rows().map((row) => row['costCentreId'] ?? '')])].filter(
    Boolean,
  );

/** The parties, ledgers and cost centres that a draft names: each may be retired. */
export const recordsIn = (
  model: Pick<Model, 'head' | 'lines' | 'charges' | 'adjustments' | 'tenders'>,
): readonly string[] => {
  const { head, lines, charges, adjustments, tenders } = model;
  const { party = '', moneyLedger = '' } = head.get();
  const ledgers = [lines, charges, adjustments, tenders].flatMap((store) =>
    store.rows().map((row) => row['ledgerId'] ?? ''),
  );
  const parties = lines.rows().map((row) => row['partyId'] ?? '');
  return [...new Set([party, moneyLedger, ...ledgers, ...parties, ...centresIn(model)])].filter(Boolean);
};

/** Asks for the facts of whatever is picked, and fills a line's blanks when they come. */
const wire = (model: Model, quietly: (work: () => void) => void): void => {
  const { head, lines, facts } = model;
  const ask = () =>
    facts.want({
      parties: [head.get()['party'] ?? '', ...lines.rows().map((row) => row['partyId'] ?? '')].filter(Boolean),
      items: [...new Set(lines.rows().map((row) => row['itemId'] ?? ''))].filter(Boolean),
      ledgers: [
        head.get()['moneyLedger'] ?? '',
        ...['lines', 'charges', 'adjustments', 'tenders'].flatMap((list) =>
          model[list as 'lines'].rows().map((row) => row['ledgerId'] ?? ''),
        ),
      ].filter(Boolean),
      costCentres: centresIn(model),
      documents: namedIn(model),
    });
  const fill = () => {
    for (const row of lines.rows()) {
      const patch = fillLine(model, row);
      if (patch) lines.set(row.key, patch);
    }
    for (const store of [model.charges, model.adjustments, model.tenders])
      for (const row of store.rows()) {
        const name = facts.ledgers.get(row['ledgerId'] ?? '')?.name;
        if (name && !row['ledger']) store.set(row.key, { ledger: name });
      }
  };
  const follow = once(() => {
    ask();
    quietly(() => {
      fill();
      head.set({
        ...dueDate(model),
        ...currencyOf(model),
        ...inclusiveOf(model),
        ...termsOf(model),
        ...advanceOf(model),
        ...statesOf(model),
        ...reverseOf(model),
        ...sectionOf(model),
      });
    });
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

/** Reverse charge is ticked for services from abroad, until somebody chooses by themselves. */
const reverseOf = ({ head, lines, facts, kind }: Model): Texts => {
  const { party = '', reverseCharge = '', _reverse = '' } = head.get();
  const services = lines.rows().flatMap((row) => {
    const { itemId = '', ledgerId = '' } = row;
    const item = facts.items.get(itemId);
    return item ? [item.service] : ledgerId && itemId === '' ? [true] : [];
  });
  if (reverseCharge !== _reverse) return {};
  const is = proposesReverseCharge(kind, facts.parties.get(party)?.category, services) ? 'true' : '';
  return is === _reverse ? {} : { reverseCharge: is, _reverse: is };
};

/** The TDS section that is usual for the supplier, until somebody chooses by themselves. What is settled may have borne the tax. */
const sectionOf = ({ head, facts, kind, session, allocations }: Model): Texts => {
  const { party = '', date = '', tdsSection = '', _section = '' } = head.get();
  if (!kind.fields.includes('tdsSection') || tdsSection !== _section || !isDay(date)) return {};
  const settles = kind.lines.of === 'none' && allocations.rows().some((row) => row['amount']);
  const known = settles ? undefined : facts.parties.get(party);
  const usual = usualSection(kind, date, known, session.settings.tdsadjustments) ?? '';
  return usual === _section ? {} : { tdsSection: usual, _section: usual };
};

/** The addresses of a document: that of the party, and where goods go. */
const addressPaths = ['billTo', 'shipTo'] as const;
/** The state of an address that is typed follows its GSTIN and its PIN code until somebody chooses another. */
const statesOf = ({ head, facts }: Model): Texts => {
  const typed = head.get();
  const party = facts.parties.get(typed['party'] ?? '');
  return Object.fromEntries(
    addressPaths.flatMap((path) => {
      const [state, mark] = [`${path}.state`, `_${path}.state`];
      const at = (part: string) => typed[`${path}.${part}`] ?? '';
      const isTyped = ['line1', 'line2', 'city', 'pincode', 'gstin'].some((part) => at(part) !== '');
      const isChosen = at('state') !== '' && at('state') !== typed[mark];
      if (!isTyped || isChosen) return [];
      const [ofGstin] = /^\d\d/.exec(at('gstin')) ?? [];
      const usual = ofGstin ?? (path === 'billTo' ? (party?.state ?? '') : '');
      const proposed = stateProposed(at('pincode'), usual);
      return proposed === '' ? [] : [[state, proposed] as const, [mark, proposed] as const];
    }),
  );
};

/** Rate and place of supply are those of the advance that was chosen; another one brings its own. */
const advanceOf = ({ head, facts, kind }: Model): Texts => {
  const { against = '', _advance = '' } = head.get();
  const advance = facts.advances.get(against);
  if (!advance || _advance === against || kind.gst.tax === 'none') return {};
  return {
    _advance: against,
    advanceRate: advance.rate > 0 ? percentText(advance.rate) : '',
    placeOfSupply: advance.placeOfSupply ?? '',
  };
};

/** The terms that are usual for the kind stand under a new document, once; whoever empties them has none. */
const termsOf = ({ head, facts, kind }: Model): Texts => {
  const { terms = '', _terms } = head.get();
  const usual = facts.terms();
  if (!usual || _terms || terms || !kind.fields.includes('terms')) return {};
  return { terms: usual, _terms: 'given' };
};

/** Chosen before there was a party: its own currency does not take the place of this one. */
const BEFORE = 'before';
/** Somebody chose the currency: it stands for the party of the document, also for one that is still being looked up. */
export const chooseCurrency = ({ head }: Model, currency: string): void =>
  head.set({ currency, _currencyFor: head.get()['party'] || BEFORE, ...(currency === 'INR' && { exchangeRate: '' }) });

/** A party abroad is billed in its own currency, once it is chosen; what follows from a source keeps the source's. */
const currencyOf = ({ head, facts, kind }: Model): Texts => {
  const { party = '', against = '', _currencyFor = '' } = head.get();
  const known = facts.parties.get(party);
  if (!known || _currencyFor === party || against || !kind.fields.includes('currency')) return {};
  return known.currency === head.get()['currency'] || _currencyFor === BEFORE
    ? { _currencyFor: party }
    : { currency: known.currency, exchangeRate: '', _currencyFor: party };
};

const markOf = (row: Texts): string => `${row['itemId'] ?? ''}/${row['ledgerId'] ?? ''}/${row['partyId'] ?? ''}`;

type Known = Pick<Model, 'kind' | 'facts' | 'head' | 'session'>;

/** The hints at the fields of a line: it follows the records, the place and the party at any time. */
const besides = (model: Known, row: LineRow): Texts => {
  const { kind, facts } = model;
  const item = facts.items.get(row['itemId'] ?? '');
  const source = facts.sources.get(row['source'] ?? '');
  const onHand = item?.stocked ? item.onHand : '';
  const room = item?.rooms.get(row['roomId'] ?? '');
  // who names a stock room has counted what is in it
  const held = room ? room.quantity : onHand;
  const ledger = facts.ledgers.get(row['ledgerId'] ?? '');
  const centre = facts.costCentres.get(row['costCentreId'] ?? '');
  const keeps = model.head.get()['keepsCharges'] === 'true';
  const shown: Texts = {
    ...(centre && { costCentre: row['costCentre'] || centre.name }),
    ...(ledger && { currency: ledger.currency ?? '', withoutParty: String(!ledger.control && !ledger.keeps) }),
    ...(item && {
      onHand,
      onHandWorth: item.worth,
      revaluing: String(item.revaluing),
      ...lastShown(item, row),
      batched: String(item.batched === true),
      serialised: String(item.serialised === true),
    }),
    ...(room && { room: row['room'] || room.name, roomHeld: room.quantity }),
    ...(item && offered(model, item, row)),
    ...proposal(kind, item, source, row),
    ...(item && { expired: expiredOf(item, row), ...(sells(kind) && { short: shortOf(item, row) }) }),
    ...(source?.charge && { charge: 'true', item: source.charge }),
    ...(source && {
      left: quantityText(source.leftQuantity),
      sourceQuantity: quantityText(source.quantity),
      sourceTaxable: moneyText(paise(source.taxable - (keeps ? (source.charges?.of.taxable ?? 0) : 0))),
    }),
    ...(row['counted'] &&
      (row['counted'] !== row['countedSeen'] || held !== row['countedHeld']) &&
      countedFields(row, held)),
  };
  return Object.fromEntries(Object.entries(shown).filter(([field, value]) => (row[field] ?? '') !== value));
};
/**
 * The batches that a line takes, as long as nobody typed others: of what goes out, what expires first; of what comes back,
 * what left with its source. Nothing is proposed in another unit than the item's own.
 */
const proposal = (kind: Kind, item: KnownItem | undefined, source: KnownSource | undefined, row: LineRow): Texts => {
  const goes = kind.stock.effect === 'out' || kind.stock.effect === 'transferOut';
  if (!item?.batched || (row['unit'] || item.unit) !== item.unit || !(goes || source)) return {};
  const wanted = parseDecimal(wholeText(row), 6) ?? 0;
  const { parts, passed } = proposed(kind, source && !goes ? source.batches : item.batches, wanted);
  const text = batchesText(
    parts.map(({ batch, quantity, expiry }) => ({
      batch,
      quantity: quantityText(quantity),
      ...(expiry && { expiry }),
    })),
  );
  const typed = row['batches'] ?? '';
  return typed === text || typed === (row['proposed'] ?? '')
    ? { batches: text, proposed: text, passed: passed.map(({ batch }) => batch).join(', ') }
    : { passed: '' };
};
/**
 * What goes first of so much, and what is passed over before it: a buyer has nothing that has expired, or that has too few
 * days left. What goes back to a supplier, or to another place, may be as old as it is.
 */
export const proposed = (
  kind: Kind,
  held: readonly KnownBatch[],
  wanted: number,
): { readonly parts: ReturnType<typeof firstExpiryFirstOut>; readonly passed: readonly KnownBatch[] } => {
  const isPassed = ({ expired, short }: KnownBatch) => sells(kind) && (expired || short === true);
  const parts = firstExpiryFirstOut(
    held.filter((batch) => !isPassed(batch)),
    wanted,
  );
  return { parts, passed: wanted > 0 ? held.filter(isPassed) : [] };
};
const sells = ({ stock, party }: Kind): boolean => stock.effect === 'out' && party.side === 'customer';
/** The batches of a line that have expired on the day of the document. */
const expiredOf = (item: KnownItem, row: LineRow): string => batchesThat(item, row, (batch) => batch.expired);
/** Those with fewer days left than a buyer is to have. */
const shortOf = (item: KnownItem, row: LineRow): string => batchesThat(item, row, (batch) => batch.short === true);
const batchesThat = (item: KnownItem, row: LineRow, is: (batch: KnownBatch) => boolean): string => {
  const those = new Set(item.batches.filter(is).map(({ batch }) => batch));
  return batchesFrom(row['batches'] ?? '', '0')
    .map(({ batch }) => partName(batch))
    .filter((name) => those.has(name))
    .join(', ');
};
const countedFields = (row: LineRow, held: string): Texts => {
  const counted = row['counted'] ?? '';
  const delta = countedDelta(counted, held);
  return { countedSeen: counted, countedHeld: held, ...(delta && { delta }) };
};

/** The side that closes a journal, for a line whose ledger was just picked. Opening balances are not closed by hand. */
const closing = ({ kind, lines }: Pick<Model, 'kind' | 'lines'>, row: LineRow): Texts => {
  if (kind.lines.of !== 'ledgers' || mayHaveGap(kind) || row['debit'] || row['credit']) return {};
  const rows = lines.rows();
  const difference = addMoney(rows.map((each) => each['debit'])) - addMoney(rows.map((each) => each['credit']));
  if (difference === 0) return {};
  return difference > 0 ? { credit: moneyText(paise(difference)) } : { debit: moneyText(paise(-difference)) };
};

/** What is usual of what is bought on a ledger. */
const usualOf = ({ lines, gst }: Kind, { tax: { hsn = '', creditBlocked } }: KnownLedger): Texts =>
  lines.of === 'expenses' && gst.tax === 'input' ? { hsn, ...(creditBlocked && { creditBlocked: 'true' }) } : {};

/**
 * The fields of a line that follow from its records and are still empty. Each pick fills once (`filled` remembers it),
 * so that a cell the person empties stays empty. A count of stock gives the difference to the books.
 */
export const fillLine = (model: Known & Pick<Model, 'lines'>, row: LineRow): Texts | undefined => {
  const { kind, facts } = model;
  const beside = besides(model, row);
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
  if (!due) return Object.keys(beside).length ? beside : undefined;
  const offer = item && offerOf(model, item, row);
  // a correction bears the tax of its source, goods that come back its price, whatever the item says by now
  const source = correctsSource(kind) ? facts.sources.get(row['source'] ?? '') : undefined;
  const own = item && percentText(source?.gstRate ?? item.gstRate);
  const wanted: Texts = {
    // a service that was booked as an expense has its ledger's name where goods have theirs
    ...(ledger && kind.lines.of === 'items' && { item: ledger.name }),
    ...(item && {
      item: item.name,
      unit: item.unit,
      ...(isPriced(kind) && { hsn: source?.hsn || item.hsn, ...(own !== undefined && { gstRate: own, gstOwn: own }) }),
      ...(item.creditBlocked && kind.gst.tax === 'input' && { creditBlocked: 'true' }),
    }),
    ...(offer && { rate: rateText(offer.rate) }),
    ...(source && kind.source.givesPrice && { rate: rateText(source.rate) }),
    ...(item && kind.lines.of === 'items' && { quantity: '1' }),
    ...(ledger && { ledger: ledger.name, ...closing(model, row), ...usualOf(kind, ledger) }),
    ...(party && { party: party.name }),
  };
  const missing = Object.entries(wanted).filter(([field, value]) => !row[field] && value);
  return { ...Object.fromEntries(missing), ...beside, filled: mark };
};

export const useHead = (model: Model, field: string): string =>
  useSyncExternalStore(model.head.subscribe, () => model.head.get()[field] ?? '');
/** Whether whoever issues or receives it is not registered on its day under GST: there is no tax, and nobody asks for its data. */
export const useIsPlain = (model: Model): boolean => {
  const status = useStatus(model);
  return status !== undefined && !hasGst(status);
};
/** Whether whoever buys takes no input credit on its day: composition dealers and the unregistered. */
export const useHasNoCredit = (model: Model): boolean => {
  const status = useStatus(model);
  return status !== undefined && !isRegular(status);
};
/** As what the registration of the document is registered on its day. */
const useStatus = (model: Model): ReturnType<typeof statusOn> | undefined => {
  const registration = useHead(model, 'registration');
  const date = useHead(model, 'date');
  const own = model.session.registrations.find(({ id }) => id === registration);
  return own && statusOn(own, date);
};
/** The whole head: for what depends on many of its fields. */
export const useWholeHead = (model: Model): Texts => useSyncExternalStore(model.head.subscribe, model.head.get);
/** Re-renders when facts arrive. */
export const useFacts = (model: Model): FactCache => {
  useSyncExternalStore(model.facts.subscribe, model.facts.revision);
  return model.facts;
};
