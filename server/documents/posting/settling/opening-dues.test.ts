import { afterAll, beforeAll, expect, test } from 'vitest';
import { paise } from '../../../../domain/base/money.ts';
import type { Allocation, Draft, DraftLine, Id } from '../../../../domain/document/document.ts';
import { manyBooks, sealAll, type TestBooks, TODAY } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { brokenInvariants } from '../../../kit/database/invariants.ts';
import { rebuildProjections } from '../../../kit/database/rebuild.ts';
import type { Problems } from '../../../kit/problems.ts';
import { outstandingDebtors, receivablesAgeing } from '../../../reports/outstanding.ts';

// each test has books of its own: what is open in them is only what it made
const { open, more, close } = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await open();
});
afterAll(close);

const START = '2026-04-01';
interface Item {
  readonly line: number;
  readonly side: string;
  readonly open: number;
  readonly number: string | null;
  readonly date: string;
  readonly due: string | null;
}
const itemsOf = async (document: Id): Promise<Item[]> =>
  (
    await db.owner.query<Item>(
      `select line, side, open::int, reference as number, date, due_date as due from open_items where document = $1 order by line`,
      [document],
    )
  ).rows;
const opening = async (books: TestBooks): Promise<Draft> => {
  const [receivable, payable, bank] = await Promise.all(['1210', '2120', '1121'].map((code) => books.ledger(code)));
  const due = (reference: string, referenceDate: string, amount: number, dueDate?: string): DraftLine => ({
    ledger: receivable ?? '',
    party: books.customer,
    debit: paise(amount),
    reference,
    referenceDate,
    ...(dueDate && { dueDate }),
  });
  return books.draft('openingBalance', {
    date: START,
    lines: [
      due('OLD-7', '2026-01-15', 50000, '2026-02-14'),
      { ledger: bank ?? '', debit: paise(99900) },
      due('OLD-9', '2026-03-01', 30000),
      { ledger: receivable ?? '', party: books.customer, credit: paise(4000) },
      { ledger: payable ?? '', party: books.supplier, credit: paise(70000), reference: 'M/11', dueDate: '2026-05-01' },
    ],
  });
};
const receiptIn = (books: TestBooks) => async (amount: number, allocations: readonly Allocation[]) =>
  books.post(
    books.draft('saleReceipt', {
      party: books.customer,
      amount: paise(amount),
      moneyLedger: await books.ledger('1121'),
      allocations,
    }),
  );

test('each line of an opening balance on the account of a party is due by itself', async () => {
  const books = await more({});
  const receipt = receiptIn(books);
  const made = await books.post(await opening(books));
  expect(await itemsOf(made.id)).toEqual([
    { line: 1, side: 'receivable', open: 50000, number: 'OLD-7', date: '2026-01-15', due: '2026-02-14' },
    { line: 3, side: 'receivable', open: 30000, number: 'OLD-9', date: '2026-03-01', due: '2026-03-01' },
    { line: 4, side: 'customerCredit', open: 4000, number: null, date: START, due: null },
    { line: 5, side: 'payable', open: 70000, number: 'M/11', date: START, due: '2026-05-01' },
  ]);
  const asked = (asOf: string, more = {}) =>
    books.books.inTransaction({ organisation: books.organisation, user: books.user }, async (trx) => ({
      ageing: await receivablesAgeing(trx, {
        organisation: books.organisation,
        filters: { asOf, ...more },
        places: [],
      } as never),
      open: await outstandingDebtors(trx, { organisation: books.organisation, filters: { asOf }, places: [] } as never),
    }));
  const { ageing, open } = await asked(START);
  // 46 days after its due date, and 31 after its own
  expect(ageing.rows).toMatchObject([{ to60: '800.00', to30: '0.00', onAccount: '-40.00', total: '760.00' }]);
  expect(open.rows.map((row) => [row.number, row.dueDate, row.open])).toEqual([
    ['OLD-7', '2026-02-14', '500.00'],
    ['OLD-9', '2026-03-01', '300.00'],
    [made.number, null, '-40.00'],
  ]);
  // before the books opened there was nothing in them
  expect((await asked('2026-03-31')).open.rows).toEqual([]);

  const settles = await receipt(60000, [
    { document: made.id, line: 1, amount: paise(50000) },
    { document: made.id, line: 3, amount: paise(10000) },
  ]);
  expect((await itemsOf(made.id)).map((item) => item.open)).toEqual([0, 20000, 4000, 70000]);
  await expect(receipt(30000, [{ document: made.id, line: 3, amount: paise(20001) }])).rejects.toMatchObject({
    code: 'overAllocated',
  });
  for (const line of [0, 2, 4, 5, 9])
    await expect(receipt(100, [{ document: made.id, line, amount: paise(100) }])).rejects.toMatchObject({
      code: 'notFound',
    });

  await books.cancel(settles.id);
  expect((await itemsOf(made.id)).map((item) => item.open)).toEqual([50000, 30000, 4000, 70000]);
  const again = await receipt(50000, [{ document: made.id, line: 1, amount: paise(50000) }]);
  await books.cancel(made.id);
  expect((await itemsOf(made.id)).map((item) => item.open)).toEqual([0, 0, 0, 0]);
  expect((await itemsOf(again.id)).map((item) => item.open)).toEqual([50000]);
});

test('two lines of one document are never settled as one, whoever comes first', async () => {
  const books = await more({});
  const receipt = receiptIn(books);
  const made = await books.post(await opening(books));
  const tries = [1, 3, 1, 3, 1].map((line) => receipt(30000, [{ document: made.id, line, amount: paise(30000) }]));
  const outcomes = await Promise.allSettled(tries);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect((await itemsOf(made.id)).map((item) => item.open)).toEqual([20000, 0, 4000, 70000]);
});

test('a journal on the account of a party leaves a credit, or a due', async () => {
  const books = await more({});
  const [receivable, badDebt, supplier] = await Promise.all(['1210', '6500', '2120'].map((code) => books.ledger(code)));
  const { id } = await books.post(
    books.draft('journalVoucher', {
      lines: [
        { ledger: badDebt ?? '', debit: paise(1500) },
        { ledger: receivable ?? '', party: books.customer, credit: paise(1500) },
        { ledger: supplier ?? '', party: books.supplier, debit: paise(200) },
        { ledger: badDebt ?? '', credit: paise(200), party: books.supplier },
      ],
    }),
  );
  expect((await itemsOf(id)).map(({ line, side, open }) => [line, side, open])).toEqual([
    [2, 'customerCredit', 1500],
    [3, 'supplierCredit', 200],
  ]);
});

test('a bill has an owner, and its dates are in order', async () => {
  const books = await more({});
  const draft = await opening(books);
  const [first, second, ...rest] = draft.lines;
  const wrong = {
    ...draft,
    lines: [{ ...first, dueDate: '2026-01-14' }, { ...second, reference: 'X' }, ...rest] as DraftLine[],
  };
  const problems = async (tried: Draft) =>
    books.post(tried).catch((error) => (error as Problems).problems.map(({ field, row }) => [field, row]));
  expect(await problems(wrong)).toEqual([
    ['lines.dueDate', 0],
    ['lines.party', 1],
  ]);
  const late = {
    ...draft,
    lines: [{ ...first, referenceDate: '2026-04-02', dueDate: '2026-04-03' }, second, ...rest] as DraftLine[],
  };
  expect(await problems(late)).toEqual([['lines.referenceDate', 0]]);
  const [a, b] = [await books.ledger('6230'), await books.ledger('1121')];
  const journal = books.draft('manualJournal', {
    lines: [
      { ledger: a, debit: paise(1), dueDate: TODAY },
      { ledger: b, credit: paise(1) },
    ],
  });
  expect(await problems(journal)).toEqual([['lines.dueDate', 0]]);
});

test('the books hold, and what is open is rebuilt as it is', async () => {
  const books = await more({});
  await books.post(await opening(books));
  await sealAll(db);
  expect(await brokenInvariants(db.owner)).toEqual([]);
  const text = 'select jsonb_agg(o order by document, line) as items from open_items o';
  const { rows: before } = await db.owner.query(text);
  await db.owner.query('update open_items set open = original');
  expect((await brokenInvariants(db.owner)).map(({ id }) => id)).toContain('INV-14');
  await rebuildProjections(db.owner);
  expect((await db.owner.query(text)).rows).toEqual(before);
});

test('an advance of before the books is brought in on the account of its party: there it is given back like any credit', async () => {
  const own = await more({});
  const [bank, account, ...ledgers] = await Promise.all(
    ['1121', '1210', '2150', '1510'].map((code) => own.ledger(code)),
  );
  const draft = (ledger: Id, party: Id, credit: boolean, more: Partial<Draft> = {}) => {
    const [one, other] = credit ? (['credit', 'debit'] as const) : (['debit', 'credit'] as const);
    const lines = [
      { ledger, party, [one]: paise(118_00), reference: `ADV-${ledger.slice(-6)}` },
      { ledger: bank ?? '', [other]: paise(118_00) },
    ];
    // the money is on the same account each time
    const accepted = [{ warning: 'openedTwice', reason: 'Another advance' }, ...(more.accepted ?? [])];
    return own.draft('openingBalance', { date: START, lines, ...more, accepted });
  };
  const [customers, suppliers] = ledgers;
  for (const [ledger, party, credit] of [
    [customers, own.customer, true],
    [suppliers, own.supplier, false],
  ] as const) {
    const refused = await own.post(draft(ledger ?? '', party, credit)).catch((error: Problems) => error.problems);
    expect(refused).toEqual([
      expect.objectContaining({ code: 'openingAdvance', field: 'lines.ledger', row: 0, reason: 'needed' }),
    ]);
    const accepted = [{ warning: 'openingAdvance', reason: 'As the last auditor has it' }];
    await own.post(draft(ledger ?? '', party, credit, { accepted }));
  }
  const { id } = await own.post(draft(account ?? '', own.customer, true));
  await own.post(
    own.draft('refund', {
      ...{ party: own.customer, amount: paise(118_00), moneyLedger: bank ?? '' },
      allocations: [{ document: id, line: 1, amount: paise(118_00) }],
    }),
  );
  expect(await itemsOf(id)).toMatchObject([{ side: 'customerCredit', open: 0 }]);
});
