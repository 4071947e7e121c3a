import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShop, type Shop } from '../../../e2e/kit/shop.ts';
import { superuserOf } from '../../../tools/testing/books.ts';
import { freePort } from '../../../tools/testing/ports.ts';
import { type TestServer, testServer, type Visitor } from '../../../tools/testing/server.ts';
import { startServer } from '../../process/server.ts';

type Posted = { TransactionId: string; TransactionNumber: string; total: string };

let server: TestServer;
let shop: Shop;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  owner = shop.owner;
});
afterAll(() => server.stop());

const sale = (quantity: string, narration = '') => ({
  document: {
    kind: 'saleInvoice',
    date: new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(Date.now()),
    ...shop.place,
    party: shop.customer,
    narration,
    lines: [{ item: shop.item, quantity, rate: '95' }],
  },
});
const count = async (narration: string): Promise<number> =>
  (
    await server.database.owner.query(
      `select count(*)::int as n from documents where body -> 'draft' ->> 'narration' = $1`,
      [narration],
    )
  ).rows[0].n;
const post = (body: ReturnType<typeof sale>, key: string, by = owner) =>
  by.call('PostTransactionCalls', body as never, key);

test('the same key gets the same answer, one after the other and all at once, and posts once', async () => {
  const key = randomUUID();
  const body = sale('1', 'once');
  const first = await post(body, key);
  expect(first.status).toBe(200);
  expect(await post(body, key)).toEqual(first);
  const again = sale('1', 'together');
  const other = randomUUID();
  const all = await Promise.all(Array.from({ length: 8 }, () => post(again, other)));
  expect(new Set(all.map((a) => JSON.stringify(a))).size).toBe(1);
  expect(all[0]?.status).toBe(200);
  expect([await count('once'), await count('together')]).toEqual([1, 1]);
});

test('the same key with another body, or for another call, is refused and changes nothing', async () => {
  const key = randomUUID();
  const made = (await post(sale('1', 'first body'), key)).details as Posted;
  expect(await post(sale('2', 'second body'), key)).toMatchObject({
    status: 422,
    message: 'This key was already used for another request',
    details: { code: 'keyReused' },
  });
  const cancel = { TransactionIds: [made.TransactionId], TransactionType: 'saleInvoice', reason: 'twice' };
  expect(await owner.call('CancelTransaction', cancel, key)).toMatchObject({
    status: 422,
    details: { code: 'keyReused' },
  });
  expect(await count('second body')).toBe(0);
  // another person's key of the same letters is another key
  const accountant = await server.signIn('accountant@sharma.demo');
  expect((await post(sale('2', 'second body'), key, accountant)).status).toBe(200);
});

test('a draft that was posted is answered again under its key, and is gone under another', async () => {
  const { kind, ...body } = sale('1', 'from a draft').document;
  const draft = (await owner.ask('AddTransactionDetails', { kind, body: { kind, ...body } })) as {
    TransactionId: string;
    version: number;
  };
  const key = randomUUID();
  const ask = (with_: string) => owner.call('PostTransactionCalls', draft, with_);
  const first = await ask(key);
  expect(first.status).toBe(200);
  expect(await ask(key)).toEqual(first);
  expect((await ask(randomUUID())).status).toBe(409);
  expect(await count('from a draft')).toBe(1);
});

test('a draft that was kept with text for which nothing was chosen is posted by what is sent, once that is chosen', async () => {
  const { kind, ...body } = sale('1', 'chosen at last').document;
  const typed = { ...body, party: 'Bharrat', lines: body.lines.map((line) => ({ ...line, item: 'QQ77' })) };
  const draft = await owner.ask('AddTransactionDetails', { kind, body: { kind, ...typed } });
  expect((await owner.call('PostTransactionCalls', draft, randomUUID())).status).toBe(422);
  const document = { kind, ...body };
  const posted = await owner.call('PostTransactionCalls', { ...(draft as object), document }, randomUUID());
  expect(posted).toMatchObject({ status: 200 });
  expect(await count('chosen at last')).toBe(1);
  expect((await owner.call('PostTransactionCalls', draft, randomUUID())).status).toBe(409);
});

describe('a draft of what was sent to be posted and got no answer', () => {
  const keep = (narration: string, attempt: string) => {
    const body = sale('1', narration).document;
    return owner.call('AddTransactionDetails', { kind: body.kind, body, attempt });
  };
  const drafts = async (narration: string): Promise<number> =>
    (
      await server.database.owner.query(`select count(*)::int as n from drafts where body ->> 'narration' = $1`, [
        narration,
      ])
    ).rows[0].n;

  test('is refused when the posting went through, and says its number', async () => {
    const key = randomUUID();
    const made = (await post(sale('1', 'went through'), key)).details as Posted;
    expect(await keep('went through', key)).toMatchObject({
      status: 409,
      message: `This document is already posted as ${made.TransactionNumber}`,
      details: { code: 'alreadyPosted' },
    });
    expect(await drafts('went through')).toBe(0);
  });

  test('takes the place of a posting that comes late, and is kept once however often it is sent', async () => {
    const key = randomUUID();
    const first = await keep('came late', key);
    expect(first).toMatchObject({ status: 200, details: { version: 1 } });
    const { TransactionId } = first.details as Posted;
    expect(await keep('came late', key)).toMatchObject({ status: 200, details: { TransactionId, version: 2 } });
    expect(await post(sale('1', 'came late'), key)).toMatchObject({ status: 422, details: { code: 'keyReused' } });
    expect([await count('came late'), await drafts('came late')]).toEqual([0, 1]);
  });

  test('never exists together with the posted document, whichever comes first', async () => {
    for (let turn = 0; turn < 20; turn++) {
      const [key, narration] = [randomUUID(), `at once ${turn}`];
      const [posted, kept] = await Promise.all([post(sale('1', narration), key), keep(narration, key)]);
      expect([posted.status, kept.status].filter((status) => status === 200)).toHaveLength(1);
      expect((await count(narration)) + (await drafts(narration))).toBe(1);
    }
  });
});

test.each(['', 'not a uuid', '00000000'])('the key "%s" is none', async (key) => {
  expect(await post(sale('1'), key)).toMatchObject({ status: 422, details: { code: 'keyMissing' } });
});

test('what is refused uses the key up for nothing: mended and sent again under a new key or the same', async () => {
  const key = randomUUID();
  const wrong = await post(sale('0', 'mended'), key);
  expect(wrong.status).toBe(422);
  expect((await post(sale('1', 'mended'), key)).status).toBe(200);
  expect(await count('mended')).toBe(1);
});

test('cancelling several under one key mirrors each once, however often it is asked', async () => {
  const made = [await post(sale('1', 'several'), randomUUID()), await post(sale('1', 'several'), randomUUID())];
  const ids = made.map((m) => (m.details as Posted).TransactionId);
  const key = randomUUID();
  const ask = () =>
    owner.call('CancelTransaction', { TransactionIds: ids, TransactionType: 'saleInvoice', reason: 'twice' }, key);
  const first = await ask();
  expect(first.status).toBe(200);
  const { cancelled } = first.details as { cancelled: { TransactionId: string; reversal: string }[] };
  expect(cancelled.map((c) => c.TransactionId)).toEqual(ids);
  expect(new Set(cancelled.map((c) => c.reversal)).size).toBe(2);
  expect(await ask()).toEqual(first);
  const { rows } = await server.database.owner.query('select document from cancellations where document = any($1)', [
    ids,
  ]);
  expect(rows).toHaveLength(2);
});

/** Holds what a posting needs last, does something while one waits for it, and lets go. */
async function whileHeld<T>(work: () => Promise<T>): Promise<T> {
  const holder = await server.database.owner.connect();
  await holder.query('begin');
  await holder.query('select from series_counters for update');
  try {
    return await work();
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}
const waiting = async (): Promise<number[]> =>
  (
    await server.database.owner.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
    )
  ).rows.map((r) => r.pid);

test('a posting whose database connection dies is posted once when it is sent again', async () => {
  const key = randomUUID();
  const body = sale('1', 'cut off');
  await whileHeld(async () => {
    const asked = post(body, key);
    await expect.poll(waiting, { timeout: 5000 }).toHaveLength(1);
    const [pid] = await waiting();
    const boss = await superuserOf(server.database);
    await boss.client.query('select pg_terminate_backend($1)', [pid]);
    await boss.leave();
    return asked;
  });
  const second = await post(body, key);
  expect(second.status).toBe(200);
  expect(await post(body, key)).toEqual(second);
  expect(await count('cut off')).toBe(1);
});

test('a browser that goes away while its document is posted finds it under its key, at another server too', async () => {
  const key = randomUUID();
  const body = sale('1', 'gone away');
  const gone = new AbortController();
  await whileHeld(async () => {
    const asked = fetch(`${server.url}/api/transactions/PostTransactionCalls`, {
      method: 'POST',
      signal: gone.signal,
      headers: {
        cookie: owner.cookie,
        'x-requested-by': 'bahi',
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
    }).catch(() => 'gone');
    await expect.poll(waiting, { timeout: 5000 }).toHaveLength(1);
    gone.abort();
    expect(await asked).toBe('gone');
  });
  await expect.poll(() => count('gone away'), { timeout: 5000 }).toBe(1);
  const port = await freePort();
  const other = await startServer({
    url: server.database.url,
    ownerUrl: server.database.ownerUrl,
    masterKey: Buffer.alloc(32, 7),
    publicUrl: `http://127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    clock: { now: () => Date.now() },
    oidc: undefined,
    organisationClaim: 'org_id',
    irp: 'sandbox',
    jobs: false,
    checkAnswers: true,
    log: () => undefined,
  });
  try {
    const answer = await fetch(`${other.url}/api/transactions/PostTransactionCalls`, {
      method: 'POST',
      headers: {
        cookie: owner.cookie,
        'x-requested-by': 'bahi',
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    const { details } = (await answer.json()) as { details: Posted };
    expect((await post(body, key)).details).toEqual(details);
  } finally {
    await other.stop();
  }
  expect(await count('gone away')).toBe(1);
});
