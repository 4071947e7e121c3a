import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { gstinCheckDigit } from '../../../domain/tax/gst/registration/gstin.ts';
import { sandboxServer } from '../../../sandbox/index.ts';
import { sandboxCredentials } from '../../../server/demo/index.ts';
import {
  keepCredentials,
  type PortalDesk,
  portalAt,
  registerInvoice,
  signingKeysOf,
} from '../../../server/einvoice/index.ts';
import type { Books } from '../../../server/kit/database/sql.ts';
import { Later } from '../../../server/kit/later.ts';
import { vault } from '../../../server/kit/secrets/secrets.ts';
import { type TestBooks, TODAY } from '../books.ts';
import type { TestDatabase } from '../database.ts';

/** The stand-in for the invoice portal, with a desk at it, for all runs. */
export interface MachinePortal {
  readonly desk: PortalDesk;
  /** Has the portal carry out the next call of this sort, or not, and answer something that is no answer. */
  misbehave(mode: string, operation: 'generate' | 'cancel'): Promise<void>;
  /** Takes what posting put in line out of it. */
  forget(organisation: number): Promise<void>;
  /** Sends what waits of an organisation, as the job does. */
  send(organisation: number): Promise<void>;
  end(): Promise<void>;
}

export async function machinePortal(db: TestDatabase, books: Books): Promise<MachinePortal> {
  const pool = new pg.Pool({ connectionString: db.ownerUrl, max: 4 });
  const clock = { now: () => Date.parse(`${TODAY}T12:00:00+05:30`) };
  const app = await sandboxServer({ database: pool, clock: () => new Date(clock.now()) });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/sandbox`;
  const text = (path: string) => fetch(`${url}${path}`).then((answer) => answer.text());
  const place = {
    url,
    loginKey: () => text('/keys/login.pem'),
    signingKeys: async () => JSON.parse(await text('/keys/jwks.json')).keys,
  };
  const desk: PortalDesk = {
    ...{ books, vault: vault(Buffer.alloc(32, 7)), portal: portalAt(place, clock), installed: 'standIn' },
    ...{ signingKeys: signingKeysOf(place), changed: () => undefined, now: clock.now },
  };
  const register = registerInvoice(desk);
  return {
    desk,
    misbehave: async (mode, operation) => {
      const body = JSON.stringify({ mode, times: 1, operations: [operation] });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${url}/control`, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(`the portal does not know ${mode}`);
    },
    forget: async (organisation) => {
      await db.owner.query('delete from outbox where organisation = $1', [organisation]);
    },
    send: async (organisation) => {
      const { rows } = await db.owner.query<{ document: string }>(
        `delete from outbox where organisation = $1 and task = 'registerInvoice' returning payload ->> 'document' as document`,
        [organisation],
      );
      for (const { document } of rows)
        await register({ organisation, document }).catch((error: unknown) => {
          // what is unclear is asked for when it is sent again
          if (!(error instanceof Later)) throw error;
        });
    },
    end: async () => {
      await app.close();
      await pool.end();
    },
  };
}

/** An organisation with a GSTIN of its own, to which e-invoicing applies, and a buyer whom the portal knows. */
export async function signUp({ desk }: MachinePortal, db: TestDatabase, real: TestBooks): Promise<void> {
  const { organisation, registration, customer } = real;
  const bare = `29AAGCS${String(1000 + (organisation % 8000))}B1Z`;
  const gstin = `${bare}${gstinCheckDigit(bare)}`;
  await db.owner.query(`update registrations set gstin = $2, body = body || '{"einvoice": true}' where id = $1`, [
    registration,
    gstin,
  ]);
  const address = { line1: '14 Market Road', city: 'Bengaluru', state: '29', pincode: '560001' };
  await db.owner.query(
    `update parties set gstin = '29AABCA1234F1Z5', pan = 'AABCA1234F', category = 'registered', body = body || $2 where id = $1`,
    [customer, { addresses: [address] }],
  );
  await db.owner.query(`update items set hsn = '84713010' where organisation = $1`, [organisation]);
  const keep = { registration, ...sandboxCredentials(gstin) };
  await real.context().inTransaction((trx) => keepCredentials(trx, desk.vault, organisation, keep, real.user));
}
