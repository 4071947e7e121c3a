import { financialYearOf } from '../../../domain/base/dates.ts';
import { type Millionths, millionths, parseDecimal, percent } from '../../../domain/base/decimal.ts';
import { paise } from '../../../domain/base/money.ts';
import type { Control } from '../../../domain/books/controls.ts';
import type { Effect } from '../../../domain/books/effects.ts';
import type { LedgerTax, Nature } from '../../../domain/books/ledger-uses.ts';
import type { Treatment } from '../../../domain/document/document.ts';
import { type ItemFacts, type PartyFacts, type SourceLine, sourceKey } from '../../../domain/document/resolve.ts';
import { amountsLeft, type SourceDocument } from '../../../domain/document/sources.ts';
import type { ItemPrices, LastPrice, PriceList, PriceStep } from '../../../domain/items/item-price.ts';
import type { HeldBatch } from '../../../domain/stock/parts.ts';
import { type Measure, ratioFrom } from '../../../domain/stock/units.ts';
import type { AdvanceAmounts, AdvanceFacts } from '../../../domain/tax/advances.ts';
import type { Certificate, TdsStanding, tdsAdvice } from '../../../domain/tax/withheld.ts';
import { api } from '../../kit/server/client.ts';
import { discountFrom, discountText } from './wire.ts';

type Plain = Readonly<Record<string, unknown>>;

/** A party's facts and the hints at its field. */
export interface KnownParty extends PartyFacts {
  readonly code: string;
  readonly currency: string;
  /** Rupees as decimal text; empty without a limit. */
  readonly creditLimit: string;
  readonly owed: string;
  /** Of it, what was due before today. */
  readonly overdue: string;
  /** The price list by which it buys or sells here. */
  readonly priceList: PriceList | null;
  readonly addresses: readonly Plain[];
  /** For thresholds of tax deducted at source: what the party is, and what it was paid under each section before. */
  readonly deductee: Parameters<typeof tdsAdvice>[4]['deductee'];
  readonly deducted: readonly TdsStanding[];
  /** For a lower deduction. */
  readonly certificates: readonly Certificate[];
}
/** An item's facts, with its stock at the location and what it last went for. */
export interface KnownItem extends ItemFacts {
  /** How each of its units is counted. */
  readonly measures: Readonly<Record<string, Measure>>;
  readonly onHand: string;
  /** What that is worth in the books, for documents that are worth what their goods cost; '' for others. */
  readonly worth: string;
  /** Its costs wait for a job. */
  readonly revaluing: boolean;
  /** What it last went for with the party, for each unit, the latest first. */
  readonly last: readonly LastPrice[];
  /** What price lists say of it, the first to be heard first, for which party and where. */
  readonly prices: {
    readonly party: string;
    readonly location: string;
    readonly lists: readonly ItemPrices[];
  } | null;
  /** What is left of its batches at the place. */
  readonly batches: readonly KnownBatch[];
  /** Its serial numbers in stock at the place. */
  readonly serials: readonly string[];
  /** The stock rooms of the place, with what is in each as decimal text. */
  readonly rooms: ReadonlyMap<string, { readonly name: string; readonly quantity: string }>;
}
/** A batch of which something is left, or that can come back; `expired` on the day of the document. */
export interface KnownBatch extends HeldBatch {
  readonly expired: boolean;
  /** Less is left of it on that day than a buyer is to have. */
  readonly short?: boolean;
}
export interface KnownSource extends SourceLine {
  readonly batches: readonly KnownBatch[];
  /** Serial numbers that left with it and have not come back. */
  readonly serials: readonly string[];
  /** Goods of a purchase abroad, for a bill of entry: what of them none covers yet. */
  readonly goods?: { readonly name: string; readonly unit: string; readonly left: Millionths };
}
export interface KnownLedger {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  /** What it is kept in step with; null for a ledger that anybody may post to. */
  readonly control: Control | null;
  /** The effect of postings that it is kept for, as a control account or tax head. */
  readonly keeps: Effect | null;
  /** Where it is kept in another one than the rupee. */
  readonly currency: string | null;
  readonly retired: boolean;
  /** Cash, bank, clearing or undeposited funds. */
  readonly money: boolean;
  readonly nature: Nature;
  /** What is usual of the tax of its lines. */
  readonly tax: LedgerTax;
}
/** A cost centre that stands in the draft; not active: it is retired. */
export type KnownCostCentre = Awaited<ReturnType<typeof api.GetEditorFacts>>['costCentres'][number];

/** What is usual of a charge or adjustment that has a name; amounts and rates as decimal text. */
export type NamedCharge = NonNullable<Awaited<ReturnType<typeof api.GetEditorFacts>>['named']>[number];

// Whole numbers as the domain holds them, or decimal text as the wire has it.
const whole = (value: unknown, places: number): number | undefined =>
  typeof value === 'number' ? value : typeof value === 'string' ? parseDecimal(value, places) : undefined;
const text = (value: unknown): string => (value == null ? '' : String(value));
const orNull = <T>(n: number | undefined, make: (n: number) => T): T | null => (n === undefined ? null : make(n));

const partyFrom = (p: Plain): KnownParty => ({
  id: text(p['id']),
  name: text(p['name']),
  category: text(p['category']) as KnownParty['category'],
  state: text(p['state']),
  country: text(p['country']) || 'IN',
  gstin: text(p['gstin']) || null,
  hasPan: p['hasPan'] === true,
  ...(typeof p['holder'] === 'string' && { holder: p['holder'] }),
  microSmall: p['microSmall'] === true,
  creditDays: Number(p['creditDays'] ?? 0),
  ...(typeof p['tdsSection'] === 'string' && { tdsSection: p['tdsSection'] }),
  hasAddress: listOf(p['addresses']).length > 0,
  address: (p['address'] as KnownParty['address']) ?? null,
  ...(p['retired'] === true && { retired: true as const }),
  code: text(p['code']),
  currency: text(p['currency']) || 'INR',
  creditLimit: text(p['creditLimit']),
  owed: text(p['owed']),
  overdue: text(p['overdue']),
  priceList: (p['priceList'] as PriceList | null | undefined) ?? null,
  addresses: Array.isArray(p['addresses']) ? (p['addresses'] as Plain[]) : [],
  deductee: p['deductee'] === 'individual' || p['deductee'] === 'company' ? p['deductee'] : 'other',
  deducted: listOf(p['deducted']).map((d) => ({
    section: text(d['section']),
    year: paise(whole(d['year'], 2) ?? 0),
    yearDeducted: paise(whole(d['yearDeducted'], 2) ?? 0),
    month: paise(whole(d['month'], 2) ?? 0),
    monthDeducted: paise(whole(d['monthDeducted'], 2) ?? 0),
    ahead: paise(whole(d['ahead'], 2) ?? 0),
    aheadTaxed: paise(whole(d['aheadTaxed'], 2) ?? 0),
  })),
  certificates: listOf(p['certificates']).map((c) => ({
    id: text(c['id']),
    number: text(c['number']),
    section: text(c['section']),
    rate: percent(whole(c['rate'], 4) ?? 0),
    from: text(c['from']),
    to: text(c['to']),
    left: paise(whole(c['left'], 2) ?? 0),
  })),
});

const listOf = (value: unknown): readonly Plain[] => (Array.isArray(value) ? (value as Plain[]) : []);
const batchesFrom = (value: unknown): readonly KnownBatch[] =>
  listOf(value).map((b) => ({
    batch: text(b['batch']),
    quantity: millionths(whole(b['quantity'], 6) ?? 0),
    expired: b['expired'] === true,
    ...(b['short'] === true && { short: true }),
    ...(b['expiry'] != null && { expiry: text(b['expiry']) }),
  }));

const textsFrom = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(text) : []);

const lastFrom = (i: Plain): readonly LastPrice[] =>
  listOf(i['lastPrices']).map(({ rate, unit, inclusive }) => ({
    rate: millionths(whole(rate, 6) ?? 0),
    unit: text(unit),
    taxInclusive: inclusive === true,
  }));

/** What a row of a price list says, from decimal text. */
export const stepFrom = ({ from, rate, discount }: Plain): Omit<PriceStep, 'rank'> => ({
  from: millionths(whole(from, 6) ?? 0),
  ...(rate !== undefined && { rate: millionths(whole(rate, 6) ?? 0) }),
  ...(discount !== undefined && { discount: percent(whole(discount, 4) ?? 0) }),
});

const pricesFrom = (p: Plain | null | undefined): KnownItem['prices'] =>
  p
    ? {
        party: text(p['party']),
        location: text(p['location']),
        lists: listOf(p['lists']).map(({ list, steps }) => ({
          list: list as PriceList,
          steps: listOf(steps).map((step) => ({ rank: Number(step['rank']), ...stepFrom(step) })),
        })),
      }
    : null;

/** An item's facts out of an answer of the server. */
export const itemFrom = (i: Plain): KnownItem => ({
  id: text(i['id']),
  sku: text(i['sku']),
  name: text(i['name']),
  service: i['service'] === true,
  stocked: i['stocked'] === true,
  hsn: text(i['hsn']),
  unit: text(i['unit']),
  units: Object.fromEntries(
    Object.entries((i['units'] ?? {}) as Plain).map(([unit, ratio]) => [unit, ratioFrom(text(ratio))]),
  ),
  measures: (i['measures'] ?? {}) as KnownItem['measures'],
  treatment: (text(i['treatment']) || 'taxable') as Treatment,
  gstRate: percent(whole(i['gstRate'], 4) ?? 0),
  cessRate: percent(whole(i['cessRate'], 4) ?? 0),
  cessPerUnit: paise(whole(i['cessPerUnit'], 2) ?? 0),
  retailPrice: orNull(whole(i['retailPrice'], 2), paise),
  saleRate: orNull(whole(i['saleRate'], 6), millionths),
  purchaseRate: orNull(whole(i['purchaseRate'], 6), millionths),
  incomeLedger: text(i['incomeLedger']) || null,
  expenseLedger: text(i['expenseLedger']) || null,
  creditBlocked: i['creditBlocked'] === true,
  scrap: i['scrap'] === true,
  batched: i['batched'] === true,
  serialised: i['serialised'] === true,
  shelfLife: (i['shelfLife'] as KnownItem['shelfLife']) ?? null,
  template: i['template'] === true,
  ...(i['retired'] === true && { retired: true as const }),
  onHand: text(i['onHand']),
  worth: text(i['worth']),
  revaluing: i['revaluing'] === true,
  last: lastFrom(i),
  prices: pricesFrom(i['prices'] as Plain | null | undefined),
  batches: batchesFrom(i['batches']),
  serials: textsFrom(i['serials']),
  rooms: new Map(
    listOf(i['rooms']).map((r) => [text(r['id']), { name: text(r['name']), quantity: text(r['quantity']) }]),
  ),
});

const goodsFrom = ({ name, unit, left }: Plain): NonNullable<KnownSource['goods']> => ({
  ...{ name: text(name), unit: text(unit) },
  left: millionths(whole(left, 6) ?? 0),
});
const financialFrom = (s: Plain) => ({
  value: paise(whole(s['value'], 2) ?? 0),
  foreign: paise(whole(s['foreign'], 2) ?? 0),
});
const leftFrom = (amounts: unknown) =>
  amountsLeft((name) => paise(whole((amounts as Plain | undefined)?.[name], 2) ?? 0));
const chargesFrom = (s: Plain) => ({
  quantity: millionths(whole(s['quantity'], 6) ?? 0),
  of: leftFrom(s['of']),
  kept: millionths(whole(s['kept'], 6) ?? 0),
});
const sourceFrom = (s: Plain): KnownSource => ({
  document: text(s['document']),
  line: Number(s['line']),
  quantity: millionths(whole(s['quantity'], 6) ?? 0),
  taxable: paise(whole(s['taxable'], 2) ?? 0),
  leftQuantity: millionths(whole(s['leftQuantity'], 6) ?? 0),
  leftFree: millionths(whole(s['leftFree'], 6) ?? 0),
  leftBase: millionths(whole(s['leftBase'], 6) ?? 0),
  left: leftFrom(s['left']),
  ...(s['charges'] != null && { charges: chargesFrom(s['charges'] as Plain) }),
  ...(s['claimed'] === true && { claimed: true as const }),
  ...(s['financial'] != null && { financial: financialFrom(s['financial'] as Plain) }),
  rate: millionths(whole(s['rate'], 6) ?? 0),
  ...(s['discount'] != null && { discount: discountFrom(discountText(s['discount'])) ?? {} }),
  hsn: text(s['hsn']),
  unit: text(s['unit']),
  cessRate: percent(whole(s['cessRate'], 4) ?? 0),
  cessPerUnit: paise(whole(s['cessPerUnit'], 2) ?? 0),
  ...(s['item'] != null && { item: text(s['item']) }),
  ...(s['ledger'] != null && { ledger: text(s['ledger']) }),
  ...(s['charge'] != null && { charge: text(s['charge']) }),
  ...(s['retailPrice'] != null && { retailPrice: paise(whole(s['retailPrice'], 2) ?? 0) }),
  gstRate: percent(whole(s['gstRate'], 4) ?? 0),
  treatment: (text(s['treatment']) || 'taxable') as Treatment,
  batches: batchesFrom(s['batches']),
  serials: textsFrom(s['serials']),
  ...(s['goods'] != null && { goods: goodsFrom(s['goods'] as Plain) }),
});

const documentFrom = (d: Plain): SourceDocument => ({
  ...{ id: text(d['id']), kind: text(d['kind']), number: text(d['number']), date: text(d['date']) },
  ...{ registration: text(d['registration']), location: text(d['location']) },
  party: text(d['party']) || null,
  partyThen: (d['partyThen'] as SourceDocument['partyThen'] | undefined) ?? null,
  toLocation: text(d['toLocation']) || null,
  placeOfSupply: text(d['placeOfSupply']) || null,
  currency: text(d['currency']),
  exchangeRate: millionths(whole(d['exchangeRate'], 6) ?? 0),
  supply: text(d['supply']) as SourceDocument['supply'],
  supplyType: text(d['supplyType']) as SourceDocument['supplyType'],
  ...{ taxCharged: d['taxCharged'] === true, reverseCharge: d['reverseCharge'] === true },
  withPayment: d['withPayment'] === true,
  withoutTax: d['withoutTax'] === true,
  leftRoundOff: paise(whole(d['leftRoundOff'], 2) ?? 0),
  leftAdjustments: paise(whole(d['leftAdjustments'], 2) ?? 0),
  leftTcs: paise(whole(d['leftTcs'], 2) ?? 0),
  tcsDeposited: d['tcsDeposited'] === true,
});

const amountsFrom = (a: Plain): AdvanceAmounts => {
  const of = (name: string) => paise(whole(a[name], 2) ?? 0);
  return {
    amount: of('amount'),
    taxable: of('taxable'),
    cgst: of('cgst'),
    sgst: of('sgst'),
    igst: of('igst'),
    cess: of('cess'),
  };
};
const advanceFrom = (a: Plain): AdvanceFacts => ({
  document: text(a['document']),
  number: text(a['number']),
  date: text(a['date']),
  placeOfSupply: text(a['placeOfSupply']) || null,
  rate: percent(whole(a['rate'], 4) ?? 0),
  whole: amountsFrom((a['whole'] ?? {}) as Plain),
  left: amountsFrom((a['left'] ?? {}) as Plain),
});

interface Wanted {
  readonly parties?: readonly string[];
  readonly items?: readonly string[];
  readonly ledgers?: readonly string[];
  readonly costCentres?: readonly string[];
  /** Documents that the draft names: those that it is against or carries out, and those that lines come from. */
  readonly documents?: readonly string[];
}

/** What is known of the records that a draft names. It only grows; `subscribe` reports when something came. */
export interface FactCache {
  readonly parties: ReadonlyMap<string, KnownParty>;
  readonly items: ReadonlyMap<string, KnownItem>;
  readonly ledgers: ReadonlyMap<string, KnownLedger>;
  readonly costCentres: ReadonlyMap<string, KnownCostCentre>;
  readonly sources: ReadonlyMap<string, KnownSource>;
  /** Those of the documents named that exist and that the user may see. */
  readonly documents: ReadonlyMap<string, SourceDocument>;
  /** Whether the server has said what it knows of a document, party, ledger or cost centre: one that it left out does not exist. */
  hasAsked(id: string): boolean;
  /** Advances that the draft may use, by document. */
  readonly advances: ReadonlyMap<string, AdvanceFacts>;
  /** The latest document of the series that the draft takes its number from, where it is dated before today. */
  lastInSeries(): { readonly number: string; readonly date: string } | undefined;
  /** The terms printed on documents of this kind, unless others are typed; undefined until they are known. */
  terms(): string | undefined;
  /** Charges and adjustments that have a name here. */
  named(): readonly NamedCharge[];
  /** Counts every arrival: a cheap mark for memoised readers. */
  revision(): number;
  learn(facts: Plain): void;
  /** Fetches what is not known yet, once for all that is asked in the same moment. */
  want(ids: Wanted): void;
  subscribe(tell: () => void): () => void;
}

const lists = ['parties', 'items', 'ledgers', 'costCentres', 'documents'] as const;
type Asked = Readonly<Record<(typeof lists)[number], Set<string>>>;
const nobody = (): Asked => ({
  ...{ parties: new Set(), items: new Set(), ledgers: new Set() },
  ...{ costCentres: new Set(), documents: new Set() },
});

/** For whom and where: stock on hand and the last price follow from it, so a change of it asks for the items again. */
export interface About {
  readonly kind: string;
  readonly date: string;
  readonly location: string;
  readonly party: string;
  readonly registration?: string;
  /** Its number comes from a series of tax documents, and its day is over: a number may be dated later. */
  readonly isBackDated?: boolean;
}

const ledgerFrom = (row: Plain): KnownLedger => ({
  id: text(row['id']),
  code: text(row['code']),
  name: text(row['name']),
  control: (row['control'] as Control | null) ?? null,
  keeps: (row['keeps'] as Effect | null) ?? null,
  currency: typeof row['currency'] === 'string' ? row['currency'] : null,
  retired: row['retired'] === true,
  money: row['money'] === true,
  nature: text(row['nature']) as Nature,
  tax: {
    ...(typeof row['hsn'] === 'string' && { hsn: row['hsn'] }),
    ...(row['creditBlocked'] === true && { creditBlocked: true }),
  },
});

/** The records that the server has answered, by id. */
const createRecords = () => {
  const records = {
    parties: new Map<string, KnownParty>(),
    items: new Map<string, KnownItem>(),
    ledgers: new Map<string, KnownLedger>(),
    costCentres: new Map<string, KnownCostCentre>(),
    sources: new Map<string, KnownSource>(),
    advances: new Map<string, AdvanceFacts>(),
    documents: new Map<string, SourceDocument>(),
  };
  const add = (facts: Plain) => {
    const rows = (name: string) => (Array.isArray(facts[name]) ? (facts[name] as Plain[]) : []);
    for (const row of rows('parties')) records.parties.set(text(row['id']), partyFrom(row));
    for (const row of rows('items')) records.items.set(text(row['id']), itemFrom(row));
    for (const row of rows('ledgers')) records.ledgers.set(text(row['id']), ledgerFrom(row));
    for (const row of rows('costCentres') as unknown as readonly KnownCostCentre[])
      records.costCentres.set(row.id, row);
    for (const source of rows('sources').map(sourceFrom)) records.sources.set(sourceKey(source), source);
    for (const advance of rows('advances').map(advanceFrom)) records.advances.set(advance.document, advance);
    for (const document of rows('documents').map(documentFrom)) records.documents.set(document.id, document);
  };
  return { records, add };
};

/** The series whose last number a document must be dated after, or none. */
const seriesOf = ({ isBackDated, registration, location, date }: About): string =>
  isBackDated && registration && location ? `${registration}/${location}/${financialYearOf(date).label}` : '';

/** How many records of each list one call asks for; what is beyond is asked for when these have come. */
const MOST = { parties: 50, ledgers: 200, costCentres: 200, documents: 50 } as const;

/** Asks the server for what was wanted and is not known. */
const request = (
  { kind, date, location, party, registration }: About,
  wanted: Readonly<Record<(typeof lists)[number], string[]>>,
  withSeries: boolean,
) =>
  api.GetEditorFacts({
    ...{ kind, date, items: wanted.items, documents: wanted.documents },
    ...{ parties: wanted.parties, ledgers: wanted.ledgers, costCentres: wanted.costCentres },
    ...(location && { location }),
    ...(party && { party }),
    ...(withSeries && registration && { registration }),
  });

export const createFacts = (about: () => About): FactCache => {
  const { records, add } = createRecords();
  const { parties, items, ledgers, costCentres, sources, documents, advances } = records;
  const answered = new Set<string>();
  const listeners = new Set<() => void>();
  const known = { parties, items, ledgers, costCentres, documents: answered };
  /** For whom and where each item was asked. */
  const places = new Map<string, string>();
  const place = () => `${about().location}/${about().party}`;
  /** For which series the last number was asked, and what it is. */
  let series = '';
  let last: ReturnType<FactCache['lastInSeries']>;
  const seriesNow = () => seriesOf(about());
  let asked = nobody();
  let pending = nobody();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let revision = 0;
  let terms: string | undefined;
  let named: readonly NamedCharge[] = [];
  const learn = (facts: Plain) => {
    add(facts);
    for (const id of documents.keys()) answered.add(id);
    if ('terms' in facts) terms = text(facts['terms']);
    if ('named' in facts) named = (facts['named'] as readonly NamedCharge[] | undefined) ?? [];
    revision += 1;
    for (const notify of listeners) notify();
  };
  const ask = async () => {
    const now = asked;
    asked = nobody();
    for (const name of lists) for (const each of now[name]) pending[name].add(each);
    const at = place();
    const from = seriesNow();
    series = from;
    const first = (name: keyof typeof MOST) => [...now[name]].slice(0, MOST[name]);
    const wanted = {
      ...{ items: [...now.items], documents: first('documents') },
      ...{ parties: first('parties'), ledgers: first('ledgers'), costCentres: first('costCentres') },
    };
    try {
      const answer = await request(about(), wanted, from !== '');
      if (series === from) last = answer.lastInSeries;
      for (const each of wanted.items) places.set(each, at);
      for (const name of Object.keys(MOST) as (keyof typeof MOST)[])
        for (const each of wanted[name]) answered.add(each);
      learn(answer);
    } finally {
      pending = nobody();
    }
  };
  const isKnown = (name: (typeof lists)[number], id: string): boolean =>
    name === 'items'
      ? items.has(id) && (places.get(id) ?? place()) === place()
      : known[name].has(id) || answered.has(id);
  return {
    ...{ parties, items, ledgers, costCentres, sources, documents, advances },
    hasAsked: (id) => answered.has(id) || parties.has(id) || ledgers.has(id) || costCentres.has(id),
    revision: () => revision,
    lastInSeries: () => (series !== '' && series === seriesNow() ? last : undefined),
    terms: () => terms,
    named: () => named,
    learn,
    want: (ids) => {
      for (const name of lists)
        for (const each of ids[name] ?? [])
          if (each && !isKnown(name, each) && !pending[name].has(each)) asked[name].add(each);
      const isAsked = seriesNow() === '' || seriesNow() === series;
      if (isAsked && lists.every((name) => asked[name].size === 0)) return;
      clearTimeout(timer);
      // An answer that does not come leaves the fields as typed; the server decides when posting.
      timer = setTimeout(() => void ask().catch(() => undefined), 30);
    },
    subscribe: (tell) => {
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
  };
};
