import { afterAll, beforeAll, expect, test } from 'vitest';
import { paise } from '../../../../domain/base/money.ts';
import { ledgersOfLines } from '../../../../domain/books/money-ledgers.ts';
import type { Draft } from '../../../../domain/document/document.ts';
import { kindOf } from '../../../../domain/document/kinds/index.ts';
import { itemLine, receive, type TestBooks, testBooks } from '../../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../../tools/testing/database.ts';
import { Problems } from '../../../kit/problems.ts';
import { masterHandlers as masters } from '../../../masters/index.ts';

let db: TestDatabase;
let books: TestBooks;
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db);
});
afterAll(async () => {
  await books.end();
  await db.drop();
});

const problemsOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error) => {
      if (!(error instanceof Problems)) throw error;
      return error.problems.map(({ field, row, message }) => [field, ...(row === undefined ? [] : [row]), message]);
    },
  );
/** Tax that a journal moves by hand has its reason. */
const accepted = ['taxByHand', 'supplyByHand', 'openingLate'].map((warning) => ({ warning, reason: 'A test' }));
const post = (kind: string, more: Partial<Draft>): Promise<unknown> =>
  problemsOf(books.post(books.draft(kind, { accepted, ...more })));
const CHOOSE = 'Choose a bank or cash ledger';
const NONE = 'This ledger takes no entries';

const others = ['2211', '2212', '4110', '6410', '1441', '1560', '5110'];
const money = ['1110', '1111', '1121', '1130', '1131'];
const worth = { amount: paise(100) };

test.each(others)('%s is no place for money', async (code) => {
  const moneyLedger = await books.ledger(code);
  const bank = await books.ledger('1121');
  const sold = { party: books.customer, lines: [itemLine(books.items[0], 1, 100)] };
  for (const kind of ['saleReceipt', 'advanceReceipt'])
    expect(await post(kind, { party: books.customer, moneyLedger, ...worth })).toEqual([['moneyLedger', CHOOSE]]);
  for (const kind of ['payment', 'advancePayment'])
    expect(await post(kind, { party: books.supplier, moneyLedger, ...worth })).toEqual([['moneyLedger', CHOOSE]]);
  expect(await post('cashSale', { ...sold, moneyLedger })).toEqual([['moneyLedger', CHOOSE]]);
  const tenders = [
    { ledger: bank, amount: paise(100) },
    { ledger: moneyLedger, amount: paise(100) },
  ];
  expect(await post('cashSale', { ...sold, tenders })).toEqual([['tenders.ledger', 1, CHOOSE]]);
  const lines = [
    { ledger: moneyLedger, debit: paise(100) },
    { ledger: bank, credit: paise(100) },
  ];
  expect(await post('contra', { lines })).toEqual([['lines.ledger', 0, CHOOSE]]);
  // an amount that one registration owes another is on the ledgers of both: no journal moves it
  expect(await post('manualJournal', { lines })).toEqual(
    code === '1560' ? [['lines.ledger', 0, 'This ledger is kept for “Inter-branch control”: choose another']] : 'done',
  );
});

test('cash, banks, clearing and undeposited funds are', async () => {
  for (const code of money) {
    const moneyLedger = await books.ledger(code);
    expect([code, await post('saleReceipt', { party: books.customer, moneyLedger, ...worth })]).toEqual([code, 'done']);
    expect([code, await post('payment', { party: books.supplier, moneyLedger, ...worth })]).toEqual([code, 'done']);
  }
});

test('so is a ledger once it is ticked as bank or cash, from then on and also for a process that remembers', async () => {
  const { rows } = await db.owner.query(
    `select id from ledgers where organisation = $1 and is_group and code = '1100'`,
    [books.organisation],
  );
  const values = { code: '1199', name: 'Second bank', group: rows[0].id, isBank: true };
  const { id } = await masters.SaveMaster({ master: 'ledger', values }, books.context());
  expect(await post('saleReceipt', { party: books.customer, moneyLedger: id, ...worth })).toBe('done');
  await masters.SaveMaster({ master: 'ledger', id, version: 1, values: { ...values, isBank: false } }, books.context());
  const receipt = { party: books.customer, moneyLedger: id, ...worth };
  expect(await post('saleReceipt', receipt)).toEqual([['moneyLedger', CHOOSE]]);
});

test('each picker of a ledger offers what the checks of its field take, and nothing else', async () => {
  await receive(books, books.items[0], 100, 60, '2026-04-01');
  const grants = new Map([['Ledgers', 5003 as const]]);
  const codes = [...others, ...money, '1210', '1310'];
  const bank = await books.ledger('1121');
  const cash = await books.ledger('1110');
  let [refusedThere, takenThere] = [0, 0];
  for (const code of codes) {
    const ledger = await books.ledger(code);
    const beside = ledger === bank ? cash : bank;
    const lines = [
      { ledger, debit: paise(100) },
      { ledger: beside, credit: paise(100) },
    ];
    const isRefused = async (kind: string, more: Partial<Draft>, field: string) => {
      const problems = await post(kind, more);
      return Array.isArray(problems) && problems.some(([at]) => at === field);
    };
    const charges = [{ name: 'Freight', ledger, amount: paise(100), apportion: 'value' as const }];
    const sold = { party: books.customer, lines: [itemLine(books.items[0], 1, 100)], charges };
    const refused = [
      await isRefused('contra', { lines }, 'lines.ledger'),
      await isRefused('saleReceipt', { party: books.customer, moneyLedger: ledger, ...worth }, 'moneyLedger'),
      await isRefused('saleInvoice', sold, 'charges.ledger'),
      await isRefused('manualJournal', { lines }, 'lines.ledger'),
    ];
    const offered = async (master: string) =>
      (await masters.Pick({ master, search: code }, books.context({ grants }))).rows.some(({ id }) => id === ledger);
    const pickers = ['moneyLedger', 'moneyLedger', 'entryLedger', 'journalLedger'];
    const has = await Promise.all(pickers.map(offered));
    expect([code, ...has]).toEqual([code, ...refused.map((is) => !is)]);
    refusedThere += refused.filter(Boolean).length;
    takenThere += refused.filter((is) => !is).length;
  }
  expect([refusedThere > codes.length, takenThere > codes.length]).toEqual([true, true]);
  const pickers = ['contra', 'manualJournal', 'expense'] as const;
  expect(pickers.map((kind) => ledgersOfLines(kindOf(kind)))).toEqual(['moneyLedger', 'journalLedger', 'entryLedger']);
});

test('nobody makes one of a ledger that is used for something else', async () => {
  const wrong = 'Only a ledger of assets or liabilities that has no other use in the books is a bank or cash';
  for (const code of ['2211', '4110']) {
    const id = await books.ledger(code);
    const { version, values } = await masters.GetMaster({ master: 'ledger', id }, books.context());
    const saved = masters.SaveMaster(
      { master: 'ledger', id, version, values: { ...values, isBank: true } },
      books.context(),
    );
    expect(await problemsOf(saved)).toEqual([['isBank', wrong]]);
  }
  const effect = await masters.GetMaster({ master: 'ledgerPosting', id: 'cash' }, books.context());
  const moved = masters.SaveMaster(
    {
      master: 'ledgerPosting',
      id: 'cash',
      version: effect.version,
      values: { ...effect.values, ledger: await books.ledger('4110') },
    },
    books.context(),
  );
  expect(await problemsOf(moved)).toEqual([['ledger', 'Choose a ledger of assets or liabilities']]);
});

test('the profit of the year is worked out: its ledger takes no entries', async () => {
  const [profit, bank] = [await books.ledger('3240'), await books.ledger('1121')];
  const lines = [
    { ledger: bank, debit: paise(100) },
    { ledger: profit, credit: paise(100) },
  ];
  for (const kind of ['manualJournal', 'journalVoucher', 'gstAdjustment', 'openingBalance'])
    expect(await post(kind, { ...(kind === 'gstAdjustment' && { reason: 'x' }), lines })).toEqual([
      ['lines.ledger', 1, NONE],
    ]);
  expect(await post('contra', { lines })).toEqual([['lines.ledger', 1, CHOOSE]]);
  expect(await post('payment', { party: books.supplier, moneyLedger: profit, ...worth })).toEqual([
    ['moneyLedger', CHOOSE],
  ]);
  const sold = { party: books.customer, lines: [itemLine(books.items[0], 1, 100)] };
  const charges = [{ name: 'Freight', amount: paise(100), apportion: 'value' as const, ledger: profit }];
  expect(await post('saleInvoice', { ...sold, charges })).toEqual([
    ['charges.ledger', 0, expect.stringMatching(/^A charge is income of the supply/)],
  ]);
});
