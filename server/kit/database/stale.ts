import { type RawBuilder, sql } from 'kysely';
import { Refusal } from '../../../contract/errors.ts';

type Executor = Parameters<RawBuilder<unknown>['execute']>[0];

/**
 * The refusal of who knows a record as it no longer is: it says who wrote it last, by the edit log. Without an id the
 * organisation's own row.
 */
export async function staleOf(run: Executor, organisation: number, relation: string, id?: string): Promise<Refusal> {
  const { rows } = await sql<{ who: string | null }>`
    select u.name as who from edit_log l left join users u on u.organisation = l.organisation and u.id = l.who
     where l.organisation = ${organisation} and l.relation = ${relation} and ${id === undefined ? sql`true` : sql`l.row_id = ${id}`}
     order by l.id desc limit 1`.execute(run);
  return new Refusal('stale', { who: rows[0]?.who ?? 'Somebody' });
}
