import fs from 'node:fs';
import pg from 'pg';
import { type Swept, sweep } from '../server/kit/database/invariants.ts';
import { rebuildProjections } from '../server/kit/database/rebuild.ts';
import { type Proven, provenOf } from '../server/kit/secrets/checkpoints.ts';
import { openDatabase } from './open-database.ts';

// npm run invariants [-- postgresql://owner@host/database]: sweeps the books; ends with 1 when anything is broken.
// Without an address: DATABASE_OWNER_URL, else the database of this checkout, running or not.
// What was signed of the edit log is looked for in CHECKPOINT_DIR, else in `checkpoints` of the data folder.
// With --rebuild the projections (totals, what is open, stock balances) are first made anew from the books.

const line = ({ id, says, broken, more, milliseconds }: Swept): string =>
  [
    `${broken.length === 0 ? 'holds ' : 'BROKEN'}  ${id.padEnd(8)}  ${milliseconds.toFixed(0).padStart(6)} ms  ${says}`,
    ...broken.map((b) => `          ${b.organisation === null ? '' : `organisation ${b.organisation}: `}${b.what}`),
    ...(more > 0 ? [`          and ${more} more`] : []),
  ].join('\n');

/** Up to which moment the checks of the edit log prove anything. */
const provenLine = ({ organisation, signed, unsigned, since }: Proven): string =>
  [
    `organisation ${organisation}: `,
    signed
      ? `proven up to seal ${signed.sequence}, signed on ${signed.day} by the key ${signed.key}, which first signed on ${signed.first}`
      : 'nothing is signed',
    unsigned > 0
      ? `; ${unsigned} rows of the log since ${since} (India) are not signed yet, and whoever holds the database could make them anew`
      : '',
  ].join('');

async function main(): Promise<number> {
  const opened = await openDatabase(process.argv.slice(2).find((word) => !word.startsWith('--')));
  const signed = process.env.CHECKPOINT_DIR ?? `${opened.home}/checkpoints`;
  const pool = new pg.Pool({ connectionString: opened.url, max: 1 });
  try {
    const made = await pool.query<{ made: boolean }>(`select to_regclass('public.organisations') is not null as made`);
    if (!made.rows[0]?.made)
      throw new Error(
        'This database has no tables of Bahi: start the server on it once, or restore a back-up into it.',
      );
    const seen = await pool.query<{ organisations: string; documents: string; entries: string }>(
      `
        select
          (select count(*) from organisations) as organisations,
          (select count(*) from documents) as documents,
          (select count(*) from entries) as entries
      `,
    );
    if (process.argv.includes('--rebuild')) await rebuildProjections(pool);
    const areSigned = fs.existsSync(`${signed}/public-key.pem`);
    const results = await sweep(pool, areSigned ? signed : undefined);
    const broken = results.filter((r) => r.broken.length > 0).length;
    const { organisations = 0, documents = 0, entries = 0 } = seen.rows[0] ?? {};
    process.stdout.write(`${results.map(line).join('\n')}\n\n`);
    if (!areSigned) process.stdout.write(`Not checked: INV-45, for nothing was signed in ${signed} (CHECKPOINT_DIR)\n`);
    for (const proven of await provenOf(pool, areSigned ? signed : undefined))
      process.stdout.write(`${provenLine(proven)}\n`);
    process.stdout.write(`${organisations} organisations, ${documents} documents, ${entries} entries: `);
    process.stdout.write(
      `${broken === 0 ? `all ${results.length} hold` : `${broken} of ${results.length} are broken`}\n`,
    );
    return broken === 0 ? 0 : 1;
  } finally {
    await pool.end();
    await opened.close();
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  },
);
