import { afterAll, beforeAll, expect, test } from 'vitest';
import { draftBody } from '../../../../contract/documents.ts';
import { Refusal } from '../../../../contract/errors.ts';
import { dayInWords } from '../../../../domain/base/dates.ts';
import { millionths } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import type { Draft, Id } from '../../../../domain/document/document.ts';
import {
  costsOf,
  digestOf,
  itemLine,
  manyBooks,
  receive,
  sell,
  stockBalance,
  type TestBooks,
  TODAY,
} from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { newId } from '../../../kit/ids.ts';
import { Problems } from '../../../kit/problems.ts';
import { paperOf } from '../../../printing/index.ts';
import { convert } from '../../drafts/convert.ts';
import { documentHandlers } from '../../index.ts';
import { viewDocument } from '../../read/view.ts';

const { open, more, close } = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await open();
});
afterAll(close);

const BILL = '2026-11-02';
/** A supplier abroad, without GSTIN. */
async function abroad({ organisation }: TestBooks): Promise<Id> {
  const id = newId();
  await db.owner.query(
    `insert into parties (organisation, id, code, name, side, category, state, country, currency, search)
     values ($1, $2, $3, 'Rhein Maschinen GmbH', 'supplier', 'overseas', '96', 'DE', 'USD', 'rhein maschinen')`,
    [organisation, id, `X${id.slice(-8)}`],
  );
  return id;
}
/** Ten of the first item at $5 and ten of the second at $15: ₹4,000 and ₹12,000. */
const importBill = async (books: TestBooks, date = BILL) =>
  books.post(
    books.draft('overseasPurchase', {
      party: await abroad(books),
      date,
      reference: 'RM-77',
      referenceDate: date,
      currency: 'USD',
      exchangeRate: millionths(80_000_000),
      lines: [itemLine(books.items[0], 10, 5), itemLine(books.items[1], 10, 15)],
    }),
  );
/** Duty of ₹1,600 and ₹160, IGST of ₹3,196.80. */
const entry = (books: TestBooks, against: Id | undefined, date = TODAY) =>
  books.draft('billOfEntry', {
    ...(against && { against }),
    date,
    reference: '4125873',
    referenceDate: date,
    fields: { port: 'INNSA1' },
    customs: { assessable: paise(1600000), basic: paise(160000), surcharge: paise(16000), igst: paise(319680) },
  });
const booked = async (id: Id) => {
  const { rows } = await db.owner.query(
    `
      select l.code, (e.debit - e.credit)::int as amount
      from entries e
      join ledgers l on l.organisation = e.organisation and l.id = e.ledger
      where e.document = $1
      order by 1
    `,
    [id],
  );
  return Object.fromEntries(rows.map((r) => [r.code, r.amount]));
};

test('duty goes into stock with the goods that are left, and to the cost of those that were sold; IGST is credit', async () => {
  const books = await more();
  const bill = await importBill(books);
  expect(await booked(bill.id)).toEqual({ '1310': 1600000, '2130': -1600000 });
  await sell(books, books.items[0], 4, '2026-11-10');
  const { id } = await books.post(entry(books, bill.id));
  // ₹440 for the first item, of which six tenths are left, and ₹1,320 for the second
  expect(await booked(id)).toEqual({ '1310': 26400 + 132000, '5310': 17600, '1413': 319680, '2250': -495680 });
  expect(await stockBalance(db, books, books.items[0])).toEqual({ quantity: 6, value: 6 * 40000 + 26400 });
  expect(await stockBalance(db, books, books.items[1])).toEqual({ quantity: 10, value: 1200000 + 132000 });
  const { rows } = await db.owner.query('select taxable::int, igst::int, total::int from documents where id = $1', [
    id,
  ]);
  expect(rows[0]).toEqual({ taxable: 1600000, igst: 319680, total: 495680 });
  // the next sale leaves at the cost with duty
  const sold = await sell(books, books.items[1], 1);
  expect(await costsOf(db, books, sold.id)).toEqual([-133200]);
});

test.each(['average', 'fifo'] as const)(
  '%s: a bill of entry that comes after a sale of its day makes that sale dearer',
  async (valuation) => {
    const books = await more({ valuation });
    const bill = await importBill(books);
    const sold = await sell(books, books.items[1], 5, '2026-11-15');
    expect(await costsOf(db, books, sold.id)).toEqual([-600000]);
    const { id } = await books.post(entry(books, bill.id, '2026-11-05'));
    expect(await costsOf(db, books, sold.id)).toEqual([-666000]);
    expect(await stockBalance(db, books, books.items[1])).toEqual({ quantity: 5, value: 666000 });
    await books.cancel(id);
    expect(await costsOf(db, books, sold.id)).toEqual([-600000]);
    expect(await stockBalance(db, books, books.items[1])).toEqual({ quantity: 5, value: 600000 });
  },
);

test('first in, first out: duty on goods that are sold is their cost, and goods of another bill keep theirs', async () => {
  const books = await more({ valuation: 'fifo' });
  const [, item] = books.items;
  const bill = await importBill(books);
  await receive(books, item, 10, 1500, '2026-11-03');
  await sell(books, item, 10, '2026-11-10');
  const { id } = await books.post(entry(books, bill.id));
  // ₹440 for the first item, all of which is left, and ₹1,320 for the second
  expect(await booked(id)).toEqual({ '1310': 44000, '5310': 132000, '1413': 319680, '2250': -495680 });
  expect(await stockBalance(db, books, item)).toEqual({ quantity: 10, value: 1500000 });
  await books.cancel(id);
  expect(await stockBalance(db, books, books.items[0])).toEqual({ quantity: 10, value: 400000 });
  expect(await stockBalance(db, books, item)).toEqual({ quantity: 10, value: 1500000 });
});

test('while duty lies on its goods a bill is not cancelled; after the bill of entry it is', async () => {
  const books = await more();
  const bill = await importBill(books);
  const { id, number } = await books.post(entry(books, bill.id));
  const refusal = await books.cancel(bill.id).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect((refusal as Refusal).message).toContain(number);
  await books.cancel(id);
  await books.cancel(bill.id);
  expect(await stockBalance(db, books, books.items[0])).toEqual({ quantity: 0, value: 0 });
  await expect(books.post(entry(books, bill.id))).rejects.toBeInstanceOf(Refusal);
});

test('periodic books keep duty on its ledger, and the stock balance is worth what the goods cost', async () => {
  const books = await more({ stockAccounting: 'periodic' });
  const bill = await importBill(books);
  const { id } = await books.post(entry(books, bill.id));
  expect(await booked(bill.id)).toEqual({ '5111': 1600000, '2130': -1600000 });
  expect(await booked(id)).toEqual({ '5220': 176000, '1413': 319680, '2250': -495680 });
  expect(await stockBalance(db, books, books.items[0])).toEqual({ quantity: 10, value: 444000 });
});

test('a purchase that comes through customs in parts is covered once: quantities, value and duty by what each part has', async () => {
  const books = await more();
  const bill = await importBill(books);
  const part = (covers: Record<string, number> | undefined, reference: string) => {
    const draft = entry(books, bill.id);
    const quantities = covers && Object.fromEntries(Object.entries(covers).map(([line, n]) => [line, millionths(n)]));
    const customs = { ...draft.customs, ...(quantities && { covers: quantities }) } as NonNullable<
      typeof draft.customs
    >;
    // the same figures for every part: what is said of the value has its reason
    const accepted = [{ warning: 'customsAsAssessed', reason: 'A test' }];
    return books.post({ ...draft, reference, customs, accepted });
  };
  const ten = 10_000_000;
  const problemsOf = async (posted: Promise<unknown>) =>
    ((await posted.catch((error: unknown) => error)) as Problems).problems.map(({ field }) => field);
  const first = await part({ 1: 4_000_000, 2: ten }, '4125001');
  // ₹1,600 of four tenths of ₹4,000 and ₹12,000 of ₹12,000: 1,760 of duty are 207.06 and 1,552.94
  expect(await booked(first.id)).toEqual({ '1310': 176000, '1413': 319680, '2250': -495680 });
  expect(await stockBalance(db, books, books.items[0])).toEqual({ quantity: 10, value: 400000 + 20706 });
  const { draft } = await convert({ from: bill.id, kind: 'billOfEntry' }, books.context());
  expect(draft).toMatchObject({ customs: { assessable: '2400.00', invoice: '30.00', covers: { 1: '6', 2: '0' } } });
  expect(await problemsOf(part(undefined, '4125002'))).toEqual(['customs.covers']);
  expect(await problemsOf(part({ 1: 7_000_000 }, '4125002'))).toEqual(['customs.covers.1']);
  expect(await problemsOf(part({ 2: 1_000_000 }, '4125002'))).toEqual(['customs.covers.2']);
  expect(await problemsOf(part({ 3: 1_000_000 }, '4125002'))).toEqual(['customs.covers.3']);
  expect(await problemsOf(part({ 1: -1_000_000 }, '4125002'))).toEqual(['customs.covers.1']);
  // of two at once one is left
  const both = await Promise.allSettled([part({ 1: 6_000_000 }, '4125002'), part({ 1: 6_000_000 }, '4125003')]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = both.find((each) => each.status === 'rejected') as PromiseRejectedResult;
  expect((refused.reason as Problems).problems[0]?.field).toContain('customs.covers');
  // further duty comes for goods that came in before, and lies on all of them
  const further = await part({}, '4125004');
  expect(await booked(further.id)).toMatchObject({ '1310': 176000 });
  // what is taken back is left again
  await books.cancel(first.id);
  await part({ 1: 4_000_000, 2: ten }, '4125005');
});

test('figures of customs that the rates of the goods contradict need a reason, tax beyond every rate is a problem', async () => {
  const books = await more();
  const bill = await importBill(books);
  const found = (more: Partial<NonNullable<Draft['customs']>>, accepted: Draft['accepted'] = []) => {
    const draft = entry(books, bill.id);
    const customs = { ...draft.customs, ...more } as NonNullable<Draft['customs']>;
    return books
      .post({ ...draft, customs, accepted })
      .then(() => 'posted')
      .catch((error: unknown) => (error as Problems).problems.map(({ field }) => field));
  };
  // 9,99,999 of tax on goods of 16,000
  expect(await found({ igst: paise(99_999_900) })).toEqual(['customs.igst']);
  const reason = [{ warning: 'customsAsAssessed', reason: 'As customs assessed it' }];
  expect(await found({ igst: paise(99_999_900) }, reason)).toEqual(['customs.igst']);
  expect(await found({ igst: paise(419_680) })).toEqual(['customs.igst']);
  expect(await found({ igst: paise(200_000) })).toEqual(['customs.igst']);
  expect(await found({ surcharge: paise(160_000) })).toEqual(['customs.surcharge', 'customs.igst']);
  expect(await found({ assessable: paise(160_000_000), igst: paise(0) })).toEqual([
    'customs.assessable',
    'customs.igst',
  ]);
  // customs round to a rupee
  expect(await found({ igst: paise(319_700) })).toBe('posted');
  const others = await more();
  const second = await importBill(others);
  const reasons = { accepted: [{ warning: 'customsAsAssessed', reason: 'Customs took another rate' }] };
  const free = { ...(entry(others, second.id).customs as NonNullable<Draft['customs']>), igst: paise(0) };
  const { id } = await others.post({ ...entry(others, second.id), customs: free, ...reasons });
  expect(await booked(id)).toMatchObject({ '2250': -176000 });
});

test('a bill of entry of the same number, port and day is entered twice with a reason only', async () => {
  const books = await more();
  const bill = await importBill(books);
  const half = (more: Partial<Draft>, at: Id = bill.id) => {
    const draft = entry(books, at);
    const customs = { ...draft.customs, covers: { 1: millionths(1_000_000) } } as NonNullable<Draft['customs']>;
    const accepted = [{ warning: 'customsAsAssessed', reason: 'A test' }];
    return books
      .post({ ...draft, customs, accepted, ...more })
      .then(({ number }) => number)
      .catch((error: unknown) => (error as Problems).problems);
  };
  const number = await half({});
  const twice = {
    field: 'reference',
    code: 'entryTwice',
    reason: 'needed',
    message: `Bill of entry ${number} of ${dayInWords(TODAY)} has this number and date already`,
  };
  expect(await half({})).toMatchObject([twice]);
  // with the goods of another purchase too
  const other = await importBill(books, '2026-11-03');
  expect(await half({}, other.id)).toMatchObject([twice]);
  // a port that is left out tells nothing
  expect(await half({ fields: {} })).toMatchObject([twice]);
  // of another port, of another day, or with another number it is another one
  expect(await half({ fields: { port: 'INMAA1' } })).toBeTypeOf('string');
  expect(await half({ referenceDate: '2026-11-19' })).toBeTypeOf('string');
  expect(await half({ reference: '4125874' })).toBeTypeOf('string');
  const accepted = ['entryTwice', 'customsAsAssessed'].map((warning) => ({ warning, reason: 'Two purchases on it' }));
  expect(await half({ accepted }, other.id)).toBeTypeOf('string');
  // of two at once one is entered
  const both = await Promise.all([half({ reference: '4125990' }), half({ reference: '4125990' }, other.id)]);
  expect(both.filter((each) => typeof each === 'string')).toHaveLength(1);
});

test('a cancelled bill of entry may be entered again', async () => {
  const books = await more();
  const bill = await importBill(books);
  await books.cancel((await books.post(entry(books, bill.id))).id);
  expect((await books.post(entry(books, bill.id))).number).toBeTypeOf('string');
});

test('what a bill of entry lacks is a problem at its fields, and it is made from an overseas purchase only', async () => {
  const books = await more();
  const bill = await importBill(books);
  const bare = books.draft('billOfEntry', { against: bill.id, reference: 'BE1', fields: { port: 'Nhava Sheva' } });
  const problems = await books.post(bare).catch((error: unknown) => error);
  expect((problems as Problems).problems.map((p) => p.field)).toEqual([
    'reference',
    'referenceDate',
    'port',
    'customs',
  ]);
  const sold = await sell(books, books.items[0], 1);
  for (const wrong of [sold.id, newId()])
    expect(await books.post(entry(books, wrong)).catch((error: unknown) => error)).toBeInstanceOf(Problems);
  await expect(books.post(entry(books, bill.id, '2026-11-01'))).rejects.toBeInstanceOf(Problems);
});

test('the bill of entry made from a purchase is in rupees, proposes its value and settles nothing', async () => {
  const books = await more();
  const bill = await importBill(books);
  const { draft } = await convert({ from: bill.id, kind: 'billOfEntry' }, books.context());
  expect(draft).toMatchObject({
    currency: 'INR',
    exchangeRate: '1.00',
    against: bill.id,
    customs: { assessable: '16000.00' },
  });
  expect(draft).not.toHaveProperty('amount');
  expect(draft).not.toHaveProperty('allocations');
  // what customs notified is what it assesses at; the books keep their own rate
  await db.owner.query(
    `
      insert into exchange_rates (organisation, id, currency, date, purpose, rate, source, by)
      values ($1, $2, 'USD', '2026-11-01', 'customs', 84500000, 'Notification 80/2026', $3)
    `,
    [books.organisation, newId(), books.user],
  );
  const { draft: notified } = await convert({ from: bill.id, kind: 'billOfEntry' }, books.context());
  expect(notified).toMatchObject({
    customs: { assessable: '16900.00', currency: 'USD', invoice: '200.00', rate: '84.50' },
  });
  const figures = notified['customs'] as Record<string, string>;
  const made = await books.post({
    ...entry(books, bill.id),
    customs: {
      ...{ assessable: paise(1_690_000), basic: paise(169_000), surcharge: paise(16_900), igst: paise(337_662) },
      ...{ currency: 'USD', invoice: paise(20_000), rate: millionths(84_500_000) },
      covers: { 1: millionths(10_000_000), 2: millionths(10_000_000) },
    },
  });
  const view = await viewDocument(books.context(), { id: made.id });
  expect(view.body['customs']).toMatchObject({ ...figures, basic: '1690.00' });
  const paper = await paperOf(books.context(), made.id, 'original');
  expect(paper.facts).toContainEqual({ label: 'Assessed on', value: 'USD 200.00 at the customs rate 84.50' });
  expect(await booked(bill.id)).toMatchObject({ '2130': -1_600_000 });
});

test('an order to send imported goods back is in rupees, at the rate of exchange of their bill', async () => {
  const books = await more();
  const bill = await importBill(books);
  const back = { from: bill.id, kind: 'purchaseReturnOrder' } as never;
  const { draft } = (await convert(back, books.context())) as { draft: Record<string, unknown> };
  expect(draft).toMatchObject({
    lines: [
      { quantity: '10', rate: '400.00' },
      { quantity: '10', rate: '1200.00' },
    ],
  });
  expect([draft['currency'], Number(draft['exchangeRate'])]).toEqual(['INR', 1]);
  const document = { ...draft, reason: '01', date: TODAY };
  const { TransactionId } = await documentHandlers(books.poster).PostTransactionCalls(
    { document: draftBody.parse(document) } as never,
    books.context({ key: newId(), digest: digestOf('one') }),
  );
  const { rows } = await db.owner.query('select currency, taxable::int from documents where id = $1', [TransactionId]);
  expect(rows).toEqual([{ currency: 'INR', taxable: 1600000 }]);
});

test('a payment voucher for dollars that were paid is in rupees, for what no other one says', async () => {
  const books = await more();
  const paid = await books.post(
    books.draft('payment', {
      ...{ party: await abroad(books), amount: paise(10000), moneyLedger: await books.ledger('1121') },
      ...{ currency: 'USD', exchangeRate: millionths(80_000_000) },
    }),
  );
  const asked = { from: paid.id, kind: 'paymentVoucher' } as never;
  const proposed = async () => (await convert(asked, books.context())).draft as Record<string, unknown>;
  const first = await proposed();
  expect(first).toMatchObject({ currency: 'INR', amount: '8000.00' });
  await documentHandlers(books.poster).PostTransactionCalls(
    { document: draftBody.parse({ ...first, amount: '5000.00' }) } as never,
    books.context({ key: newId(), digest: digestOf('one') }),
  );
  expect(await proposed()).toMatchObject({ currency: 'INR', amount: '3000.00' });
});

test('imported goods that are given away give back their share of the tax on the bill of entry', async () => {
  const books = await more();
  const bill = await importBill(books);
  await books.post(entry(books, bill.id));
  const lines = [{ item: books.items[1] ?? '', delta: millionths(-1_000_000) }];
  const given = await books.post(
    books.draft('inventoryAdjustment', { fields: { adjustmentReason: 'Gift' }, lines, date: TODAY }),
  );
  // three quarters of 3,196.80 are of the second item, a tenth of it went
  expect((await booked(given.id))['1413']).toBe(-23976);
});

test('a bill of entry that covers some goods of a bill has their tax alone', async () => {
  const books = await more();
  const bill = await importBill(books);
  const whole = entry(books, bill.id);
  const covers = { 2: millionths(10_000_000) };
  await books.post({ ...whole, ...(whole.customs && { customs: { ...whole.customs, covers } }) });
  const gift = async (at: number) => {
    const lines = [{ item: books.items[at] ?? '', delta: millionths(-1_000_000) }];
    const fields = { adjustmentReason: 'Gift' };
    return (await booked((await books.post(books.draft('inventoryAdjustment', { fields, lines, date: TODAY }))).id))[
      '1413'
    ];
  };
  expect([await gift(0), await gift(1)]).toEqual([undefined, -31968]);
});

test('goods of a SEZ unit come by a bill of entry, those of another supplier do not', async () => {
  const books = await more();
  const unit = newId();
  await db.owner.query(
    `
      insert into parties (organisation, id, code, name, side, category, state, country, gstin, currency, search)
      values ($1, $2, 'Z1', 'Zone Works', 'supplier', 'sezUnit', '27', 'IN', '27AAACZ1234A1Z5', 'INR', 'zone works')
    `,
    [books.organisation, unit],
  );
  const bill = (party: Id, treatment: 'zeroRated' | 'taxable') =>
    books.post(
      books.draft('purchaseBill', {
        ...{ party, date: BILL, reference: newId().slice(-8), referenceDate: BILL },
        lines: [
          { ...itemLine(books.items[0], 10, 400), treatment },
          { ...itemLine(books.items[1], 10, 1200), treatment },
        ],
      }),
    );
  const [zone, other] = [await bill(unit, 'zeroRated'), await bill(books.supplier, 'taxable')];
  const taxed = await books.post(
    books.draft('purchaseBill', {
      ...{
        party: unit,
        date: BILL,
        reference: 'TAXED',
        referenceDate: BILL,
        lines: [itemLine(books.items[0], 10, 400)],
      },
      accepted: [{ warning: 'goodsFromZone', reason: 'As the unit wrote it' }],
    }),
  );
  const again = await books.post(entry(books, taxed.id)).catch((error: Problems) => error.problems);
  expect(again).toContainEqual(
    expect.objectContaining({ field: 'against', message: expect.stringContaining('bears GST already') }),
  );
  const entered = await books.post(entry(books, zone.id));
  expect(await booked(entered.id)).toEqual({ '1310': 176000, '1413': 319680, '2250': -495680 });
  const offered = async (id: Id) =>
    (
      await documentHandlers(books.poster).GetTransactionDetailForInvoice(
        { TransactionId: id } as never,
        books.context(),
      )
    ).next.map(({ kind }) => kind);
  expect(await offered((await bill(unit, 'zeroRated')).id)).toContain('billOfEntry');
  expect(await offered(other.id)).not.toContain('billOfEntry');
  const refused = await books
    .post({ ...entry(books, other.id), reference: '4125874' })
    .catch((error: Problems) => error.problems);
  expect(refused).toContainEqual(
    expect.objectContaining({ field: 'against', message: expect.stringContaining('is not made from') }),
  );
});
