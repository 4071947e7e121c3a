import { afterAll, beforeAll, expect, test } from 'vitest';
import { money } from '../../../../domain/base/decimal.ts';
import type { Draft } from '../../../../domain/document/document.ts';
import { itemLine, manyBooks, receive, sell, type TestBooks, TODAY } from '../../../../tools/testing/books.ts';
import { Problems } from '../../../kit/problems.ts';

const { open, more, close } = manyBooks();
let books: TestBooks;
let bank: string;
beforeAll(async () => {
  await open();
  books = await more();
  bank = await books.ledger('1121');
  await receive(books, books.items[0], 10000, 60, '2026-04-01');
});
afterAll(close);

/** The problems by field, with the code where a reason lets it pass. */
const outcome = (kind: string, typed: Partial<Draft>): Promise<unknown> =>
  books.post(books.draft(kind, { date: TODAY, ...typed })).then(
    ({ warnings = [] }) => ['posted', ...warnings.map(({ code }) => code)],
    (error) => {
      if (!(error instanceof Problems)) throw error;
      return error.problems.map(({ field, code }) => [field, code]);
    },
  );
const because = (warning: string) => [{ warning, reason: 'Deducted for the whole year' }];

/** A receipt against an invoice of ₹11,800, of which ₹1,800 are tax. */
const receipt = async (amount: string, typed: Partial<Draft>) => {
  const { id } = await sell(books, books.items[0], 100);
  return outcome('saleReceipt', {
    ...{ party: books.customer, moneyLedger: bank },
    amount: money(amount),
    allocations: [{ document: id, amount: money('11800') }],
    ...typed,
  });
};

test('a customer deducts a part of what is invoiced: more than any section asks for needs a reason', async () => {
  expect(await receipt('1180', { tdsAmount: money('10620') })).toEqual([['tdsAmount', 'tdsAboveSections']]);
  expect(await receipt('9439', { tdsAmount: money('2361') })).toEqual([['tdsAmount', 'tdsAboveSections']]);
  expect(await receipt('9440', { tdsAmount: money('2360') })).toEqual(['posted']);
  const accepted = because('tdsAboveSections');
  expect(await receipt('1180', { tdsAmount: money('10620'), accepted })).toEqual(['posted', 'tdsAboveSections']);
});

test('tax alone settles the rest of invoices that were paid before', async () => {
  const { id } = await sell(books, books.items[0], 100);
  const of = (amount: string) => [{ document: id, amount: money(amount) }];
  const one = { party: books.customer, moneyLedger: bank };
  expect(await outcome('saleReceipt', { ...one, amount: money('10800'), allocations: of('10800') })).toEqual([
    'posted',
  ]);
  expect(await outcome('saleReceipt', { ...one, tdsAmount: money('1000'), allocations: of('1000') })).toEqual([
    'posted',
  ]);
});

test('GST is deducted at two percent of the taxable value, and no more', async () => {
  // a customer not marked as tax deductor deducts none without a reason
  expect(await receipt('11600', { gstTdsAmount: money('200') })).toEqual([['gstTdsAmount', 'gstTdsOfDeductor']]);
  const accepted = because('gstTdsOfDeductor');
  expect(await receipt('11564', { gstTdsAmount: money('236'), accepted })).toEqual([['gstTdsAmount', undefined]]);
  expect(await receipt('1180', { gstTdsAmount: money('10620'), accepted })).toEqual([['gstTdsAmount', undefined]]);
  expect(await receipt('11600', { gstTdsAmount: money('200'), accepted })).toEqual(['posted', 'gstTdsOfDeductor']);
  // the rest of the receipt is an advance
  expect(await receipt('21380', { gstTdsAmount: money('400'), accepted })).toEqual(['posted', 'gstTdsOfDeductor']);
  expect(await receipt('21380', { gstTdsAmount: money('420'), accepted })).toEqual([['gstTdsAmount', undefined]]);
});

test('what we deduct ourselves is that of the section, of this document and of what it was left out of before', async () => {
  const supplier = { party: books.supplier, tdsSection: '194J(b)' };
  const bill = (rate: number, tds: string, typed: Partial<Draft> = {}) =>
    outcome('purchaseBill', {
      ...{ ...supplier, reference: `L-${rate}-${tds}`, lines: [itemLine(books.items[0], 1, rate)] },
      tdsAmount: money(tds),
      ...typed,
    });
  expect(await bill(10_000, '9000')).toEqual([['tdsAmount', 'tdsAboveSection']]);
  expect(await bill(10_000, '1001.01')).toEqual([['tdsAmount', 'tdsAboveSection']]);
  expect(await bill(10_000, '9000', { accepted: because('tdsAboveSection') })).toEqual(['posted', 'tdsAboveSection']);
  for (const kind of ['payment', 'advancePayment']) {
    const { id } = await books.post(
      books.draft('purchaseBill', {
        party: books.supplier,
        reference: kind,
        lines: [itemLine(books.items[0], 1, 1000)],
      }),
    );
    const settles = kind === 'payment' ? { allocations: [{ document: id, amount: money('1180') }] } : {};
    const pay = (amount: string, tds: string) =>
      outcome(kind, {
        ...supplier,
        ...settles,
        moneyLedger: bank,
        tdsSection: '194H',
        amount: money(amount),
        tdsAmount: money(tds),
      });
    expect([kind, await pay('180', '1000')]).toEqual([kind, [['tdsAmount', 'tdsOfMoneyAboveSection']]]);
    expect([kind, await pay('1156.40', '23.60')]).toEqual([kind, ['posted']]);
  }
});

test('the bill that crosses a threshold bears the tax of the year, typed as well', async () => {
  const own = await more();
  const bill = (rate: number, typed: Partial<Draft>) =>
    own.post(
      own.draft('purchaseBill', {
        ...{ party: own.supplier, tdsSection: '194J(b)', reference: `Y-${rate}` },
        lines: [itemLine(own.items[0], 1, rate)],
        ...typed,
      }),
    );
  await bill(40_000, {});
  const { warnings = [] } = await bill(20_000, { tdsAmount: money('6000') });
  expect(warnings).toEqual([]);
});
