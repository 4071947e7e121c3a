import { sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { paymentCalls } from '../../contract/payments.ts';
import { type PaymentMethod, paymentMethods } from '../../domain/banking/payment-methods.ts';
import { say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import type { Context } from '../context.ts';
import type { Books, Executor } from '../kit/database/sql.ts';
import { Problems } from '../kit/problems.ts';
import { type Marks, marksOf } from '../kit/secrets/marks.ts';
import type { Vault } from '../kit/secrets/secrets.ts';
import { type GatewayKeys, NoAnswer, type PaymentProvider, type Providers } from './provider.ts';

/** All that payments need of the installation. */
export interface PaymentDesk {
  readonly books: Books;
  readonly vault: Vault;
  readonly providers: Providers;
  readonly publicUrl: string;
  readonly now: () => number;
  /** Tells open pages of the organisation to read again. */
  readonly changed: (organisation: number) => void;
}

type Calls = typeof paymentCalls;
type Secrets = Pick<GatewayKeys, 'secret' | 'webhookSecret'>;

/** The gateway of an organisation, ready to be asked. */
export interface Gateway {
  readonly provider: PaymentProvider;
  readonly keys: GatewayKeys;
  readonly settlementLedger: Id;
  readonly methods: readonly PaymentMethod[];
  /** A payment makes its receipt at once. */
  readonly autoReceipt: boolean;
}

/** One organisation's secrets open for no other. */
export const purposeOf = (organisation: number): string => `payments/${organisation}`;
/** Where the gateway tells an organisation of payments. */
export const webhookOf = ({ publicUrl }: Pick<PaymentDesk, 'publicUrl'>, code: string): string =>
  `${publicUrl}/webhooks/payments/${encodeURIComponent(code)}`;

interface Row {
  provider: string;
  live: boolean;
  key_id: string;
  secret: Buffer;
  settlement_ledger: Id;
  methods: readonly PaymentMethod[];
  auto_receipt: boolean;
  version: number;
  marks: Marks;
}
const rowOf = async (run: Executor, organisation: number): Promise<Row | undefined> =>
  (
    await sql<Row>`
      select provider, live, key_id, secret, settlement_ledger, methods, auto_receipt, version, marks
      from payment_gateways
      where organisation = ${organisation}
    `.execute(run)
  ).rows[0];

/** The gateway that is kept; undefined when there is none, or none of this installation. */
export async function gatewayOf(
  { vault, providers }: Pick<PaymentDesk, 'vault' | 'providers'>,
  run: Executor,
  organisation: number,
): Promise<Gateway | undefined> {
  const row = await rowOf(run, organisation);
  const provider = row && Object.hasOwn(providers, row.provider) ? providers[row.provider] : undefined;
  if (!row || !provider) return undefined;
  const secrets = JSON.parse(vault.open(row.secret, purposeOf(organisation))) as Secrets;
  return {
    provider,
    keys: { keyId: row.key_id, ...secrets },
    settlementLedger: row.settlement_ledger,
    methods: row.methods,
    autoReceipt: row.auto_receipt,
  };
}

export async function showGateway(
  desk: PaymentDesk,
  { organisation, organisationCode, inTransaction }: Context,
): Promise<Answer<Calls['GetPaymentGateway']>> {
  const { rows } = await inTransaction((trx) =>
    sql<{
      provider: string;
      live: boolean;
      key_id: string;
      settlement_ledger: Id;
      methods: PaymentMethod[];
      auto_receipt: boolean;
      name: string;
      set_at: Date;
      last_ok: Date | null;
      last_error: string | null;
      last_heard: Date | null;
      version: number;
      marks: Marks;
    }>`
      select
        g.provider, g.live, g.key_id, g.settlement_ledger, g.methods, g.auto_receipt, l.name, g.set_at,
        g.last_ok, g.last_error, g.last_heard, g.version, g.marks
      from payment_gateways g
      join ledgers l on l.organisation = g.organisation and l.id = g.settlement_ledger
      where g.organisation = ${organisation}
    `.execute(trx),
  );
  const [g] = rows;
  return {
    providers: Object.entries(desk.providers).map(([name, { label }]) => ({ name, label })),
    webhook: webhookOf(desk, organisationCode),
    gateway: g
      ? {
          provider: g.provider,
          live: g.live,
          keyId: g.key_id,
          settlementLedger: g.settlement_ledger,
          ledgerName: g.name,
          methods: g.methods,
          autoReceipt: g.auto_receipt,
          setAt: g.set_at.toISOString(),
          lastOk: g.last_ok?.toISOString() ?? null,
          lastError: g.last_error,
          lastHeard: g.last_heard?.toISOString() ?? null,
          version: g.version,
          marks: { ...g.marks },
        }
      : null,
  };
}

/** Keeps what is signed in with, sealed. Secrets can be set and never read; one that is left out stays. */
export const keepGateway = (
  { vault, providers }: Pick<PaymentDesk, 'vault' | 'providers'>,
  given: Input<Calls['SavePaymentGateway']>,
  { organisation, user, inTransaction }: Context,
): Promise<Answer<Calls['SavePaymentGateway']>> =>
  inTransaction(async (trx) => {
    const kept = await rowOf(trx, organisation);
    // secrets of one gateway are none of another
    const before =
      kept?.provider === given.provider
        ? (JSON.parse(vault.open(kept.secret, purposeOf(organisation))) as Secrets)
        : undefined;
    const [secret, webhookSecret] = [given.secret || before?.secret, given.webhookSecret || before?.webhookSecret];
    const taking = await sql`
      select from ledgers
      where organisation = ${organisation}
        and id = ${given.settlementLedger}::uuid
        and active
        and not is_group
        and is_money(is_bank, role)
    `.execute(trx);
    const problems = [
      ...(Object.hasOwn(providers, given.provider) ? [] : [{ field: 'provider', ...say('Choose a payment gateway') }]),
      ...(secret ? [] : [{ field: 'secret', ...say('Enter the secret') }]),
      ...(webhookSecret ? [] : [{ field: 'webhookSecret', ...say('Enter the webhook secret') }]),
      ...(taking.rows.length > 0
        ? []
        : [{ field: 'settlementLedger', ...say('Choose the bank or clearing ledger that receives the money') }]),
    ];
    if (!secret || !webhookSecret || problems.length > 0) throw new Problems(problems);
    // what is not said stays as it is
    const methods = paymentMethods.filter((method) =>
      (given.methods ?? kept?.methods ?? paymentMethods).includes(method),
    );
    const autoReceipt = given.autoReceipt ?? kept?.auto_receipt ?? true;
    const sealed = vault.seal(JSON.stringify({ secret, webhookSecret } satisfies Secrets), purposeOf(organisation));
    const marks = marksOf(kept?.marks, before && { ...before }, { secret, webhookSecret });
    const { rows } = await sql<{ version: number }>`
      insert into payment_gateways as g (
        organisation, marks, set_by, provider, live, key_id, secret, settlement_ledger, methods, auto_receipt
      )
      values (
        ${organisation}, ${JSON.stringify(marks)}::jsonb, ${user}::uuid, ${given.provider}, ${given.live},
        ${given.keyId}, ${sealed}, ${given.settlementLedger}::uuid, ${methods}::text[], ${autoReceipt}
      )
      on conflict (organisation) do update
      set
        marks = excluded.marks, set_by = excluded.set_by, provider = excluded.provider,
        live = excluded.live, key_id = excluded.key_id, secret = excluded.secret,
        settlement_ledger = excluded.settlement_ledger, methods = excluded.methods,
        auto_receipt = excluded.auto_receipt, set_at = now(), last_error = null, version = g.version + 1
      where ${given.version ?? null}::int is null or g.version = ${given.version ?? null}
      returning version
    `.execute(trx);
    if (!rows[0])
      throw new Refusal('stale', {
        who:
          (
            await sql<{
              name: string;
            }>`
              select u.name
              from payment_gateways g
              join users u on u.organisation = g.organisation and u.id = g.set_by
              where g.organisation = ${organisation}
            `.execute(trx)
          ).rows[0]?.name ?? 'Somebody',
      });
    return { version: rows[0].version };
  });

/** Signs in once and remembers how that went. */
export async function testGateway(
  desk: PaymentDesk,
  { organisation, inTransaction }: Context,
): Promise<Answer<Calls['TestPaymentGateway']>> {
  const gateway = await inTransaction((trx) => gatewayOf(desk, trx, organisation));
  if (!gateway) throw new Refusal('noGateway');
  const message = await gateway.provider.test(gateway.keys).catch((error: unknown) => {
    if (error instanceof NoAnswer) return error.message;
    throw error;
  });
  await inTransaction((trx) =>
    sql`
      update payment_gateways
      set last_ok = case when ${message}::text is null then now() else last_ok end, last_error = ${message}
      where organisation = ${organisation}
    `.execute(trx),
  );
  return { ok: message === null, message: message ?? 'Signed in to the gateway' };
}
