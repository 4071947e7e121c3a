import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { keepCredentials } from '../einvoice/index.ts';
import type { Vault } from '../kit/secrets/secrets.ts';
import { keepGateway, sandboxPayments } from '../payments/index.ts';

/** The demo's e-invoicing began so many days ago: older invoices have no IRN. */
export const EINVOICE_DAYS = 14;

/** What every GSTIN signs in with at the portal sandbox (docs/portal-sandbox.md). */
export const sandboxCredentials = (gstin: string) => ({
  clientId: 'BAHI-CLIENT',
  clientSecret: 'BAHI-SECRET',
  userName: `bahi_${gstin}`,
  password: 'Sandbox@123',
});

/** Keeps the sandbox's credentials for the registrations that e-invoicing applies to, from a day on. */
export async function signUpAtSandbox(context: Context, vault: Vault, from: string): Promise<void> {
  await context.inTransaction(async (trx) => {
    const { rows } = await sql<{ id: string; gstin: string }>`
      update registrations
      set body = body || jsonb_build_object('einvoiceFrom', ${from}::text), version = version + 1
      where organisation = ${context.organisation} and gstin is not null and (body ->> 'einvoice')::boolean
      returning id, gstin
    `.execute(trx);
    for (const { id, gstin } of rows)
      await keepCredentials(trx, vault, context.organisation, { registration: id, ...sandboxCredentials(gstin) });
  });
}

/** What everybody signs in with at the sandbox of a payment gateway (docs/portal-sandbox.md). */
const sandboxKeys = { keyId: 'bahi_test_key', secret: 'bahi-test-secret', webhookSecret: 'bahi-test-webhook' };

/** Keeps the sandbox gateway, whose money comes to this ledger. */
export const joinSandboxGateway = (context: Context, vault: Vault, settlementLedger: string) =>
  keepGateway(
    { vault, providers: { sandbox: sandboxPayments('', '') } },
    { provider: 'sandbox', live: false, settlementLedger, ...sandboxKeys },
    context,
  );
