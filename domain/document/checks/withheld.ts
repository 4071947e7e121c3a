import { rupeesText } from '../../base/decimal.ts';
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
