import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { MOST_WEBHOOKS, WEBHOOK_SECRET_BEGINS, type WebhookEvent } from '../../contract/webhook-facts.ts';
import type { webhookCalls } from '../../contract/webhooks.ts';
import type { Context } from '../context.ts';
import type { Executor } from '../kit/database/sql.ts';
import { Problems } from '../kit/problems.ts';
import type { Vault } from '../kit/secrets/secrets.ts';
import { BadAddress, targetOf } from './address.ts';
import { purpose, wake } from './task.ts';

type Calls = Handlers<typeof webhookCalls, Context>;
interface Desk {
  readonly vault: Vault;
  readonly trial: boolean;
}

const newSecret = (): string => `${WEBHOOK_SECRET_BEGINS}${randomBytes(32).toString('base64url')}`;

async function refuseBad(address: string, trial: boolean): Promise<void> {
  try {
    await targetOf(address, trial);
  } catch (error) {
    if (!(error instanceof BadAddress)) throw error;
    throw new Problems([{ field: 'address', ...error.said }]);
  }
}

const make =
  ({ vault, trial }: Desk): Calls['MakeWebhook'] =>
  async ({ name, address, events, kinds }, context) => {
    await refuseBad(address, trial);
    const { organisation } = context;
    const id = randomUUID();
    const secret = newSecret();
    return context.inTransaction(async (trx) => {
      // two that are made at once wait for each other
      await sql`select pg_advisory_xact_lock(hashtextextended('webhooks', ${organisation}))`.execute(trx);
      const { rows } = await sql<{ there: string }>`
        select count(*) as there from webhooks where organisation = ${organisation}
      `.execute(trx);
      if (Number(rows[0]?.there) >= MOST_WEBHOOKS) throw new Refusal('manyWebhooks');
      await sql`
        insert into webhooks (organisation, id, name, address, events, kinds, secret)
        values (
          ${organisation}, ${id}, ${name}, ${address}, ${events}::text[], ${kinds}::text[],
          ${vault.seal(secret, purpose(organisation))}
        )
      `.execute(trx);
      return { id, secret };
    });
  };

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly events: WebhookEvent[];
  readonly kinds: string[];
  readonly active: boolean;
  readonly waiting: number;
  readonly failed: number;
}

const list: Calls['ListWebhooks'] = (_, context) =>
  context.inTransaction(async (trx) => {
    const { rows } = await sql<Listed>`
      select
        w.id, w.name, w.address, w.events, w.kinds, w.active,
        (
          select count(*)::int
          from webhook_deliveries d
          where d.organisation = w.organisation and d.webhook = w.id and d.state = 'waiting'
        ) as waiting,
        (
          select count(*)::int
          from webhook_deliveries d
          where d.organisation = w.organisation and d.webhook = w.id and d.state = 'failed'
        ) as failed
      from webhooks w
      where w.organisation = ${context.organisation}
      order by w.made_at, w.id
    `.execute(trx);
    return rows;
  });

/** One statement changed the webhook that was named, or there is none. */
const found = ({ numAffectedRows }: { readonly numAffectedRows?: bigint | undefined }): void => {
  if (!numAffectedRows) throw new Refusal('notFound');
};

const pause: Calls['PauseWebhook'] = ({ webhook, active }, context) =>
  context.inTransaction(async (trx) => {
    const { organisation } = context;
    found(
      await sql`
        update webhooks set active = ${active} where organisation = ${organisation} and id = ${webhook}
      `.execute(trx),
    );
    if (active) await wake(trx, organisation, webhook);
    return { active };
  });

const roll =
  ({ vault }: Desk): Calls['RollWebhookSecret'] =>
  ({ webhook }, context) =>
    context.inTransaction(async (trx) => {
      const secret = newSecret();
      found(
        await sql`
          update webhooks set secret = ${vault.seal(secret, purpose(context.organisation))}
          where organisation = ${context.organisation} and id = ${webhook}
        `.execute(trx),
      );
      return { secret };
    });

const remove: Calls['DeleteWebhook'] = ({ webhook }, context) =>
  context.inTransaction(async (trx) => {
    found(
      await sql`delete from webhooks where organisation = ${context.organisation} and id = ${webhook}`.execute(trx),
    );
    return { deleted: true };
  });

/** A paused webhook is sent nothing: what is asked for by hand is refused rather than left waiting. */
async function refusePaused(trx: Executor, organisation: number, webhook: string): Promise<void> {
  const { rows } = await sql<{ active: boolean }>`
    select active from webhooks where organisation = ${organisation} and id = ${webhook}
  `.execute(trx);
  if (!rows[0]) throw new Refusal('notFound');
  if (!rows[0].active) throw new Refusal('webhookPaused');
}

const test: Calls['TestWebhook'] = ({ webhook }, context) =>
  context.inTransaction(async (trx) => {
    const { organisation } = context;
    await refusePaused(trx, organisation, webhook);
    const delivery = randomUUID();
    await sql`
      insert into webhook_deliveries (organisation, id, webhook, event, body)
      values (${organisation}, ${delivery}, ${webhook}, 'test', '{}')
    `.execute(trx);
    return { delivery };
  });

interface Delivery {
  readonly id: string;
  readonly event: WebhookEvent | 'test';
  readonly about: string | null;
  readonly state: 'waiting' | 'sent' | 'failed';
  readonly attempts: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly made_at: Date;
  readonly sent_at: Date | null;
  readonly next_at: Date;
}

const deliveries: Calls['ListWebhookDeliveries'] = ({ webhook }, context) =>
  context.inTransaction(async (trx) => {
    const { rows } = await sql<Delivery>`
      select id, event, about, state, attempts, status, error, made_at, sent_at, next_at
      from webhook_deliveries
      where organisation = ${context.organisation} and webhook = ${webhook}
      order by place desc
      limit 100
    `.execute(trx);
    return rows.map(({ made_at, sent_at, next_at, ...delivery }) => ({
      ...delivery,
      madeAt: made_at.toISOString(),
      sentAt: sent_at?.toISOString() ?? null,
      nextAt: delivery.state === 'waiting' ? next_at.toISOString() : null,
    }));
  });

const again: Calls['SendWebhookAgain'] = ({ delivery }, context) =>
  context.inTransaction(async (trx) => {
    const { organisation } = context;
    const { rows } = await sql<{ webhook: string }>`
      update webhook_deliveries
      set state = 'waiting', next_at = now(), until = now() + interval '1 day', sent_at = null
      where organisation = ${organisation} and id = ${delivery}
      returning webhook
    `.execute(trx);
    if (!rows[0]) throw new Refusal('notFound');
    await refusePaused(trx, organisation, rows[0].webhook);
    await wake(trx, organisation, rows[0].webhook);
    return { waiting: true };
  });

export const webhookHandlers = (desk: Desk): Calls => ({
  ListWebhooks: list,
  MakeWebhook: make(desk),
  PauseWebhook: pause,
  RollWebhookSecret: roll(desk),
  DeleteWebhook: remove,
  TestWebhook: test,
  ListWebhookDeliveries: deliveries,
  SendWebhookAgain: again,
});
