import { HUNDRED_PERCENT, percent, percentText, rupeesText } from '../../base/decimal.ts';
import { paise, scale, sum } from '../../base/money.ts';
import { type Said, say } from '../../base/say.ts';
import type { Effect } from '../../books/effects.ts';
import { hasGst, isRegular } from '../../tax/gst/registration/registered.ts';
import type { Id } from '../document.ts';
import { takesBack } from '../kinds/index.ts';
import type { Facts } from '../resolve.ts';
import type { Finding, PricedCheck, TypedCheck } from './check.ts';

/** Ledgers that the product posts to by itself: what they show has a cause of its own. */
const ownPostings: readonly Effect[] = [
  ...(['roundOff', 'cashDifference', 'fxGain', 'fxLoss', 'cogs', 'stockAdjustment'] as const),
  ...(['openingDifference', 'retainedEarnings', 'statutoryInterest', 'customsDuty'] as const),
];
/** Ledgers of what is bought, which bills and their notes fill. */
const bought: readonly Effect[] = [
  'purchase',
  'purchaseImport',
  'purchaseExempt',
  'purchaseReturn',
  'purchaseDiscount',
];
/** Ledgers of what is sold, which invoices and their notes fill. */
export const sold: readonly Effect[] = [
  ...(['salesGoods', 'salesExempt', 'salesExport', 'salesSez', 'salesRetail', 'salesService'] as const),
  ...(['salesServiceExport', 'salesScrap', 'salesReturn'] as const),
];
/** Ledgers of discounts: what is taken off after tax goes to them. */
const discounts: readonly Effect[] = ['salesDiscount', 'commercialDiscount', 'discountAllowed'];

const isOf = ({ ledgers }: Pick<Facts, 'ledgers'>, ledger: Id, effects: readonly Effect[]): boolean =>
  effects.some((effect) => ledgers?.[effect] === ledger);

/**
 * What comes after tax is no income of the sale, no capital and nothing that the product posts by itself. What a return or a
 * note gives back keeps the ledger that it was booked on.
 */
export const adjustmentLedgers: TypedCheck = {
  code: 'adjustmentLedger',
  weight: 'problem',
  source: 'CGST Act section 15(2): what is charged for a supply is in its value',
  find: ({ kind, draft: { adjustments = [] }, facts }) => {
    if (kind.source.givesPrice) return [];
    const isTaxedSale = kind.gst.tax === 'output' && !takesBack(kind) && hasGst(facts.own.kind);
    const other = kind.gst.tax === 'output' ? bought : sold;
    const wrong = (ledger: Id, sign: 'add' | 'less'): Said | undefined => {
      const nature = facts.natures?.get(ledger);
      if (nature === 'equity') return say('This ledger is equity: choose another');
      // a supplier's total is entered as it was rounded
      const isRounding = kind.gst.tax === 'input' && isOf(facts, ledger, ['roundOff']);
      if (!isRounding && isOf(facts, ledger, ownPostings))
        return say('The product keeps this ledger by itself: choose another');
      if (isOf(facts, ledger, other))
        return kind.gst.tax === 'output'
          ? say('This ledger is for purchases: choose another')
          : say('This ledger is for sales: choose another');
      const isIncome = nature === 'income' || isOf(facts, ledger, [...sold, 'charges']);
      if (!isTaxedSale || !isIncome) return undefined;
      if (sign === 'add')
        return say(
          'This is an income ledger, and a charge for a supply is part of its taxable value (section 15(2) of the CGST Act): enter a ' +
            'charge with its GST rate',
        );
      return isOf(facts, ledger, discounts)
        ? undefined
        : say('This ledger is income: enter a discount, or a credit note, or choose a ledger of discounts');
    };
    return adjustments.flatMap(({ ledger, sign }, row): Finding[] => {
      const message = ledger === undefined ? undefined : wrong(ledger, sign);
      return message === undefined ? [] : [{ field: 'adjustments.ledger', row, ...message }];
    });
  },
};

/** So much of a document is taken off, or added, after tax without a question. */
const MOST_OFF = percent(100_000);

/** Tax credit is taken of the whole bill, and is kept only where the whole bill is paid within 180 days. */
export const adjustedBill: PricedCheck = {
  code: 'adjustedBill',
  weight: 'reason',
  source: 'CGST Act section 16(2), second proviso: credit of what is not paid is reversed',
  find: ({ kind, facts, pricing, priced }) => {
    const { adjustments = [], total, cgst, sgst, igst, cess } = priced;
    if (kind.gst.tax !== 'input' || takesBack(kind) || kind.life.cycle === 'ordered') return [];
    // without tax of the supplier there is no credit to reverse
    if (sum([cgst, sgst, igst, cess]) === 0 || pricing.reverseCharge || !isRegular(facts.own.kind)) return [];
    const added: number = sum(adjustments.map(({ amount }) => amount));
    const whole = paise(total - added);
    if (-added <= scale(whole, MOST_OFF, HUNDRED_PERCENT)) return [];
    const row = adjustments.findIndex(({ amount }) => amount < 0);
    const message = say(
      '{{added}} of {{whole}} is taken off after tax, more than {{mostOff}} %, and the tax credit stays whole: say why, or enter the ' +
        'supplier’s credit note',
      { added: rupeesText(paise(-added)), whole: rupeesText(whole), mostOff: percentText(MOST_OFF) },
    );
    return [{ field: 'adjustments.amount', row, ...message }];
  },
};

/** What is charged beside a supply is part of its value, unless it was paid for the buyer: little of it is a rounding or a deposit. */
export const addedAfterTax: PricedCheck = {
  code: 'addedAfterTax',
  weight: 'reason',
  source: 'CGST Act section 15(2)(b) and (c); CGST rule 33: expenses of a pure agent are left out',
  find: ({ kind, facts, priced }) => {
    const { adjustments = [], total } = priced;
    if (kind.gst.tax !== 'output' || takesBack(kind) || kind.life.cycle === 'ordered' || kind.source.givesPrice)
      return [];
    if (!hasGst(facts.own.kind)) return [];
    const added = sum(adjustments.map(({ amount }) => (amount > 0 ? amount : paise(0))));
    const whole = paise(total - sum(adjustments.map(({ amount }) => amount)));
    if (added <= scale(whole, MOST_OFF, HUNDRED_PERCENT)) return [];
    const row = adjustments.findIndex(({ amount }) => amount > 0);
    const message = say(
      '{{added}} is added after tax, more than {{mostOff}} % of {{whole}}: what is charged with a supply is part of its value (section ' +
        '15(2)). Enter a charge with its GST rate, or say what was paid for the buyer (rule 33)',
      { added: rupeesText(added), whole: rupeesText(whole), mostOff: percentText(MOST_OFF) },
    );
    return [{ field: 'adjustments.amount', row, ...message }];
  },
};
