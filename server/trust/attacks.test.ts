import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallName, calls } from '../../contract/calls.ts';
import type { Operation } from '../../contract/contract.ts';
import { sealAll } from '../../tools/testing/books.ts';
import { textFields, withValue } from '../../tools/testing/fields.ts';
import { type Samples, type SampleWorld, samplesOf, sampleWorld } from '../../tools/testing/samples.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let world: SampleWorld;
let samples: Samples;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer();
  world = await sampleWorld(server);
  samples = samplesOf(world);
  owner = world.shop.owner;
}, 60_000);
afterAll(() => server.stop());

const names = (Object.keys(calls) as CallName[]).filter((name) => name !== 'SignOut');
/** Text that does something where text is taken for more. */
const payloads: readonly string[] = [
  "' or 1=1; select pg_sleep(9) --",
  '"; drop table documents; --',
  '%_\\',
  '../../../../etc/passwd',
  'a\r\nBcc: x@evil.example',
  '\u0000\ud800',
  `<script>alert(1)</script>{{constructor.constructor('return process')()}}$${'{process.env}'}<%= 1 %>#{1}`,
  '__proto__',
  'constructor',
  '-1',
  '1e999',
  '2026-99-99|x|y',
  'A'.repeat(50_000),
];
/** Each field gets every third of them, the next field the next ones; with `BAHI_ALL` all of them. */
let turn = 0;
const some = (): readonly string[] => {
  turn += 1;
  return process.env['BAHI_ALL'] === '1' ? payloads : payloads.filter((_, at) => at % 3 === turn % 3);
};

test.each(names)(
  'S-30, S-34, S-36, S-37: %s takes hostile text for text, or refuses it',
  async (name) => {
    const wrong: string[] = [];
    const input = samples[name]('saleInvoice');
    const fields = textFields(calls[name].input).filter(
      (path) => !(name === 'ChangePassword' && path.join() === 'current'),
    );
    for (const path of fields) {
      const attempt = async (payload: string) => {
        const begun = performance.now();
        // of a head that is too long the connection is closed, at times before its 431 could be read
        const isTooLong = calls[name].method === 'GET' && payload.length > 8_000;
        const cut = { status: 431, message: '' };
        const { status, message } = await owner
          .call(name, withValue(input, path, payload) as never)
          .catch((error: unknown) => (isTooLong ? cut : Promise.reject(error)));
        const took = performance.now() - begun;
        // headers are at most so long, whatever a query asks
        if (status !== 431 && (status >= 500 || took > 8000 || /syntax|relation|column|select /i.test(message)))
          wrong.push(`${path.join('.')} = ${payload.slice(0, 40)}: ${status} ${message} in ${Math.round(took)} ms`);
      };
      // files take turns, and few may wait
      if ((calls[name] as Operation).load === 'file') for (const payload of some()) await attempt(payload);
      else await Promise.all(some().map(attempt));
    }
    expect(wrong).toEqual([]);
  },
  240_000,
);

test.each(names)('S-35, S-36: %s wants what it says, not other shapes', async (name) => {
  const operation: Operation = calls[name];
  if (operation.method === 'GET' && !operation.changesByGet) return;
  const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`;
  for (const body of [
    '[]',
    'null',
    '"text"',
    '7',
    '{"a":',
    '{"__proto__":{"polluted":true}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    `{"values":${deep},"filters":${deep},"id":${deep},"document":${deep}}`,
    '{"id":1e999,"TransactionIds":{"length":1e9}}',
  ]) {
    const answer = await send(`/api/${operation.service}/${name}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status, `${name} ${body.slice(0, 60)}`).toBeLessThan(500);
  }
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

const send = (
  path: string,
  { headers, ...init }: { method?: string; body?: string; headers?: Record<string, string> } = {},
) =>
  fetch(`${server.url}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { cookie: owner.cookie, 'x-requested-by': 'bahi', 'idempotency-key': randomUUID(), ...headers },
  });

describe('S-22: nobody sets fields that the server alone sets', () => {
  const row = async (table: string, id: string) =>
    (await server.database.owner.query(`select * from ${table} where id = $1`, [id])).rows[0] as Record<
      string,
      unknown
    >;
  const foreign = {
    organisation: 2,
    id: randomUUID(),
    version: 99,
    active: false,
    author: randomUUID(),
    person: randomUUID(),
    accepted_at: '2020-01-01',
    operator: true,
    isAdmin: true,
    accessTypeId: 5003,
    status: 'posted',
    irn: 'f'.repeat(64),
    createdBy: 'x',
    is_group: true,
    side: 'supplier',
    body: { x: 1 },
    search: 'x',
    is_transit: true,
  };

  const fieldsOf = (details: unknown) =>
    (details as { problems: { field: string }[] }).problems.map(({ field }) => field);

  test('a master keeps organisation, version and what fixes it: each is a problem, and nothing is kept', async () => {
    const customer = { name: 'Plain', category: 'unregistered', state: '29', addresses: [] };
    const user = { name: 'Plain', email: 'plain@sharma.demo', roles: [], locations: [] };
    for (const [master, values, table] of [
      ['customer', customer, 'parties'],
      ['user', user, 'users'],
    ] as const) {
      const count = async () => (await server.database.owner.query(`select count(*) from ${table}`)).rows;
      const before = await count();
      for (const [field, value] of Object.entries(foreign)) {
        const { status, details } = await owner.call('SaveMaster', { master, values: { ...values, [field]: value } });
        expect([master, status, fieldsOf(details)]).toEqual([master, 422, [field]]);
      }
      expect(await count()).toEqual(before);
      const { id } = (await owner.ask('SaveMaster', { master, values })) as { id: string };
      expect(await row(table, id)).toMatchObject({ organisation: 1, version: 1, active: true });
    }
    const { rows } = await server.database.owner.query(
      `select p.operator from people p join users u on u.person = p.id where u.email = 'plain@sharma.demo'`,
    );
    expect(rows).toEqual([{ operator: false }]);
  });

  test('a document keeps its own number, author, organisation and amounts', async () => {
    const line = { item: world.shop.item, quantity: '1', rate: '95' };
    const document = { kind: 'cashSale', lines: [line] };
    const { id: _, version: __, ...strange } = foreign;
    const refused = async (more: object, field: string) => {
      const sent = { ...document, ...world.shop.place, date: '2026-04-01', ...more };
      const { status, details } = await owner.call('PostTransactionCalls', { document: sent as never });
      expect([status, fieldsOf(details)]).toEqual([422, [field]]);
    };
    for (const [field, value] of Object.entries({
      ...strange,
      number: 'FREE/1',
      total: '0.01',
      taxable: '0.01',
      payable: '0',
      posted_at: '2020-01-01',
      financial_year: '1999-00',
      reverses: randomUUID(),
    }))
      await refused({ [field]: value }, field);
    for (const field of ['taxable', 'total', 'cost'])
      await refused({ lines: [{ ...line, [field]: '0.01' }] }, `lines.${field}`);
    const { TransactionId } = await world.shop.post(document);
    const me = (await server.database.owner.query(`select id from users where email = 'owner@sharma.demo'`)).rows[0];
    expect(await row('documents', TransactionId)).toMatchObject({
      organisation: 1,
      author: me?.id,
      number: expect.stringMatching(/^CS\//),
      total: '11200',
      financial_year: expect.stringMatching(/^20/),
      reverses: null,
    });
  });

  test('S-21: whom the input names acts for nobody', async () => {
    const clerk = await server.signIn('viewer@sharma.demo');
    const as = { UserName: 'owner@sharma.demo' };
    expect(await clerk.call('GetOrgDetails', as as never)).toMatchObject({
      status: 422,
      details: { problems: [{ field: 'UserName' }] },
    });
    expect((await clerk.call('SaveGeneralConfigDetails', { values: {}, createdBy: 'owner@sharma.demo' })).status).toBe(
      403,
    );
  });
});

test('S-31: a filter that a report does not have is a problem', async () => {
  const filters = { from: '2026-04-01', to: '2027-03-31' };
  for (const more of [{ organisation: '2' }, { or: '1=1' }, { $gt: '' }, { "from' or 1=1 --": 'x' }])
    expect(await owner.call('RunReport', { report: 'trialBalance', filters: { ...filters, ...more } })).toMatchObject({
      status: 422,
      details: { problems: [{ field: Object.keys(more)[0] }] },
    });
});

describe('S-41: exports', () => {
  const formulas = ['=1+1', '+1', '-1+2', '@SUM(A1)', '\u{ff1d}1', ' =1', "';=1", '"=1', '-5', '-1,000.50'];
  test('no cell of a CSV begins like a formula, a sheet has text, and both hold what was typed', async () => {
    for (const [i, name] of formulas.entries()) {
      const { id } = (await owner.ask('SaveMaster', {
        master: 'customer',
        values: { name, category: 'unregistered', state: '29', addresses: [], code: `F${i}` },
      })) as { id: string };
      await world.shop.post({
        kind: 'saleInvoice',
        party: id,
        lines: [{ item: world.shop.item, quantity: '1', rate: '10' }],
      });
    }
    const filters = { asOf: (await session()).today };
    const file = async (format: 'csv' | 'xlsx') =>
      Buffer.from(
        ((await owner.ask('ExportReport', { report: 'receivablesAgeing', filters, format })) as { content: string })
          .content,
        'base64',
      );
    const cells = (parse(await file('csv'), { bom: true, relax_quotes: true }) as string[][]).map(
      ([party = '']) => party,
    );
    for (const name of formulas) expect(cells).toContain(`'${name.trim()}`);
    expect(cells.filter((cell) => /^[\s"';]*[=+@-]/.test(cell) && !cell.startsWith("'"))).toEqual([]);
    const sheet = (await readSheet(await file('xlsx'))) as unknown as string[][];
    for (const name of formulas) expect(sheet.flat()).toContain(name.trim());
  });
});
const session = async () => (await owner.ask('GetSession', {})) as { today: string };

describe('S-38, S-39: the browser', () => {
  test('every answer carries its headers, also one that refuses', async () => {
    for (const path of [
      '/api/session/GetSession',
      '/api/session/GetSession?OrgCode=NOVA',
      '/api/nothing/here',
      '/',
      '/sign-in/nobody',
      '/callback',
      '/healthz',
      '/api/openapi.json',
      '/invitation',
      '/assets/none.js',
    ]) {
      const { headers } = await send(path);
      for (const [name, value] of Object.entries({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      }))
        expect(headers.get(name), `${path} ${name}`).toBe(value);
      expect(headers.get('content-security-policy'), path).toContain("default-src 'none'");
      expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'");
      expect(headers.get('access-control-allow-origin'), path).toBeNull();
    }
  });

  test('what a form of another site could send is no call', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const plain = await fetch(`${server.url}/api/masters/SaveMaster`, {
        method: 'POST',
        headers: { cookie: owner.cookie, 'content-type': type },
        body: '{"master":"category","values":{}}',
      });
      expect(plain.status, type).toBeGreaterThanOrEqual(400);
      expect(plain.status, type).toBeLessThan(500);
    }
    expect(
      (
        await send('/api/masters/SaveMaster', {
          method: 'OPTIONS',
          headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
        })
      ).headers.get('access-control-allow-methods'),
    ).toBeNull();
  });

  test('S-05: a session that somebody else chose is not taken', async () => {
    const { headers } = await fetch(`${server.url}/api/session/SignIn`, {
      redirect: 'manual',
      headers: { cookie: 'bahi_session=chosen' },
    });
    expect(headers.getSetCookie().join()).not.toContain('chosen');
    expect((await server.signIn('accountant@sharma.demo')).cookie).not.toBe(
      (await server.signIn('accountant@sharma.demo')).cookie,
    );
    for (const away of ['https://evil.example', '//evil.example', '/\\evil.example'])
      expect(
        (
          await send(`/api/session/SignIn?redirect=${encodeURIComponent(away)}&returnTo=${encodeURIComponent(away)}`)
        ).headers.get('location'),
      ).not.toContain('evil');
  });
});

/** A path as it is written: fetch would tidy it up before. */
const raw = (path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> =>
  new Promise((done, failed) => {
    const { hostname, port } = new URL(server.url);
    http
      .get({ hostname, port, path, headers }, (answer) => {
        let text = '';
        answer
          .on('data', (piece) => {
            text += piece;
          })
          .on('end', () => done({ status: answer.statusCode ?? 0, text }));
      })
      .on('error', failed);
  });

test('S-44, S-62: no path leads out of what is served', async () => {
  for (const path of [
    '/assets/../../../package.json',
    '/assets/..%2f..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..\\..\\package.json',
    '/assets/%00',
    '//etc/passwd',
    '/.git/config',
    '/.env',
    '/package.json',
    '/server/process/main.ts',
    '/db/migrations/0001-schema.sql',
    '/assets/index.js.map',
  ]) {
    const { status, text } = await raw(path);
    expect(status, path).toBeGreaterThanOrEqual(400);
    expect(text, path).not.toMatch(/"dependencies"|root:|\[core\]|create table/);
  }
  expect((await raw('/metrics')).status).toBe(200);
  expect((await raw('/metrics', { 'x-forwarded-for': '203.0.113.9' })).status).toBe(404);
});

test('S-60, S-61: secrets are in no table, log or answer', async () => {
  const secrets = { clientSecret: 'canary-client-secret', password: 'canary-portal-word' };
  const kept = (await owner.ask('GetEInvoiceClientCredentails', {})) as { registration: string; version: number }[];
  const { registration, version } = kept[0] as (typeof kept)[number];
  await owner.ask('AddUpdateEInvoiceCredentials', {
    registration,
    clientId: 'client',
    userName: 'user',
    ...secrets,
    version,
  });
  await owner.call('TestEInvoiceCredentials', { registration });
  expect(
    (await owner.call('ChangePassword', { current: 'canary-wrong-word', next: 'canary-next-word-1' })).status,
  ).toBe(422);
  const answers = JSON.stringify([
    await owner.ask('GetEInvoiceClientCredentails', {}),
    await owner.ask('ListSessions', {}),
    await owner.ask('GetSession', {}),
  ]);
  expect(answers).not.toContain('canary');
  expect(server.failures.join()).not.toContain('canary');
  const tables = await server.database.owner.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
  );
  const token = owner.cookie.split('=')[1] ?? '';
  for (const { name } of tables.rows) {
    const { rows } = await server.database.owner.query(
      `select 1 from ${name} t where t::text like '%canary-%' or position($1 in t::text) > 0 limit 1`,
      [token],
    );
    expect(rows, name).toEqual([]);
  }
});

test('the books are whole after all of it, and nothing broke', async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
}, 120_000);
