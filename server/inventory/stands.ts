import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { quantityText } from '../../domain/base/decimal.ts';
import type { Id } from '../../domain/document/document.ts';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import type { Context } from '../context.ts';
import { isHere } from '../documents/index.ts';

export type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

/** Kinds of orders that hold stock until they are delivered. */
const reserving = kindNames.filter((name) => kindOf(name).stock.effect === 'reserve');

/** The locations asked for: the one named, else those of the user; empty: all. One the user may not use answers like none. */
export function placesOf(context: Context, location?: Id): Id[] {
  if (location === undefined) return [...context.locations];
  if (!isHere(context, location)) throw new Refusal('notFound');
  return [location];
}

/** Refuses an item that the organisation does not have. */
export async function known(trx: Trx, { organisation }: Context, item: Id): Promise<void> {
  const { rows } = await sql`select from items where organisation = ${organisation} and id = ${item}::uuid`.execute(
    trx,
  );
  if (rows.length === 0) throw new Refusal('notFound');
}

/** Where a stock room is; refuses one that the organisation does not have, or that is not where the user works. */
export async function roomOf(trx: Trx, context: Context, room: Id): Promise<Id> {
  const { rows } = await sql<{
    location: Id;
  }>`
    select body ->> 'location' as location
    from masters
    where organisation = ${context.organisation} and master = 'warehouse' and id = ${room}::uuid
  `.execute(trx);
  const [found] = rows;
  if (!found || !isHere(context, found.location)) throw new Refusal('notFound');
  return found.location;
}

/** Quantity of each item at these places, in millionths; goods on their way are at no place. */
export async function holdOf(
  trx: Trx,
  { organisation }: Context,
  items: readonly Id[],
  places: readonly Id[],
): Promise<ReadonlyMap<Id, number>> {
  const { rows } = await sql<{ item: Id; quantity: string }>`
    select b.item, sum(b.quantity) as quantity
    from item_balances b
    join locations l on l.organisation = b.organisation and l.id = b.location and not l.is_transit
    where b.organisation = ${organisation}
      and b.item = any(${[...items]}::uuid[])
      and (${[...places]}::uuid[] = '{}' or b.location = any(${[...places]}::uuid[]))
    group by b.item
  `.execute(trx);
  return new Map(rows.map((r) => [r.item, Number(r.quantity)]));
}

export interface Standing {
  readonly item: Id;
  readonly sku: string;
  readonly onHand: string;
  readonly reserved: string;
  readonly available: string;
}

/** On hand, held by orders, and free. Items that the organisation does not have are left out. */
export async function standings(
  trx: Trx,
  context: Context,
  items: readonly Id[],
  places: readonly Id[],
): Promise<Standing[]> {
  const { rows } = await sql<{ id: Id; sku: string; reserved: string }>`
    select
      i.id, i.sku,
      coalesce(
        (
          select sum(r.quantity)
          from stock_reserved(
            ${context.organisation}, ${[...reserving]}::text[], array[i.id], ${[...places]}::uuid[]
          ) r
        ),
        0
      ) as reserved
    from items i
    where i.organisation = ${context.organisation} and i.id = any(${[...items]}::uuid[])
    order by i.sku, i.id
  `.execute(trx);
  const held = await holdOf(
    trx,
    context,
    rows.map((r) => r.id),
    places,
  );
  return rows.map(({ id, sku, reserved }) => {
    const onHand = held.get(id) ?? 0;
    return {
      item: id,
      sku,
      onHand: quantityText(onHand),
      reserved: quantityText(Number(reserved)),
      available: quantityText(onHand - Number(reserved)),
    };
  });
}
