import { expect, test } from 'vitest';
import { Refused } from '../../kit/server/api.ts';
import type { BillStore, KeptBill } from './billStore.ts';
import { type PostBill, sendBills } from './sending.ts';

const bill = (key: string, at: string, state: KeptBill['state'] = 'waiting', owner = 'asha'): KeptBill => ({
  ...{ key, owner, at, state, session: 's', number: `T1/${at}`, counter: 1, series: key, period: 'all', cart: {} },
  body: { kind: 'posSale', date: '2026-11-21', registration: 'r', location: 'l', lines: [] },
  receipt: {
    lines: [],
    sellerLines: [],
    sums: [],
    taxes: [],
    paid: [],
    width: '80',
    upi: null,
    title: '',
    seller: '',
    till: '',
    cashier: '',
    customer: '',
    total: '1.00',
  },
});
const storeOf = (...all: KeptBill[]) => {
  const kept = new Map(all.map((one) => [one.key, one]));
  const store = {
    keep: async (one: KeptBill) => void kept.set(one.key, one),
    of: async (owner: string) =>
      [...kept.values()].filter((one) => one.owner === owner).sort((a, b) => (a.at < b.at ? -1 : 1)),
    drop: async (key: string) => void kept.delete(key),
  } as unknown as BillStore;
  return { store, kept };
};
const refused = (status: number, code: string) =>
  new Refused({ status, code, message: code, problems: [{ field: 'lines', row: 0, message: 'short' }], reference: '' });
const alone = (work: () => Promise<void>) => work();

test('what waits is sent in the order in which it was made, with its own key', async () => {
  const { store, kept } = storeOf(
    bill('b', '2'),
    bill('a', '1'),
    bill('c', '3', 'sent'),
    bill('d', '0', 'waiting', 'ravi'),
  );
  const sent: string[] = [];
  const post: PostBill = async ({ key }) => {
    sent.push(key);
    return { TransactionId: `id-${key}`, TransactionNumber: `N-${key}` };
  };
  expect(await sendBills(store, 'asha', post, alone)).toBe(true);
  expect(sent).toEqual(['a', 'b']);
  expect(kept.get('a')).toMatchObject({ state: 'sent', number: 'T1/1', id: 'id-a' });
  expect(kept.get('d')?.state).toBe('waiting'); // a key counts for who made the bill
});

test.each([
  ['no network', refused(0, 'unreachable')],
  ['a lost session', refused(401, 'sessionExpired')],
  ['a server that is busy', refused(503, 'busy')],
  ['too many requests', refused(409, 'tooMany')],
  ['a time-out', new DOMException('timed out', 'TimeoutError')],
])('%s leaves all as it is, to be sent again', async (_, problem) => {
  const { store, kept } = storeOf(bill('a', '1'), bill('b', '2'));
  let asked = 0;
  const post: PostBill = async () => {
    asked += 1;
    throw problem;
  };
  expect(await sendBills(store, 'asha', post, alone)).toBe(false);
  expect(asked).toBe(1);
  expect([...kept.values()].map(({ state }) => state)).toEqual(['waiting', 'waiting']);
});

test('one that is refused says why and is not sent again by itself; the others go on', async () => {
  const { store, kept } = storeOf(bill('a', '1'), bill('b', '2'));
  const sent: string[] = [];
  const post: PostBill = async ({ key }) => {
    sent.push(key);
    if (key === 'a') throw refused(409, 'stockShort');
    return { TransactionId: 'x', TransactionNumber: 'N' };
  };
  await sendBills(store, 'asha', post, alone);
  await sendBills(store, 'asha', post, alone);
  expect(sent).toEqual(['a', 'b']);
  expect(kept.get('a')).toMatchObject({
    state: 'refused',
    why: 'stockShort',
    code: 'stockShort',
    problems: [{ row: 0 }],
  });
  expect(kept.get('b')?.state).toBe('sent');
});

test('of what was sent the last two hundred stay to be printed again; what waits or was refused always stays', async () => {
  const all = Array.from({ length: 210 }, (_, n) =>
    bill(`k${n}`, String(n).padStart(4, '0'), n < 3 ? 'refused' : 'sent'),
  );
  const { store, kept } = storeOf(...all);
  await sendBills(store, 'asha', async () => ({ TransactionId: 'x', TransactionNumber: 'N' }), alone);
  expect(kept.size).toBe(203);
  expect(kept.has('k0') && kept.has('k209') && !kept.has('k3')).toBe(true);
});

test('numbers before it that are not here under this name are reported as not yet received, and the bill goes on', async () => {
  const { store, kept } = storeOf(bill('a', '3'));
  const reported: string[] = [];
  const sent: string[] = [];
  const post: PostBill = async ({ key }) => {
    sent.push(key);
    if (reported.length === 0) throw refused(409, 'tillNumberAhead');
    return { TransactionId: 'x', TransactionNumber: 'T1/3' };
  };
  const tell = async ({ number }: KeptBill) => void reported.push(number);
  expect(await sendBills(store, 'asha', post, alone, tell)).toBe(true);
  expect([reported, sent, kept.get('a')?.state]).toEqual([['T1/3'], ['a', 'a'], 'sent']);
});
