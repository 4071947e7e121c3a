import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../../contract/contract.ts';
import { levels } from '../../contract/levels.ts';
import type { pageCalls } from '../../contract/master-calls.ts';
import { screenNames } from '../../contract/screens.ts';
import { addDays } from '../../domain/base/dates.ts';
import type { Draft, Id } from '../../domain/document/document.ts';
import { itemLine, manyBooks, receive, type TestBooks, TODAY } from '../../tools/testing/books.ts';
import type { TestDatabase } from '../../tools/testing/database.ts';
import type { Context } from '../context.ts';
import { reportHandlers } from '../reports/index.ts';
import { pageHandlers } from './index.ts';

let db: TestDatabase;
let books: TestBooks;
const { open, more, close } = manyBooks();
beforeAll(async () => {
  db = await open();
  books = await more({});
  await receive(books, books.items[0], 100, 60, '2026-04-01');
});
afterAll(close);

const everything = new Map(screenNames.map((screen) => [screen as string, levels.full]));
type Page = Answer<(typeof pageCalls)['GetRecordPage']>;
const pageOf = (master: string, id: Id = '', context?: Partial<Context>): Promise<Page> =>
  pageHandlers.GetRecordPage({ master, id }, books.context({ grants: everything, ...context }));
const rowsOf = (page: Page, name: string) => page.parts.find((part) => part.name === name)?.rows;

const sell = (date: string, quantity: number, fields: Partial<Draft> = {}) =>
  books.post(
    books.draft('saleInvoice', {
      ...{ party: books.customer, date, ...fields },
      lines: [itemLine(books.items[0], quantity, 100)],
    }),
  );

test('customer: the page has what is due and overdue, as the reports say it, turnover without tax, and the last documents', async () => {
  await sell(addDays(TODAY, -40), 2, { dueDate: addDays(TODAY, -40) });
  await sell(TODAY, 1, { dueDate: addDays(TODAY, 30) });
  const gone = await sell(TODAY, 5);
  await books.cancel(gone.id);
  const page = await pageOf('customer', books.customer);
  expect(page.record.values).toMatchObject({ name: expect.any(String) });
  expect(rowsOf(page, 'receivable')).toMatchObject([
    { balance: '354.00', overdue: '236.00', oldestDays: 40, openCount: 2, turnover: '300.00', daysToPay: null },
  ]);
  const { totals } = await reportHandlers.RunReport(
    { report: 'receivablesAgeing', filters: { asOf: TODAY, party: books.customer } },
    books.context(),
  );
  expect(rowsOf(page, 'receivableAgeing')).toEqual([
    {
      notDue: '118.00',
      to30: null,
      to60: '236.00',
      to90: null,
      to180: null,
      over180: null,
      onAccount: null,
      total: totals['total'],
    },
  ]);
  expect(rowsOf(page, 'openReceivables')).toMatchObject([
    { kindLabel: 'Sale invoice', days: 40, original: '236.00', open: '236.00' },
    { days: null, open: '118.00' },
  ]);
  expect(
    rowsOf(page, 'partyDocuments')
      ?.map(({ state }) => state)
      .toSorted(),
  ).toEqual(['Cancelled', null, null]);
  expect(page.parts.map(({ name }) => name)).not.toContain('payable');
});

test('customer: days to pay are counted to what settled the rest of a bill', async () => {
  const other = await more({});
  await receive(other, other.items[0], 10, 60, '2026-04-01');
  const date = addDays(TODAY, -30);
  const invoice = await other.post(
    other.draft('saleInvoice', { party: other.customer, date, lines: [itemLine(other.items[0], 1, 100)] }),
  );
  await other.post(
    other.draft('saleReceipt', {
      ...{ party: other.customer, date: addDays(TODAY, -10), moneyLedger: await other.ledger('1121'), amount: 118_00 },
      allocations: [{ document: invoice.id, amount: 118_00 }],
    } as never),
  );
  const page = await pageHandlers.GetRecordPage(
    { master: 'customer', id: other.customer },
    other.context({ grants: everything }),
  );
  expect(rowsOf(page, 'receivable')).toMatchObject([{ balance: '0.00', overdue: null, daysToPay: 20 }]);
});

test('supplier and customer at once: the page of either has both accounts', async () => {
  await db.owner.query("update parties set side = 'both' where id = $1", [books.supplier]);
  const names = async (master: string) => (await pageOf(master, books.supplier)).parts.map(({ name }) => name);
  expect(await names('supplier')).toEqual(expect.arrayContaining(['payable', 'openPayables', 'receivable']));
  expect((await names('customer'))[0]).toBe('receivable');
});

test('item: the page has stock with its value, the last sales and purchases with party and rate', async () => {
  const page = await pageOf('item', books.items[0]);
  expect(rowsOf(page, 'stock')).toMatchObject([{ onHand: '97', value: '5820.00', held: null, short: null }]);
  expect(rowsOf(page, 'stockPlaces')).toMatchObject([{ quantity: '97', value: '5820.00' }]);
  expect(rowsOf(page, 'itemSales')).toHaveLength(3);
  expect(rowsOf(page, 'itemSales')?.[0]).toMatchObject({ partyId: books.customer, rate: '100.00' });
  expect(rowsOf(page, 'itemPurchases')).toMatchObject([{ quantity: '100', rate: '60.00' }]);
});

test('item: only the last twenty documents are read, and the page says that there are more', async () => {
  const other = await more({});
  await receive(other, other.items[0], 100, 60, '2026-04-01');
  for (let n = 0; n < 22; n += 1)
    await other.post(
      other.draft('saleInvoice', { party: other.customer, date: TODAY, lines: [itemLine(other.items[0], 1, 100)] }),
    );
  for (const [master, id, name] of [
    ['item', other.items[0] ?? '', 'itemSales'],
    ['customer', other.customer, 'partyDocuments'],
    ['customer', other.customer, 'openReceivables'],
  ] as const) {
    const page = await pageHandlers.GetRecordPage({ master, id }, other.context({ grants: everything }));
    const part = page.parts.find((one) => one.name === name);
    expect([name, part?.rows.length, part?.more]).toEqual([name, 20, true]);
  }
});

test('people limited to a place see the figures of it alone', async () => {
  const elsewhere = await pageOf('item', books.items[0], { locations: [books.other] });
  expect(rowsOf(elsewhere, 'stock')).toMatchObject([{ onHand: '0' }]);
  expect(rowsOf(elsewhere, 'itemSales')).toEqual([]);
  const customer = await pageOf('customer', books.customer, { locations: [books.other] });
  expect(rowsOf(customer, 'receivable')).toMatchObject([{ balance: '0.00', turnover: '0.00' }]);
  expect(rowsOf(customer, 'partyDocuments')).toEqual([]);
});

test('people whose roles show no cost see quantities without their value', async () => {
  const { limits } = books.context();
  const page = await pageOf('item', books.items[0], { limits: { ...limits, cost: 'none' } });
  expect(rowsOf(page, 'stock')?.[0]).not.toHaveProperty('value');
  expect(rowsOf(page, 'stockPlaces')?.[0]).not.toHaveProperty('value');
  expect(rowsOf(page, 'stock')).toMatchObject([{ onHand: '97' }]);
});

test('people without grants on reports and documents see no part of them', async () => {
  const page = await pageOf('customer', books.customer, { grants: new Map([['Party Master', levels.view]]) });
  expect(page.parts.map(({ name, rows }) => [name, rows.length])).toEqual([['partyDocuments', 0]]);
});
