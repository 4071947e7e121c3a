import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import type { einvoiceCalls } from '../../contract/einvoice.ts';
import { Refusal } from '../../contract/errors.ts';
import { say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import { wholeRegistration } from '../access/index.ts';
import type { Context } from '../context.ts';
import type { Executor } from '../kit/database/sql.ts';
import { Problems } from '../kit/problems.ts';
import { type Marks, marksOf } from '../kit/secrets/marks.ts';
import type { Vault } from '../kit/secrets/secrets.ts';
import { Unclear } from './exchange.ts';
import type { Credentials, Portal } from './portal.ts';

interface Secrets {
  readonly clientSecret: string;
  readonly password: string;
}

/** One organisation's secrets open for no other: its number is part of the purpose. */
const purpose = (organisation: number): string => `einvoice/${organisation}`;

/** What a registration signs in with at the portal; undefined when nothing is kept. */
export async function credentialsOf(
  run: Executor,
  vault: Vault,
  organisation: number,
  registration: Id,
): Promise<(Credentials & { readonly marks: Marks }) | undefined> {
  const { rows } = await sql<{
    gstin: string | null;
    client_id: string;
    user_name: string;
    secret: Buffer;
    marks: Marks;
  }>`
    select r.gstin, c.client_id, c.user_name, c.secret, c.marks
    from credentials c
    join registrations r on r.organisation = c.organisation and r.id = c.registration
    where c.organisation = ${organisation} and c.registration = ${registration}::uuid
  `.execute(run);
  const [row] = rows;
  if (!row?.gstin) return undefined;
  const secrets = JSON.parse(vault.open(row.secret, purpose(organisation))) as Secrets;
  return { gstin: row.gstin, clientId: row.client_id, userName: row.user_name, marks: row.marks, ...secrets };
}

/** Remembers how the last sign-in went, for the settings page. */
export const rememberSignIn = (run: Executor, organisation: number, registration: Id, error: string | null) =>
  sql`
    update credentials
    set last_ok = case when ${error}::text is null then now() else last_ok end, last_error = ${error}
    where organisation = ${organisation} and registration = ${registration}::uuid
  `.execute(run);

/** Keeps what a registration signs in with, sealed; a secret that is not given stays as it is. */
export async function keepCredentials(
  run: Executor,
  vault: Vault,
  organisation: number,
  given: {
    readonly registration: Id;
    readonly clientId: string;
    readonly userName: string;
    readonly clientSecret?: string | undefined;
    readonly password?: string | undefined;
    readonly version?: number | undefined;
  },
  user?: Id,
): Promise<number> {
  const own = await sql`
    select from registrations
    where organisation = ${organisation} and id = ${given.registration}::uuid and gstin is not null
  `.execute(run);
  if (own.rows.length === 0) throw new Refusal('notFound');
  const kept = await credentialsOf(run, vault, organisation, given.registration);
  const clientSecret = given.clientSecret || kept?.clientSecret;
  const password = given.password || kept?.password;
  const missing = [
    ...(clientSecret ? [] : [{ field: 'clientSecret', ...say('Enter the client secret') }]),
    ...(password ? [] : [{ field: 'password', ...say('Enter the password') }]),
  ];
  if (!clientSecret || !password) throw new Problems(missing);
  const marks = marksOf(kept?.marks, kept && { clientSecret: kept.clientSecret, password: kept.password }, {
    clientSecret,
    password,
  });
  const sealed = vault.seal(JSON.stringify({ clientSecret, password } satisfies Secrets), purpose(organisation));
  const { rows } = await sql<{ version: number }>`
    insert into credentials as c (organisation, registration, client_id, user_name, secret, marks, set_by)
    values (
      ${organisation}, ${given.registration}, ${given.clientId}, ${given.userName}, ${sealed},
      ${JSON.stringify(marks)}::jsonb, ${user ?? null}::uuid
    )
    on conflict (organisation, registration) do update
    set
      client_id = excluded.client_id, user_name = excluded.user_name, secret = excluded.secret,
      marks = excluded.marks, set_by = excluded.set_by, set_at = now(), last_error = null,
      version = c.version + 1
    where ${given.version ?? null}::int is null or c.version = ${given.version ?? null}
    returning version
  `.execute(run);
  if (!rows[0]) throw new Refusal('stale', { who: await setBy(run, organisation, given.registration) });
  return rows[0].version;
}

/** Who has set them last. */
async function setBy(run: Executor, organisation: number, registration: Id): Promise<string> {
  const { rows } = await sql<{
    name: string;
  }>`
    select u.name
    from credentials c
    join users u on u.organisation = c.organisation and u.id = c.set_by
    where c.organisation = ${organisation} and c.registration = ${registration}::uuid
  `.execute(run);
  return rows[0]?.name ?? 'Somebody';
}

type Calls = Pick<
  typeof einvoiceCalls,
  'AddUpdateEInvoiceCredentials' | 'GetEInvoiceClientCredentails' | 'TestEInvoiceCredentials'
>;

export const credentialHandlers = (vault: Vault, portal: Portal): Handlers<Calls, Context> => ({
  AddUpdateEInvoiceCredentials: (input, context) =>
    context.inTransaction(async (trx) => {
      await wholeRegistration(trx, context, input.registration);
      return { version: await keepCredentials(trx, vault, context.organisation, input, context.user) };
    }),

  GetEInvoiceClientCredentails: (_input, context) =>
    context.inTransaction(async (trx) => {
      if (context.sees({ screen: 'NIC Configuration' }) === 'own') return [];
      const { rows } = await sql<{
        id: Id;
        gstin: string;
        legal_name: string;
        einvoice: boolean;
        client_id: string | null;
        user_name: string | null;
        set_at: Date | null;
        last_ok: Date | null;
        last_error: string | null;
        version: number | null;
        marks: Marks | null;
      }>`
        select
          r.id, r.gstin, r.legal_name, coalesce((r.body ->> 'einvoice')::boolean, false) as einvoice,
          c.client_id, c.user_name, c.set_at, c.last_ok, c.last_error, c.version, c.marks
        from registrations r
        left join credentials c on c.organisation = r.organisation and c.registration = r.id
        where r.organisation = ${context.organisation} and r.gstin is not null and r.active
        order by r.gstin
      `.execute(trx);
      return rows.map((r) => ({
        registration: r.id,
        gstin: r.gstin,
        legalName: r.legal_name,
        einvoice: r.einvoice,
        clientId: r.client_id ?? '',
        userName: r.user_name ?? '',
        setAt: r.set_at?.toISOString() ?? null,
        lastOk: r.last_ok?.toISOString() ?? null,
        lastError: r.last_error,
        version: r.version ?? 0,
        marks: { ...r.marks },
      }));
    }),

  TestEInvoiceCredentials: async ({ registration }, context) => {
    const kept = await context.inTransaction(async (trx) => {
      await wholeRegistration(trx, context, registration);
      return credentialsOf(trx, vault, context.organisation, registration);
    });
    if (!kept) throw new Refusal('notFound');
    const message = await signInAnswer(portal, kept);
    await context.inTransaction((trx) => rememberSignIn(trx, context.organisation, registration, message));
    return { ok: message === null, message: message ?? 'Signed in to the portal' };
  },
});

/** What the portal has against these credentials; null when nothing. */
async function signInAnswer(portal: Portal, credentials: Credentials): Promise<string | null> {
  try {
    const reply = await portal.signIn(credentials);
    return reply.ok ? null : reply.errors.map((e) => `${e.code}: ${e.message}`).join('; ');
  } catch (error) {
    if (error instanceof Unclear) return error.message;
    throw error;
  }
}
