import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Id } from '../../../domain/document/document.ts';
import { itemLine, receive, sell, type TestBooks, testBooks } from '../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';
import { newId } from '../../kit/ids.ts';
import { poster } from './queue.ts';
import { prepare } from './request/prepare.ts';

let db: TestDatabase;
let b: TestBooks;
beforeAll(async () => {
  db = await testDatabase();
  b = await testBooks(db);
  await change(`update parties set category = 'registered', body = body || $2::jsonb where organisation = $1`, [
    JSON.stringify({ addresses: [{ line1: '14 Market Road', city: 'Bengaluru', state: '29', pincode: '560001' }] }),
  ]);
  await receive(b, b.items[0], 1000, 60, '2026-04-01');
});
afterAll(async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
  await b.end();
  await db.drop();
});

const change = (text: string, values: readonly unknown[] = []) =>
  db.owner.query(text, [b.organisation, ...(values as unknown[])]);
const registration = (body: object) =>
  change('update registrations set body = body || $2::jsonb where organisation = $1', [JSON.stringify(body)]);
beforeEach(() => registration({ einvoice: false, einvoiceFrom: '' }));

/** Another member of the organisation, with the same rights. */
async function colleague(): Promise<Id> {
  const [person, user] = [newId(), newId()];
  const email = `${user}@books.test`;
  await db.owner.query(`insert into people (id, email, name) values ($1, $2, 'Colleague')`, [person, email]);
  await change(`insert into users (organisation, id, person, email, name) values ($1, $2, $3, $4, 'Colleague')`, [
    user,
    person,
    email,
  ]);
  return user;
}

test('posts of several users go together, and each is logged under its author', async () => {
  await registration({ einvoice: true });
  const users = [b.user, await colleague(), await colleague()];
  const sale = b.draft('saleInvoice', { party: b.customer, lines: [itemLine(b.items[0], 1, 100)] });
  const posted = await Promise.all(
    Array.from({ length: 12 }, async (_, i) => b.post(sale, { user: users[i % 3] ?? '' })),
  );
  const { rows } = await change(
    `
      select l.relation, l.row_id as id, l.who, d.author, l.xid::text
      from edit_log l
      join documents d on d.organisation = l.organisation and d.id::text = l.row_id
      where l.organisation = $1 and l.row_id = any($2)
      order by l.id
    `,
    [posted.map((p) => p.id)],
  );
  const expected = posted.map((p, i) => `${p.id} ${users[i % 3]}`).sort();
  for (const relation of ['documents', 'einvoices'])
    expect(
      rows
        .filter((r) => r.relation === relation)
        .map((r) => `${r.id} ${r.who}`)
        .sort(),
    ).toEqual(expected);
  expect(rows.every((r) => r.who === r.author)).toBe(true);
  expect(new Set(rows.map((r) => r.xid)).size).toBeLessThan(12);
});

test('200 posts at once through four processes, by two users: no error, no gap, no duplicate', async () => {
  const first = Number((await sell(b, b.items[0], 1)).number.slice(-4)) + 1;
  const users = [b.user, await colleague()];
  const posters = [1, 2, 3, 4].map(() => poster(b.books.pool));
  const posted = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const draft = b.draft('saleInvoice', { party: b.customer, lines: [itemLine(b.items[0], 1, 100)] });
      return posters[i % 4]?.post(await prepare(b.context({ user: users[i % 2] ?? '' }), draft));
    }),
  );
  const numbers = posted.map((p) => Number(p?.number.slice(-4))).sort((x, y) => x - y);
  expect(numbers).toEqual(Array.from({ length: 200 }, (_, i) => first + i));
});

test('an e-invoice is asked for from the day e-invoicing began to apply, and not before', async () => {
  const queued = async (date: string) => {
    const { id } = await sell(b, b.items[0], 1, date);
    const { rows } = await change(
      `
        select
          (select count(*)::int from einvoices where organisation = $1 and document = $2) as einvoices,
          (select count(*)::int from outbox where organisation = $1 and key = $2::text) as jobs
      `,
      [id],
    );
    return rows[0];
  };
  const [none, one] = [
    { einvoices: 0, jobs: 0 },
    { einvoices: 1, jobs: 1 },
  ];
  expect(await queued('2026-11-10')).toEqual(none);
  await registration({ einvoice: true });
  expect(await queued('2026-11-10')).toEqual(one);
  await registration({ einvoiceFrom: '2026-11-11' });
  expect(await queued('2026-11-10')).toEqual(none);
  expect(await queued('2026-11-11')).toEqual(one);
  await registration({ einvoice: false });
  expect(await queued('2026-11-11')).toEqual(none);
});

test('what changes in the snapshot is seen by the next posting, in every process', async () => {
  const another = poster(b.books.pool);
  const sale = b.draft('saleInvoice', { party: b.customer, lines: [itemLine(b.items[0], 1, 100)] });
  const post = async () => (await another.post(await prepare(b.context(), sale))).number;
  const before = await post();
  await change(`update number_series set prefix = 'NEW/{FY}/' where organisation = $1 and kind = 'saleInvoice'`);
  expect([before.slice(0, 4), (await post()).slice(0, 4)]).toEqual(['INV/', 'NEW/']);
  await change('update locations set active = false where organisation = $1 and id = $2', [b.location]);
  await expect(post()).rejects.toMatchObject({ problems: [{ field: 'location' }] });
  await change('update locations set active = true where organisation = $1 and id = $2', [b.location]);
  await change('update items set gst_rate = 50000 where organisation = $1 and id = $2', [b.items[1]]);
  const five = await b.post({ ...sale, kind: 'quotation', lines: [itemLine(b.items[1], 1, 100)] });
  expect(five.total).toBe(10500);
});

test('a place the user may not use answers like one that is not there', async () => {
  const sale = b.draft('saleInvoice', { party: b.customer, lines: [itemLine(b.items[0], 1, 100)] });
  await expect(b.post(sale, { locations: [b.other] })).rejects.toMatchObject({ code: 'notFound' });
  await expect(b.post({ ...sale, location: newId() })).rejects.toMatchObject({ code: 'notFound' });
});

test('a request that fails before it is sent fails alone: those of its queue are posted', async () => {
  const sale = b.draft('saleInvoice', { party: b.customer, lines: [itemLine(b.items[0], 1, 100)] });
  const fine = await prepare(b.context(), sale, {});
  const broken = { ...(await prepare(b.context(), sale, {})), draft: { ...fine.draft, date: 120 as never } };
  const queue = b.poster;
  const [first, second, third] = await Promise.allSettled([
    queue.post(fine),
    queue.post(broken),
    queue.post(await prepare(b.context(), sale, {})),
  ]);
  expect([first?.status, second?.status, third?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await expect(queue.post(await prepare(b.context(), sale, {}))).resolves.toHaveProperty('number');
});
