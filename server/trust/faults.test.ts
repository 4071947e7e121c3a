import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, financialYearOf, todayIn } from '../../domain/base/dates.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { sealAll, superuserOf } from '../../tools/testing/books.ts';
import { type Answered, type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let shop: Shop;
let people: readonly Visitor[];
let second: string;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  people = [shop.owner, await server.signIn('accountant@sharma.demo'), await server.signIn('owner@sharma.demo')];
  const values = {
    sku: 'LED-5W',
    name: 'LED bulb 5 W',
    type: 'stock',
    unit: 'NOS',
    hsn: '85395000',
    treatment: 'taxable',
    gstRate: '18',
  };
  second = ((await shop.owner.ask('SaveMaster', { master: 'item', values })) as { id: string }).id;
  await shop.post({
    kind: 'openingStock',
    lines: [
      { item: shop.item, quantity: '1000', rate: '60' },
      { item: second, quantity: '1000', rate: '40' },
    ],
  });
}, 60_000);
afterAll(() => server.stop());

type Posted = { TransactionId: string; TransactionNumber: string };
const today = async (): Promise<string> => ((await shop.owner.ask('GetSession', {})) as { today: string }).today;
const sale = async (lines: readonly object[] = [{ item: shop.item, quantity: '1', rate: '95' }]) => ({
  kind: 'saleInvoice',
  date: await today(),
  ...shop.place,
  party: shop.customer,
  lines,
});
const posting = (by: Visitor, document: object, key: string): Promise<Answered> =>
  by.call('PostTransactionCalls', { document } as never, key);
const byNumber = async (): Promise<string[]> =>
  (
    await server.database.owner.query<{ number: string }>(
      `select number from documents where organisation = 1 and kind = 'saleInvoice' order by number`,
    )
  ).rows.map((r) => r.number);
const wholeBooks = async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
};

test('G-01, F-21: 200 posts at once by several users, lines in different order: no error, no gap, no duplicate', async () => {
  const before = (await byNumber()).length;
  const line = (item: string) => ({ item, quantity: '1', rate: '95' });
  const orders = [await sale([line(shop.item), line(second)]), await sale([line(second), line(shop.item)])];
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) => posting(people[i % 3] as Visitor, orders[i % 2] as object, randomUUID())),
  );
  expect(answers.filter((a) => a.status !== 200)).toEqual([]);
  const given = answers.map((a) => (a.details as Posted).TransactionNumber);
  expect(new Set(given).size).toBe(200);
  const numbers = (await byNumber()).map((n) => Number(n.split('/').at(-1)));
  expect(numbers).toEqual(Array.from({ length: before + 200 }, (_, i) => i + 1));
  const { rows } = await server.database.owner.query(
    `
      select count(distinct author)::int as authors, count(distinct l.who)::int as logged
      from documents d
      join edit_log l on l.organisation = d.organisation and l.row_id = d.id::text and l.action = 'post'
      where d.kind = 'saleInvoice'
    `,
  );
  expect(rows).toEqual([{ authors: 2, logged: 2 }]);
  await wholeBooks();
}, 90_000);

test('F-20: twenty times the same key, at once, is one document and one answer; the key with another body is refused', async () => {
  const [document, key] = [await sale(), randomUUID()];
  const before = (await byNumber()).length;
  const answers = await Promise.all(Array.from({ length: 20 }, () => posting(shop.owner, document, key)));
  expect(new Set(answers.map((a) => JSON.stringify(a)))).toHaveLength(1);
  expect(answers[0]?.status).toBe(200);
  expect((await byNumber()).length).toBe(before + 1);
  expect(await posting(shop.owner, { ...document, narration: 'another' }, key)).toMatchObject({
    status: 422,
    details: { code: 'keyReused' },
  });
});

test('F-22: of thirty sales of the last unit one wins, the others say why, and no number is burnt', async () => {
  const values = {
    sku: 'LAST',
    name: 'The last one',
    type: 'stock',
    unit: 'NOS',
    hsn: '85395000',
    treatment: 'taxable',
    gstRate: '18',
  };
  const { id: item } = (await shop.owner.ask('SaveMaster', { master: 'item', values })) as { id: string };
  await shop.post({ kind: 'openingStock', lines: [{ item, quantity: '1', rate: '60' }] });
  const document = await sale([{ item, quantity: '1', rate: '95' }]);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => posting(people[i % 3] as Visitor, document, randomUUID())),
  );
  expect(answers.filter((a) => a.status === 200)).toHaveLength(1);
  expect(answers.filter((a) => a.status === 409 && (a.details as { code: string }).code === 'stockShort')).toHaveLength(
    29,
  );
  await wholeBooks();
});

test('F-23: a draft that one tab posts is not saved by the other, and posted once', async () => {
  const body = await sale();
  const { TransactionId, version } = (await shop.owner.ask('AddTransactionDetails', { kind: 'saleInvoice', body })) as {
    TransactionId: string;
    version: number;
  };
  const [posted, saved, again] = await Promise.all([
    shop.owner.call('PostTransactionCalls', { TransactionId, version }, randomUUID()),
    shop.owner.call('AddTransactionDetails', {
      kind: 'saleInvoice',
      id: TransactionId,
      version,
      body: { ...body, narration: 'typed meanwhile' },
    }),
    shop.owner.call('PostTransactionCalls', { TransactionId, version }, randomUUID()),
  ]);
  const won = [posted, again].filter((a) => a.status === 200);
  const { rows } = await server.database.owner.query(
    'select (select count(*)::int from documents where id = $1) as posted, (select count(*)::int from drafts where id = $1) as draft',
    [TransactionId],
  );
  // either the save came first, then nothing is lost and nothing posted; or the draft is posted, and once
  expect(rows).toEqual([won.length > 0 ? { posted: 1, draft: 0 } : { posted: 0, draft: 1 }]);
  expect(won.length).toBeLessThanOrEqual(1);
  for (const { status } of [posted, saved, again]) expect([200, 404, 409]).toContain(status);
});

test('F-11: a browser that is gone before the answer came asks again with its key, and there is one document', async () => {
  const document = await sale();
  const before = (await byNumber()).length;
  const keys = Array.from({ length: 30 }, () => randomUUID());
  const headers = { cookie: shop.owner.cookie, 'x-requested-by': 'bahi', 'content-type': 'application/json' };
  await Promise.all(
    keys.map(async (key, i) => {
      const gone = new AbortController();
      setTimeout(() => gone.abort(), i * 3);
      await fetch(`${server.url}/api/transactions/PostTransactionCalls`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': key },
        body: JSON.stringify({ document }),
        signal: gone.signal,
      }).catch(() => undefined);
    }),
  );
  const answers = await Promise.all(keys.map((key) => posting(shop.owner, document, key)));
  expect(answers.filter((a) => a.status !== 200)).toEqual([]);
  expect(new Set(answers.map((a) => (a.details as Posted).TransactionId)).size).toBe(30);
  expect((await byNumber()).length).toBe(before + 30);
});

test('F-04: while connections to the database are cut, every error says to try again; with the same keys each is posted once', async () => {
  const document = await sale();
  const before = (await byNumber()).length;
  let [cutting, cuts] = [true, 0];
  const { client: superuser, leave } = await superuserOf(server.database);
  const cut = (async () => {
    while (cutting && cuts < 12) {
      cuts +=
        (
          await superuser.query(
            `
              select pg_terminate_backend(pid)
              from pg_stat_activity
              where datname = current_database() and usename = 'bahi_app' and state <> 'idle'
            `,
          )
        ).rowCount ?? 0;
      await new Promise((then) => setTimeout(then, cuts === 0 ? 1 : 20));
    }
  })();
  const odd: Answered[] = [];
  const insist = async (key: string): Promise<Posted> => {
    for (let attempt = 0; attempt < 200; attempt++) {
      const answer = await posting(shop.owner, document, key);
      if (answer.status === 200) return answer.details as Posted;
      if (answer.status !== 503) odd.push(answer);
      await new Promise((then) => setTimeout(then, 20));
      if (attempt === 50) cutting = false;
    }
    throw new Error('never posted');
  };
  const posted: Posted[] = [];
  // where 200 are posted between two looks, some more
  for (let round = 0; round < 20 && cuts === 0; round++)
    posted.push(...(await Promise.all(Array.from({ length: 200 }, () => insist(randomUUID())))));
  cutting = false;
  await cut;
  await leave();
  expect(odd).toEqual([]);
  expect(cuts).toBeGreaterThan(0);
  expect(new Set(posted.map((p) => p.TransactionId)).size).toBe(posted.length);
  expect((await byNumber()).length).toBe(before + posted.length);
  await wholeBooks();
}, 90_000);

test('F-24: a statement whose connection is cut while it is read is answered with "try again", and once more adds what is missing', async () => {
  const LINES = 2000;
  const ledger = await shop.ledger('1121');
  const format = {
    date: 'Date',
    order: 'dmy',
    text: 'Narration',
    reference: 'Ref',
    moneyIn: 'Deposit',
    moneyOut: 'Withdrawal',
    balance: 'Balance',
  } as const;
  const rows = Array.from({ length: LINES }, (_, n) => `02/04/2026,NEFT ${n},N${n},,1.00,${n + 1}.00`);
  const content = ['Date,Narration,Ref,Withdrawal,Deposit,Balance', ...rows].join('\n');
  const load = () => shop.owner.call('ImportBankStatement', { ledger, content, format });
  const { client: superuser, leave } = await superuserOf(server.database);
  const standing = async () =>
    (await server.database.owner.query<{ n: number }>('select count(*)::int as n from bank_lines')).rows[0]?.n ?? 0;
  let [cuts, over] = [0, false];
  const loading = load().finally(() => {
    over = true;
  });
  while (cuts === 0 && !over)
    cuts +=
      (
        await superuser.query(
          `
            select pg_terminate_backend(pid)
            from pg_stat_activity
            where datname = current_database()
              and usename = 'bahi_app'
              and state <> 'idle'
              and query ilike '%bank_lines%'
          `,
        )
      ).rowCount ?? 0;
  expect([cuts > 0, (await loading).status]).toEqual([true, 503]);
  await leave();
  const there = await standing();
  expect(there).toBeLessThan(LINES);
  expect((await load()).details).toEqual({ added: LINES - there, known: there });
  expect(await standing()).toBe(LINES);
  await wholeBooks();
}, 60_000);

test('F-27: the subscription ends, or the user is shut out, between typing and posting: the core stays free, who is shut out is refused, ' +
  'and nothing is half done', async () => {
  const books = server.database.owner;
  const clerk = await server.signIn('accountant@sharma.demo');
  const draft = async () =>
    (await clerk.ask('AddTransactionDetails', { kind: 'saleInvoice', body: await sale() })) as {
      TransactionId: string;
      version: number;
    };
  const [late, shut] = [await draft(), await draft()];
  const before = (await byNumber()).length;
  const was = (await books.query('select ends_on::text as day from subscriptions where organisation = 1')).rows[0]?.day;
  await books.query(`update subscriptions set starts_on = '2020-01-01', ends_on = '2020-03-31' where organisation = 1`);
  // signed-in users notice within the two seconds that a session is remembered
  const answer = async ({ TransactionId, version }: typeof late) =>
    (await clerk.call('PostTransactionCalls', { TransactionId, version }, randomUUID())).status;
  await new Promise((then) => setTimeout(then, 2100));
  // the pack bears modules, not the core (ADR 26)
  expect(await answer(late)).toBe(200);
  await books.query('update subscriptions set ends_on = $1 where organisation = 1', [was]);
  await books.query(
    `update users set active = false where organisation = 1 and person = (select id from people where email = 'accountant@sharma.demo')`,
  );
  await new Promise((then) => setTimeout(then, 2100));
  expect([401, 403]).toContain(await answer(shut));
  expect((await byNumber()).length).toBe(before + 1);
  // the typed draft is still there
  await books.query(`update users set active = true where organisation = 1`);
  const back = await server.signIn('accountant@sharma.demo');
  expect((await back.call('PostTransactionCalls', { ...shut }, randomUUID())).status).toBe(200);
  await wholeBooks();
}, 60_000);

test(
  'F-18: at midnight in India on 31 March the day, the year of the number and the future begin; a clock that is set back gives no ' +
    'number twice',
  async () => {
    const { end: last, short: old } = financialYearOf(todayIn(Date.now()));
    const first = addDays(last, 1);
    // half past six in the evening in Greenwich
    server.clock.at = Date.parse(`${last}T18:29:58Z`);
    const late = await server.signIn('owner@sharma.demo');
    const dated = async (date: string) =>
      late.call('PostTransactionCalls', { document: { ...(await sale()), date } } as never, randomUUID());
    expect(await late.ask('GetSession', {})).toMatchObject({ today: last });
    expect(await dated(first)).toMatchObject({ status: 422, details: { problems: [{ field: 'date' }] } });
    expect((await dated(last)).details).toMatchObject({ TransactionNumber: expect.stringContaining(`/${old}/`) });
    server.clock.at = Date.parse(`${last}T18:30:00Z`);
    expect(await late.ask('GetSession', {})).toMatchObject({ today: first });
    expect((await dated(first)).details).toMatchObject({
      TransactionNumber: expect.stringContaining(`/${financialYearOf(first).short}/0001`),
    });
    // the document of yesterday belongs to the old year, whenever it is written
    expect((await dated(last)).details).toMatchObject({ TransactionNumber: expect.stringContaining(`/${old}/`) });
    // the clock is set back by two hours: what has been given stays given, and tomorrow has not come again
    server.clock.at = Date.parse(`${last}T16:30:00Z`);
    expect(await dated(first)).toMatchObject({ status: 422, details: { problems: [{ field: 'date' }] } });
    const given = [await dated(last), await dated(last)].map((a) => (a.details as Posted).TransactionNumber);
    expect(given).toEqual([...given].sort());
    expect(new Set([...given, ...(await byNumber())]).size).toBe((await byNumber()).length);
    server.clock.at = undefined;
    await wholeBooks();
  },
);
