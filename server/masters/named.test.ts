import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type Answered, type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

type Kept = { id: string; version: number; active: boolean; values: Record<string, unknown> };

let server: TestServer;
let owner: Visitor;
let shop: Shop;
let here: { registration: string; location: string };
beforeAll(async () => {
  server = await testServer();
  server.clock.at = Date.parse('2026-11-21T10:00:00+05:30');
  shop = await openShop(server);
  owner = shop.owner;
  const [place] = ((await owner.ask('GetSession', {})) as { locations: { id: string; registration: string }[] })
    .locations;
  here = { registration: place?.registration ?? '', location: place?.id ?? '' };
});
afterAll(() => server.stop());

const problems = ({ details }: Answered) => (details as { problems: { field: string }[] }).problems.map((p) => p.field);
const address = { line1: '88 Residency Road', city: 'Mysuru', pincode: '570001' };

test('locations are added, changed and found by their code', async () => {
  const values = { code: 'YARD', name: 'Yard', registration: here.registration, isPhysical: true, ...address };
  const made = (await owner.ask('AddLocation', { values })) as Kept;
  await owner.ask('EditLocation', { id: made.id, version: made.version, values: { ...values, name: 'Timber yard' } });
  expect(await owner.ask('GetBranchDetails', { code: 'yard' })).toMatchObject({
    id: made.id,
    values: { name: 'Timber yard', city: 'Mysuru' },
  });
  const late = await owner.call('EditLocation', { id: made.id, version: made.version, values });
  expect(late).toMatchObject({ status: 409, details: { code: 'stale' } });
  expect(problems(await owner.call('AddLocation', { values: { ...values, code: 'YARD' } }))).toEqual(['code']);
  expect((await owner.call('GetBranchDetails', { code: 'NONE' })).status).toBe(404);
});

test('users are added, listed by role, changed and deactivated', async () => {
  const roles = (await owner.ask('GetRolesbyOrgId', {})) as Kept[];
  const viewer = roles.find((r) => r.values.name === 'Viewer') as Kept;
  await owner.ask('SaveMaster', { master: 'role', values: { name: 'Shop clerk', typeName: 'Shop', levels: {} } });
  const shop = (await owner.ask('GetRolesbyOrgId', { Typename: 'shop' })) as Kept[];
  expect(shop.map((r) => r.values.name)).toEqual(['Shop clerk']);
  const values = { name: 'Kiran', email: 'kiran@sharma.demo', roles: [viewer.id], locations: [] };
  const made = (await owner.ask('AddNewUser', { values })) as Kept;
  const withRole = async () =>
    ((await owner.ask('GetUsersFromRoleId', { RoleId: viewer.id })) as Kept[]).map((u) => u.values.email).sort();
  expect(await withRole()).toEqual(['kiran@sharma.demo', 'viewer@sharma.demo']);
  const changed = (await owner.ask('UpdateUser', {
    id: made.id,
    version: made.version,
    values: { ...values, roles: [] },
  })) as Kept;
  expect(await withRole()).toEqual(['viewer@sharma.demo']);
  await owner.ask('DeleteUser', { Id: made.id, version: changed.version });
  expect(((await owner.ask('GetUserDetails', { Id: made.id })) as Kept).active).toBe(false);
  const emails = ((await owner.ask('GetUserList', {})) as Kept[]).map((u) => u.values.email);
  expect(emails).not.toContain('kiran@sharma.demo');
  expect(emails).toContain('owner@sharma.demo');
  // without a grant there are only the own rows
  const none = await server.signIn('none@sharma.demo');
  expect(((await none.ask('GetUserList', {})) as Kept[]).map((u) => u.values.email)).toEqual(['none@sharma.demo']);
  expect((await none.call('GetUsersFromRoleId', { RoleId: viewer.id })).status).toBe(404);
});

test('an item is viewed with its stock by location and the documents that the user may read', async () => {
  const view = (await owner.ask('GetItemView', { id: shop.item })) as { documents: { kind: string }[] };
  expect(view).toMatchObject({
    sku: 'LED-9W',
    saleRate: '95.00',
    onHand: '100',
    stock: [{ code: 'BLR', quantity: '100' }],
  });
  expect(view.documents).toMatchObject([{ kind: 'openingStock', quantity: '100', rate: '60.00' }]);
  const accountant = await server.signIn('accountant@sharma.demo');
  await accountant.ask('GetItemView', { id: shop.item });
  const nova = await server.signIn('owner@nova.demo');
  expect((await nova.call('GetItemView', { id: shop.item })).status).toBe(404);
});

test('a number series is checked, added, changed, and deleted while it has given no number', async () => {
  const pattern = { Type: 'quotation', registration: here.registration, prefix: 'SHOP/{FY}/' };
  expect(await owner.ask('CheckDocNumFormatExistence', pattern)).toEqual({ exists: false, reason: '' });
  const values = {
    name: 'Shop',
    kind: 'quotation',
    registration: here.registration,
    prefix: 'SHOP/{FY}/',
    padding: 4,
    start: 1,
    reset: 'year',
  };
  const made = (await owner.ask('SaveDocNumber', { values })) as Kept;
  expect(await owner.ask('CheckDocNumFormatExistence', pattern)).toMatchObject({
    exists: true,
    reason: expect.stringContaining('Shop'),
  });
  expect(await owner.ask('CheckDocNumFormatExistence', { ...pattern, Id: made.id })).toMatchObject({ exists: false });
  const changed = (await owner.ask('UpdateDocNumber', {
    id: made.id,
    version: made.version,
    values: { ...values, padding: 5 },
  })) as Kept;
  expect(((await owner.ask('GetDocNumberById', { Id: made.id })) as Kept).values.padding).toBe(5);
  expect((await owner.call('DeleteDocnumSeries', { Id: made.id, version: made.version })).status).toBe(409);
  expect(await owner.ask('DeleteDocnumSeries', { Id: made.id, version: changed.version })).toEqual({ deleted: true });
  expect((await owner.call('GetDocNumberById', { Id: made.id })).status).toBe(404);

  const next = async () =>
    ((await owner.ask('GenerateDocNumberForJournal', { registration: here.registration })) as { next: string }).next;
  const first = await next();
  expect(await next()).toBe(first);
  const ledger = async (code: string) =>
    (await server.database.owner.query('select id from ledgers where organisation = 1 and code = $1', [code])).rows[0]
      .id;
  const lines = [
    { ledger: await ledger('6495'), debit: '5.00' },
    { ledger: await ledger('1110'), credit: '5.00' },
  ];
  const document = { kind: 'manualJournal', date: '2026-11-20', ...here, lines };
  const posted = (await owner.ask('PostTransactionCalls', { document })) as { TransactionNumber: string };
  expect(posted.TransactionNumber).toBe(first);
  expect(await next()).not.toBe(first);
  const used = ((await owner.ask('GetDocNumList', {})) as Kept[]).find(
    (s) => s.values.kind === 'manualJournal' && s.values.registration === here.registration,
  ) as Kept;
  expect(await owner.call('DeleteDocnumSeries', { Id: used.id, version: used.version })).toMatchObject({
    status: 409,
    details: { code: 'inUse' },
  });
});

test('terms, banks with the default first, addresses of a party, items with barcodes', async () => {
  const terms = { code: 'T30', name: 'Thirty days', kind: 'saleInvoice', text: 'Net 30' };
  const made = (await owner.ask('SaveTermsAndConditions', { values: terms })) as Kept;
  const values = { ...terms, text: 'Net 30 days' };
  await owner.ask('SaveTermsAndConditions', { id: made.id, version: made.version, values });
  expect(((await owner.ask('GetTermsAndConditionsById', { Id: made.id })) as Kept).values.text).toBe('Net 30 days');
  expect((await owner.ask('GetTermsAndConditionsList', {})) as Kept[]).toHaveLength(1);

  const ledger = (await server.database.owner.query(`select id from ledgers where organisation = 1 and code = '1121'`))
    .rows[0].id;
  const bank = { accountNumber: '501', ifsc: 'HDFC0000001', ledger };
  await owner.ask('SaveMaster', { master: 'bank', values: { ...bank, code: 'AXIS', bankName: 'Axis' } });
  await owner.ask('SaveMaster', { master: 'bank', values: { ...bank, code: 'SBI', bankName: 'SBI', isDefault: true } });
  for (const call of ['GetBankDetails', 'GetOrgBankData'] as const)
    expect(await owner.ask(call, {})).toMatchObject([
      { bankName: 'SBI', isDefaultBank: true },
      { bankName: 'Axis', isDefaultBank: false },
    ]);

  const home = {
    type: 'billing',
    line1: '14 Market Road',
    city: 'Bengaluru',
    state: '29',
    pincode: '560001',
    country: 'IN',
  };
  const plant = { ...home, type: 'plant', line1: '7 Peenya', gstin: '29AABCA1234F1Z5' };
  const party = (await owner.ask('SaveMaster', {
    master: 'customer',
    values: {
      name: 'Asha Traders',
      gstin: '29AABCA1234F1Z5',
      category: 'registered',
      state: '29',
      addresses: [home, plant],
    },
  })) as Kept;
  expect(await owner.ask('GetLocationBranchDetailsByPartyId', { partyId: party.id })).toMatchObject([
    { type: 'billing', line1: '14 Market Road', gstin: '29AABCA1234F1Z5' },
    { type: 'plant', line1: '7 Peenya' },
  ]);

  const item = { type: 'stock', unit: 'NOS', hsn: '8414', gstRate: '18', treatment: 'taxable' };
  expect(await owner.ask('BarcodeDisable', {})).toEqual({ canDisable: true, reason: '' });
  await owner.ask('SaveMaster', {
    master: 'item',
    values: { ...item, sku: 'FAN', name: 'Fan', barcode: '8901', saleRate: '95' },
  });
  await owner.ask('SaveMaster', { master: 'item', values: { ...item, sku: 'LAMP', name: 'Lamp' } });
  expect(await owner.ask('GetItemListForBarcodeWithPagination', { search: '' })).toMatchObject({
    rows: [{ sku: 'FAN', barcode: '8901', saleRate: '95.00' }],
    after: null,
  });
  expect(await owner.ask('BarcodeDisable', {})).toEqual({ canDisable: false, reason: 'the item Fan has a barcode' });
});

test('the organisation: its logo by what the file is, its business, how far it is set up, its modules', async () => {
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const kept = (await owner.ask('AddLogoDetails', { name: 'dot.png', content: dot })) as { logo: string };
  expect(kept).toMatchObject({ logo: expect.stringMatching(/^data:image\/png;base64,iVBOR/), name: 'dot.png' });
  expect(await owner.ask('GetLogoDetails', {})).toEqual(kept);
  expect(((await owner.ask('GetSession', {})) as { organisation: { logo: string } }).organisation.logo).toBe(kept.logo);
  const script = Buffer.from('<svg onload="alert(1)"/>').toString('base64');
  expect(await owner.call('AddLogoDetails', { content: script })).toMatchObject({ details: { code: 'fileRefused' } });
  expect(await owner.ask('AddLogoDetails', { content: '' })).toEqual({ logo: null, name: null });

  const { version } = (await owner.ask('GetOrgDetails', {})) as { version: number };
  await owner.ask('UpdateBusinessType', { businessType: 'Wholesale trade', version });
  expect(await owner.ask('GetOrgDetails', {})).toMatchObject({ businessType: 'Wholesale trade' });
  expect((await owner.call('UpdateBusinessType', { businessType: 'Late', version })).status).toBe(409);
  expect(problems(await owner.call('UpdateBusinessType', { businessType: ' ', version }))).toEqual(['businessType']);

  const values = { code: 'HDFC', bankName: 'HDFC', accountNumber: '502', ifsc: 'HDFC0000001' };
  const bank = (await owner.ask('SaveMaster', {
    master: 'bank',
    values: { ...values, ledger: await shop.ledger('1121') },
  })) as Kept;
  const { score, steps } = (await owner.ask('GetOrgSignUpScoring', {})) as {
    score: number;
    steps: { step: string; done: boolean }[];
  };
  expect(steps.find((s) => s.step === 'Business type')?.done).toBe(true);
  expect(score).toBe(100);
  // another test reads all banks
  await owner.ask('RetireMaster', { master: 'bank', id: bank.id, version: bank.version, active: false });
  const nova = await server.signIn('owner@nova.demo');
  expect(((await nova.ask('GetOrgSignUpScoring', {})) as { score: number }).score).toBeLessThan(50);
  expect(await nova.ask('GetOrgList', {})).toEqual([{ code: 'NOVA', name: 'Nova Retail LLP' }]);
  expect(await nova.ask('GetModuleFlag', { ModuleName: 'stock rooms' })).toEqual({
    moduleName: 'Stock rooms',
    enabled: true,
  });
  expect(await owner.ask('GetModuleFlag', { ModuleName: 'Stock rooms' })).toMatchObject({ enabled: false });
  expect((await owner.call('GetModuleFlag', { ModuleName: 'Flying' })).status).toBe(404);
  expect(await owner.ask('CompareExistingPassword', { password: 'Demo-Bahi-2026' })).toEqual({ matches: true });
  expect(await owner.ask('CompareExistingPassword', { password: 'another' })).toEqual({ matches: false });
});
