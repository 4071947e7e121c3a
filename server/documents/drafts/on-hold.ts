import { sql } from 'kysely';
import { Refusal } from '../../../contract/errors.ts';
import type { Id } from '../../../domain/document/document.ts';
import { freeOfStages } from '../../../domain/workflow/orders.ts';
import type { Context } from '../../context.ts';

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

/** Whether documents of a kind are made from an order whatever its stage. */
export const isFree = (kind: string): boolean => freeOfStages.some((name) => name === kind);

/** Refuses to make a document from orders whose stage does not allow it yet. The database refuses too, whatever came in between. */
export async function refuseHeld(
  trx: Trx,
  { organisation }: Context,
  sources: readonly Id[],
  kind: string,
): Promise<void> {
  if (sources.length === 0 || isFree(kind)) return;
  const { rows } = await sql<{ number: string; stage: string }>`
    select d.number, h.stage from documents d cross join lateral (select workflow_held(d.organisation, d.id) as stage) h
     where d.organisation = ${organisation} and d.id = any(${[...sources]}::uuid[]) and h.stage is not null limit 1`.execute(
    trx,
  );
  if (rows[0]) throw new Refusal('heldAtStage', rows[0]);
}
