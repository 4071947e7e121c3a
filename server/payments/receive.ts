import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { todayIn } from '../../domain/base/dates.ts';
import { millionths, ONE, rupeesText } from '../../domain/base/decimal.ts';
import { paise } from '../../domain/base/money.ts';
import { type Said, say } from '../../domain/base/say.ts';
import { lockMet } from '../../domain/books/registers.ts';
import type { Draft, Id } from '../../domain/document/document.ts';
import { kindFor } from '../../domain/document/kinds/index.ts';
import { unlimited } from '../access/index.ts';
import { locksIn, type Poster, preparePosting } from '../documents/index.ts';
import type { Books } from '../kit/database/sql.ts';
import { newId } from '../kit/ids.ts';
import { notify } from '../kit/notify.ts';
import { Problems } from '../kit/problems.ts';
import { type Gateway, gatewayOf, type PaymentDesk } from './gateway.ts';
import { type Due, dueOf } from './links.ts';
import type { Heard, PaymentEvent } from './provider.ts';

export interface ReceivePayload {
  readonly organisation: number;
  readonly event: Id;
}

/** What a request of the gateway is answered with: `unknown` says nothing of whose it might be. */
export type HeardAs = 'taken' | 'unknown';

/**
 * Takes an event from the gateway of an organisation, once however often it is sent. Nothing is believed that its key has not
 * signed a moment ago. The receipt is made by a job of the same transaction,
 * unless the organisation books what comes by itself.
 */
export async function hear(desk: PaymentDesk, code: string, heard: Omit<Heard, 'now'>): Promise<HeardAs> {
  const organisation = (
    await desk.books.pool.query<{ organisation: number | null }>('select gateway_at($1) as organisation', [
      code.slice(0, 60),
    ])
  ).rows[0]?.organisation;
  if (!organisation) return 'unknown';
  const answer = await desk.books.inTransaction({ organisation, user: '' }, async (trx): Promise<HeardAs> => {
    const gateway = await gatewayOf(desk, trx, organisation);
    const event = gateway?.provider.read(gateway.keys, { ...heard, now: desk.now() });
    if (!gateway || !event) return 'unknown';
    await sql`
      update payment_gateways
      set last_heard = to_timestamp(${desk.now()}::float8 / 1000)
      where organisation = ${organisation}
    `.execute(trx);
    const link = await sql<{
      made_by: Id;
    }>`select made_by from payment_links where organisation = ${organisation} and id = ${event.reference}::uuid`.execute(
      trx,
    );
    // a payment of something else that the organisation sells through the same gateway
    if (!link.rows[0]) return 'taken';
    const id = newId();
    const kept = await sql`
      insert into payment_events (
        organisation, id, event, kind, link, payment, amount, fee, method, reason, happened_at, state
      )
      values (
        ${organisation}, ${id}, ${event.event}, ${event.kind}, ${event.reference}::uuid, ${event.payment},
        ${event.amount}, ${event.fee}, ${event.method}, ${event.reason},
        to_timestamp(${event.at}::float8 / 1000), ${stateOf(event, gateway)}
      )
      on conflict do nothing
      returning id
    `.execute(trx);
    if (kept.rows.length > 0 && event.kind === 'paid')
      await (gateway.autoReceipt
        ? queue(trx, organisation, id)
        : notifyOfHeld(trx, organisation, link.rows[0].made_by, event));
    return 'taken';
  });
  if (answer === 'taken') desk.changed(organisation);
  return answer;
}
const stateOf = ({ kind }: PaymentEvent, { autoReceipt }: Gateway) =>
  kind === 'failed' ? 'noted' : autoReceipt ? 'waiting' : 'held';

/** Nothing is booked by itself: whoever made the link is notified that money has come. */
const notifyOfHeld = (trx: Trx, organisation: number, madeBy: Id, { reference, amount }: PaymentEvent) =>
  sql`
    insert into notifications (organisation, id, "user", message, text, link)
    select
      ${organisation}, ${newId()}, ${madeBy},
      ${rupeesText(amount)} || ' came in for ' || d.number || ': it waits to be booked',
      jsonb_build_object(
        'key', ${say('{{amount}} came in for {{number}}: it waits to be booked').text.key}::text,
        'values', jsonb_build_object('amount', ${rupeesText(amount)}::text, 'number', d.number)
      ),
      '/layout/General%20Configuration?tab=payments'
    from payment_links l
    join documents d on d.organisation = l.organisation and d.id = l.document
    where l.organisation = ${organisation} and l.id = ${reference}::uuid
  `.execute(trx);

/** Has a job make the receipt of a payment. */
type Trx = Parameters<Parameters<Books['inTransaction']>[1]>[0];
export const queue = (trx: Trx, organisation: number, event: Id) =>
  sql`
    insert into outbox (organisation, task, payload, key)
    values (
      ${organisation}, 'receivePayment',
      ${JSON.stringify({ organisation, event } satisfies ReceivePayload)}, ${event}
    )
  `.execute(trx);

interface Waiting {
  readonly payment: string;
  readonly amount: string;
  readonly fee: string;
  readonly method: string;
  readonly happened_at: Date;
  readonly document: Id;
  readonly made_by: Id;
  readonly due: Due;
  readonly gateway: Gateway;
  readonly lockedThrough: string | null;
  readonly locks: Readonly<Record<string, string>>;
}
export interface Receiving extends PaymentDesk {
  readonly poster: Poster;
}

/** Makes the receipt of a payment, exactly once: its key follows from the payment, so that a job that died half way makes no second one. */
export const receivePayment =
  (desk: Receiving) =>
  async ({ organisation, event }: ReceivePayload): Promise<void> => {
    const waiting = await waitingOf(desk, organisation, event);
    if (!waiting) return void (await forsaken(desk, organisation, event));
    const outcome = await book(desk, organisation, waiting).catch((error: unknown) => {
      if (error instanceof Refusal || error instanceof Problems)
        return {
          trouble: error instanceof Problems ? error.problems.map(({ message }) => message).join('; ') : error.message,
        };
      throw error;
    });
    await conclude(desk, organisation, event, waiting, outcome);
    desk.changed(organisation);
  };

const waitingOf = (desk: Receiving, organisation: number, event: Id): Promise<Waiting | undefined> =>
  desk.books.inTransaction({ organisation, user: '' }, async (trx) => {
    const { rows } = await sql<Omit<Waiting, 'due' | 'gateway'>>`
      select
        e.payment, e.amount, e.fee, e.method, e.happened_at, l.document, l.made_by,
        (select k.locked_through::text from locks k where k.organisation = e.organisation) as "lockedThrough",
        (
          select coalesce(json_object_agg(r.register, r.locked_through), '{}')
          from register_locks r
          where r.organisation = e.organisation
        ) as locks
      from payment_events e
      join payment_links l on l.organisation = e.organisation and l.id = e.link
      where e.organisation = ${organisation} and e.id = ${event}::uuid and e.state = 'waiting'
    `.execute(trx);
    const [row] = rows;
    const gateway = row && (await gatewayOf(desk, trx, organisation));
    const due = row && (await dueOf(trx, organisation, row.document));
    return row && gateway && due && { ...row, gateway, due };
  });

/** Booked already, or nothing is left to book it by: then it says so instead of being taken up again and again. */
const forsaken = ({ books }: Receiving, organisation: number, event: Id) =>
  books.inTransaction({ organisation, user: '' }, (trx) =>
    sql`
      update payment_events
      set state = 'stuck', trouble = 'The gateway of this payment was removed', version = version + 1
      where organisation = ${organisation} and id = ${event}::uuid and state = 'waiting'
    `.execute(trx),
  );

type Outcome = { readonly receipt: Id; readonly number: string } | { readonly trouble: string };
const TRIES = 3;

/** Settles the document as far as it is open; what is over, or came when it was paid or cancelled, is on account. */
async function book(desk: Receiving, organisation: number, waiting: Waiting): Promise<Outcome> {
  for (let turn = 1; ; turn++) {
    const due =
      turn === 1
        ? waiting.due
        : ((await desk.books.inTransaction({ organisation, user: waiting.made_by }, (trx) =>
            dueOf(trx, organisation, waiting.document),
          )) ?? waiting.due);
    try {
      const { id, number } = await desk.poster.post(
        await preparePosting(askerOf(desk, organisation, waiting), receiptOf(desk, waiting, due), {
          skipsApproval: true,
        }),
      );
      return { receipt: id, number };
    } catch (error) {
      // somebody has settled it between the look and the posting
      if (!(error instanceof Refusal && error.code === 'overAllocated' && turn < TRIES)) throw error;
    }
  }
}

const askerOf = (desk: Receiving, organisation: number, { payment, made_by }: Waiting) => {
  const digest = createHash('sha256').update(`payment/${organisation}/${payment}`).digest();
  const hex = digest.toString('hex');
  const key = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return { organisation, user: made_by, key, digest, today: todayIn(desk.now()), locations: [], limits: unlimited };
};

/** Dated when it was paid, unless the books are locked by now. */
function receiptOf(
  desk: Receiving,
  { payment, amount, fee, method, happened_at, gateway, document, lockedThrough, locks }: Waiting,
  due: Due,
): Draft {
  const today = todayIn(desk.now());
  const paidOn = todayIn(happened_at.getTime());
  const isOpen =
    paidOn <= today &&
    (lockedThrough === null || paidOn > lockedThrough) &&
    !lockMet(kindFor('onlinePayment'), paidOn, locksIn(locks));
  const whole = paise(Number(amount));
  const settles = due.cancelled || due.irnCancelled ? paise(0) : paise(Math.min(whole, due.open));
  return {
    kind: kindFor('onlinePayment'),
    date: isOpen ? paidOn : today,
    registration: due.registration,
    location: due.location,
    party: due.party,
    currency: 'INR',
    exchangeRate: millionths(ONE),
    lines: [],
    moneyLedger: gateway.settlementLedger,
    amount: whole,
    ...(Number(fee) > 0 && { bankCharges: paise(Number(fee)) }),
    reference: payment.slice(0, 50),
    fields: { instrument: payment.slice(0, 50) },
    narration: `${due.number} paid through the payment gateway${method ? ` (${method})` : ''}`,
    ...(settles > 0 && { allocations: [{ document, amount: settles }] }),
  };
}

/** What of an amount settles nothing, as the end of a sentence. */
function restOf({ number, cancelled, open }: Waiting['due'], amount: number): Said | undefined {
  if (cancelled) return say('; {{number}} is cancelled: the amount is on account', { number });
  return open < amount ? say('; the rest is on account') : undefined;
}

/** Writes what came of it and tells who made the link. */
const conclude = (
  desk: Receiving,
  organisation: number,
  event: Id,
  { made_by, amount, due }: Waiting,
  outcome: Outcome,
) =>
  desk.books.inTransaction({ organisation, user: made_by }, async (trx) => {
    const booked = 'receipt' in outcome;
    const { numAffectedRows } = await sql`
      update payment_events
      set
        state = ${booked ? 'booked' : 'stuck'}, receipt = ${booked ? outcome.receipt : null}::uuid,
        trouble = ${booked ? '' : outcome.trouble.slice(0, 400)}, version = version + 1
      where organisation = ${organisation} and id = ${event}::uuid and state = 'waiting'
    `.execute(trx);
    if (numAffectedRows === 0n) return;
    const values = { amount: rupeesText(Number(amount)), number: due.number };
    const says = booked
      ? say('{{amount}} came in for {{number}}: receipt {{receipt}}{{rest}}', {
          ...{ ...values, receipt: outcome.number, rest: restOf(due, Number(amount)) },
        })
      : say('{{amount}} came in for {{number}} and could not be booked: {{trouble}}', {
          ...{ ...values, trouble: outcome.trouble },
        });
    const link = booked
      ? `/layout/Sale%20Receipt%20Preview?id=${outcome.receipt}`
      : '/layout/General%20Configuration?tab=payments';
    await notify(trx, { organisation, to: made_by, says, link });
  });

/** What a process left waiting when it died, or while no job ran: handed over again. As the owner. */
export const abandonedPayments = `
  insert into outbox (organisation, task, payload, key)
  select organisation, 'receivePayment', jsonb_build_object('organisation', organisation, 'event', id), id::text
  from payment_events
  where state = 'waiting' and heard_at < now() - interval '5 minutes'
`;
