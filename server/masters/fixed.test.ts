import { afterAll, beforeAll, expect, test } from 'vitest';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { type Answered, type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

type Kept = { id: string; version: number; values: Record<string, unknown>; fixed: Record<string, string> };
type Session = { registrations: { id: string; state: string }[]; locations: { id: string; code: string }[] };

let server: TestServer;
let owner: Visitor;
let here: { registration: string; location: string };
let item: Kept;
let customer: Kept;
beforeAll(async () => {
  server = await testServer();
  server.clock.at = Date.parse('2026-11-21T10:00:00+05:30');
  owner = await server.signIn('owner@sharma.demo');
  const { registrations, locations } = (await owner.ask('GetSession', {})) as Session;
  here = {
    registration: registrations.find((r) => r.state === '29')?.id ?? '',
    location: locations.find((l) => l.code === 'BLR')?.id ?? '',
  };
  item = await save('item', { ...fan, sku: 'FAN' });
  customer = await save('customer', { name: 'Kaveri Electricals', category: 'unregistered', state: '29' });
  await post({ kind: 'openingStock', ...here, lines: [{ item: item.id, quantity: '10', rate: '60' }] });
  await post({
    kind: 'saleInvoice',
    ...here,
    party: customer.id,
    lines: [{ item: item.id, quantity: '2', rate: '100' }],
  });
});
afterAll(() => server.stop());

const fan = { name: 'Ceiling fan', type: 'stock', unit: 'NOS', hsn: '84145120', gstRate: '18', treatment: 'taxable' };
const post = async (document: Record<string, unknown>): Promise<string> =>
  (
    (await owner.ask('PostTransactionCalls', { document: { date: '2026-11-20', ...document } as never })) as {
      TransactionId: string;
    }
  ).TransactionId;
const save = async (master: string, values: Record<string, unknown>, kept?: Kept): Promise<Kept> =>
  owner.ask('SaveMaster', { master, values, ...(kept && { id: kept.id, version: kept.version }) });
const open = async (master: string, id: string): Promise<Kept> => owner.ask('GetMaster', { master, id });
const find = async (master: string, name: string): Promise<Kept> => {
  const { rows } = (await owner.ask('ListMasters', { master, search: name })) as { rows: Kept[] };
  return open(master, rows[0]?.id ?? '');
};
const change = (master: string, kept: Kept, values: Record<string, unknown>): Promise<Answered> =>
  owner.call('SaveMaster', { master, id: kept.id, version: kept.version, values: { ...kept.values, ...values } });
const retire = (master: string, kept: Kept): Promise<Answered> =>
  owner.call('RetireMaster', { master, id: kept.id, version: kept.version, active: false });
/** Field and message of what is wrong. */
const wrong = ({ status, details }: Answered) => {
  expect(status).toBe(422);
  return (details as { problems: { field: string; message: string }[] }).problems.map(
    (p) => `${p.field}: ${p.message}`,
  );
};

test('what documents have built upon cannot change any more, and says why', async () => {
  const registration = await open('registration', here.registration);
  expect(registration.fixed).toMatchObject({ gstin: expect.stringContaining('documents are posted under it') });
  const start = '29AAGCS4821F2Z';
  expect(wrong(await change('registration', registration, { gstin: `${start}${gstinCheckDigit(start)}` }))).toEqual([
    'gstin: GSTIN cannot be changed any more: documents are posted under it; add a registration for another GSTIN',
  ]);
  expect((await change('registration', registration, { tradeName: 'Sharma' })).status).toBe(200);

  const location = await open('location', here.location);
  const other = (await find('registration', 'Sharma')).id;
  const elsewhere = ((await owner.ask('GetSession', {})) as Session).registrations.find((r) => r.state === '27')?.id;
  expect(other).toBeTruthy();
  expect(wrong(await change('location', location, { registration: elsewhere }))[0]).toContain(
    'registration: Registration cannot be changed any more: documents are posted at it',
  );
  expect((await change('location', location, { name: 'Bengaluru' })).status).toBe(200);

  const kept = await open('item', item.id);
  expect(Object.keys(kept.fixed).sort()).toEqual(['attributes', 'batched', 'serialised', 'type', 'unit']);
  expect(wrong(await change('item', kept, { unit: 'KGS' }))[0]).toContain('its stock has moved in this unit');
  expect(wrong(await change('item', kept, { type: 'service' }))[0]).toContain('type: Type cannot be changed');
  expect((await change('item', kept, { name: 'Ceiling fan, white' })).status).toBe(200);

  const unit = await find('unit', 'nos');
  expect(wrong(await change('unit', unit, { code: 'NUM' }))[0]).toContain('items are counted in it');
  const series = (await owner.ask('ListMasters', { master: 'numberSeries', search: 'Sale Invoice' })) as {
    rows: Kept[];
  };
  const used = series.rows.find((s) => s.values.registration === here.registration && s.values.kind === 'saleInvoice');
  expect(wrong(await change('numberSeries', used as Kept, { kind: 'cashSale' })).join()).toContain(
    'numbers of it are given already',
  );
});

test('an item that is on documents without stock keeps its unit too; one that was never used may change', async () => {
  const service = await save('item', { ...fan, sku: 'FIT', name: 'Fitting', type: 'service', hsn: '998719' });
  const changed = await change('item', service, { unit: 'SET' });
  expect(changed.status).toBe(200);
  await post({
    kind: 'saleInvoice',
    ...here,
    party: customer.id,
    lines: [{ item: service.id, quantity: '1', rate: '50' }],
  });
  expect(wrong(await change('item', changed.details as Kept, { unit: 'NOS' }))[0]).toContain('documents name it');
});

test('a ledger with amounts stays among its nature, and no group is under itself', async () => {
  const groupOf = async (nature: string) =>
    ((await owner.ask('ListMasters', { master: 'accountGroup', limit: 200 })) as { rows: Kept[] }).rows.find(
      (g) => g.values.nature === nature,
    )?.id;
  const { rows } = await server.database.owner.query(
    `
      select e.ledger
      from entries e
      join ledgers l on l.organisation = e.organisation and l.id = e.ledger
      where l.nature = 'income'
      limit 1
    `,
  );
  const sales = await open('ledger', rows[0].ledger);
  expect(wrong(await change('ledger', sales, { group: await groupOf('expense') }))[0]).toContain(
    'amounts are posted to this ledger as income',
  );
  const top = await save('category', { code: 'TOP', name: 'Top' });
  const below = await save('category', { code: 'LOW', name: 'Low', parent: top.id });
  expect(wrong(await change('category', top, { parent: below.id }))).toEqual(['parent: It cannot be under itself']);
  expect(wrong(await change('category', top, { parent: top.id }))).toEqual(['parent: It cannot be under itself']);
});

test('who has an account keeps its currency, and with dollars open its country and category', async () => {
  const abroad = { category: 'overseas', state: '96', country: 'US', currency: 'USD' };
  for (const [master, kind, more] of [
    ['customer', 'overseasSale', {}],
    ['supplier', 'overseasPurchase', { reference: 'H-1' }],
  ] as const) {
    const kept = await save(master, { name: `Hudson ${master}`, ...abroad });
    const free = await change(master, kept, { currency: 'EUR' });
    expect(free.status).toBe(200);
    const back = await change(master, free.details as Kept, { currency: 'USD' });
    expect(back.status).toBe(200);
    const lines = [{ item: item.id, quantity: '1', rate: '10' }];
    const bill = { kind, ...here, party: kept.id, currency: 'USD', exchangeRate: '84', ...more, lines };
    const id = await post(bill);
    const used = await open(master, kept.id);
    expect(Object.keys(used.fixed).sort()).toEqual(['category', 'country', 'currency']);
    for (const currency of ['EUR', 'INR'])
      expect(wrong(await change(master, used, { currency }))).toEqual([
        'currency: Currency cannot be changed any more: amounts are posted in it; add another party for another currency',
      ]);
    expect(wrong(await change(master, used, { country: 'GB' }))).toEqual([
      'country: Country cannot be changed any more: amounts in another currency are open: settle them first',
    ]);
    expect(
      wrong(await change(master, used, { category: 'unregistered', country: 'IN', state: '29' })).map(
        (each) => each.split(':')[0],
      ),
    ).toEqual(expect.arrayContaining(['category', 'country']));
    const renamed = await change(master, used, { name: `Hudson and Sons ${master}` });
    expect(renamed.status).toBe(200);
    await owner.ask('CancelTransaction', {
      TransactionIds: [id],
      TransactionType: kind,
      reason: 'Typed twice',
    } as never);
    expect(Object.keys((await open(master, kept.id)).fixed)).toEqual(['currency']);
  }
});

test('a ledger keeps its currency once amounts are posted to it, or documents post to it by themselves', async () => {
  const reason = async (id: string, currency: string) => {
    const kept = await open('ledger', id);
    const said = wrong(await change('ledger', kept, { currency, isBank: true }));
    expect(said).toContain(`currency: Currency cannot be changed any more: ${kept.fixed['currency']}`);
    return kept.fixed['currency'];
  };
  const group = (await find('ledger', '1121')).values['group'];
  const dollars = await save('ledger', { code: '112D', name: 'Dollars', group, isBank: true, currency: 'USD' });
  expect((await open('ledger', dollars.id)).fixed).toEqual({});
  const euros = await change('ledger', dollars, { currency: 'EUR' });
  expect(euros.status).toBe(200);
  await server.database.owner.query(
    `
      insert into ledger_month_totals (organisation, ledger, location, month, slot, debit, credit)
      values (1, $1, $2, '2026-11-01', 0, 0, 0)
    `,
    [dollars.id, here.location],
  );
  expect(await reason(dollars.id, 'USD')).toBe('amounts are posted to it; make another ledger');
  expect(await reason(dollars.id, '')).toBe('amounts are posted to it; make another ledger');
  const { rows } = await server.database.owner.query(
    `
      select m.ledger
      from posting_map m
      where m.organisation = 1
        and not exists (select from ledger_month_totals t where t.organisation = 1 and t.ledger = m.ledger)
      limit 1
    `,
  );
  expect(await reason(rows[0].ledger, 'USD')).toContain('documents post to it by themselves');
  await server.database.owner.query('delete from ledger_month_totals where ledger = $1', [dollars.id]);
});

test('nothing is retired that is still needed, and the reason names it', async () => {
  const said = async (master: string, kept: Kept) => {
    const answer = await retire(master, kept);
    expect(answer.status).toBe(409);
    return answer.message;
  };
  expect(await said('customer', await open('customer', customer.id))).toMatch(
    /^Kaveri Electricals cannot be retired: .+ is open with ₹236\.00$/,
  );
  expect(await said('item', await open('item', item.id))).toContain('8 NOS are in stock at');
  expect(await said('location', await open('location', here.location))).toContain('8 NOS of Ceiling fan');
  expect(await said('registration', await open('registration', here.registration))).toContain('belongs to it');
  const ledger = (await server.database.owner.query(`select id from ledgers where code = '1121' limit 1`)).rows[0].id;
  const bank = await save('bank', {
    code: 'HDFC',
    bankName: 'HDFC',
    accountNumber: '501',
    ifsc: 'HDFC0000001',
    ledger,
    isDefault: true,
  });
  expect(await said('bank', bank)).toContain('it is the default bank account');
  const plain = (await change('bank', bank, { isDefault: false })).details as Kept;
  expect(await said('ledger', await open('ledger', ledger))).toMatch(/is posted to it|is kept in it/);
  await post({
    kind: 'openingBalance',
    ...here,
    lines: [
      { ledger, debit: '500.00' },
      { ledger: (await find('ledger', '3110')).id, credit: '500.00' },
    ],
  });
  expect(await said('bank', plain)).toContain('its balance is ₹500.00 Dr');
  expect(await said('unit', await find('unit', 'nos'))).toContain('is counted in it');
  const light = await save('category', { code: 'LIGHT', name: 'Lighting' });
  await save('item', { ...fan, sku: 'LAMP', name: 'Lamp', category: light.id });
  expect(await said('category', light)).toContain('the item Lamp belongs to it');

  const order = await save('customer', { name: 'Order OrganisationSnapshot', category: 'unregistered', state: '29' });
  await post({ kind: 'saleOrder', ...here, party: order.id, lines: [{ item: item.id, quantity: '1', rate: '100' }] });
  expect(await said('customer', order)).toContain('is not fulfilled yet');
  const free = await save('customer', { name: 'Never Bought', category: 'unregistered', state: '29' });
  expect((await retire('customer', free)).status).toBe(200);
});

test('batches and serial numbers are for organisations that have switched them on', async () => {
  const values = { ...fan, sku: 'LOT-1', name: 'Paint', batched: true, serialised: true };
  expect(wrong(await owner.call('SaveMaster', { master: 'item', values }))).toEqual([
    'batched: Batches are switched off in the configuration',
    'serialised: Serial numbers are switched off in the configuration',
  ]);
  const nova = await server.signIn('owner@nova.demo');
  const saved = (await nova.ask('SaveMaster', { master: 'item', values })) as Kept;
  expect(saved.values).toMatchObject({ batched: true, serialised: true });
});

// the last of this file: one of the two is retired, and it may be the owner
test('two who retire each other at once leave one administrator', async () => {
  const roles = (await owner.ask('ListMasters', { master: 'role' })) as { rows: Kept[] };
  const full = roles.rows.find((r) => r.values.name === 'Owner')?.id;
  const users = (await owner.ask('ListMasters', { master: 'user' })) as { rows: Kept[] };
  const user = (email: string) => users.rows.find((u) => u.values.email === email) as Kept;
  // a user who has not accepted the invitation cannot be the substitute
  await save('user', { name: 'Invited', email: 'invited@sharma.demo', roles: [full], locations: [] });
  const ravi = user('owner@sharma.demo');
  expect((await retire('user', ravi)).message).toBe(
    'The last user with full rights on everything must stay: give another user these rights first',
  );
  const meena = await save(
    'user',
    { ...user('accountant@sharma.demo').values, roles: [full] },
    user('accountant@sharma.demo'),
  );
  const second = await server.signIn('accountant@sharma.demo');
  const leave = (by: Visitor, who: Kept) =>
    by.call('RetireMaster', { master: 'user', id: who.id, version: who.version, active: false });
  const both = await Promise.all([leave(owner, meena), leave(second, ravi)]);
  expect(both.map((b) => b.status).sort()).not.toEqual([200, 200]);
  const left = await server.database.owner.query(
    `
      select count(*)::int as n
      from users u
      join user_roles r on r.organisation = u.organisation and r."user" = u.id
      where u.active and u.accepted_at is not null and r.role = $1
    `,
    [full],
  );
  expect(left.rows[0].n).toBeGreaterThanOrEqual(1);
});
