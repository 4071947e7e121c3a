import { afterAll, beforeAll, expect, test } from 'vitest';
import { money, percentage } from '../../../../domain/base/decimal.ts';
import type { Draft, Id } from '../../../../domain/document/document.ts';
import { itemLine, receive, type TestBooks, testBooks } from '../../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../../tools/testing/database.ts';
import { brokenInvariants } from '../../../kit/database/invariants.ts';
import { convert } from '../../drafts/convert.ts';
import { priceDraft } from '../../drafts/drafts.ts';

let db: TestDatabase;
let books: TestBooks;
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db);
  await receive(books, books.items[0], 1000, 60, '2026-10-01');
});
afterAll(async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
  await books.end();
  await db.drop();
});

const bank = () => books.ledger('1121');
const received = async (amount: string, more: Partial<Draft> = {}): Promise<Id> =>
  (
    await books.post(
      books.draft('advanceReceipt', {
        party: books.customer,
        amount: money(amount),
        advanceRate: percentage('18'),
        moneyLedger: await bank(),
        accepted: [{ warning: 'placeOfSupplyChosen', reason: 'A service for a building there' }],
        ...more,
      }),
    )
  ).id;
const sold = async (rate: number): Promise<Id> =>
  (await books.post(books.draft('saleInvoice', { party: books.customer, lines: [itemLine(books.items[0], 1, rate)] })))
    .id;
const adjust = async (against: Id, amount: string, more: Partial<Draft> = {}) =>
  books.post(
    books.draft('allocationVoucher', {
      party: books.customer,
      against,
      amount: money(amount),
      allocations: [{ document: await sold(1000), amount: money(amount) }],
      ...more,
    }),
  );
const refund = async (against: Id, amount: string, more: Partial<Draft> = {}) =>
  books.post(
    books.draft('advanceRefund', {
      party: books.customer,
      against,
      amount: money(amount),
      moneyLedger: await bank(),
      ...more,
    }),
  );
const entriesOf = (document: Id) => books.entriesOf(document);

test('an adjustment without a rate takes rate, place of supply and tax from the advance', async () => {
  const advance = await received('100', { placeOfSupply: '29' });
  expect(await entriesOf(advance)).toEqual({ '1121': 10000, '1441': 1526, '2150': -10000, '2211': -763, '2212': -763 });
  const { id } = await adjust(advance, '100');
  expect(await entriesOf(id)).toEqual({ '1210': -10000, '1441': -1526, '2150': 10000, '2211': 763, '2212': 763 });
  const { rows } = await db.owner.query(
    `select place_of_supply, body #>> '{draft,advanceRate}' as rate from documents where id = $1`,
    [id],
  );
  expect(rows).toEqual([{ place_of_supply: '29', rate: '180000' }]);
});

test('the conversion of an advance proposes its rate and place of supply', async () => {
  const advance = await received('11800', { placeOfSupply: '27' });
  for (const kind of ['allocationVoucher', 'advanceRefund']) {
    const { draft } = await convert({ from: advance, kind }, books.context());
    expect(draft).toMatchObject({ advanceRate: '18', placeOfSupply: '27', amount: '11800.00' });
  }
  const goods = await received('500', { advanceRate: percentage('0') });
  const { draft } = await convert({ from: goods, kind: 'allocationVoucher' }, books.context());
  expect(draft).not.toHaveProperty('advanceRate');
});

test('a rate or place of supply that is not the advance’s is a problem at its field', async () => {
  const advance = await received('1180', { placeOfSupply: '29' });
  await expect(refund(advance, '590', { advanceRate: percentage('5') })).rejects.toMatchObject({
    problems: [{ field: 'advanceRate' }],
  });
  await expect(refund(advance, '590', { advanceRate: percentage('0') })).rejects.toMatchObject({
    problems: [{ field: 'advanceRate' }],
  });
  await expect(adjust(advance, '590', { placeOfSupply: '27' })).rejects.toMatchObject({
    problems: [{ field: 'placeOfSupply' }],
  });
  const goods = await received('500', { advanceRate: percentage('0') });
  await expect(adjust(goods, '500', { advanceRate: percentage('18') })).rejects.toMatchObject({
    problems: [{ field: 'advanceRate' }],
  });
  const draft = books.draft('advanceRefund', {
    party: books.customer,
    against: advance,
    amount: money('590'),
    advanceRate: percentage('5'),
    moneyLedger: await bank(),
  });
  const { problems } = await books.context().inTransaction((trx) => priceDraft(trx, books.context(), draft));
  expect(problems).toMatchObject([{ field: 'advanceRate' }]);
});

test('the piece that closes an advance takes the rest of each tax head, and cancelling it opens the rest again', async () => {
  const advance = await received('100');
  const pieces = [await adjust(advance, '33.33'), await refund(advance, '33.33'), await adjust(advance, '33.34')];
  const tax = async () => Promise.all(pieces.map(async ({ id }) => (await entriesOf(id))['1441']));
  expect(await tax()).toEqual([-508, -508, -510]);
  const last = pieces[2];
  if (last) await books.cancel(last.id);
  pieces[2] = await refund(advance, '33.34');
  expect(await tax()).toEqual([-508, -508, -510]);
});

test('tax that the payer deducted is part of the advance and of what is taxed', async () => {
  const advance = await received('106.20', { tdsAmount: money('11.80') });
  expect(await entriesOf(advance)).toMatchObject({ '1441': 1800, '2150': -11800, '2211': -900, '2212': -900 });
  const { id } = await refund(advance, '118');
  expect(await entriesOf(id)).toMatchObject({ '1441': -1800, '2150': 11800, '2211': 900, '2212': 900 });
});

test('a refund names the advance that it gives back, and gives back nothing else', async () => {
  const [one, other] = [await received('118'), await received('118')];
  await expect(
    books.post(
      books.draft('advanceRefund', {
        party: books.customer,
        amount: money('118'),
        advanceRate: percentage('18'),
        moneyLedger: await bank(),
      }),
    ),
  ).rejects.toMatchObject({ problems: [{ field: 'against' }] });
  await expect(refund(one, '118', { allocations: [{ document: other, amount: money('118') }] })).rejects.toMatchObject({
    problems: [{ field: 'allocations' }],
  });
});

test('two uses at the same moment take the tax once', async () => {
  const advance = await received('100');
  await Promise.all([refund(advance, '33.33'), adjust(advance, '33.33'), refund(advance, '33.34')]);
  const { rows } = await db.owner.query<{ tax: string }>(
    `
      select sum(t.cgst) as tax
      from document_links k
      join documents t on t.organisation = k.organisation and t.id = k.target
      where k.source = $1 and k.role = 'source'
    `,
    [advance],
  );
  expect(rows[0]?.tax).toBe('763');
});
