import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { bankingCalls } from '../../contract/banking.ts';
import type { Input } from '../../contract/contract.ts';
import { paise } from '../../domain/base/money.ts';
import type { Id } from '../../domain/document/document.ts';
import { digestOf, manyBooks } from '../../tools/testing/books.ts';
import type { TestDatabase } from '../../tools/testing/database.ts';
import { reportHandlers } from '../reports/index.ts';
import { bankingHandlers } from './index.ts';

const { open, more, close } = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await open();
});
afterAll(close);

const format = {
  date: 'Date',
  order: 'dmy',
  text: 'Narration',
  reference: 'Ref',
  moneyIn: 'Deposit',
  moneyOut: 'Withdrawal',
  balance: 'Balance',
} as const;
const heads = 'Date,Narration,Ref,Withdrawal,Deposit,Balance';
const april = [
  heads,
  '02/04/2026,NEFT ASHA TRADERS,N000123,,1000.00,1000.00',
  '03/04/2026,CHQ PAID,000042,400.00,,600.00',
  '05/04/2026,SERVICE CHARGE,,59.50,,540.50',
  '05/04/2026,SERVICE CHARGE,,59.50,,481.00',
  '06/04/2026,CASH DEPOSIT,,,200.00,681.00',
].join('\n');

/** A bank with what the books know of April, and the calls about it. */
async function bankOf(settings = {}) {
  const books = await more(settings);
  const [bank, cash, charges] = [await books.ledger('1121'), await books.ledger('1110'), await books.ledger('6230')];
  const calls = bankingHandlers(books.poster);
  const post = async (kind: string, date: string, amount: number, reference?: string) =>
    books.post(
      books.draft(kind, {
        date,
        party: kind === 'payment' ? books.supplier : books.customer,
        moneyLedger: bank,
        amount: paise(amount),
        ...(reference && { reference }),
      }),
    );
  const standing = (asOf?: string) => calls.GetReconciliation({ ledger: bank, asOf }, books.context());
  const load = (content = april) => calls.ImportBankStatement({ ledger: bank, content, format }, books.context());
  const match = (matches: Input<(typeof bankingCalls)['MatchBankLines']>['matches']) =>
    calls.MatchBankLines({ ledger: bank, matches }, books.context());
  const make = (line: Id, asked: object, key = randomUUID()) =>
    calls.PostBankLine(
      {
        ledger: bank,
        line,
        narration: '',
        registration: books.registration,
        location: books.location,
        draft: false,
        ...(asked as { way: 'contra' }),
      },
      books.context({ key, digest: digestOf(line) }),
    );
  return { books, calls, bank, cash, charges, post, standing, load, match, make };
}
type Bank = Awaited<ReturnType<typeof bankOf>>;
const lineOf = async ({ standing }: Bank, text: string): Promise<Id> =>
  (await standing()).lines.find((line) => line.text.includes(text))?.id ?? '';

test('a statement is read once, however often it comes and wherever it overlaps', async () => {
  const { load, calls, bank, books } = await bankOf();
  const read = (content: string) => calls.ReadBankStatement({ ledger: bank, content }, books.context());
  expect(await read(april)).toMatchObject({
    format,
    lines: 5,
    known: 0,
    from: '2026-04-02',
    to: '2026-04-06',
    problems: [],
  });
  expect(await load()).toEqual({ added: 5, known: 0 });
  expect(await load()).toEqual({ added: 0, known: 5 });
  const longer = `${april}\n07/04/2026,CHQ DEPOSIT,,,1.00,682.00`;
  expect(await read(longer)).toMatchObject({ lines: 6, known: 5 });
  expect(await load(longer)).toEqual({ added: 1, known: 5 });
  expect(await Promise.all([load(longer), load(longer)])).toEqual([
    { added: 0, known: 6 },
    { added: 0, known: 6 },
  ]);
  const torn = longer.replace('05/04/2026,SERVICE CHARGE,,59.50,,540.50\n', '');
  await expect(load(torn)).rejects.toMatchObject({ problems: [{ field: 'content', row: 3, message: /missing/ }] });
  await expect(
    calls.ImportBankStatement({ ledger: books.customer, content: april, format }, books.context()),
  ).rejects.toMatchObject({ code: 'notFound' });
});

test('lines are matched with entries as suggested, by hand and by day; the statement then agrees', async () => {
  const it = await bankOf();
  const { post, load, standing, match, calls, books, bank } = it;
  const received = await post('saleReceipt', '2026-04-01', 100_000);
  await post('payment', '2026-04-01', 40_000, '000042');
  const late = await post('payment', '2026-04-04', 70_000, 'N9');
  const [first, second] = [
    await post('saleReceipt', '2026-04-06', 15_000),
    await post('saleReceipt', '2026-04-06', 5_000),
  ];
  await load();
  const found = await standing('2026-04-30');
  expect(found.lines.map((l) => [l.text, l.suggestion?.by ?? null])).toEqual([
    ['NEFT ASHA TRADERS', 'reference'],
    ['CHQ PAID', 'reference'],
    ['SERVICE CHARGE', null],
    ['SERVICE CHARGE', null],
    ['CASH DEPOSIT', null],
  ]);
  expect(found).toMatchObject({
    books: '100.00',
    bank: '0.00',
    notBooked: '681.00',
    statement: '681.00',
    difference: '0.00',
  });
  const suggested = found.lines.flatMap(({ id, suggestion }) =>
    suggestion ? [{ line: id, entries: [{ document: suggestion.document, leg: suggestion.leg }] }] : [],
  );
  expect(await match(suggested)).toEqual({ matched: 2 });
  await expect(match(suggested)).rejects.toMatchObject({ code: 'clearedAlready' });
  const entry = async (document: Id) => {
    const { rows } = await db.owner.query('select leg from entries where document = $1 and ledger = $2', [
      document,
      bank,
    ]);
    return { document, leg: rows[0].leg as number };
  };
  const deposit = await lineOf(it, 'CASH DEPOSIT');
  await expect(match([{ line: deposit, entries: [await entry(first.id)] }])).rejects.toMatchObject({
    problems: [{ message: 'The entries add up to ₹150.00, the line is ₹200.00' }],
  });
  await match([{ line: deposit, entries: [await entry(first.id), await entry(second.id)] }]);
  const now = await standing('2026-04-30');
  expect(now.entries.map((e) => e.number)).toEqual([late.number]);
  expect(now).toMatchObject({
    books: '100.00',
    bank: '800.00',
    notShown: '-700.00',
    notBooked: '-119.00',
    statement: '681.00',
    difference: '0.00',
  });
  // what went through the bank happened
  await expect(books.cancel(received.id)).rejects.toMatchObject({ code: 'notCancellable' });
  await expect(
    db.owner.query(
      `
        insert into cancellations (organisation, document, reversal, reason, by)
        select organisation, id, id, '', author
        from documents
        where id = $1
      `,
      [received.id],
    ),
  ).rejects.toMatchObject({ constraint: 'cancellations_cleared' });
  expect(await calls.UnmatchBankLines({ ledger: bank, entries: [await entry(first.id)] }, books.context())).toEqual({
    unmatched: 2,
  });
  await expect(match([{ date: '2026-03-01', entries: [await entry(late.id)] }])).rejects.toMatchObject({
    problems: [{ field: 'matches.date', row: 0, message: expect.stringContaining('has not cleared it before') }],
  });
  await match([{ date: '2026-04-08', entries: [await entry(late.id)] }]);
  expect((await standing('2026-04-07')).entries.map((e) => e.number)).toContain(late.number);
  const report = await reportHandlers.RunReport(
    { report: 'bankReconciliation', filters: { ledger: bank, asOf: '2026-04-07' } },
    books.context(),
  );
  expect(report.rows.map((r) => `${r['name']} ${r['amount']}`)).toEqual([
    'Balance as per books 100.00',
    'Received, not yet shown by the bank -200.00',
    'Asha Traders -150.00',
    'Asha Traders -50.00',
    'Paid, not yet shown by the bank 700.00',
    'Mill Works 700.00',
    'Balance that the bank has of these books 600.00',
    'On the statement, not in the books 81.00',
    'SERVICE CHARGE -59.50',
    'SERVICE CHARGE -59.50',
    'CASH DEPOSIT 200.00',
    'Balance as per statement, by these figures 681.00',
    'Balance that the statement shows 681.00',
  ]);
});

test('rules that are made and ordered at the same moment each get a place of their own, and nobody waits for another for ever', async () => {
  const { calls, books, charges } = await bankOf();
  const rule = { ledger: null, way: 'expense', counter: charges, narration: '' } as const;
  const save = (holds: string) => calls.SaveBankRule({ ...rule, holds }, books.context());
  const first: Id[] = [];
  for (const holds of ['LONGER THAN ANY OTHER', 'RENT']) first.push((await save(holds)).id);
  const saved = Array.from({ length: 12 }, (_, n) => save('CHARGES OF THE BANK'.slice(0, 4 + n)));
  await Promise.all([...saved, calls.OrderBankRules({ ids: first.toReversed() }, books.context())]);
  expect(await calls.ListBankRules({}, books.context())).toHaveLength(14);
  const { rows } = await db.owner.query('select distinct place from bank_rules where organisation = $1', [
    books.context().organisation,
  ]);
  expect(rows).toHaveLength(14);
});

test('lines that the books do not have become documents by rules, each once', async () => {
  const it = await bankOf();
  const { calls, books, charges, cash, load, standing, make } = it;
  await load();
  const rule = await calls.SaveBankRule(
    { ledger: null, holds: 'service charge', way: 'expense', counter: charges, narration: 'Bank charges' },
    books.context(),
  );
  await expect(
    calls.SaveBankRule({ ledger: null, holds: 'x', way: 'contra', counter: charges, narration: '' }, books.context()),
  ).rejects.toMatchObject({ problems: [{ field: 'counter' }] });
  const [charge] = (await standing()).lines.filter((line) => line.rule);
  expect(charge?.rule).toMatchObject({ way: 'expense', other: expect.stringMatching(/^Bank charges/) });
  const key = randomUUID();
  const made = await make(charge?.id ?? '', { way: 'expense', counter: charges }, key);
  expect(made).toMatchObject({ kind: 'expense', matched: true, number: expect.stringMatching(/^EX/) });
  expect(await make(charge?.id ?? '', { way: 'expense', counter: charges }, key)).toEqual(made);
  await expect(make(charge?.id ?? '', { way: 'expense', counter: charges })).rejects.toMatchObject({
    code: 'clearedAlready',
  });

  const deposit = await lineOf(it, 'CASH DEPOSIT');
  const raced = await Promise.allSettled([1, 2].map(() => make(deposit, { way: 'contra', counter: cash })));
  expect(raced.filter((r) => r.status === 'fulfilled')).toHaveLength(1);
  const neft = await lineOf(it, 'NEFT');
  await expect(make(neft, { way: 'receipt', party: books.supplier })).rejects.toMatchObject({
    problems: [{ field: 'party' }],
  });
  await expect(make(neft, { way: 'payment', party: books.supplier })).rejects.toMatchObject({
    problems: [{ field: 'way' }],
  });
  expect(await make(neft, { way: 'receipt', party: books.customer })).toMatchObject({
    kind: 'saleReceipt',
    matched: true,
  });
  expect(await make(await lineOf(it, 'CHQ'), { way: 'payment', party: books.supplier, draft: true })).toMatchObject({
    kind: 'payment',
    number: null,
    matched: false,
  });
  const left = await standing();
  expect(left.lines.map((line) => line.text)).toEqual(['CHQ PAID', 'SERVICE CHARGE']);
  expect(left).toMatchObject({ books: '1140.50', bank: '1140.50', difference: '0.00', entries: [] });
  expect(await calls.DeleteBankRule({ id: rule.id, version: 1 }, books.context())).toEqual({ deleted: 1 });
  await expect(calls.DeleteBankRule({ id: rule.id, version: 1 }, books.context())).rejects.toMatchObject({
    code: 'notFound',
  });
});

test('where totals are rounded, what the bank took to the paisa is written as it took it', async () => {
  const it = await bankOf({ autoRoundOffTotals: true });
  await it.load();
  const made = await it.make(await lineOf(it, 'SERVICE'), { way: 'expense', counter: it.charges });
  expect(made).toMatchObject({ kind: 'manualJournal', matched: true });
  const whole = await it.make(await lineOf(it, 'CASH'), { way: 'contra', counter: it.cash });
  expect(whole).toMatchObject({ kind: 'contra', matched: true });
  const { entries, lines } = await it.standing();
  expect(entries).toEqual([]);
  expect(lines.map((line) => line.text)).toEqual(['NEFT ASHA TRADERS', 'CHQ PAID', 'SERVICE CHARGE']);
});
