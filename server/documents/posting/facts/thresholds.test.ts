import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { millionths, money } from '../../../../domain/base/decimal.ts';
import type { Draft, Id } from '../../../../domain/document/document.ts';
import type { KindName } from '../../../../domain/document/kinds/index.ts';
import { itemLine, manyBooks, TODAY } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { priceDraft } from '../../drafts/drafts.ts';

const { open, more, close } = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await open();
});
afterAll(close);

const unmarked = ({ tdsSection: _, ...draft }: Draft): Draft => draft;

async function desk() {
  const books = await more({ isAllowNegative: true });
  const typed = (rate: number, more: Partial<Draft> = {}) =>
    books.draft('purchaseBill', {
      party: books.supplier,
      reference: randomUUID().slice(0, 12),
      referenceDate: TODAY,
      tdsSection: '194Q',
      lines: [itemLine(books.items[0], 1, rate)],
      ...more,
    });
  const bill = (rate: number, more: Partial<Draft> = {}) => books.post(typed(rate, more));
  const tdsOf = async ({ id }: { readonly id: Id }): Promise<number> => {
    const { rows } = await db.owner.query<{ tds: string }>('select tds from documents where id = $1', [id]);
    return Number(rows[0]?.tds) / 100;
  };
  return { books, typed, bill, tdsOf };
}

test('purchase of goods: tax is deducted from what goes above fifty lakh in the year, cancelled bills left out', async () => {
  const { books, bill, tdsOf } = await desk();
  expect(await tdsOf(await bill(4_900_000))).toBe(0);
  const gone = await bill(200_000);
  expect(await tdsOf(gone)).toBe(100);
  expect(await tdsOf(await bill(12_345.67))).toBe(12);
  expect(await tdsOf(await bill(499.99))).toBe(0);
  await books.cancel(gone.id);
  // 49,12,845.66 so far: 12,845.66 of this one goes above
  expect(await tdsOf(await bill(100_000))).toBe(13);
});

test('a bill of a supplier with a usual section asks for it, or for a reason', async () => {
  const { books, typed, tdsOf } = await desk();
  await books.post(unmarked(typed(1_000)));
  await db.owner.query(
    `update parties set body = body || '{"tdsSection": "194C"}', version = version + 1 where id = $1`,
    [books.supplier],
  );
  const problems = (more: Partial<Draft>) =>
    books.post(unmarked(typed(1_000, more))).then(
      () => [],
      (error: { readonly problems: readonly { readonly code?: string; readonly field: string }[] }) =>
        error.problems.map(({ code, field }) => [code, field]),
    );
  expect(await problems({})).toEqual([['usualSectionMissing', 'tdsSection']]);
  expect(
    await problems({
      accepted: [{ warning: 'usualSectionMissing', reason: 'Goods, not work' }],
    }),
  ).toEqual([]);
  expect(await tdsOf(await books.post(typed(100_000, { tdsSection: '194C' })))).toBe(2000);
});

test('the threshold counts goods of bills that name no section, less what went back', async () => {
  const first = await desk();
  await first.books.post(unmarked(first.typed(6_000_000)));
  const accepted = [{ warning: 'goodsWithoutSection', reason: 'Deducted by hand' }];
  expect(await first.tdsOf(await first.bill(100_000, { accepted }))).toBe(100);
  const second = await desk();
  await second.books.post(unmarked(second.typed(6_000)));
  expect(await second.tdsOf(await second.bill(4_990_000))).toBe(0);
  expect(await second.tdsOf(await second.bill(50_000.55))).toBe(46);
  const third = await desk();
  const { books } = third;
  const { id } = await books.post(unmarked(third.typed(5_000_000)));
  await books.post(
    books.draft('purchaseReturn', {
      ...{ party: books.supplier, against: id, reason: 'Damaged', reference: 'BACK-1' },
      lines: [{ item: books.items[0] ?? '', quantity: millionths(1_000_000), source: { document: id, line: 1 } }],
    }),
  );
  expect(await third.tdsOf(await third.bill(100_000))).toBe(0);
});

/** What the registration of a place turned over in a year, as it is typed on it. */
const turnedOver = (organisation: number, year: string, amount: string) =>
  db.owner.query(
    `update registrations set body = body || jsonb_build_object('turnover', $2::jsonb) where organisation = $1`,
    [organisation, JSON.stringify([{ year, amount }])],
  );

test('a bill without a section that takes the year above fifty lakh says by how much, after a year above ten crore', async () => {
  const small = await desk();
  expect((await small.books.post(unmarked(small.typed(6_000_000)))).warnings ?? []).toEqual([]);
  const { books, typed } = await desk();
  await turnedOver(books.organisation, '2025-26', '100000001');
  const accepted = [{ warning: 'usedSectionMissing', reason: 'Deducted by hand' }];
  const bill = (rate: number) => books.post(unmarked(typed(rate, { accepted })));
  expect((await bill(4_900_000)).warnings ?? []).toEqual([]);
  const crossing = unmarked(typed(250_000));
  const shown = await books.context().inTransaction((trx) => priceDraft(trx, books.context(), crossing));
  const message = expect.stringContaining('₹1,50,000.00');
  expect(shown.warnings).toMatchObject([{ code: 'goodsAboveThreshold', field: 'tdsSection', message }]);
  expect((await books.post(crossing)).warnings).toMatchObject([{ code: 'goodsAboveThreshold', message }]);
  expect((await books.post(typed(100_000, { tdsAmount: money('250') }))).warnings ?? []).toEqual([]);
  // the next one is above it as a whole, also where two are posted at the same moment
  const both = await Promise.all([bill(10_000), bill(20_000)]);
  const above = both.map(({ warnings }) => warnings?.find(({ code }) => code === 'goodsAboveThreshold'));
  expect(above.map((warning) => warning?.message)).toEqual([
    expect.stringContaining('₹10,000.00'),
    expect.stringContaining('₹20,000.00'),
  ]);
});

test('a back-dated bill bears what it brings above the threshold, and the year begins in April', async () => {
  const { bill, tdsOf } = await desk();
  expect(await tdsOf(await bill(4_900_000, { date: '2026-03-31', referenceDate: '2026-03-31' }))).toBe(0);
  expect(await tdsOf(await bill(4_000_000))).toBe(0);
  expect(await tdsOf(await bill(2_000_000, { date: '2026-04-01', referenceDate: '2026-04-01' }))).toBe(1_000);
});

test('two records with one PAN are one seller', async () => {
  const { books, bill, tdsOf } = await desk();
  const other = randomUUID();
  await db.owner.query(
    `
      insert into parties (organisation, id, code, name, side, category, gstin, pan, state, search)
      select
        organisation, $2, 'S2', 'Mill Works Pune', side, category, '27AAACM2222A1Z9', pan, '27',
        'mill works pune'
      from parties
      where organisation = $1 and id = $3
    `,
    [books.organisation, other, books.supplier],
  );
  await bill(4_900_000);
  expect(await tdsOf(await bill(200_000, { party: other }))).toBe(100);
});

test('bills of one payee that are posted at the same moment cross the threshold once', async () => {
  const { bill, tdsOf } = await desk();
  const made = await Promise.all([1, 2, 3, 4].map(() => bill(2_000_000)));
  const taxes = (await Promise.all(made.map(tdsOf))).sort((a, b) => a - b);
  expect(taxes).toEqual([0, 0, 1_000, 2_000]);
});

test('the bill that crosses a threshold bears all of the year, and the next one only itself', async () => {
  const { bill, tdsOf } = await desk();
  const fee = (rate: number) => bill(rate, { tdsSection: '194J(b)' });
  expect(await tdsOf(await fee(40_000))).toBe(0);
  expect(await tdsOf(await fee(20_000))).toBe(6_000);
  expect(await tdsOf(await fee(10_000))).toBe(1_000);
  // the same, where the tax that was proposed was typed
  const { bill: other, tdsOf: of } = await desk();
  await other(40_000, { tdsSection: '194J(b)' });
  await other(20_000, { tdsSection: '194J(b)', tdsAmount: money('6000') });
  expect(await of(await other(10_000, { tdsSection: '194J(b)' }))).toBe(1_000);
});

test('a section that has ended is a problem at its field; what is proposed is what is posted', async () => {
  const { books, typed, bill, tdsOf } = await desk();
  const scrap = books.draft('saleInvoice', {
    party: books.customer,
    lines: [itemLine(books.items[0], 1, 6_000_000)],
    tcsSection: '206C(1H)',
  });
  await expect(books.post(scrap)).rejects.toMatchObject({ problems: [{ field: 'tcsSection' }] });
  await bill(4_900_000);
  const shown = await books.context().inTransaction((trx) => priceDraft(trx, books.context(), typed(200_000)));
  expect(shown.priced.tds).toBe('100.00');
  expect(await tdsOf(await bill(200_000))).toBe(100);
  const small = await books.post(
    books.draft('saleInvoice', {
      party: books.customer,
      lines: [itemLine(books.items[0], 1, 100_000)],
      tcsSection: '206C(1F)',
    }),
  );
  expect(small.total).toBe(11_800_000);
});

test('a payment does not deduct again what its expense has borne, unless a reason is given', async () => {
  const { books, bill } = await desk();
  const { id } = await bill(60_000, { tdsSection: '194J(b)' });
  const moneyLedger = await books.ledger('1121');
  const pay = (more: Partial<Draft> = {}) =>
    books.post(
      books.draft('payment', {
        ...{
          party: books.supplier,
          moneyLedger,
          tdsSection: '194J(b)',
          amount: money('58800'),
          tdsAmount: money('6000'),
        },
        allocations: [{ document: id, amount: money('64800') }],
        ...more,
      }),
    );
  const message = expect.stringContaining('Tax was deducted already');
  await expect(pay()).rejects.toMatchObject({ problems: [{ code: 'deductedAlready', field: 'tdsAmount', message }] });
  const paid = await pay({ accepted: [{ warning: 'deductedAlready', reason: 'A further year is paid with it' }] });
  expect(paid.warnings).toMatchObject([{ code: 'deductedAlready' }]);
});

describe('a payment with a section and no amount of tax', () => {
  const paying = async () => {
    const all = await desk();
    const moneyLedger = await all.books.ledger('1121');
    const pay = (kind: KindName, amount: string, more: Partial<Draft> = {}) =>
      all.books.post(
        all.books.draft(kind, {
          ...{ party: all.books.supplier, moneyLedger, amount: money(amount), tdsSection: '194J(b)' },
          ...more,
        }),
      );
    const postedAs = async ({ id }: { readonly id: Id }) => {
      const { rows } = await db.owner.query<{ tds: string; kept: string; total: string }>(
        `select (body #>> '{draft,tdsAmount}')::bigint / 100 as tds,
                (select sum(e.credit) / 100 from entries e join ledgers l on l.organisation = e.organisation and l.id = e.ledger
                  where e.organisation = d.organisation and e.document = d.id and l.name ilike '%tds%')::int as kept
           from documents d
          where id = $1`,
        [id],
      );
      return rows[0];
    };
    return { ...all, moneyLedger, pay, postedAs };
  };

  test.each(['payment', 'advancePayment'] as const)('%s: the tax comes on top of what is paid out', async (kind) => {
    const { pay, postedAs } = await paying();
    const accepted = [{ warning: 'tdsOfMoneyFarBelow', reason: 'The rest was deducted before' }];
    // below the threshold of 50,000 nothing; above it, 10 % of all of the year: 1,00,000 is 90,000 paid and 10,000 deducted
    expect(await postedAs(await pay(kind, '40000'))).toEqual({ tds: '0', kept: null });
    expect(await postedAs(await pay(kind, '50000'))).toEqual({ tds: '10000', kept: 10_000 });
    expect(await postedAs(await pay(kind, '9000'))).toEqual({ tds: '1000', kept: 1_000 });
    expect(await postedAs(await pay(kind, '9000', { tdsAmount: money('7'), accepted }))).toEqual({ tds: '7', kept: 7 });
  });

  test('what is shown beforehand is what is posted', async () => {
    const { books, moneyLedger } = await paying();
    const draft = books.draft('advancePayment', {
      ...{ party: books.supplier, moneyLedger, amount: money('90000'), tdsSection: '194J(b)' },
    });
    const shown = await books.context().inTransaction((trx) => priceDraft(trx, books.context(), draft));
    expect([shown.priced.tds, shown.problems]).toEqual(['10000.00', []]);
  });

  test('of a bill that is settled it cannot be worked out: a problem at the amount', async () => {
    const { pay, bill, postedAs } = await paying();
    const { id: document } = await bill(60_000, { tdsSection: '194J(b)' });
    const allocations = [{ document, line: 0, amount: money('1000') }];
    await expect(pay('payment', '1000', { allocations })).rejects.toMatchObject({
      problems: [{ field: 'tdsAmount', message: expect.stringContaining('Enter the tax deducted') }],
    });
    expect(await postedAs(await pay('payment', '1000', { allocations, tdsAmount: money('0') }))).toMatchObject({
      tds: '0',
    });
  });
});

describe('a bill that was paid in advance', () => {
  const contract = async () => {
    const all = await desk();
    const moneyLedger = await all.books.ledger('1121');
    const advance = (amount: string, more: Partial<Draft> = {}) =>
      all.books.post(
        all.books.draft('advancePayment', {
          ...{ party: all.books.supplier, moneyLedger, amount: money(amount), tdsSection: '194C' },
          ...more,
        }),
      );
    const work = (rate: number, more: Partial<Draft> = {}) => all.bill(rate, { tdsSection: '194C', ...more });
    return { ...all, moneyLedger, advance, work };
  };

  test('bears tax only on what the advance did not pay; cancelling the advance or the bill opens it again', async () => {
    const { books, advance, work, tdsOf, typed } = await contract();
    const paid = await advance('98000');
    const shown = await books
      .context()
      .inTransaction((trx) => priceDraft(trx, books.context(), typed(100_000, { tdsSection: '194C' })));
    expect(shown.priced.tds).toBe('0.00');
    const first = await work(100_000);
    expect(await tdsOf(first)).toBe(0);
    await books.cancel(first.id);
    expect(await tdsOf(await work(60_000))).toBe(0);
    expect(await tdsOf(await work(100_000))).toBe(1_200);
    await books.cancel(paid.id);
    // the 1,00,000 that the advance paid are made up for
    expect(await tdsOf(await work(50_000))).toBe(3_000);
  });

  test('an advance that settled a bill without a section is used up', async () => {
    const { books, bill, advance, work, tdsOf } = await contract();
    const paid = await advance('98000');
    const plain = await bill(100_000);
    await books.post(
      books.draft('supplierAllocation', {
        ...{ party: books.supplier, against: paid.id, amount: money('100000') },
        allocations: [{ document: plain.id, amount: money('100000') }],
      }),
    );
    expect(await tdsOf(await work(100_000))).toBe(2_000);
  });

  test('of the tax year before as well; the limit of the new year begins without it', async () => {
    const { advance, work, tdsOf } = await contract();
    await advance('98000', { date: '2026-03-31' });
    expect(await tdsOf(await work(100_000))).toBe(0);
    expect(await tdsOf(await work(29_000))).toBe(0);
  });

  test('tax that is typed on it all the same needs a reason', async () => {
    const { advance, work } = await contract();
    await advance('98000');
    await expect(work(100_000, { tdsAmount: money('2000') })).rejects.toMatchObject({
      problems: [{ field: 'tdsAmount', code: 'tdsAboveSection' }],
    });
  });
});

test('bills of services without a section are named when a section is used, with the tax that they would bring', async () => {
  const { books, typed } = await desk();
  const { rows } = await db.owner.query<{ id: Id }>(
    `update items set service = true, stocked = false where organisation = $1 and id = $2 returning id`,
    [books.organisation, books.items[1]],
  );
  expect(rows.length).toBe(1);
  const work = (more: Partial<Draft>) => typed(0, { lines: [itemLine(books.items[1], 1, 29_000)], ...more });
  for (let n = 0; n < 4; n++) {
    const { tdsSection: _, ...bare } = work({});
    await books.post(bare);
  }
  const posted = await books.post(work({ tdsSection: '194C' }));
  expect(posted.warnings).toMatchObject([
    { code: 'billsWithoutSection', field: 'tdsAmount', message: expect.stringContaining('4 bills of ₹1,16,000.00') },
  ]);
  expect(posted.warnings?.[0]?.message).toContain('₹2,900.00');
});

/** The codes and fields of what is asked for before a document is posted. */
const asked = (posting: Promise<unknown>): Promise<unknown> =>
  posting.then(
    () => [],
    (error: { readonly problems?: readonly { readonly code?: string; readonly field: string }[] }) =>
      error.problems?.map(({ code, field }) => [code, field]) ?? String(error),
  );

test('a section that was used with a party in the year is asked for where it would deduct tax', async () => {
  const { books, typed } = await desk();
  const service = { ...itemLine(books.items[0], 1, 90_000), item: undefined, ledger: await books.ledger('6410') };
  const expense = (more: Partial<Draft> = {}) =>
    books.post(
      books.draft('expense', {
        ...{ party: books.supplier, reference: randomUUID().slice(0, 12), referenceDate: TODAY },
        lines: [service as unknown as Draft['lines'][number]],
        ...more,
      }),
    );
  // its ledger is that of rent
  expect(await asked(expense({ accepted: [] }))).toEqual([['impliedSectionMissing', 'tdsSection']]);
  const rent = [{ warning: 'impliedSectionMissing', reason: 'Reimbursement of court fees' }];
  expect(await asked(expense({ accepted: rent }))).toEqual([]);
  await expense({ tdsSection: '194J(b)', tdsAmount: money('9000') });
  expect(await asked(expense())).toEqual([['usedSectionMissing', 'tdsSection']]);
  const accepted = [{ warning: 'usedSectionMissing', reason: 'Reimbursement of court fees' }];
  expect(await asked(expense({ accepted }))).toEqual([]);
  const advance = { party: books.supplier, amount: money('100000'), moneyLedger: await books.ledger('1121') };
  expect(await asked(books.post(books.draft('advancePayment', advance)))).toEqual([
    ['usedSectionMissingOfMoney', 'tdsSection'],
  ]);
  // goods are not work
  expect(await asked(books.post(unmarked(typed(1_000))))).toEqual([]);
});

test('goods above the threshold without a section are asked for, and caught up where it is first used late', async () => {
  const { books, typed, bill } = await desk();
  await books.post(unmarked(typed(5_100_000)));
  expect(await asked(bill(100_000))).toEqual([['goodsWithoutSection', 'tdsAmount']]);
  expect(await asked(bill(100_000, { tdsAmount: money('200') }))).toEqual([]);
  expect(await asked(bill(100_000))).toEqual([]);
  expect(await asked(books.post(unmarked(typed(100_000))))).toEqual([['usedSectionMissing', 'tdsSection']]);
});

test('a tax that was typed far below what the section asks for wants a reason', async () => {
  const { bill } = await desk();
  const work = (tds: string, accepted: Draft['accepted'] = []) =>
    bill(60_000, { tdsSection: '194J(b)', tdsAmount: money(tds), accepted });
  expect(await asked(work('1'))).toEqual([['tdsFarBelow', 'tdsAmount']]);
  expect(await asked(work('1', [{ warning: 'tdsFarBelow', reason: 'Mostly reimbursement' }]))).toEqual([]);
  expect(await asked(work('6000'))).toEqual([]);
});
