import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallName } from '../../contract/calls.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { sealAll } from '../../tools/testing/books.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let shop: Shop;
beforeAll(async () => {
  server = await testServer();
  server.clock.at = Date.parse('2026-11-20T06:00:00Z');
  shop = await openShop(server);
});
afterAll(async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
  await server.stop();
});

const call = (name: CallName, input: object, by: Visitor = shop.owner) =>
  by.call(name as 'GetSession', input as never, crypto.randomUUID());
const mark = (more: object = {}, by?: Visitor) =>
  call(
    'MarkFiled',
    {
      ...{ registration: shop.place.registration, form: 'GSTR-1', period: '2026-10' },
      ...{ filedOn: '2026-11-11', arn: 'AA291026000001A', ...more },
    },
    by,
  );
const buy = (date: string, place: object = shop.place) =>
  call('PostTransactionCalls', {
    document: {
      ...{ kind: 'expense', date, ...place, reference: date, referenceDate: date, partyName: 'Taxi' },
      lines: [{ ledger: fares, rate: '100', quantity: '1' }],
      moneyLedger: cash,
    },
  });
let fares = '';
let cash = '';

test('a return that is marked as filed locks what it shows, for its registration alone', async () => {
  [fares, cash] = [await shop.ledger('6465'), await shop.ledger('1110')];
  const { locations } = (await shop.owner.ask('GetSession', {})) as unknown as {
    locations: { id: string; registration: string }[];
  };
  const other = locations.find((each) => each.registration !== shop.place.registration);
  const elsewhere = { registration: other?.registration, location: other?.id };
  const posted = (await buy('2026-10-31')).details as { TransactionId: string };
  expect(posted).toMatchObject({ TransactionId: expect.any(String) });
  expect(await mark({ period: '2026-11' })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'period' }, { field: 'filedOn' }] },
  });
  expect(await mark({ period: '2017-06', filedOn: '2017-07-11' })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'period', message: 'GST began in July 2017' }] },
  });
  expect(await mark({ arn: '12' })).toMatchObject({ status: 422, details: { problems: [{ field: 'arn' }] } });
  expect(await mark()).toMatchObject({
    status: 200,
    details: [{ form: 'GSTR-1', period: '2026-10', filedOn: '2026-11-11', arn: 'AA291026000001A', by: 'Ravi Sharma' }],
  });
  const sale = (date: string) =>
    call('PostTransactionCalls', {
      document: {
        ...{ kind: 'saleInvoice', date, ...shop.place, party: shop.customer },
        lines: [{ item: shop.item, quantity: '1', rate: '95' }],
      },
    });
  expect(await sale('2026-10-31')).toMatchObject({
    status: 409,
    message: 'GSTR-1 is filed, and outward documents are locked up to 31 Oct 2026',
  });
  expect((await sale('2026-11-20')).status).toBe(200);
  // what came in is shown by GSTR-3B
  expect((await buy('2026-10-30')).status).toBe(200);
  const others = {
    status: 422,
    details: { problems: [{ field: 'arn', message: expect.stringContaining('GSTR-1 of Oct 2026') }] },
  };
  const summary = { form: 'GSTR-3B', filedOn: '2026-11-18' };
  expect(await mark(summary)).toMatchObject(others);
  expect((await mark({ ...summary, arn: '' })).status).toBe(200);
  expect(await mark(summary)).toMatchObject(others);
  expect(await buy('2026-10-31')).toMatchObject({
    status: 409,
    message: 'GST returns are filed, and what they show is locked up to 31 Oct 2026',
  });
  expect((await buy('2026-10-31', elsewhere)).status).toBe(200);
  expect((await buy('2026-11-01')).status).toBe(200);
  expect(
    await call('CancelTransaction', {
      ...{ TransactionIds: [posted.TransactionId], TransactionType: 'expense', reason: 'Paid twice' },
    }),
  ).toMatchObject({ status: 409, details: { code: 'registerLocked' } });
  expect(await shop.owner.ask('GetLocks', {})).toMatchObject({
    registers: expect.arrayContaining([
      expect.objectContaining({
        ...{ register: 'gst', registration: shop.place.registration, lockedThrough: '2026-10-31' },
      }),
    ]),
  });
});

test('the mark is taken back with a reason, and only as much as nothing else holds is opened', async () => {
  const take = (form: string, by?: Visitor) =>
    call('UnmarkFiled', { registration: shop.place.registration, form, period: '2026-10', reason: 'Wrong month' }, by);
  expect((await take('GSTR-1', await server.signIn('accountant@sharma.demo'))).status).toBe(403);
  expect((await take('GSTR-1')).status).toBe(200);
  expect((await buy('2026-10-31')).status).toBe(409);
  expect((await take('GSTR-3B')).status).toBe(200);
  expect((await buy('2026-10-31')).status).toBe(200);
  expect((await take('GSTR-3B')).status).toBe(404);
  // a registration is named for the returns only, and only a known one
  const wrong = { through: '2026-10-31', reason: '' };
  for (const more of [
    { register: 'sales', registration: shop.place.registration },
    { register: 'gst', registration: crypto.randomUUID() },
  ])
    expect(await call('SaveLock', { ...wrong, ...more })).toMatchObject({
      status: 422,
      details: { problems: [{ field: 'registration' }] },
    });
  expect((await mark({}, await server.signIn('owner@nova.demo'))).status).toBe(422);
});
