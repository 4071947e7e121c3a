import { afterAll, beforeAll, expect, test } from 'vitest';
import { millionths } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import type { Draft } from '../../../../domain/document/document.ts';
import { itemLine, type TestBooks, testBooks } from '../../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../../tools/testing/database.ts';
import { Problems } from '../../../kit/problems.ts';

let db: TestDatabase;
let books: TestBooks;
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db, { isAllowNegative: true });
  await fill();
});
afterAll(async () => {
  await books.end();
  await db.drop();
});

const outcome = (kind: string, more: Partial<Draft>, where = books): Promise<unknown> =>
  where.post(where.draft(kind, more)).then(
    () => 'posted',
    (error) => {
      if (!(error instanceof Problems)) throw error;
      return error.problems.map(({ field, row, message }) => [field, row, message]);
    },
  );
const line = async (code: string, debit: number, credit = 0, where = books) => ({
  ledger: await where.ledger(code),
  ...(debit > 0 ? { debit: paise(debit) } : { credit: paise(credit) }),
});
const adjust = async (...all: readonly (readonly [string, number, number?])[]) =>
  outcome('gstAdjustment', { lines: await Promise.all(all.map(([code, debit, credit]) => line(code, debit, credit))) });

/** Credit and tax due of every head, so that there is something to set off. */
const fill = async (where = books): Promise<void> => {
  const codes = ['1411', '1412', '1413', '1414', '1421'];
  const due = ['2211', '2212', '2213', '2214', '2221'];
  const lines = [
    ...codes.map((code) => line(code, 100_000, 0, where)),
    ...due.map((code) => line(code, 0, 100_000, where)),
  ];
  await where.post(where.draft('openingBalance', { date: '2026-04-01', lines: await Promise.all(lines) }));
};
test('a set-off uses no more credit than there is, and pays no more than is due', async () => {
  const own = await testBooks(db);
  const accepted = [{ warning: 'beforeBooks', reason: 'One test is about the day before' }];
  const draft = async (date: string, ...all: readonly (readonly [string, number, number?])[]) =>
    outcome(
      'gstAdjustment',
      { date, accepted, lines: await Promise.all(all.map(([code, debit, credit]) => line(code, debit, credit, own))) },
      own,
    );
  const left = (amount: string) => [
    ['lines.debit', 0, expect.stringContaining(`${amount} of this tax is due`)],
    ['lines.credit', 1, expect.stringContaining(`${amount} of this credit is available`)],
  ];
  expect(await draft('2026-06-30', ['2213', 9_999_999_900], ['1413', 0, 9_999_999_900])).toEqual(left('₹0.00'));
  await fill(own);
  expect(await draft('2026-06-30', ['2213', 100_001], ['1413', 0, 100_001])).toEqual(left('₹1,000.00'));
  // nothing was there the day before
  expect(await draft('2026-03-31', ['2213', 1], ['1413', 0, 1])).toEqual(left('₹0.00'));
  expect(await draft('2026-06-30', ['2213', 60_000], ['1413', 0, 60_000])).toBe('posted');
  // an earlier one leaves the later one what it used
  expect(await draft('2026-05-31', ['2213', 40_001], ['1413', 0, 40_001])).toEqual(left('₹400.00'));
  // two lines on one ledger are one use of it
  expect(
    await draft('2026-07-31', ['2213', 30_000], ['1413', 0, 30_000], ['2213', 20_000], ['1413', 0, 20_000]),
  ).toHaveLength(2);
  // of two at once the second waits
  const both = await Promise.all([1, 2].map(() => draft('2026-07-31', ['2213', 40_000], ['1413', 0, 40_000])));
  expect(both.filter((each) => each === 'posted')).toHaveLength(1);
  // credit that is reversed is used too
  expect(await draft('2026-07-31', ['6520', 100_001], ['1411', 0, 100_001])).toHaveLength(1);
  await own.end();
});
test('a set-off uses no more than the electronic cash ledger holds, head by head', async () => {
  const own = await testBooks(db);
  await fill(own);
  const use = async (code: string, amount: number, ...more: readonly Awaited<ReturnType<typeof line>>[]) =>
    outcome(
      'gstAdjustment',
      { lines: [await line('2221', amount, 0, own), await line(code, 0, amount, own), ...more] },
      own,
    );
  const left = (amount: string) => [
    ['lines.credit', 1, expect.stringContaining(`${amount} is in the electronic cash ledger`)],
  ];
  expect(await use('1421', 100_001)).toContainEqual(left('₹1,000.00')[0]);
  expect(await use('1422', 500)).toEqual(left('₹0.00'));
  expect(await use('1421', 60_000)).toBe('posted');
  expect(await use('1421', 40_001)).toContainEqual(left('₹400.00')[0]);
  expect(await use('1421', 40_000)).toBe('posted');
  // a challan pays in, and money may pay without it
  const paid = [await line('1422', 700, 0, own), await line('1121', 0, 700, own)];
  expect(await outcome('gstAdjustment', { lines: paid }, own)).toBe('posted');
  await own.end();
});
test('tax that is due is not written off by a set-off', async () => {
  const of = expect.stringContaining('ledgers of GST, cash and bank');
  expect(await adjust(['2213', 500], ['6485', 0, 500])).toContainEqual(['lines.ledger', 1, of]);
  expect(await adjust(['2213', 500], ['4270', 0, 500])).toContainEqual(['lines.ledger', 1, of]);
  // credit that comes back may have been an expense, but that pays no tax
  expect(await adjust(['1411', 500], ['6520', 0, 500])).toBe('posted');
  expect(await adjust(['2213', 500], ['6520', 0, 500])).toEqual([
    ['lines.ledger', 0, expect.stringMatching(/^₹5\.00 of IGST is not paid/)],
  ]);
  expect(await adjust(['2213', 500], ['6530', 20], ['1121', 0, 520])).toBe('posted');
  expect(await adjust(['6525', 500], ['2225', 0, 500])).toBe('posted');
});

test.each([
  ['2212', '1411', /^₹5\.00 of SGST\/UTGST is not paid .*section 49\(5\)\(e\)/],
  ['2211', '1412', /^₹5\.00 of CGST is not paid .*section 49\(5\)\(f\)/],
  ['2214', '1413', /^₹5\.00 of cess is not paid .*section 11\(2\)/],
  ['2213', '1414', /^₹5\.00 of IGST is not paid .*section 11\(2\)/],
  ['2221', '1411', /^₹5\.00 of reverse charge CGST is not paid .*section.* 49\(4\)/],
] as const)('%s is not set off by %s', async (due, credit, message) => {
  expect(await adjust([credit, 0, 500], [due, 500])).toEqual([['lines.ledger', 1, expect.stringMatching(message)]]);
  // cash pays every head, and credit may be reversed to an expense
  expect(await adjust([due, 500], ['1421', 0, 500])).toBe('posted');
  expect(await adjust(['6520', 500], [credit, 0, 500])).toBe('posted');
});

test.each([
  ['2211', '1411'],
  ['2211', '1413'],
  ['2212', '1412'],
  ['2212', '1413'],
  ['2213', '1411'],
  ['2213', '1412'],
  ['2213', '1413'],
  ['2214', '1414'],
] as const)('%s is set off by %s', async (due, credit) => {
  expect(await adjust([due, 500], [credit, 0, 500])).toBe('posted');
});

test('several heads are looked at together: credit is used once', async () => {
  expect(await adjust(['2211', 300], ['2212', 300], ['1413', 0, 500], ['1411', 0, 100])).toBe('posted');
  expect(await adjust(['2211', 100], ['2212', 500], ['1413', 0, 300], ['1411', 0, 300])).toEqual([
    ['lines.ledger', 1, expect.stringMatching(/^₹2\.00 of SGST\/UTGST is not paid/)],
  ]);
});

test('a written journal sets off no more credit than there is, and asks why it moves what supplies come to', async () => {
  const accepted = [{ warning: 'taxByHand', reason: 'A test' }];
  for (const kind of ['journalVoucher', 'manualJournal'])
    expect(
      await outcome(kind, { accepted, lines: [await line('2211', 90_000_000), await line('1411', 0, 90_000_000)] }),
    ).toEqual([
      ['lines.debit', 0, expect.stringMatching(/of this tax is due/)],
      ['lines.credit', 1, expect.stringMatching(/of this credit is available/)],
    ]);
  for (const code of ['4110', '4120', '4130', '4140', '4180', '4190', '5130', '5140'])
    for (const [debit, credit] of [
      [0, 500],
      [500, 0],
    ] as const) {
      const lines = [await line('1121', credit, debit), await line(code, debit, credit)];
      expect(await outcome('manualJournal', { lines })).toEqual([
        ['lines.ledger', 1, expect.stringMatching(/^This moves “.*” by hand, and no return has it/)],
      ]);
      const why = [{ warning: 'supplyByHand', reason: 'A test' }];
      expect(await outcome('manualJournal', { lines, accepted: why })).toBe('posted');
    }
  const advance = [await line('1441', 500), await line('1121', 0, 500)];
  expect(await outcome('journalVoucher', { lines: advance })).toEqual([
    ['lines.ledger', 0, expect.stringMatching(/no return has it/)],
  ]);
});

test('what is brought in after the first ordinary document, and goods found far from their cost, need a reason', async () => {
  const own = await testBooks(db);
  const [item] = own.items;
  const none = { accepted: [] };
  const asked = (kind: string, more: Partial<Draft>) => outcome(kind, { ...none, ...more }, own);
  const cash = { lines: [await line('1110', 400_000_000, 0, own)] };
  const stock = { lines: [itemLine(item, 10, 60)] };
  // before anything else it is as it should be
  expect(await asked('openingStock', { date: '2026-04-01', ...stock })).toBe('posted');
  expect(await asked('openingBalance', { date: '2026-04-01', ...cash })).toBe('posted');
  expect(await asked('saleInvoice', { date: '2026-04-02', party: own.customer, lines: [itemLine(item, 1, 100)] })).toBe(
    'posted',
  );
  const late = ['date', undefined, expect.stringMatching(/^The books have documents since 2 Apr 2026/)];
  for (const [kind, more, field] of [
    ['openingStock', stock, 'lines.item'],
    ['openingBalance', cash, 'lines.ledger'],
  ] as const) {
    const twice = [field, 0, expect.stringMatching(/^This has its opening at this location in O[BS]\/.* already/)];
    const again = { warning: 'openedTwice', reason: 'More was found of it' };
    expect(await asked(kind, { date: '2026-11-01', ...more })).toEqual([late, twice]);
    expect(await asked(kind, { date: '2026-04-02', ...more })).toEqual([twice]);
    expect(await asked(kind, { date: '2026-04-02', ...more, accepted: [again] })).toBe('posted');
    const accepted = [{ warning: 'openingLate', reason: 'It was forgotten' }, again];
    expect(await asked(kind, { date: '2026-11-01', ...more, accepted })).toBe('posted');
  }
  const found = (rate: number, more: Partial<Draft> = {}) =>
    asked('inventoryAdjustment', {
      fields: { adjustmentReason: 'Count' },
      lines: [{ ...itemLine(item, 1, rate), quantity: undefined, delta: millionths(1_000_000) } as never],
      ...more,
    });
  const far = [['lines.rate', 0, expect.stringMatching(/^This rate is far from the cost of Item 1/)]];
  expect([await found(9_999_999), await found(121), await found(1)]).toEqual([far, far, far]);
  expect([await found(60), await found(100)]).toEqual(['posted', 'posted']);
  expect(await found(9_999, { accepted: [{ warning: 'foundRateFar', reason: 'A first edition' }] })).toBe('posted');
});

test('only an export or a supply to a SEZ is with payment of tax', async () => {
  expect(
    await outcome('saleInvoice', {
      party: books.customer,
      withPayment: true,
      lines: [itemLine(books.items[0], 1, 100)],
    }),
  ).toEqual([['withPayment', undefined, expect.stringMatching(/^Only exports/)]]);
});

test('a place of supply is a state or territory; another country is for parties abroad', async () => {
  const sale = { party: books.customer, lines: [itemLine(books.items[0], 1, 100)] };
  const other = 'Only a supply to or from a party abroad is in another country: choose a state';
  const none = 'This is no place of supply: choose a state, or 97 for other territory';
  for (const kind of ['saleInvoice', 'saleOrder', 'quotation'])
    for (const [code, message] of [
      ['96', other],
      ['99', none],
      ['00', 'Choose a state'],
    ] as const)
      expect([kind, code, await outcome(kind, { ...sale, placeOfSupply: code })]).toEqual([
        ...[kind, code],
        [['placeOfSupply', undefined, message]],
      ]);
  expect(await outcome('saleInvoice', { ...sale, placeOfSupply: '25' })).toEqual([
    ['placeOfSupply', undefined, expect.stringContaining('is no place of supply on this day')],
  ]);
  const bill = { party: books.supplier, reference: 'P', lines: [itemLine(books.items[0], 1, 100)] };
  expect(await outcome('purchaseBill', { ...bill, placeOfSupply: '96' })).toEqual([
    ['placeOfSupply', undefined, other],
  ]);
  const accepted = [{ warning: 'placeOfSupplyChosen', reason: 'An event at sea' }];
  expect(await outcome('saleInvoice', { ...sale, placeOfSupply: '97', accepted })).toBe('posted');
});

test('nothing moves from a ledger to itself, and a bank keeps no more than it received', async () => {
  const same = [await line('1121', 100), await line('1121', 0, 100)];
  const message = 'Every line is on the same ledger, so nothing moves: choose another ledger on one side';
  for (const kind of ['contra', 'manualJournal', 'journalVoucher', 'gstAdjustment', 'openingBalance'])
    expect([kind, await outcome(kind, { lines: same })]).toEqual([kind, [['lines', undefined, message]]]);
  const receipt = { party: books.customer, moneyLedger: await books.ledger('1121'), amount: paise(10_000) };
  expect(await outcome('saleReceipt', { ...receipt, bankCharges: paise(10_001) })).toEqual([
    [
      ...['bankCharges', undefined],
      'The bank keeps more than it received: correct the charges, or book them as an expense',
    ],
  ]);
  expect(await outcome('saleReceipt', { ...receipt, bankCharges: paise(10_000) })).toBe('posted');
});

test('interest, late fee and penalty are paid in cash, and never from credit', async () => {
  const cash = [
    ['lines.ledger', expect.any(Number), expect.stringMatching(/interest, late fee and penalty is not paid .*in cash/)],
  ];
  expect(await adjust(['6530', 500], ['1411', 0, 500])).toEqual(cash);
  expect(await adjust(['6530', 500], ['2226', 0, 500])).toBe('posted');
  expect(await adjust(['2226', 300], ['1411', 0, 300])).toEqual(cash);
  expect(await adjust(['2226', 300], ['1121', 0, 300])).toBe('posted');
  // no more than is due
  expect(await adjust(['2226', 300], ['1121', 0, 300])).toEqual([
    ['lines.debit', 0, expect.stringContaining('₹2.00 of this tax is due')],
  ]);
});

test.each(['manualJournal', 'journalVoucher'])('a %s sets no credit off that the law does not', async (kind) => {
  const accepted = [{ warning: 'taxByHand', reason: 'As the return was filed' }];
  const written = async (due: string, credit: string) =>
    outcome(kind, { accepted, lines: [await line(due, 500), await line(credit, 0, 500)] });
  expect(await written('2211', '1412')).toContainEqual([
    'lines.ledger',
    0,
    expect.stringMatching(/^₹5\.00 of CGST is not paid .*section 49\(5\)\(f\)/),
  ]);
  for (const cashOnly of ['2226', '6530'])
    expect([cashOnly, await written(cashOnly, '1411')]).toEqual([
      cashOnly,
      expect.arrayContaining([['lines.ledger', 0, expect.stringContaining('in cash')]]),
    ]);
  expect(await written('2211', '1411')).toBe('posted');
  // credit that is reversed pays nothing
  expect(await written('6520', '1411')).toBe('posted');
});
