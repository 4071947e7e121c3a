import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Draft } from '../../../../domain/document/document.ts';
import { itemLine, manyBooks, receive, sell, type TestBooks, TODAY } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { newId } from '../../../kit/ids.ts';
import { Problems } from '../../../kit/problems.ts';

const all = manyBooks();
let db: TestDatabase;
let b: TestBooks;
let invoice: string;
let till: string;
beforeAll(async () => {
  db = await all.open();
  b = await all.more({ isAllowNegative: true });
  await receive(b, b.items[0], 100, 60, '2026-04-01');
  invoice = (await sell(b, b.items[0], 10, '2026-09-05')).number;
  const paid = { moneyLedger: await b.ledger('1121'), lines: [itemLine(b.items[0], 1, 100)] };
  till = (await b.post(b.draft('cashSale', paid))).number;
});
afterAll(() => all.close());

const outcome = (draft: Draft): Promise<unknown> =>
  b.post(draft).then(
    () => 'posted',
    (error) => {
      if (!(error instanceof Problems)) throw error;
      return error.problems.map(({ field, message }) => [field, message]);
    },
  );
const accepted = [
  { warning: 'returnWithoutSource', reason: 'Sold before these books' },
  { warning: 'duplicateBill', reason: 'Tests repeat the numbers of suppliers' },
  { warning: 'originalUnknown', reason: 'Booked before these books' },
];
const note = (kind: string, originalNumber: string, originalDate = '2026-09-05', more: Partial<Draft> = {}): Draft =>
  b.draft(kind, {
    ...{ party: kind.startsWith('sale') ? b.customer : b.supplier, reason: '01', accepted },
    ...(kind.startsWith('purchase') && { reference: 'N-1' }),
    lines: [itemLine(b.items[0], 1, 50_000)],
    fields: { originalNumber, originalDate },
    ...more,
  });
const isInBooks = [['originalNumber', expect.stringMatching(/is in the books: choose it under “Against document”$/)]];

describe.each(['saleCreditNote', 'saleDebitNote', 'saleReturn'])('%s with the number of our own invoice', (kind) => {
  test('is refused: the invoice is chosen, and nothing is taken beside it', async () => {
    for (const number of [invoice, ` ${invoice.toLowerCase()} `]) {
      expect(await outcome(note(kind, number))).toEqual(isInBooks);
      // its number contains its year: no date makes it a number of another one
      expect(await outcome(note(kind, number, '2026-03-10'))).toEqual(isInBooks);
    }
    const other = newId();
    await db.owner.query(
      `insert into parties (organisation, id, code, name, side, category, gstin, state, search)
       values ($1, $2, $3, 'Nila', 'customer', 'regular', '29AAACN1111A1Z7', '29', 'nila')`,
      [b.organisation, other, `N-${kind}`],
    );
    expect(await outcome(note(kind, invoice, '2026-09-05', { party: other }))).toEqual(isInBooks);
  });
  test('a number that the books do not have is believed', async () => {
    expect(await outcome(note(kind, 'OLD/77', '2026-03-10'))).toBe('posted');
  });
});

test('a number that no invoice of the books has asks for a reason from the day of their first invoice on', async () => {
  const [unknown, reason] = [/none with the number LOST\/9/, { warning: 'originalUnknown', reason: 'Issued by hand' }];
  for (const kind of ['saleCreditNote', 'saleDebitNote', 'saleReturn']) {
    const asked = (date: string, more: Partial<Draft> = {}) => outcome(note(kind, 'LOST/9', date, more));
    const strict = { accepted: accepted.filter(({ warning }) => warning !== 'originalUnknown') };
    expect(await asked('2026-09-05', strict)).toEqual([['originalNumber', expect.stringMatching(unknown)]]);
    expect(await asked('2026-09-04', strict)).toBe('posted');
    const left = { warning: 'originalAgain', reason: 'As much is left of it' };
    expect(await asked('2026-09-05', { accepted: [...strict.accepted, reason, left] })).toBe('posted');
  }
});

test('a second note about an original that the books do not have asks how much is left of it, also of two at once', async () => {
  const asked = (date: string, more: Partial<Draft> = {}) => outcome(note('saleCreditNote', 'TWICE/1', date, more));
  const again = (message: RegExp) => [['originalNumber', expect.stringMatching(message)]];
  expect(
    (await Promise.all([asked('2026-03-10'), asked('2026-03-10')])).filter((each) => each === 'posted'),
  ).toHaveLength(1);
  expect(await asked('2026-03-10')).toEqual(again(/is corrected by CN\/.* already: say that so much is left/));
  expect(await asked('2026-03-11')).toEqual(again(/which dates it 10 Mar 2026/));
  const left = { warning: 'originalAgain', reason: 'As much is left of it' };
  expect(await asked('2026-03-10', { accepted: [...accepted, left] })).toBe('posted');
});

test('an invoice of the books is found with other separators', async () => {
  const other = invoice.replaceAll('/', '-').toLowerCase();
  expect(await outcome(note('saleCreditNote', other))).toEqual(isInBooks);
});

test('a credit note is not made from a cash sale, also not in words; goods come back from one', async () => {
  for (const kind of ['saleCreditNote', 'saleDebitNote'])
    expect(await outcome(note(kind, till, TODAY))).toEqual([
      ['originalNumber', expect.stringMatching(/is in the books, and a sale .* note is not made from it$/)],
    ]);
  expect(await outcome(note('saleReturn', till, TODAY))).toEqual(isInBooks);
});

describe('the number of a note that is in the books', () => {
  const given = async (kind: string, source: string, more: Partial<Draft> = {}) =>
    b.post(
      b.draft(kind, {
        ...{ party: kind.startsWith('sale') ? b.customer : b.supplier, reason: '03', against: source },
        lines: [{ ...itemLine(b.items[0], 1, 10), source: { document: source, line: 1 } }],
        ...more,
      }),
    );
  const refused = [['originalNumber', expect.stringMatching(/ is in the books, and a .* is not made from it$/)]];

  test('of a sale is refused: it is chosen, or nothing is made from it', async () => {
    const sold = await sell(b, b.items[0], 10);
    const debit = await given('saleDebitNote', sold.id);
    const credit = await given('saleCreditNote', sold.id);
    expect(await outcome(note('saleCreditNote', debit.number, TODAY))).toEqual(isInBooks);
    expect(await outcome(note('saleReturn', debit.number, TODAY))).toEqual(refused);
    expect(await outcome(note('saleDebitNote', credit.number, TODAY))).toEqual(isInBooks);
    expect(await outcome(note('saleCreditNote', credit.number, TODAY))).toEqual(refused);
  });

  test('of a purchase is refused by our number and by that of the supplier', async () => {
    const bill = await receive(b, b.items[0], 10, 60, TODAY);
    const debit = await given('purchaseDebitNote', bill.id, { reference: 'MW/DN/1', referenceDate: TODAY });
    for (const number of [debit.number, 'mw-dn-1'])
      expect(await outcome(note('purchaseCreditNote', number, TODAY))).toEqual(isInBooks);
    expect(await outcome(note('purchaseReturn', debit.number, TODAY))).not.toBe('posted');
  });
});

test('an invoice that was cancelled leaves nothing to correct', async () => {
  const sold = await sell(b, b.items[0], 1, TODAY);
  await b.cancel(sold.id);
  expect(await outcome(note('saleCreditNote', sold.number, TODAY))).toEqual([
    ['originalNumber', expect.stringMatching(/is in the books and cancelled/)],
  ]);
});

const purchases = ['purchaseCreditNote', 'purchaseDebitNote', 'purchaseReturn'];
describe.each(purchases)('%s with the number of a supplier’s bill', (kind) => {
  test('is refused where the bill of that supplier and year is booked, by the supplier’s number or by ours', async () => {
    const bill = await b.post(
      b.draft('purchaseBill', {
        ...{ party: b.supplier, reference: `MW/${kind}/1`.slice(0, 16), referenceDate: '2026-09-01' },
        lines: [itemLine(b.items[0], 1, 60)],
      }),
    );
    const reference = `MW/${kind}/1`.slice(0, 16);
    for (const number of [reference, reference.toLowerCase().replaceAll('/', '-'), bill.number])
      expect(await outcome(note(kind, number, '2026-08-30'))).toEqual(isInBooks);
    // the numbers of a supplier begin again each year
    expect(await outcome(note(kind, reference, '2026-03-10'))).toBe('posted');
  });
  test('a bill of another supplier is another bill', async () => {
    const other = newId();
    await db.owner.query(
      `insert into parties (organisation, id, code, name, side, category, gstin, state, search)
       values ($1, $2, $3, 'Spindle', 'supplier', 'regular', '29AAACN1111A1Z7', '29', 'spindle')`,
      [b.organisation, other, `S-${kind}`],
    );
    const paper = { reference: `SP-${kind}`.slice(0, 16), referenceDate: '2026-09-01' };
    await b.post(b.draft('purchaseBill', { party: other, ...paper, lines: [itemLine(b.items[0], 1, 60)] }));
    expect(await outcome(note(kind, paper.reference))).toBe('posted');
  });
});

test('a bill that is booked as an expense is chosen by a note, and goods do not go back from it without a reason', async () => {
  const reference = 'TEL-9';
  const lines = [{ ledger: await b.ledger('6520'), rate: itemLine('', 1, 500).rate ?? (0 as never) }];
  await b.post(b.draft('expense', { party: b.supplier, reference, referenceDate: '2026-09-01', lines }));
  for (const kind of ['purchaseCreditNote', 'purchaseDebitNote'])
    expect(await outcome(note(kind, reference))).toEqual([
      ['originalNumber', expect.stringMatching(/is in the books: choose it under “Against document”$/)],
    ]);
  expect(await outcome(note('purchaseReturn', reference))).toEqual([
    ['originalNumber', expect.stringMatching(/this note is not compared with it$/)],
  ]);
  const reason = { warning: 'originalNotCompared', reason: 'The telephone company took its telephone back' };
  expect(await outcome(note('purchaseReturn', reference, undefined, { accepted: [...accepted, reason] }))).toBe(
    'posted',
  );
});

test('a note without tax gives number and date of its original as well', async () => {
  for (const kind of ['saleCreditNote', 'purchaseCreditNote'])
    expect(await outcome(note(kind, '', '', { withoutTax: true }))).toEqual([
      ['originalNumber', expect.anything()],
      ['originalDate', expect.anything()],
    ]);
});
