import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Field, masterNames, masterOf } from '../../contract/masters.ts';
import { passwordProblem } from '../../domain/base/password.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { sealAll } from '../../tools/testing/books.ts';
import { textOfPdf } from '../../tools/testing/paper-text.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let shop: Shop;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
}, 60_000);
afterAll(() => server.stop());

describe('S-03: the issuer answers to our own address and to no other', () => {
  const ask = (redirect: string | undefined, more: Record<string, string> = {}) => {
    const challenge = createHash('sha256').update(randomBytes(32)).digest('base64url');
    const query = new URLSearchParams({
      client_id: 'bahi',
      response_type: 'code',
      scope: 'openid',
      state: 's',
      nonce: 'n',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...(redirect !== undefined && { redirect_uri: redirect }),
      ...more,
    });
    return fetch(`${server.url}/identity/auth?${query}`, { redirect: 'manual' });
  };
  test('which is taken', async () => {
    const { status, headers } = await ask(`${server.url}/callback`);
    expect([status, headers.get('location')]).toEqual([303, expect.stringMatching(/^(http:\/\/[\d.:]+)?\/sign-in\//)]);
  });
  test.each<[string, (own: string) => string]>([
    ['another site', () => 'https://app.evil/callback'],
    ['a site that begins like ours', (own) => `${own}.evil.example/callback`],
    ['ours as the user of another', (own) => `${own}@evil.example/callback`],
    ['a way out of the path', (own) => `${own}/callback/../evil`],
    ['a path behind', (own) => `${own}/callback/`],
    ['a query', (own) => `${own}/callback?next=https://evil.example`],
    ['a fragment', (own) => `${own}/callback#evil`],
    ['an escaped path', (own) => `${own}/%63allback`],
    ['capital letters', (own) => `${own}/CALLBACK`],
    ['another port', () => 'http://127.0.0.1:1/callback'],
    ['another name of the machine', (own) => `${own.replace('127.0.0.1', 'localhost')}/callback`],
    ['a script', () => 'javascript:alert(1)'],
    ['data', () => 'data:text/html,x'],
  ])('%s is not', async (_, of) => {
    const answer = await ask(of(server.url));
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
  });
  test('S-01: without a proof key, with a plain one, or for another way of answering nobody is let in', async () => {
    const failed = async (more: Record<string, string>) =>
      ((await ask(`${server.url}/callback`, more)).headers.get('location') ?? '').includes('error=');
    expect(await failed({ code_challenge: '', code_challenge_method: '' })).toBe(true);
    expect(await failed({ code_challenge_method: 'plain' })).toBe(true);
    expect(await failed({ response_type: 'token' })).toBe(true);
    expect((await ask(`${server.url}/callback`, { client_id: 'another' })).status).toBe(400);
  });
});

test.each([
  ['elevenchars', false],
  ['twelve chars', true],
  ['नमस्ते दुनिया १२३', true],
  ['🔑🗝️🚪🪟🧱🏠🛖🏡🏢🏬🏭🏯', true],
  ['a'.repeat(64), false],
  [`${'abcdefgh'.repeat(16)}`, true],
  [`${'abcdefgh'.repeat(16)}i`, false],
  ['owner@sharma.demo', false],
  [`  ' or 1=1; --\u0007  `, true],
])(
  'S-09: a password has 12 to 128 characters of any sort, not one over and over, and is not the address: %s',
  (password, good) => {
    expect(passwordProblem(password, { email: 'owner@sharma.demo' })?.message === undefined).toBe(good);
  },
);

describe('S-26: steps are taken in their order', () => {
  const line = () => ({ item: shop.item, quantity: '1', rate: '95' });
  const today = async () => ((await shop.owner.ask('GetSession', {})) as { today: string }).today;
  const draft = async (more: object = {}) => ({
    kind: 'saleInvoice',
    date: await today(),
    ...shop.place,
    party: shop.customer,
    lines: [line()],
    ...more,
  });
  const count = async () => (await server.database.owner.query('select from documents')).rowCount;
  const post = (document: object) => shop.owner.call('PostTransactionCalls', { document } as never, randomUUID());

  test('what is not posted is neither returned, registered, cancelled, printed nor mailed', async () => {
    const { TransactionId: id } = (await shop.owner.ask('AddTransactionDetails', {
      kind: 'saleInvoice',
      body: await draft(),
    } as never)) as { TransactionId: string };
    const before = await count();
    const back = await draft({
      kind: 'saleReturn',
      against: id,
      reason: '01',
      lines: [{ ...line(), source: { document: id, line: 1 } }],
    });
    for (const answer of [
      await post(back),
      await shop.owner.call(
        'CancelTransaction',
        { TransactionType: 'saleInvoice', TransactionIds: [id], reason: 'x' } as never,
        randomUUID(),
      ),
      await shop.owner.call('CancelIRNNumber', { id, reason: '2', remark: 'typed twice' }),
      await shop.owner.call(
        'SendInvoiceInMail',
        { TransactionIds: [id], to: ['a@b.example'], subject: 'x' } as never,
        randomUUID(),
      ),
    ])
      expect([404, 409, 422], JSON.stringify(answer)).toContain(answer.status);
    expect((await server.database.owner.query('select from einvoices where document = $1', [id])).rowCount).toBe(0);
    await shop.owner.call('GenerateIRNNumber', { ids: [id] }, randomUUID());
    expect((await server.database.owner.query('select from einvoices where document = $1', [id])).rowCount).toBe(0);
    expect(await count()).toBe(before);
  });

  test('what is cancelled is not cancelled again, nor returned; nothing is written into a locked period', async () => {
    const [one, two] = [(await post(await draft())).details, (await post(await draft())).details] as {
      TransactionId: string;
    }[];
    const cancel = (id = '') =>
      shop.owner.call(
        'CancelTransaction',
        { TransactionType: 'saleInvoice', TransactionIds: [id], reason: 'twice' } as never,
        randomUUID(),
      );
    expect((await cancel(one?.TransactionId)).status).toBe(200);
    expect((await cancel(one?.TransactionId)).status).toBe(409);
    const back = await draft({
      kind: 'saleReturn',
      against: one?.TransactionId,
      reason: '01',
      lines: [{ ...line(), source: { document: one?.TransactionId, line: 1 } }],
    });
    expect([404, 409, 422]).toContain((await post(back)).status);
    await shop.owner.ask('SaveLock', { through: await today(), reason: 'closed' });
    const before = await count();
    expect(await post(await draft())).toMatchObject({ status: 409, details: { code: 'periodLocked' } });
    expect(await count()).toBe(before);
    expect(await cancel(two?.TransactionId)).toMatchObject({ status: 409, details: { code: 'periodLocked' } });
    expect(await count()).toBe(before);
    await shop.owner.ask('SaveLock', { through: null, reason: 'opened' });
  });
});

describe('S-32, INV-53: what is typed into any field of any master comes back as it was typed', () => {
  const payloads = [
    `<img src=x onerror=alert(1)>`,
    `"><script>alert(1)</script>`,
    `{{7*7}}\${7*7}<%=7*7%>#{7}`,
    `M/S. D'SOUZA & SONS (P) LTD.`,
    `नमस्ते 👩‍👩‍👧 Ñandú`,
    `=cmd|'/c calc'!A0`,
    `a\u202Egnp.exe`,
    `x\u0000y`,
    `line\r\nBcc: x@evil.example`,
  ];
  const texts = (name: string): [string, Field][] =>
    Object.entries((masterOf(name)?.fields ?? {}) as Record<string, Field>).filter(
      ([, field]) => ['text', 'notes', 'code'].includes(field.type) && !field.readOnly,
    );
  const typed = masterNames.flatMap((master) => texts(master).map(([field, row]) => [master, field, row] as const));
  type Kept = { id: string; version: number; values: Record<string, unknown> };

  test.each(typed)('%s, %s', async (master, field, { most = 200 }) => {
    const { rows } = (await shop.owner.ask('ListMasters', { master, limit: 1 })) as { rows: { id: string }[] };
    if (!rows[0])
      return expect(
        [
          'additionalField',
          'adjustment',
          'attribute',
          'bank',
          'category',
          'consumer',
          'costCentre',
          'group',
          'ledgerPosting',
          'paperTemplate',
          'priceList',
          'supplier',
          'tdsCertificate',
          'terms',
          'till',
          'unitConversion',
          'warehouse',
        ],
        `${master} has a record to change`,
      ).toContain(master);
    const { id } = rows[0];
    const first = (await shop.owner.ask('GetMaster', { master, id })) as Kept;
    let changed = 0;
    for (const payload of payloads) {
      const { version, values } = (await shop.owner.ask('GetMaster', { master, id })) as Kept;
      const text = [...payload].slice(0, most).join('');
      const { status } = await shop.owner.call('SaveMaster', {
        master,
        id,
        version,
        values: { ...values, [field]: text },
      });
      expect([200, 409, 422], `${payload}: ${status}`).toContain(status);
      const now = ((await shop.owner.ask('GetMaster', { master, id })) as Kept).values[field];
      if (status === 200 && now !== values[field]) {
        changed += 1;
        // as it was typed but for the ends, the composition of letters and, for a code, its case
        expect(String(now).toLowerCase()).toBe(text.normalize('NFC').trim().toLowerCase());
        expect([...String(now)].filter((c) => (c < ' ' && c !== '\n') || (c >= '\u202a' && c <= '\u202e'))).toEqual([]);
      } else if (status !== 200) expect(now).toEqual(values[field]);
    }
    if (changed > 0) {
      const { version, values } = (await shop.owner.ask('GetMaster', { master, id })) as Kept;
      await shop.owner.ask('SaveMaster', { master, id, version, values: { ...values, [field]: first.values[field] } });
    }
  });

  test('and is printed as the letters that were typed', async () => {
    const name = `</b>{{7*7}}<script>alert(1)</script> D'SOUZA & SONS`;
    const { id: party } = (await shop.owner.ask('SaveMaster', {
      master: 'customer',
      values: {
        name,
        category: 'unregistered',
        state: '29',
        addresses: [{ line1: '<svg/onload=x>', city: '$' + '{HOME}', state: '29', pincode: '560001' }],
      },
    })) as { id: string };
    const { TransactionId } = await shop.post({
      kind: 'saleInvoice',
      party,
      narration: '#{7*7}<%=7*7%>',
      lines: [{ item: shop.item, quantity: '1', rate: '95', description: '=1+1<iframe>' }],
    });
    const { content } = (await shop.owner.ask('PrintDocument', { id: TransactionId })) as { content: string };
    const paper = textOfPdf(Buffer.from(content, 'base64')).replaceAll(' ', '');
    for (const part of ['{{7*7}}', '<script>alert(1)</script>', "D'SOUZA&SONS", '<svg/onload=x>'])
      expect(paper).toContain(part);
    expect(Buffer.from(content, 'base64').toString('latin1')).not.toMatch(
      /\/(JavaScript|JS|OpenAction|Launch|EmbeddedFile)\b/,
    );
  });
});

test('after all of it the books are whole, and nothing broke', async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
});
