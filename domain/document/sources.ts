import { compareDays, dayInWords } from '../base/dates.ts';
import {
  HUNDRED_PERCENT,
  type Millionths,
  millionths,
  type Percent,
  percentText,
  rateText,
  rupeesText,
} from '../base/decimal.ts';
import { type Paise, scale, sum, zero } from '../base/money.ts';
import { listed, type Said, say } from '../base/say.ts';
import { stateName } from '../tax/gst/registration/states.ts';
import type {
  Day,
  Discount,
  Draft,
  DraftLine,
  Id,
  Priced,
  SharedCharges,
  SourceLeft,
  StateCode,
  SupplyType,
  Treatment,
} from './document.ts';
import { correctsSource, cutsPrice, isForSupplier, isMadeFromKind, kindCalled } from './kinds/index.ts';
import type { Kind } from './kinds/kind.ts';
import type { Facts, ItemFacts, PartyAddress, PartyFacts } from './resolve.ts';

/** The party of a posted document, as that document has it. */
export interface PartyThen extends Pick<PartyFacts, 'name' | 'gstin' | 'state' | 'category'> {
  /** Null on documents that were posted before it was kept. */
  readonly country: string | null;
  /** Where bills went to; null where none was on record. */
  readonly address: PartyAddress | null;
}

/** A posted document that a draft names, as far as the draft has to agree with it. */
export interface SourceDocument {
  readonly id: Id;
  readonly kind: string;
  readonly number: string;
  readonly date: Day;
  /** The party, or the one that it was merged into. */
  readonly party: Id | null;
  /** That party as the document has it; null where no party record was chosen. */
  readonly partyThen: PartyThen | null;
  readonly registration: Id;
  readonly location: Id;
  /** The other end of a transfer. */
  readonly toLocation: Id | null;
  readonly placeOfSupply: StateCode | null;
  readonly currency: string;
  readonly exchangeRate: Millionths;
  readonly supply: Priced['supply'];
  readonly supplyType: SupplyType;
  /** Its tax is part of what it adds up to. */
  readonly taxCharged: boolean;
  /** A note without GST (section 34 knows it not). */
  readonly withoutTax?: boolean;
  readonly reverseCharge: boolean;
  /** Exported, or supplied to a SEZ, with payment of tax. */
  readonly withPayment: boolean;
  /** What rounding of its total nobody has taken back yet. */
  readonly leftRoundOff: Paise;
  /** What of its adjustments after tax nobody has given back yet, in rupees. */
  readonly leftAdjustments: Paise;
  /** What of the income-tax collected with it nobody has given back yet. */
  readonly leftTcs: Paise;
  /** A challan has paid that tax. */
  readonly tcsDeposited?: boolean;
}

/** A line of such a document, with what is left of it for the kind that is made from it. */
export interface SourceLine {
  readonly document: Id;
  readonly line: number;
  readonly item?: Id;
  readonly ledger?: Id;
  /** Its name, where it is a charge with a rate of its own: it has no item, and its ledger was typed at the charge. */
  readonly charge?: string;
  readonly hsn: string;
  readonly unit: string;
  readonly quantity: Millionths;
  readonly taxable: Paise;
  readonly leftQuantity: Millionths;
  /** Of the goods that were free, in its unit. */
  readonly leftFree: Millionths;
  /** In the item's own unit, goods that were free included. */
  readonly leftBase: Millionths;
  /** What nobody has taken back of its amounts; a note without GST takes none of them (section 34). */
  readonly left: SourceLeft;
  /** Of a line over which charges were spread. */
  readonly charges?: SharedCharges;
  /** Of a line of a price note: the line that it corrects in the end, and the value that can still be taken of that one. */
  readonly root?: { readonly document: Id; readonly line: number; readonly left: Paise };
  /** Took back what a price rise claims again: the amounts left are the most of it. */
  readonly claimed?: true;
  /** What notes without GST gave on it all the same; absent where none did. */
  readonly financial?: Pick<SourceLeft, 'value' | 'foreign'>;
  /** For one of its unit in the currency of its document, and the discount of the line, as they were typed. */
  readonly rate: Millionths;
  readonly discount?: Discount;
  readonly gstRate: Percent;
  readonly treatment: Treatment;
  readonly cessRate: Percent;
  readonly cessPerUnit: Paise;
  /** Of goods whose tax is inside their retail price (rule 31D). */
  readonly retailPrice?: Paise;
  /**
   * The ledger of its own that the line was booked on; null where it had none and went where the posting map says. Absent where it
   * is not known: in the browser, and of documents that were posted before it was kept.
   */
  readonly ownLedger?: OwnLedger | null;
}

export interface OwnLedger {
  readonly ledger: Id;
  /** It shows no revenue from operations (Schedule III): an asset, say, or other income. */
  readonly offRevenue: boolean;
}

export const sourceKey = (source: { readonly document: Id; readonly line: number }): string =>
  `${source.document}/${source.line}`;

/** What a document that is made from others takes from them where nothing was said; `checkSources` finds what contradicts them. */
export function withSources(kind: Kind, draft: Draft, facts: Pick<Facts, 'documents' | 'sources'>): Draft {
  const [first] = namedDocuments(draft, facts);
  if (!first) return draft;
  const lines = draft.lines.map((line) => lineWithSource(kind, line, draft, facts));
  const sender =
    kind.stock.effect === 'transferIn' ? { toRegistration: draft.toRegistration ?? first.registration } : {};
  if (!correctsSource(kind)) return { ...draft, ...sender, lines };
  const has = (field: Kind['fields'][number]): boolean => kind.fields.includes(field);
  const rate = draft.exchangeRate === 0 ? rateOfSources(kind, draft, facts) : undefined;
  return {
    ...draft,
    ...sender,
    ...(rate !== undefined && { exchangeRate: rate }),
    ...(has('placeOfSupply') &&
      first.placeOfSupply !== null && { placeOfSupply: draft.placeOfSupply ?? first.placeOfSupply }),
    ...(has('reverseCharge') && first.reverseCharge && { reverseCharge: draft.reverseCharge ?? true }),
    ...(has('withoutTax') && first.withoutTax && { withoutTax: draft.withoutTax ?? true }),
    ...(has('withPayment') && first.withPayment && { withPayment: draft.withPayment ?? true }),
    lines,
  };
}

/** A line of a correction without a source is the only line of that item on the document it is against; its unit is that of its source. */
function lineWithSource(
  kind: Kind,
  line: DraftLine,
  { against }: Draft,
  { sources }: Pick<Facts, 'sources'>,
): DraftLine {
  const alike =
    line.source || !correctsSource(kind) || against === undefined || line.item === undefined
      ? []
      : [...sources.values()].filter((s) => s.document === against && s.item === line.item);
  const source = line.source ?? (alike.length === 1 ? alike[0] : undefined);
  if (!source) return line;
  const unit = line.unit ?? sources.get(sourceKey(source))?.unit;
  return { ...line, source: { document: source.document, line: source.line }, ...(unit && { unit }) };
}

/**
 * The documents that a draft is made from or against, in the order in which it names them. The order that it carries
 * out is another thing.
 */
export const sourceIds = ({ against, lines }: Draft): Id[] => [
  ...new Set([...(against ? [against] : []), ...lines.flatMap(({ source }) => (source ? [source.document] : []))]),
];

const namedDocuments = (draft: Draft, { documents }: Pick<Facts, 'documents'>): SourceDocument[] =>
  sourceIds(draft).flatMap((id) => documents?.get(id) ?? []);

/** The rates of exchange of the documents in its currency that a correction names, each with the first of them that has it. */
function ratesOfSources(kind: Kind, draft: Draft, facts: Pick<Facts, 'documents'>): SourceDocument[] {
  if (draft.currency === 'INR' || !correctsSource(kind) || !kind.fields.includes('exchangeRate')) return [];
  const named = namedDocuments(draft, facts).filter(({ currency }) => currency === draft.currency);
  return named.filter((one, at) => named.findIndex(({ exchangeRate }) => exchangeRate === one.exchangeRate) === at);
}

/** Whether the rate of exchange of a draft, left out, is that of what it corrects and not of its day. */
export const takesRateOfSources = (kind: Kind, draft: Draft): boolean =>
  draft.currency !== 'INR' &&
  correctsSource(kind) &&
  kind.fields.includes('exchangeRate') &&
  sourceIds(draft).length > 0;

/** The rate of exchange of what a draft corrects, where all of it has the same. */
export function rateOfSources(kind: Kind, draft: Draft, facts: Pick<Facts, 'documents'>): Millionths | undefined {
  const [one, ...others] = ratesOfSources(kind, draft, facts);
  return others.length === 0 ? one?.exchangeRate : undefined;
}

/** The document that a correction takes its place of supply from, and with it the kind of tax where it bears the same. */
export const originalOf = (kind: Kind, draft: Draft, facts: Pick<Facts, 'documents'>): SourceDocument | undefined =>
  correctsSource(kind) ? namedDocuments(draft, facts)[0] : undefined;

/** The day of the invoice that its tax is on: the supplier's, or that on which another registration of ours sent the goods. */
export const dayOfInvoice = (
  kind: Kind,
  draft: Pick<Draft, 'date' | 'referenceDate'>,
  source: Id | undefined,
  { documents }: Pick<Facts, 'documents'>,
): Day => {
  const sent = kind.stock.effect === 'transferIn' ? documents?.get(source ?? '')?.date : undefined;
  return sent ?? draft.referenceDate ?? draft.date;
};

/** Whether goods come back, or go back, without a document in the books: its lines are typed, with their prices and rates. */
export const returnsWithoutSource = (kind: Kind, draft: Draft): boolean =>
  kind.source.mayBeOutsideBooks === true && draft.lines.length > 0 && sourceIds(draft).length === 0;

/** Whether each line is priced from the line that it comes from. */
export const isPricedFromSource = (kind: Kind, draft: Draft): boolean =>
  kind.source.givesPrice === true && !returnsWithoutSource(kind, draft);

/** A return, a note and a receipt of what was sent bear the tax that was on their source. */
export const bearsTaxOf = (kind: Kind): boolean =>
  correctsSource(kind) && (kind.source.givesPrice === true || kind.paper.form === 'note');

type Wrong = (field: string, message: Said, row?: number) => void;

/**
 * Everything that a draft says and its sources contradict, each at its field. Without `documents` (an editor that has
 * not asked yet) nothing is said of them.
 */
export function checkSources(kind: Kind, draft: Draft, facts: Facts, wrong: Wrong): void {
  if (facts.documents) {
    for (const id of sourceIds(draft)) ofDocument(kind, draft, facts, id, wrong);
    ofRates(kind, draft, facts, wrong);
    if (draft.order !== undefined) ofOrder(kind, draft, facts.documents.get(draft.order), wrong);
    namesItsLines(kind, draft, wrong);
  }
  for (const [row, line] of draft.lines.entries())
    ofLine(kind, line, facts, (field, message) => wrong(field, message, row));
}

const unknown = say('This document does not exist any more');

/** One document that the draft names, by its head or by its lines. */
function ofDocument(kind: Kind, draft: Draft, facts: Facts, id: Id, wrong: Wrong): void {
  const { documents, own, party } = facts;
  const row = draft.lines.findIndex((l) => l.source?.document === id);
  const at = (message: Said): void =>
    id === draft.against ? wrong('against', message) : wrong('lines.source', message, row);
  const source = documents?.get(id);
  if (!source) {
    at(unknown);
    return;
  }
  const { number } = source;
  if (!isMadeFrom(kind, source, row >= 0)) {
    at(
      say('{{kind}} is not made from {{number}}, {{source}}', {
        kind: article(kind.label),
        number,
        source: article(labelOf(source), 'a'),
      }),
    );
    return;
  }
  if (compareDays(draft.date, source.date) < 0)
    wrong(
      'date',
      say('This is not dated before {{number}} of {{date}}, which it is made from', {
        number,
        date: dayInWords(source.date),
      }),
    );
  if (kind.party.side !== 'none' && source.party !== null && source.party !== (draft.party ?? null))
    wrong(
      'party',
      party
        ? say('{{number}} is of another party than {{party}}', { number, party: party.name })
        : say('Choose the party of {{number}}', { number }),
    );
  arrives(kind, draft, facts, source, wrong);
  if (kind.stock.effect !== 'transferIn' && source.registration !== own.registration)
    wrong(
      'registration',
      say('{{number}} is of another registration: only that one can make this document', { number }),
    );
  if (kind.fields.includes('currency') && source.currency !== draft.currency)
    wrong('currency', say('{{number}} is in {{currency}}', { number, currency: source.currency }));
  if (!correctsSource(kind)) return;
  corrects(kind, draft, source, wrong);
  const first = originalOf(kind, draft, facts);
  if (first) isOfOneSupply(kind, first, source, at);
}

/** A note or return has one recipient (rule 53(1A)), and one table of the return: all that it corrects has the same. */
function isOfOneSupply(
  kind: Kind,
  first: SourceDocument,
  source: SourceDocument,
  wrong: (message: Said) => void,
): void {
  if (isOtherRecipient(first, source))
    wrong(
      say('{{number}} has other GST particulars of the party than {{first}}: make a document of its own for each', {
        number: source.number,
        first: first.number,
      }),
    );
  else if (bearsTaxOf(kind) && isLarge(first) !== isLarge(source)) {
    const [large, small] = isLarge(first) ? [first, source] : [source, first];
    wrong(
      say(
        'GSTR-1 lists {{large}} by itself (B2CL), and {{small}} by rate (B2CS): make a document of its own for each',
        { large: large.number, small: small.number },
      ),
    );
  }
}
/** Whether two documents have other particulars of their party, or one of them nobody: no document corrects both. */
function isOtherRecipient(one: SourceDocument, other: SourceDocument): boolean {
  if (one.party === null || other.party === null) return one.party !== other.party;
  const [a, b] = [one.partyThen, other.partyThen];
  if (!a || !b) return false;
  const isElsewhere = a.country !== null && b.country !== null && a.country !== b.country;
  return a.gstin !== b.gstin || a.state !== b.state || a.category !== b.category || isElsewhere;
}
const isLarge = ({ supplyType }: SourceDocument): boolean => supplyType === 'B2CL';

/** Goods come back, and are corrected, from the document that sold them; an order for that is named beside it. */
const isMadeFrom = (kind: Kind, source: SourceDocument, byLine: boolean): boolean =>
  kind.source.reverses === source.kind ||
  kind.source.mayReverse === source.kind ||
  (isMadeFromKind(kind, source.kind, source.partyThen?.category) &&
    !(byLine && kind.source.givesPrice && kindCalled(source.kind)?.life.cycle === 'ordered'));

/** What was sent arrives where it was sent to, from the registration that sent it. */
function arrives(kind: Kind, draft: Draft, facts: Facts, source: SourceDocument, wrong: Wrong): void {
  if (kind.stock.effect !== 'transferIn') return;
  const { number, toLocation, registration } = source;
  const at = draft.toLocation === undefined ? 'location' : 'toLocation';
  if ((draft.toLocation ?? draft.location) !== toLocation)
    wrong(at, say('{{number}} was sent to another place', { number }));
  const place = facts.places?.get(toLocation ?? '');
  if (place && place.registration !== draft.registration)
    wrong(
      'registration',
      say('{{number}} was sent to {{place}}, which belongs to another registration', { number, place: place.name }),
    );
  if (draft.toRegistration !== undefined && draft.toRegistration !== registration)
    wrong('toRegistration', say('{{number}} was sent by another registration', { number }));
}

/** A return or note bears the tax of what it corrects (section 34 of the CGST Act): the same place of supply, the same charge. */
function corrects(kind: Kind, draft: Draft, source: SourceDocument, wrong: Wrong): void {
  const { number, placeOfSupply, reverseCharge, withPayment } = source;
  const has = (field: Kind['fields'][number]): boolean => kind.fields.includes(field);
  const isElsewhere = draft.placeOfSupply !== undefined && draft.placeOfSupply !== placeOfSupply;
  if (has('placeOfSupply') && placeOfSupply !== null && isElsewhere)
    wrong(
      'placeOfSupply',
      say('The place of supply of {{number}} is {{placeOfSupply}}', {
        number,
        placeOfSupply: stateName(placeOfSupply) ?? placeOfSupply,
      }),
    );
  if (isForSupplier(kind) && !reverseCharge)
    wrong('reverseCharge', say('{{number}} is not under reverse charge: its supplier writes the invoice', { number }));
  if (!bearsTaxOf(kind)) return;
  if (has('reverseCharge') && (draft.reverseCharge ?? false) !== reverseCharge)
    wrong(
      'reverseCharge',
      reverseCharge
        ? say('{{number}} is under reverse charge', { number })
        : say('{{number}} is not under reverse charge', { number }),
    );
  if (has('withPayment') && (draft.withPayment ?? false) !== withPayment)
    wrong(
      'withPayment',
      withPayment
        ? say('{{number}} is with payment of tax', { number })
        : say('{{number}} is without payment of tax', { number }),
    );
}

/**
 * What corrects a supply is at the rate of that supply: it takes back, or adds to, a value and a tax that were booked at it
 * (section 34 of the CGST Act; the value in rupees is that of rule 34). What the rate of the day makes of the money is
 * booked when the money is.
 */
function ofRates(kind: Kind, draft: Draft, facts: Facts, wrong: Wrong): void {
  const rates = ratesOfSources(kind, draft, facts);
  const [one, other] = rates;
  const listedRates = listed(
    rates.map(({ number, exchangeRate }) => say('{{number}} is at {{rate}}', { number, rate: rateText(exchangeRate) })),
  );
  if (one && other)
    wrong('exchangeRate', say('{{listedRates}}: make a document of its own for each of these rates', { listedRates }));
  else if (!one && draft.exchangeRate === 0 && takesRateOfSources(kind, draft))
    wrong('exchangeRate', say('Enter the exchange rate'));
  else if (one && draft.exchangeRate !== one.exchangeRate) wrong('exchangeRate', listedRates);
}

/** The order that a document carries out is one that it can be made from, of the same party and registration, and not of a later day. */
function ofOrder(kind: Kind, draft: Draft, order: SourceDocument | undefined, wrong: Wrong): void {
  const fits = order && kind.source.kinds.includes(order.kind) && kindCalled(order.kind)?.life.cycle === 'ordered';
  if (!fits || order.party !== (draft.party ?? null) || order.registration !== draft.registration)
    wrong('order', say('This is no order that this document can carry out'));
  else if (compareDays(draft.date, order.date) < 0)
    wrong(
      'date',
      say('This is not dated before {{number}} of {{date}}, which it carries out', {
        number: order.number,
        date: dayInWords(order.date),
      }),
    );
}

/** A correction that names a document takes each of its lines from one: what was not supplied cannot be corrected. */
function namesItsLines(kind: Kind, draft: Draft, wrong: Wrong): void {
  if (!correctsSource(kind)) return;
  const named = new Set(draft.lines.flatMap(({ source }) => (source ? [source.document] : [])));
  if (draft.against !== undefined && named.size > 0 && !named.has(draft.against))
    wrong('against', say('No line comes from this document'));
  if (kind.source.givesPrice || (named.size === 0 && draft.against === undefined)) return;
  draft.lines.forEach(({ source }, row) => {
    if (!source) wrong('lines.source', say('Choose the line of the document that this line corrects'), row);
  });
}

/** A line has the item, the ledger and the unit of the line that it comes from; a correction bears its tax, what comes back its price. */
function ofLine(
  kind: Kind,
  line: DraftLine,
  { documents, sources, items }: Facts,
  wrong: (field: string, message: Said) => void,
): void {
  const { source: named, item, ledger, unit } = line;
  if (!named) return;
  const source = sources.get(sourceKey(named));
  const document = documents?.get(named.document);
  if (!source) {
    if (document)
      wrong('lines.source', say('{{number}} has no line {{line}}', { number: document.number, line: named.line }));
    return;
  }
  const values = { line: named.line, number: document?.number };
  const place = document ? say('Line {{line}} of {{number}}', values) : say('Line {{line}}', values);
  if (source.item !== undefined && source.item !== item)
    wrong('lines.item', say('{{place}} is of another item', { place }));
  else if (source.item === undefined && source.ledger !== undefined && source.ledger !== ledger)
    wrong('lines.ledger', say('{{place}} is on another ledger', { place }));
  else if (ledger !== undefined && correctsSource(kind) && ledger !== expenseLedgerOf(source, items.get(item ?? '')))
    wrong('lines.ledger', say('{{place}} is on another ledger: leave this out, it is taken over', { place }));
  const typed = unit ?? items.get(item ?? '')?.unit;
  if (source.item !== undefined && kind.lines.of === 'items' && typed !== undefined && typed !== source.unit)
    wrong('lines.unit', say('{{place}} is counted in {{unit}}', { place, unit: source.unit }));
  for (const [field, own] of takenOver(kind, line, source, document))
    wrong(`lines.${field}`, say('{{place}} {{own}}: leave this out, it is taken over', { place, own }));
}

/** The expense ledger of a line's own: that of the line which it corrects, as far as it is known, else that of its item. */
export const expenseLedgerOf = (
  corrected: Pick<SourceLine, 'ledger' | 'ownLedger'> | undefined,
  item: Pick<ItemFacts, 'expenseLedger'> | undefined,
): Id | undefined => {
  const { ledger, ownLedger } = corrected ?? {};
  return ledger ?? (ownLedger === undefined ? (item?.expenseLedger ?? undefined) : ownLedger?.ledger);
};

/** Whether a line that comes from another has its price and discount, be it worked out from what is left of it or not. */
export const hasPriceOfSource = (kind: Kind): boolean => kind.source.givesPrice === true || isForSupplier(kind);

/** The fields of a line that say something else than what is taken over from its source anyway, each with what that one has. */
function takenOver(
  kind: Kind,
  line: DraftLine,
  source: SourceLine,
  document: SourceDocument | undefined,
): readonly (readonly [field: keyof DraftLine, own: Said])[] {
  if (!correctsSource(kind)) return [];
  const { hsn, treatment, gstRate, cessRate, cessPerUnit, retailPrice, rate, discount } = source;
  const wrong: (readonly [keyof DraftLine, Said])[] = [];
  const compared = (field: keyof DraftLine, own: unknown, says: Said): void => {
    if (line[field] !== undefined && line[field] !== own) wrong.push([field, says]);
  };
  if (hsn !== '') compared('hsn', hsn, say('has HSN/SAC {{hsn}}', { hsn }));
  compared('treatment', treatment, say('is {{treatment}}', { treatment: treatments[treatment] }));
  compared('gstRate', gstRate, say('is at {{gstRate}} % GST', { gstRate: percentText(gstRate) }));
  compared('cessRate', cessRate, say('is at {{cessRate}} % cess', { cessRate: percentText(cessRate) }));
  compared(
    'cessPerUnit',
    cessPerUnit,
    say('is at {{cessPerUnit}} of cess for one', { cessPerUnit: rupeesText(cessPerUnit) }),
  );
  if (kind.gst.tax !== 'none')
    compared(
      'retailPrice',
      retailPrice,
      retailPrice
        ? say('has the retail price {{retailPrice}}', { retailPrice: rupeesText(retailPrice) })
        : say('is not taxed on a retail price'),
    );
  // goods that moved at cost have no price that anything could contradict
  if (!hasPriceOfSource(kind) || document?.supply === 'none') return wrong;
  compared('rate', rate, say('is at the rate {{rate}}', { rate: rateText(rate) }));
  if (line.discount && !isSameDiscount(line.discount, discount)) wrong.push(['discount', discountSaid(discount)]);
  return wrong;
}

const treatments: Readonly<Record<Treatment, string>> = {
  taxable: 'taxable',
  nil: 'nil rated',
  exempt: 'exempt',
  nonGst: 'non-GST',
  zeroRated: 'zero rated',
};
/** A discount of nothing is none. */
const isSameDiscount = (one: Discount, other: Discount = {}): boolean =>
  (one.percent ?? 0) === (other.percent ?? 0) && (one.amount ?? 0) === (other.amount ?? 0);
const discountSaid = ({ percent, amount }: Discount = {}): Said => {
  if (percent) return say('has a discount of {{percent}} %', { percent: percentText(percent) });
  return amount ? say('has a discount of {{amount}}', { amount: rupeesText(amount) }) : say('has no discount');
};

/** A line of a correction without what it takes over from its source. */
export function leftToSource(kind: Kind, line: DraftLine): DraftLine {
  if (!correctsSource(kind)) return line;
  const { hsn: _hsn, treatment: _treatment, gstRate: _gst, cessRate: _rate, ...rest } = line;
  const { cessPerUnit: _each, retailPrice: _retail, ...bare } = rest;
  if (!kind.source.givesPrice) return bare;
  const { rate: _price, discount: _discount, ...free } = bare;
  return free;
}

/** A line that continues another one: what it takes over from that one is in the words of the books. */
export function asItsSource(kind: Kind, line: DraftLine, source: SourceLine | undefined): DraftLine {
  if (!source || !correctsSource(kind)) return line;
  const { rate, discount } = line;
  const { hsn, treatment, gstRate } = source;
  return {
    ...leftToSource(kind, line),
    ...(hsn !== '' && { hsn }),
    ...(rate !== undefined && { rate }),
    ...(discount && { discount }),
    ...{ treatment, gstRate },
  };
}

const labelOf = ({ kind }: SourceDocument): string => kindCalled(kind)?.label ?? kind;
const article = (label: string, a: 'A' | 'a' = 'A'): string =>
  `${/^[aeio]/i.test(label) ? `${a}n` : a} ${label.toLowerCase()}`;

/** What documents of a kind take of one source line: in its unit and in the item's own one, and in paise. */
export interface TakenOf {
  readonly quantity: number;
  readonly free: number;
  readonly base: number;
  readonly value: number;
}

/** Takes of a line by its value: a price cut, and a price rise that claims again what was taken back. */
export const takesValue = (kind: Kind, { claimed }: SourceLine): boolean => cutsPrice(kind) || claimed === true;

/**
 * Whether that is more than is left of it: a kind that takes by value takes value, every other what was paid for and what
 * was free (INV-16).
 */
export const takesTooMuch = (kind: Kind, source: SourceLine, { quantity, free, base, value }: TakenOf): boolean =>
  takesValue(kind, source)
    ? value > source.left.value - (source.financial?.value ?? 0)
    : quantity > source.leftQuantity || free > Math.max(source.leftFree, 0) || base > source.leftBase;

/** Whether a document of this kind can take anything of a source line. */
export const isSomethingLeft = (kind: Kind, source: SourceLine): boolean =>
  !takesTooMuch(kind, source, { quantity: 1, free: 0, base: 1, value: 1 });

/**
 * The price by which so much of a line can be cut, or claimed again, with its discount: its own, or for each what is left of
 * its value, rounded down. Rate in millionths of the document's currency.
 */
export function rateLeft(
  { rate = millionths(0), discount }: Pick<DraftLine, 'rate' | 'discount'>,
  { left, financial }: SourceLine,
  quantity: Millionths,
  { currency, taxInclusive }: Pick<Draft, 'currency' | 'taxInclusive'>,
): Pick<DraftLine, 'rate' | 'discount'> {
  const whole =
    currency !== 'INR'
      ? left.foreign
      : taxInclusive
        ? sum([left.value, left.cgst, left.sgst, left.igst, left.cess])
        : left.value;
  const given = (currency !== 'INR' ? financial?.foreign : financial?.value) ?? zero;
  const most = Math.max(0, whole - given);
  const gross = scale(quantity, rate, PAISE);
  const off =
    discount?.percent !== undefined ? scale(gross, discount.percent, HUNDRED_PERCENT) : (discount?.amount ?? 0);
  if (gross - off <= most) return { rate, ...(discount && { discount }) };
  return { rate: millionths(Number((BigInt(most) * BigInt(PAISE)) / BigInt(quantity))) };
}
/** Millionths of a quantity at millionths of a rupee, in one paisa. */
const PAISE = 10_000_000_000;

/**
 * What nobody has taken back of a source line yet, and the part of it that so much of its quantity takes: the last
 * part takes all that is left.
 */
export function partOf(left: SourceLeft, quantity: Millionths, leftQuantity: Millionths): SourceLeft {
  if (quantity === leftQuantity || leftQuantity <= 0) return left;
  return amountsLeft((name) => scale(left[name], quantity, leftQuantity));
}

/** The charges of so many goods of a line, in each of its amounts. */
export const chargesOfGoods = ({ of, quantity }: SharedCharges, goods: number): SourceLeft =>
  amountsLeft((name) => scale(of[name], goods, quantity));

/**
 * The part that charges have in each amount of a line: of its value the share itself, of the tax what that bears, of a tax inside
 * the retail price (rule 31D) nothing. `share` and amounts in paise of rupees.
 */
export function chargesIn(
  amounts: SourceLeft,
  share: Paise,
  { cessRate, retailPrice }: Pick<SourceLine, 'cessRate' | 'retailPrice'>,
): SourceLeft {
  const part = (amount: Paise, whole: Paise): Paise => (whole > 0 ? scale(amount, share, whole) : zero);
  const taxed = (amount: Paise): Paise => (retailPrice === undefined ? part(amount, amounts.taxable) : zero);
  return {
    taxable: retailPrice === undefined ? share : zero,
    value: share,
    foreign: part(amounts.foreign, amounts.value),
    cgst: taxed(amounts.cgst),
    sgst: taxed(amounts.sgst),
    igst: taxed(amounts.igst),
    cess: retailPrice === undefined && amounts.cess > 0 ? scale(share, cessRate, HUNDRED_PERCENT) : zero,
  };
}

/** Each amount, worked out by its name. */
export const amountsLeft = (of: (name: keyof SourceLeft) => Paise): SourceLeft => ({
  taxable: of('taxable'),
  value: of('value'),
  foreign: of('foreign'),
  cgst: of('cgst'),
  sgst: of('sgst'),
  igst: of('igst'),
  cess: of('cess'),
});
