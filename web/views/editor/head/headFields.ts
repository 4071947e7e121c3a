import type { GeneralConfiguration } from '../../../../contract/session.ts';
import { headFields as documentFields, furtherFields } from '../../../../domain/document/fields.ts';
import type { FieldName, Kind } from '../../../../domain/document/kinds/kind.ts';
import { noteReasons } from '../../../../domain/document/reasons.ts';
import type { Fields, PlainValue, RecordName, Value } from '../../../../domain/document/values.ts';
import { adjustmentReasons } from '../../../../domain/tax/credit-lost.ts';
import { creditReversals } from '../../../../domain/tax/gst/returns/credit-reversal.ts';

type Control =
  | 'day'
  | 'text'
  | 'notes'
  | 'flag'
  | 'money'
  | 'percent'
  | 'rate'
  | 'state'
  | 'currency'
  | 'ledger'
  | 'document'
  | 'address'
  | 'location'
  | 'choice'
  | 'ecommerceOperator'
  | 'customs'
  | 'creditReversed'
  | 'transport'
  | 'tds'
  | 'tcs'
  | 'costCentre';

/** How a field of the head is drawn. Left out, the control is that of the field's value (domain/document/fields.ts). */
interface DrawnField {
  readonly label: string;
  readonly control?: Control;
  readonly help?: string;
  readonly span?: 1 | 2 | 4;
  readonly choices?: readonly (readonly [value: string, label: string])[];
  /** The choices of a kind that has its own. */
  readonly ownChoices?: (kind: Kind) => readonly string[];
  /** Left out of the quick entry. */
  readonly full?: true;
  /** Seldom needed: stands under "More", which opens by itself when it holds something. */
  readonly more?: true;
  /** Asked only while this stands empty. */
  readonly instead?: 'party' | 'against';
  /** Asked for only where this is switched on, or where it holds something already. */
  readonly needs?: keyof GeneralConfiguration;
  /** Asked for only where there is one to choose, or where it holds one already. */
  readonly ofCostCentres?: true;
  /** Asked for only where GST concerns whoever issues or receives the document. */
  readonly ofGst?: true;
  /** Enter passes over it, for it is filled or seldom wanted; or only while the field named is empty. */
  readonly passed?: true | FieldName;
}

/** `path` is where the text of the field is in the head. */
export type HeadRow = DrawnField & { readonly control: Control; readonly path: string };

const drawn: Readonly<Record<FieldName, DrawnField>> = {
  dueDate: { label: 'Due date', passed: true },
  placeOfSupply: {
    label: 'Place of supply',
    ofGst: true,
    help: 'Empty: where the law puts it',
    full: true,
    more: true,
  },
  billTo: { label: 'Bill to', control: 'address', span: 4, full: true },
  shipTo: { label: 'Ship to', control: 'address', span: 4, full: true },
  reference: { label: 'Reference', full: true },
  referenceDate: { label: 'Reference date', passed: 'reference', full: true },
  against: { label: 'Against document', span: 2 },
  originalNumber: {
    label: 'Number of the original',
    help: 'Of an invoice from before these books',
    instead: 'against',
  },
  originalDate: {
    label: 'Date of the original',
    help: 'The rate of GST is that of this day',
    instead: 'against',
  },
  reason: {
    label: 'Reason',
    control: 'choice',
    choices: noteReasons.map((text) => [text, text] as const),
    ownChoices: (kind) => Object.keys(kind.gst.issued?.byReason ?? {}),
  },
  creditReversal: {
    label: 'Credit of the recipient',
    control: 'choice',
    ofGst: true,
    choices: creditReversals.map((text) => [text, text] as const),
    help: 'A note with GST reduces tax once a registered recipient has reversed the credit (section 34(2))',
    full: true,
  },
  reverseCharge: {
    label: 'Reverse charge',
    ofGst: true,
    help: 'The recipient pays the tax',
    full: true,
    more: true,
  },
  withPayment: {
    label: 'With payment of tax',
    ofGst: true,
    help: 'Otherwise under bond or LUT',
    full: true,
    more: true,
  },
  taxInclusive: { label: 'Rates include tax', ofGst: true, full: true, more: true },
  currency: { label: 'Currency', full: true, more: true },
  exchangeRate: { label: 'Exchange rate', help: 'Rupees for one' },
  moneyLedger: { label: 'Bank or cash', span: 2 },
  amount: { label: 'Amount' },
  tdsSection: { label: 'TDS section', control: 'tds', needs: 'tdsadjustments', full: true, more: true },
  tdsAmount: {
    label: 'TDS amount',
    needs: 'tdsadjustments',
    help: 'Empty: by the rate of the section',
    full: true,
    more: true,
  },
  gstTdsAmount: {
    label: 'GST TDS (section 51)',
    ofGst: true,
    needs: 'tdsadjustments',
    full: true,
    more: true,
  },
  tcsSection: { label: 'TCS section', control: 'tcs', full: true, more: true },
  discountAmount: { label: 'Discount', full: true, more: true },
  bankCharges: { label: 'Bank charges', full: true, more: true },
  writeOff: { label: 'Written off', full: true, more: true },
  instrument: { label: 'Instrument', help: 'Cheque or UTR number' },
  advanceRate: {
    label: 'GST % in the advance',
    ofGst: true,
    help: 'Services only: an advance for goods is not taxed',
  },
  toLocation: { label: 'To location', span: 2 },
  customs: { label: 'Customs', control: 'customs', span: 4 },
  port: { label: 'Port code' },
  shippingBill: { label: 'Shipping bill' },
  suppliedOn: {
    label: 'Supplied on',
    ofGst: true,
    help: 'Where a rate changed between supply, invoice and payment. Empty: on the date of the invoice, or of its delivery challan',
    full: true,
    more: true,
  },
  paidOn: {
    label: 'Paid on',
    ofGst: true,
    help:
      'Where a rate changed: the earlier of entry in the books and credit by the bank; the credit, when it is more ' +
      'than four working days after the change',
    full: true,
    more: true,
  },
  validUntil: { label: 'Valid until' },
  expectedDate: { label: 'Expected on' },
  ecommerceGstin: {
    label: 'E-commerce operator',
    control: 'ecommerceOperator',
    needs: 'ecommerce',
    help: 'Who the sale went through: a party on record, or a GSTIN',
    full: true,
    more: true,
  },
  transport: { label: 'Transport', control: 'transport', span: 4, full: true },
  journalType: {
    label: 'Journal type',
    control: 'choice',
    choices: [
      ['general', 'General'],
      ['adjustment', 'Adjustment'],
      ['depreciation', 'Depreciation'],
      ['accrual', 'Accrual'],
      ['badDebt', 'Bad debt'],
      ['itcReversal', 'ITC reversal'],
      ['itcReclaim', 'ITC reclaim'],
      ['gstPayment', 'GST payment'],
      ['taxWithheld', 'Payment of TDS or TCS'],
      ['closing', 'Closing'],
      ['exchange', 'Exchange restatement'],
    ],
  },
  adjustmentReason: {
    label: 'Reason',
    control: 'choice',
    choices: adjustmentReasons.map(({ value, label }) => [value, label] as const),
  },
  creditReversed: { label: 'Input credit reversed', control: 'creditReversed', span: 4 },
  partyName: { label: 'Name, if not on record', span: 2, instead: 'party' },
  vatNumber: {
    label: 'Our VAT number in Saudi Arabia',
    help: 'With it VAT is charged to a buyer there',
    full: true,
    more: true,
  },
  buyerVatNumber: {
    label: 'VAT number of the buyer',
    full: true,
    more: true,
    passed: 'vatNumber',
  },
  terms: { label: 'Terms and conditions', control: 'notes', passed: true, span: 2, full: true },
  narration: { label: 'Narration', control: 'notes', span: 2, full: true },
  costCentre: {
    label: 'Cost centre',
    ofCostCentres: true,
    help: 'For every line without its own',
    full: true,
    more: true,
  },
  keepsCharges: {
    label: 'Freight is not given back',
    help: 'Goods go back without their share of the charges before tax',
    full: true,
    more: true,
  },
  withoutTax: { label: 'Without GST (financial note)', ofGst: true, full: true, more: true },
};

/** The controls of values; a value without a row is text. */
const plainControls: Readonly<Partial<Record<PlainValue, Control>>> = {
  day: 'day',
  flag: 'flag',
  money: 'money',
  percent: 'percent',
  exchangeRate: 'rate',
  state: 'state',
  currency: 'currency',
};
const recordControls: Readonly<Partial<Record<RecordName, Control>>> = {
  ledger: 'ledger',
  document: 'document',
  location: 'location',
  costCentre: 'costCentre',
};
const controlOf = (value: Value): Control =>
  (typeof value === 'string' ? plainControls[value] : value.is === 'id' ? recordControls[value.of] : undefined) ??
  'text';

const rowOf = (name: FieldName, row: DrawnField): HeadRow => {
  const isFurther = Object.hasOwn(furtherFields, name);
  const fields: Fields = isFurther ? furtherFields : documentFields;
  const value = fields[name]?.value ?? 'word';
  return { ...row, control: row.control ?? controlOf(value), path: isFurther ? `fields.${name}` : name };
};
export const headFields = Object.fromEntries(
  Object.entries(drawn).map(([name, row]) => [name, rowOf(name as FieldName, row)]),
) as Readonly<Record<FieldName, HeadRow>>;

/** The texts of a kind's fields that are asked for only while another stands empty, emptied: it has been filled. */
export const emptiedBeside = (kind: Kind, filled: NonNullable<HeadRow['instead']>): Readonly<Record<string, ''>> =>
  Object.fromEntries(
    kind.fields
      .filter((name) => headFields[name].instead === filled)
      .map((name) => [headFields[name].path, '' as const]),
  );

const abroad: ReadonlySet<FieldName> = new Set(['currency', 'vatNumber', 'buyerVatNumber']);
/**
 * Whether a field of the kind stands under "More". Trade abroad is in another currency and under other tax as a rule,
 * what corrects or settles takes its source's.
 */
export const isMore = (kind: Kind, name: FieldName): boolean =>
  headFields[name].more === true &&
  !(abroad.has(name) && kind.lines.of === 'items' && !kind.fields.includes('against'));

/** Fields that stand below the lines, not in the head. */
export const footFields: ReadonlySet<FieldName> = new Set(['terms', 'narration']);
/** Groups of fields that fold away until they hold something. */
export const foldedFields: ReadonlySet<FieldName> = new Set(['billTo', 'shipTo', 'transport']);

export const addressParts = [
  ['name', 'Name'],
  ['line1', 'Address line 1'],
  ['line2', 'Address line 2'],
  ['city', 'City'],
  ['state', 'State'],
  ['pincode', 'PIN code'],
  ['gstin', 'GSTIN'],
] as const;
export const customsParts = [
  ['assessable', 'Assessable value (₹)'],
  ['basic', 'Basic customs duty (₹)'],
  ['surcharge', 'Social welfare surcharge (₹)'],
  ['igst', 'IGST (₹)'],
] as const;
export const creditParts = [
  ['cgst', 'CGST reversed (₹)'],
  ['sgst', 'SGST reversed (₹)'],
  ['igst', 'IGST reversed (₹)'],
  ['cess', 'Cess reversed (₹)'],
] as const;
export const transportParts = [
  ['transporter', 'Transporter'],
  ['transporterId', 'Transporter id'],
  ['vehicle', 'Vehicle number'],
  ['distance', 'Distance (km)'],
  ['transportDocument', 'LR number'],
] as const;
