import { say } from '../base/say.ts';
import { movesAdvances, takesTenders } from '../books/legs.ts';
import type {
  AcceptedWarning,
  Address,
  Allocation,
  BatchPart,
  CreditReversed,
  Customs,
  Discount,
  Draft,
  DraftAdjustment,
  DraftCharge,
  DraftLine,
  SourceOfLine,
  TaxChallan,
  TdsLower,
  Tender,
  TillMark,
} from './document.ts';
import { isPriced, movesGoods, settlesOthers, takesAdjustments } from './kinds/index.ts';
import type { Kind } from './kinds/kind.ts';
import {
  choice,
  type Field,
  type Fields,
  idOf,
  internal,
  listOf,
  namedTexts,
  numberText,
  quantitiesByLine,
  record,
  text,
  textsOf,
} from './values.ts';

/*
 * Every field of a document, one row each. From the rows follow the types of document.ts, the schemas of contract/documents.ts,
 * the conversion between numbers and decimal text, what the editor sends, and which kinds have a field (holds.ts).
 */

/** A field of the head or of a line. */
export interface HeldField extends Field {
  /** As a message names it: "Cash sale has no due date". */
  readonly called: string;
  /** The name under which kinds list the field in their `fields`: those kinds have it. */
  readonly named?: string;
  /**
   * Whether a kind has the field, where the rule is another than `named`. A field with neither is on every kind.
   *
   * The types `Draft` and `Kind` are derived from these tables. So write the return type of a rule, `(kind): boolean => …`, and do
   * not destructure a draft in its parameters: the compiler would need the type of the table to find the type of the table.
   */
  readonly holds?: (kind: Kind, draft: Draft) => boolean;
}

const everyKind = (): boolean => true;
const isMoved = ({ stock }: Kind): boolean => stock.effect === 'transferOut' || stock.effect === 'transferIn';
const hasJournalLines = ({ lines }: Kind): boolean => lines.of === 'ledgers';
const hasNoJournalLines = ({ lines }: Kind): boolean => lines.of !== 'ledgers';
/** A document goes to another place of ours; others may name the place that they are at anyway. */
const namesDestination = (kind: Kind, draft: Draft): boolean => isMoved(kind) || draft.toLocation === draft.location;
/** Names a document that it is made from, or takes back. */
const namesAnother = (kind: Kind): boolean =>
  kind.fields.includes('against') ||
  kind.source.kinds.length > 0 ||
  kind.source.reverses !== undefined ||
  kind.source.mayReverse !== undefined;
/** A return or note has the address of what it corrects: the invoice portal is sent it again. */
const correctsGoods = ({ fields, lines }: Kind): boolean => lines.of === 'items' && fields.includes('against');
const hasBillTo = (kind: Kind): boolean => kind.fields.includes('billTo') || correctsGoods(kind);
const hasShipTo = (kind: Kind): boolean => kind.fields.includes('shipTo') || correctsGoods(kind);
/** A return has none: what would come back beyond what was billed has a problem of its own. */
const takesCharges = (kind: Kind): boolean =>
  isPriced(kind) && (kind.books.lineEffect !== 'none' || kind.life.cycle === 'ordered');
const isOfTill = ({ life }: Kind): boolean => life.till === true;
/** The document that closes a session has its count, and cash that is put in or taken out has its session. */
const movesTill = (kind: Kind, draft: Draft): boolean =>
  kind.life.till === true || draft.till?.counted !== undefined || draft.till?.cash !== undefined;
/** Money in advance is on a ledger of its own: an adjustment takes it to the account of the party. */
const settlesItems = (kind: Kind): boolean =>
  settlesOthers(kind) ? !movesAdvances(kind) : kind.lines.of === 'none' || movesAdvances(kind);
/** What comes back from the bank, and cash that leaves a till, has a reason too. */
const hasReason = (kind: Kind, draft: Draft): boolean =>
  kind.fields.includes('reason') || kind.source.reverses !== undefined || draft.till?.cash !== undefined;

export const addressFields = {
  name: { value: text(200) },
  line1: { value: text(100, 'The first line'), required: true },
  line2: { value: text(100) },
  city: { value: text(50, 'City'), required: true },
  state: { value: 'state', required: true },
  pincode: { value: 'pincode', required: true },
  country: { value: 'country', required: true, default: 'IN' },
  gstin: { value: 'word' },
  phone: { value: text(20) },
  email: { value: text(254) },
} as const satisfies Fields;

export const discountFields = {
  percent: { value: 'percent' },
  amount: { value: 'money' },
} as const satisfies Fields;

export const batchFields = {
  batch: { value: numberText(30, 'Batch'), required: true },
  expiry: { value: 'day' },
  manufactured: { value: 'day' },
  quantity: { value: 'quantity', required: true },
} as const satisfies Fields;

export const sourceFields = {
  document: { value: idOf('document'), required: true },
  line: { value: 'lineNumber', required: true },
} as const satisfies Fields;

/** A line. Amounts are in the currency of the document. */
export const lineFields = {
  /** Of goods and services. */
  item: {
    called: 'item',
    value: idOf('item'),
    holds: ({ lines }): boolean => lines.of === 'items' || lines.of === 'stock',
  },
  /** Of expenses and journals. */
  ledger: {
    called: 'ledger',
    value: idOf('ledger'),
    holds: ({ lines, gst }): boolean =>
      lines.of === 'expenses' || lines.of === 'ledgers' || (lines.of === 'items' && gst.tax !== 'output'),
  },
  party: { called: 'party on a line', value: idOf('party'), holds: hasJournalLines },
  description: { called: 'description', value: text(1000) },
  hsn: { called: 'HSN', value: 'hsn', holds: isPriced },
  unit: { called: 'unit', value: text(8), holds: hasNoJournalLines },
  quantity: { called: 'quantity', value: 'quantity', holds: hasNoJournalLines },
  freeQuantity: { called: 'free quantity', value: 'quantity', holds: ({ lines }): boolean => lines.of === 'items' },
  /** With `delta` it is the value that is put on an increase of stock. */
  rate: { called: 'rate', value: 'rate', holds: hasNoJournalLines },
  discount: { called: 'discount on a line', value: record<Discount>(discountFields), holds: isPriced },
  /** These override what the item says; only people who may edit rates send them. */
  gstRate: { called: 'rate of GST', value: 'percent', holds: isPriced },
  treatment: {
    called: 'treatment under GST',
    value: choice('taxable', 'nil', 'exempt', 'nonGst', 'zeroRated'),
    holds: isPriced,
  },
  cessRate: { called: 'rate of cess', value: 'percent', holds: isPriced },
  cessPerUnit: { called: 'cess by quantity', value: 'money', holds: isPriced },
  retailPrice: {
    called: 'retail price',
    value: 'money',
    holds: (kind): boolean => isPriced(kind) && (kind.gst.tax !== 'input' || kind.lines.of === 'items'),
  },
  creditBlocked: {
    called: 'credit to block',
    value: 'flag',
    holds: (kind): boolean => isPriced(kind) && kind.gst.tax === 'input',
  },
  /** Whether the kind is made from such a document is checked at this field, with a message of its own. */
  source: { called: 'source', value: record<SourceOfLine>(sourceFields) },
  batches: { called: 'batches', value: listOf<BatchPart>(batchFields), holds: movesGoods },
  serials: { called: 'serial numbers', value: textsOf(numberText(50, 'Serial number')), holds: movesGoods },
  room: { called: 'stock room', value: idOf('room'), holds: movesGoods },
  debit: { called: 'debit', value: 'money', holds: hasJournalLines },
  credit: { called: 'credit', value: 'money', holds: hasJournalLines },
  /** On a ledger that is kept in another currency: how much of that moves. */
  foreign: { called: 'amount in another currency', value: 'money', holds: hasJournalLines },
  /** All kinds take it: it is copied from an order to what is made from it. */
  costCentre: { called: 'cost centre', value: idOf('costCentre') },
  /** The bill that a line of an opening balance stands for; in another journal it has a problem of its own. */
  reference: { called: 'bill on a line', value: numberText(50), holds: hasJournalLines },
  referenceDate: { called: 'bill on a line', value: 'day', holds: hasJournalLines },
  dueDate: { called: 'bill on a line', value: 'day', holds: hasJournalLines },
  /** The change of stock of an adjustment, with its sign. */
  delta: { called: 'change of stock', value: 'quantity', holds: ({ stock }): boolean => stock.effect === 'adjust' },
  /** The record of an additional field lists the kinds that it is for. */
  additional: { called: 'additional field', value: namedTexts(2000) },
} as const satisfies Readonly<Record<string, HeldField>>;

export const chargeFields = {
  name: { value: text(100, 'Name'), required: true },
  ledger: { value: idOf('ledger') },
  amount: { value: 'money', required: true },
  apportion: { value: choice('value', 'quantity'), required: true, default: 'value' },
  /** With a rate of its own it is taxed by itself, as a line under this HSN or SAC; without one it follows the goods. */
  gstRate: { value: 'percent' },
  hsn: { value: 'hsn' },
} as const satisfies Fields;

export const adjustmentFields = {
  name: { value: text(100, 'Name'), required: true },
  sign: { value: choice('add', 'less'), required: true },
  /** Above zero. */
  amount: { value: 'money', required: true },
  ledger: { value: idOf('ledger') },
} as const satisfies Fields;

/** What a bill is paid in at a till. */
export const tenderModes = ['cash', 'card', 'upi'] as const;

export const tenderFields = {
  ledger: { value: idOf('ledger'), required: true },
  amount: { value: 'money', required: true },
  /** What it was paid in, where a till has card and UPI on one ledger. */
  mode: { value: choice(...tenderModes) },
  reference: { value: numberText(50) },
} as const satisfies Fields;

export const allocationFields = {
  document: { value: idOf('document'), required: true },
  /** One line of it, where each line is due by itself; else the whole document. */
  line: { value: 'lineOrWhole' },
  amount: { value: 'money', required: true },
} as const satisfies Fields;

export const tillFields = {
  session: { value: idOf('session'), required: true },
  /** A bill that was numbered at the till: by which browser, which number of the series, and how it is printed. */
  device: { value: idOf('device') },
  counter: { value: 'counter' },
  number: { value: numberText(16) },
  /** The counter that the number belongs to; worked out from the date. */
  period: { value: 'word', server: true },
  /** Cash that was put in or taken out. */
  cash: { value: choice('in', 'out'), server: true },
  counted: { value: 'money', server: true },
  expected: { value: 'money', server: true },
  count: { value: internal<Readonly<Record<string, number>>>(), server: true },
} as const satisfies Fields;

export const creditReversedFields = {
  cgst: { value: 'money', required: true, default: '0' },
  sgst: { value: 'money', required: true, default: '0' },
  igst: { value: 'money', required: true, default: '0' },
  cess: { value: 'money', required: true, default: '0' },
} as const satisfies Fields;

/** The bill of entry, in rupees. A duty that is left out was not levied. */
export const customsFields = {
  assessable: { value: 'money', required: true },
  basic: { value: 'money', required: true, default: '0' },
  surcharge: { value: 'money', required: true, default: '0' },
  igst: { value: 'money', required: true, default: '0' },
  /**
   * What the assessable value was worked out from: the cost of the goods in their currency, at the rate that customs notified
   * (section 14 of the Customs Act).
   */
  currency: { value: 'currencyCode' },
  invoice: { value: 'money' },
  rate: { value: 'exchangeRate' },
  /** How much of each line of the purchase it covers; left out, all of them, and empty, none: further duty. */
  covers: { value: quantitiesByLine },
} as const satisfies Fields;

export const acceptedFields = {
  warning: { value: 'warningCode', required: true },
  reason: { value: text(200, 'The reason'), required: true },
  by: { value: idOf('user'), server: true },
} as const satisfies Fields;

export const headFields = {
  kind: { called: 'kind', value: 'word', required: true },
  id: { called: 'id', value: idOf('draft') },
  version: { called: 'version', value: 'version' },
  date: { called: 'date', value: 'day', required: true },
  dueDate: { called: 'due date', value: 'day', named: 'dueDate' },
  registration: { called: 'registration', value: idOf('registration'), required: true },
  location: { called: 'location', value: idOf('location'), required: true },
  toRegistration: { called: 'registration that goods go to', value: idOf('registration'), holds: isMoved },
  toLocation: {
    called: 'place that goods go to',
    value: idOf('location'),
    named: 'toLocation',
    holds: namesDestination,
  },
  party: { called: 'customer or supplier', value: idOf('party'), holds: ({ party }): boolean => party.side !== 'none' },
  partyName: { called: 'name of a party that is not on record', value: text(200), named: 'partyName' },
  billTo: { called: 'address of the buyer', value: record<Address>(addressFields), named: 'billTo', holds: hasBillTo },
  shipTo: {
    called: 'address that goods are sent to',
    value: record<Address>(addressFields),
    named: 'shipTo',
    holds: hasShipTo,
  },
  placeOfSupply: { called: 'place of supply', value: 'state', named: 'placeOfSupply' },
  reverseCharge: { called: 'reverse charge', value: 'flag', named: 'reverseCharge' },
  withPayment: { called: 'payment of tax on an export', value: 'flag', named: 'withPayment' },
  /** It is copied from a document to what is made from it; the tax is the same either way. */
  taxInclusive: {
    called: 'rates that include tax',
    value: 'flag',
    named: 'taxInclusive',
    holds: (kind): boolean => isPriced(kind) && kind.gst.tax !== 'none',
  },
  /** Every document is in one; another currency than its kind may have is a problem of its own. */
  currency: {
    called: 'currency',
    value: 'currency',
    required: true,
    default: 'INR',
    named: 'currency',
    holds: everyKind,
  },
  /** Left out: 1 for rupees, the rate of what is corrected, or that of the day. */
  exchangeRate: {
    called: 'exchange rate',
    value: 'exchangeRate',
    required: true,
    default: 0,
    named: 'exchangeRate',
    holds: everyKind,
  },
  /** Where the rate comes from, in words. */
  exchangeSource: { called: 'source of the exchange rate', value: 'word', server: true },
  lines: {
    called: 'lines',
    value: listOf<DraftLine>(lineFields, 1000, say('At most 1,000 lines')),
    required: true,
    holds: ({ lines }): boolean => lines.of !== 'none',
  },
  discount: {
    called: 'discount',
    value: record<Discount>(discountFields),
    holds: (kind): boolean => isPriced(kind) && !kind.source.givesPrice,
  },
  charges: {
    called: 'charges',
    value: listOf<DraftCharge>(chargeFields, 50, say('At most 50 charges')),
    holds: takesCharges,
  },
  /** Added to the total after tax, or taken off it: no part of the value of the supply. */
  adjustments: {
    called: 'adjustments',
    value: listOf<DraftAdjustment>(adjustmentFields, 50, say('At most 50 adjustments')),
    holds: takesAdjustments,
  },
  tdsSection: { called: 'section of tax deducted', value: text(40), named: 'tdsSection' },
  /** The certificate by which less is deducted, and from how much of the amount. */
  tdsLower: {
    called: 'certificate of a lower rate',
    value: internal<TdsLower>(),
    server: true,
    named: 'tdsSection',
  },
  tcsSection: { called: 'section of tax collected', value: text(40), named: 'tcsSection' },
  /** The challan that this document pays. */
  challan: { called: 'challan', value: internal<TaxChallan>(), server: true },
  /** It restates open balances abroad, or takes a restatement back. */
  restates: { called: 'restatement of open balances', value: internal<true>(), server: true },
  tenders: { called: 'payment on the spot', value: listOf<Tender>(tenderFields), holds: takesTenders },
  /** What is not paid on the spot and stays on the account of the customer. */
  onAccount: { called: 'part that stays on an account', value: 'money', holds: isOfTill },
  /** The session of the till whose money it moves; with a count, it closes the session. */
  till: { called: 'till', value: record<TillMark>(tillFields), holds: movesTill },
  /** Of receipts, payments, refunds and allocations. */
  amount: { called: 'amount', value: 'money', named: 'amount' },
  moneyLedger: { called: 'cash or bank ledger', value: idOf('ledger'), named: 'moneyLedger' },
  tdsAmount: { called: 'tax deducted', value: 'money', named: 'tdsAmount' },
  gstTdsAmount: { called: 'GST deducted', value: 'money', named: 'gstTdsAmount' },
  discountAmount: { called: 'discount on a payment', value: 'money', named: 'discountAmount' },
  bankCharges: { called: 'bank charges', value: 'money', named: 'bankCharges' },
  bankChargesGstRate: { called: 'GST on bank charges', value: 'percent', named: 'bankCharges' },
  writeOff: { called: 'amount written off', value: 'money', named: 'writeOff' },
  allocations: {
    called: 'open item that it settles',
    value: listOf<Allocation>(allocationFields),
    holds: settlesItems,
  },
  against: { called: 'document that it is against', value: idOf('document'), named: 'against', holds: namesAnother },
  /** Whether the kind carries out such an order is checked at this field, with a message of its own. */
  order: { called: 'order', value: idOf('document') },
  reason: { called: 'reason', value: text(200), named: 'reason', holds: hasReason },
  withoutTax: { called: 'way to be without GST', value: 'flag', named: 'withoutTax' },
  /** Goods go back without their share of the charges that were spread over the lines: the seller was paid for the carriage. */
  keepsCharges: { called: 'choice to keep charges', value: 'flag', named: 'keepsCharges' },
  advanceRate: { called: 'GST in an advance', value: 'percent', named: 'advanceRate' },
  /** The input credit of goods that are lost, destroyed or given away; left out, that of their last bills. */
  creditReversed: {
    called: 'input credit to reverse',
    value: record<CreditReversed>(creditReversedFields),
    named: 'creditReversed',
  },
  customs: { called: 'figures of customs', value: record<Customs>(customsFields), named: 'customs' },
  /** The number of somebody else's paper: lists show it and searches find it, on every kind. */
  reference: { called: 'reference', value: numberText(50), named: 'reference', holds: everyKind },
  referenceDate: { called: 'date of somebody else’s paper', value: 'day', named: 'referenceDate' },
  narration: { called: 'narration', value: text(2000), named: 'narration', holds: everyKind },
  /** They are printed, and copied from a quotation to what is made from it. */
  terms: { called: 'terms', value: text(4000), named: 'terms', holds: everyKind },
  costCentre: { called: 'cost centre', value: idOf('costCentre'), named: 'costCentre' },
  /** The further fields, by their names. Each has a row of its own below. */
  fields: { called: 'further field', value: namedTexts(2000) },
  /** The record of an additional field lists the kinds that it is for. */
  additional: { called: 'additional field', value: namedTexts(2000) },
  /** Reasons for the warnings that need one. */
  accepted: {
    called: 'reason for a warning',
    value: listOf<AcceptedWarning>(acceptedFields, 20, say('At most 20 reasons')),
  },
} as const satisfies Readonly<Record<string, HeldField>>;

/** Fields of the head that are shown, printed and reported, and that no price depends on: texts under their names in `fields`. */
export const furtherFields = {
  originalNumber: { called: 'number of an original', value: text(2000), named: 'originalNumber' },
  originalDate: { called: 'date of an original', value: 'day', named: 'originalDate' },
  creditReversal: { called: 'declaration of the recipient’s credit', value: text(2000), named: 'creditReversal' },
  instrument: { called: 'cheque or UTR number', value: text(2000), named: 'instrument' },
  port: { called: 'port', value: text(2000), named: 'port' },
  shippingBill: { called: 'shipping bill', value: text(2000), named: 'shippingBill' },
  shippingBillDate: { called: 'date of a shipping bill', value: 'day', named: 'shippingBill' },
  suppliedOn: { called: 'day of supply', value: 'day', named: 'suppliedOn' },
  paidOn: { called: 'day of payment', value: 'day', named: 'paidOn' },
  validUntil: { called: 'last day of an offer', value: 'day', named: 'validUntil' },
  expectedDate: { called: 'day that it is expected', value: 'day', named: 'expectedDate' },
  journalType: { called: 'type of journal', value: text(2000), named: 'journalType' },
  adjustmentReason: { called: 'reason of an adjustment', value: text(2000), named: 'adjustmentReason' },
  vatNumber: { called: 'VAT number', value: text(2000), named: 'vatNumber' },
  buyerVatNumber: { called: 'VAT number of the buyer', value: text(2000), named: 'buyerVatNumber' },
  ecommerceGstin: { called: 'e-commerce operator', value: text(2000), named: 'ecommerceGstin' },
  phone: { called: 'telephone number', value: text(2000), holds: isOfTill },
  change: { called: 'change given back', value: text(2000), holds: isOfTill },
  transporter: { called: 'transporter', value: text(2000), named: 'transport' },
  transporterId: { called: 'id of a transporter', value: text(2000), named: 'transport' },
  vehicle: { called: 'vehicle', value: text(2000), named: 'transport' },
  distance: { called: 'distance', value: text(2000), named: 'transport' },
  transportDocument: { called: 'transport document', value: text(2000), named: 'transport' },
} as const satisfies Readonly<Record<string, HeldField>>;

type NamesIn<F> = { [N in keyof F]: F[N] extends { readonly named: infer S } ? S : never }[keyof F];
/** The names that a kind may list in its `fields`. */
export type FieldName = NamesIn<typeof headFields> | NamesIn<typeof furtherFields>;

/** Whether documents of a kind have a field. */
export const holds = ({ named, holds: rule }: HeldField, kind: Kind, draft: Draft): boolean =>
  rule ? rule(kind, draft) : named === undefined || (kind.fields as readonly string[]).includes(named);
