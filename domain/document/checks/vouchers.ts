import { rupeesText } from '../../base/decimal.ts';
import { say } from '../../base/say.ts';
import { moneySettled } from '../../books/posting.ts';
import { consumesCredits, isForSupplier, saysOfMoney } from '../kinds/index.ts';
import type { TypedCheck } from './check.ts';

/** Who is registered writes the invoice, also where the tax is ours to pay. */
export const supplierWrites: TypedCheck = {
  code: 'supplierWrites',
  weight: 'problem',
  source: 'CGST Act section 31(3)(f)',
  find: ({ kind, facts: { party } }) =>
    isForSupplier(kind) && party?.gstin
      ? [
          {
            field: 'party',
            ...say(
              '{{party}} is registered and writes the invoice: a {{kind}} is for supplies from unregistered suppliers',
              { party: party.name, kind: kind.label.toLowerCase() },
            ),
          },
        ]
      : [],
};

/** What several vouchers say of one payment is at most that payment; the server knows what the others say. */
export const voucherWithinPayment: TypedCheck = {
  code: 'voucherWithinPayment',
  weight: 'problem',
  source: 'CGST Act section 31(3)(g)',
  find: ({ kind, draft, facts: { booked } }) => {
    const left = booked?.leftOfMoney;
    if (!saysOfMoney(kind) || left === undefined || moneySettled({ draft }) <= left) return [];
    const message =
      left > 0
        ? say('Of this payment {{left}} is left', { left: rupeesText(left) })
        : say('Other vouchers say all of this payment');
    return [{ field: 'amount', ...message }];
  },
};

/** Money goes back to whom it belongs: a credit says that it does, else somebody says why it is paid. */
export const refundWithoutCredit: TypedCheck = {
  code: 'refundWithoutCredit',
  weight: 'reason',
  source: 'The account of the customer is in debit for what is paid back without a credit',
  find: ({ kind, draft }) => {
    if (!consumesCredits(kind) || kind.fields.includes('against')) return [];
    const named = (draft.allocations ?? []).reduce((total, { amount }) => total + amount, 0);
    const more = moneySettled({ draft }) - named;
    if (more <= 0) return [];
    const message = say('No credit is chosen for {{more}}: choose what is given back', {
      more: rupeesText(more as never),
    });
    return [{ field: 'allocations', ...message }];
  },
};
