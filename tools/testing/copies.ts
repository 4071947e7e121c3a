import type pg from 'pg';
import type { TestBooks } from './books.ts';

/** What differs from copy to copy, by table and column; every other column is the document's own. */
const changed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  documents: { id: 'c.id', number: `'COPY/' || c.n`, party: 'c.party', series: 'null' },
  entries: { document: 'c.id', party: 'case when t.party is not null then c.party end' },
  open_items: { document: 'c.id', party: 'c.party' },
};

/**
 * Copies a document of a party so many times past every guard, shared among so many new parties, with its entries and what is
 * open of it, in tables that nobody counts: how a query goes about many rows does not show in few. Gives the new parties.
 */
export async function copyDocument(
  superuser: pg.Client,
  { organisation }: TestBooks,
  id: string,
  { count, parties }: { readonly count: number; readonly parties: number },
): Promise<readonly string[]> {
  for (const table of ['parties', ...Object.keys(changed)])
    await superuser.query(`alter table ${table} set (autovacuum_enabled = false)`);
  await superuser.query('set session_replication_role = replica');
  const made = await superuser.query<{ id: string }>(
    `
      insert into parties (organisation, id, code, name, side, category, state, search)
      select $1, gen_random_uuid(), 'COPY' || n, 'Party ' || n, 'supplier', 'unregistered', '29', 'party'
      from generate_series(1, $2) n
      returning id
    `,
    [organisation, parties],
  );
  const ids = made.rows.map((row) => row.id);
  await superuser.query(
    `
      create temp table copies as
      select n, gen_random_uuid() as id, ('{${ids.join(',')}}'::uuid[])[1 + n % ${parties}] as party
      from generate_series(1, ${count}) n
    `,
  );
  for (const [table, columns] of Object.entries(changed)) {
    const { rows } = await superuser.query<{ name: string }>(
      `
        select quote_ident(column_name) as name
        from information_schema.columns
        where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'
        order by ordinal_position
      `,
      [table],
    );
    await superuser.query(
      `insert into ${table} (${rows.map((r) => r.name).join(', ')}) select ${rows.map((r) => columns[r.name] ?? `t.${r.name}`).join(', ')}
         from copies c, ${table} t where t.organisation = $1 and t.${table === 'documents' ? 'id' : 'document'} = $2`,
      [organisation, id],
    );
  }
  await superuser.query('drop table copies');
  await superuser.query('set session_replication_role = origin');
  return ids;
}

/** How many rows of tables (their names as `$1`) a transaction has read so far, walking through them or by key. */
export const ROWS_READ =
  'select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int as n from pg_stat_xact_user_tables where relname = any($1)';
