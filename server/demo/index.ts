import { sql } from 'kysely';
import { levels } from '../../contract/levels.ts';
import { screenNames } from '../../contract/screens.ts';
import { generalConfiguration } from '../../contract/session.ts';
import { addDays, addMonths, financialYearOf, todayIn } from '../../domain/base/dates.ts';
import { money, moneyText } from '../../domain/base/decimal.ts';
import type { Id } from '../../domain/document/document.ts';
import { type BusinessName, businesses } from '../../domain/facts/businesses.ts';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { unlimited } from '../access/index.ts';
import type { Context } from '../context.ts';
import { poster } from '../documents/index.ts';
import { importExchangeRates } from '../exchange/index.ts';
import { systemClock } from '../kit/clock.ts';
import { type Books, openBooks } from '../kit/database/sql.ts';
import type { Vault } from '../kit/secrets/secrets.ts';
import { categories, currencies, customers, items, rates, suppliers } from './catalogue.ts';
import { dice } from './dice.ts';
import { priceListOf } from './lists.ts';
import { EINVOICE_DAYS, joinSandboxGateway, signUpAtSandbox } from './portal.ts';
import { type Place, type Shop, save as saveIn } from './shop.ts';
import { trade } from './trade.ts';

export { sandboxCredentials } from './portal.ts';

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
    for (const [code, owner, months, perDay, business] of [
      ['SHARMA', 'owner@sharma.demo', sharmaMonths, 1.2, 'trader'],
      ['NOVA', 'owner@nova.demo', 4, 0.6, 'shop'],
    ] as const) {
      const shop = await openShop(books, code, owner);
      await sayBusiness(shop.context, business);
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

/** Its menu shows what this sort of business uses, and what is posted. */
const sayBusiness = ({ organisation, inTransaction }: Context, business: BusinessName) =>
  inTransaction((trx) =>
    sql`
      update organisations
      set body = body || jsonb_build_object('businessType', ${businesses[business].label}::text)
      where organisation = ${organisation}
    `.execute(trx),
  );

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
