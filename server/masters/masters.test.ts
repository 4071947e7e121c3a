import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
});
afterAll(() => server.stop());

type Kept = { id: string; version: number; values: Record<string, unknown> };
const save = async (
  by: Visitor,
  master: string,
  values: Record<string, unknown>,
  more: { id?: string; version?: number | undefined } = {},
) => (await by.ask('SaveMaster', { master, values, ...(more.id && { id: more.id, version: more.version }) })) as Kept;
const party = {
  name: 'Kaveri Electricals',
  gstin: '29AADCK5678L1ZO',
  category: 'registered',
  state: '29',
  addresses: [],
};

test('a party is kept, found, changed once and not over somebody else, and retired', async () => {
  // no other test makes customers there
  const nova = await server.signIn('owner@nova.demo');
  const made = await save(nova, 'customer', { ...party, gstin: '', category: 'unregistered' });
  expect(made.values).toMatchObject({ code: 'C0001', name: 'Kaveri Electricals' });
  const found = (await nova.ask('ListMasters', { master: 'customer', search: 'kaveri' })) as { rows: Kept[] };
  expect(found.rows.map((r) => r.id)).toEqual([made.id]);
  await save(nova, 'customer', { ...made.values, phone: '9845012345' }, made);
  const late = await nova.call('SaveMaster', {
    master: 'customer',
    id: made.id,
    version: made.version,
    values: made.values,
  });
  expect(late).toMatchObject({ status: 409, message: 'Lakshmi Narayanan has changed this record since you opened it' });
  const history = (await nova.ask('GetHistory', { master: 'customer', id: made.id })) as {
    changes: { field: string; after: string }[];
  }[];
  expect(history[0]?.changes).toContainEqual({ field: 'phone', label: 'Phone', before: '', after: '9845012345' });
  await nova.ask('RetireMaster', { master: 'customer', id: made.id, version: 2, active: false });
  expect(((await nova.ask('ListMasters', { master: 'customer' })) as { rows: Kept[] }).rows).toEqual([]);
});

test('bad input is a problem at its field', async () => {
  const wrong = await owner.call('SaveMaster', {
    master: 'customer',
    values: { name: '', gstin: '29AADCK5678L1ZX', category: 'registered', state: '29' },
  });
  expect(wrong.status).toBe(422);
  const { problems } = wrong.details as { problems: { field: string }[] };
  expect(problems.map((p) => p.field).sort()).toEqual(['gstin', 'name']);
  expect(await owner.call('SaveMaster', { master: 'role', values: { name: '<b>%x', levels: {} } })).toMatchObject({
    status: 422,
  });
  expect(
    await owner.call('SaveMaster', { master: 'ledger', values: { code: '9999', name: 'X', group: 'no uuid' } }),
  ).toMatchObject({ status: 422 });
});

test('a PAN that the GSTIN contradicts is a problem at the PAN', async () => {
  for (const master of ['customer', 'supplier']) {
    const values = { ...party, name: `Pan ${master}`, gstin: '29AAACR5055K1Z3', pan: 'ZZZPZ9999Z' };
    const message = 'The GSTIN contains the PAN AAACR5055K: correct one of the two';
    expect(await owner.call('SaveMaster', { master, values })).toMatchObject({
      status: 422,
      details: { problems: [{ field: 'pan', message }] },
    });
  }
});

test('every form of GSTIN that the law gives is kept: of a department, and with another fourteenth character than Z', async () => {
  for (const [start, state] of [
    ['07DELA00123A1Z', '07'],
    ['24AAACB1234C12', '24'],
  ] as const)
    for (const master of ['customer', 'supplier']) {
      const gstin = `${start}${gstinCheckDigit(start)}`;
      const made = await save(owner, master, { ...party, name: `${master} ${start}`, gstin, state });
      expect(made.values).toMatchObject({ gstin, state });
    }
});

test('a record keeps its master: saving a group as a ledger finds none', async () => {
  const groups = (await owner.ask('ListMasters', { master: 'accountGroup', search: 'cash and bank' })) as {
    rows: Kept[];
  };
  const [group] = groups.rows as [Kept];
  expect(
    (
      await owner.call('SaveMaster', {
        master: 'ledger',
        id: group.id,
        version: group.version,
        values: { code: '9998', name: 'Cash and bank', group: group.id },
      })
    ).status,
  ).toBe(404);
});

test('what nothing names is deleted, and its code is free again', async () => {
  const made = await save(owner, 'category', { code: 'LIGHT', name: 'Lighting' });
  await owner.ask('RetireMaster', { master: 'category', id: made.id, version: made.version, active: false });
  await save(owner, 'category', { code: 'LIGHT', name: 'Lighting' });
});

test('what a record picks several of comes with its names: together for the list, one by one for the form', async () => {
  const users = (await owner.ask('ListMasters', { master: 'user' })) as {
    rows: (Kept & { names: Record<string, string> })[];
  };
  const row = users.rows.find((each) => each.values.email === 'owner@sharma.demo');
  const [role = ''] = (row?.values.roles ?? []) as string[];
  expect(row?.names.roles).toBe('Owner');
  expect(row?.names[`roles.${role}`]).toBe('Owner');
});

test('S-23: nobody grants above their own level, and the last administrator stays', async () => {
  const clerk = await save(owner, 'role', { name: 'People', levels: { 'Manage Role': 5003, 'Users List': 5001 } });
  const users = (await owner.ask('ListMasters', { master: 'user' })) as { rows: Kept[] };
  const none = users.rows.find((u) => u.values.email === 'none@sharma.demo') as Kept;
  await save(owner, 'user', { ...none.values, roles: [clerk.id] }, none);
  const upstart = await server.signIn('none@sharma.demo');
  expect(
    await upstart.call('SaveMaster', { master: 'role', values: { name: 'Mine', levels: { 'Sale Invoice': 5003 } } }),
  ).toMatchObject({ status: 403, message: 'Nobody gives or takes away a level above their own' });
});

test('drafts are their author’s, and of their kind', async () => {
  const kept = (await owner.ask('AddTransactionDetails', { kind: 'saleInvoice', body: { narration: 'mine' } })) as {
    TransactionId: string;
    version: number;
  };
  const accountant = await server.signIn('accountant@sharma.demo');
  for (const kind of ['saleInvoice', 'manualJournal']) {
    expect(
      (
        await accountant.call('AddTransactionDetails', {
          kind,
          id: kept.TransactionId,
          version: kept.version,
          body: { narration: 'theirs' },
        })
      ).status,
    ).toBeGreaterThanOrEqual(404);
  }
  expect(
    ((await owner.ask('GetTransactionDetailForInvoice', { TransactionId: kept.TransactionId })) as { body: object })
      .body,
  ).toEqual({ narration: 'mine' });
});

test('S-10 to S-12: another organisation’s records answer like records that do not exist', async () => {
  const mine = await save(owner, 'supplier', { ...party, gstin: '', category: 'unregistered' });
  const nova = await server.signIn('owner@nova.demo');
  const foreign = await nova.call('GetMaster', { master: 'supplier', id: mine.id });
  const unknown = await nova.call('GetMaster', { master: 'supplier', id: randomUUID() });
  expect([foreign.status, foreign.message]).toEqual([unknown.status, unknown.message]);
  expect(
    (await nova.call('SaveMaster', { master: 'supplier', id: mine.id, version: 1, values: mine.values })).status,
  ).toBe(404);
  expect(((await nova.ask('ListMasters', { master: 'supplier' })) as { rows: Kept[] }).rows).toEqual([]);
  await save(nova, 'supplier', { ...party, code: String(mine.values.code), gstin: '', category: 'unregistered' });
});

test('a list is paged by what it is ordered by, whatever the letters, to its end', async () => {
  const units = ['DOZ', 'BOX', 'SET', 'PRS', 'BAG'];
  for (const from of units) await save(owner, 'unitConversion', { from, to: 'NOS', factor: '12' });
  for (const [i, name] of ['Éclair', 'İzmir', 'apple', 'Zebra', 'ßüß'].entries())
    await save(owner, 'warehouse', { code: `W${i}`, name, location: await firstLocation() });
  for (const [master, least] of [
    ['unitConversion', 5],
    ['warehouse', 5],
    ['unit', 20],
    ['ledger', 50],
    ['numberSeries', 50],
    ['ledgerPosting', 20],
  ] as const) {
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page = (await owner.ask('ListMasters', { master, limit: 2, ...(after && { after }) })) as {
        rows: Kept[];
        after: string | null;
      };
      seen.push(...page.rows.map((r) => r.id));
      after = page.after;
    } while (after && seen.length < 1000);
    expect(new Set(seen).size, master).toBe(seen.length);
    expect(seen.length, master).toBeGreaterThanOrEqual(least);
  }
}, 60_000);
const firstLocation = async () =>
  ((await owner.ask('GetSession', {})) as { locations: { id: string }[] }).locations[0]?.id;

test('a consumer is made with a name and a state; the short form keeps the fields of the long one', async () => {
  const made = await save(owner, 'consumer', { name: 'Walk In', phone: '9845011111', state: '29' });
  const long = (await owner.ask('GetMaster', { master: 'customer', id: made.id })) as Kept;
  expect(long.values).toMatchObject({ category: 'unregistered', state: '29' });
  const full = await save(
    owner,
    'customer',
    { ...long.values, pan: 'AAAPL1234C', tradeName: 'Walk In Stores', creditLimit: '5000.00', udyam: 'UDYAM-1' },
    long,
  );
  const short = (await owner.ask('GetMaster', { master: 'consumer', id: made.id })) as Kept;
  await save(owner, 'consumer', { ...short.values, phone: '' }, short);
  const after = (await owner.ask('GetMaster', { master: 'customer', id: made.id })) as Kept;
  expect(after.values).toEqual({ ...full.values, phone: undefined });
  const found = (await owner.ask('ListMasters', { master: 'customer', search: 'walk in stores' })) as { rows: Kept[] };
  expect(found.rows.map((r) => r.id)).toEqual([made.id]);
});

test('of two who change, retire or delete a record at once one gets a refusal that the other was first', async () => {
  const second = await server.signIn('owner@sharma.demo');
  const made = await save(owner, 'terms', { code: 'T1', name: 'Thirty days', kind: 'saleInvoice', text: 'Net 30' });
  const retire = (by: Visitor) =>
    by.call('RetireMaster', { master: 'terms', id: made.id, version: made.version, active: false });
  const change = (by: Visitor) =>
    by.call('SaveMaster', { master: 'terms', id: made.id, version: made.version, values: made.values });
  const both = await Promise.all([retire(owner), change(second)]);
  expect(both.map((b) => b.status).sort()).toSatisfy((s: number[]) => s[0] === 200 && s[1] !== 200);
  const config = (await owner.ask('GetGeneralConfigDetails', {})) as { version: number };
  const configure = (by: Visitor, on: boolean) =>
    by.call('SaveGeneralConfigDetails', { version: config.version, values: { autoRoundOffTotals: on } });
  const saved = await Promise.all([configure(owner, true), configure(second, false)]);
  expect(saved.map((s) => s.status).sort()).toEqual([200, 409]);
  expect(saved.find((s) => s.status === 409)?.message).toBe('Ravi Sharma has changed this record since you opened it');
});

test('a record names only what exists', async () => {
  const nothing = randomUUID();
  const warehouse = { code: 'W1', name: 'Yard', location: nothing };
  expect(await owner.call('SaveMaster', { master: 'warehouse', values: warehouse })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'location', message: 'Location names something that does not exist' }] },
  });
  const clerk = { name: 'Clerk', email: 'clerk@nobody.test', roles: [nothing] };
  expect(await owner.call('SaveMaster', { master: 'user', values: clerk })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'roles' }] },
  });
});

test('customers who are made at once, without a code, get one each', async () => {
  const values = { category: 'unregistered', state: '29', addresses: [] };
  const names = Array.from({ length: 12 }, (_, n) => `At once ${n}`);
  const made = await Promise.all(names.map((name) => save(owner, 'customer', { ...values, name })));
  expect(new Set(made.map((each) => each.values['code'])).size).toBe(12);
});
