import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Master, type MasterName, masterNames, masters } from '../../contract/masters.ts';
import { type ScreenName, screenNames, screens } from '../../contract/screens.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
/** Has every right, and works at Bengaluru only. */
let clerk: Visitor;
let here: { readonly registration: string; readonly location: string };
let there: { readonly registration: string; readonly location: string };

interface Kept {
  readonly id: string;
  readonly version: number;
  readonly values: Readonly<Record<string, unknown>>;
}
type Values = Readonly<Record<string, unknown>>;
const list = async (master: string) =>
  ((await owner.ask('ListMasters', { master, limit: 200 })) as { rows: readonly Kept[] }).rows;
const save = (by: Visitor, master: string, values: Values, known?: Pick<Kept, 'id' | 'version'>) =>
  by.call('SaveMaster', { master, values, ...(known && { id: known.id, version: known.version }) });
const saved = async (master: string, values: Values, known?: Pick<Kept, 'id' | 'version'>): Promise<Kept> => {
  const { status, details } = await save(owner, master, values, known);
  expect([master, status, details]).toEqual([master, 200, expect.anything()]);
  return details as Kept;
};

beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
  const own = server.organisations[0];
  const at = (state: string, code: string) => ({
    registration: own?.registrations[state] ?? '',
    location: own?.locations[code] ?? '',
  });
  [here, there] = [at('KA', 'BLR'), at('MH', 'PUN')];
  const parents = [...new Set(screenNames.map((name) => screens[name].parent))] as readonly ScreenName[];
  const levels = Object.fromEntries(
    parents.filter((name) => screens[name].parent === name).map((name) => [name, 5003]),
  );
  const { id } = await saved('role', { name: 'All of it', levels });
  const user = (await list('user')).find(({ values }) => values['email'] === 'approver@sharma.demo') as Kept;
  await saved('user', { ...user.values, roles: [id], locations: [here.location] }, user);
  clerk = await server.signIn('approver@sharma.demo');
});
afterAll(() => server.stop());

type Place = typeof here;
/** A record of each master that stands at a place; and one that is there already, where a place itself is meant. */
const records: Readonly<Partial<Record<MasterName, (at: Place, n: number) => Values>>> = {
  numberSeries: ({ registration, location }, n) => ({
    ...{ name: `Quotations ${n}`, kind: 'quotation', registration, location, prefix: `Q${n}/{FY}/` },
    ...{ padding: 4, start: 1, reset: 'year' },
  }),
  warehouse: ({ location }, n) => ({ code: `W${n}`, name: `Room ${n}`, location, type: 'own' }),
  priceList: ({ location }, n) => ({
    ...{ code: `L${n}`, name: `List ${n}`, side: 'sale', appliesTo: 'locations', locations: [location], priority: n },
    prices: [{ discount: '10' }],
  }),
  till: ({ location }, n) => ({ code: `T${n}`, name: `Till ${n}`, location, prices: 'saleRate', printWidth: '80' }),
};
const placesOf = ({ fields, isPlace, gives }: Master): boolean =>
  gives !== 'rights' &&
  (isPlace !== undefined || Object.values(fields).some(({ pick }) => pick === 'location' || pick === 'registration'));

test('every master that stands at a place is asked here', () => {
  const known = [...Object.keys(records), 'location', 'registration'];
  expect(masterNames.filter((name) => placesOf(masters[name] as Master)).toSorted()).toEqual(known.toSorted());
});

test.each(Object.keys(records) as MasterName[])('nobody writes a %s of another place', async (master) => {
  const values = records[master] as (at: Place, n: number) => Values;
  const hidden = await saved(master, values(there, 1));
  expect(await save(clerk, master, values(there, 2))).toMatchObject({ status: 422 });
  expect(await save(clerk, master, hidden.values, hidden)).toMatchObject({ status: 403 });
  // nor is it taken for one's own
  expect(await save(clerk, master, { ...hidden.values, ...values(here, 3) }, hidden)).toMatchObject({ status: 403 });
  const { id, version } = hidden;
  expect(await clerk.call('RetireMaster', { master, id, version })).toMatchObject({ status: 403 });
  const own = await save(clerk, master, values(here, 4));
  expect([own.status, own.message]).toEqual([200, expect.anything()]);
  const mine = own.details as unknown as Kept;
  expect(await save(clerk, master, { ...mine.values, ...values(there, 5) }, mine)).toMatchObject({ status: 422 });
  expect(await clerk.call('RetireMaster', { master, id: mine.id, version: mine.version })).toMatchObject({
    status: 200,
  });
  expect((await list(master)).find((row) => row.id === id)).toMatchObject({ version });
});

test('a series of a whole registration is for those who may use each of its locations', async () => {
  const { location: _, ...values } = records.numberSeries?.(here, 6) ?? {};
  // Bengaluru has a second location
  expect(await save(clerk, 'numberSeries', values)).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'registration' }] },
  });
});

test('nobody writes a place that is not theirs', async () => {
  for (const [master, id] of [
    ['location', there.location],
    ['registration', there.registration],
    ['registration', here.registration],
  ] as const) {
    const known = (await list(master)).find((row) => row.id === id) as Kept;
    expect(await save(clerk, master, known.values, known)).toMatchObject({ status: 403 });
    const { version } = known;
    expect(await clerk.call('RetireMaster', { master, id, version })).toMatchObject({ status: 403 });
  }
  const own = (await list('location')).find((row) => row.id === here.location) as Kept;
  const moved = await save(clerk, 'location', { ...own.values, registration: there.registration }, own);
  expect(moved).toMatchObject({ status: 422 });
  expect(await save(clerk, 'location', { ...own.values, code: 'NEW', name: 'New' })).toMatchObject({ status: 403 });
  expect((await save(clerk, 'location', { ...own.values, name: 'Head office' }, own)).status).toBe(200);
});

test('levels of an item at other locations stay as they are', async () => {
  const level = (location: string, at: string) => ({ location, level: at });
  const item = await saved('item', {
    ...{ sku: 'LAMP', name: 'Lamp', type: 'stock', unit: 'NOS', hsn: '94054090', treatment: 'taxable', gstRate: '18' },
    reorderLevels: [level(there.location, '5'), level(here.location, '2')],
  });
  const wrong = { ...item.values, reorderLevels: [level(here.location, '3')] };
  expect(await save(clerk, 'item', wrong, item)).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'reorderLevels' }] },
  });
  const right = { ...item.values, reorderLevels: [level(here.location, '3'), level(there.location, '5')] };
  expect((await save(clerk, 'item', right, item)).status).toBe(200);
});

test('the edit log is for those who may see the whole organisation', async () => {
  expect(await clerk.call('ExportEditLog', { after: 0, limit: 10 })).toMatchObject({ status: 403 });
  expect(await clerk.call('GetEditLogEnd', {})).toMatchObject({ status: 403 });
  expect((await owner.call('ExportEditLog', { after: 0, limit: 10 })).status).toBe(200);
});

test('settings of the organisation and roles are for people without limits of place', async () => {
  const refused = { status: 403, details: { code: 'noAccess' } };
  const role = (await list('role')).find(({ values }) => values['name'] === 'Viewer') as Kept;
  const { users: _, ...values } = role.values;
  expect(await save(clerk, 'role', values, role)).toMatchObject(refused);
  expect(await save(clerk, 'role', { name: 'Mine', levels: {} })).toMatchObject(refused);
  const { id, version } = role;
  expect(await clerk.call('RetireMaster', { master: 'role', id, version })).toMatchObject(refused);
  expect(await clerk.call('SaveGeneralConfigDetails', { values: { isAllowNegative: false } } as never)).toMatchObject(
    refused,
  );
  expect((await owner.call('SaveGeneralConfigDetails', { values: { autoRoundOffTotals: true } } as never)).status).toBe(
    200,
  );
});

test('rates, gateways and keys of a portal are for people of all the places that they hold for', async () => {
  const refused = { status: 403, details: { code: 'noAccess' } };
  const rate = { currency: 'USD', date: '2026-04-01', purpose: 'book', rate: '84.15', source: 'Bank' };
  expect(await clerk.call('SaveExchangeRate', rate as never)).toMatchObject(refused);
  const file = { content: 'Date,Currency,Rate\n01-04-2026,EUR,98.20' };
  expect(await clerk.call('ReadExchangeRates', file as never)).toMatchObject(refused);
  expect(await clerk.call('ImportExchangeRates', file as never)).toMatchObject(refused);
  const kept = (await owner.ask('SaveExchangeRate', rate as never)) as unknown as Kept;
  const { id, version } = kept;
  expect(await clerk.call('DeleteExchangeRate', { id, version } as never)).toMatchObject(refused);
  expect(await clerk.call('TestPaymentGateway', {})).toMatchObject(refused);
  const keys = (registration: string) => ({
    registration,
    clientId: 'c',
    userName: 'u',
    clientSecret: 's',
    password: 'p',
  });
  // Karnataka has a location that is not theirs
  for (const registration of [there.registration, here.registration]) {
    expect(await clerk.call('AddUpdateEInvoiceCredentials', keys(registration) as never)).toMatchObject(refused);
    expect(await clerk.call('TestEInvoiceCredentials', { registration } as never)).toMatchObject(refused);
  }
  expect((await owner.call('AddUpdateEInvoiceCredentials', keys(there.registration) as never)).status).toBe(200);
});

const userOf = async (email: string) => (await list('user')).find(({ values }) => values['email'] === email) as Kept;
/** What a person may do to a user, with the answers. */
const tries = async (by: Visitor, known: Kept, change: Values) => {
  const { id, version } = known;
  return {
    save: (await save(by, 'user', { ...known.values, ...change }, known)).status,
    retire: (await by.call('RetireMaster', { master: 'user', id, version })).status,
    group: (await save(by, 'group', { name: `With ${id.slice(-12)}`, roles: [], users: [id], locations: [] })).status,
    placed: (
      await save(by, 'group', { name: `At ${id.slice(-12)}`, roles: [], users: [id], locations: [here.location] })
    ).status,
    link: (await by.call('MakeSignInLink', { user: id })).status,
    mail: (await by.call('MailSignInLink', { user: id })).status,
    factor: (await by.call('ResetSecondFactor', { user: id })).status,
  };
};
const nothing = { save: 403, retire: 403, group: 403, placed: 403, link: 403, mail: 403, factor: 403 };

test.each([
  ['everywhere', 'never changed', (): readonly string[] => []],
  ['everywhere', 'changed', (): readonly string[] => []],
  ['another place', 'never changed', () => [there.location]],
  ['another place', 'changed', () => [there.location]],
  ['one of theirs and another place', 'changed', () => [here.location, there.location]],
])('nobody limited to places touches a user of %s, %s', async (where, how, locations) => {
  const values = { name: where, email: `${where}-${how}@sharma.demo`.replaceAll(' ', '-'), roles: [] };
  const made = await saved('user', { ...values, locations: locations() });
  const known = how === 'changed' ? await saved('user', { ...made.values, name: `${where} again` }, made) : made;
  expect(known.version).toBe(how === 'changed' ? 2 : 1);
  for (const change of [{ name: 'Mine' }, { locations: [here.location] }, { locations: [there.location] }])
    expect([change, await tries(clerk, known, change)]).toEqual([change, nothing]);
  expect(await userOf(values.email)).toMatchObject({ version: known.version, values: { locations: locations() } });
});

test('nobody limited to places takes a group that has others as members, or that works elsewhere', async () => {
  const [far, near] = [
    await saved('user', { name: 'Far', email: 'far@sharma.demo', roles: [], locations: [there.location] }),
    await saved('user', { name: 'Near', email: 'near@sharma.demo', roles: [], locations: [here.location] }),
  ];
  const group = (values: Values) => ({ name: '', roles: [], users: [], locations: [], ...values });
  const mixed = await saved('group', group({ name: 'Mixed', users: [far.id, near.id] }));
  const abroad = await saved('group', group({ name: 'Abroad', locations: [there.location] }));
  for (const known of [mixed, abroad]) {
    const { id, version } = known;
    expect((await save(clerk, 'group', group({ name: 'Mine', users: [near.id] }), known)).status).toBe(403);
    expect((await clerk.call('RetireMaster', { master: 'group', id, version })).status).toBe(403);
  }
  expect((await save(clerk, 'group', group({ name: 'New', locations: [there.location] }))).status).toBe(403);
  const own = await save(clerk, 'group', group({ name: 'Own', users: [near.id], locations: [here.location] }));
  expect([own.status, own.message]).toEqual([200, expect.anything()]);
  const kept = own.details as unknown as Kept;
  expect((await save(clerk, 'group', group({ name: 'Own', users: [far.id, near.id] }), kept)).status).toBe(403);
  expect((await clerk.call('RetireMaster', { master: 'group', id: kept.id, version: kept.version })).status).toBe(200);
});

test('people limited to places keep the users of their places', async () => {
  const values = { name: 'Hand', email: 'hand@sharma.demo', roles: [] };
  expect((await save(clerk, 'user', { ...values, locations: [] })).status).toBe(403);
  expect((await save(clerk, 'user', { ...values, locations: [here.location, there.location] })).status).toBe(403);
  const made = await save(clerk, 'user', { ...values, locations: [here.location] });
  expect([made.status, made.message]).toEqual([200, expect.anything()]);
  const hand = made.details as unknown as Kept;
  for (const locations of [[], [there.location]])
    expect((await save(clerk, 'user', { ...hand.values, locations }, hand)).status).toBe(403);
  expect((await save(clerk, 'user', { ...hand.values, name: 'Hand of ours' }, hand)).status).toBe(200);
  expect((await clerk.call('MakeSignInLink', { user: hand.id })).status).toBe(200);
  expect((await clerk.call('RetireMaster', { master: 'user', id: hand.id, version: 2 })).status).toBe(200);
  expect((await clerk.call('RetireMaster', { master: 'user', id: hand.id, version: 3, active: true })).status).toBe(
    200,
  );
});
