import { movesAdvances, takesTenders } from '../books/legs.ts';
import type { Draft, DraftLine, Problem } from './document.ts';
import { settlesOthers, takesAdjustments } from './kinds/index.ts';
import type { FieldName, Kind } from './kinds/kind.ts';

/**
 * What a document of a kind may hold, field by field. What its kind has no use for is a problem when it is posted: it would be
 * obeyed where nobody expects it, or ignored without a word.
 */
interface Row {
  /** As it is called in a message: "Cash sale has no due date". */
  readonly called: string;
  /** Whether documents of the kind hold it. */
  holds(kind: Kind, draft: Draft): boolean;
  /** Why kinds take it whose own row of fields does not name it. */
  readonly why?: string;
}

const always = (): boolean => true;
/** Every document has it. */
const every = (called: string): Row => ({ called, holds: always });
/** Taken by every kind, for the reason given. */
const taken = (called: string, why: string): Row => ({ called, holds: always, why });
/** Kinds whose row names one of these fields. */
const named = (called: string, ...fields: readonly FieldName[]): Row => ({
  called,
  holds: (kind) => fields.some((field) => kind.fields.includes(field)),
});
const only = (called: string, holds: Row['holds'], why?: string): Row => ({ called, holds, ...(why && { why }) });

/** Its lines have a price and tax. */
export const isPriced = ({ lines }: Kind): boolean => lines === 'items' || lines === 'expenses';
const isMoved = ({ stock }: Kind): boolean => stock === 'transferOut' || stock === 'transferIn';
/** Goods come or go with it: it names batches, serial numbers and rooms. */
export const movesGoods = ({ stock }: Kind): boolean => stock !== 'none' && stock !== 'reserve' && stock !== 'worth';
/** Names a document that it is made from, or takes back. */
const namesAnother = (kind: Kind): boolean =>
  kind.fields.includes('against') || kind.from.length > 0 || kind.undoes !== undefined || kind.takesBack !== undefined;
/** The address of a document goes along to what corrects it: the portal is sent it again. */
const hasAddress =
  (field: 'billTo' | 'shipTo') =>
  ({ fields, lines }: Kind): boolean =>
    fields.includes(field) || (lines === 'items' && fields.includes('against'));
const addressWhy = 'A return or note bears the address of what it corrects: the invoice portal is sent it again.';

const heads: Readonly<Record<keyof Draft, Row>> = {
  kind: every('kind'),
  id: every('id'),
  version: every('version'),
  date: every('date'),
  registration: every('registration'),
  location: every('location'),
  currency: taken('currency', 'Every document is in one; that of another country has a problem of its own.'),
  exchangeRate: taken('exchange rate', 'A rupee is one rupee: anything else has a problem of its own.'),
  exchangeSource: every('source of the exchange rate'),
  additional: taken('additional field', 'The record of an additional field lists the kinds it is for.'),
  accepted: every('reason for a warning'),
  narration: every('narration'),
  reference: taken(
    'reference',
    'The number of somebody else’s paper: lists show it and searches find it, on every kind.',
  ),
  terms: taken('terms', 'They are printed, and go along from a quotation to whatever becomes of it.'),
  order: taken('order', 'Whether a kind carries out such an order is checked at this field, with its own message.'),
  lines: only('lines', ({ lines }) => lines !== 'none'),
  dueDate: named('due date', 'dueDate'),
  toRegistration: only('registration that goods go to', isMoved),
  toLocation: only(
    'place that goods go to',
    (kind, { toLocation, location }) => isMoved(kind) || toLocation === location,
  ),
  party: only('customer or supplier', ({ party }) => party.side !== 'none'),
  partyName: named('name of a party that is not on record', 'partyName'),
  billTo: only('address of the buyer', hasAddress('billTo'), addressWhy),
  shipTo: only('address that goods are sent to', hasAddress('shipTo'), addressWhy),
  placeOfSupply: named('place of supply', 'placeOfSupply'),
  reverseCharge: named('reverse charge', 'reverseCharge'),
  withPayment: named('payment of tax on an export', 'withPayment'),
  taxInclusive: only(
    'rates that include tax',
    (kind) => isPriced(kind) && kind.tax !== 'none',
    'Whether rates include tax is copied from a document to what is made from it; the tax is the same either way.',
  ),
  discount: only('discount', (kind) => isPriced(kind) && !kind.pricedFromSource),
  charges: only(
    'charges',
    (kind) => isPriced(kind) && (kind.books.lineEffect !== 'none' || kind.life === 'ordered'),
    'What a return would give back more than was billed has a problem of its own.',
  ),
  adjustments: only('adjustments', takesAdjustments),
  tdsSection: named('section of tax deducted', 'tdsSection'),
  tdsLower: named('certificate of a lower rate', 'tdsSection'),
  tcsSection: named('section of tax collected', 'tcsSection'),
  challan: every('challan'),
  restates: every('restatement of open balances'),
  tenders: only('payment on the spot', takesTenders),
  onAccount: only('part that stays on an account', ({ till }) => till === true),
  till: only(
    'till',
    ({ till }, draft) => till === true || draft.till?.counted !== undefined || draft.till?.cash !== undefined,
  ),
  amount: named('amount', 'amount'),
  moneyLedger: named('cash or bank ledger', 'moneyLedger'),
  tdsAmount: named('tax deducted', 'tdsAmount'),
  gstTdsAmount: named('GST deducted', 'gstTdsAmount'),
  discountAmount: named('discount on a payment', 'discountAmount'),
  bankCharges: named('bank charges', 'bankCharges'),
  bankChargesGstRate: named('GST on bank charges', 'bankCharges'),
  writeOff: named('amount written off', 'writeOff'),
  allocations: only(
    'open item that it settles',
    // money in advance stands on a ledger of its own: an adjustment takes it to the account of the party
    (kind) => (settlesOthers(kind) ? !movesAdvances(kind) : kind.lines === 'none' || movesAdvances(kind)),
  ),
  against: only('document that it is against', namesAnother),
  reason: only(
    'reason',
    (kind, { till }) => kind.fields.includes('reason') || kind.undoes !== undefined || till?.cash !== undefined,
    'What comes back from the bank, and cash that leaves a till, says why.',
  ),
  withoutTax: named('way to be without GST', 'withoutTax'),
  advanceRate: named('GST in an advance', 'advanceRate'),
  customs: named('figures of customs', 'customs'),
  creditReversed: named('input credit to reverse', 'creditReversed'),
  referenceDate: named('date of somebody else’s paper', 'referenceDate'),
  costCentre: named('cost centre', 'costCentre'),
  fields: taken('further field', 'Each of them is looked at by itself.'),
};

const onBills = 'A line of an opening balance may represent a bill; another kind has a problem of its own.';
const lines: Readonly<Record<keyof DraftLine, Row>> = {
  description: every('description'),
  additional: taken('additional field', 'The record of an additional field lists the kinds it is for.'),
  source: taken('source', 'What a kind is made from is checked at this field, with its own message.'),
  costCentre: taken('cost centre', 'It is copied from an order to what is made from it.'),
  item: only('item', ({ lines: of }) => of === 'items' || of === 'stock'),
  ledger: only(
    'ledger',
    ({ lines: of, tax }) => of === 'expenses' || of === 'ledgers' || (of === 'items' && tax !== 'output'),
  ),
  party: only('party on a line', ({ lines: of }) => of === 'ledgers'),
  hsn: only('HSN', isPriced),
  unit: only('unit', ({ lines: of }) => of !== 'ledgers'),
  quantity: only('quantity', ({ lines: of }) => of !== 'ledgers'),
  freeQuantity: only('free quantity', ({ lines: of }) => of === 'items'),
  rate: only('rate', ({ lines: of }) => of !== 'ledgers'),
  discount: only('discount on a line', isPriced),
  gstRate: only('rate of GST', isPriced),
  treatment: only('treatment under GST', isPriced),
  cessRate: only('rate of cess', isPriced),
  cessPerUnit: only('cess by quantity', isPriced),
  retailPrice: only('retail price', (kind) => isPriced(kind) && (kind.tax !== 'input' || kind.lines === 'items')),
  creditBlocked: only('credit to block', (kind) => isPriced(kind) && kind.tax === 'input'),
  batches: only('batches', movesGoods),
  serials: only('serial numbers', movesGoods),
  room: only('stock room', movesGoods),
  debit: only('debit', ({ lines: of }) => of === 'ledgers'),
  credit: only('credit', ({ lines: of }) => of === 'ledgers'),
  foreign: only('amount in another currency', ({ lines: of }) => of === 'ledgers'),
  reference: only('bill on a line', ({ lines: of }) => of === 'ledgers', onBills),
  referenceDate: only('bill on a line', ({ lines: of }) => of === 'ledgers', onBills),
  dueDate: only('bill on a line', ({ lines: of }) => of === 'ledgers', onBills),
  delta: only('change of stock', ({ stock }) => stock === 'adjust'),
};

const transport = (called: string): Row => named(called, 'transport');
/** What is only shown and printed, by the names under which it stands in `fields`. */
const further: Readonly<Record<string, Row>> = {
  originalNumber: named('number of an original', 'originalNumber'),
  originalDate: named('date of an original', 'originalDate'),
  creditReversal: named('declaration of the recipient’s credit', 'creditReversal'),
  instrument: named('cheque or UTR number', 'instrument'),
  port: named('port', 'port'),
  shippingBill: named('shipping bill', 'shippingBill'),
  shippingBillDate: named('date of a shipping bill', 'shippingBill'),
  suppliedOn: named('day of supply', 'suppliedOn'),
  paidOn: named('day of payment', 'paidOn'),
  validUntil: named('last day of an offer', 'validUntil'),
  expectedDate: named('day that it is expected', 'expectedDate'),
  journalType: named('type of journal', 'journalType'),
  adjustmentReason: named('reason of an adjustment', 'adjustmentReason'),
  vatNumber: named('VAT number', 'vatNumber'),
  buyerVatNumber: named('VAT number of the buyer', 'buyerVatNumber'),
  ecommerceGstin: named('e-commerce operator', 'ecommerceGstin'),
  phone: only('telephone number', ({ till }) => till === true),
  change: only('change given back', ({ till }) => till === true),
  transporter: transport('transporter'),
  transporterId: transport('id of a transporter'),
  vehicle: transport('vehicle'),
  distance: transport('distance'),
  transportDocument: transport('transport document'),
};

/** Whether something is said: an empty text, nothing, no, and a list or record of such say nothing. */
function isSaid(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0) return false;
  if (typeof value === 'string') return value.trim() !== '';
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.values(value).some(isSaid);
}

type Plain = Readonly<Record<string, unknown>>;
const rowOf = (rows: Readonly<Record<string, Row>>, name: string): Row | undefined =>
  Object.hasOwn(rows, name) ? rows[name] : undefined;
const unheld = (rows: Readonly<Record<string, Row>>, given: Plain, kind: Kind, draft: Draft): string[] =>
  Object.keys(given).filter((name) => isSaid(given[name]) && rowOf(rows, name)?.holds(kind, draft) === false);
/** Of the further fields one that is in no row is held by no kind. */
const unheldFurther = (kind: Kind, draft: Draft): string[] =>
  Object.entries(draft.fields ?? {}).flatMap(([name, value]) =>
    isSaid(value) && !rowOf(further, name)?.holds(kind, draft) ? [name] : [],
  );

/** What a draft holds and its kind does not have, each at its field. */
export function heldProblems(kind: Kind, draft: Draft): Problem[] {
  const leaveOut = (called: string): string => `${kind.label} has no ${called}: leave it out`;
  const problems: Problem[] = unheld(heads, draft as unknown as Plain, kind, draft).map((field) => ({
    field,
    message: leaveOut(heads[field as keyof Draft].called),
  }));
  for (const name of unheldFurther(kind, draft))
    problems.push({ field: name, message: leaveOut(rowOf(further, name)?.called ?? `field called “${name}”`) });
  if (kind.lines === 'none') return problems;
  for (const [row, line] of draft.lines.entries())
    for (const name of unheld(lines, line as Plain, kind, draft))
      problems.push({ field: `lines.${name}`, row, message: leaveOut(lines[name as keyof DraftLine].called) });
  return problems;
}

const without = (given: Plain, names: readonly string[]): Plain =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));

/**
 * A draft, in whole numbers or as it goes over the wire, without what its kind does not have: what is continued as another kind,
 * copied, or kept from before leaves that behind.
 */
export function heldOf<D extends object>(kind: Kind, given: D): D {
  const draft = given as unknown as Draft;
  const kept = without(given as Plain, unheld(heads, given as Plain, kind, draft));
  const fields = draft.fields && without(draft.fields, unheldFurther(kind, draft));
  const own = draft.lines?.map((line) => without(line as Plain, unheld(lines, line as Plain, kind, draft)));
  return {
    ...kept,
    ...(fields && 'fields' in kept && { fields }),
    ...(draft.lines && { lines: kind.lines === 'none' ? [] : own }),
  } as D;
}
