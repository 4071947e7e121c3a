import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../tools/testing/database.ts';
import { seal } from './cipher.ts';
import { checkCharacter } from './gstin.ts';
import { json, testClient, verified } from './testing/client.ts';
import { sample, type TestPortal, testPortal } from './testing/portal.ts';

const NOON = '2026-11-20T06:30:00Z';
const SELLER = '27AABCS4821K1Z9';
const GENERATE = '/eicore/v1.03/Invoice';
const CANCEL = '/eicore/v1.03/Invoice/Cancel';

let db: TestDatabase;
let portal: TestPortal;
let client: ReturnType<typeof testClient>;
beforeAll(async () => {
  db = await testDatabase();
  portal = await testPortal(db.owner, NOON);
  client = testClient(portal.base, SELLER);
});
beforeEach(async () => {
  portal.setClock(NOON);
  await fetch(`${portal.base}/control/reset`, { method: 'POST' });
  await client.logIn();
});
afterAll(async () => {
  await portal.stop();
  await db.drop();
});

const invoice = (number = 'SC/26-27/0102') => {
  const payload = sample('02-inter-b2b');
  payload.DocDtls.No = number;
  return payload;
};
const byDocument = (number: string) =>
  `${GENERATE}/irnbydocdetails?doctype=INV&docnum=${encodeURIComponent(number)}&docdate=18/11/2026`;

describe('login', () => {
  test('within six hours the same token and key, then another', async () => {
    const first = await client.logIn();
    expect(first).toMatchObject({ expiry: '2026-11-20 18:00:00', codes: [] });
    expect(first.token).toHaveLength(25);
    expect(await client.logIn()).toEqual(first);
    expect(await client.logIn({ ForceRefreshAccessToken: true })).toEqual(first);
    portal.setClock('2026-11-20T12:25:00Z');
    expect((await client.logIn({ ForceRefreshAccessToken: true })).token).not.toBe(first.token);
    portal.setClock('2026-11-20T18:30:00Z');
    expect((await client.call(byDocument('X1'))).codes).toEqual(['1005']);
  });

  test.each([
    [{ Password: 'wrong' }, '1019'],
    [{ UserName: 'nobody' }, '1017'],
    [{ UserName: 'bahi_29AAGCN5567P1ZI' }, '1015'],
    [{ AppKey: 'AAAA' }, '1016'],
  ])('%o is refused with %s', async (change, code) => {
    expect((await client.logIn(change)).codes).toEqual([code]);
  });

  test('headers are asked for one after the other', async () => {
    const auth = (headers: Record<string, string>, body: object = {}) =>
      fetch(`${portal.base}/eivital/v1.04/auth`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
        .then((answer) => json<{ ErrorDetails: { ErrorCode: string }[] }>(answer))
        .then((answer) => answer.ErrorDetails[0]?.ErrorCode);
    const whole = { client_id: 'BAHI-CLIENT', client_secret: 'BAHI-SECRET', gstin: SELLER };
    expect(await auth({})).toBe('1011');
    expect(await auth({ client_id: 'BAHI-CLIENT' })).toBe('1012');
    expect(await auth({ ...whole, client_secret: 'no' })).toBe('1010');
    expect(await auth({ ...whole, gstin: '' })).toBe('1004');
    expect(await auth(whole)).toBe('5003');
    expect(await auth(whole, { Data: 'AAAA' })).toBe('1020');
  });
});

describe('registering', () => {
  test('gives IRN, acknowledgement and two signed texts', async () => {
    const { data, codes, body } = await client.call(GENERATE, invoice());
    expect(codes).toEqual([]);
    expect(data).toMatchObject({
      AckDt: '2026-11-20 12:00:00',
      Irn: sample('02-inter-b2b.expected').irn,
      Status: 'ACT',
      EwbNo: null,
    });
    expect(String(data['AckNo'])).toMatch(/^\d{15}$/);
    expect(body['InfoDtls']).toBeNull();
    const signed = await verified(portal.base, data['SignedInvoice']);
    expect(signed).toMatchObject({ Irn: data['Irn'], AckNo: data['AckNo'], SellerDtls: { Gstin: SELLER } });
    const qr = await verified(portal.base, data['SignedQRCode']);
    expect(Object.keys(qr ?? {})).toEqual([
      'SellerGstin',
      'BuyerGstin',
      'DocNo',
      'DocTyp',
      'DocDt',
      'TotInvVal',
      'ItemCnt',
      'MainHsnCode',
      'Irn',
      'IrnDt',
    ]);
    expect(qr).toMatchObject({ DocNo: 'SC/26-27/0102', TotInvVal: 625_282, ItemCnt: 1, MainHsnCode: '84713010' });
    expect((await client.call(byDocument('sc/26-27/0102'))).data).toEqual(data);
    expect((await client.call(`${GENERATE}/irn/${data['Irn']}`)).data).toEqual(data);
  });

  test('the same number in other letters is a duplicate, with the first one in a list', async () => {
    const first = await client.call(GENERATE, invoice('SC/AB/1'));
    const again = await client.call(GENERATE, invoice('sc/ab/1'));
    expect(again.codes).toEqual(['2150']);
    const { AckNo, AckDt, Irn } = first.data;
    expect(again.body['InfoDtls']).toEqual([{ InfCd: 'DUPIRN', Desc: { AckNo, AckDt, Irn } }]);
  });

  test('of ten equal requests at once one is registered', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => client.call(GENERATE, invoice('SC/RACE/1'))));
    expect(all.filter(({ codes }) => codes.length === 0)).toHaveLength(1);
    expect(all.filter(({ codes }) => codes[0] === '2150')).toHaveLength(9);
  });

  test('schema and rules speak through the envelope; nothing is stored', async () => {
    const bad = await client.call(GENERATE, sample('20-invalid-schema'));
    expect(bad.codes).toEqual(['5002']);
    expect((await client.call(GENERATE, sample('19-invalid-totals'))).codes).toEqual(['2182', '2189']);
    expect((await client.call(byDocument('SC/26-27/0114'))).codes).toEqual(['2154']);
  });

  test('another taxpayer does not see it, and after three days nobody', async () => {
    const { data } = await client.call(GENERATE, invoice());
    const other = testClient(portal.base, '29AAGCN5567P1ZI');
    await other.logIn();
    expect((await other.call(`${GENERATE}/irn/${data['Irn']}`)).codes).toEqual(['2226']);
    portal.setClock('2026-11-23T06:30:01Z');
    await client.logIn();
    expect((await client.call(byDocument('SC/26-27/0102'))).codes).toEqual(['2283']);
  });
});

describe('cancelling', () => {
  const order = (Irn: unknown, change: object = {}) => ({ Irn, CnlRsn: '2', CnlRem: 'Wrong quantity', ...change });

  test('within 24 hours to the second, once; the number is burnt', async () => {
    const { data } = await client.call(GENERATE, invoice());
    portal.setClock('2026-11-21T06:30:01Z');
    await client.logIn();
    expect((await client.call(CANCEL, order(data['Irn']))).codes).toEqual(['2270']);
    portal.setClock('2026-11-21T06:30:00Z');
    const done = await client.call(CANCEL, order(data['Irn']));
    expect(done.data).toEqual({ Irn: data['Irn'], CancelDate: '2026-11-21 12:00:00' });
    expect((await client.call(CANCEL, order(data['Irn']))).codes).toEqual(['9999']);
    expect((await client.call(GENERATE, invoice())).codes).toEqual(['2278']);
    expect((await client.call(byDocument('SC/26-27/0102'))).data).toMatchObject({ Status: 'CNL' });
  });

  test('not someone else’s, not an unknown one, not without a reason', async () => {
    const { data } = await client.call(GENERATE, invoice());
    const other = testClient(portal.base, '29AAGCN5567P1ZI');
    await other.logIn();
    expect((await other.call(CANCEL, order(data['Irn']))).codes).toEqual(['2143']);
    expect((await client.call(CANCEL, order('a'.repeat(64)))).codes).toEqual(['2148']);
    expect((await client.call(CANCEL, order(data['Irn'], { CnlRsn: '7' }))).codes).toEqual(['5002']);
  });
});

describe('taxpayers', () => {
  const master = '/eivital/v1.04/Master';
  test('known, made up, unknown, and known only after a sync', async () => {
    const known = await client.call(`${master}/gstin/29AAGCN5567P1ZI`);
    expect(known.data).toMatchObject({
      LegalName: 'Nandi Hill Systems Private Limited',
      StateCode: 29,
      Status: 'ACT',
      TxpType: 'REG',
    });
    expect((await client.call(`${master}/gstin/27AAPFU0939F1ZV`)).data).toMatchObject({
      StateCode: 27,
      AddrPncd: 400_001,
    });
    expect((await client.call(`${master}/gstin/27AAPFU0939F1ZX`)).codes).toEqual(['3028']);
    const lagging = `27AABCK9996K1Z${checkCharacter('27AABCK9996K1Z')}`;
    expect((await client.call(`${master}/gstin/${lagging}`)).codes).toEqual(['3028']);
    expect((await client.call(`${master}/syncgstin/${lagging}`)).data).toMatchObject({ Gstin: lagging });
    expect((await client.call(`${master}/gstin/${lagging}`)).data).toMatchObject({ Gstin: lagging });
  });
});

describe('misbehaviour', () => {
  const raw = (payload: object, wait = 400) =>
    client.logIn().then(async ({ key }) => {
      return fetch(`${portal.base}${GENERATE}`, {
        method: 'POST',
        headers: client.headers(),
        signal: AbortSignal.timeout(wait),
        body: JSON.stringify({ Data: seal(key, Buffer.from(JSON.stringify(payload))) }),
      });
    });
  const found = async (number: string) => (await client.call(byDocument(number))).codes;

  test('a time-out after accepting leaves the invoice registered, one before does not', async () => {
    await portal.order({ mode: 'timeoutAfterAccepting' });
    await expect(raw(invoice('T/1'))).rejects.toThrow(/timeout|aborted/i);
    expect(await found('T/1')).toEqual([]);
    expect((await client.call(GENERATE, invoice('T/1'))).codes).toEqual(['2150']);
    await portal.order({ mode: 'timeoutBeforeAccepting' });
    await expect(raw(invoice('T/2'))).rejects.toThrow(/timeout|aborted/i);
    expect(await found('T/2')).toEqual(['2154']);
  });

  test('cut connections, with and without the work done', async () => {
    await portal.order({ mode: 'dropAfterAccepting' });
    await expect(raw(invoice('D/1'))).rejects.toThrow();
    expect(await found('D/1')).toEqual([]);
    await portal.order({ mode: 'dropBeforeAccepting', operations: ['generate'] });
    await expect(raw(invoice('D/2'))).rejects.toThrow();
    expect(await found('D/2')).toEqual(['2154']);
  });

  test('pages of HTML and bodies that are no answer', async () => {
    await portal.order({ mode: 'serverError', status: 502 });
    const error = await raw(invoice('G/1'));
    expect([error.status, error.headers.get('content-type')]).toEqual([502, 'text/html']);
    await portal.order({ mode: 'garbage', body: 'truncated' });
    const half = await raw(invoice('G/2'));
    await expect(half.json()).rejects.toThrow();
    expect([await found('G/1'), await found('G/2')]).toEqual([['2154'], []]);
    await portal.order({ mode: 'garbage', body: 'huge', times: 1 });
    expect((await (await raw(invoice('G/3'), 5000)).text()).length).toBeGreaterThan(10_000_000);
  });

  test('late, but right', async () => {
    await portal.order({ mode: 'slow', delayMs: 300 });
    const start = performance.now();
    expect((await client.call(GENERATE, invoice('S/1'))).codes).toEqual([]);
    expect(performance.now() - start).toBeGreaterThan(290);
  });

  test('a dropped session refuses until the next login', async () => {
    await portal.order({ mode: 'expiredToken' });
    expect((await client.call(GENERATE, invoice('E/1'))).codes).toEqual(['1005']);
    expect((await client.call(GENERATE, invoice('E/1'))).codes).toEqual(['1005']);
    await client.logIn();
    expect((await client.call(GENERATE, invoice('E/1'))).codes).toEqual([]);
  });

  test.each([
    ['first', 0],
    ['last', 1],
  ] as const)('a duplicate with DUPIRN %s in the list', async (shape, place) => {
    await portal.order({ mode: 'duplicate', shape });
    const { codes, body } = await client.call(GENERATE, invoice('P/1'));
    expect(codes).toEqual(['2150']);
    const info = body['InfoDtls'] as { InfCd: string; Desc: { Irn: string } }[];
    expect([info.length, info[place]?.InfCd]).toEqual([2, 'DUPIRN']);
    const { data } = await client.call(byDocument('P/1'));
    expect(info[place]?.Desc.Irn).toBe(data['Irn']);
  });

  test('a duplicate without its DUPIRN, and as an object', async () => {
    await portal.order({ mode: 'duplicate', shape: 'absent' });
    const absent = await client.call(GENERATE, invoice('P/2'));
    expect(JSON.stringify(absent.body)).not.toContain('DUPIRN');
    await portal.order({ mode: 'duplicate', shape: 'object' });
    expect((await client.call(GENERATE, invoice('P/2'))).body['InfoDtls']).toMatchObject({ InfCd: 'DUPIRN' });
  });

  test('signatures that must not be believed', async () => {
    await portal.order({ mode: 'wrongSignature' });
    const wrong = await client.call(GENERATE, invoice('W/1'));
    expect(await verified(portal.base, wrong.data['SignedInvoice'])).toBeUndefined();
    expect(await verified(portal.base, wrong.data['SignedQRCode'])).toBeUndefined();
    await portal.order({ mode: 'changedPayload' });
    const changed = await client.call(byDocument('W/1'));
    expect(await verified(portal.base, changed.data['SignedQRCode'])).toMatchObject({ TotInvVal: 625_283 });
    await portal.order({ mode: 'unknownKey' });
    expect(await verified(portal.base, (await client.call(byDocument('W/1'))).data['SignedInvoice'])).toBeUndefined();
    const right = await client.call(byDocument('W/1'));
    expect(await verified(portal.base, right.data['SignedQRCode'])).toMatchObject({ TotInvVal: 625_282 });
    await fetch(`${portal.base}/keys/rotate`, { method: 'POST' });
    expect(await verified(portal.base, right.data['SignedQRCode'])).toMatchObject({ TotInvVal: 625_282 });
  });

  test('a code at will, for one taxpayer, as often as asked; the calls are counted', async () => {
    await portal.order({ mode: 'code', code: '3108', times: 2, gstin: SELLER, operations: ['generate'] });
    await portal.order({ mode: 'code', code: '3108', gstin: '29AAGCN5567P1ZI', times: 'always' });
    const answers = [];
    for (const number of ['C/1', 'C/1', 'C/1']) answers.push((await client.call(GENERATE, invoice(number))).codes);
    expect(answers).toEqual([['3108'], ['3108'], []]);
    const seen = await json(await fetch(`${portal.base}/control?gstin=${SELLER}`));
    expect(seen['counts']).toMatchObject({ generate: 3, auth: 1 });
    expect(seen['faults']).toHaveLength(1);
    const cleared = await json(await fetch(`${portal.base}/control`, { method: 'DELETE' }));
    expect([cleared['faults'], cleared['requests']]).toEqual([[], []]);
  });

  test('errors in base64, and orders that make no sense', async () => {
    await portal.order({ mode: 'base64Errors' });
    const { body } = await client.call(byDocument('N/1'));
    const details = JSON.parse(Buffer.from(String(body['ErrorDetails']), 'base64').toString());
    expect(details[0].ErrorCode).toBe('2154');
    expect((await portal.order({ mode: 'sulk' })).status).toBe(422);
    expect((await portal.order({ mode: 'code' })).status).toBe(422);
  });
});

test('two processes are one portal: token, invoices and orders are shared', async () => {
  const second = await testPortal(db.owner, NOON);
  try {
    const { data } = await client.call(GENERATE, invoice('TWO/1'));
    const there = testClient(second.base, SELLER);
    expect((await there.logIn()).token).toBe((await client.logIn()).token);
    expect((await there.call(GENERATE, invoice('TWO/1'))).codes).toEqual(['2150']);
    await portal.order({ mode: 'code', code: '3108' });
    expect((await there.call(byDocument('TWO/1'))).codes).toEqual(['3108']);
    expect((await there.call(byDocument('TWO/1'))).data).toEqual(data);
    expect(await verified(second.base, data['SignedInvoice'])).toMatchObject({ Irn: data['Irn'] });
  } finally {
    await second.stop();
  }
});
