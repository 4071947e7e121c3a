import { sql } from 'kysely';
import type { Day, Draft } from '../../../domain/document/document.ts';
import type { Context } from '../../context.ts';

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

interface Expiry {
  readonly batch: string;
  readonly expiry: Day;
}

/**
 * When the batches of a document's lines expire, by line (from 1), as far as one of their movements says so: the day is typed
 * where they come in, and asked for on the paper of a sale.
 */
export async function expiriesOf(
  trx: Trx,
  { organisation }: Context,
  lines: Draft['lines'],
): Promise<ReadonlyMap<number, Expiry[]>> {
  const named = lines.flatMap(({ item, batches = [] }, at) =>
    item ? batches.map(({ batch }) => ({ line: at + 1, item, batch })) : [],
  );
  if (named.length === 0) return new Map();
  const { rows } = await sql<{ line: number; expiries: Expiry[] }>`
    select n.line, json_agg(json_build_object('batch', n.batch, 'expiry', x.expiry) order by n.batch) as expiries
      from jsonb_to_recordset(${JSON.stringify(named)}) as n(line int, item uuid, batch text)
      cross join lateral (select m.expiry from part_moves(${organisation}, n.item, 'batch', n.batch) m
                           where m.expiry is not null order by m.date, m.sequence limit 1) x
     group by n.line`.execute(trx);
  return new Map(rows.map(({ line, expiries }) => [line, expiries]));
}
