import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallName, calls } from '../../contract/calls.ts';
import { openShop, type Shop } from '../../e2e/shop.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { type Rule, rules } from './rules.ts';

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
    'GetSession SwitchOrganisation ChooseLocations SavePreferences SignOut GetSecondFactor BeginSecondFactor ConfirmSecondFactor RenewRecoveryCodes EndSecondFactor ChangePassword ListSessions EndSession CompareExistingPassword GetOrgList GetNotifications DismissNotifications GetSavedViews SaveView RemoveView',
  'the law and what everybody may know':
    'GetStates GetCountries GetCurrencies GetTdsTcsMaster GetExchangeRate GetHelpContent GetBroadcastDetails GetSupportDetails',
  'what the shell and every form are drawn from':
    'GetScreenList GetScreenListByUser GetGeneralConfigDetails GetTransactionExist GetLocks GetOrgDetails GetLocationListByUserId GetAdditionalFields GetOrgSignUpScoring GetModuleFlag GetLogoDetails BarcodeDisable',
  'the installation says who may found an organisation (SIGN_UP)': 'FoundOrganisation',
  'screens that are always there': 'GetInventoryDashboradData GetOrdersDashboardData',
  'drafts of one’s own are deleted whatever became of the grants': 'DeleteMultipleTransaction',
  'found by a number among what may be viewed: the handler asks for the grant once it knows the kind':
    'GetEInvoiceByteCode GetEWayBillByteCode GetEWayBillOnlyByteCode action next-actions start',
};

test('a call that needs no grant stands in the list with its reason', () => {
  const needsNone = (Object.keys(calls) as CallName[]).filter((name) => {
    const rule = rules[name] as Rule;
    return rule.action === 'open' && !rule.then && !rule.somewhere && !rule.operator;
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
