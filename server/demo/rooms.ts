import type { Id } from '../../domain/document/document.ts';
import { partItems } from './catalogue.ts';
import { type Place, post, type Shop, save } from './shop.ts';

/** Where stock rooms, batches and serial numbers are on: the rooms of the first place, and what is kept in them. */
export interface Rooms {
  readonly place: Place;
  readonly front: Id;
  readonly back: Id;
  readonly batched: Id;
  readonly serialised: Id;
  /** The months whose delivery came. */
  readonly delivered: Set<string>;
}

export async function addRooms(shop: Shop): Promise<Rooms | undefined> {
  const { isWarehouse, enableBatch, enableSerialization } = shop.context.settings;
  const [place] = shop.places;
  if (!place || !isWarehouse || !enableBatch || !enableSerialization) return undefined;
  const at = { location: place.location, type: 'own' };
  const front = await save(shop, 'warehouse', { code: 'FRONT', name: 'Shop floor', ...at });
  const back = await save(shop, 'warehouse', { code: 'BACK', name: 'Back store', ...at });
  const ids: Id[] = [];
  for (const item of partItems)
    ids.push(await save(shop, 'item', { ...item, type: 'stock', unit: 'NOS', gstRate: '18', treatment: 'taxable' }));
  return { place, front, back, batched: ids[0] ?? '', serialised: ids[1] ?? '', delivered: new Set() };
}

/** Once a month a delivery comes in batches and with serial numbers; some of it is sold soon after. */
export async function roomTrade(
  shop: Shop,
  { place, front, back, batched, serialised, delivered }: Rooms,
  day: string,
): Promise<void> {
  const month = day.slice(2, 7).replace('-', '');
  const at = { registration: place.registration, location: place.location };
  const [paint, drill] = partItems;
  const batch = { batch: `P${month}`, expiry: `${Number(day.slice(0, 4)) + 2}${day.slice(4, 8)}28` };
  const serials = [1, 2, 3, 4].map((n) => `DR${month}-${n}`);
  if (day.endsWith('-05')) {
    const lines = [
      {
        item: batched,
        quantity: '24',
        rate: paint.purchaseRate,
        room: back,
        batches: [{ ...batch, quantity: '24' }],
      },
      { item: serialised, quantity: '4', rate: drill.purchaseRate, room: front, serials },
    ];
    const bill = { party: shop.suppliers[0], reference: `PT-${month}`, referenceDate: day };
    delivered.add(month);
    await post(shop, day, { kind: 'purchaseBill', ...at, ...bill, lines });
  }
  if (day.endsWith('-12') && delivered.has(month)) {
    const lines = [
      { item: batched, quantity: '10', room: back, batches: [{ ...batch, quantity: '10' }] },
      { item: serialised, quantity: '2', room: front, serials: serials.slice(0, 2) },
    ];
    await post(shop, day, { kind: 'saleInvoice', ...at, party: shop.customers[6], lines });
  }
}
