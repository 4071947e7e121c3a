import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { rebuildProjections } from '../kit/database/rebuild.ts';

let server: TestServer;
let shop: Shop;
beforeEach(async () => {
  server = await testServer();
  server.clock.at = Date.parse('2026-11-21T10:00:00+05:30');
  shop = await openShop(server);
});
afterEach(() => server.stop());

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

test('a series made again with the numbers of a retired one is refused, and starts after the highest number given', async () => {
  const ask = (name: string, input: object) =>
    shop.owner.ask(name as 'GetSession', input as never, randomUUID()) as unknown as Promise<Record<string, never>>;
  const call = (name: string, input: object) => shop.owner.call(name as 'GetSession', input as never, randomUUID());
  const { registration, location } = shop.place;
  const series = (values: object = {}) => ({
    master: 'numberSeries',
    values: {
      ...{ name: 'Renewals', kind: 'saleInvoice', registration, location },
      ...{ prefix: 'RNW/', padding: 4, start: 1, reset: 'year', ...values },
    },
  });
  const line = { item: shop.item, quantity: '1', rate: '95' };
  const sell = async () => {
    const sale = { kind: 'saleInvoice', party: shop.customer, date: '2026-11-21', lines: [line] };
    return (await shop.post(sale)).TransactionNumber;
  };
  const made = (await ask('SaveMaster', series())) as unknown as { id: string; version: number };
  expect([await sell(), await sell()]).toEqual(['RNW/0001', 'RNW/0002']);
  await ask('RetireMaster', { master: 'numberSeries', id: made.id, version: made.version, active: false });
  const refused = (message: string) => ({ status: 422, details: { problems: [expect.objectContaining({ message })] } });
  const given = 'RNW/0002 was given already: start at 3 or higher';
  expect(await call('SaveMaster', series())).toMatchObject(refused(given));
  expect(await call('SaveMaster', series({ start: 2 }))).toMatchObject(refused(given));
  // another way to write the same numbers
  expect(await call('SaveMaster', series({ prefix: 'RNW/0', padding: 3 }))).toMatchObject(refused(given));
  const again = (await ask('SaveMaster', series({ start: 3 }))) as unknown as { id: string; version: number };
  expect(await sell()).toBe('RNW/0003');
  // the retired one comes back only when its numbers meet those of no other
  const back = { master: 'numberSeries', id: made.id, active: true };
  const now = (await ask('GetMaster', { master: 'numberSeries', id: made.id })) as unknown as { version: number };
  expect(await call('RetireMaster', { ...back, version: now.version })).toMatchObject(
    refused('Its numbers could meet those of Renewals'),
  );
  await ask('RetireMaster', { master: 'numberSeries', id: again.id, version: again.version, active: false });
  expect(await call('RetireMaster', { ...back, version: now.version })).toMatchObject(
    refused('RNW/0003 was given already and would come again: choose another prefix'),
  );
});

test('a series whose numbers outgrow sixteen characters within the year is refused', async () => {
  const check = (more: Record<string, unknown>) =>
    shop.owner.ask('DocPatternValidations', { Type: 'SI', registration: shop.place.registration, ...more });
  expect(await check({ prefix: 'HOQWE/{FY}/', padding: 4 })).toMatchObject({
    problems: [expect.stringContaining('HOQWE/26-27/99999 has 17 characters')],
  });
});

test('a counter that is behind or gone: the refusal names the number and what corrects the counter', async () => {
  const { owner } = server.database;
  const [sharma] = server.organisations;
  const line = { item: shop.item, quantity: '1', rate: '95' };
  const document = { kind: 'saleInvoice', ...shop.place, party: shop.customer, date: '2026-11-21', lines: [line] };
  await shop.post(document);
  await owner.query(
    `update series_counters c set next = 1 from number_series s
      where s.organisation = c.organisation and s.id = c.series and c.organisation = $1 and s.kind = 'saleInvoice' and s.registration = $2`,
    [sharma?.organisation, shop.place.registration],
  );
  const answer = await shop.owner.call('PostTransactionCalls', { document } as never, randomUUID());
  expect(answer).toMatchObject({
    status: 409,
    message: expect.stringMatching(/^The number \S*0001 was given already: the counter of its series is behind/),
    details: { code: 'counterBehind' },
  });
  await owner.query('delete from series_counters where organisation = $1', [sharma?.organisation]);
  expect((await brokenInvariants(owner)).filter(({ id }) => id === 'INV-31')).not.toEqual([]);
  expect(await shop.owner.call('PostTransactionCalls', { document } as never, randomUUID())).toMatchObject({
    details: { code: 'counterBehind' },
  });
  await rebuildProjections(owner);
  expect((await brokenInvariants(owner)).filter(({ id }) => id === 'INV-31')).toEqual([]);
  expect((await shop.post(document)).TransactionNumber).toMatch(/\d$/);
});

test('a number that an import gave and a series gives next is named by the refusal', async () => {
  const { owner } = server.database;
  const sold = await shop.post({
    ...{ kind: 'saleInvoice', ...shop.place, party: shop.customer, date: '2026-11-21' },
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  });
  // as if it had been brought in: no series gave it
  await owner.query('alter table documents disable trigger written_once');
  await owner.query('update documents set series = null where id = $1', [sold.TransactionId]);
  await owner.query('alter table documents enable trigger written_once');
  await owner.query(
    `update series_counters set next = next - 1 where series in (
    select id from number_series where kind = 'saleInvoice' and registration = $1)`,
    [shop.place.registration],
  );
  const line = { item: shop.item, quantity: '1', rate: '95' };
  const document = { kind: 'saleInvoice', ...shop.place, party: shop.customer, date: '2026-11-21', lines: [line] };
  expect(await shop.owner.call('PostTransactionCalls', { document } as never, randomUUID())).toMatchObject({
    status: 409,
    message: `The number ${sold.TransactionNumber} is already used`,
    details: { code: 'numberTaken' },
  });
});

test('of several equal series that are made at the same moment one is kept', async () => {
  const { registration, location } = shop.place;
  for (let round = 0; round < 6; round += 1) {
    const values = {
      ...{ name: `Together ${round}`, kind: 'saleInvoice', registration, location },
      ...{ prefix: `TG${round}/`, padding: 4, start: 1, reset: 'year' },
    };
    const made = await Promise.all(
      ['A', 'B', 'C'].map((mark) =>
        shop.owner.call(
          'SaveDocNumber' as 'GetSession',
          { values: { ...values, name: `${values.name} ${mark}` } } as never,
          randomUUID(),
        ),
      ),
    );
    expect(made.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
  }
});

test('rules 46(b), 53 and 55: no series gives the numbers of another kind of the same GSTIN; what is older stays', async () => {
  const ask = (name: string, input: object) =>
    shop.owner.ask(name as 'GetSession', input as never, randomUUID()) as unknown as Promise<Record<string, never>>;
  const call = (name: string, input: object) => shop.owner.call(name as 'GetSession', input as never, randomUUID());
  const { registration } = shop.place;
  const { rows } = await server.database.owner.query<{ id: string; kind: string; version: number }>(
    `select id, kind, version from number_series where registration = $1 and location is null and till is null`,
    [registration],
  );
  const change = (kind: string, prefix: string) => {
    const row = rows.find((one) => one.kind === kind);
    const values = { name: kind, kind, registration, prefix, padding: 4, start: 1, reset: 'year' };
    return call('UpdateDocNumber', { id: row?.id, version: row?.version, values });
  };
  const meets = (of: string) => ({
    status: 422,
    details: { problems: [{ field: 'prefix', message: `Its numbers could meet those of ${of}` }] },
  });
  for (const kind of ['saleCreditNote', 'saleDebitNote', 'deliveryChallan', 'manualJournal'])
    expect(await change(kind, 'INV/{FY}/'), kind).toMatchObject(meets('Sale invoice'));
  expect(await change('saleInvoice', 'CN/{FY}/')).toMatchObject({ status: 422 });
  const exists = (prefix: string) =>
    ask('CheckDocNumFormatExistence', { Type: 'saleInvoice', registration, prefix, Id: rows[0]?.id });
  expect(await exists('CN/{FY}/')).toMatchObject({ exists: true, reason: expect.stringContaining('could meet') });
  // another registration keeps its own numbers: a notice says that a lookup finds both
  expect(await exists('MINV/{FY}/')).toMatchObject({ exists: false, reason: expect.stringContaining('27') });
  // an older pattern is saved as it is
  const note = rows.find(({ kind }) => kind === 'saleCreditNote');
  await server.database.owner.query(`update number_series set prefix = 'INV/{FY}/' where id = $1`, [note?.id]);
  const { rows: again } = await server.database.owner.query<{ version: number }>(
    'select version from number_series where id = $1',
    [note?.id],
  );
  const values = { name: 'Notes', kind: 'saleCreditNote', registration, prefix: 'INV/{FY}/', padding: 4, start: 1 };
  expect(
    await call('UpdateDocNumber', { id: note?.id, version: again[0]?.version, values: { ...values, reset: 'year' } }),
  ).toMatchObject({ status: 200 });
});
