import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { recurringCalls } from '../../contract/recurring.ts';
import { screens } from '../../contract/screens.ts';
import type { Id } from '../../domain/document/document.ts';
import { itemLine, manyBooks, receive, sell, type TestBooks, TODAY } from '../../tools/testing/books.ts';
import type { TestDatabase } from '../../tools/testing/database.ts';
import { poster } from '../documents/index.ts';
import { Problems } from '../kit/problems.ts';
import { dueRecurring, makeRecurring, recurringHandlers } from './index.ts';

const { open, more, close } = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await open();
});
afterAll(close);

/** Another process, on a day: it has a queue of its own. */
const workerOn = ({ books }: TestBooks, day: string) =>
  makeRecurring({
    books,
    poster: poster(books.pool),
    clock: { now: () => Date.parse(`${day}T06:30:00Z`) },
    changed: () => undefined,
  });
type Saved = Input<(typeof recurringCalls)['SaveRecurringBill']>;
const save = (books: TestBooks, more: Partial<Saved>) =>
  recurringHandlers.SaveRecurringBill(
    { name: 'Rent', first: TODAY, every: 1, unit: 'month', monthEnd: false, posts: true, ...more },
    books.context(),
  );
const set = (
  books: TestBooks,
  { id, version }: { id: Id; version: number },
  to: 'paused' | 'running' | 'stopped' | 'skipped',
) => recurringHandlers.SetRecurringBill({ id, version, to }, books.context());
const now = async (books: TestBooks, id: Id) => {
  const found = (await recurringHandlers.ListRecurringBills({}, books.context())).find((one) => one.id === id);
  if (!found) throw new Error('it is not on the list');
  return found;
};
const run = (books: TestBooks, id: Id, day: string) =>
  workerOn(books, day)({ organisation: books.organisation, recurring: id });
const daysOf = async (books: TestBooks, kind = 'saleInvoice'): Promise<string[]> =>
  (
    await db.owner.query(
      `select date::text as date from documents where organisation = $1 and kind = $2 and date > $3 order by date`,
      [books.organisation, kind, TODAY],
    )
  ).rows.map((r) => r.date);
const stocked = async () => {
  const books = await more();
  await receive(books, books.items[0], 100, 60, '2026-04-01');
  return { books, source: (await sell(books, books.items[0], 1)).id };
};

test('after months of being off each turn is made once, on its day, by however many processes', async () => {
  const { books, source } = await stocked();
  const { id, coming } = await save(books, { source, first: '2026-11-30', monthEnd: true });
  expect(coming.slice(0, 3)).toEqual(['2026-11-30', '2026-12-31', '2027-01-31']);
  await run(books, id, '2026-11-29');
  expect(await daysOf(books)).toEqual([]);
  await Promise.all([1, 2, 3].map(() => run(books, id, '2027-02-03')));
  expect(await daysOf(books)).toEqual(['2026-11-30', '2026-12-31', '2027-01-31']);
  const { made, turns, coming: left } = await now(books, id);
  expect([made, left[0]]).toEqual([3, '2027-02-28']);
  expect(turns.map((t) => [t.day, t.what, t.number?.startsWith('INV/')])).toEqual([
    ['2027-01-31', 'posted', true],
    ['2026-12-31', 'posted', true],
    ['2026-11-30', 'posted', true],
  ]);
});

test('a process that died between the posting and its note posts nothing again', async () => {
  const { books, source } = await stocked();
  const { id } = await save(books, { source, first: '2026-12-01', times: 1 });
  await run(books, id, '2026-12-01');
  const before = await daysOf(books);
  // as it was before the note
  await db.owner.query('delete from recurring_turns where recurring = $1', [id]);
  await db.owner.query(`update recurring_bills set turn = 0, made = 0, next_on = '2026-12-01' where id = $1`, [id]);
  await run(books, id, '2026-12-02');
  expect(await daysOf(books)).toEqual(before);
  expect(await now(books, id)).toMatchObject({ made: 1, state: 'ended', coming: [] });
});

test('paused nothing is made, what is skipped is left out and not counted, what is stopped is over', async () => {
  const { books, source } = await stocked();
  const first = await save(books, { source, first: '2026-12-01', unit: 'week', times: 3 });
  const paused = await set(books, first, 'paused');
  await run(books, first.id, '2026-12-31');
  expect(await daysOf(books)).toEqual([]);
  const skipped = await set(books, await set(books, paused, 'running'), 'skipped');
  expect(skipped.coming).toEqual(['2026-12-08', '2026-12-15', '2026-12-22']);
  await run(books, first.id, '2026-12-16');
  expect(await daysOf(books)).toEqual(['2026-12-08', '2026-12-15']);
  const stale = await set(books, skipped, 'stopped').catch((error: unknown) => error);
  expect(stale).toBeInstanceOf(Refusal);
  const stopped = await set(books, await now(books, first.id), 'stopped');
  await run(books, first.id, '2027-06-01');
  expect(await daysOf(books)).toHaveLength(2);
  expect(await set(books, stopped, 'running').catch((error: unknown) => error)).toBeInstanceOf(Refusal);
});

test('what cannot be posted is kept as a draft, and its author is notified why', async () => {
  const { books } = await stocked();
  const source = (await sell(books, books.items[0], 60)).id;
  const { id } = await save(books, { source, first: '2026-12-05', name: 'Monthly load' });
  await run(books, id, '2026-12-05');
  const { turns, made } = await now(books, id);
  expect([made, turns[0]?.what, turns[0]?.problem]).toEqual([1, 'drafted', expect.stringContaining('Item 1')]);
  const { rows } = await db.owner.query('select body from drafts where id = $1', [turns[0]?.document]);
  expect(rows[0].body).toMatchObject({ kind: 'saleInvoice', date: '2026-12-05', lines: [{ quantity: '60' }] });
  const notifications = await db.owner.query('select message from notifications where organisation = $1', [
    books.organisation,
  ]);
  expect(notifications.rows.map((r) => r.message)).toEqual([
    expect.stringMatching(/^Monthly load of 5 Dec 2026 is kept as a draft/),
  ]);
});

test('a turn beyond the limits of who set it up is kept as a draft: jobs go no further than their author', async () => {
  const { books, source } = await stocked();
  const { id } = await save(books, { source, first: '2026-12-05', name: 'Late load', times: 2 });
  // no limit counts for who holds Full on everything
  await db.owner.query(`delete from role_grants where organisation = $1 and screen = $2`, [
    books.organisation,
    screens['Manage Role'].id,
  ]);
  await db.owner.query('update roles set back_days = 2 where organisation = $1', [books.organisation]);
  await run(books, id, '2026-12-08');
  expect(await daysOf(books)).toEqual([]);
  const { turns } = await now(books, id);
  expect(turns).toMatchObject([{ what: 'drafted', problem: expect.stringContaining('Your roles allow dates') }]);
  await run(books, id, '2027-01-07');
  expect(await daysOf(books)).toEqual(['2027-01-05']);
});

test('a turn that needs approval is kept as a draft, for its author to send', async () => {
  const { books, source } = await stocked();
  const { id } = await save(books, { source, first: '2026-12-05', name: 'Monthly load' });
  await db.owner.query(
    `update organisations set settings = settings || '{"approvals": [{"kind": "saleInvoice", "from": "0"}]}' where organisation = $1`,
    [books.organisation],
  );
  await run(books, id, '2026-12-05');
  const { turns } = await now(books, id);
  expect([turns[0]?.what, turns[0]?.problem]).toEqual(['drafted', expect.stringContaining('needs the approval of')]);
  const { rows } = await db.owner.query('select kind from drafts where id = $1', [turns[0]?.document]);
  expect(rows).toEqual([{ kind: 'saleInvoice' }]);
});

test('a supplier’s bill as a draft, its number made from the day', async () => {
  const books = await more();
  const { id: source } = await books.post(
    books.draft('purchaseBill', {
      party: books.supplier,
      reference: 'RENT/{MM}-{YY}',
      referenceDate: TODAY,
      lines: [itemLine(books.items[0], 1, 500)],
    }),
  );
  const { id } = await save(books, { source, first: '2026-12-31', unit: 'quarter', monthEnd: true, posts: false });
  await run(books, id, '2027-04-01');
  const { rows } = await db.owner.query(
    `select body ->> 'reference' as reference, body ->> 'referenceDate' as day from drafts where organisation = $1 order by 2`,
    [books.organisation],
  );
  expect(rows).toEqual([
    { reference: 'RENT/12-26', day: '2026-12-31' },
    { reference: 'RENT/03-27', day: '2027-03-31' },
  ]);
});

test('what is due is put out once, and again when a process died with it', async () => {
  const { books, source } = await stocked();
  const { id } = await save(books, { source, first: '2026-12-01' });
  const out = async () =>
    (await db.owner.query(`select count(*)::int as n from outbox where key = $1`, [id])).rows[0].n;
  await db.owner.query(dueRecurring, ['2026-11-30']);
  expect(await out()).toBe(0);
  await db.owner.query(dueRecurring, ['2026-12-01']);
  await db.owner.query(dueRecurring, ['2026-12-01']);
  expect(await out()).toBe(1);
  await db.owner.query(`update outbox set handed_at = now() - interval '2 minutes' where key = $1`, [id]);
  await db.owner.query(dueRecurring, ['2026-12-01']);
  expect(await out()).toBe(2);
  await db.owner.query('delete from outbox where key = $1', [id]);
});

test('what is wrong is a problem at its field; what belongs to others is not there', async () => {
  const { books, source } = await stocked();
  const other = await more();
  const fieldsOf = async (made: Promise<unknown>) => {
    const error = await made.catch((problem: unknown) => problem);
    return error instanceof Problems ? error.problems.map((p) => p.field) : error;
  };
  expect(await fieldsOf(save(books, { source, first: '2026-11-01', every: 0 }))).toEqual(['every', 'first']);
  expect(await fieldsOf(save(books, {}))).toEqual(['source']);
  expect(await fieldsOf(save(other, { source }))).toEqual(['source']);
  const received = (await receive(books, books.items[0], 1, 60, TODAY)).id;
  const returned = await books.post(
    books.draft('purchaseReturn', {
      party: books.supplier,
      against: received,
      reason: '01',
      lines: [{ ...itemLine(books.items[0], 1, 60), source: { document: received, line: 1 } }],
    }),
  );
  expect(await fieldsOf(save(books, { source: returned.id }))).toEqual(['source']);
  const saved = await save(books, { source, first: '2026-12-01' });
  await run(books, saved.id, '2026-12-01');
  const known = await now(books, saved.id);
  expect(await fieldsOf(save(books, { id: saved.id, version: known.version, first: '2026-12-02' }))).toEqual(['first']);
  expect(
    await save(books, { id: saved.id, version: known.version, first: '2026-12-01', name: 'Rent of the shop' }),
  ).toMatchObject({ name: 'Rent of the shop' });
  expect(await set(other, saved, 'stopped').catch((error: unknown) => error)).toMatchObject({ code: 'notFound' });
  const elsewhere = { ...books.context(), locations: [books.other] };
  expect(await recurringHandlers.ListRecurringBills({}, elsewhere)).toEqual([]);
});

test('a document comes again by one rhythm once, whoever says so at the same moment', async () => {
  const { books, source } = await stocked();
  for (const every of [1, 2, 3, 4]) {
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => save(books, { source, every })));
    const refused = outcomes.filter((one) => one.status === 'rejected').map(({ reason }) => reason);
    expect(refused.map((error) => (error instanceof Problems ? error.problems[0]?.field : error))).toEqual([
      'source',
      'source',
    ]);
  }
  const [one] = await recurringHandlers.ListRecurringBills({}, books.context());
  if (!one) throw new Error('four come again');
  // once it is stopped it may begin anew
  await set(books, one, 'stopped');
  await save(books, { source, every: one.every });
});
