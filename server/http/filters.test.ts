import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallName, calls } from '../../contract/calls.ts';
import type { Shop } from '../../e2e/kit/shop.ts';
import { type Samples, type SampleWorld, samplesOf, sampleWorld } from '../../tools/testing/samples.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { rules } from '../access/rules.ts';

let server: TestServer;
let shop: Shop;
let world: SampleWorld;
let samples: Samples;
let today: string;
let viewer: Visitor;
beforeAll(async () => {
  server = await testServer();
  world = await sampleWorld(server);
  shop = world.shop;
  samples = samplesOf(world);
  today = ((await shop.owner.ask('GetSession', {})) as { today: string }).today;
  viewer = await server.signIn('viewer@sharma.demo');
  const own = server.organisations[0];
  const pune = { registration: own?.registrations['MH'] ?? '', location: own?.locations['PUN'] ?? '' };
  await shop.post({ kind: 'openingStock', ...pune, lines: [{ item: shop.item, quantity: '10', rate: '60' }] });
  await shop.post({ kind: 'cashSale', ...pune, lines: [{ item: shop.item, quantity: '1', rate: '95' }] });
});
afterAll(() => server.stop());

interface Kept {
  readonly id: string;
  readonly version: number;
  readonly values: Readonly<Record<string, unknown>>;
}
const problem = (field: string) => ({ status: 422, details: { problems: [{ field }] } });
const read = (call: CallName, input: object, by = shop.owner) => by.call(call, input as never);

test('the physical location filters lists and both dashboards, by code and by id; an unknown one is a problem', async () => {
  const period = { StartDate: '2020-01-01', EndDate: today };
  const id = server.organisations[0]?.locations['PUN'] ?? '';
  for (const [call, input, field] of [
    ['GetTransationsList', { Type: 'cashSale' }, 'SubOrgCode'],
    ['GetOrdersDashboardData', period, 'SubOrgCode'],
    ['GetInventoryDashboradData', period, 'OrgBranchCode'],
  ] as const) {
    const at = async (place: string) => JSON.stringify((await read(call, { ...input, [field]: place })).details);
    const [all, pune, bengaluru] = [await at('All'), await at('PUN'), await at('BLR')];
    expect([call, new Set([all, pune, bengaluru]).size]).toEqual([call, 3]);
    expect(await at(id)).toBe(pune);
    expect(await read(call, { ...input, [field]: 'NOPE' })).toMatchObject(problem(field));
  }
});

test('the tax location filters by registration', async () => {
  // drafts without a location are listed at each
  const rows = async (more: object) =>
    (
      (await read('GetTransationsList', { Type: 'cashSale', ...more })).details as { rows: { draft: boolean }[] }
    ).rows.filter(({ draft }) => !draft).length;
  const all = await rows({});
  const pune = await rows({ TaxLocation: 'PUN' });
  expect(pune).toBe(1);
  expect(await rows({ TaxLocation: 'All' })).toBe(all);
  expect(await rows({ TaxLocation: 'BLR' })).toBe(all - pune);
  expect(await rows({ TaxLocation: 'BLR', SubOrgCode: 'PUN' })).toBe(0);
  expect(await read('GetTransationsList', { Type: 'cashSale', TaxLocation: 'X' })).toMatchObject(
    problem('TaxLocation'),
  );
});

/** The input with something in each of its objects that nobody knows, one at a time; free texts by key are no objects of a shape. */
function strangers(input: unknown, path: readonly string[] = []): readonly [field: string, input: unknown][] {
  if (Array.isArray(input))
    return input.flatMap((one, at) =>
      strangers(one, path).map(([field, changed]): [string, unknown] => [field, input.with(at, changed)]),
    );
  if (
    typeof input !== 'object' ||
    input === null ||
    ['additional', 'filters', 'count', 'query'].includes(path.at(-1) ?? '')
  )
    return [];
  const field = [...path.filter((name) => !['document', 'draft', 'values', 'body'].includes(name)), 'Nonsense'].join(
    '.',
  );
  return [
    [field, { ...input, Nonsense: 'x' }],
    ...Object.entries(input).flatMap(([key, one]) =>
      strangers(one, [...path, key]).map(([inner, changed]): [string, unknown] => [
        inner,
        { ...input, [key]: changed },
      ]),
    ),
  ];
}

test('a parameter that a call does not know is a problem at that parameter, at any depth, for every call', async () => {
  const wrong: string[] = [];
  let asked = 0;
  for (const name of (Object.keys(calls) as CallName[]).filter((name) => rules[name].operator !== true)) {
    const line = { item: shop.item, quantity: '1', rate: '95', discount: { percent: '1' } };
    const deeper: Partial<Record<CallName, object>> = {
      RunReport: samples.RunReport('trialBalance'),
      ExportReport: samples.ExportReport('trialBalance'),
      PostTransactionCalls: { document: { kind: 'cashSale', date: today, ...shop.place, lines: [line] } },
      AddTransactionDetails: { kind: 'cashSale', body: { kind: 'cashSale', lines: [line] } },
      SaveMaster: { master: 'customer', values: { name: 'A', addresses: [{ line1: 'b' }] } },
    };
    const sample = deeper[name] ?? (samples[name]('saleInvoice') as object);
    for (const [field, input] of strangers(sample)) {
      asked += 1;
      const { status, details } = await read(name, input as object);
      const { problems = [] } = details as { problems?: { field: string }[] };
      if (status !== 422 || !problems.some((one) => one.field.endsWith(field)))
        wrong.push(`${name} ${field} ${status} ${JSON.stringify(problems)}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(asked).toBeGreaterThan(300);
}, 240_000);

test('a filter that a report does not have is a problem', async () => {
  const filters = { from: '2026-04-01', to: '2027-03-31', colour: 'red' };
  expect(await read('RunReport', { report: 'trialBalance', filters })).toMatchObject(problem('colour'));
});

test('UserName chooses another user for who may see users, and is a problem or refused otherwise', async () => {
  const of = async (UserName: string) => (await read('GetScreenListByUser', { UserName })).details as unknown[];
  expect((await of('none@sharma.demo')).length).toBe(0);
  expect(
    new Set((await of('viewer@sharma.demo')).map((row) => (row as { accessTypeId: number }).accessTypeId)),
  ).toEqual(new Set([5000]));
  const none = await server.signIn('none@sharma.demo');
  for (const call of ['GetScreenListByUser', 'GetLocationListByUserId'] as const) {
    expect((await read(call, { UserName: 'owner@sharma.demo' }, none)).status).toBe(403);
    expect((await read(call, { UserName: 'none@sharma.demo' }, none)).status).toBe(200);
    expect(await read(call, { UserName: 'nobody@nowhere.test' })).toMatchObject(problem('UserName'));
    expect((await read(call, { UserName: 'owner@sharma.demo' }, viewer)).status).toBe(200);
  }
  // the places of the user who was named, not of who asks
  const users = (await read('ListMasters', { master: 'user' })).details as { rows: Kept[] };
  const limited = users.rows.find(({ values }) => values['email'] === 'approver@sharma.demo') as Kept;
  const pune = server.organisations[0]?.locations['PUN'] ?? '';
  await shop.owner.ask('SaveMaster', {
    ...{ master: 'user', id: limited.id, version: limited.version },
    values: { ...limited.values, locations: [pune] },
  });
  const placesOf = async (UserName: string) =>
    ((await read('GetLocationListByUserId', { UserName })).details as { code: string }[]).map(({ code }) => code);
  expect(await placesOf('approver@sharma.demo')).toEqual(['PUN']);
  expect(await placesOf('owner@sharma.demo')).toEqual(expect.arrayContaining(['BLR', 'PUN']));
  expect(await read('GetOrgDetails', { UserName: 'viewer@sharma.demo' })).toMatchObject(problem('UserName'));
  const saved = { createdBy: 'viewer@sharma.demo', trackInventory: true };
  expect(await read('SaveGeneralConfigDetails', saved)).toMatchObject(problem('createdBy'));
  expect(await read('SaveGeneralConfigDetails', { ...saved, createdBy: 'owner@sharma.demo' })).toMatchObject({
    status: 200,
  });
});

test('rows are asked for one by one, drafts among them', async () => {
  for (const narration of ['one', 'two'])
    await shop.owner.ask('AddTransactionDetails', { kind: 'cashSale', body: { kind: 'cashSale', narration } });
  const rows = async (start: number, end: number) =>
    ((await read('GetTransationsList', { Type: 'cashSale', start, end })).details as { rows: { id: string }[] }).rows;
  const all = (await rows(1, 100)).map(({ id }) => id);
  expect(await rows(1, 1)).toHaveLength(1);
  const singly = [];
  for (let at = 1; at <= all.length; at += 1) singly.push(...(await rows(at, at)).map(({ id }) => id));
  expect(singly).toEqual(all);
  // the cursor goes on where a page that drafts have filled ends
  const paged: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const input = { Type: 'cashSale', pagesize: 1, ...(after && { after }) };
    const page = (await read('GetTransationsList', input)).details as { rows: { id: string }[]; after: string | null };
    paged.push(...page.rows.map(({ id }) => id));
    after = page.after;
  }
  expect(paged.filter((id) => all.includes(id)).length).toBeGreaterThanOrEqual(all.length - 1);
  expect(await read('GetTransationsList', { Type: 'cashSale', start: 5, end: 2 })).toMatchObject(problem('end'));
  expect((await read('GetTransationsList', { Type: 'cashSale', start: 0 })).status).toBe(422);
});

test('pickers begin at a row and go on to 5,000; parties from abroad are distinguished', async () => {
  for (const call of ['GetPartyListForTransactions', 'GetItemListForTransactionsWithPagination'] as const) {
    const rows = async (more: object) => ((await read(call, more)).details as { rows: { id: string }[] }).rows;
    const all = await rows({});
    expect(await rows({ LStart: 1 })).toEqual(all.slice(1));
    expect(await rows({ LEnd: 1 })).toEqual(all.slice(0, 1));
    expect((await read(call, { LEnd: 5001 })).status).toBe(422);
  }
  const abroad = {
    name: 'Overseas Ltd',
    category: 'overseas',
    state: '96',
    country: 'US',
    currency: 'USD',
    addresses: [],
  };
  await shop.owner.ask('SaveMaster', { master: 'customer', values: abroad });
  const names = async (isOverSeas: string) =>
    ((await read('GetPartyListForTransactions', { isOverSeas })).details as { rows: { name: string }[] }).rows.map(
      ({ name }) => name,
    );
  expect(await names('true')).toContain('Overseas Ltd');
  expect(await names('false')).not.toContain('Overseas Ltd');
});

test('parties without registration are distinguished from all others', async () => {
  const names = async (isAnonymousUser: string) =>
    ((await read('GetPartyListForTransactions', { isAnonymousUser })).details as { rows: { name: string }[] }).rows.map(
      ({ name }) => name,
    );
  const walkIn = { name: 'Walk-in Joseph', category: 'unregistered', state: '29', country: 'IN', currency: 'INR' };
  await shop.owner.ask('SaveMaster', { master: 'customer', values: walkIn });
  const [without, registered] = [await names('true'), await names('false')];
  expect(without).toContain('Walk-in Joseph');
  expect(without).not.toContain('Asha Traders');
  expect(registered).toContain('Asha Traders');
  expect(registered).not.toContain('Walk-in Joseph');
});

test('pickers of parties and items hold more than 50; items with a barcode are asked for by row', async () => {
  const { owner } = server.database;
  const organisation = server.organisations[0]?.organisation;
  await owner.query(
    `insert into parties (organisation, id, code, name, search, side, category, state, country)
     select organisation, gen_random_uuid(), 'MANY-' || n, 'Many ' || lpad(n::text, 3, '0'), 'many', side, category, state, country
       from parties, generate_series(1, 120) n where organisation = $1 and id = $2`,
    [organisation, shop.customer],
  );
  await owner.query(
    `insert into items (organisation, id, sku, name, search, service, stocked, hsn, unit, treatment, gst_rate, barcode)
     select organisation, gen_random_uuid(), 'MANY-' || n, 'Many ' || lpad(n::text, 3, '0'), 'many', service, stocked, hsn, unit,
            treatment, gst_rate, 'MANY' || lpad(n::text, 3, '0')
       from items, generate_series(1, 120) n where organisation = $1 and id = $2`,
    [organisation, shop.item],
  );
  const many = Array.from({ length: 120 }, (_, n) => `Many ${String(n + 1).padStart(3, '0')}`);
  for (const call of ['GetPartyListForTransactions', 'GetItemListForTransactionsWithPagination'] as const) {
    const names = async (more: object) => {
      const { rows, total } = (await read(call, { search: 'many', ...more })).details as {
        rows: { name: string }[];
        total: number;
      };
      return [rows.map(({ name }) => name), total];
    };
    expect([call, ...(await names({}))]).toEqual([call, many, 120]);
    expect([call, ...(await names({ LStart: 60, LEnd: 62 }))]).toEqual([call, many.slice(60, 62), 120]);
  }
  const labels = async (more: object) =>
    (
      (await read('GetItemListForBarcodeWithPagination', { search: 'many', ...more })).details as {
        rows: { name: string }[];
      }
    ).rows.map(({ name }) => name);
  expect(await labels({ LEnd: 3 })).toEqual(many.slice(0, 3));
  expect(await labels({ LStart: 100, LEnd: 200 })).toEqual(many.slice(100));
  expect(await labels({ LStart: 5, LEnd: 7 })).toEqual(many.slice(5, 7));
});

test('terms are named as the specification names them, in the list and one by one', async () => {
  const values = { code: 'DUE', name: 'Due at once', kind: 'saleInvoice', text: 'Payment is due at once.' };
  const { id } = (await shop.owner.ask('SaveMaster', { master: 'terms', values })) as { id: string };
  const named = { id, trnTypeId: 'saleInvoice', termsAndConditions: 'Payment is due at once.' };
  expect((await read('GetTermsAndConditionsList', {})).details).toContainEqual(expect.objectContaining(named));
  expect((await read('GetTermsAndConditionsById', { Id: id })).details).toMatchObject(named);
});

test('a document by id and number agrees; nothing to post is a problem; a period ends after it begins', async () => {
  const one = await shop.post({ kind: 'cashSale', lines: [{ item: shop.item, quantity: '1' }] });
  const two = await shop.post({ kind: 'cashSale', lines: [{ item: shop.item, quantity: '1' }] });
  const both = { TransactionId: one.TransactionId, TransactionNumber: two.TransactionNumber };
  expect((await read('GetTransactionDetailForInvoice', both)).status).toBe(404);
  expect(await read('PostTransactionCalls', {})).toMatchObject(problem('TransactionId'));
  // a draft is posted in the version that was seen
  expect(await read('PostTransactionCalls', { TransactionId: randomUUID() })).toMatchObject(problem('version'));
  const ledger = await shop.ledger('1110');
  const period = (from: string, to: string) => ({ [from]: '2026-05-02', [to]: '2026-05-01' });
  for (const [call, input, to] of [
    ['GetOrdersDashboardData', period('StartDate', 'EndDate'), 'EndDate'],
    ['GetInventoryDashboradData', period('StartDate', 'EndDate'), 'EndDate'],
    ['GetTransationsList', { Type: 'saleInvoice', ...period('FromDate', 'ToDate') }, 'ToDate'],
    ['ListTillSessions', period('FromDate', 'ToDate'), 'ToDate'],
    ['GetGLReport', { ledger, ...period('FromDate', 'ToDate') }, 'ToDate'],
  ] as const)
    expect([call, await read(call, input)]).toMatchObject([
      call,
      {
        status: 422,
        details: { problems: [{ field: to, message: 'End Date should be greater than Start Date' }] },
      },
    ]);
  expect((await read('GetTransationsList', { Type: 'SIQ' })).status).toBe(200);
});

test('answers have the fields of the specification, and a success says what was done', async () => {
  const fields = async (call: CallName, input: object) => Object.keys((await read(call, input)).details as object);
  const first = async (call: CallName, input: object) =>
    Object.keys(((await read(call, input)).details as readonly object[])[0] ?? {});
  const address = { addressLine1: expect.stringMatching(/./), city: 'Bengaluru', state: '29', pinCode: '560025' };
  expect((await read('GetOrgDetails', {})).details).toMatchObject({
    ...{ value: 'SHARMA', requestStatus: null, subscriptionExpireWarning: false },
    addresses: expect.arrayContaining([expect.objectContaining(address)]),
  });
  expect(await fields('GetOrgDetails', {})).toContain('subscriptionTo');
  const places = (await read('GetLocationListByUserId', {})).details as { id: string; code: string; name: string }[];
  const here = places.find(({ code }) => code === 'BLR');
  expect(here).toMatchObject({
    ...{ gstin: '29AAGCS4821F1ZB', text: here?.name, key: here?.id, addresses: [address] },
    DataObj: { addresses: [{ code: 'BLR', addressType: expect.any(Number) }] },
  });
  // the groups and the screens in them
  type Entry = { readonly id: number; readonly parentId: number; readonly icon: string; readonly displayId: number };
  const groups = (await read('GetScreenList', {})).details as (Entry & { readonly submenu: readonly Entry[] })[];
  expect(groups.length).toBeGreaterThan(5);
  groups.forEach(({ id, parentId, icon, displayId, submenu }, at) => {
    expect([parentId, displayId, icon]).toEqual([null, at + 1, expect.stringMatching(/./)]);
    submenu.forEach((entry, place) => {
      expect(entry).toMatchObject({ parentId: id, displayId: place + 1, icon: expect.stringMatching(/./) });
    });
  });
  expect(await fields('GetHelpContent', { screenId: '1' })).toEqual(['screenId', 'content']);
  await shop.owner.ask('SaveGeneralConfigDetails', { isAllowNegative: true });
  const day = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  expect((await read('GetGeneralConfigDetails', {})).details).toMatchObject({
    ...{ createdDate: day, modifiedBy: 'Ravi Sharma', modifiedDate: day, isActive: true },
  });
  expect(await fields('GetGeneralConfigDetails', {})).toContain('createdBy');
  expect(await first('GetLedgerEffects', {})).toEqual(expect.arrayContaining(['ledgerEffect', 'transactionName']));
  expect((await read('GetCurrencies', {})).details).toEqual(
    expect.arrayContaining([{ id: 1, code: 'INR', name: expect.any(String) }]),
  );
  const nova = await server.signIn('owner@nova.demo');
  expect((await read('GetBankDetails', {}, nova)).details).toMatchObject([
    { id: 0, bankName: 'N.A', isDefaultBank: true },
  ]);
  const [inventory] = (await read('GetInventoryDashboradData', { StartDate: '2020-01-01', EndDate: today }))
    .details as { dashboardViewList: object[] }[];
  expect(inventory?.dashboardViewList[0]).toMatchObject({
    channelId: '',
    createdDate: expect.stringMatching(/^\d{4}-/),
    transactionDate: expect.stringMatching(/^\d{4}-/),
    transactionNumber: expect.stringMatching(/./),
  });
  const modules = await read('AddModulesForOrganisation', { RequestedDuration: 3, ModuleIds: [1] });
  expect(modules.message).not.toBe('');
  for (const [call, input, said] of [
    ['GetSession', {}, 'Found'],
    ['SaveMaster', { master: 'category', values: { code: 'LIGHT', name: 'Lighting' } }, 'Saved'],
    ['AddTransactionDetails', { kind: 'cashSale', body: { kind: 'cashSale' } }, 'Saved'],
  ] as const)
    expect([call, (await read(call, input)).message]).toEqual([call, said]);
});

test('the callback opened by itself leads to the sign-in; an answer without its question does not', async () => {
  const open = (query: string) => fetch(`${server.url}/callback${query}`, { redirect: 'manual' });
  const bare = await open('');
  expect([bare.status, bare.headers.get('location')]).toEqual([302, '/api/session/SignIn']);
  expect((await open('?code=x&state=y')).status).toBe(403);
});

test('a stage of a kind that has none, and a cursor that no page has answered, are problems at their field', async () => {
  for (const [field, value] of [
    ['Stage', 'packed'],
    ['after', 'nonsense'],
  ] as const)
    expect(await read('GetTransationsList', { Type: 'cashSale', [field]: value })).toMatchObject({
      status: 422,
      details: { problems: [{ field }] },
    });
});
