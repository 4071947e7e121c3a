import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { paymentCalls } from '../../contract/payments.ts';
import type { Context } from '../context.ts';
import { keepGateway, type PaymentDesk, showGateway, testGateway } from './gateway.ts';
import { endLink, makeLink, paymentRows, paymentsOf } from './links.ts';
import { queue } from './receive.ts';

export { gatewayOf, keepGateway, type PaymentDesk, webhookOf } from './gateway.ts';
export { type Due, digestOf, dueOf } from './links.ts';
export { NoAnswer, type PaymentProvider, type Providers } from './provider.ts';
export { abandonedPayments, hear, receivePayment } from './receive.ts';
export { sandboxPayments } from './sandbox.ts';

/** The calls about the payment gateway. What it tells comes another way: see `hear`. */
export const paymentHandlers = (desk: PaymentDesk): Handlers<typeof paymentCalls, Context> => ({
  GetPaymentGateway: (_, context) => showGateway(desk, context),
  SavePaymentGateway: (input, context) => keepGateway(desk, input, context),
  TestPaymentGateway: (_, context) => testGateway(desk, context),
  GetPaymentsOfDocument: ({ id }, context) => paymentsOf(desk, id, context),
  MakePaymentLink: ({ id }, context) => makeLink(desk, id, context),
  EndPaymentLink: ({ id }, context) => endLink(id, context),
  ListPayments: (_, { organisation, inTransaction }) => inTransaction((trx) => paymentRows(trx, organisation)),
  BookPayment: ({ id }, { organisation, inTransaction }) =>
    inTransaction(async (trx) => {
      const { rows } = await sql<{
        state: string;
      }>`select state from payment_events where organisation = ${organisation} and id = ${id}::uuid and kind = 'paid' for update`.execute(
        trx,
      );
      if (!rows[0]) throw new Refusal('notFound');
      if (rows[0].state === 'booked') return { queued: false };
      await sql`update payment_events set state = 'waiting', trouble = '', version = version + 1 where organisation = ${organisation} and id = ${id}::uuid`.execute(
        trx,
      );
      await queue(trx, organisation, id);
      return { queued: true };
    }),
});
