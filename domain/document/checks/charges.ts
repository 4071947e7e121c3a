import { rupeesText } from '../../base/decimal.ts';
import { say } from '../../base/say.ts';
import { goesThroughBank } from '../../books/legs.ts';
import { chargesOf, moneyWorth } from '../../books/posting.ts';
import type { TypedCheck } from './check.ts';

/** What a bank takes for a payment is seldom as much as the payment; of a receipt it cannot be more (a problem of its own). */
export const chargesAbovePayment: TypedCheck = {
  code: 'chargesAbovePayment',
  weight: 'warning',
  source: 'bank charges beside a payment leave the bank too; more than the payment is most likely a mistake',
  find: ({ kind, draft }) => {
    const charges = chargesOf(draft);
    const paid = moneyWorth({ draft });
    return goesThroughBank(kind) && charges > paid
      ? [
          {
            field: 'bankCharges',
            ...say('The bank takes {{charges}}, more than the {{paid}} that are paid', {
              charges: rupeesText(charges),
              paid: rupeesText(paid),
            }),
          },
        ]
      : [];
  },
};
