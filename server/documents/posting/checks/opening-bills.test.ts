import { afterAll, beforeAll, expect, test } from 'vitest';
import { millionths } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import type { Draft } from '../../../../domain/document/document.ts';
import { manyBooks, type TestBooks } from '../../../../tools/testing/books.ts';

const all = manyBooks();
let b: TestBooks;
beforeAll(async () => {
  await all.open();
  b = await all.more();
});
afterAll(() => all.close());

test('a bill from before the books is brought in once, or with a reason', async () => {
  const ledger = await b.ledger('1210');
  const bill = (reference: string) => ({ ledger, party: b.customer, reference, debit: paise(10_000) });
  const opening = (lines: ReturnType<typeof bill>[], more: object = {}) =>
    b.post(b.draft('openingBalance', { lines, ...more }));
  const twice = (row: number, message: string) => ({
    problems: [expect.objectContaining({ field: 'lines.reference', code: 'openingBillTwice', row, message })],
  });
  await expect(opening([bill('OLD/1'), bill(' old/1')])).rejects.toMatchObject(
    twice(1, 'old/1 of this party is in line 1 already'),
  );
  const { id, number } = await opening([bill('OLD/1'), bill('OLD/2')]);
  await expect(opening([bill('OLD/3'), bill('old/2')])).rejects.toMatchObject({
    problems: [expect.objectContaining({ row: 1, message: expect.stringContaining(`is in ${number} of `) })],
  });
  const accepted = [{ warning: 'openingBillTwice', reason: 'Two bills of two years' }];
  await opening([bill('OLD/2')], { accepted });
  await b.cancel(id);
  await opening([bill('OLD/1')]);
});

test('a bill that is booked itself is not brought in once more, whether ours or the supplier’s', async () => {
  const at = { item: b.items[0] ?? '', quantity: millionths(1_000_000), rate: millionths(100_000_000) };
  await b.post(b.draft('openingStock', { lines: [{ ...at, quantity: millionths(9_000_000) }] }));
  const sale = await b.post(b.draft('saleInvoice', { party: b.customer, lines: [at] }));
  await b.post(
    b.draft('purchaseBill', {
      party: b.supplier,
      reference: 'S-77',
      referenceDate: b.draft('journalVoucher').date,
      lines: [at],
    }),
  );
  const opening = async (line: object) =>
    b.post(b.draft('openingBalance', { lines: [line as Draft['lines'][number]] }));
  const [receivable, payable] = [await b.ledger('1210'), await b.ledger('2120')];
  const booked = (number: string) => ({
    problems: [expect.objectContaining({ code: 'openingBillTwice', message: expect.stringContaining(number) })],
  });
  await expect(
    opening({ ledger: receivable, party: b.customer, reference: sale.number.toLowerCase(), debit: paise(5_000) }),
  ).rejects.toMatchObject(booked(sale.number));
  await expect(
    opening({ ledger: payable, party: b.supplier, reference: 's 77', credit: paise(5_000) }),
  ).rejects.toMatchObject(booked('s 77 of this party is in PB'));
  await opening({ ledger: payable, party: b.supplier, reference: 'S-78', credit: paise(5_000) });
  // and the other way round
  const bill = (reference: string) =>
    b.post(
      b.draft('purchaseBill', {
        ...{ party: b.supplier, reference, referenceDate: b.draft('journalVoucher').date, lines: [at], accepted: [] },
      }),
    );
  await expect(bill('s78')).rejects.toMatchObject({
    problems: [expect.objectContaining({ code: 'duplicateBill', message: expect.stringMatching(/OB\//) })],
  });
  await bill('S-79');
});

test('what the user may not see is not named, and still stands in the way', async () => {
  const ledger = await b.ledger('1210');
  const opened = await b.post(
    b.draft('openingBalance', {
      ...{ location: b.other },
      lines: [{ ledger, party: b.customer, reference: 'OLD/9', debit: paise(10_000) }],
    }),
  );
  const outcome = (draft: Draft) =>
    b.post(draft, { locations: [b.location] }).then(
      () => [],
      (error) => error.problems,
    );
  const opening = await outcome(
    b.draft('openingBalance', { lines: [{ ledger, party: b.customer, reference: 'OLD/9', debit: paise(10_000) }] }),
  );
  expect(opening).toEqual([
    expect.objectContaining({ message: 'OLD/9 of this party is in a document that you may not see already' }),
  ]);
  expect(JSON.stringify(opening)).not.toContain(opened.number);
});
