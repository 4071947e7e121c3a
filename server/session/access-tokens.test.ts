import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallName, calls } from '../../contract/calls.ts';
import { type Operation, readsOnly, type Sent } from '../../contract/contract.ts';
import { MOST_TOKENS, type TokenScope } from '../../contract/token-facts.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { samplesOf, sampleWorld } from '../../tools/testing/samples.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { tokenUses } from '../access/tokens.ts';
import { limits } from '../http/load.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let shop: Shop;
const SEARCHES = 60;
beforeAll(async () => {
  server = await testServer({}, { limits: { ...limits, search: { of: 'user', burst: SEARCHES, perSecond: 0.001 } } });
  shop = await openShop(server);
});
afterAll(async () => {
  expect(server.failures).toEqual([]);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  await server.stop();
});

interface Made {
  readonly id: string;
  readonly secret: string;
}
const make = async (who: Visitor, name: string, scope: TokenScope = 'own', days = 30): Promise<Made> =>
  who.ask('MakeAccessToken', { name, scope, days });

/** A call as another program makes it: with the token alone. */
async function call<N extends CallName>(
  secret: string,
  name: N,
  input: Sent<(typeof calls)[N]>,
  headers: Readonly<Record<string, string>> = {},
) {
  const { service, changesByGet, ...operation }: Operation = calls[name];
  const method = changesByGet ? 'POST' : operation.method;
  const query = Object.entries(input as object).map(([key, value]): [string, string] => [key, String(value)]);
  const response = await fetch(
    `${server.url}/api/${service}/${name}${method === 'GET' ? `?${new URLSearchParams(query)}` : ''}`,
    {
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(method === 'POST' && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(method === 'POST' && { body: JSON.stringify(input) }),
    },
  );
  const { details } = (await response.json()) as { details: Record<string, unknown> };
  return { status: response.status, details, code: details?.code };
}

const invoice = async () => ({
  document: {
    kind: 'saleInvoice' as const,
    date: ((await shop.owner.ask('GetSession', {})) as { today: string }).today,
    ...shop.place,
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  },
});
const events = async (token: string) =>
  (
    await server.database.owner.query<{ action: string }>(
      `select action from edit_log where relation = 'security' and row_id = $1 order by id`,
      [token],
    )
  ).rows.map(({ action }) => action);

test('a token is shown once, and only its digest is kept', async () => {
  const { id, secret } = await make(shop.owner, 'Shown once');
  expect(secret).toMatch(/^bahi_[\w-]{43}$/);
  const listed: Record<string, unknown>[] = await shop.owner.ask('ListAccessTokens', {});
  expect(listed.find((token) => token.id === id)).toMatchObject({ name: 'Shown once', state: 'active', own: true });
  expect(JSON.stringify(listed)).not.toContain(secret);
  const { rows } = await server.database.owner.query(
    `select to_jsonb(t)::text as kept from access_tokens t union all select to_jsonb(l)::text from edit_log l`,
  );
  expect(rows.filter(({ kept }) => kept.includes(secret.slice(20)))).toEqual([]);
});

test.each([
  [0, 422],
  [366, 422],
  [365, 200],
])('a token of %s days is answered %s: it lasts a year at most', async (days, status) => {
  expect((await shop.owner.call('MakeAccessToken', { name: 'Days', scope: 'view', days })).status).toBe(status);
});

test('a program reads, and posts a document once for one idempotency key', async () => {
  const { id, secret } = await make(shop.owner, 'Web shop');
  expect(await call(secret, 'ListMasters', { master: 'customer' })).toMatchObject({ status: 200 });
  const key = { 'idempotency-key': randomUUID() };
  const input = await invoice();
  const first = await call(secret, 'PostTransactionCalls', input, key);
  expect(first).toMatchObject({ status: 200 });
  expect((await call(secret, 'PostTransactionCalls', input, key)).details).toEqual(first.details);
  expect(await call(secret, 'PostTransactionCalls', input)).toMatchObject({ code: 'keyMissing' });
  const { TransactionId } = first.details as { TransactionId: string };
  const { rows } = await server.database.owner.query(
    `select origin from edit_log where relation = 'documents' and row_id = $1`,
    [TransactionId],
  );
  expect(rows).toEqual([{ origin: 'token: Web shop' }]);
  const shown = () => shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId });
  expect(await shown()).toMatchObject({ timeline: [{ who: 'Ravi Sharma, by token Web shop', what: 'Posted' }] });
  const cancelled = await call(
    secret,
    'CancelTransaction',
    { TransactionIds: [TransactionId], TransactionType: 'saleInvoice' },
    {
      'idempotency-key': randomUUID(),
    },
  );
  expect(cancelled).toMatchObject({ status: 200 });
  expect(await shown()).toMatchObject({ cancelled: { by: 'Ravi Sharma, by token Web shop' } });
  expect(await events(id)).toEqual(['tokenMade', 'tokenUsed']);
});

test('the history of a record and the security log name the token, and nobody else’s changes do', async () => {
  const { secret } = await make(shop.owner, 'Address book');
  const values = { name: 'Made by a program', category: 'unregistered', state: '29' };
  const { details } = await call(secret, 'SaveMaster', { master: 'customer', values } as never);
  const history = () => shop.owner.ask('GetHistory', { master: 'customer', id: details.id as string });
  expect(await history()).toMatchObject([{ who: 'Ravi Sharma, by token Address book' }]);
  const today = ((await shop.owner.ask('GetSession', {})) as { today: string }).today;
  const report = { report: 'securityLog', filters: { from: today, to: today } } as const;
  const { rows }: { rows: object[] } = await shop.owner.ask('RunReport', report);
  expect(rows).toContainEqual(
    expect.objectContaining({
      who: 'Ravi Sharma, by token Address book',
      what: 'First use of an access token',
      about: 'Address book',
    }),
  );
  const { version } = details as { version: number };
  await shop.owner.ask('SaveMaster', {
    ...{ master: 'customer', id: details.id as string, version },
    values: { ...values, name: 'Changed by hand' },
  } as never);
  expect(await history()).toMatchObject([{ who: 'Ravi Sharma' }, { who: 'Ravi Sharma, by token Address book' }]);
});

test('a token that only reads cannot write, nor keep anything', async () => {
  const { secret } = await make(shop.owner, 'Reads', 'view');
  expect(await call(secret, 'ListMasters', { master: 'customer' })).toMatchObject({ status: 200 });
  expect(await call(secret, 'GetSession', {})).toMatchObject({ status: 200 });
  expect(
    await call(secret, 'PostTransactionCalls', await invoice(), { 'idempotency-key': randomUUID() }),
  ).toMatchObject({ status: 403, code: 'tokenReadsOnly' });
  expect(
    await call(secret, 'BeginImport', { master: 'customer', name: 'Customers.csv', size: 10 } as never),
  ).toMatchObject({ status: 403, code: 'tokenReadsOnly' });
  expect(await call(secret, 'DismissNotifications', {} as never)).toMatchObject({ status: 403 });
});

test('a token does no more than its maker may at that moment', async () => {
  const viewer = await server.signIn('viewer@sharma.demo');
  const ofViewer = await make(viewer, 'Of a viewer');
  const key = { 'idempotency-key': randomUUID() };
  expect(await call(ofViewer.secret, 'PostTransactionCalls', await invoice(), key)).toMatchObject({ code: 'noAccess' });
  expect(await call(ofViewer.secret, 'ListMasters', { master: 'customer' })).toMatchObject({ status: 200 });
  const { owner } = server.database;
  const { TransactionId } = await shop.post((await invoice()).document);
  expect(await call(ofViewer.secret, 'GetTransactionDetailForInvoice', { TransactionId })).toMatchObject({
    status: 200,
  });
  const taken = await owner.query(
    `delete from user_roles r using users u where u.organisation = r.organisation and u.id = r."user" and u.email = 'viewer@sharma.demo'
     returning r.*`,
  );
  expect(taken.rowCount).toBeGreaterThan(0);
  expect(await call(ofViewer.secret, 'GetTransactionDetailForInvoice', { TransactionId })).toMatchObject({
    status: 403,
    code: 'noAccess',
  });
  for (const { organisation, user, role } of taken.rows)
    await owner.query('insert into user_roles (organisation, "user", role) values ($1, $2, $3)', [
      ...[organisation, user, role],
    ]);
});

test('the rights of an operator are theirs in person', async () => {
  await server.database.owner.query(`update people set operator = true where email = 'owner@sharma.demo'`);
  const { secret } = await make(shop.owner, 'Operator');
  expect(await call(secret, 'ListOperators', {})).toMatchObject({ status: 403, code: 'notByToken' });
  expect((await call(secret, 'GetSession', {})).details).toMatchObject({ operator: false });
  await server.database.owner.query(`update people set operator = false where email = 'owner@sharma.demo'`);
});

test.each([
  ['expired', `update access_tokens set made_at = now() - interval '2 days', expires_at = now() where id = $1`, ''],
  [
    'of a user who was deactivated',
    `update users set active = false where id = (select "user" from access_tokens where id = $1)`,
    `update users set active = true where id = (select "user" from access_tokens where id = $1)`,
  ],
  [
    'of a user who has left',
    `update users set accepted_at = null where id = (select "user" from access_tokens where id = $1)`,
    `update users set accepted_at = now() where id = (select "user" from access_tokens where id = $1)`,
  ],
])('a token is refused with 401 when it is %s, and the security log has it', async (_, change, back) => {
  const { id, secret } = await make(await server.signIn('viewer@sharma.demo'), 'Ends');
  expect(await call(secret, 'GetSession', {})).toMatchObject({ status: 200 });
  await server.database.owner.query(change, [id]);
  expect(await call(secret, 'GetSession', {})).toMatchObject({ status: 401, code: 'tokenInvalid' });
  expect(await call(secret, 'GetSession', {})).toMatchObject({ status: 401, code: 'tokenInvalid' });
  expect(await events(id)).toEqual(['tokenMade', 'tokenUsed', 'tokenRefused']);
  if (back) {
    await server.database.owner.query(back, [id]);
    expect(await call(secret, 'GetSession', {})).toMatchObject({ status: 200 });
  }
});

test('a token that nobody made is refused, and a session beside it counts for nothing', async () => {
  const cookie = { cookie: shop.owner.cookie };
  for (const secret of ['bahi_wrong', 'something', `bahi_${'x'.repeat(43)}`])
    expect(await call(secret, 'GetSession', {}, cookie)).toMatchObject({ status: 401, code: 'tokenInvalid' });
});

test('its maker revokes a token, whoever manages users too, and nobody else', async () => {
  const viewer = await server.signIn('viewer@sharma.demo');
  const [own, other] = [await make(viewer, 'Own'), await make(viewer, 'Other')];
  const ofOwner = await make(shop.owner, 'Of the owner');
  expect((await viewer.call('RevokeAccessToken', { token: ofOwner.id })).status).toBe(403);
  expect((await viewer.call('ListAccessTokens', { all: 'true' } as never)).status).toBe(403);
  await viewer.ask('RevokeAccessToken', { token: own.id });
  await shop.owner.ask('RevokeAccessToken', { token: other.id });
  for (const { id, secret } of [own, other]) {
    expect(await call(secret, 'GetSession', {})).toMatchObject({ status: 401, code: 'tokenInvalid' });
    expect(await events(id)).toEqual(['tokenMade', 'tokenRevoked', 'tokenRefused']);
  }
  expect(await call(ofOwner.secret, 'GetSession', {})).toMatchObject({ status: 200 });
  const all: { name: string; user: string; state: string }[] = await shop.owner.ask('ListAccessTokens', {
    all: 'true',
  } as never);
  expect(all.find(({ name }) => name === 'Other')).toMatchObject({ state: 'revoked' });
  const mine: { own: boolean }[] = await viewer.ask('ListAccessTokens', {});
  expect(mine.every(({ own: isOwn }) => isOwn)).toBe(true);
});

test('a token opens one organisation', async () => {
  const { secret } = await make(shop.owner, 'One organisation');
  expect(await call(secret, 'GetOrgDetails', { orgCode: 'SHARMA' })).toMatchObject({ status: 200 });
  expect(await call(secret, 'GetOrgDetails', { orgCode: 'NOVA' })).toMatchObject({ status: 404, code: 'notFound' });
});

test('the decision for a call fits what it does', () => {
  for (const [name, operation] of Object.entries<Operation>(calls)) {
    const use = tokenUses[name as CallName];
    if (use === 'read') expect([name, readsOnly(operation)]).toEqual([name, true]);
    if (operation.service === 'operator') expect([name, use]).toEqual([name, 'person']);
  }
});

test('calls about people and sign-in are refused to a token of somebody who may make them', async () => {
  const { secret } = await make(shop.owner, 'About people');
  const samples = samplesOf(await sampleWorld(server, undefined, shop));
  const people = (Object.keys(tokenUses) as CallName[]).filter((name) => tokenUses[name] === 'person');
  expect(people.length).toBeGreaterThan(25);
  for (const name of people) {
    const answered = await call(secret, name, (samples[name] as (variant: string) => never)(''));
    expect([name, answered.status, answered.code]).toEqual([name, 403, 'notByToken']);
  }
  for (const master of ['user', 'role', 'group'] as const)
    expect(await call(secret, 'SaveMaster', { master, values: { name: 'X' } } as never)).toMatchObject({
      code: 'notByToken',
    });
});

test('a program waits as its user does', async () => {
  const { secret } = await make(shop.owner, 'Asks often');
  const pick = () => call(secret, 'Pick', { master: 'customer' });
  let last = await pick();
  expect(last.status).toBe(200);
  for (let n = 0; n < SEARCHES && last.status === 200; n++) last = await pick();
  expect(last).toMatchObject({ status: 429, code: 'tooMany' });
  expect((await shop.owner.call('Pick', { master: 'customer' })).status).toBe(429);
});

test('a user has so many valid tokens at most', async () => {
  const approver = await server.signIn('approver@sharma.demo');
  const made = await Promise.all(
    Array.from({ length: MOST_TOKENS + 3 }, (_, n) =>
      approver.call('MakeAccessToken', { name: `Token ${n}`, scope: 'view', days: 1 }),
    ),
  );
  expect(made.filter(({ status }) => status === 200)).toHaveLength(MOST_TOKENS);
  expect(made.find(({ status }) => status !== 200)?.details).toMatchObject({ code: 'manyTokens' });
});
