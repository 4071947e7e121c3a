import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answered, type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer();
  server.clock.at = Date.parse('2026-11-21T10:00:00+05:30');
  owner = await server.signIn('owner@sharma.demo');
});
afterAll(() => server.stop());

const set = (values: Record<string, unknown>): Promise<Answered> => owner.call('SaveGeneralConfigDetails', { values });
const fields = ({ details }: Answered) => (details as { problems: { field: string }[] }).problems.map((p) => p.field);

test('a setting that documents or stock have built upon can no longer change, and says why', async () => {
  expect((await set({ valuation: 'fifo' })).status).toBe(200);
  const { locations } = (await owner.ask('GetSession', {})) as { locations: { id: string; registration: string }[] };
  const [here] = locations;
  const item = (await owner.ask('SaveMaster', {
    master: 'item',
    values: { name: 'Fan', sku: 'FAN', type: 'stock', unit: 'NOS', hsn: '8414', gstRate: '18', treatment: 'taxable' },
  })) as { id: string };
  const lines = [{ item: item.id, quantity: '7', rate: '60' }];
  const place = { registration: here?.registration ?? '', location: here?.id ?? '' };
  await owner.ask('PostTransactionCalls', { document: { kind: 'openingStock', date: '2026-11-20', ...place, lines } });
  expect(await set({ valuation: 'average' })).toMatchObject({
    status: 409,
    message: 'The valuation of stock cannot be changed any more: stock has moved already',
  });
  expect((await set({ currencyCode: 2 })).message).toContain('documents are posted in it already');
  expect((await set({ valuation: 'fifo', autoRoundOffTotals: false })).status).toBe(200);
  expect(await owner.ask('GetGeneralConfigDetails', {})).toMatchObject({
    autoRoundOffTotals: false,
    fixed: { valuation: 'stock has moved already', currencyCode: expect.any(String) },
  });
});

test('batches, serial numbers and stock rooms stay on while something is kept by them; what needs a module says which', async () => {
  const all = { enableBatch: true, enableSerialization: true, isWarehouse: true };
  expect((await set(all)).status).toBe(200);
  for (const key of Object.keys(all)) expect((await set({ [key]: false })).status).toBe(200);
  expect((await set(all)).status).toBe(200);
  const goods = { type: 'stock', unit: 'NOS', hsn: '3004', gstRate: '12', treatment: 'taxable' };
  const { locations } = (await owner.ask('GetSession', {})) as { locations: { id: string }[] };
  for (const [master, values] of [
    ['item', { ...goods, sku: 'TAB', name: 'Tablets', batched: true }],
    ['item', { ...goods, sku: 'SET', name: 'Set', serialised: true }],
    ['warehouse', { code: 'R1', name: 'Cold room', location: locations[0]?.id }],
  ] as const)
    await owner.ask('SaveMaster', { master, values });
  for (const [key, message] of [
    ['enableBatch', 'Batches cannot be changed any more: the item Tablets is kept in batches'],
    ['enableSerialization', 'Serial numbers cannot be changed any more: the item Set has serial numbers'],
    ['isWarehouse', 'Stock rooms cannot be changed any more: there is the stock room Cold room'],
  ] as const)
    expect(await set({ [key]: false })).toMatchObject({ status: 409, message });
  expect(await owner.ask('GetGeneralConfigDetails', {})).toMatchObject({ locked: {} });
  await server.database.owner.query('delete from subscriptions where organisation = 1');
  const { locked } = (await owner.ask('GetGeneralConfigDetails', {})) as { locked: Record<string, string> };
  expect(locked).toMatchObject({ enableBarCode: 'Barcode', enableShelfLife: 'Serials and batches' });
  expect(locked).not.toHaveProperty('enableBatch');
});

test('shelf life: needs batches, stays on while an item has one, and its days are checked', async () => {
  await server.database.owner.query(
    `
      insert into subscriptions (organisation, id, modules, starts_on, ends_on)
      values (1, gen_random_uuid(), '{parts}', '2026-11-01', '2027-11-21')
    `,
  );
  server.clock.at = (server.clock.at ?? 0) + 5000;
  const item = (more: object) =>
    owner.call('SaveMaster', {
      master: 'item',
      values: {
        type: 'stock',
        unit: 'NOS',
        hsn: '0401',
        gstRate: '5',
        treatment: 'taxable',
        sku: 'MILK',
        name: 'Milk',
        ...more,
      },
    } as never);
  const keeps = { batched: true, hasShelfLife: true, shelfLifeDays: 30, minRemainingShelfLifeDays: 10 };
  const off = await item(keeps);
  expect(off.details).toMatchObject({
    problems: [{ field: 'hasShelfLife', message: 'Shelf life is switched off in the configuration' }],
  });
  expect(fields(await set({ enableBatch: false, enableShelfLife: true }))).toEqual(['enableShelfLife']);
  expect((await set({ enableBatch: true, enableShelfLife: true })).status).toBe(200);
  expect(fields(await item({ ...keeps, batched: false }))).toEqual(['hasShelfLife']);
  expect(fields(await item({ ...keeps, shelfLifeDays: 0 }))).toEqual(['shelfLifeDays', 'minRemainingShelfLifeDays']);
  expect(fields(await item({ ...keeps, minRemainingShelfLifeDays: 30 }))).toEqual(['minRemainingShelfLifeDays']);
  expect((await item(keeps)).status).toBe(200);
  expect(await set({ enableShelfLife: false })).toMatchObject({
    status: 409,
    message: 'Shelf life cannot be changed any more: the item Milk has a shelf life',
  });
});

test('a named charge has the rate and code of a line, an adjustment after tax has neither; the rest of the switches come and go', async () => {
  const { rows } = (await owner.ask('Pick', { master: 'ledger', search: '4140' })) as { rows: { id: string }[] };
  const named = (more: object) =>
    owner.call('SaveMaster', {
      master: 'adjustment',
      values: { code: 'FR', name: 'Freight', sort: 'charge', usedOn: 'sale', ledger: rows[0]?.id, ...more },
    } as never);
  expect(fields(await named({ gstRate: '18' }))).toEqual(['hsn']);
  expect(fields(await named({ hsn: '9965' }))).toEqual(['gstRate']);
  expect(fields(await named({ sort: 'add', gstRate: '18', hsn: '9965' }))).toEqual(['gstRate', 'hsn']);
  expect(fields(await named({ amount: '0' }))).toEqual(['amount']);
  expect((await named({ gstRate: '18', hsn: '9965', amount: '250' })).status).toBe(200);
  expect((await named({ code: 'DEP', name: 'Crate deposit', sort: 'add' })).status).toBe(200);
  const asked = {
    parties: [],
    items: [],
    ledgers: [],
    documents: [],
    date: '2026-11-20',
    kind: 'saleInvoice',
  } as const;
  const offered = async () =>
    ((await owner.ask('GetEditorFacts', asked as never)) as { named?: { code: string }[] }).named?.map(
      ({ code }) => code,
    );
  expect(await offered()).toEqual(['FR']);
  for (const values of [{ otherAdjustments: true }, { tdsadjustments: false }, { isMultiItemsInvoice: false }])
    expect((await set(values)).status).toBe(200);
  server.clock.at = (server.clock.at ?? 0) + 5000;
  expect(await offered()).toEqual(['DEP', 'FR']);
  expect((await set({ tdsadjustments: true, isMultiItemsInvoice: true })).status).toBe(200);
  // the channels module was not subscribed to any more
  expect(await set({ ecommerce: true })).toMatchObject({ status: 409 });
});

test('books are locked up to a day that has come, and opened again only with a reason that is kept', async () => {
  const lock = (through: string | null, reason = '') => owner.call('SaveLock', { through, reason });
  expect(fields(await lock('2026-11-22'))).toEqual(['through']);
  expect((await lock('2026-03-31')).status).toBe(200);
  expect(fields(await lock(null))).toEqual(['reason']);
  expect(fields(await lock('2025-03-31'))).toEqual(['reason']);
  expect((await lock('2026-06-30')).status).toBe(200);
  expect((await lock(null, 'A bill of March was found')).status).toBe(200);
  expect(await owner.ask('GetLocks', {})).toMatchObject({ lockedThrough: null });
  const { rows } = await server.database.owner.query(
    `select after ->> 'reason' as reason from edit_log where relation = 'locks' order by id desc limit 1`,
  );
  expect(rows).toEqual([{ reason: 'A bill of March was found' }]);
});

test("the theme of the organisation is everybody's who has chosen none, and is set by who may do everything there", async () => {
  const theme = { mode: 'dark', colour: '#0f766e', font: 'Roboto' };
  const preferences = async (by: Visitor) => ((await by.ask('GetSession', {})) as { preferences: object }).preferences;
  // the same user with less on that screen
  await server.database.owner.query('update role_grants set level = 5001 where screen = 118 and level = 5003');
  server.clock.at = (server.clock.at ?? 0) + 5000;
  const less = await server.signIn('owner@sharma.demo');
  expect((await less.call('SaveGeneralConfigDetails', { values: { theme } })).status).toBe(403);
  expect((await less.call('SaveGeneralConfigDetails', { values: { autoRoundOffTotals: true } })).status).toBe(200);
  await server.database.owner.query('update role_grants set level = 5003 where screen = 118 and level = 5001');
  const more = await server.signIn('owner@sharma.demo');
  server.clock.at += 5000;
  expect((await more.call('SaveGeneralConfigDetails', { values: { theme } })).status).toBe(200);
  const other = await server.signIn('viewer@sharma.demo');
  expect(await preferences(other)).toEqual(theme);
  const own = { mode: 'light', colour: '#b91c1c', font: 'Poppins' } as const;
  await other.ask('SavePreferences', own);
  expect(await preferences(other)).toEqual(own);
});

test('the default terms of a kind are proposed for its new documents; there is only one default', async () => {
  const terms = (code: string, more: object = {}) =>
    owner.call('SaveMaster', {
      master: 'terms',
      values: { code, name: code, kind: 'saleInvoice', text: `Pay ${code}`, isDefault: true, ...more },
    } as never);
  const usual = async (kind: string) =>
    (
      (await owner.ask('GetEditorFacts', {
        parties: [],
        items: [],
        ledgers: [],
        date: '2026-11-20',
        kind,
      } as never)) as {
        terms?: string;
      }
    ).terms;
  expect(await usual('saleInvoice')).toBeUndefined();
  expect((await terms('NET30')).status).toBe(200);
  expect((await terms('NET60', { isDefault: false })).status).toBe(200);
  expect((await terms('QUOTE', { kind: 'quotation' })).status).toBe(200);
  expect(fields(await terms('NET90'))).toEqual(['kind']);
  expect(await usual('saleInvoice')).toBe('Pay NET30');
  expect(await usual('quotation')).toBe('Pay QUOTE');
  expect(await usual('purchaseBill')).toBeUndefined();
});
