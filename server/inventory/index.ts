import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { inventoryCalls } from '../../contract/inventory.ts';
import { quantityText } from '../../domain/base/decimal.ts';
import { say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import { kindCalled, kindFor } from '../../domain/document/kinds/index.ts';
import { partName } from '../../domain/stock/parts.ts';
import type { Context } from '../context.ts';
import { type documentHandlers, viewDocument, whyNot } from '../documents/index.ts';
import { Problems } from '../kit/problems.ts';
import { holdOf, known, placesOf, roomOf, standings, type Trx } from './stands.ts';

type Documents = ReturnType<typeof documentHandlers>;
type Calls = Handlers<typeof inventoryCalls, Context>;

/**
 * The drafts among ids, each in the version that was seen (0: it was seen as a posted document). A draft without a version is a
 * problem; one that was posted, changed or deleted since is refused, before anything is cancelled.
 */
async function draftsAsSeen(trx: Trx, context: Context, seen: ReadonlyMap<Id, number>): Promise<Id[]> {
  const { rows } = await sql<{ id: Id; version: number }>`
    select id, version
      from drafts
     where organisation = ${context.organisation}
       and id = any(${[...seen.keys()]}::uuid[])`.execute(trx);
  const kept = new Map(rows.map(({ id, version }) => [id, version]));
  for (const [id, version] of seen) {
    if (version === 0 && kept.has(id))
      throw new Problems([{ field: 'versions', ...say('Send the version that was seen of each draft') }]);
    if (version !== 0 && kept.get(id) !== version) throw await whyNot(trx, context, id);
  }
  return [...kept.keys()];
}

const adjustStock =
  (documents: Documents): Calls['CUDInventory'] =>
  async ({ date, registration, location, reason, narration, lines, accepted }, context) => {
    const document = {
      kind: kindFor('stockAdjustment'),
      date,
      registration,
      location,
      currency: 'INR',
      exchangeRate: 1_000_000,
      lines,
      fields: { adjustmentReason: reason },
      ...(narration !== undefined && { narration }),
    };
    const { TransactionId, TransactionNumber, warnings } = await documents.PostTransactionCalls(
      { document: document as never, ...(accepted && { accepted }) },
      context,
    );
    return { TransactionId, TransactionNumber, warnings };
  };

const availabilityBySku: Calls['CheckUpdatedInventoryForItemSKU'] = ({ lines, location }, context) =>
  context.inTransaction(async (trx) => {
    const { rows } = await sql<{
      id: Id;
      sku: string;
    }>`
      select id, sku
      from items
      where organisation = ${context.organisation}
        and upper(sku) = any(${lines.map((l) => l.sku.toUpperCase())}::text[])
    `.execute(trx);
    const bySku = new Map(rows.map((r) => [r.sku.toUpperCase(), r.id]));
    const held = await holdOf(
      trx,
      context,
      rows.map((r) => r.id),
      placesOf(context, location),
    );
    return lines.map(({ sku, quantity }) => {
      const item = bySku.get(sku.toUpperCase()) ?? null;
      const onHand = item === null ? 0 : (held.get(item) ?? 0);
      return { sku, item, onHand: quantityText(onHand), enough: item !== null && onHand >= quantity };
    });
  });

const releaseReserved: Calls['ReleaseInventory'] = ({ TransactionId }, context) =>
  context.inTransaction(async (trx) => {
    const { rows } = await sql<{
      kind: string;
    }>`select kind from documents where organisation = ${context.organisation} and id = ${TransactionId}::uuid`.execute(
      trx,
    );
    // nothing but an order holds goods
    if (kindCalled(rows[0]?.kind ?? '')?.stock.effect !== 'reserve') throw new Refusal('notFound');
    const freed = await standingOrders(trx, context, TransactionId);
    await sql`
      insert into freed_orders (organisation, document, by)
      values (${context.organisation}, ${TransactionId}::uuid, ${context.user})
      on conflict do nothing
    `.execute(trx);
    return freed;
  });

const cancelOrDelete =
  (documents: Documents): Calls['CancelOrDeleteTransactionInventory'] =>
  async ({ TransactionIds, versions = [], reason, frees, today }, context) => {
    const seen = new Map(TransactionIds.map((id, place) => [id, versions[place] ?? 0]));
    const drafts = await context.inTransaction((trx) => draftsAsSeen(trx, context, seen));
    const posted = TransactionIds.filter((id) => !drafts.includes(id));
    const { cancelled } =
      posted.length > 0
        ? await documents.CancelTransaction(
            { TransactionIds: posted, TransactionType: '', reason, frees, today },
            context,
          )
        : { cancelled: [] };
    const { deleted } =
      drafts.length > 0
        ? await documents.DeleteMultipleTransaction(
            { TransactionIds: drafts, versions: drafts.map((id) => seen.get(id) ?? 0) },
            context,
          )
        : { deleted: 0 };
    return { cancelled, deleted };
  };

const batchesAndSerials: Calls['GetItemBatchSerial'] = ({ item, location }, context) =>
  context.inTransaction(async (trx) => {
    await known(trx, context, item);
    const places = placesOf(context, location);
    const batches = await sql<{
      batch: string;
      expiry: string | null;
      quantity: string;
    }>`
      select batch, min(expiry)::text as expiry, sum(quantity) as quantity
      from batches_held(${context.organisation}, array[${item}::uuid], ${places}::uuid[])
      group by batch
      order by min(expiry) nulls last, batch
    `.execute(trx);
    const serials = await sql<{
      serial: string;
    }>`select serial from serials_held(${context.organisation}, array[${item}::uuid], ${places}::uuid[]) order by serial`.execute(
      trx,
    );
    return {
      batches: batches.rows.map((b) => ({
        batch: b.batch,
        expiry: b.expiry,
        expired: b.expiry !== null && b.expiry < context.today,
        quantity: quantityText(Number(b.quantity)),
      })),
      serials: serials.rows.map((s) => s.serial),
    };
  });

const PAGE = 200;

const stockAtLocation: Calls['PhysicalLocationInventory'] = ({ location, after }, context) =>
  context.inTransaction(async (trx) => {
    const places = placesOf(context, location);
    const [sku = '', end] = after?.split('\u001f') ?? [];
    const { rows: there } =
      await sql`select from locations where organisation = ${context.organisation} and id = ${location}::uuid and not is_transit`.execute(
        trx,
      );
    if (there.length === 0) throw new Refusal('notFound');
    const { rows } = await sql<{ item: Id; sku: string; name: string; unit: string; quantity: string }>`
      select b.item, i.sku, i.name, i.unit, b.quantity
      from item_balances b
      join items i on i.organisation = b.organisation and i.id = b.item
      where b.organisation = ${context.organisation}
        and b.location = any(${places}::uuid[])
        and b.quantity <> 0
        and i.sku > ${end === undefined ? '' : sku}
      order by i.sku
      limit ${PAGE + 1}
    `.execute(trx);
    return {
      rows: rows.slice(0, PAGE).map((r) => ({ ...r, quantity: quantityText(Number(r.quantity)) })),
      after: rows.length > PAGE ? `${rows[PAGE - 1]?.sku}\u001f` : null,
    };
  });

const quantityInRoom: Calls['GetItemQtyForStockRoom'] = ({ item, room }, context) =>
  context.inTransaction(async (trx) => {
    await known(trx, context, item);
    await roomOf(trx, context, room);
    const { rows } = await sql<{
      quantity: string;
    }>`
      select coalesce(sum(quantity), 0) as quantity
      from movements
      where organisation = ${context.organisation} and room = ${room}::uuid and item = ${item}::uuid
    `.execute(trx);
    return { quantity: quantityText(Number(rows[0]?.quantity ?? 0)) };
  });

const roomsOfInvoice: Calls['GetStockRoomWiseNewQtyForInvoiceReturns'] = async ({ TransactionId }, context) => {
  const view = await viewDocument(context, { id: TransactionId });
  if (view.draft) throw new Refusal('notFound');
  return context.inTransaction(async (trx) => {
    const { rows } = await sql<{ line: number; room: Id; name: string }>`
      select distinct on (m.line) m.line, m.room, r.name
      from movements m
      join masters r on r.organisation = m.organisation and r.id = m.room
      where m.organisation = ${context.organisation}
        and m.document = ${TransactionId}::uuid
        and m.room is not null
      order by m.line, m.number
    `.execute(trx);
    return view.lines.map((l) => {
      const room = rows.find((r) => r.line === l.number);
      return {
        line: l.number,
        item: l.item,
        room: room?.room ?? null,
        roomName: room?.name ?? null,
        quantity: l.quantity,
        left: l.openQuantity,
      };
    });
  });
};

const verifyLots: Calls['VerifylotSeriesNo'] = ({ item, lots, location }, context) =>
  context.inTransaction(async (trx) => {
    await known(trx, context, item);
    const names = [...new Set(lots.split(',').map(partName).filter(Boolean))];
    const { rows } = await sql<{ lot: string; known: boolean; quantity: string | null; expiry: string | null }>`
      select
        t.lot, count(m.quantity) > 0 as known,
        sum(m.quantity) filter (
          where ${placesOf(context, location)}::uuid[] = '{}'
            or m.location = any(${placesOf(context, location)}::uuid[])
        ) as quantity,
        min(m.expiry)::text as expiry
      from unnest(${names}::text[]) with ordinality t(lot, n)
      left join lateral (
        select *
        from part_moves(${context.organisation}, ${item}::uuid, 'batch', t.lot)
        union all
        select *
        from part_moves(${context.organisation}, ${item}::uuid, 'serial', t.lot)
      ) m on true
      group by t.lot, t.n
      order by t.n
    `.execute(trx);
    return rows.map((r) => ({
      lot: r.lot,
      known: r.known,
      quantity: quantityText(Number(r.quantity ?? 0)),
      expiry: r.expiry,
    }));
  });

/** The calls about stock; what changes it posts or cancels documents, as their own calls do. */
export const inventoryHandlers = (documents: Documents): Calls => ({
  CUDInventory: adjustStock(documents),
  GetInventoryQtyForTransactions: ({ item, location }, context) =>
    context.inTransaction(async (trx) => {
      const [found] = await standings(trx, context, [item], placesOf(context, location));
      if (!found) throw new Refusal('notFound');
      return found;
    }),
  GetInventoryQtyListForTransactionsSP: ({ items, location }, context) =>
    context.inTransaction((trx) => standings(trx, context, items, placesOf(context, location))),
  CheckUpdatedInventoryForItemSKU: availabilityBySku,
  ReleaseInventory: releaseReserved,
  CancelOrDeleteTransactionInventory: cancelOrDelete(documents),
  CancelInvoiceListScreen: (input, context) => documents.CancelTransaction(input, context),
  GetItemBatchSerial: batchesAndSerials,
  PhysicalLocationInventory: stockAtLocation,
  GetItemQtyForStockRoom: quantityInRoom,
  GetPhysicalLocationIdForStockRoom: ({ room }, context) =>
    context.inTransaction(async (trx) => ({ location: await roomOf(trx, context, room) })),
  IsInventoryAllocated: ({ item, location }, context) =>
    context.inTransaction(async (trx) => {
      const [found] = await standings(trx, context, [item], placesOf(context, location));
      if (!found) throw new Refusal('notFound');
      return { allocated: found.reserved !== '0', reserved: found.reserved };
    }),
  GetStockRoomWiseNewQtyForInvoiceReturns: roomsOfInvoice,
  VerifylotSeriesNo: verifyLots,
});

/** What an order holds, by item. */
async function standingOrders(
  trx: Trx,
  { organisation }: Context,
  order: Id,
): Promise<{ item: Id; quantity: string }[]> {
  const { rows } = await sql<{ item: Id; quantity: string }>`
    select r.item, sum(r.quantity) as quantity
    from documents d
    cross join lateral stock_reserved(
      ${organisation}, array[d.kind],
      (
        select array_agg(distinct l.item)
        from document_lines l
        where l.organisation = d.organisation and l.document = d.id and l.item is not null
      ),
      '{}'
    ) r
    where d.organisation = ${organisation} and d.id = ${order}::uuid and r.document = d.id and r.quantity > 0
    group by r.item
    order by r.item
  `.execute(trx);
  return rows.map((r) => ({ item: r.item, quantity: quantityText(Number(r.quantity)) }));
}
