import { createHash } from 'node:crypto';
import pg from 'pg';
import { generalConfiguration } from '../../contract/session.ts';
import { millionths } from '../../domain/base/decimal.ts';
import { hasSuppliersNumber } from '../../domain/document/checks/check.ts';
import type { Draft, DraftLine, Id } from '../../domain/document/document.ts';
import { isKind, kindOf } from '../../domain/document/kinds/index.ts';
import type { Kind } from '../../domain/document/kinds/kind.ts';
import { limitsOf } from '../../server/access/index.ts';
import type { Context } from '../../server/context.ts';
import { type How, prepareCancel } from '../../server/documents/posting/cancelling/cancel.ts';
import { type Poster, poster } from '../../server/documents/posting/queue.ts';
import { prepare } from '../../server/documents/posting/request/prepare.ts';
import type { Posted } from '../../server/documents/posting/types.ts';
import { brokenInvariants } from '../../server/kit/database/invariants.ts';
import { type Books, openBooks } from '../../server/kit/database/sql.ts';
import { newId } from '../../server/kit/ids.ts';
import { foundOrganisation } from '../../server/organisation/found.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { testedCache } from './posting-cache.ts';

export const TODAY = '2026-11-20';
const address = { line1: '1 Market Road', city: 'Bengaluru', pincode: '560001' };

export interface TestBooks {
  readonly organisation: number;
  readonly user: Id;
  readonly registration: Id;
  readonly location: Id;
  readonly other: Id;
  readonly customer: Id;
  readonly supplier: Id;
  readonly items: readonly Id[];
  readonly books: Books;
  readonly poster: Poster;
  context(more?: Partial<Context>): Context;
  draft(kind: string, more?: Partial<Draft>): Draft;
  /** Prepares and posts, as the call does. */
  post(draft: Draft, more?: Partial<Context>): Promise<Posted>;
  /** Frees what settles it, unless it says otherwise. */
  cancel(id: Id, reason?: string, how?: How): Promise<Posted>;
  ledger(code: string): Promise<Id>;
  /** What a document moved on each ledger, by its code: paise, a debit is positive. */
  entriesOf(document: Id): Promise<Readonly<Record<string, number>>>;
  end(): Promise<void>;
}

let founded = 0;

/** Tests that are about something else give supplier's numbers more than once. */
const numbersRepeat = {
  accepted: [
    { warning: 'duplicateBill', reason: 'Tests repeat the numbers of suppliers' },
    { warning: 'openingLate', reason: 'Tests bring in stock when they need it' },
    { warning: 'foundRateFar', reason: 'Tests bring in stock at any rate' },
    { warning: 'openedTwice', reason: 'Tests bring in stock more than once' },
    { warning: 'transferValue', reason: 'Tests send goods at any rate' },
  ],
};

const hasReasons = (kind: Kind): boolean => hasSuppliersNumber(kind) || kind.stock.effect === 'transferOut';

/**
 * An organisation with one GSTIN in Karnataka, two places, a customer, a supplier and items of ₹100 at 18 %, ready to
 * post. On `shared` connections, which stay open at its end: a new one learns every statement anew.
 */
export async function testBooks(
  db: TestDatabase,
  settings: Readonly<Record<string, unknown>> = {},
  itemCount = 10,
  shared?: Books,
  cache = testedCache(),
): Promise<TestBooks> {
  founded += 1;
  const kept = { tdsadjustments: true, ...settings };
  const number = founded;
  const client = await db.owner.connect();
  await client.query('begin');
  const made = await foundOrganisation(client, {
    code: `BOOKS${number}`,
    name: 'Test books',
    registrations: [
      {
        key: 'KA',
        gstin: '29AAGCS4821F1ZB',
        state: '29',
        legalName: 'Test books',
        kind: 'regular',
        einvoice: false,
        address,
        mark: '',
      },
    ],
    locations: [
      { key: 'A', code: 'A', name: 'Shop', registration: 'KA', isTax: true, isPhysical: true, address },
      { key: 'B', code: 'B', name: 'Store', registration: 'KA', isTax: false, isPhysical: true, address },
    ],
    settings: kept,
    people: [{ email: `owner${number}@books.test`, name: 'Owner', passwordHash: null, role: 'Owner' }],
  });
  const { organisation } = made;
  const [customer, supplier] = [newId(), newId()];
  await client.query(
    `
      insert into parties (organisation, id, code, name, side, category, gstin, pan, state, search)
      values
        (
          $1, $2, 'C1', 'Asha Traders', 'customer', 'registered', '29AAACA1111A1Z5', 'AAACA1111A', '29', 'asha traders'
        ),
        ($1, $3, 'S1', 'Mill Works', 'supplier', 'registered', '29AAACM2222A1Z5', 'AAACM2222A', '29', 'mill works')
    `,
    [organisation, customer, supplier],
  );
  const items = Array.from({ length: itemCount }, () => newId());
  await client.query(
    `
      insert into items (
        organisation, id, sku, name, service, stocked, hsn, unit, treatment, gst_rate, sale_rate,
        purchase_rate, search
      )
      select
        $1, id, 'SKU' || n, 'Item ' || n, false, true, '84713010', 'NOS', 'taxable', 180000, 100000000,
        60000000, 'item'
      from unnest($2::uuid[]) with ordinality t(id, n)
    `,
    [organisation, items],
  );
  await client.query('commit');
  client.release();
  const user = Object.values(made.users)[0] ?? '';
  const registration = made.registrations.KA ?? '';
  const location = made.locations.A ?? '';
  const books = shared ?? openBooks(db.url);
  const posting = poster(books.pool, { cache });
  const context = (more: Partial<Context> = {}): Context => ({
    books,
    organisation,
    organisationCode: `BOOKS${number}`,
    person: user,
    user,
    name: 'Owner',
    grants: new Map([['Manage Inventory', 5000]]),
    limits: limitsOf(null, more.grants ?? new Map([['Manage Inventory', 5000]])),
    locations: [],
    settings: generalConfiguration.parse(kept),
    today: TODAY,
    now: Date.parse(TODAY),
    key: undefined,
    digest: undefined,
    session: Buffer.alloc(0),
    may: () => true,
    still: () => undefined,
    require: () => undefined,
    sees: () => 'all',
    inTransaction: (work) => books.inTransaction({ organisation, user }, work),
    ...more,
  });
  return {
    organisation,
    user,
    registration,
    location,
    other: made.locations.B ?? '',
    customer,
    supplier,
    items,
    books,
    poster: posting,
    context,
    draft: (kind, more = {}) => ({
      kind,
      date: TODAY,
      registration,
      location,
      currency: 'INR',
      exchangeRate: millionths(1_000_000),
      lines: [],
      ...(isKind(kind) && hasReasons(kindOf(kind)) && numbersRepeat),
      ...more,
    }),
    post: async (draft, more) => posting.post(await prepare(context(more), draft)),
    cancel: async (id, reason = 'entered twice', how = { frees: true }) =>
      posting.post(await prepareCancel(context(), id, reason, how)),
    ledger: async (code) => {
      const { rows } = await db.owner.query('select id from ledgers where organisation = $1 and code = $2', [
        organisation,
        code,
      ]);
      return rows[0].id;
    },
    entriesOf: async (document) => {
      const { rows } = await db.owner.query<{ code: string; amount: number }>(
        `
          select l.code, sum(e.debit - e.credit)::float8 as amount
          from entries e
          join ledgers l on l.organisation = e.organisation and l.id = e.ledger
          where e.organisation = $1 and e.document = $2
          group by l.code
          order by l.code
        `,
        [organisation, document],
      );
      return Object.fromEntries(rows.map(({ code, amount }) => [code, amount]));
    },
    end: async () => {
      if (!shared) await books.end();
    },
  };
}

/** A line of an item: so many whole units at a rate in rupees. */
export const itemLine = (item: Id | undefined, quantity: number, rate: number): DraftLine => ({
  item: item ?? '',
  quantity: millionths(quantity * 1_000_000),
  rate: millionths(rate * 1_000_000),
});

/** A client that no guard holds. Its `leave` waits until the server has seen it go: else the owner could not drop the database. */
export async function superuserOf(db: TestDatabase): Promise<{ readonly client: pg.Client; leave(): Promise<void> }> {
  const client = new pg.Client({ connectionString: db.ownerUrl.replace('bahi_owner', 'postgres') });
  await client.connect();
  return {
    client,
    leave: async () => {
      await client.end();
      const present = `select from pg_stat_activity where datname = current_database() and usename = 'postgres'`;
      while ((await db.owner.query(present)).rowCount) await new Promise((again) => setTimeout(again, 20));
    },
  };
}

/** Seals until nothing is left: a transaction running anywhere in the server, of another test too, holds sealing back. */
export async function sealAll(db: TestDatabase): Promise<number> {
  let sealed = 0;
  for (let turn = 0; turn < 1000; turn++) {
    sealed += (await db.owner.query<{ n: number }>('select seal_finished(50000) as n')).rows[0]?.n ?? 0;
    const left = await db.owner.query(
      'select from edit_log l where not exists (select from seals s where s.organisation = l.organisation and s.log = l.id) limit 1',
    );
    if (left.rowCount === 0) return sealed;
    await new Promise((again) => setTimeout(again, 50));
  }
  throw new Error('the log was not sealed in 50 seconds');
}

export const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

let received = 0;
/** A bill of the supplier, with a number of its own: so many units of an item at a rate in rupees. */
export const receive = (books: TestBooks, item: Id | undefined, quantity: number, rate: number, date: string) =>
  books.post(
    books.draft('purchaseBill', {
      party: books.supplier,
      date,
      reference: `M-${++received}`,
      referenceDate: date,
      lines: [itemLine(item, quantity, rate)],
    }),
  );
export const sell = (books: TestBooks, item: Id | undefined, quantity: number, date = TODAY) =>
  books.post(books.draft('saleInvoice', { party: books.customer, date, lines: [itemLine(item, quantity, 100)] }));
/** Quantity in units and value in paise. */
export const stockBalance = async (
  db: TestDatabase,
  books: TestBooks,
  item: Id | undefined,
  location = books.location,
) => {
  const { rows } = await db.owner.query(
    'select quantity::float8 / 1000000 as quantity, value::int from item_balances where organisation = $1 and item = $2 and location = $3',
    [books.organisation, item, location],
  );
  return rows[0];
};
/** What each movement of a document costs by now, in paise. */
export const costsOf = async (db: TestDatabase, books: TestBooks, id: Id): Promise<number[]> => {
  const { rows } = await db.owner.query(
    'select distinct on (number) cost::int from movement_costs where organisation = $1 and document = $2 order by number, revision desc',
    [books.organisation, id],
  );
  return rows.map((r) => r.cost);
};
export const openOf = async (db: TestDatabase, id: Id): Promise<number> => {
  const { rows } = await db.owner.query('select open::int from open_items where document = $1', [id]);
  return rows[0]?.open;
};

/** Books of several settings in one database, which must be whole when they are closed. */
export function manyBooks(): {
  open(): Promise<TestDatabase>;
  more(settings?: Readonly<Record<string, unknown>>): Promise<TestBooks>;
  close(): Promise<void>;
} {
  let db: TestDatabase;
  let connections: Books;
  return {
    open: async () => {
      db = await testDatabase();
      connections = openBooks(db.url);
      return db;
    },
    more: (settings = {}) => testBooks(db, settings, undefined, connections),
    close: async () => {
      const broken = await brokenInvariants(db.owner);
      await connections.end();
      await db.drop();
      if (broken.length > 0) throw new Error(`broken: ${JSON.stringify(broken)}`);
    },
  };
}
