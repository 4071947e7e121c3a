import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  itemLine,
  receive,
  sealAll,
  sell,
  superuserOf,
  type TestBooks,
  TODAY,
  testBooks,
} from '../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../tools/testing/database.ts';
import { tampers } from '../../tools/testing/tampers.ts';
import { checks } from './invariant-checks.ts';
import { brokenInvariants, sweep } from './invariants.ts';
import { rebuildProjections } from './rebuild.ts';

let db: TestDatabase;
let books: TestBooks;
let superuser: pg.Client;
let leave: () => Promise<void>;
let sale: string;
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db);
  const opened = await superuserOf(db);
  superuser = opened.client;
  leave = opened.leave;
  await books.post(
    books.draft('purchaseBill', {
      party: books.supplier,
      reference: 'M-1',
      referenceDate: TODAY,
      lines: [itemLine(books.items[0], 50, 60)],
    }),
  );
  sale = (
    await books.post(books.draft('saleInvoice', { party: books.customer, lines: [itemLine(books.items[0], 2, 100)] }))
  ).id;
  const back = { ...itemLine(books.items[0], 1, 100), source: { document: sale, line: 1 } };
  await books.post(books.draft('saleReturn', { party: books.customer, against: sale, reason: '01', lines: [back] }));
  await books.post(
    books.draft('branchTransfer', {
      toLocation: books.other,
      toRegistration: books.registration,
      lines: [itemLine(books.items[0], 4, 0)],
    }),
  );
  const wrong = await books.post(
    books.draft('saleInvoice', { party: books.customer, lines: [itemLine(books.items[0], 1, 100)] }),
  );
  await books.cancel(wrong.id);
  await sealAll(db);
});
afterAll(async () => {
  await leave();
  await books.end();
  await db.drop();
});

test('everything holds in books that the product made', async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
  expect((await sweep(db.owner)).length).toBe(checks.length + 2);
});

test('a sweep that could not see says so', async () => {
  await expect(sweep(db.app)).rejects.toThrow(/sees no organisation/);
});

test('every check is broken by one of them', () => {
  const found = new Set(tampers.flatMap(([, , ids]) => ids));
  expect([...checks.map((check) => check.id), 'INV-24a', 'INV-44d'].filter((id) => !found.has(id))).toEqual([]);
});

test.each(tampers)('tampering is found: %s', async (_, sql, found) => {
  await keep();
  try {
    await superuser.query(`set session_replication_role = replica`);
    for (const statement of sql.split('; ')) await superuser.query(statement, statement.includes('$1') ? [sale] : []);
    const ids = (await brokenInvariants(db.owner)).map((b) => b.id);
    expect(ids).toEqual(expect.arrayContaining([...found]));
  } finally {
    await superuser.query(`set session_replication_role = replica`);
    await restore();
    await superuser.query(`set session_replication_role = origin`);
  }
  expect(await brokenInvariants(db.owner)).toEqual([]);
});

const kept = [
  'parties',
  'documents',
  'approvals',
  'document_lines',
  'entries',
  'movements',
  'movement_costs',
  'item_balances',
  'ledger_month_totals',
  'open_items',
  'allocations',
  'drafts',
  'idempotency_keys',
  'series_counters',
  'edit_log',
  'seals',
  'locks',
  'register_locks',
  'year_closings',
  'bank_clearings',
  'cancellations',
  'einvoices',
  'einvoice_attempts',
  'eway_bills',
  'eway_attempts',
  'outbox',
  'items',
  'ledger_day_totals',
  'role_grants',
  'tds_certificates',
  'roles',
  'user_roles',
  'users',
  'organisations',
  'credentials',
  'ledgers',
  'sessions',
  'freed_orders',
  'closed_lines',
  'workflows',
  'workflow_orders',
  'workflow_moves',
  'tax_challan_parts',
  'tax_challans',
  'registration_statuses',
  'gst_returns_kept',
  'till_sessions',
  'till_numbers',
];

async function keep(): Promise<void> {
  for (const name of kept) await superuser.query(`create temp table kept_${name} as table ${name}`);
}

async function restore(): Promise<void> {
  for (const name of kept) {
    await superuser.query(`delete from ${name}`);
    await superuser.query(`insert into ${name} overriding system value table kept_${name}`);
    await superuser.query(`drop table kept_${name}`);
  }
  await superuser.query(
    'alter table parties force row level security; alter table entries enable trigger written_once; alter table documents enable trigger all',
  );
  await superuser.query(
    'alter table entries drop constraint if exists entries_organisation_ledger_fkey; alter table entries add constraint entries_organisation_ledger_fkey foreign key (organisation, ledger) references ledgers',
  );
  await superuser.query(
    'alter table item_balances drop constraint if exists item_balances_check; alter table item_balances add constraint item_balances_check check (quantity <> 0 or value = 0)',
  );
  await superuser.query(
    'alter table entries drop constraint if exists entries_check; alter table entries add constraint entries_check check ((debit = 0) <> (credit = 0)); create unique index if not exists documents_number on documents (organisation, registration, financial_year, numbering, upper(number))',
  );
  await superuser.query(
    'alter table role_grants drop constraint if exists role_grants_level_check; alter table role_grants add constraint role_grants_level_check check (level in (5000, 5001, 5002, 5003))',
  );
  await superuser.query(
    'alter table items drop column if exists stray; drop table if exists stray; alter table locks drop column if exists day',
  );
  await superuser.query(
    "revoke update on documents from bahi_app; revoke insert on entries from bahi_app; alter table items drop column if exists weight; drop index if exists leak; create unique index if not exists eway_bills_live on eway_bills (organisation, document) where state not in ('cancelled', 'void')",
  );
}

test.each(['average', 'fifo'])('projections are made anew from the books, %s', async (valuation) => {
  const more = await testBooks(db, { valuation });
  await receive(more, more.items[0], 10, 100, '2026-05-01');
  await receive(more, more.items[0], 10, 200, '2026-05-02');
  await sell(more, more.items[0], 12);
  const projected = async () =>
    (
      await db.owner.query(
        `select (select jsonb_agg(b order by item, location) from item_balances b where quantity <> 0) as shelves, (select jsonb_agg(o order by document) from open_items o) as open`,
      )
    ).rows[0];
  const before = await projected();
  await db.owner.query(`update item_balances set quantity = 5, value = 7, layers = '{}', last_date = null`);
  await db.owner.query('delete from ledger_day_totals');
  await db.owner.query('update ledger_month_totals set credit = credit + 1');
  await db.owner.query('update open_items set open = original');
  expect((await brokenInvariants(db.owner)).length).toBeGreaterThan(3);
  await rebuildProjections(db.owner);
  expect(await brokenInvariants(db.owner)).toEqual([]);
  expect(await projected()).toEqual(before);
  await sell(more, more.items[0], 8);
  await expect(sell(more, more.items[0], 1)).rejects.toMatchObject({ code: 'stockShort' });
  await more.end();
});
