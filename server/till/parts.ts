import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { quantityText } from '../../domain/base/decimal.ts';
import type { Id } from '../../domain/document/document.ts';
import type { ItemFacts } from '../../domain/document/resolve.ts';
import type { Context } from '../context.ts';
import { isHere } from '../documents/index.ts';
import type { Trx } from './tills.ts';

/** What a till scans of an item that is kept in batches or by serial number. */
export interface PartsText {
  readonly batches?: readonly {
    readonly batch: string;
    readonly expiry: string | null;
    readonly expired: boolean;
    readonly quantity: string;
  }[];
  readonly serials?: readonly string[];
}

/** Serial numbers that go over with a page of items. */
const MOST_SERIALS = 20_000;

/** Batches and serial numbers of items at the place of a till, by item. */
export async function partsAt(
  trx: Trx,
  context: Context,
  location: Id | undefined,
  items: readonly ItemFacts[],
): Promise<ReadonlyMap<Id, PartsText>> {
  const [batched, serialised] = [items.filter((i) => i.batched), items.filter((i) => i.serialised)].map((some) =>
    some.map(({ id }) => id),
  );
  const found = new Map<Id, PartsText>();
  if (location === undefined || (batched?.length === 0 && serialised?.length === 0)) return found;
  if (!isHere(context, location)) throw new Refusal('notFound');
  const org = context.organisation;
  const batches = (
    await sql<{
      item: Id;
      batch: string;
      expiry: string | null;
      quantity: string;
    }>`
      select item, batch, expiry::text as expiry, quantity
      from batches_held(${org}, ${batched}::uuid[], array[${location}::uuid])
    `.execute(trx)
  ).rows;
  for (const id of batched ?? [])
    found.set(id, {
      batches: batches
        .filter((b) => b.item === id)
        .map(({ batch, expiry, quantity }) => ({
          batch,
          expiry,
          expired: expiry !== null && expiry < context.today,
          quantity: quantityText(Number(quantity)),
        })),
    });
  const serials = (
    await sql<{
      item: Id;
      serial: string;
    }>`select item, serial from serials_held(${org}, ${serialised}::uuid[], array[${location}::uuid]) limit ${MOST_SERIALS}`.execute(
      trx,
    )
  ).rows;
  const numbers = new Map<Id, string[]>((serialised ?? []).map((id) => [id, []]));
  for (const { item, serial } of serials) numbers.get(item)?.push(serial);
  for (const [id, own] of numbers) found.set(id, { ...found.get(id), serials: own });
  return found;
}
