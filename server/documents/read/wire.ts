import type { z } from 'zod';
import type { DraftBody, pricedView } from '../../../contract/documents.ts';
import { moneyText, percentText, quantityText, rateText } from '../../../domain/base/decimal.ts';
import type { Paise } from '../../../domain/base/money.ts';
import type { Draft, DraftLine, Priced } from '../../../domain/document/document.ts';
import { discountFields, headFields, lineFields } from '../../../domain/document/fields.ts';
import { chargedOf } from '../../../domain/document/price.ts';
import type { SourceDocument, SourceLine } from '../../../domain/document/sources.ts';
import { textOf, type WireOf } from '../../../domain/document/values.ts';
import type { AdvanceAmounts, AdvanceFacts } from '../../../domain/tax/advances.ts';

type Text = Readonly<Record<string, unknown>>;

/** A line as it goes over the wire. */
export const lineText = (line: DraftLine): WireOf<DraftLine> => textOf(lineFields, line);

/**
 * A draft as it goes over the wire: decimals as text, without a rate of exchange that nobody named, and without the challan that a
 * journal pays, because a copy pays none.
 */
export const draftText = ({ challan: _, tdsLower, exchangeRate, ...draft }: Draft): DraftBody => {
  const { exchangeRate: rate, ...body } = textOf(headFields, { ...draft, exchangeRate });
  return {
    ...body,
    ...(exchangeRate !== 0 && { exchangeRate: rate }),
    ...(tdsLower && {
      tdsLower: { number: tdsLower.number, rate: percentText(tdsLower.rate), base: moneyText(tdsLower.base) },
    }),
  };
};

/** What came on top after tax, or off it. */
export const adjustedText = (adjustments: NonNullable<Priced['adjustments']>) =>
  adjustments.map(({ name, amount }) => ({ name, amount: moneyText(amount) }));

const chargedText = (charged: Paise | undefined) => (charged === undefined ? {} : { charged: moneyText(charged) });
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
  ...chargedText(chargedOf(p)),
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

const amountTexts = (amounts: SourceLine['left']): Text =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, moneyText(amount)]));

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
  left: amountTexts(s.left),
  ...(s.charges && {
    charges: {
      quantity: quantityText(s.charges.quantity),
      of: amountTexts(s.charges.of),
      kept: quantityText(s.charges.kept),
    },
  }),
  ...(s.claimed && { claimed: true }),
  ...(s.financial && { financial: { value: moneyText(s.financial.value), foreign: moneyText(s.financial.foreign) } }),
  rate: rateText(s.rate),
  ...(s.discount && { discount: textOf(discountFields, s.discount) }),
  hsn: s.hsn,
  unit: s.unit,
  cessRate: percentText(s.cessRate),
  cessPerUnit: moneyText(s.cessPerUnit),
  ...(s.item !== undefined && { item: s.item }),
  ...(s.ledger !== undefined && { ledger: s.ledger }),
  ...(s.charge !== undefined && { charge: s.charge }),
  ...(s.retailPrice !== undefined && { retailPrice: moneyText(s.retailPrice) }),
});
