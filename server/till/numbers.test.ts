import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type Answered, type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { yearNow } from '../../tools/testing/year.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

// A till gives its numbers by itself: what comes in is exactly the next one, and nothing that was given is ever lost.
let server: TestServer;
let shop: Shop;
let accountant: Visitor;
let today: string;
let tills = 0;
beforeAll(async () => {
  server = await testServer({ autoRoundOffTotals: false });
  shop = await openShop(server);
  today = ((await shop.owner.ask('GetSession', {})) as { today: string }).today;
  accountant = await server.signIn('accountant@sharma.demo');
});
afterAll(async () => {
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
  await server.stop();
});

interface Opened {
  readonly till: string;
  readonly session: string;
  readonly device: string;
  readonly series: string;
  readonly name: string;
}
interface Line {
  readonly number: string;
  readonly state: string;
  readonly reason: string;
  readonly series: string;
  readonly period: string;
  readonly counter: number;
}
const codeOf = ({ details }: Answered) => (details as { code?: string }).code;
const numberOf = ({ details }: Answered) => (details as { TransactionNumber?: string }).TransactionNumber;
const opened = async (device: string = randomUUID()): Promise<Opened> => {
  tills += 1;
  const name = `K${tills}`;
  const values = { code: name, name, location: shop.place.location, prices: 'saleRate', printWidth: '80' };
  const { id: till } = (await shop.owner.ask('SaveMaster', { master: 'till', values })) as { id: string };
  const { session } = (await shop.owner.ask('OpenTill', { till, count: {}, device })) as { session: string };
  const views = (await shop.owner.ask('ListTills', { device })) as {
    id: string;
    numbers: { series: string };
    session: { here: boolean };
  }[];
  const view = views.find((one) => one.id === till);
  expect(view?.session.here).toBe(true);
  return { till, session, device, series: view?.numbers.series ?? '', name };
};
const read = (at: Opened, counter: number) => `${at.name}/${yearNow}/${String(counter).padStart(4, '0')}`;
const bill = (at: Opened, counter: number, more: Record<string, unknown> = {}, device = at.device) => ({
  ...{ kind: 'posSale', date: today, ...shop.place, taxInclusive: true },
  till: { session: at.session, device, counter, number: read(at, counter) },
  lines: [{ item: shop.item, quantity: '1', rate: '112.10' }],
  ...more,
});
const sell = (at: Opened, counter: number, more: Record<string, unknown> = {}, by = shop.owner, key = randomUUID()) =>
  by.call('PostTransactionCalls', { document: bill(at, counter, more) } as never, key);
const setDown = async ({ session }: Opened): Promise<readonly [string, string][]> =>
  ((await shop.owner.ask('GetTillSession', { session })) as { numbers: Line[] }).numbers.map((n) => [
    n.number,
    n.state,
  ]);
const given = async (at: Opened) =>
  (
    (await shop.owner.ask('GetNumbersGiven', { Id: at.series })) as {
      given: number;
      missing: number;
      notInBooks: Line[];
      heldBy: string | null;
    }[]
  )[0];
/** More than there is in stock. */
const tooMany = { lines: [{ item: '', quantity: '450', rate: '112.10' }] };
const short = () => ({ lines: [{ ...tooMany.lines[0], item: shop.item }] });

test('the numbers of a till are its own, one after the other; any other is refused and takes nothing', async () => {
  const at = await opened();
  expect(numberOf(await sell(at, 1))).toBe(read(at, 1));
  const ahead = await sell(at, 3);
  expect([codeOf(ahead), ahead.message]).toEqual([
    'tillNumberAhead',
    `${read(at, 2)} comes before this number and has not been received yet`,
  ]);
  expect(codeOf(await sell(at, 1))).toBe('tillNumberTaken');
  const wrong = { till: { session: at.session, device: at.device, counter: 2, number: read(at, 7) } };
  expect((await sell(at, 2, wrong)).details).toMatchObject({ problems: [{ field: 'till' }] });
  const nobodys = { till: { session: at.session, counter: 2, number: read(at, 2) } };
  expect((await sell(at, 2, nobodys)).details).toMatchObject({ problems: [{ field: 'till' }] });
  const none = { till: { session: at.session } };
  expect((await sell(at, 2, none)).details).toMatchObject({ problems: [{ field: 'till' }] });
  expect(numberOf(await sell(at, 2))).toBe(read(at, 2));
  // what is sold elsewhere takes no number from a till
  const other = await shop.post({ kind: 'cashSale', lines: [{ item: shop.item, quantity: '1' }] });
  expect(other.TransactionNumber).not.toContain(at.name);
  expect(await given(at)).toMatchObject({ given: 2, missing: 0, notInBooks: [], heldBy: at.name });
});

test('a connection lost between send and answer: the same bill again, also twice at once, is one bill with one number', async () => {
  const at = await opened();
  const key = randomUUID();
  const answers = await Promise.all([1, 2, 3].map(() => sell(at, 1, {}, shop.owner, key)));
  answers.push(await sell(at, 1, {}, shop.owner, key));
  expect(answers.map(numberOf)).toEqual([1, 1, 1, 1].map((n) => read(at, n)));
  expect(await setDown(at)).toEqual([]);
  // two tabs that each send the next one
  const both = await Promise.all([sell(at, 2), sell(at, 2)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(both.map(codeOf).find(Boolean)).toBe('tillNumberTaken');
  expect(await given(at)).toMatchObject({ given: 2, missing: 0, notInBooks: [] });
});

test('a bill that is refused keeps its number, listed with the reason; mended, it is posted under that number', async () => {
  const at = await opened();
  expect(codeOf(await sell(at, 1, short()))).toBe('stockShort');
  expect(await given(at)).toMatchObject({
    missing: 0,
    notInBooks: [{ number: read(at, 1), state: 'refused', reason: expect.stringContaining('Not enough stock') }],
  });
  expect(numberOf(await sell(at, 2))).toBe(read(at, 2));
  // refused once more for something else: the answer says what is wrong with it now
  expect((await sell(at, 1, { discount: { percent: '101' } })).status).toBe(422);
  expect(numberOf(await sell(at, 1))).toBe(read(at, 1));
  expect(await setDown(at)).toEqual([]);
  expect(codeOf(await sell(at, 1))).toBe('tillNumberTaken');
});

test('a clock that runs ahead, and a period that is locked meanwhile: refused by its number, until the books say otherwise', async () => {
  const at = await opened();
  const before = server.clock.at;
  const day = new Date(`${today}T00:00:00Z`).getTime();
  const tomorrow = new Date(day + 86_400_000).toISOString().slice(0, 10);
  const early = await sell(at, 1, { date: tomorrow });
  expect(early.details).toMatchObject({ problems: [{ field: 'date' }] });
  expect(await setDown(at)).toEqual([[read(at, 1), 'refused']]);
  // the same bill, the next day
  server.clock.at = day + 86_400_000 + 43_200_000;
  const owner = await server.signIn('owner@sharma.demo');
  expect(numberOf(await sell(at, 1, { date: tomorrow }, owner))).toBe(read(at, 1));
  server.clock.at = before;
  // the bill was made in time, and came in after the lock
  const lock = (through: string | null) =>
    server.database.owner.query('update locks set locked_through = $1, at = now()', [through]);
  await lock(today);
  expect(codeOf(await sell(at, 2))).toBe('periodLocked');
  expect(await setDown(at)).toEqual([[read(at, 2), 'refused']]);
  await lock(null);
  expect(numberOf(await sell(at, 2))).toBe(read(at, 2));
});

test('void: only who approves, with a reason, and only what is not in the books', async () => {
  const at = await opened();
  await sell(at, 1, short());
  await sell(at, 2);
  const { numbers } = (await shop.owner.ask('GetTillSession', { session: at.session })) as { numbers: Line[] };
  const { series, period, counter } = numbers[0] ?? { series: '', period: '', counter: 0 };
  const input = { series, period, counter, reason: 'The customer went away' };
  expect((await accountant.call('VoidTillNumber', input)).status).toBe(403);
  expect(await shop.owner.ask('VoidTillNumber', input)).toEqual({ number: read(at, 1) });
  expect(codeOf(await shop.owner.call('VoidTillNumber', input))).toBe('tillNumberSettled');
  expect(codeOf(await sell(at, 1))).toBe('tillNumberTaken');
  expect((await shop.owner.call('VoidTillNumber', { ...input, counter: 2 })).status).toBe(404);
  expect(await given(at)).toMatchObject({ given: 1, missing: 0, notInBooks: [{ state: 'void' }] });
  // table 13: a void number is issued and cancelled; what is refused or awaited blocks the return
  const { registration } = shop.place;
  const filters = { registration, period: `${today.slice(5, 7)}${today.slice(0, 4)}` };
  const { content } = (await shop.owner.ask('ExportReport', {
    report: 'gstr1',
    filters,
    format: 'json',
  } as never)) as unknown as { content: string };
  const { doc_issue } = JSON.parse(Buffer.from(content, 'base64').toString());
  const run = doc_issue.doc_det[0].docs.find(({ from }: { from: string }) => from === read(at, 1));
  expect(run).toMatchObject({ to: read(at, 2), totnum: 2, cancel: 1, net_issue: 1 });
  await sell(at, 3, short());
  const { notes } = (await shop.owner.ask('RunReport', { report: 'gstr1', filters } as never)) as unknown as {
    notes: string[];
  };
  expect(notes.find((note) => note.startsWith(read(at, 3)))).toContain('is not in the books: Not enough stock');
});

test('two browsers at one till: one holds it, the other takes it over with the last number of the first', async () => {
  const at = await opened();
  await sell(at, 1);
  const second = { ...at, device: randomUUID() };
  expect(codeOf(await sell(second, 2))).toBe('tillElsewhere');
  expect(await setDown(at)).toEqual([]);
  const take = (last: number | undefined) =>
    shop.owner.call('TakeTill', { session: at.session, device: second.device, ...(last !== undefined && { last }) });
  expect((await take(0)).status).toBe(422);
  expect((await take(9999)).status).toBe(422);
  expect((await take(3)).details).toEqual({ next: read(at, 4) });
  expect(await setDown(at)).toEqual([
    [read(at, 2), 'awaited'],
    [read(at, 3), 'awaited'],
  ]);
  expect(numberOf(await sell(second, 4))).toBe(read(at, 4));
  // the first one comes back: what it gave is taken, what it gives now is not
  expect(numberOf(await sell(at, 2))).toBe(read(at, 2));
  expect(codeOf(await sell(at, 5))).toBe('tillElsewhere');
  expect(await given(at)).toMatchObject({
    given: 3,
    missing: 0,
    notInBooks: [{ number: read(at, 3), state: 'awaited' }],
  });
  // the approver is notified; the seller is not
  const { rows } = await server.database.owner.query<{ message: string; to: string }>(
    `
      select n.message, u.email as "to"
      from notifications n
      join users u on u.organisation = n.organisation and u.id = n."user"
      where n.message like $1
      order by 2
    `,
    [`%${at.name}%`],
  );
  const message = `2 bills of ${at.name} have not come in, ${read(at, 2)} to ${read(at, 3)}: their numbers are given`;
  expect(rows.filter(({ message: text }) => text === message).map(({ to }) => to)).toContain('owner@sharma.demo');
  expect(rows.map(({ to }) => to)).not.toContain('accountant@sharma.demo');
});

test('numbers whose bills wait under another name are set down, and come in later', async () => {
  const at = await opened();
  expect(codeOf(await sell(at, 3))).toBe('tillNumberAhead');
  const waiting = { session: at.session, device: at.device, date: today, before: 3 };
  expect(codeOf(await shop.owner.call('AwaitTillNumbers', { ...waiting, device: randomUUID() }))).toBe('tillElsewhere');
  expect(await shop.owner.ask('AwaitTillNumbers', waiting)).toEqual({ next: 3 });
  expect(await shop.owner.ask('AwaitTillNumbers', waiting)).toEqual({ next: 3 });
  expect(numberOf(await sell(at, 3))).toBe(read(at, 3));
  expect(numberOf(await sell(at, 2, {}, accountant))).toBe(read(at, 2));
  expect(await setDown(at)).toEqual([[read(at, 1), 'awaited']]);
});

test('forty bills of two tills at once, each in order: no gap, no duplicate', async () => {
  const [a, b] = [await opened(), await opened()];
  const inOrder = async (at: Opened) => {
    for (let n = 1; n <= 20; n++) expect(numberOf(await sell(at, n))).toBe(read(at, n));
  };
  await Promise.all([inOrder(a), inOrder(b)]);
  expect([await given(a), await given(b)]).toMatchObject([
    { given: 20, missing: 0 },
    { given: 20, missing: 0 },
  ]);
});

test('the pattern of an open till stays as it is', async () => {
  const at = await opened();
  const { rows } = (await shop.owner.ask('ListMasters', { master: 'numberSeries' } as never)) as unknown as {
    rows: { id: string; version: number; values: Record<string, unknown> }[];
  };
  const own = rows.find(({ id }) => id === at.series);
  const { name, kind, registration, prefix, padding, start, reset } = own?.values ?? {};
  expect(prefix).toBe(`${at.name}/{FY}/`);
  const values = { name, kind, registration, prefix: 'ZZ/{FY}/', padding, start, reset };
  const save = () =>
    shop.owner.call('SaveMaster', { master: 'numberSeries', id: at.series, version: own?.version, values } as never);
  expect((await save()).details).toMatchObject({ problems: [{ field: 'prefix' }] });
  await shop.owner.ask('CloseTill', { session: at.session, count: {}, expected: '0.00' }, randomUUID());
  expect((await save()).status).toBe(200);
});
