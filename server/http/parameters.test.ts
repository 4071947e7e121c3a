import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallName, calls } from '../../contract/calls.ts';
import specified from '../../contract/testdata/specified-parameters.json' with { type: 'json' };
import { flowsOf } from '../../tools/testing/flows.ts';
import { type Samples, type SampleWorld, samplesOf, sampleWorld } from '../../tools/testing/samples.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

let server: TestServer;
let world: SampleWorld;
let samples: Samples;
let today: string;
/** An order of Bengaluru, posted before its family had a workflow, and a sale of Pune. */
let order: { readonly TransactionId: string; readonly TransactionNumber: string };
let pune: string;
/** A quotation, the sale that it led to, and a group of users. */
let quotation: string;
let sale: string;
let group: string;
beforeAll(async () => {
  server = await testServer();
  world = await sampleWorld(server);
  samples = samplesOf(world);
  const { shop } = world;
  today = ((await shop.owner.ask('GetSession', {})) as { today: string }).today;
  const own = server.organisations[0];
  const place = { registration: own?.registrations['MH'] ?? '', location: own?.locations['PUN'] ?? '' };
  const line = { item: shop.item, quantity: '1', rate: '95' };
  await shop.post({ kind: 'openingStock', ...place, lines: [{ item: shop.item, quantity: '10', rate: '60' }] });
  pune = (await shop.post({ kind: 'cashSale', ...place, lines: [line] })).TransactionId;
  order = await shop.post({ kind: 'saleOrder', party: shop.customer, lines: [line] });
  quotation = (await shop.post({ kind: 'quotation', party: shop.customer, lines: [line] })).TransactionId;
  sale = (await shop.post({ kind: 'saleInvoice', party: shop.customer, lines: [line] })).TransactionId;
  const save = (master: string, values: object): Promise<unknown> =>
    shop.owner.ask('SaveMaster', { master, values: { ...values } });
  const address = { line1: '1 High Street', city: 'Mysuru', state: '29', pincode: '570001' };
  await save('customer', { name: 'Walk-in', category: 'unregistered', state: '29', addresses: [address] });
  await save('customer', {
    name: 'Overseas Ltd',
    category: 'overseas',
    state: '96',
    country: 'US',
    currency: 'USD',
    addresses: [],
  });
  await save('item', {
    sku: 'FAN',
    name: 'Fan',
    type: 'stock',
    unit: 'NOS',
    hsn: '84145120',
    treatment: 'taxable',
    gstRate: '18',
  });
  await save('role', { name: 'Shop clerk', typeName: 'Shop', levels: {} });
  group = ((await save('group', { name: 'Counter' })) as { id: string }).id;
  type User = { id: string; version: number; values: Record<string, unknown> };
  const { rows: users } = (await shop.owner.ask('ListMasters', { master: 'user' })) as { rows: User[] };
  const viewer = users.find(({ values }) => values['email'] === 'viewer@sharma.demo');
  if (!viewer) throw new Error('the demo has no viewer');
  const { id, version, values } = viewer;
  const limited = { ...values, locations: [shop.place.location] };
  await shop.owner.ask('SaveMaster', { master: 'user', id, version, values: limited });
  await server.database.owner.query(`update items set barcode = '2000000000015' where id = $1`, [shop.item]);
  await shop.owner.ask('SaveGeneralConfigDetails', { values: { isSaleOrderWfenabled: true } });
  const { definition, publish } = flowsOf(() => ({ server, owner: shop.owner }));
  await publish(await definition('saleOrders', 'approval', 'Owner'));
  const { rows } = await server.database.owner.query<{ id: string }>(
    `select id
       from users
      where email = 'owner@sharma.demo'`,
  );
  await server.database.owner.query(
    `insert into notifications (organisation, id, "user", message)
     values (1, gen_random_uuid(), $1, 'Only for the owner')`,
    [rows[0]?.id],
  );
}, 60_000);
afterAll(() => server.stop());

/** What a call is asked with no optional parameter, where the sample of the call has less than an answer needs. */
const asked = (call: CallName): object => {
  const period = { StartDate: today, EndDate: today };
  const { shop, posted } = world;
  const line = { item: shop.item, quantity: '1', rate: '95' };
  const own: Partial<Record<CallName, object>> = {
    GetTransationsList: { Type: 'cashSale' },
    GetTaxCalculation: { draft: { kind: 'cashSale', date: today, ...shop.place, lines: [line] } },
    GetTransactionDetailForInvoice: { TransactionId: posted.get('saleInvoice') },
    CancelTransaction: { TransactionType: 'cashSale', TransactionIds: [pune], reason: 'Twice' },
    GetInventoryDashboradData: period,
    GetOrdersDashboardData: period,
    UpdateOrderStatus: { OrderId: order.TransactionId },
    UpdateQuotationOnInvoiceGeneration: { QuoteId: quotation, InvoiceId: sale },
    GetGroupDetails: { Id: group },
    AddModulesForOrganisation: { ModuleIds: [1] },
    start: { documentType: 'SO', documentNumber: order.TransactionNumber },
  };
  return own[call] ?? (samples[call]('saleInvoice') as object);
};

/** A value of each optional parameter with which the answer is another. */
const telling = (): Readonly<Record<string, unknown>> => ({
  // the code of an organisation that one is no member of is refused
  ...{ OrgCode: 'NOSUCH', orgCode: 'NOSUCH', Orgcode: 'NOSUCH' },
  ...{ SubOrgCode: 'PUN', OrgBranchCode: 'PUN', UserName: 'viewer@sharma.demo' },
  ...{ start: 2, end: 1, pageNo: 2, pagesize: 1, Search: 'nothing like it', LStart: 1 },
  ...{ isOverSeas: 'true', isAnonymousUser: 'true', Typename: 'shop', TransactionType: 'PO' },
  // what does not agree with the draft, or with how a request begins, is a problem at the parameter
  ...{ isTransactionTyepIsPurchase: true, RegistrationStatus: 'composition', RequestStatus: 4, IsCancel: false },
  ...{ RequestedDuration: 2, Type: 'quotation' },
  ...{ TransactionNumber: 'NONE', TransactionId: pune, InvoiceId: pune, stage: 'nowhere' },
});

/** Optional parameters that change nothing, by call and parameter, each with why. */
const without: Readonly<Record<string, string>> = {};

const isOptional = (call: CallName, parameter: string): boolean =>
  ((calls[call].input as { shape?: Record<string, { safeParse(v: unknown): { success: boolean } }> }).shape?.[
    parameter
  ]?.safeParse(undefined).success ?? false) === true;

const served = specified.calls as readonly { readonly call: CallName; readonly parameters: readonly string[] }[];
const optional = served.flatMap(({ call, parameters }) =>
  parameters.filter((parameter) => isOptional(call, parameter)).map((parameter) => [call, parameter] as const),
);

const shown = ({ status, message, details }: { status: number; message: string; details: unknown }): string =>
  JSON.stringify([status, message, { ...(details as object), reference: undefined }]);

test.each(optional)('%s: %s changes the answer', async (call, parameter) => {
  const values = telling();
  expect(Object.keys(values)).toContain(parameter);
  const base = asked(call);
  const { owner } = world.shop;
  // what is asked with the parameter comes first: a call that changes something would answer another thing the second time
  const changed = shown(await owner.call(call, { ...base, [parameter]: values[parameter] } as never));
  const usual = shown(await owner.call(call, base as never));
  if (without[`${call} ${parameter}`] === undefined) expect(changed).not.toBe(usual);
  else expect(changed).toBe(usual);
});

const needed = served.flatMap(({ call, parameters }) =>
  parameters.filter((parameter) => !isOptional(call, parameter)).map((parameter) => [call, parameter] as const),
);
test.each(needed)('%s: %s is asked for', async (call, parameter) => {
  const { [parameter]: _, ...rest } = asked(call) as Record<string, unknown>;
  const { status, details } = await world.shop.owner.call(call, rest as never);
  const { problems } = details as { problems: readonly { readonly field: string }[] };
  expect([status, problems.map(({ field }) => field)]).toEqual([422, [parameter]]);
});

test('nothing broke', () => expect(server.failures).toEqual([]));
