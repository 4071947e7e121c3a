import { addDays, dayInWords } from '../../base/dates.ts';
import { rupeesText } from '../../base/decimal.ts';
import { say } from '../../base/say.ts';
import { moneySettled } from '../../books/posting.ts';
import { consumesCredits, isForSupplier, saysOfMoney } from '../kinds/index.ts';
import { sourceIds } from '../sources.ts';
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

/** What was bought posts the tax and stands in the returns; a self-invoice alone would state tax that nobody pays. */
export const selfInvoiceWithoutSource: TypedCheck = {
  code: 'selfInvoiceWithoutSource',
  weight: 'problem',
  source: 'CGST Act section 31(3)(f): an invoice for goods or services received under reverse charge',
  find: ({ kind, draft }) =>
    isForSupplier(kind) && sourceIds(draft).length === 0
      ? [
          {
            field: 'against',
            ...say('Choose the bill, expense or overseas purchase under reverse charge that the self-invoice is for'),
          },
        ]
      : [],
};

/** From this day on a self-invoice has a time (notification 20/2024-CT). */
const TIMED_FROM = '2024-11-01';
const DAYS = 30;

/** Written late it is written all the same: the tax on a service is due with it (section 13(3)(b)), and interest from its time on. */
export const selfInvoiceLate: TypedCheck = {
  code: 'selfInvoiceLate',
  weight: 'warning',
  source: 'CGST Act section 31(3)(f); CGST rule 47A',
  find: ({ kind, draft, facts: { documents } }) => {
    if (!isForSupplier(kind)) return [];
    const received = sourceIds(draft).flatMap((id) => documents?.get(id)?.date ?? []);
    const [first] = received.filter((day) => day >= TIMED_FROM && draft.date > addDays(day, DAYS)).sort();
    if (first === undefined) return [];
    const until = dayInWords(addDays(first, DAYS));
    return [
      {
        field: 'date',
        ...say('A self-invoice is written within 30 days of the receipt (rule 47A), here by {{until}}', { until }),
      },
    ];
  },
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
    const message = say('No credit is chosen for {{more}}: choose the credits that are refunded', {
      more: rupeesText(more as never),
    });
    return [{ field: 'allocations', ...message }];
  },
};
