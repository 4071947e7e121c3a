import { afterAll, beforeAll, expect, test } from 'vitest';
import { paise } from '../../domain/base/money.ts';
import { balanceGroups } from '../../domain/books/statement.ts';
import { manyBooks, receive, sell, type TestBooks, TODAY } from '../../tools/testing/books.ts';
import { reportHandlers } from './index.ts';

const { open, more, close } = manyBooks();
beforeAll(open);
afterAll(close);

const run = (books: TestBooks, report: string, filters: Record<string, string>) =>
  reportHandlers.RunReport({ report, filters }, books.context());

test.each(['perpetual', 'periodic'])(
  'each group of the %s balance sheet is what its ledgers come to',
  async (stockAccounting) => {
    const books = await more({ stockAccounting });
    const [item] = books.items;
    await receive(books, item, 10, 60, '2026-03-01');
    await sell(books, item, 4, '2026-04-10');
    const bank = await books.ledger('1121');
    // more than was owed: the account of the party stands in another group now
    await books.post(books.draft('saleReceipt', { party: books.customer, moneyLedger: bank, amount: paise(100_000) }));
    const sheet = (await run(books, 'balanceSheet', { asOf: TODAY })).rows;
    const led = sheet.filter((row) => row['group'] !== undefined);
    expect(led.length).toBeGreaterThan(6);
    for (const { group, amount, previous, name } of led) {
      const { rows, totals } = await run(books, 'balanceGroup', { group: String(group), asOf: TODAY });
      if (rows.length === 0) expect([name, amount]).toEqual([name, '0.00']);
      else expect([name, totals['amount'], totals['previous']]).toEqual([name, amount, previous]);
    }
    const { rows } = await run(books, 'balanceGroup', { group: 'EL.4b.B', asOf: TODAY });
    expect(rows).toEqual([
      expect.objectContaining({
        code: '2120',
        opening: '708.00',
        debit: '0.00',
        credit: '0.00',
        amount: '708.00',
        // what stood at the end of the year before
        previous: '708.00',
      }),
    ]);
    expect(balanceGroups).toContainEqual(['Current assets', 'Current assets']);
  },
);
