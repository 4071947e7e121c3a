import type pg from 'pg';
import type { Vault } from './secrets.ts';

/** Where sealed secrets lie, by what names a row, and the purpose they are sealed for. */
const places = [
  ['credentials', `organisation || '/' || registration`, 'secret', `'einvoice/' || organisation`],
  ['payment_gateways', 'organisation::text', 'secret', `'payments/' || organisation`],
  ['payment_links', `organisation || '/' || id`, 'secret', `'payments/' || organisation`],
  ['webhooks', `organisation || '/' || id`, 'secret', `'webhook/' || organisation`],
  ['issuer_keys', 'id', 'secret', `'issuer ' || id`],
  ['people', 'id::text', 'totp_secret', `'second factor of ' || id`],
  ['people', 'id::text', 'totp_pending', `'second factor of ' || id`],
  ['sessions', `encode(digest, 'hex')`, 'tokens', `'session'`],
] as const;

/** The columns of sealed secrets, as `table.column`. */
export const sealedColumns: readonly string[] = places.map(([table, , column]) => `${table}.${column}`);

const WRONG =
  'MASTER_KEY is not the key of this database: its secrets do not open under it. Set the key under which they were kept; ' +
  'to change the key, set the new one and name the one before in MASTER_KEY_FORMER.';

/** Refuses a master key under which nothing opens of what is kept, or not the keys of the sign-in. */
export async function proveKey(owner: pg.Pool, vault: Vault): Promise<void> {
  let [opened, closed] = [0, 0];
  for (const [table, , column, purpose] of places) {
    const { rows } = await owner.query<{ sealed: Buffer; purpose: string }>(
      `select ${column} as sealed, ${purpose} as purpose from ${table} where ${column} is not null limit 3`,
    );
    const opens = rows.filter((row) => vault.opens(row.sealed, row.purpose)).length;
    if (table === 'issuer_keys' && opens < rows.length) throw new Error(WRONG);
    opened += opens;
    closed += rows.length - opens;
  }
  if (closed > 0 && opened === 0) throw new Error(WRONG);
}

/** Seals under the master key of today what was kept under an earlier one, as the owner; answers how many secrets that were. */
export async function renewSecrets(owner: pg.Pool, vault: Vault): Promise<number> {
  let renewed = 0;
  for (const [table, key, column, purpose] of places) {
    const { rows } = await owner.query<{ key: string; sealed: Buffer; purpose: string }>(
      `select ${key} as key, ${column} as sealed, ${purpose} as purpose from ${table} where ${column} is not null`,
    );
    for (const row of rows) {
      if (!vault.opens(row.sealed, row.purpose))
        throw new Error(
          `A secret in ${column} of ${table} opens neither under MASTER_KEY nor under MASTER_KEY_FORMER: name the key under which it was kept there too.`,
        );
      const next = vault.renewed(row.sealed, row.purpose);
      if (!next) continue;
      // who changed it meanwhile has sealed it under the key of today
      await owner.query(`update ${table} set ${column} = $1 where ${key} = $2 and ${column} = $3`, [
        next,
        row.key,
        row.sealed,
      ]);
      renewed += 1;
    }
  }
  return renewed;
}
