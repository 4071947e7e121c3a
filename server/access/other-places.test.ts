import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallName, calls } from '../../contract/calls.ts';
import type { Operation } from '../../contract/contract.ts';
import { masterNames } from '../../contract/masters.ts';
import { reportNames, reportOf } from '../../contract/reports.ts';
import { type Screen, screenNames, screens } from '../../contract/screens.ts';
import type { KindName } from '../../domain/document/kinds/index.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type Samples, type SampleWorld, samplesOf } from '../../tools/testing/samples.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { dayNow, daysOfYear, periodNow } from '../../tools/testing/year.ts';

let server: TestServer;
let shop: Shop;
let world: SampleWorld;
let samples: Samples;
/** All levels but one, at another place. */
let away: Visitor;
let item: string;
/** Figures and words of documents at the other place: alone, several times, with their tax, or as a number of the document. */
let said: RegExp;

const parents = [...new Set(screenNames.map((name) => (screens[name] as Screen).parent))];

beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  const { owner, customer, place } = shop;
  const ask = async <T>(name: string, input: object): Promise<T> =>
    (await owner.ask(name as 'GetSession', input as never, randomUUID())) as T;
  const save = (master: string, values: object) => ask<{ id: string }>('SaveMaster', { master, values });
  ({ id: item } = await save('item', {
    ...{ sku: 'PUMP', name: 'Pump', type: 'stock', unit: 'NOS', hsn: '84137010', treatment: 'taxable', gstRate: '18' },
    ...{ saleRate: '9500.00', purchaseRate: '60.00' },
  }));
  const { id: supplier } = await save('supplier', {
    ...{ name: 'Own Mills', addresses: [], category: 'unregistered', state: '29' },
  });
  const posted = new Map<KindName, string>();
  const numbers = new Map<string, string>();
  const make = async (kind: KindName, document: object) => {
    const made = await shop.post({ kind, narration: 'Zebrawood', ...document } as never);
    posted.set(kind, made.TransactionId);
    numbers.set(kind, made.TransactionNumber);
    return made.TransactionId;
  };
  const line = (rate = '7391.27', quantity = '1') => ({ item, quantity, rate });
  const [bank, cash, rent] = [await shop.ledger('1121'), await shop.ledger('1110'), await shop.ledger('6410')];
  const written = [
    { ledger: rent, debit: '7391.27' },
    { ledger: bank, credit: '7391.27' },
  ];
  await make('openingStock', { lines: [line('7391.27', '5')] });
  const sale = await make('saleInvoice', { party: customer, lines: [line()] });
  await make('quotation', { party: customer, lines: [line()] });
  await make('saleOrder', { party: customer, lines: [line()] });
  await make('deliveryChallan', { party: customer, lines: [line()] });
  await make('cashSale', { lines: [line()] });
  await make('saleReceipt', {
    party: customer,
    amount: '7391.27',
    moneyLedger: bank,
    lines: [],
    allocations: [{ document: sale, amount: '391.27' }],
  });
  await make('purchaseBill', { party: supplier, reference: 'ZEB-1', referenceDate: dayNow, lines: [line()] });
  await make('inventoryAdjustment', { fields: { adjustmentReason: 'Count' }, lines: [{ item, delta: '-1' }] });
  await make('manualJournal', { lines: written });
  await make('gstAdjustment', {
    lines: [
      { ledger: cash, debit: '7391.27' },
      { ledger: bank, credit: '7391.27' },
    ],
  });
  await ask('AddTransactionDetails', {
    kind: 'saleInvoice',
    body: {
      kind: 'saleInvoice',
      ...place,
      party: customer,
      narration: 'Zebrawood',
      date: dayNow,
      lines: [line()],
    },
  });
  const firsts = new Map<string, string>();
  for (const master of masterNames) {
    const { rows } = await ask<{ rows: { id: string }[] }>('ListMasters', { master, limit: 1 });
    if (rows[0]) firsts.set(master, rows[0].id);
  }
  firsts.set('item', item);
  world = { shop: { ...shop, item }, bank, cash, posted, numbers, firsts };
  samples = samplesOf(world);
  const ids = [...posted.values()].join('|');
  said = new RegExp(
    `Zebrawood|ZEB-1|${ids}|(?<!\\d)(7,?391\\.27|7,?000\\.00|8,?721\\.70|14,?782\\.54|22,?173\\.81|29,?565\\.08|36,?956\\.35)`,
  );
  const { owner: db } = server.database;
  const role = `(select id from roles where organisation = 1 and name = 'Approver')`;
  await db.query(`delete from role_grants where organisation = 1 and role = ${role}`);
  await db.query(
    `insert into role_grants (organisation, role, screen, level) select 1, ${role}, unnest($1::int[]), 5003`,
    [
      parents
        .filter((name) => name !== 'subscriptions')
        .map((name) => (screens[name as keyof typeof screens] as Screen).id),
    ],
  );
  await db.query(
    `insert into user_locations (organisation, "user", location)
     select 1, id, $1 from users where organisation = 1 and email = 'approver@sharma.demo'`,
    [server.organisations[0]?.locations['PUN']],
  );
  away = await server.signIn('approver@sharma.demo');
}, 120_000);
afterAll(() => server?.stop());

/** The calls and reports whose answers hold something of documents at that place. */
async function heard(by: Visitor, place?: object): Promise<readonly string[]> {
  const found: string[] = [];
  const listen = async (name: CallName, of: string, input: unknown) => {
    const answer = await by.call(name, input as never);
    const text = JSON.stringify(answer);
    const file = /"content":"([\w+/=]+)"/.exec(text)?.[1] ?? '';
    const all = `${text}\n${Buffer.from(file, 'base64').toString('utf8')}`;
    const match = said.exec(all);
    if (match) found.push(`${name} ${of}`);
    expect([name, of, answer.status]).not.toEqual([name, of, 500]);
  };
  for (const name of Object.keys(calls) as CallName[]) {
    const { method, changes }: Operation = calls[name];
    if (method === 'POST' && changes !== 'nothing') continue;
    const inputs = new Map(
      [...masterNames, ...world.posted.keys()].map((of) => [JSON.stringify(samples[name](of)), of]),
    );
    for (const [input, of] of inputs) await listen(name, inputs.size === 1 ? '' : of, JSON.parse(input));
  }
  const ledger = { ledger: world.bank, party: shop.customer, item };
  const filters = { ...ledger, ...daysOfYear, asOf: daysOfYear.to, period: periodNow, ...place };
  for (const report of reportNames) {
    const has = Object.entries(filters).filter(([key]) => key in (reportOf(report)?.filters ?? {}));
    await listen('RunReport', report, { report, filters: Object.fromEntries(has) });
    await listen('ExportReport', report, { report, filters: Object.fromEntries(has), format: 'csv' });
  }
  for (const kind of world.posted.keys()) {
    await listen('GetTransationsList', `${kind} all`, { Type: kind });
    await listen('GetTransationsList', `${kind} by words`, { Type: kind, Search: world.numbers.get(kind) });
  }
  await listen('GetGLReport', 'bank', { ledger: world.bank, FromDate: daysOfYear.from, ToDate: daysOfYear.to });
  await listen('GetCreditsListAganistParty', 'customer', { party: shop.customer });
  await listen('GetOpenItems', 'customer', { party: shop.customer, side: 'receivable' });
  await listen('GetEditorFacts', 'customer', {
    ...{
      parties: [shop.customer],
      items: [item],
      ledgers: [world.bank],
      date: dayNow,
      kind: 'saleInvoice',
      party: shop.customer,
    },
  });
  return [...new Set(found)];
}

test('people limited to a place see no document of another place in any call, list, report or file', async () => {
  const here = await heard(shop.owner, shop.place);
  const lists = [...world.posted.keys()].map((kind) => `GetTransationsList ${kind} all`);
  expect(here).toEqual(
    expect.arrayContaining([
      ...lists,
      'GetItemView ',
      'GetRecordPage customer',
      'GetRecordPage item',
      'GetGLReport bank',
      'RunReport dayBook',
      'RunReport customerStatement',
    ]),
  );
  expect(await heard(away)).toEqual([]);
  for (const [kind, document] of world.posted) {
    const sent = { to: ['any@example.com'], cc: [], subject: 'It', message: '', documents: [document] };
    const { status } = await away.call('SendInvoiceInMail', sent as never, randomUUID());
    expect([kind, status]).not.toEqual([kind, 200]);
  }
}, 240_000);
