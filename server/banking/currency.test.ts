import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { millionths } from '../../domain/base/decimal.ts';
import { paise } from '../../domain/base/money.ts';
import type { Id } from '../../domain/document/document.ts';
import { digestOf, itemLine, sealAll, type TestBooks, testBooks } from '../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../tools/testing/database.ts';
import { exchangeHandlers } from '../exchange/index.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';
import { masterHandlers } from '../masters/index.ts';
import { bankReconciliation } from '../reports/bank.ts';
import { bankingHandlers } from './index.ts';

let db: TestDatabase;
let books: TestBooks;
/** An account in dollars, and the rupees of the same bank. */
let dollars: Id;
let rupees: Id;
const buyer = newId();
const DAY = '2026-11-02';
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db);
  rupees = await books.ledger('1121');
  await db.owner.query(
    `
      insert into parties (organisation, id, code, name, side, category, state, country, currency, search)
      values ($1, $2, 'US1', 'Hudson Stores', 'customer', 'overseas', '96', 'US', 'USD', 'hudson stores')
    `,
    [books.organisation, buyer],
  );
  const group = await db.owner.query(`select "group" from ledgers where id = $1`, [rupees]);
  const values = { code: '1125', name: 'EEFC dollars', group: group.rows[0].group, currency: 'USD', isBank: true };
  const made = await masterHandlers.SaveMaster({ master: 'ledger', values } as never, books.context());
  dollars = (made as { id: Id }).id;
  await books.post(books.draft('openingStock', { date: '2026-04-01', lines: [itemLine(books.items[0], 100, 10)] }));
});
afterAll(async () => {
  await sealAll(db);
  expect(await brokenInvariants(db.owner)).toEqual([]);
  await books.end();
  await db.drop();
});

const calls = () => bankingHandlers(books.poster);
const format = { date: 'Date', order: 'ymd', text: 'Text', amount: 'Amount', balance: 'Balance' } as const;
const load = (ledger: Id, ...lines: readonly string[]) =>
  calls().ImportBankStatement(
    { ledger, content: ['Date,Text,Amount,Balance', ...lines].join('\n'), format },
    books.context(),
  );
const standing = (ledger = dollars) => calls().GetReconciliation({ ledger }, books.context());
const lineOf = async (text: string, ledger = dollars) => {
  const found = (await standing(ledger)).lines.find((line) => line.text.includes(text));
  if (!found) throw new Error(`no line has ${text}`);
  return found;
};
const make = (line: Id, asked: object, ledger = dollars) =>
  calls().PostBankLine(
    {
      ...{ ledger, line, narration: '', registration: books.registration, location: books.location, draft: false },
      ...(asked as { way: 'journal' }),
    },
    books.context({ key: randomUUID(), digest: digestOf(line + JSON.stringify(asked)) }),
  );
const entriesOf = async (id: Id) =>
  (
    await db.owner.query(
      `
        select
          l.code, e.debit::int - e.credit::int as rupees,
          case when e.debit > 0 then e.foreign_amount else -e.foreign_amount end::int as dollars
        from entries e
        join ledgers l on l.id = e.ledger
        where e.document = $1
        order by e.leg
      `,
      [id],
    )
  ).rows;
const fieldsOf = async (work: Promise<unknown>): Promise<unknown> => {
  const error = await work.catch((thrown: unknown) => thrown);
  return error instanceof Problems ? error.problems.map((p) => p.field) : error;
};
const invoice = (reference: string, amount: number) =>
  books.post(
    books.draft('overseasSale', {
      ...{ party: buyer, date: DAY, currency: 'USD', exchangeRate: millionths(80_000_000), reference },
      lines: [itemLine(books.items[0], 1, amount / 100)],
    }),
  );

test('the statement of a bank in dollars is matched by dollars, whatever they were worth', async () => {
  const sold = await invoice('PO-1', 100_000);
  const receipt = await books.post(
    books.draft('saleReceipt', {
      ...{ date: DAY, party: buyer, currency: 'USD', exchangeRate: millionths(82_000_000), amount: paise(100_000) },
      ...{ moneyLedger: dollars, allocations: [{ document: sold.id, amount: paise(100_000) }] },
    }),
  );
  await load(dollars, '2026-11-03,WIRE HUDSON STORES,1000.00,1000.00', '2026-11-04,FEE,-12.50,987.50');
  const before = await standing();
  expect(before).toMatchObject({ currency: 'USD', books: '1000.00', worth: '82000.00', statement: '987.50' });
  expect(before.entries).toEqual([expect.objectContaining({ amount: '1000.00', worth: '82000.00' })]);
  const wire = await lineOf('WIRE');
  expect(wire.suggestion).toMatchObject({ document: receipt.id });
  const matches = [{ line: wire.id, entries: [{ document: receipt.id, leg: wire.suggestion?.leg ?? 0 }] }];
  await calls().MatchBankLines({ ledger: dollars, matches }, books.context());
  expect(await standing()).toMatchObject({
    bank: '1000.00',
    notShown: '0.00',
    notBooked: '-12.50',
    difference: '0.00',
  });
  expect(await calls().GetMatched({ ledger: dollars }, books.context())).toEqual([
    expect.objectContaining({ currency: 'USD', amount: '1000.00', worth: '82000.00' }),
  ]);
  const banks = await calls().GetBankLedgers({}, books.context());
  expect(banks.find((bank) => bank.ledger === dollars)).toMatchObject({
    ...{ currency: 'USD', books: '1000.00', worth: '82000.00' },
  });
});

test('a rule makes a journal at the rate of the day, in dollars on the bank; without a rate it says so', async () => {
  const counter = await books.ledger('6230');
  await calls().SaveBankRule(
    { ledger: dollars, holds: 'FEE', way: 'expense', counter, narration: '' },
    books.context(),
  );
  const fee = await lineOf('FEE');
  expect(fee.rule).toMatchObject({ way: 'expense' });
  expect(await fieldsOf(make(fee.id, { way: 'expense', counter }))).toEqual(['exchangeRate']);
  const rate = { currency: 'USD', date: '2026-11-04', purpose: 'book', source: 'Bank' } as const;
  await exchangeHandlers(books.poster).SaveExchangeRate({ ...rate, rate: millionths(83_000_000) }, books.context());
  const made = await make(fee.id, { way: 'expense', counter });
  expect(made).toMatchObject({ kind: 'manualJournal', matched: true });
  expect(await entriesOf(made.TransactionId)).toEqual([
    { code: '1125', rupees: -103_750, dollars: -1250 },
    { code: '6230', rupees: 103_750, dollars: null },
  ]);
  expect(await standing()).toMatchObject({ lines: [], books: '987.50', worth: '80962.50', difference: '0.00' });
});

test('what is due in dollars is settled from its line, at the rate that is said; dues in rupees are not asked', async () => {
  const sold = await invoice('PO-2', 50_000);
  const other = await books.post(
    books.draft('saleInvoice', {
      ...{ party: books.customer, date: DAY },
      lines: [itemLine(books.items[0], 1, 500)],
    }),
  );
  await load(dollars, `2026-11-05,WIRE ${sold.number},500.00,1487.50`, `2026-11-05,WIRE ${other.number},1.00,1488.50`);
  const named = await lineOf(sold.number);
  expect(named.settles).toMatchObject({ party: buyer, dues: [{ document: sold.id, amount: '500.00' }] });
  expect((await lineOf(other.number)).settles).toBeNull();
  const allocations = [{ document: sold.id, line: 0, amount: paise(50_000) }];
  const asked = { way: 'receipt', party: buyer, allocations, exchangeRate: millionths(84_000_000) };
  const made = await make(named.id, asked);
  expect(made).toMatchObject({ kind: 'saleReceipt', matched: true });
  expect(await entriesOf(made.TransactionId)).toContainEqual({ code: '1125', rupees: 4_200_000, dollars: 50_000 });
});

test('between a bank in dollars and one in rupees the line says the dollars; from the side of the rupees it is not guessed', async () => {
  await load(dollars, '2026-11-06,TRANSFER TO RUPEES,-100.00,1388.50');
  const made = await make((await lineOf('TRANSFER')).id, {
    ...{ way: 'contra', counter: rupees, exchangeRate: millionths(85_000_000) },
  });
  expect(await entriesOf(made.TransactionId)).toEqual([
    { code: '1125', rupees: -850_000, dollars: -10_000 },
    { code: '1121', rupees: 850_000, dollars: null },
  ]);
  await load(rupees, '2026-11-06,TO DOLLARS,-8500.00,0.00');
  const line = await lineOf('TO DOLLARS', rupees);
  expect(await fieldsOf(make(line.id, { way: 'contra', counter: dollars }, rupees))).toEqual(['counter']);
  expect(
    await fieldsOf(
      make(
        line.id,
        { way: 'contra', counter: await books.ledger('1110'), exchangeRate: millionths(1_000_000) },
        rupees,
      ),
    ),
  ).toEqual(['exchangeRate']);
});

test('where only the rupees change nothing went through the bank; the statement of reconciliation is in dollars', async () => {
  const before = await standing();
  await books.post(
    books.draft('manualJournal', {
      date: '2026-11-10',
      lines: [
        { ledger: dollars, debit: paise(10_000), foreign: paise(0) },
        { ledger: await books.ledger('6230'), credit: paise(10_000) },
      ],
    }),
  );
  const after = await standing();
  expect(after.entries).toEqual(before.entries);
  expect([after.books, Number(after.worth) - Number(before.worth)]).toEqual([before.books, 100]);
  const { rows, notes } = await books.context().inTransaction((trx) =>
    bankReconciliation(trx, {
      ...{
        organisation: books.organisation,
        filters: { ledger: dollars, asOf: '2026-11-21' },
        places: [],
        locations: [],
        limit: 200,
      },
      ...{ after: undefined, today: '2026-11-21', settings: books.context().settings },
    }),
  );
  expect(rows[0]).toMatchObject({ name: 'Balance as per books', amount: after.books });
  expect(notes[0]).toContain('Amounts are in USD');
});
