import type { z } from 'zod';
import type { DraftBody, pricedView } from '../../../contract/documents.ts';
import { moneyText, percentText, quantityText, rateText } from '../../../domain/base/decimal.ts';
import { sum } from '../../../domain/base/money.ts';
import type { Discount, Draft, DraftLine, Priced } from '../../../domain/document/document.ts';
import type { SourceDocument, SourceLine } from '../../../domain/document/sources.ts';
import type { AdvanceAmounts, AdvanceFacts } from '../../../domain/tax/advances.ts';

type Text = Readonly<Record<string, unknown>>;

const texts: Readonly<Record<string, (n: number) => string>> = {
  quantity: quantityText,
  freeQuantity: quantityText,
  delta: quantityText,
  rate: rateText,
  gstRate: percentText,
  cessRate: percentText,
  cessPerUnit: moneyText,
  retailPrice: moneyText,
  debit: moneyText,
  credit: moneyText,
  foreign: moneyText,
  exchangeRate: rateText,
  amount: moneyText,
  tdsAmount: moneyText,
  gstTdsAmount: moneyText,
  discountAmount: moneyText,
  bankCharges: moneyText,
  bankChargesGstRate: percentText,
  writeOff: moneyText,
  advanceRate: percentText,
  onAccount: moneyText,
};
const written = (values: object): Text =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === 'number' && texts[key] ? texts[key](value) : value,
    ]),
  );
const discountText = (d: Discount): Text => ({
  ...(d.percent !== undefined && { percent: percentText(d.percent) }),
  ...(d.amount !== undefined && { amount: moneyText(d.amount) }),
});

/** A line as it goes over the wire. */
export const lineText = ({ discount, batches, ...line }: DraftLine): Text => ({
  ...written(line),
  ...(discount && { discount: discountText(discount) }),
  ...(batches && { batches: batches.map(written) }),
});

/** The summary under the lines, as it goes over the wire. */
export const sumsText = ({
  discount,
  charges,
  adjustments,
  tenders,
}: { readonly [K in 'discount' | 'charges' | 'adjustments' | 'tenders']: Draft[K] | undefined }): Text => ({
  ...(discount && { discount: discountText(discount) }),
  ...(charges && { charges: charges.map(written) }),
  ...(adjustments && { adjustments: adjustments.map(written) }),
  ...(tenders && { tenders: tenders.map(written) }),
});

const customsText = ({ currency, rate, covers, ...amounts }: NonNullable<Draft['customs']>): Text => ({
  ...Object.fromEntries(Object.entries(amounts).map(([key, n]) => [key, moneyText(n)])),
  ...(currency !== undefined && { currency }),
  ...(rate !== undefined && { rate: rateText(rate) }),
  ...(covers && { covers: Object.fromEntries(Object.entries(covers).map(([line, n]) => [line, quantityText(n)])) }),
});
/** What came on top after tax, or off it. */
export const adjustedText = (adjustments: NonNullable<Priced['adjustments']>) =>
  adjustments.map(({ name, amount }) => ({ name, amount: moneyText(amount) }));

/** A draft in whole numbers as it goes over the wire: decimals as text, a rate of exchange that nobody named left out. A challan has calls of its own: copied, its journal pays none. */
export const draftText = ({
  lines,
  discount,
  charges,
  adjustments,
  tenders,
  allocations,
  customs,
  creditReversed,
  tdsLower,
  challan: _,
  exchangeRate,
  ...head
}: Draft): DraftBody =>
  ({
    ...written({ ...head, ...(exchangeRate !== 0 && { exchangeRate }) }),
    lines: lines.map(lineText),
    ...sumsText({ discount, charges, adjustments, tenders }),
    ...(allocations && { allocations: allocations.map(written) }),
    ...(tdsLower && {
      tdsLower: { number: tdsLower.number, rate: percentText(tdsLower.rate), base: moneyText(tdsLower.base) },
    }),
    ...(customs && { customs: customsText(customs) }),
    ...(creditReversed && {
      creditReversed: Object.fromEntries(
        Object.entries(creditReversed).map(([head, amount]) => [head, moneyText(amount)]),
      ),
    }),
  }) as unknown as DraftBody;

export const vatText = ({ rate, amount, foreign }: NonNullable<Priced['vat']>) => ({
  rate: percentText(rate),
  amount: moneyText(amount),
  foreign: moneyText(foreign),
});

export const pricedText = (p: Priced): z.input<typeof pricedView> => ({
  supply: p.supply,
  supplyType: p.supplyType,
  taxable: moneyText(p.taxable),
  cgst: moneyText(p.cgst),
  sgst: moneyText(p.sgst),
  igst: moneyText(p.igst),
  cess: moneyText(p.cess),
  tcs: moneyText(p.tcs),
  tds: moneyText(p.tds),
  roundOff: moneyText(p.roundOff),
  total: moneyText(p.total),
  payable: moneyText(p.payable),
  foreignTotal: moneyText(p.foreignTotal),
  discount: moneyText(p.discount),
  chargeTotal: moneyText(p.chargeTotal),
  gross: moneyText(p.gross),
  ...(p.atCost && { atCost: p.atCost }),
  ...(p.lines.some((l) => l.retailPrice !== undefined) && { charged: moneyText(sum(p.lines.map((l) => l.value))) }),
  ...(p.vat && { vat: vatText(p.vat) }),
  ...(p.adjustments && { adjustments: adjustedText(p.adjustments) }),
  lines: p.lines.map((l) => ({
    number: l.number,
    taxable: moneyText(l.taxable),
    value: moneyText(l.value),
    cgst: moneyText(l.cgst),
    sgst: moneyText(l.sgst),
    igst: moneyText(l.igst),
    cess: moneyText(l.cess),
    total: moneyText(l.total),
  })),
});

/** An advance as it was taxed and what is left of it, decimals as text. */
export const advanceText = ({ rate, whole, left, ...advance }: AdvanceFacts): Text => ({
  ...advance,
  rate: percentText(rate),
  whole: amountsText(whole),
  left: amountsText(left),
});
const amountsText = (amounts: AdvanceAmounts): Text =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, moneyText(amount)]));
/** A document that lines come from or that is named beside them, as far as a draft has to agree with it. */
export const sourceDocumentText = ({
  id,
  kind,
  number,
  date,
  party,
  partyThen,
  registration,
  location,
  toLocation,
  placeOfSupply,
  currency,
  exchangeRate,
  supply,
  supplyType,
  taxCharged,
  withoutTax = false,
  reverseCharge,
  withPayment,
  leftRoundOff,
  leftAdjustments,
  leftTcs,
  tcsDeposited = false,
}: SourceDocument): Text => ({
  id,
  kind,
  number,
  date,
  party,
  partyThen,
  registration,
  location,
  toLocation,
  placeOfSupply,
  currency,
  exchangeRate: rateText(exchangeRate),
  supply,
  supplyType,
  taxCharged,
  withoutTax,
  reverseCharge,
  withPayment,
  leftRoundOff: moneyText(leftRoundOff),
  leftAdjustments: moneyText(leftAdjustments),
  leftTcs: moneyText(leftTcs),
  tcsDeposited,
});

/** A source line and what is left of it, decimals as text. */
export const sourceText = (s: SourceLine): Text => ({
  document: s.document,
  line: s.line,
  treatment: s.treatment,
  gstRate: percentText(s.gstRate),
  quantity: quantityText(s.quantity),
  leftQuantity: quantityText(s.leftQuantity),
  leftFree: quantityText(s.leftFree),
  leftBase: quantityText(s.leftBase),
  taxable: moneyText(s.taxable),
  leftTaxable: moneyText(s.left.taxable),
  left: Object.fromEntries(Object.entries(s.left).map(([name, amount]) => [name, moneyText(amount)])),
  ...(s.claimed && { claimed: true }),
  ...(s.financial && { financial: { value: moneyText(s.financial.value), foreign: moneyText(s.financial.foreign) } }),
  rate: rateText(s.rate),
  ...(s.discount && { discount: discountText(s.discount) }),
  hsn: s.hsn,
  unit: s.unit,
  cessRate: percentText(s.cessRate),
  cessPerUnit: moneyText(s.cessPerUnit),
  ...(s.item !== undefined && { item: s.item }),
  ...(s.ledger !== undefined && { ledger: s.ledger }),
  ...(s.retailPrice !== undefined && { retailPrice: moneyText(s.retailPrice) }),
});
