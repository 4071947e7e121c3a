import { sql } from 'kysely';
import { levels } from '../../contract/levels.ts';
import { screenNames } from '../../contract/screens.ts';
import { generalConfiguration } from '../../contract/session.ts';
import { addDays, addMonths, financialYearOf, todayIn } from '../../domain/base/dates.ts';
import { money, moneyText } from '../../domain/base/decimal.ts';
import { paise, sum } from '../../domain/base/money.ts';
import type { Id } from '../../domain/document/document.ts';
import { gstinCheckDigit } from '../../domain/tax/gst/gstin.ts';
import { unlimited } from '../access/index.ts';
import type { Context } from '../context.ts';
import { poster } from '../documents/index.ts';
import { importExchangeRates } from '../exchange/index.ts';
import { systemClock } from '../kit/clock.ts';
import { type Books, openBooks } from '../kit/database/sql.ts';
import { newId } from '../kit/ids.ts';
import type { Vault } from '../kit/secrets/secrets.ts';
import { categories, currencies, customers, items, rates, suppliers } from './catalogue.ts';
import { addCostCentres, addLists, priceListOf, sendOff } from './lists.ts';
import { EINVOICE_DAYS, joinSandboxGateway, signUpAtSandbox } from './portal.ts';
import { addRooms, roomTrade } from './rooms.ts';
import { round, underWay } from './round.ts';
import { type Place, post, type Shop, save as saveIn } from './shop.ts';

export { sandboxCredentials } from './portal.ts';

/** A small generator with a fixed seed: the demo is the same on every machine. */
const dice = (seed: number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
};

/**
 * Fills the demo organisations through the product's own calls, day by day, for the financial years up to today; tests
 * ask for fewer months.
 */
export async function seedDemo(
  url: string,
  vault: Vault,
  progress: (done: string) => void,
  sharmaMonths = 18,
): Promise<void> {
  const books = openBooks(url, 4);
  try {
    for (const [code, owner, months, perDay] of [
      ['SHARMA', 'owner@sharma.demo', sharmaMonths, 1.2],
      ['NOVA', 'owner@nova.demo', 4, 0.6],
    ] as const) {
      const shop = await openShop(books, code, owner);
      await addMasters(shop);
      const today = shop.context.today;
      await addRates(shop, addMonths(today, -months - 1), today);
      await joinSandboxGateway(shop.context, vault, shop.ledgers.get('1121') ?? '');
      await signUpAtSandbox(shop.context, vault, addDays(today, -EINVOICE_DAYS));
      const start = addMonths(financialYearOf(addMonths(today, -months)).start, 0);
      await trade(shop, start > addMonths(today, -months) ? start : addMonths(today, -months), today, perDay, (day) =>
        progress(`${code} ${day}  `),
      );
    }
  } finally {
    await books.end();
  }
}

async function openShop(books: Books, code: string, email: string): Promise<Shop> {
  const person =
    (await books.pool.query<{ id: string }>('select id from people where email = $1', [email])).rows[0]?.id ?? '';
  const own = (
    await books.pool.query<{ organisation: number; user: string }>(
      'select organisation, "user" from memberships_of($1) where code = $2',
      [person, code],
    )
  ).rows[0];
  if (!own) throw new Error(`${code} is not founded`);
  const inTransaction: Context['inTransaction'] = (work) => books.inTransaction(own, work);
  return inTransaction(async (trx): Promise<Shop> => {
    const organisation = (
      await sql<{
        settings: unknown;
      }>`select settings from organisations where organisation = ${own.organisation}`.execute(trx)
    ).rows[0];
    const places = await sql<Place>`
      select registration, id as location, code
      from locations
      where organisation = ${own.organisation} and is_physical
      order by code
    `.execute(trx);
    const ledgers = await sql<{
      code: string;
      id: Id;
    }>`select code, id from ledgers where organisation = ${own.organisation}`.execute(trx);
    const context: Context = {
      books,
      organisation: own.organisation,
      organisationCode: code,
      person,
      user: own.user,
      name: email,
      grants: new Map(screenNames.map((name) => [name, levels.full])),
      limits: unlimited,
      locations: [],
      settings: generalConfiguration.parse(organisation?.settings),
      today: todayIn(systemClock.now()),
      now: systemClock.now(),
      key: undefined,
      digest: undefined,
      session: Buffer.alloc(32),
      may: () => true,
      still: () => undefined,
      require: () => undefined,
      sees: () => 'all',
      inTransaction,
    };
    return {
      context,
      poster: poster(books.pool),
      places: places.rows,
      ledgers: new Map(ledgers.rows.map((r) => [r.code, r.id])),
      customers: [],
      suppliers: [],
      items: [],
    };
  });
}

async function addMasters(shop: Shop): Promise<void> {
  const save = (master: string, values: Record<string, unknown>) => saveIn(shop, master, values);
  const priceList = await priceListOf(shop);
  const party =
    (kind: 'customer' | 'supplier') =>
    async ([name, gstin, state, city, pincode, days]: (typeof customers)[number] | (typeof suppliers)[number]) => {
      const registered = gstin.length > 2;
      const overseas = gstin.length === 2;
      return save(kind, {
        name,
        ...(registered && { gstin: `${gstin}${gstinCheckDigit(gstin)}` }),
        category: overseas ? 'overseas' : registered ? 'registered' : 'unregistered',
        state,
        country: overseas ? gstin : 'IN',
        currency: overseas ? currencies[gstin as keyof typeof currencies] : 'INR',
        creditDays: days,
        ...(name === 'Metro Office Supplies' && { priceList }),
        ...((registered || overseas) && {
          email: `accounts@${name
            .toLowerCase()
            .replace(/[^a-z]+(private|limited)/g, '')
            .replace(/[^a-z]+/g, '-')}.example`,
        }),
        addresses: overseas ? [] : [{ type: 'both', line1: '14 Market Road', city, state, pincode, country: 'IN' }],
      });
    };
  await save('bank', {
    code: 'HDFC',
    bankName: 'HDFC Bank',
    accountName: shop.context.organisationCode,
    accountNumber: '50100012345678',
    ifsc: 'HDFC0000123',
    branch: 'Main',
    upi: `${shop.context.organisationCode.toLowerCase()}@hdfcbank`,
    ledger: shop.ledgers.get('1121'),
    isDefault: true,
  });
  for (const c of customers) shop.customers.push(await party('customer')(c));
  for (const s of suppliers) shop.suppliers.push(await party('supplier')(s));
  const categoryIds = new Map<string, Id>();
  for (const [code, name] of categories) categoryIds.set(code, await save('category', { code, name }));
  for (const [sku, name, hsn, gstRate, unit, saleRate, purchaseRate, type, category] of items) {
    const id = await save('item', {
      sku,
      name,
      type,
      hsn,
      gstRate,
      unit,
      category: categoryIds.get(category),
      treatment: gstRate === '0' ? 'exempt' : 'taxable',
      saleRate,
      purchaseRate,
    });
    shop.items.push({ id, stocked: type === 'stock', sale: Number(saleRate.replace('.', '')), cost: purchaseRate });
  }
  const [first] = shop.places;
  if (first)
    await save('till', {
      code: 'T1',
      name: 'Front till',
      location: first.location,
      prices: 'saleRate',
      printWidth: '80',
      discountLimit: '15',
      upiId: 'front.till@demobank',
    });
}

/** The rates of each Monday, which move a little, and what customs notified at the beginning of each month. */
async function addRates({ context }: Shop, start: string, end: string): Promise<void> {
  const random = dice(84);
  const rows = ['Date,Currency,Purpose,Rate,Source'];
  for (let day = start; day <= end; day = addDays(day, 1))
    for (const [currency, book, customs] of rates) {
      const moved = (rate: string) => moneyText(money(rate) + Math.floor(random() * 81) - 40);
      if (Math.floor(Date.parse(day) / 86_400_000 + 4) % 7 === 1)
        rows.push(`${day},${currency},Book,${moved(book)},Reference rate`);
      if (day.endsWith('-01')) rows.push(`${day},${currency},Customs,${moved(customs)},Notification of customs`);
    }
  await importExchangeRates({ content: rows.join('\n'), source: '' }, context);
}

async function trade(
  shop: Shop,
  start: string,
  end: string,
  perDay: number,
  progress: (day: string) => void,
): Promise<void> {
  const random = dice(20261121);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const places = shop.places;
  const at = (place: Place) => ({ registration: place.registration, location: place.location });
  const stocked = shop.items.filter((i) => i.stocked);
  const bank = shop.ledgers.get('1121');
  const cash = shop.ledgers.get('1110');
  const owed: { id: Id; party: Id; place: Place; due: string; kind: 'saleReceipt' | 'payment' }[] = [];
  const domestic = shop.customers.slice(0, 11);

  const [first] = places;
  // the capital answers for the opening stock too: opening balances that differ would hinder the closing of the year
  const stock = sum(stocked.map((i) => paise(money(i.cost) * 400 * places.length)));
  if (first)
    await post(shop, start, {
      kind: 'openingBalance',
      ...at(first),
      lines: [
        { ledger: bank, debit: '2500000.00' },
        { ledger: cash, debit: '85000.00' },
        { ledger: shop.ledgers.get('3110'), credit: moneyText(money('2585000.00') + stock) },
      ],
      narration: 'Books begin',
    });
  for (const place of places)
    await post(shop, start, {
      kind: 'openingStock',
      ...at(place),
      lines: stocked.map((i) => ({ item: i.id, quantity: '400', rate: i.cost })),
    });

  const lines = (count: number, most: number) =>
    Array.from({ length: count }, () => ({
      item: pick(shop.items).id,
      quantity: String(1 + Math.floor(random() * most)),
    }));
  // what was sold at a place is bought again there, and a little more for what is sold abroad and at the till
  const sold = new Map<string, number>();
  const sell = (place: Place, all: ReturnType<typeof lines>) => {
    for (const { item, quantity } of all)
      sold.set(`${place.location}/${item}`, (sold.get(`${place.location}/${item}`) ?? 0) + Number(quantity));
    return all;
  };
  const rooms = await addRooms(shop);
  if (rooms) await addCostCentres(shop);
  for (let day = start; day <= end; day = addDays(day, 1)) {
    progress(day);
    if (rooms) await roomTrade(shop, rooms, day);
    const weekday = Math.floor(Date.parse(day) / 86_400_000 + 4) % 7;
    if (weekday === 0) continue;
    const place = pick(places);
    const short = stocked.filter((i) => (sold.get(`${place.location}/${i.id}`) ?? 0) >= 10);
    if (weekday === 1 && short.length > 0) {
      const bill = {
        kind: 'purchaseBill',
        ...at(place),
        party: pick(shop.suppliers.slice(0, 3)),
        reference: `S/${place.code}/${day.replaceAll('-', '')}`,
        referenceDate: day,
        lines: short.map((i) => ({
          item: i.id,
          quantity: String((sold.get(`${place.location}/${i.id}`) ?? 0) + (money(i.cost) < 30_000 ? 20 : 3)),
          rate: i.cost,
        })),
      };
      for (const i of short) sold.delete(`${place.location}/${i.id}`);
      owed.push({
        id: await post(shop, day, bill),
        party: bill.party,
        place,
        due: addDays(day, 25 + Math.floor(random() * 30)),
        kind: 'payment',
      });
    }
    for (let n = random() * perDay * 2; n > 0.5; n -= 1) {
      const party = pick(domestic);
      const consumer = shop.customers.indexOf(party) >= 9;
      const goods = sell(place, lines(1 + Math.floor(random() * 4), 12));
      const id = await post(shop, day, {
        kind: consumer ? 'b2cInvoice' : 'saleInvoice',
        ...at(place),
        party,
        reference: random() < 0.5 ? `PO-${Math.floor(random() * 9000 + 1000)}` : undefined,
        lines: goods,
      });
      if (random() < 0.85)
        owed.push({ id, party, place, due: addDays(day, 10 + Math.floor(random() * 50)), kind: 'saleReceipt' });
      if (random() < 0.04 && !consumer) {
        const cut = pick(goods);
        await post(shop, day, {
          kind: 'saleCreditNote',
          ...at(place),
          party,
          against: id,
          reason: 'Post-sale discount',
          lines: [
            { item: cut.item, quantity: '1', rate: '20.00', source: { document: id, line: goods.indexOf(cut) + 1 } },
          ],
        }).catch(skipExceeded);
      }
    }
    if (random() < 0.5) await post(shop, day, { kind: 'cashSale', ...at(place), lines: sell(place, lines(1, 3)) });
    if (random() < 0.12)
      await post(shop, day, { kind: 'quotation', ...at(place), party: pick(domestic), lines: lines(3, 20) });
    if (random() < 0.1)
      await post(shop, day, { kind: 'saleOrder', ...at(place), party: pick(domestic), lines: lines(2, 15) });
    if (random() < 0.08)
      await post(shop, day, {
        kind: 'purchaseOrder',
        ...at(place),
        party: pick(shop.suppliers.slice(0, 3)),
        lines: lines(2, 80),
      });
    if (random() < 0.15)
      await post(shop, day, {
        kind: 'expense',
        ...at(place),
        moneyLedger: cash,
        lines: [
          {
            ledger: shop.ledgers.get(pick(['6430', '6485', '6465', '6425'])),
            description: 'Day to day',
            rate: String(200 + Math.floor(random() * 1500)),
          },
        ],
      });
    if (weekday === 4)
      await post(shop, day, {
        kind: 'expense',
        ...at(place),
        party: shop.suppliers[5],
        reference: `RA-${day.replaceAll('-', '')}`,
        referenceDate: day,
        tdsSection: '194J(b)',
        lines: [
          { ledger: shop.ledgers.get('6435'), description: 'Accounting of the week', rate: '4500.00', gstRate: '18' },
        ],
      });
    if (day.endsWith('-01'))
      await post(shop, day, {
        kind: 'manualJournal',
        ...at(place),
        lines: [
          { ledger: shop.ledgers.get('6410'), debit: '45000.00' },
          { ledger: shop.ledgers.get('2320'), credit: '45000.00' },
        ],
        narration: 'Rent of the month',
      });
    if (/-(01|04|07|10)-1[2-7]$/.test(day) && weekday === 2 && shop.context.organisationCode === 'SHARMA')
      await round(shop, day);
    for (const item of owed.filter((o) => o.due === day)) await settle(shop, day, item, bank);
  }
  await addLists(shop, end);
  if (shop.context.organisationCode !== 'SHARMA') return;
  await underWay(shop, end);
  await sendOff(shop, end);
}

/** A price cut beyond what is left of its invoice is refused; the demo goes on without it. */
const skipExceeded = (error: unknown): void => {
  if ((error as { code?: string }).code !== 'sourceExceeded') throw error;
};

async function settle(
  shop: Shop,
  day: string,
  item: { readonly id: Id; readonly party: Id; readonly place: Place; readonly kind: string },
  bank: Id | undefined,
): Promise<void> {
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
    registration: item.place.registration,
    location: item.place.location,
    party: item.party,
    moneyLedger: bank,
    amount,
    reference: `UTR${newId().slice(-8)}`,
    allocations: [{ document: item.id, amount }],
  });
}
