import { afterAll, beforeAll, expect, test } from 'vitest';
import { money, percentage } from '../../../../domain/base/decimal.ts';
import type { Draft, Id } from '../../../../domain/document/document.ts';
import { itemLine, receive, type TestBooks, testBooks } from '../../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../../tools/testing/database.ts';
import { accountHandlers, type Engines } from '../../../accounts/index.ts';
import { brokenInvariants } from '../../../kit/database/invariants.ts';
import { newId } from '../../../kit/ids.ts';
import { priceDraft } from '../../drafts/drafts.ts';
import { documentHandlers } from '../../index.ts';

let db: TestDatabase;
let books: TestBooks;
let bank: Id;
const pune = { registration: newId(), location: newId() };

beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db, { isAllowNegative: true });
  bank = await books.ledger('1121');
  await db.owner.query(
    `
      insert into registrations (organisation, id, gstin, legal_name, state, kind)
      select organisation, $2, '27AAGCS4821F1ZF', legal_name, '27', kind
      from registrations
      where organisation = $1
    `,
    [books.organisation, pune.registration],
  );
  await db.owner.query(
    `
      insert into locations (organisation, id, code, name, registration, is_tax, is_physical)
      values ($1, $2, 'P', 'Pune', $3, true, true)
    `,
    [books.organisation, pune.location, pune.registration],
  );
  await db.owner.query(
    `
      insert into number_series (
        organisation, id, kind, name, registration, location, prefix, suffix, padding, start, reset
      )
      select organisation, gen_random_uuid(), kind, name, $2, null, prefix, suffix, padding, start, reset
      from number_series
      where organisation = $1 and registration = $3
    `,
    [books.organisation, pune.registration, books.registration],
  );
  await receive(books, books.items[0], 1000, 60, '2026-10-01');
});
afterAll(async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
  await books.end();
  await db.drop();
});

const received = async (more: Partial<Draft> = {}): Promise<Id> =>
  (
    await books.post(
      books.draft('advanceReceipt', {
        ...{ party: books.customer, amount: money('1180'), advanceRate: percentage('18'), moneyLedger: bank },
        accepted: [{ warning: 'placeOfSupplyChosen', reason: 'A service for a building there' }],
        ...more,
      }),
    )
  ).id;
const sold = async (more: Partial<Draft> = {}): Promise<Id> =>
  (
    await books.post(
      books.draft('saleInvoice', { party: books.customer, lines: [itemLine(books.items[0], 10, 100)], ...more }),
    )
  ).id;
const adjusting = (against: Id, document: Id, more: Partial<Draft> = {}): Draft =>
  books.draft('allocationVoucher', {
    ...{ party: books.customer, against, amount: money('1180') },
    ...{ allocations: [{ document, amount: money('1180') }], ...more },
  });

test('an advance with tax is set against invoices of its own GSTIN only: another one is a problem at its amount', async () => {
  const advance = await received(pune);
  const [own, other] = [await sold(pune), await sold()];
  const wrong = {
    problems: [{ field: 'allocations.amount', row: 0, message: expect.stringMatching(/another GSTIN/) }],
  };
  const draft = adjusting(advance, other, pune);
  await expect(books.post(draft)).rejects.toMatchObject(wrong);
  const context = books.context();
  expect(await context.inTransaction((trx) => priceDraft(trx, context, draft))).toMatchObject(wrong);
  // as many allocations as there are: each is looked at
  const half = [own, other].map((document) => ({ document, amount: money('590') }));
  await expect(books.post({ ...draft, allocations: half })).rejects.toMatchObject({
    problems: [{ field: 'allocations.amount', row: 1 }],
  });
  await books.post(adjusting(advance, own, pune));
});

test('an adjustment of another registration than its advance is a problem, with tax or without', async () => {
  for (const more of [{}, { advanceRate: percentage('0') }]) {
    const advance = await received({ ...pune, ...more });
    await expect(books.post(adjusting(advance, await sold()))).rejects.toMatchObject({
      problems: expect.arrayContaining([expect.objectContaining({ field: 'registration' })]),
    });
  }
});

test('an advance without tax is set against invoices of every GSTIN', async () => {
  const advance = await received({ ...pune, advanceRate: percentage('0') });
  const invoice = await sold();
  await books.post(adjusting(advance, invoice, pune));
  const { rows } = await db.owner.query<{ open: number }>('select open::int from open_items where document = $1', [
    invoice,
  ]);
  expect(rows).toEqual([{ open: 0 }]);
});

test('no call that settles sets an advance with tax against anything', async () => {
  const advance = await received(pune);
  const other = await sold();
  const calls = accountHandlers({} as Engines);
  const [poster, pair] = [books.context(), { credit: advance, creditLine: 0, invoice: other, invoiceLine: 0 }];
  const allocations = [{ ...pair, amount: money('1180') }];
  await expect(calls.SavePartyCreditsAllocation({ party: books.customer, allocations }, poster)).rejects.toMatchObject({
    code: 'allocationPosts',
  });
  await calls.AllcoateCreditsByTransactionId({ TransactionId: advance, line: 0 }, poster);
  await calls.AllcoateCreditsByTransactionId({ TransactionId: other, line: 0 }, poster);
  const { rows } = await db.owner.query('select from allocations where credit_document = $1', [advance]);
  expect(rows).toEqual([]);
  // money that comes in advance settles nothing by itself
  await expect(received({ ...pune, allocations: [{ document: other, amount: money('1180') }] })).rejects.toMatchObject({
    problems: [{ field: 'allocations' }],
  });
});

test('open items say which registration they are of', async () => {
  const [own, other] = [await sold(pune), await sold()];
  const items = await documentHandlers(books.poster).GetOpenItems(
    { party: books.customer, side: 'receivable' },
    books.context(),
  );
  const of = (id: Id) => items.find(({ document }) => document === id)?.registration;
  expect([of(own), of(other)]).toEqual([pune.registration, books.registration]);
});

test('an invoice with another place of supply than the advance asks for a reason, which is kept', async () => {
  const advance = await received({ placeOfSupply: '33' });
  const invoice = await sold();
  const draft = adjusting(advance, invoice);
  await expect(books.post(draft)).rejects.toMatchObject({
    problems: [{ code: 'advancePlace', field: 'allocations.amount', row: 0 }],
  });
  const { id } = await books.post({
    ...draft,
    accepted: [{ warning: 'advancePlace', reason: 'They took it at their office in Bengaluru' }],
  });
  const { rows } = await db.owner.query(
    `select place_of_supply, body -> 'warnings' as warnings from documents where id = $1`,
    [id],
  );
  // tax is given back under the head and place that the advance bore it under
  expect(rows).toMatchObject([
    {
      place_of_supply: '33',
      warnings: [{ code: 'advancePlace', reason: 'They took it at their office in Bengaluru' }],
    },
  ]);
});
