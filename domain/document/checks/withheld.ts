import { rupeesText } from '../../base/decimal.ts';
import { sum } from '../../base/money.ts';
import { goodsAbove, goodsSection } from '../../tax/withheld.ts';
import { sourceIds } from '../sources.ts';
import type { PricedCheck, TypedCheck } from './check.ts';

/** Tax is deducted once: when an amount is credited or when it is paid, whichever is earlier. */
export const deductedAlready: TypedCheck = {
  code: 'deductedAlready',
  weight: 'reason',
  source:
    'Income-tax Act 1961 sections 194C to 194Q, Act of 2025 section 393: at credit or payment, whichever is earlier',
  find: ({ draft, facts: { booked } }) =>
    booked?.deducted?.length && (draft.tdsAmount ?? 0) > 0
      ? [
          {
            field: 'tdsAmount',
            message: `Tax was deducted already when ${booked.deducted.join(', ')} ${booked.deducted.length > 1 ? 'were' : 'was'} booked: leave it out here`,
          },
        ]
      : [],
};

/** Tax collected that the government has: what the buyer gets back of it is claimed by correcting the statement. */
export const collectedDeposited: PricedCheck = {
  code: 'collectedDeposited',
  weight: 'reason',
  source: 'Income-tax Act 1961 section 206C(3), Act of 2025 section 397(3): tax collected is paid to the government',
  find: ({ kind, draft, facts: { documents }, priced }) => {
    const paid =
      kind.tax === 'output' && priced.tcsBack ? sourceIds(draft).flatMap((id) => documents?.get(id) ?? []) : [];
    const numbers = paid
      .filter(({ id, tcsDeposited }) => tcsDeposited && priced.tcsBack?.[id])
      .map(({ number }) => number);
    if (numbers.length === 0) return [];
    return [
      {
        field: 'against',
        message: `The tax collected with ${numbers.join(', ')} is deposited already: ${rupeesText(priced.tcs)} that is given back has to be claimed by correcting the statement`,
      },
    ];
  },
};

/** Goods bought of one seller above the threshold of the year bear tax: without a section nothing is deducted. */
export const goodsAboveThreshold: PricedCheck = {
  code: 'goodsAboveThreshold',
  weight: 'warning',
  source:
    'Income-tax Act 1961 section 194Q, Act of 2025 section 393(1) Sl. 8(ii): goods above 50 lakh of one seller in a year',
  find: ({ kind, draft, facts, priced }) => {
    const goods = sum(priced.lines.filter(({ service }) => !service).map(({ value }) => value));
    const above = goodsAbove(kind, draft, facts, goods);
    return above > 0 && goodsSection
      ? [
          {
            field: 'tdsSection',
            message: `Goods bought of ${facts.party?.name ?? 'this supplier'} this year go above the threshold of section ${goodsSection.section} by ${rupeesText(above)} with this bill: choose the section to deduct the tax`,
          },
        ]
      : [];
  },
};
