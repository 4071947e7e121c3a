import { sql } from 'kysely';
import { z } from 'zod';
import { say } from '../../domain/base/say.ts';
import type { Clock } from '../kit/clock.ts';
import type { Books, Executor } from '../kit/database/sql.ts';
import { notify } from '../kit/notify.ts';
import type { Vault } from '../kit/secrets/secrets.ts';
import { type Answer, sendOnce } from './send.ts';

export interface WebhookWorks {
  readonly books: Books;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Whether this installation is a trial: its own machine may be notified. */
  readonly trial: boolean;
  readonly changed: (organisation: number) => void;
}

/** One organisation's secrets open for no other: its number is part of the purpose. */
export const purpose = (organisation: number): string => `webhook/${organisation}`;

/** Puts webhooks into the outbox for which a delivery has come due; for the owner, over all organisations. */
export const dueWebhooks = `
  insert into outbox (organisation, task, payload, key)
  select distinct
    d.organisation, 'sendWebhook', jsonb_build_object('organisation', d.organisation, 'webhook', d.webhook), d.webhook::text
  from webhook_deliveries d
  join webhooks w on w.organisation = d.organisation and w.id = d.webhook and w.active
  where d.state = 'waiting' and d.next_at <= now() and (d.claimed_until is null or d.claimed_until < now())
`;

/** The list of deliveries is kept for a month. */
export const oldDeliveries = `
  delete from webhook_deliveries
  where state <> 'waiting' and made_at < now() - interval '30 days'
`;

const job = z.object({ organisation: z.int(), webhook: z.uuid() });
const nobody = '';
/** Longer than any attempt takes: after so long a process that was sending is thought dead. */
const CLAIM = '1 minute';
/** So many deliveries one job sends, and so long (milliseconds), so that one webhook does not keep the others waiting. */
const MOST = 50;
const LONGEST = 10_000;

/** Leaves a webhook for the jobs. */
export const wake = (trx: Executor, organisation: number, webhook: string) =>
  sql`
    insert into outbox (organisation, task, payload, key)
    values (
      ${organisation}, 'sendWebhook', jsonb_build_object('organisation', ${organisation}::int, 'webhook', ${webhook}::text),
      ${webhook}
    )
  `.execute(trx);

interface Claimed {
  readonly id: string;
  readonly event: string;
  readonly body: string;
  readonly address: string;
  readonly secret: Buffer;
}

/**
 * Sends what waits for one webhook, in the order in which it happened. It ends at the first failure: `dueWebhooks` takes the
 * webhook up again. A process that dies after the receiver's answer sends twice, with the same id.
 */
export const sendWebhook =
  (works: WebhookWorks) =>
  async (payload: unknown): Promise<void> => {
    const { organisation, webhook } = job.parse(payload);
    const mayBeMore = await sendSome(works, organisation, webhook);
    if (mayBeMore)
      await works.books.inTransaction({ organisation, user: nobody }, (trx) => wake(trx, organisation, webhook));
    works.changed(organisation);
  };

/** Sends until nothing is due, an attempt fails or the share of this job is used up; whether more may be due. */
async function sendSome(works: WebhookWorks, organisation: number, webhook: string): Promise<boolean> {
  const began = performance.now();
  for (let sent = 0; sent < MOST && performance.now() - began < LONGEST; sent += 1) {
    const claimed = await claim(works.books, organisation, webhook);
    if (!claimed) return false;
    const answer = await attempt(works, organisation, claimed);
    await note(works.books, organisation, claimed.id, answer);
    if (answer.error !== null) return false;
  }
  return true;
}

const attempt = ({ vault, clock, trial }: WebhookWorks, organisation: number, claimed: Claimed): Promise<Answer> =>
  sendOnce({
    ...{ id: claimed.id, event: claimed.event, body: claimed.body, address: claimed.address, trial },
    secret: vault.open(claimed.secret, purpose(organisation)),
    at: Math.floor(clock.now() / 1000),
  });

/** The next one that is due, when nobody else sends to this webhook. One about the same record waits for those before it. */
const claim = (books: Books, organisation: number, webhook: string): Promise<Claimed | undefined> =>
  books.inTransaction({ organisation, user: nobody }, async (trx) => {
    const { rows } = await sql<Claimed>`
      update webhook_deliveries d
      set attempts = d.attempts + 1, claimed_until = now() + ${CLAIM}::interval
      from webhooks w, organisations o
      where d.organisation = ${organisation}
        and w.organisation = d.organisation
        and w.id = d.webhook
        and w.active
        and o.organisation = d.organisation
        and (d.claimed_until is null or d.claimed_until < now())
        and d.state = 'waiting'
        and d.id = (
          select x.id
          from webhook_deliveries x
          where x.organisation = ${organisation}
            and x.webhook = ${webhook}
            and x.state = 'waiting'
            and x.next_at <= now()
            and not exists (
              select from webhook_deliveries y
              where y.organisation = ${organisation}
                and y.webhook = ${webhook}
                and y.claimed_until > now()
            )
            and not exists (
              select from webhook_deliveries y
              where y.organisation = ${organisation}
                and y.webhook = ${webhook}
                and y.state = 'waiting'
                and y.place < x.place
                and y.about = x.about
            )
          order by x.place
          limit 1
        )
      returning
        d.id, d.event, w.address, w.secret,
        (
          jsonb_build_object('id', d.id, 'event', d.event, 'time', to_jsonb(d.made_at), 'organisation', o.code) || d.body
        )::text as body
    `.execute(trx);
    return rows[0];
  });

/** Pauses grow from half a minute to three hours. An attempt that fails a day after the event is the last: it is said in the bell. */
const note = (books: Books, organisation: number, id: string, { status, error }: Answer): Promise<void> =>
  books.inTransaction({ organisation, user: nobody }, async (trx) => {
    const { rows } = await sql<{ state: string; name: string }>`
      update webhook_deliveries d
      set
        state = case when ${error}::text is null then 'sent' when d.until < now() then 'failed' else 'waiting' end,
        status = ${status}, error = ${error}, claimed_until = null,
        sent_at = case when ${error}::text is null then now() end,
        next_at = now() + least(interval '3 hours', interval '30 seconds' * power(2, least(d.attempts - 1, 10)))
      from webhooks w
      where d.organisation = ${organisation} and d.id = ${id} and w.organisation = d.organisation and w.id = d.webhook
      returning d.state, w.name
    `.execute(trx);
    const [noted] = rows;
    if (noted?.state !== 'failed') return;
    const says = say(
      'The webhook {{name}} could not be notified of an event for a day: {{error}}. Look at its deliveries and send it again',
      { name: noted.name, error },
    );
    await notify(trx, { organisation, to: null, says });
  });
