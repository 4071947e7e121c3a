import type pg from 'pg';

const HOUR = 3_600_000;

/** What is of no more use, each with what deletes it. Idempotency keys are kept 400 days. */
const sweeps: Readonly<Record<string, string>> = {
  issuerRecords: 'delete from issuer_records where expires_at < now()',
  sessions: 'delete from sessions where expires_at < now()',
  signInLinks: `delete from sign_in_links where coalesce(used_at, expires_at) < now() - interval '30 days'`,
  signInPlaces: `delete from sign_in_places where at < now() - interval '180 days'`,
  signInFailures: 'delete from sign_in_failures where until < now()',
  knocks: 'delete from knocks where until < now()',
  // what was begun and never imported; what was imported is kept, so that it can be undone
  imports: `delete from imports where state in ('receiving', 'reading', 'mapping', 'checking', 'checked', 'failed', 'cancelled')
    and touched_at < now() - interval '30 days'
    and not exists (
      select from import_rows r
      where r.organisation = imports.organisation and r.import = imports.id and r.outcome in ('added', 'changed')
    )`,
  idempotencyKeys: `delete from idempotency_keys where at < now() - interval '400 days'`,
};

/** Deletes what is of no more use, as the owner; answers how many rows of each. One process at a time. */
export async function sweep(owner: pg.Pool): Promise<Readonly<Record<string, number>>> {
  const client = await owner.connect();
  const swept: Record<string, number> = {};
  try {
    await client.query('begin');
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_xact_lock(62615) as mine');
    if (rows[0]?.mine) {
      await proveSight(client);
      for (const [name, text] of Object.entries(sweeps)) swept[name] = (await client.query(text)).rowCount ?? 0;
    }
    await client.query('commit');
    return swept;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** A role that row-level security leaves without rows would sweep nothing for ever and call it clean. */
async function proveSight(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ blind: boolean }>(`
    select (select count(*) from organisations) = 0
      and exists (
        select from pg_sequences
        where schemaname = 'public'
          and format('%I.%I', schemaname, sequencename)::regclass = pg_get_serial_sequence(
            'public.organisations', 'organisation'
          )::regclass
          and last_value is not null
      ) as blind
  `);
  if (rows[0]?.blind !== false)
    throw new Error('the sweep sees no organisation although there are some: is DATABASE_OWNER_URL the owner?');
}

/** Sweeps soon after the start and then every hour, until it is stopped. */
export function sweepEachHour(
  owner: pg.Pool,
  log: (message: string, details: object) => void,
): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const turn = () => {
    running = sweep(owner).then(
      () => undefined,
      (error: unknown) => log('sweeping failed', { error: String(error) }),
    );
  };
  const first = setTimeout(turn, 10_000);
  const timer = setInterval(turn, HOUR);
  for (const one of [first, timer]) one.unref();
  return {
    stop: async () => {
      clearTimeout(first);
      clearInterval(timer);
      await running;
    },
  };
}
