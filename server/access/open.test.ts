import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallName, calls } from '../../contract/calls.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { samplesOf, sampleWorld } from '../../tools/testing/samples.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { isRowNeed, type Rule } from './rule.ts';
import { rules } from './rules.ts';

let server: TestServer;
let shop: Shop;
let none: Visitor;
let viewer: Visitor;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  none = await server.signIn('none@sharma.demo');
  viewer = await server.signIn('viewer@sharma.demo');
});
afterAll(() => server.stop());

/** Every call that somebody without any grant may make, and why. Whoever adds one decides it here. */
const open: Readonly<Record<string, string>> = {
  'the session and the account of who asks':
    'GetSession SwitchOrganisation ChooseLocations SavePreferences PinScreen SignOut GetSecondFactor BeginSecondFactor ' +
    'ConfirmSecondFactor ' +
    'RenewRecoveryCodes EndSecondFactor ChangePassword ListSessions EndSession ListAccessTokens MakeAccessToken RevokeAccessToken ' +
    'CompareExistingPassword GetOrgList ' +
    'GetNotifications GetOpenWork ' +
    'DismissNotifications GetSavedViews SaveView RemoveView',
  'the law and what everybody may know':
    'GetStates GetCountries GetCurrencies GetTdsTcsMaster GetExchangeRate GetHelpContent GetBroadcastDetails GetSupportDetails',
  'what the shell and every form are drawn from':
    'GetScreenList GetScreenListByUser GetGeneralConfigDetails GetTransactionExist GetLocks GetOrgDetails GetSetUp ' +
    'GetLocationListByUserId GetAdditionalFields GetOrgSignUpScoring GetModuleFlag GetLogoDetails BarcodeDisable',
  'the installation says who may found an organisation (SIGN_UP)': 'FoundOrganisation',
  'screens that are always there': 'GetInventoryDashboradData GetOrdersDashboardData',
  'drafts of one’s own are deleted whatever became of the grants': 'DeleteMultipleTransaction',
};

test('a call that needs no grant is in the list with its reason', () => {
  const needsNone = (Object.keys(calls) as CallName[]).filter((name) => {
    const { needs, somewhere, operator } = rules[name] as Rule;
    const asks = needs.some((need) => !isRowNeed(need) || need.action !== 'open');
    return !asks && somewhere.length === 0 && !operator;
  });
  expect(needsNone.toSorted()).toEqual(
    Object.values(open)
      .flatMap((names) => names.split(' '))
      .toSorted(),
  );
});

test('a document, its papers, credits, comments and exports need a grant', async () => {
  const { TransactionId, TransactionNumber } = await shop.post({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  });
  const asked = [
    ['GetTransactionDetailForInvoice', { TransactionId }],
    ['GetTransactionDetails', { InvoiceNo: TransactionNumber, TransactionType: 'saleInvoice' }],
    ['PrintDocument', { id: TransactionId }],
    ['GetCommentsForTransaction', { TransactionId }],
    ['GetBeside', { id: TransactionId }],
    ['GetCreditsListAganistParty', { party: shop.customer }],
    ['GetLedgerAllocationList', { TransactionId }],
    ['GetOpenItems', { party: shop.customer, side: 'receivable' }],
    ['GetOpeningStockValues', {}],
    ['ExportReport', { report: 'stockOnHand', filters: { asOf: '2099-01-01' }, format: 'csv' }],
  ] as const;
  for (const [call, input] of asked) {
    expect([call, await none.call(call, input as never)]).toMatchObject([
      call,
      { status: 403, details: { code: 'noAccess' } },
    ]);
    expect([call, (await viewer.call(call, input as never)).status]).toEqual([call, 200]);
  }
  // the list of a screen of level 0 is open
  const listed: { rows: unknown[] } = await none.ask('GetTransationsList', { Type: 'saleInvoice' });
  expect(listed.rows).toHaveLength(1);
});

/** A user of SHARMA with the owner's rights at another place, who sees nothing of the shop. */
async function elsewhere(): Promise<Visitor> {
  const users: { rows: { id: string; version: number; values: Record<string, unknown> }[] } = await shop.owner.ask(
    'ListMasters',
    { master: 'user' },
  );
  const of = (email: string) => users.rows.find(({ values }) => values['email'] === email);
  const approver = of('approver@sharma.demo');
  const { location } = shop.place;
  const places: { rows: { id: string }[] } = await shop.owner.ask('ListMasters', { master: 'location' });
  const values = {
    ...approver?.values,
    roles: of('owner@sharma.demo')?.values['roles'],
    locations: places.rows.map(({ id }) => id).filter((id) => id !== location),
  };
  await shop.owner.ask('SaveMaster', {
    master: 'user',
    id: approver?.id ?? '',
    version: approver?.version ?? 0,
    values,
  });
  return server.signIn('approver@sharma.demo');
}

test('papers by IRN and by the number of an e-way bill ask place and grant before they show anything', async () => {
  const { TransactionId: id, TransactionNumber: number } = await shop.post({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  });
  const [IrnNumber, EWayBillNo] = ['c'.repeat(64), '331000000001'];
  const { owner } = server.database;
  await owner.query('delete from einvoices where document = $1', [id]);
  await owner.query(
    `insert into einvoices (organisation, document, state, irn, ack_no)
     select organisation, id, 'cancelled', $2, '112400000000001' from documents where id = $1`,
    [id, IrnNumber],
  );
  await owner.query(
    `insert into eway_bills (organisation, document, bill, route, state, author, transport, number, made_at, valid_until)
     select organisation, id, 1, 'direct', 'active', author, '{"distance": 10}', $2, '2026-11-20 10:00', '2026-11-21 23:59'
       from documents where id = $1`,
    [id, EWayBillNo],
  );
  const away = await elsewhere();
  const asked = [
    ['GetEInvoiceByteCode', { IrnNumber }],
    ['GetEWayBillByteCode', { EWayBillNo }],
    ['GetEWayBillOnlyByteCode', { EWayBillNo }],
  ] as const;
  for (const [call, input] of asked) {
    expect([call, await none.call(call, input)]).toMatchObject([call, { status: 403, details: { code: 'noAccess' } }]);
    expect([call, await away.call(call, input)]).toMatchObject([call, { status: 404, details: { code: 'notFound' } }]);
    expect([call, (await viewer.call(call, input)).status]).toEqual([call, 200]);
  }
  for (const state of ['sending', 'unclear']) {
    await owner.query('update einvoices set state = $2 where document = $1', [id, state]);
    expect(await viewer.call('GetEInvoiceByteCode', { IrnNumber })).toMatchObject({
      ...{ status: 409, details: { code: 'irnUnclear' }, message: expect.stringContaining(number) },
    });
    expect(await none.call('GetEInvoiceByteCode', { IrnNumber })).toMatchObject({ details: { code: 'noAccess' } });
    expect(await away.call('GetEInvoiceByteCode', { IrnNumber })).toMatchObject({ details: { code: 'notFound' } });
  }
});

test('no call gives a user of another place the number of a document that they may not see', async () => {
  const world = await sampleWorld(server, undefined, shop);
  const samples = samplesOf(world);
  const away = await elsewhere();
  const disclosed: string[] = [];
  let asked = 0;
  // they say what a pattern of numbers gives, whatever documents there are
  const ofPatterns: readonly CallName[] = ['GetDocNumList', 'DocPatternValidations'];
  const names = (Object.keys(calls) as CallName[]).filter((name) => name !== 'SignOut' && !ofPatterns.includes(name));
  // each document as it is, and once it is cancelled
  for (const turn of ['posted', 'cancelled']) {
    for (const name of names) {
      const inputs = new Set([...world.posted.keys()].map((kind) => JSON.stringify(samples[name](kind))));
      for (const input of inputs) {
        const answer = JSON.stringify(await away.call(name, JSON.parse(input)));
        asked += 1;
        for (const number of world.numbers.values())
          if (answer.includes(number)) disclosed.push(`${name} ${turn}: ${number}`);
      }
    }
    for (const [TransactionType, id] of world.posted)
      await shop.owner.call('CancelTransaction', { TransactionIds: [id], TransactionType, reason: 'typed twice' });
  }
  expect(disclosed).toEqual([]);
  expect(asked).toBeGreaterThan(2 * names.length);
}, 240_000);

test('what somebody made they view after the grant is gone', async () => {
  const accountant = await server.signIn('accountant@sharma.demo');
  const document = {
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  };
  const { today } = (await accountant.ask('GetSession', {})) as { today: string };
  const { TransactionId }: { TransactionId: string } = await accountant.ask('PostTransactionCalls', {
    document: { date: today, ...shop.place, ...document },
  } as never);
  const users: { rows: { id: string; version: number; values: { email: string } }[] } = await shop.owner.ask(
    'ListMasters',
    { master: 'user' },
  );
  const known = users.rows.find(({ values }) => values.email === 'accountant@sharma.demo');
  await shop.owner.ask('SaveMaster', {
    master: 'user',
    id: known?.id ?? '',
    version: known?.version ?? 0,
    values: { ...known?.values, roles: [] },
  });
  const after = await server.signIn('accountant@sharma.demo');
  for (const [call, input] of [
    ['GetTransactionDetailForInvoice', { TransactionId }],
    ['PrintDocument', { id: TransactionId }],
    ['GetBeside', { id: TransactionId }],
  ] as const)
    expect([call, (await after.call(call, input as never)).status]).toEqual([call, 200]);
  const other = await shop.post(document);
  expect((await after.call('GetTransactionDetailForInvoice', { TransactionId: other.TransactionId })).status).toBe(403);
});

test('without a grant, account numbers are masked and what goods cost is left out', async () => {
  const ledger = await shop.ledger('1121');
  const bank = {
    code: 'ICICI',
    bankName: 'ICICI Bank',
    accountNumber: '000401234567',
    ifsc: 'ICIC0000004',
    upi: 'shop@icici',
    ledger,
  };
  await shop.owner.ask('SaveMaster', { master: 'bank', values: bank });
  for (const call of ['GetBankDetails', 'GetOrgBankData'] as const) {
    expect(JSON.stringify(await none.ask(call, {}))).not.toMatch(/000401234567|shop@icici/);
    expect(JSON.stringify(await none.ask(call, {}))).toContain('4567');
    expect(JSON.stringify(await viewer.ask(call, {}))).toContain('000401234567');
  }
  expect(JSON.stringify(await none.ask('ListMasters', { master: 'bank' }))).not.toContain('000401234567');
  // a till has an address for payments too
  const till = { code: 'FRONT', name: 'Front', location: shop.place.location, prices: 'saleRate', printWidth: '80' };
  await shop.owner.ask('SaveMaster', { master: 'till', values: { ...till, upiId: 'front.till@icici' } });
  expect(JSON.stringify(await none.ask('ListMasters', { master: 'till' }))).not.toContain('front.till');
  expect(JSON.stringify(await viewer.ask('ListMasters', { master: 'till' }))).toContain('front.till@icici');
  interface Shown {
    readonly rows: readonly Record<string, unknown>[];
    readonly totals: object;
  }
  const run = async (by: Visitor): Promise<Shown> =>
    by.ask('RunReport', { report: 'stockOnHand', filters: { asOf: '2099-01-01' } });
  const [without, all] = [await run(none), await run(viewer)];
  expect(without.rows.length).toBe(all.rows.length);
  expect(Object.keys({ ...without.rows[0], ...without.totals })).not.toContain('value');
  expect(Object.keys({ ...all.rows[0], ...all.totals })).toContain('value');
});

test('who may post nothing is refused before anything is looked up', async () => {
  const { TransactionId } = await shop.post({ kind: 'cashSale', lines: [{ item: shop.item, quantity: '1' }] });
  const one = { TransactionId, version: 1 };
  const asked = [
    ['PostTransactionCalls', one],
    ['PostTransactionCalls', {}],
    ['AddtransactionItemDetails', { ...one, lines: [] }],
    ['AddInvoicePartyMappingDetails', one],
    ['AddInvoiceSummaryDetails', one],
    ['SubmitForApproval', one],
    ['RejectDocument', { ...one, comment: 'no' }],
  ] as const;
  for (const [call, input] of asked)
    for (const by of [none, viewer])
      expect([call, await by.call(call, input as never)]).toMatchObject([
        call,
        { status: 403, details: { code: 'noAccess' } },
      ]);
});
