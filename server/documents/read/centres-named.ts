import { sql } from 'kysely';
import type { Id } from '../../../domain/document/document.ts';
import type { Context } from '../../context.ts';

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
interface Naming {
  readonly costCentre?: unknown;
}

/** Names of the cost centres that the head and the lines of a document name, by id. A draft may hold anything in their place. */
export async function centresNamed(trx: Trx, organisation: number, body: object): Promise<Record<Id, string>> {
  const { costCentre, lines } = body as Naming & { readonly lines?: unknown };
  const ofLines = Array.isArray(lines) ? lines.map((line: Naming | null) => line?.costCentre) : [];
  const ids = [costCentre, ...ofLines].filter((id): id is string => typeof id === 'string');
  if (ids.length === 0) return {};
  const { rows } = await sql<{ id: Id; name: string }>`
    select id, name
      from cost_centres
     where organisation = ${organisation}
       and id::text = any(${[...new Set(ids)]}::text[])`.execute(trx);
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}
