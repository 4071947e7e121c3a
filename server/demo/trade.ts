import { sql } from 'kysely';
import { addDays } from '../../domain/base/dates.ts';
import { money, moneyText } from '../../domain/base/decimal.ts';
import { paise, sum } from '../../domain/base/money.ts';
import type { Id } from '../../domain/document/document.ts';
import { newId } from '../kit/ids.ts';
import { dice } from './dice.ts';
import { addCostCentres, addLists, sendOff } from './lists.ts';
import { addRooms, roomTrade } from './rooms.ts';
import { round, underWay } from './round.ts';
import { type Place, post, type Shop } from './shop.ts';

/** What is to be paid, and when. */
interface Due {
  readonly id: Id;
  readonly party: Id;
  readonly place: Place;
  readonly due: string;
  readonly kind: 'saleReceipt' | 'payment';
}

interface Line {
  readonly item: Id;
  readonly quantity: string;
}

/** The trade of a shop: what was sold and is to be bought again, and what is to be paid. */
interface Trade {
  readonly shop: Shop;
  readonly random: () => number;
  pick<T>(all: readonly T[]): T;
  /** So many lines of at most so many pieces. */
  lines(count: number, most: number): readonly Line[];
  /** By place and item, since it was bought last. */
  readonly sold: Map<string, number>;
  readonly owed: Due[];
}

const openTrade = (shop: Shop): Trade => {
  const random = dice(20261121);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const lines = (count: number, most: number) =>
    Array.from({ length: count }, () => ({
      item: pick(shop.items).id,
      quantity: String(1 + Math.floor(random() * most)),
    }));
  return { shop, random, pick, lines, sold: new Map(), owed: [] };
};

const at = ({ registration, location }: Place) => ({ registration, location });
const weekdayOf = (day: string): number => Math.floor(Date.parse(day) / 86_400_000 + 4) % 7;
const stockedIn = (shop: Shop) => shop.items.filter((item) => item.stocked);
/** The suppliers of goods. */
const suppliersOf = (shop: Shop) => shop.suppliers.slice(0, 3);
/** The customers in India. The last of them are consumers. */
const domesticOf = (shop: Shop) => shop.customers.slice(0, 11);

/** Trades day by day; on Sundays the shop is closed. */
export async function trade(
  shop: Shop,
  start: string,
  end: string,
  perDay: number,
  progress: (day: string) => void,
): Promise<void> {
  const its = openTrade(shop);
  await beginBooks(shop, start);
  const rooms = await addRooms(shop);
  if (rooms) await addCostCentres(shop);
  for (let day = start; day <= end; day = addDays(day, 1)) {
    progress(day);
    if (rooms) await roomTrade(shop, rooms, day);
    if (weekdayOf(day) !== 0) await tradeOn(its, day, perDay);
  }
  await addLists(shop, end);
  if (shop.context.organisationCode !== 'SHARMA') return;
  await underWay(shop, end);
  await sendOff(shop, end);
}

/** Opening balances and opening stock. */
async function beginBooks(shop: Shop, start: string): Promise<void> {
  const { places, ledgers } = shop;
  const stocked = stockedIn(shop);
  // the capital answers for the opening stock too: opening balances that differ would hinder the closing of the year
  const stock = sum(stocked.map((item) => paise(money(item.cost) * 400 * places.length)));
  const [first] = places;
  if (first)
    await post(shop, start, {
      kind: 'openingBalance',
      ...at(first),
      lines: [
        { ledger: ledgers.get('1121'), debit: '2500000.00' },
        { ledger: ledgers.get('1110'), debit: '85000.00' },
        { ledger: ledgers.get('3110'), credit: moneyText(money('2585000.00') + stock) },
      ],
      narration: 'Books begin',
    });
  for (const place of places)
    await post(shop, start, {
      kind: 'openingStock',
      ...at(place),
      lines: stocked.map((item) => ({ item: item.id, quantity: '400', rate: item.cost })),
    });
}

/** A day at one of the places. The generator is asked in a fixed order: another order makes another demo. */
async function tradeOn(its: Trade, day: string, perDay: number): Promise<void> {
  const place = its.pick(its.shop.places);
  await buyAgain(its, day, place);
  for (let n = its.random() * perDay * 2; n > 0.5; n -= 1) await invoice(its, day, place);
  for (const { chance, document } of nowAndThen)
    if (its.random() < chance) await postAt(its, day, place, document(its, place));
  for (const { isOn, document } of calendar) if (isOn(day)) await postAt(its, day, place, document(its, place, day));
  if (hasRound(its.shop, day)) await round(its.shop, day);
  for (const due of its.owed.filter((each) => each.due === day)) await settle(its.shop, day, due);
}

type Document = Parameters<typeof post>[2];
const postAt = ({ shop }: Trade, day: string, place: Place, { kind, ...document }: Document) =>
  post(shop, day, { kind, ...at(place), ...document });

/** The whole round of documents, in the first month of a quarter. */
const hasRound = ({ context }: Shop, day: string): boolean =>
  /-(01|04|07|10)-1[2-7]$/.test(day) && weekdayOf(day) === 2 && context.organisationCode === 'SHARMA';

const soldAt = ({ sold }: Trade, place: Place, item: Id): number => sold.get(`${place.location}/${item}`) ?? 0;

/** What was sold at a place is bought again there, and a little more for what is sold abroad and at the till. */
const sell = (its: Trade, place: Place, lines: readonly Line[]): readonly Line[] => {
  for (const { item, quantity } of lines)
    its.sold.set(`${place.location}/${item}`, soldAt(its, place, item) + Number(quantity));
  return lines;
};

/** On Mondays what has become short is bought. */
async function buyAgain(its: Trade, day: string, place: Place): Promise<void> {
  const { shop, random, pick, sold, owed } = its;
  const short = stockedIn(shop).filter((item) => soldAt(its, place, item.id) >= 10);
  if (weekdayOf(day) !== 1 || short.length === 0) return;
  const bill = {
    kind: 'purchaseBill',
    ...at(place),
    party: pick(suppliersOf(shop)),
    reference: `S/${place.code}/${day.replaceAll('-', '')}`,
    referenceDate: day,
    lines: short.map((item) => ({
      item: item.id,
      quantity: String(soldAt(its, place, item.id) + (money(item.cost) < 30_000 ? 20 : 3)),
      rate: item.cost,
    })),
  };
  for (const item of short) sold.delete(`${place.location}/${item.id}`);
  const id = await post(shop, day, bill);
  owed.push({ id, party: bill.party, place, due: addDays(day, 25 + Math.floor(random() * 30)), kind: 'payment' });
}

/** An invoice, which most customers pay; of some the price is cut afterwards. */
async function invoice(its: Trade, day: string, place: Place): Promise<void> {
  const { shop, random, pick, owed } = its;
  const party = pick(domesticOf(shop));
  const isConsumer = shop.customers.indexOf(party) >= 9;
  const goods = sell(its, place, its.lines(1 + Math.floor(random() * 4), 12));
  const id = await post(shop, day, {
    kind: isConsumer ? 'b2cInvoice' : 'saleInvoice',
    ...at(place),
    party,
    reference: random() < 0.5 ? `PO-${Math.floor(random() * 9000 + 1000)}` : undefined,
    lines: goods,
  });
  if (random() < 0.85)
    owed.push({ id, party, place, due: addDays(day, 10 + Math.floor(random() * 50)), kind: 'saleReceipt' });
  if (random() < 0.04 && !isConsumer) {
    const cut = pick(goods);
    const source = { document: id, line: goods.indexOf(cut) + 1 };
    await post(shop, day, {
      kind: 'saleCreditNote',
      ...at(place),
      party,
      against: id,
      reason: 'Post-sale discount',
      lines: [{ item: cut.item, quantity: '1', rate: '20.00', source }],
    }).catch(skipExceeded);
  }
}

/** A price cut beyond what is left of its invoice is refused; the demo goes on without it. */
const skipExceeded = (error: unknown): void => {
  if ((error as { code?: string }).code !== 'sourceExceeded') throw error;
};

/** Documents that come up now and then, and the chance that a day has one. */
const nowAndThen: readonly { readonly chance: number; document(its: Trade, place: Place): Document }[] = [
  { chance: 0.5, document: (its, place) => ({ kind: 'cashSale', lines: sell(its, place, its.lines(1, 3)) }) },
  {
    chance: 0.12,
    document: ({ shop, pick, lines }) => ({ kind: 'quotation', party: pick(domesticOf(shop)), lines: lines(3, 20) }),
  },
  {
    chance: 0.1,
    document: ({ shop, pick, lines }) => ({ kind: 'saleOrder', party: pick(domesticOf(shop)), lines: lines(2, 15) }),
  },
  {
    chance: 0.08,
    document: ({ shop, pick, lines }) => ({
      kind: 'purchaseOrder',
      party: pick(suppliersOf(shop)),
      lines: lines(2, 80),
    }),
  },
  {
    chance: 0.15,
    document: ({ shop, pick, random }) => ({
      kind: 'expense',
      moneyLedger: shop.ledgers.get('1110'),
      lines: [
        {
          ledger: shop.ledgers.get(pick(['6430', '6485', '6465', '6425'])),
          description: 'Day to day',
          rate: String(200 + Math.floor(random() * 1500)),
        },
      ],
    }),
  },
];

/** Documents of fixed days. */
const calendar: readonly {
  isOn(day: string): boolean;
  document(its: Trade, place: Place, day: string): Document;
}[] = [
  {
    isOn: (day) => weekdayOf(day) === 4,
    document: ({ shop }, _, day) => ({
      kind: 'expense',
      party: shop.suppliers[5],
      reference: `RA-${day.replaceAll('-', '')}`,
      referenceDate: day,
      tdsSection: '194J(b)',
      lines: [
        { ledger: shop.ledgers.get('6435'), description: 'Accounting of the week', rate: '4500.00', gstRate: '18' },
      ],
    }),
  },
  {
    isOn: (day) => day.endsWith('-01'),
    document: ({ shop }) => ({
      kind: 'manualJournal',
      lines: [
        { ledger: shop.ledgers.get('6410'), debit: '45000.00' },
        { ledger: shop.ledgers.get('2320'), credit: '45000.00' },
      ],
      narration: 'Rent of the month',
    }),
  },
];

/** Pays what is open of a document, by the bank. */
async function settle(shop: Shop, day: string, item: Due): Promise<void> {
  const open = await shop.context.inTransaction(
    async (trx) =>
      (
        await sql<{
          open: string;
        }>`select open from open_items where organisation = ${shop.context.organisation} and document = ${item.id}`.execute(
          trx,
        )
      ).rows[0]?.open,
  );
  if (!open || open === '0') return;
  const amount = `${open.slice(0, -2) || '0'}.${open.slice(-2).padStart(2, '0')}`;
  await post(shop, day, {
    kind: item.kind,
    ...at(item.place),
    party: item.party,
    moneyLedger: shop.ledgers.get('1121'),
    amount,
    reference: `UTR${newId().slice(-8)}`,
    allocations: [{ document: item.id, amount }],
  });
}
