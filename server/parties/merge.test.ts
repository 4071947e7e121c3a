import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let shop: Shop;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  owner = shop.owner;
});
afterAll(async () => {
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  await server.stop();
});

interface Kept {
  id: string;
  version: number;
  active: boolean;
  values: Record<string, unknown>;
  notices: string[];
}
interface Near {
  id: string;
  name: string;
  why: string[];
}
interface Statement {
  rows: { number: string; balance: string }[];
}
const gstinOf = (first: string): string => first + gstinCheckDigit(first);
const plain = { category: 'unregistered', state: '29', addresses: [] };
const party = (name: string, more: object = {}, master = 'customer'): Promise<Kept> =>
  owner.ask('SaveMaster', { master, values: { ...plain, name, ...more } });
const fetched = (id: string, master = 'customer'): Promise<Kept> => owner.ask('GetMaster', { master, id });
const near = (more: object): Promise<Near[]> => owner.ask('FindDuplicates', more as never);
const merge = (stays: Kept, goes: Kept, by = owner) =>
  by.call('MergeParties', { stays: stays.id, staysVersion: stays.version, goes: goes.id, goesVersion: goes.version });
const invoice = (customer: string, quantity = '1') =>
  shop.post({ kind: 'saleInvoice', party: customer, lines: [{ item: shop.item, quantity, rate: '100' }] });
const statement = async (id: string): Promise<string[]> => {
  const day = ((await owner.ask('GetSession', {})) as { today: string }).today;
  const { rows } = (await owner.ask('RunReport', {
    report: 'customerStatement',
    filters: { party: id, from: '2020-01-01', to: day },
  })) as Statement;
  return rows.map(({ number, balance }) => `${number} ${balance}`);
};
const owed = async (id: string): Promise<string[]> =>
  ((await owner.ask('GetOpenItems', { party: id, side: 'receivable' })) as { number: string }[]).map(
    ({ number }) => number,
  );

test('a party is flagged by its GSTIN, PAN, telephone or a name that is nearly the same', async () => {
  const own = { gstin: gstinOf('29AADCK5678L1Z'), category: 'registered', phone: '+91 98450 12345' };
  const made = await party('Godavari Hardware Private Limited', own);
  const by = async (more: object) => (await near(more)).filter(({ id }) => id === made.id).flatMap(({ why }) => why);
  expect(await by({ gstin: own.gstin })).toEqual(['gstin', 'pan']);
  expect(await by({ pan: 'AADCK5678L' })).toEqual(['pan']);
  expect(await by({ phone: '098450-12345' })).toEqual(['phone']);
  expect(await by({ name: 'M/s Godavari Hardware Pvt. Ltd.' })).toEqual(['name']);
  expect(await by({ name: 'Godavri Hardwares' })).toEqual(['name']);
  expect(await by({ name: 'Kaveri Textiles', phone: '98450' })).toEqual([]);
  expect(await by({ name: 'Godavari Hardware', id: made.id })).toEqual([]);
});

test('two parties become one: account, dues, drafts and search follow, what was posted keeps its words', async () => {
  const stays = await party('Konkan Foods', {
    addresses: [{ line1: '1 Fort', city: 'Mumbai', state: '27', pincode: '400001' }],
  });
  const goes = await party('Konkan Food', {
    phone: '9820011111',
    creditLimit: '5000.00',
    contacts: [{ name: 'Farah Khan' }],
  });
  const [first, second] = [await invoice(stays.id), await invoice(goes.id, '2')];
  const body = { kind: 'saleInvoice', party: goes.id };
  const draft = (await owner.ask('AddTransactionDetails', { kind: 'saleInvoice', body })) as { TransactionId: string };
  const { pairs } = (await owner.ask('ListDuplicates', {})) as { pairs: { one: Near; other: Near }[] };
  expect(pairs.map(({ one, other }) => [one.id, other.id].sort())).toContainEqual([stays.id, goes.id].sort());

  expect(await merge(stays, goes)).toMatchObject({ status: 200 });
  const kept = await fetched(stays.id);
  expect(kept.values).toMatchObject({
    name: 'Konkan Foods',
    phone: '9820011111',
    creditLimit: '5000.00',
    contacts: [{ name: 'Farah Khan' }],
  });
  expect(kept.values['addresses']).toHaveLength(1);
  expect(await fetched(goes.id)).toMatchObject({
    active: false,
    notices: [expect.stringContaining('Merged into Konkan Foods')],
  });

  const numbers = [first.TransactionNumber, second.TransactionNumber];
  expect(await owed(stays.id)).toEqual(numbers);
  expect(await owed(goes.id)).toEqual([]);
  for (const asked of [stays.id, goes.id]) {
    const lines = await statement(asked);
    for (const number of numbers) expect(lines).toContainEqual(expect.stringContaining(`${number} `));
    expect(lines).toContainEqual(expect.stringMatching(/^Closing balance 354\.00 Dr$/));
  }
  const posted = (await owner.ask('GetTransactionDetailForInvoice', { TransactionId: second.TransactionId })) as {
    party: { id: string; name: string };
  };
  expect(posted.party).toMatchObject({ id: goes.id, name: 'Konkan Food' });
  const opened = (await owner.ask('GetTransactionDetailForInvoice', { TransactionId: draft.TransactionId })) as {
    party: { id: string };
  };
  expect(opened.party.id).toBe(stays.id);
  const found = (await owner.ask('GetPartyListForTransactions', { search: String(goes.values['code']) })) as {
    rows: { id: string }[];
  };
  expect(found.rows.map(({ id }) => id)).toEqual([stays.id]);
  // and it is still found by its former name after it was saved again
  await owner.ask('SaveMaster', { master: 'customer', id: kept.id, version: kept.version, values: kept.values });
  const again = (await owner.ask('ListMasters', { master: 'customer', search: '9820011111' })) as {
    rows: { id: string }[];
  };
  expect(again.rows.map(({ id }) => id)).toEqual([stays.id]);

  // the party that stays pays and returns what was sold to the other one
  const back = (await owner.ask('GetConversion', { from: second.TransactionId, kind: 'saleReturn' })) as {
    draft: { party: string };
  };
  expect(back.draft.party).toBe(stays.id);
  const bank = await shop.ledger('1121');
  const paid = { kind: 'saleReceipt', party: stays.id, moneyLedger: bank, amount: '354.00' };
  await shop.post({
    ...paid,
    allocations: [
      { document: first.TransactionId, amount: '118.00' },
      { document: second.TransactionId, amount: '236.00' },
    ],
  });
  expect(await owed(stays.id)).toEqual([]);
  const post = {
    document: {
      kind: 'saleInvoice',
      ...shop.place,
      date: '2026-11-20',
      party: goes.id,
      lines: [{ item: shop.item, quantity: '1', rate: '1' }],
    },
  };
  expect((await owner.call('PostTransactionCalls', post as never, randomUUID())).status).toBe(422);
});

test('a merged party can be neither changed, restored nor merged again, and the party it was merged into may be merged later', async () => {
  const [a, b, c] = [await party('Malwa One'), await party('Malwa Two'), await party('Malwa Three')];
  const sold = await invoice(a.id);
  await merge(b, a);
  const gone = await fetched(a.id);
  for (const call of [
    owner.call('SaveMaster', { master: 'customer', id: gone.id, version: gone.version, values: gone.values }),
    owner.call('RetireMaster', { master: 'customer', id: gone.id, version: gone.version, active: true }),
  ])
    expect(await call).toMatchObject({ status: 409, details: { code: 'cannotChange' } });
  expect(await merge(gone, c)).toMatchObject({ status: 409, details: { code: 'cannotMerge' } });
  expect((await merge(c, await fetched(b.id))).status).toBe(200);
  expect(await owed(c.id)).toEqual([sold.TransactionNumber]);
});

test("two registrations are two parties, somebody else's change is seen, and the right is asked for on both sides", async () => {
  const one = await party('Satpura One', { gstin: gstinOf('29AABCX1234L1Z'), category: 'registered' });
  const other = await party('Satpura Two', { gstin: '27AABCS4821K1Z9', category: 'registered', state: '27' });
  const asha = await fetched(shop.customer);
  expect(await merge(one, other)).toMatchObject({
    status: 409,
    message: expect.stringContaining('two registrations'),
  });
  expect(await merge({ ...asha, version: asha.version + 1 }, other)).toMatchObject({
    status: 409,
    message: expect.stringContaining('Ravi Sharma has changed this record'),
    details: { code: 'stale' },
  });
  const viewer = await server.signIn('viewer@sharma.demo');
  expect((await merge(asha, other, viewer)).status).toBe(403);
  const nova = await server.signIn('owner@nova.demo');
  expect((await merge(asha, other, nova)).status).toBe(404);
});

test('a customer and a supplier become one on both sides', async () => {
  const [customer, supplier] = [
    await party('Nilgiri Tea'),
    await party('Nilgiri Teas', { phone: '9444400000' }, 'supplier'),
  ];
  expect((await merge(customer, supplier)).status).toBe(200);
  expect((await fetched(customer.id, 'supplier')).values).toMatchObject({ name: 'Nilgiri Tea', phone: '9444400000' });
});

test('a merge and invoices of the one that goes do not miss each other', async () => {
  const [stays, goes] = [await party('Chambal Systems'), await party('Chambal System')];
  const posting = Array.from({ length: 6 }, () =>
    invoice(goes.id).then(
      () => true,
      () => false,
    ),
  );
  const [done, ...posted] = await Promise.all([merge(stays, goes), ...posting]);
  expect(done.status).toBe(200);
  expect(await owed(goes.id)).toEqual([]);
  expect(await owed(stays.id)).toHaveLength(posted.filter(Boolean).length);
});
