import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../../tools/testing/server.ts';
import { sweep } from '../database/sweep.ts';

let one: TestServer;
let other: TestServer;
beforeAll(async () => {
  one = await testServer();
  other = await testServer({}, { on: { ...one.database, drop: async () => undefined }, empty: true });
});
afterAll(async () => {
  await other.stop();
  await one.stop();
});

const knock = async (server: TestServer, page: string): Promise<number> =>
  (
    await fetch(`${server.url}${page}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'email=nobody%40example.com',
      redirect: 'manual',
    })
  ).status;

test.each([
  ['/forgotten', 5],
  ['/invitation', 20],
  ['/setup', 20],
])('%s counts an address for all servers on a database, and each page for itself', async (page, most) => {
  for (let times = 0; times < most; times += 1) expect(await knock(times % 2 ? one : other, page)).not.toBe(429);
  expect([await knock(one, page), await knock(other, page)]).toEqual([429, 429]);
  // the minute is over
  await one.database.owner.query(`update knocks set until = now() where page = $1`, [page]);
  expect(await knock(one, page)).not.toBe(429);
});

test('what is over is swept', async () => {
  await one.database.owner.query('update knocks set until = now()');
  expect(await sweep(one.database.owner)).toMatchObject({ knocks: 3 });
});
