import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallName } from '../../contract/calls.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { sealAll } from '../../tools/testing/books.ts';
import { textOfPdf } from '../../tools/testing/paper-text.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let shop: Shop;
/** Counts, but ends nothing. */
let clerk: Visitor;
let today = '';
const rooms = { front: '', back: '' };
const items = { paint: '', phone: '' };
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  clerk = await server.signIn('accountant@sharma.demo');
  today = (await ask<{ today: string }>('GetSession', {})).today;
  const { version } = await ask<{ version: number }>('GetGeneralConfigDetails', {});
  await ask('SaveGeneralConfigDetails', {
    version,
    values: { enableBatch: true, enableSerialization: true, enableBarCode: true },
  });
  // a session caches the settings of the organisation for two seconds
  server.clock.at = Date.now() + 5000;
  const save = async (master: string, values: object) =>
    (await ask<{ id: string }>('SaveMaster', { master, values })).id;
  for (const name of ['front', 'back'] as const)
    rooms[name] = await save('warehouse', {
      code: name,
      name: `${name} room`,
      location: shop.place.location,
      type: 'own',
    });
  const goods = { type: 'stock', unit: 'NOS', hsn: '3208', gstRate: '18', treatment: 'taxable', saleRate: '60' };
  items.paint = await save('item', { ...goods, sku: 'PAINT', name: 'Paint', batched: true, purchaseRate: '40' });
  items.phone = await save('item', { ...goods, sku: 'PHONE', name: 'Phone', serialised: true, purchaseRate: '5000' });
  await shop.post({
    kind: 'openingStock',
    lines: [
      {
        item: items.paint,
        quantity: '10',
        rate: '40',
        room: rooms.back,
        batches: [
          { batch: 'LATE', quantity: '6', expiry: '2099-01-01' },
          { batch: 'SOON', quantity: '4', expiry: '2098-01-01' },
        ],
      },
      { item: items.phone, quantity: '3', rate: '5000', room: rooms.front, serials: ['P1', 'P2', 'P3'] },
    ],
  });
  await ask('SaveBarcode', { item: shop.item, barcode: '2000000000015', unit: '' });
});
afterAll(async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
  await server.stop();
});

async function ask<T>(name: CallName, input: object, by: Visitor = shop.owner): Promise<T> {
  return (await by.ask(name as 'GetSession', input as never, randomUUID())) as unknown as T;
}
const answer = (name: CallName, input: object, by: Visitor = shop.owner) =>
  by.call(name as 'GetSession', input as never, randomUUID());
interface Books {
  readonly book: string;
  readonly expected: string | null;
  readonly now: string;
  readonly difference: string | null;
  readonly missing: string[];
  readonly found: string[];
  readonly moved: boolean;
  readonly late: string;
  readonly value: string | null;
}
interface Line {
  readonly line: number;
  readonly sku: string;
  readonly batch: string;
  readonly roomName: string | null;
  readonly counted: string | null;
  readonly asked: boolean;
  readonly counts: { by: string; quantity: string; mine: boolean }[];
  readonly books: Books | null;
}
interface Sheet {
  readonly sheet: {
    id: string;
    version: number;
    number: string;
    state: string;
    round: number;
    documents: { id: string; reason: string }[];
  };
  readonly lines: Line[];
  readonly value: string | null;
  readonly mayEnd: boolean;
}
const make = async (more: object = {}) =>
  (await ask<{ id: string }>('MakeCountSheet', { location: shop.place.location, ...more })).id;
const look = (id: string, by?: Visitor) => ask<Sheet>('GetCountSheet', { id }, by);
const at = (sheet: Sheet, sku: string, batch = ''): Line => {
  const line = sheet.lines.find((each) => each.sku === sku && each.batch === batch);
  if (!line) throw new Error(`${sku} ${batch} is not on the sheet`);
  return line;
};
const enter = async (id: string, sku: string, quantity: string | null, more: object = {}, by?: Visitor) => {
  const { batch = '', ...rest } = more as { batch?: string };
  return ask<Line>('EnterCount', { id, line: at(await look(id), sku, batch).line, quantity, ...rest }, by);
};
const end = async (id: string, more: object = {}) => {
  const { sheet, value } = await look(id);
  return answer('PostCountSheet', {
    id,
    version: sheet.version,
    date: today,
    reason: 'Physical count',
    uncounted: 'leave',
    value,
    ...more,
  });
};
const onHand = async (item: string) =>
  (await ask<{ onHand: string }>('GetInventoryQtyForTransactions', { item })).onHand;
const sell = (quantity: string) =>
  shop.post({ kind: 'saleInvoice', party: shop.customer, lines: [{ item: shop.item, quantity, rate: '95' }] });

/** So many come in, that what follows finds enough in stock. */
const receive = (quantity: string) =>
  shop.post({ kind: 'openingStock', lines: [{ item: shop.item, quantity, rate: '60' }] });

test('two count a shelf while it is sold from; what differs is counted again, approved and posted by reason with its value', async () => {
  const id = await make({ name: 'Month end' });
  // blind: who counts is not led, who ends it sees the books
  const blind = await look(id, clerk);
  expect([blind.mayEnd, blind.value, at(blind, 'LED-9W').books]).toEqual([false, null, null]);
  expect(at(await look(id), 'LED-9W').books).toMatchObject({ book: '100', difference: null });
  expect(blind.lines.map((each) => [each.sku, each.batch, each.roomName])).toEqual([
    ['LED-9W', '', null],
    ['PAINT', 'SOON', 'back room'],
    ['PAINT', 'LATE', 'back room'],
    ['PHONE', '', 'front room'],
  ]);
  await enter(id, 'LED-9W', '60', {}, clerk);
  await sell('5');
  await enter(id, 'LED-9W', '30');
  // typed again it replaces what I had typed, and adds to what others counted
  expect(await enter(id, 'LED-9W', '34')).toMatchObject({
    counted: '94',
    books: { expected: '95', difference: '-1', moved: true },
  });
  expect(await enter(id, 'LED-9W', '1', { add: true })).toMatchObject({ counted: '95', books: { difference: '0' } });
  expect(await enter(id, 'LED-9W', '-3', { add: true })).toMatchObject({ counted: '92' });
  expect(await answer('EnterCount', { id, line: 1, quantity: '-50', add: true })).toMatchObject({ status: 422 });
  await enter(id, 'PAINT', '7', { batch: 'LATE' });
  expect(await enter(id, 'PHONE', '0', { serials: ['p1', 'P3', 'X9'] })).toMatchObject({
    counted: '3',
    books: { difference: '0', missing: ['P2'], found: ['X9'] },
  });
  // again: what was counted before counts no more once somebody has counted again, and until then nothing is posted
  const { sheet } = await look(id);
  expect((await answer('CountAgain', { id, version: sheet.version, lines: [1] }, clerk)).status).toBe(403);
  await ask('CountAgain', { id, version: sheet.version, lines: [1] });
  expect((await look(id, clerk)).lines.map((each) => each.asked)).toEqual([true, false, false, false]);
  expect(await end(id)).toMatchObject({
    status: 409,
    message: 'CS-0001 cannot be changed any more: a line is still to be counted again',
  });
  await enter(id, 'LED-9W', '93', {}, clerk);
  await ask('NoteCountLines', { id, lines: [{ line: 1, reason: 'Broken' }] });
  // goods that are sold after they were counted are no difference either
  await sell('2');
  const counted = await look(id);
  expect(at(counted, 'LED-9W').books).toMatchObject({
    book: '100',
    expected: '95',
    now: '93',
    difference: '-2',
    value: '-120.00',
    late: '0',
  });
  expect(counted.value).toBe('-80.00');
  // figures that were not shown are not posted, nor is anything by who may only count
  expect(await end(id, { value: '0.00' })).toMatchObject({ status: 409, details: { code: 'figuresChanged' } });
  expect(
    (
      await clerk.call(
        'PostCountSheet' as 'GetSession',
        { id, version: 2, date: today, reason: 'x', uncounted: 'leave', value: '0' } as never,
        randomUUID(),
      )
    ).status,
  ).toBe(403);
  // a reason of the list fits what is missing or what is too much, not both
  expect(await end(id, { reason: 'Theft' })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'reason' }] },
  });
  expect(await end(id, { reason: 'Found' })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'reason' }] },
  });
  expect(await end(id)).toMatchObject({ status: 200 });
  expect([await onHand(shop.item), await onHand(items.paint), await onHand(items.phone)]).toEqual(['91', '11', '3']);
  const done = await look(id, clerk);
  expect([done.sheet.state, done.sheet.documents.map((d) => d.reason)]).toEqual([
    'posted',
    ['Broken', 'Physical count'],
  ]);
  const { entries, movements, body } = await ask<{
    entries: { code: string; debit: string; credit: string }[];
    movements: { item: string; quantity: string; cost: string }[];
    body: { narration: string };
  }>('GetTransactionDetailForInvoice', { TransactionId: done.sheet.documents[0]?.id });
  expect([movements[0], body.narration]).toMatchObject([
    { quantity: '-2', cost: '-120.00' },
    // a reason that the list does not have is a remark
    'Count CS-0001: Month end: Broken',
  ]);
  expect(entries.map((e) => [e.code, e.debit, e.credit])).toEqual([
    ['5330', '120.00', '0.00'],
    ['1310', '0.00', '120.00'],
  ]);
  // it is over: nothing is counted, and approving it again posts nothing
  expect(await answer('EnterCount', { id, line: 1, quantity: '1' })).toMatchObject({ status: 409 });
  expect(await end(id)).toMatchObject({ status: 200 });
  expect(await onHand(shop.item)).toBe('91');
  for (const what of ['sheet', 'differences']) {
    const file = await ask<{ content: string }>('PrintCountSheet', { id, what });
    const text = textOfPdf(Buffer.from(file.content, 'base64'));
    expect(text).toContain('CS-0001');
    expect(text.includes('Broken')).toBe(what === 'differences');
  }
});

test('a scanner counts by barcode, SKU and serial number, and says where more than one line is meant', async () => {
  const id = await make();
  const scan = (code: string, more: object = {}, by?: Visitor) =>
    ask<{ line: Line | null; choose: number[]; item: { name: string; batched: boolean } }>(
      'ScanCount',
      { id, code, ...more },
      by,
    );
  expect((await scan('2000000000015')).line).toMatchObject({ sku: 'LED-9W', counted: '1' });
  expect((await scan('led-9w', { quantity: '11' })).line).toMatchObject({ counted: '12' });
  expect((await scan('2000000000015', {}, clerk)).line).toMatchObject({ counted: '13' });
  expect((await scan('p1')).line).toMatchObject({ sku: 'PHONE', counted: '1' });
  expect(await answer('ScanCount', { id, code: 'P1' })).toMatchObject({
    status: 422,
    details: { problems: [{ message: 'P1 is counted already' }] },
  });
  expect(await answer('ScanCount', { id, code: 'P1' }, clerk)).toMatchObject({ status: 422 });
  expect(await scan('PAINT')).toMatchObject({ line: null, choose: [2, 3], item: { name: 'Paint', batched: true } });
  expect(await answer('ScanCount', { id, code: 'NOSUCH' })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'code' }] },
  });
  // what is not on the sheet comes on it
  const added = await ask<Line>('AddCountLine', {
    id,
    item: items.paint,
    room: rooms.back,
    batch: 'new',
    expiry: '2097-01-01',
  });
  expect([added.batch, added.books?.book]).toEqual(['NEW', '0']);
  expect((await ask<Line>('AddCountLine', { id, item: items.paint, room: rooms.back, batch: 'NEW' })).line).toBe(
    added.line,
  );
  expect(await answer('AddCountLine', { id, item: items.paint, room: rooms.back })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'batch' }] },
  });
  const { sheet } = await look(id);
  expect(await ask('DropCountSheet', { id, version: sheet.version, reason: 'Begun by mistake' })).toMatchObject({
    state: 'dropped',
  });
  expect(await answer('ScanCount', { id, code: 'PAINT' })).toMatchObject({ status: 409 });
});

test('what was entered late for days before the count is shown; what nobody counted is left, or counted as nothing', async () => {
  const before = Number(await onHand(shop.item));
  const id = await make({ room: rooms.front });
  expect((await look(id)).lines.map((each) => each.sku)).toEqual(['PHONE']);
  const whole = await make({ blind: false });
  expect(at(await look(whole, clerk), 'LED-9W').books?.book).toBe(String(before));
  await enter(whole, 'LED-9W', String(before + 4));
  // a delivery of yesterday that is typed after the count lay in stock when it was counted
  const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
  await shop.post({ kind: 'openingStock', date: yesterday, lines: [{ item: shop.item, quantity: '4', rate: '60' }] });
  expect(at(await look(whole), 'LED-9W').books).toMatchObject({ difference: '4', late: '4' });
  await enter(whole, 'LED-9W', String(before + 4));
  const sheet = await look(whole);
  expect(at(sheet, 'LED-9W').books).toMatchObject({ difference: '0', late: '0' });
  expect(await end(whole, { uncounted: 'none' })).toMatchObject({ details: { code: 'figuresChanged' } });
  // 11 of paint at 40, three phones at 5,000
  expect(await end(whole, { uncounted: 'none', value: '-15440.00' })).toMatchObject({ status: 200 });
  expect([await onHand(shop.item), await onHand(items.paint), await onHand(items.phone)]).toEqual([
    String(before + 4),
    '0',
    '0',
  ]);
  const empty = await make({ empty: true });
  expect((await look(empty)).lines.map((each) => each.sku)).toEqual(['LED-9W', 'PHONE']);
});

test('two who approve at once post it once; what blocks it leaves it as it was', async () => {
  const id = await make();
  const before = Number(await onHand(shop.item));
  await enter(id, 'LED-9W', String(before - 10));
  expect(await end(id, { date: '2099-01-01' })).toMatchObject({ status: 422 });
  const lock = (through: string | null) => ask('SaveLock', { register: 'stock', through, reason: 'Audit' });
  await lock(today);
  // the day is locked: nothing is posted, and it can be counted on
  expect(await end(id)).toMatchObject({ status: 409, details: { code: 'registerLocked' } });
  await lock(null);
  expect((await look(id)).sheet.state).toBe('counting');
  const answers = await Promise.all([end(id), end(id), end(id)]);
  expect(answers.map((each) => each.status).filter((status) => status !== 503)).toContain(200);
  expect(await onHand(shop.item)).toBe(String(before - 10));
  expect((await look(id)).sheet.documents.length).toBe(1);
});

test('a count of another organisation, or of a place where one does not work, is not there', async () => {
  const id = await make();
  const nova = await server.signIn('owner@nova.demo');
  for (const [name, more] of [
    ['GetCountSheet', {}],
    ['EnterCount', { line: 1, quantity: '1' }],
    ['PrintCountSheet', { what: 'sheet' }],
  ] as const)
    expect((await answer(name, { id, ...more }, nova)).status).toBe(404);
  expect(await ask<object[]>('ListCountSheets', {}, nova)).toEqual([]);
  expect((await answer('MakeCountSheet', { location: shop.place.location }, nova)).status).toBe(422);
});

test('whatever is counted and sold in whatever order, the stock balance holds what was counted less what left it since', async () => {
  const step = fc.record({
    what: fc.constantFrom('count', 'sell', 'again'),
    by: fc.boolean(),
    quantity: fc.integer({ min: 0, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      // eight times three: what was counted or came in is never less than what is sold after it
      await receive('24');
      const id = await make({ empty: true });
      const line = at(await look(id), 'LED-9W').line;
      let round = 1;
      let rounds = new Map<number, Map<boolean, number>>();
      let since = 0;
      for (const { what, by, quantity } of steps) {
        if (what === 'count') {
          await ask('EnterCount', { id, line, quantity: String(quantity + 24) }, by ? clerk : shop.owner);
          rounds = new Map([...rounds, [round, new Map([...(rounds.get(round) ?? []), [by, quantity + 24]])]]);
          since = 0;
        } else if (what === 'again') {
          await ask('CountAgain', { id, version: (await look(id)).sheet.version, lines: [line] });
          round += 1;
        } else if (quantity > 0) {
          await sell(String(quantity));
          since += quantity;
        }
      }
      const last = rounds.get(round);
      const { status } = await end(id);
      expect(status === 200).toBe(last !== undefined);
      if (!last) return;
      const counted = [...last.values()].reduce((sum, each) => sum + each, 0);
      expect(await onHand(shop.item)).toBe(String(counted - since));
    }),
    { numRuns: 8 },
  );
}, 60_000);

test('under an approval rule nobody posts their own count; below its amount, and counts of others, they do', async () => {
  await receive('10');
  const rule = (approvals: object) => ask('SaveGeneralConfigDetails', { values: { approvals } });
  await rule([{ kind: 'inventoryAdjustment', from: '100' }]);
  const less = async (by: number) => String(Number(await onHand(shop.item)) - by);
  const own = await make();
  await enter(own, 'LED-9W', await less(2));
  expect(await end(own)).toMatchObject({ status: 409, details: { code: 'ownApproval' } });
  expect((await look(own)).sheet).toMatchObject({ state: 'counting', documents: [] });
  // one bulb is worth sixty rupees
  await enter(own, 'LED-9W', await less(1));
  expect((await end(own)).status).toBe(200);
  const others = await make();
  await enter(others, 'LED-9W', await less(2), {}, clerk);
  expect((await end(others)).status).toBe(200);
  await rule([]);
});
