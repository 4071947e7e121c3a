import { afterAll, beforeAll, expect, test } from 'vitest';
import { money, percentage } from '../../domain/base/decimal.ts';
import { itemLine, receive, type TestBooks, testBooks } from '../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../tools/testing/database.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { reportHandlers } from './index.ts';

let db: TestDatabase;
let books: TestBooks;
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db);
});
afterAll(async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
  await books.end();
  await db.drop();
});

interface Table {
  readonly name: string;
  readonly taxable: string;
  readonly cgst: string;
  readonly count: number;
}
const tablesOf = async (period: string) => {
  const filters = { registration: books.registration, period };
  const { rows } = await reportHandlers.RunReport({ report: 'gstr1', filters }, books.context());
  const of = (name: string) => rows.find((r) => String(r.name).startsWith(name)) as Table | undefined;
  const file = await reportHandlers.ExportReport({ report: 'gstr1', filters, format: 'json' }, books.context());
  const json = JSON.parse(Buffer.from(file.content, 'base64').toString()) as Record<string, unknown>;
  return { of, json };
};
/** What the central output tax of a month came to in the books. */
const owed = async (month: string): Promise<number> => {
  const { rows } = await db.owner.query<{ owed: string }>(
    `
      select coalesce(sum(e.credit - e.debit), 0)::numeric / 100 as owed
      from entries e
      join posting_map p on p.organisation = e.organisation and p.ledger = e.ledger and p.effect = 'outputCgst'
      where e.organisation = $1 and to_char(e.date, 'YYYY-MM') = $2
    `,
    [books.organisation, month],
  );
  return Number(rows[0]?.owed);
};
const advance = (kind: string, date: string, amount: string, more: Record<string, unknown> = {}) =>
  books.post(
    books.draft(kind, { date, party: books.customer, amount: money(amount), advanceRate: percentage('18'), ...more }),
  );

test('an advance that bears tax is reported in the month it came, its use when it is used, and the tax is that of the books', async () => {
  const bank = await books.ledger('1121');
  const [item] = books.items;
  await receive(books, item, 100, 60, '2026-10-01');
  const sold = (date: string) =>
    books.post(books.draft('saleInvoice', { party: books.customer, date, lines: [itemLine(item, 50, 100)] }));
  const received = await advance('advanceReceipt', '2026-10-05', '11800', { moneyLedger: bank });
  // for goods: no tax, no table but the count of papers
  await books.post(
    books.draft('advanceReceipt', {
      date: '2026-10-06',
      party: books.customer,
      amount: money('700'),
      moneyLedger: bank,
    }),
  );
  const wrong = await advance('advanceReceipt', '2026-10-07', '1180', { moneyLedger: bank });
  await books.cancel(wrong.id);
  const use = async (date: string, amount: string) =>
    advance('allocationVoucher', date, amount, {
      against: received.id,
      allocations: [{ document: (await sold(date)).id, amount: money(amount) }],
    });
  await use('2026-10-20', '5900');
  const october = await tablesOf('102026');
  expect(october.of('11A')).toMatchObject({ taxable: '5000.00', cgst: '450.00', count: 2 });
  expect(october.of('11B')).toMatchObject({ taxable: '0.00', count: 0 });
  expect(october.of('13')?.count).toBe(4);
  expect(Number(october.of('4A')?.cgst) + 450).toBe(await owed('2026-10'));

  await use('2026-11-10', '3540');
  await advance('advanceRefund', '2026-11-12', '2360', { against: received.id, moneyLedger: bank });
  const november = await tablesOf('112026');
  expect(november.of('11A')).toMatchObject({ taxable: '-2000.00', cgst: '-180.00' });
  expect(november.of('11B')).toMatchObject({ taxable: '3000.00', cgst: '270.00' });
  expect(november.json).toMatchObject({
    at: [{ pos: '29', sply_ty: 'INTRA', itms: [{ rt: 18, ad_amt: -2000, camt: -180, samt: -180 }] }],
    txpd: [{ pos: '29', sply_ty: 'INTRA', itms: [{ rt: 18, ad_amt: 3000, camt: 270, samt: 270 }] }],
  });
  expect(Number(november.of('4A')?.cgst) - 180 - 270).toBe(await owed('2026-11'));
});
