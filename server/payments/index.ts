import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { paymentCalls } from '../../contract/payments.ts';
import type { Context } from '../context.ts';
import { nameableRows } from '../documents/index.ts';
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
  ListPayments: (_, context) =>
    context.inTransaction((trx) => paymentRows(trx, context.organisation, nameableRows(context))),
  BookPayment: ({ id }, context) =>
    context.inTransaction(async (trx) => {
      const { organisation } = context;
      const { rows } = await sql<{ state: string }>`
        select e.state
          from payment_events e
          join payment_links l on l.organisation = e.organisation and l.id = e.link
          join documents d on d.organisation = l.organisation and d.id = l.document
         where e.organisation = ${organisation}
           and e.id = ${id}::uuid
           and e.kind = 'paid'
           and ${nameableRows(context)}
           for update of e`.execute(trx);
      if (!rows[0]) throw new Refusal('notFound');
      if (rows[0].state === 'booked') return { queued: false };
      await sql`
        update payment_events
        set state = 'waiting', trouble = '', version = version + 1
        where organisation = ${organisation} and id = ${id}::uuid
      `.execute(trx);
      await queue(trx, organisation, id);
      return { queued: true };
    }),
});
