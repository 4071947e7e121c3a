import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/shop.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

let server: TestServer;
let shop: Shop;
beforeAll(async () => {
  server = await testServer();
  server.clock.at = Date.parse('2026-11-21T10:00:00+05:30');
  shop = await openShop(server);
});
afterAll(() => server.stop());

test('a pattern shows its next numbers and what is wrong with it, as saving would', async () => {
  const check = (more: Record<string, unknown>) =>
    shop.owner.ask('DocPatternValidations', { Type: 'SI', registration: shop.place.registration, ...more });
  expect(await check({ prefix: 'SHOP/{FY2}/' })).toEqual({
    ...{ problems: [], next: ['SHOP/2627/0001', 'SHOP/2627/0002', 'SHOP/2627/0003'] },
  });
  const long = (await check({ prefix: 'SHOPFLOOR/{FY}/' })) as { problems: string[] };
  expect(long.problems).toEqual([expect.stringContaining('at most 16')]);
  const zero = (await check({ prefix: '0/{FY}/' })) as { problems: string[] };
  expect(zero.problems).toEqual([expect.stringContaining('may not begin with 0')]);
  expect(await check({ prefix: 'S/{XY}/' })).toMatchObject({
    problems: [expect.stringContaining('{XY} is not known')],
  });
});

test('what a series has given is shown by year, with its cancellations; a number that is gone is named', async () => {
  const line = { item: shop.item, quantity: '1', rate: '95' };
  const sell = (date: string) => shop.post({ kind: 'saleInvoice', party: shop.customer, date, lines: [line] });
  await sell('2026-11-21');
  const second = await sell('2026-11-21');
  await shop.owner.ask(
    'CancelTransaction',
    { TransactionType: 'saleInvoice', TransactionIds: [second.TransactionId], reason: 'typed twice' },
    randomUUID(),
  );
  await sell('2026-11-21');
  const { owner } = server.database;
  const [sharma] = server.organisations;
  const { rows } = await owner.query<{ series: string }>(
    `select series from documents where organisation = $1 and id = $2`,
    [sharma?.organisation, second.TransactionId],
  );
  const given = () => shop.owner.ask('GetNumbersGiven', { Id: rows[0]?.series ?? '' });
  expect(await given()).toEqual([
    {
      period: '2026-27',
      given: 3,
      cancelled: 1,
      missing: 0,
      ...{ missingNumbers: [], notInBooks: [], heldBy: null },
      first: expect.any(String),
      last: expect.any(String),
    },
  ]);
  // a counter that somebody has moved by hand
  await owner.query(`update series_counters set next = next + 2 where organisation = $1 and series = $2`, [
    sharma?.organisation,
    rows[0]?.series,
  ]);
  const [found] = (await given()) as { missing: number; missingNumbers: string[] }[];
  expect(found?.missing).toBe(2);
  expect(found?.missingNumbers.map((number) => number.slice(-4))).toEqual(['0004', '0005']);
  const nova = await server.signIn('owner@nova.demo');
  expect((await nova.call('GetNumbersGiven', { Id: rows[0]?.series ?? '' })).status).toBe(404);
});
