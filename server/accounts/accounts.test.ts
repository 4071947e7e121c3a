import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { sealAll } from '../../tools/testing/books.ts';
import { type Answered, type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

type Kept = { id: string; version: number; active: boolean; values: Record<string, unknown> };
interface Item {
  readonly document: string;
  readonly line: number;
  readonly number: string;
  readonly open: string;
}
interface Standing {
  readonly credits: readonly Item[];
  readonly dues: readonly Item[];
  readonly allocations: readonly {
    readonly creditNumber: string;
    readonly invoiceNumber: string;
    readonly amount: string;
  }[];
}
interface Rows {
  readonly rows: readonly Record<string, string>[];
  readonly totals: Record<string, string>;
}

let server: TestServer;
let shop: Shop;
let owner: Visitor;
let today: string;
beforeAll(async () => {
  server = await testServer();
  server.clock.at = Date.parse('2026-11-21T10:00:00+05:30');
  shop = await openShop(server);
  owner = shop.owner;
  ({ today } = (await owner.ask('GetSession', {})) as { today: string });
});
afterAll(async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
  await server.stop();
});

const codeOf = ({ details }: Answered) => (details as { code: string }).code;
const fieldsOf = ({ details }: Answered) =>
  (details as { problems: { field: string; row?: number }[] }).problems.map((p) => p.field);

test('ledgers are saved, found, listed and deactivated under the names of the specification', async () => {
  const [cash] = ((await owner.ask('GetLedgerList', { search: 'cash' })) as { rows: Kept[] }).rows;
  const values = { code: '6999', name: 'Sundry costs', group: cash?.values.group };
  const made = (await owner.ask('SaveAccountMaster', { values })) as Kept;
  const renamed = { ...values, name: 'Small costs' };
  const saved = (await owner.ask('SaveLedger', { id: made.id, version: made.version, values: renamed })) as Kept;
  expect(await owner.ask('GetAccountMaster', { Id: made.id })).toMatchObject({ values: { name: 'Small costs' } });
  expect(codeOf(await owner.call('SaveLedger', { id: made.id, version: made.version, values }))).toBe('stale');
  expect(fieldsOf(await owner.call('SaveLedger', { values }))).toEqual(['code']);
  const codes = async () => ((await owner.ask('GetGLList', {})) as Kept[]).map((l) => l.values.code);
  expect(await codes()).toContain('6999');
  await owner.ask('DeactivateAccountMaster', { Id: made.id, version: saved.version });
  expect(await codes()).not.toContain('6999');
});

test('the chart is a tree whose groups come to the sum of their ledgers; without a grant there are no balances', async () => {
  const bank = await shop.ledger('1121');
  const cash = await shop.ledger('1110');
  await shop.post({
    kind: 'contra',
    lines: [
      { ledger: cash, debit: '40.00' },
      { ledger: bank, credit: '40.00' },
    ],
  });
  const nodes = (await owner.ask('GetChartOfAccounts', {})) as {
    id: string;
    parent: string | null;
    depth: number;
    isGroup: boolean;
    code: string;
    balance: string;
  }[];
  expect(nodes.length).toBeGreaterThan(100);
  const place = new Map(nodes.map((n, index) => [n.id, index]));
  const cents = (text: string) => Math.round(Number(text) * 100);
  for (const node of nodes) {
    const below = nodes.filter((n) => n.parent === node.id);
    if (node.parent) {
      expect(place.get(node.parent)).toBeLessThan(place.get(node.id) ?? 0);
      expect(nodes[place.get(node.parent) ?? 0]?.depth).toBe(node.depth - 1);
    }
    if (node.isGroup)
      expect([node.code, cents(node.balance)]).toEqual([node.code, below.reduce((t, n) => t + cents(n.balance), 0)]);
  }
  expect(nodes.find((n) => n.code === '1110')?.balance).toBe('40.00');
  expect(nodes.filter((n) => n.parent === null).reduce((t, n) => t + cents(n.balance), 0)).toBe(0);
  const none = await server.signIn('none@sharma.demo');
  const bare = (await none.ask('GetChartOfAccounts', {})) as { balance: string | null }[];
  expect(new Set(bare.map((n) => n.balance))).toEqual(new Set([null]));
});

test('a part of postings is pointed at another ledger and back', async () => {
  const all = (await owner.ask('GetLedgerEffects', {})) as Kept[];
  const charges = all.find((p) => p.id === 'charges') as Kept;
  const other = await shop.ledger('4120');
  await owner.ask('AddAccountingEffects', { effect: 'charges', ledger: other, version: charges.version });
  const now = async () =>
    ((await owner.ask('GetLedgerEffects', {})) as Kept[]).find((p) => p.id === 'charges')?.values.ledger;
  expect(await now()).toBe(other);
  expect(await owner.ask('DeletePostings', { effects: ['charges', 'cash'] })).toEqual({ deleted: 1 });
  expect(await now()).toBe(charges.values.ledger);
  expect(codeOf(await owner.call('DeletePostings', { effects: ['nothing'] }))).toBe('notFound');
});

test('sections of tax withheld and bank accounts are listed', async () => {
  const sections = (await owner.ask('GetTdsTcsMaster', { date: '2026-11-01' })) as { type: string; rate: string }[];
  expect(new Set(sections.map((s) => s.type))).toEqual(new Set(['TDS', 'TCS']));
  expect(await owner.ask('GetOrgBankData', {})).toEqual(await owner.ask('GetBankDetails', {}));
});

describe('money owed', () => {
  const credits = async (): Promise<Standing> =>
    (await owner.ask('GetCreditsListAganistParty', { party: shop.customer })) as Standing;
  const openOf = ({ credits: unused, dues }: Standing) =>
    Object.fromEntries([...unused, ...dues].map((o) => [o.number, o.open]));
  const receipt = async (amount: string) =>
    shop.post({ kind: 'saleReceipt', party: shop.customer, amount, moneyLedger: await shop.ledger('1121'), lines: [] });
  let opening: string;
  let paid: string;

  test('opening dues are posted bill by bill', async () => {
    const receivable = await shop.ledger('1210');
    const bill = (reference: string, referenceDate: string, debit: string) => ({
      ledger: receivable,
      party: shop.customer,
      reference,
      referenceDate,
      debit,
    });
    const document = {
      date: '2026-04-01',
      ...shop.place,
      lines: [bill('OLD-2', '2026-02-01', '300.00'), bill('OLD-1', '2026-01-01', '200.00')],
    };
    const made = (await owner.ask('SaveOpeningBalance', { document })) as { TransactionId: string };
    opening = made.TransactionId;
    const due = (await owner.ask('GetSundryDebtorsOutstanding', { asOf: today, party: shop.customer })) as Rows;
    expect(due.rows.map((r) => [r.number, r.open])).toEqual([
      ['OLD-1', '200.00'],
      ['OLD-2', '300.00'],
    ]);
    const wrong = await owner.call('SaveOpeningBalance', {
      document: { ...document, lines: [{ ledger: receivable, debit: '1.00' }] },
    });
    expect(fieldsOf(wrong)).toEqual(['lines.party']);
  });

  test('a receipt on account settles what is due, oldest first, and only once', async () => {
    const { TransactionId, TransactionNumber } = await receipt('350.00');
    paid = TransactionId;
    const settled = (await owner.ask('AllcoateCreditsByTransactionId', { TransactionId })) as Standing;
    expect(openOf(settled)).toEqual({ 'OLD-1': '0.00', 'OLD-2': '150.00', [TransactionNumber]: '0.00' });
    await owner.ask('AllcoateCreditsByTransactionId', { TransactionId });
    expect(openOf(await credits())).toEqual(openOf(settled));
    const pairs = (await owner.ask('GetLedgerAllocationList', { TransactionId })) as Standing['allocations'];
    expect(pairs.map((p) => [p.invoiceNumber, p.amount])).toEqual([
      ['OLD-1', '200.00'],
      ['OLD-2', '150.00'],
    ]);
  });

  test('what is settled is taken back and given to another, by hand', async () => {
    const pair = (invoiceLine: number, amount: string) => ({ credit: paid, invoice: opening, invoiceLine, amount });
    const save = (...allocations: object[]) =>
      owner.call('SavePartyCreditsAllocation', { party: shop.customer, allocations } as never);
    const moved = await save(pair(2, '0'), pair(1, '300.00'));
    expect(moved.status).toBe(200);
    expect(openOf(await credits())).toMatchObject({ 'OLD-1': '200.00', 'OLD-2': '0.00' });
    // asked again, the same is so
    expect((await save(pair(2, '0'), pair(1, '300.00'))).status).toBe(200);
    expect(codeOf(await save(pair(1, '300.01')))).toBe('overAllocated');
    expect(codeOf(await save(pair(2, '60.00')))).toBe('overAllocated');
    expect(codeOf(await save(pair(0, '1.00')))).toBe('notFound');
    expect(
      codeOf(await save({ credit: opening, creditLine: 1, invoice: opening, invoiceLine: 2, amount: '1.00' })),
    ).toBe('notFound');
    expect(
      codeOf(
        await owner.call('SavePartyCreditsAllocation', {
          party: randomUUID(),
          allocations: [pair(1, '1.00')],
        } as never),
      ),
    ).toBe('notFound');
    const due = (await owner.ask('GetSundryDebtorsOutstanding', { asOf: today, party: shop.customer })) as Rows;
    expect(due.totals.open).toBe('150.00');
    // a cancelled receipt gives back what it settled by hand
    await owner.ask('CancelTransaction', { TransactionType: 'saleReceipt', TransactionIds: [paid], frees: true });
    expect(openOf(await credits())).toEqual({ 'OLD-1': '200.00', 'OLD-2': '300.00' });
  });

  test('an advance is used by an adjustment, which moves its tax; not by hand', async () => {
    const bank = await shop.ledger('1121');
    const advance = await shop.post({
      kind: 'advanceReceipt',
      party: shop.customer,
      amount: '118.00',
      moneyLedger: bank,
      lines: [],
    });
    const wanted = { credit: advance.TransactionId, invoice: opening, invoiceLine: 1, amount: '1.00' };
    const refused = await owner.call('SavePartyCreditsAllocation', { party: shop.customer, allocations: [wanted] });
    expect(codeOf(refused)).toBe('allocationPosts');
    await owner.ask('AllcoateCreditsByTransactionId', { TransactionId: advance.TransactionId });
    expect(openOf(await credits())[advance.TransactionNumber]).toBe('118.00');
  });

  test('two who give the same credit away give it once', async () => {
    const { TransactionId } = await receipt('100.00');
    const give = (invoiceLine: number) =>
      owner.call('SavePartyCreditsAllocation', {
        party: shop.customer,
        allocations: [{ credit: TransactionId, invoice: opening, invoiceLine, amount: '100.00' }],
      });
    const answers = await Promise.all([give(1), give(2), give(1), give(2)]);
    const given = (await owner.ask('GetLedgerAllocationList', { TransactionId })) as Standing['allocations'];
    expect(given.map((p) => p.amount)).toEqual(['100.00']);
    expect(answers.map((a) => a.status).sort()).toEqual([200, 200, 409, 409]);
  });
});

test('reports answer under the names of the specification', async () => {
  const bank = await shop.ledger('1121');
  const period = { from: '2026-04-01', to: today };
  const run = (report: string, filters: object) => owner.ask('RunReport', { report, filters } as never);
  expect(await owner.ask('GetGLReport', { ledger: bank, FromDate: period.from, ToDate: today })).toEqual(
    await run('generalLedger', { ...period, ledger: bank }),
  );
  expect(await owner.ask('GetSundryCreditorsOutstanding', {})).toEqual(
    await run('outstandingCreditors', { asOf: today }),
  );
  const quarters = (await owner.ask('GetProfitAndLossByQuarters', {})) as {
    quarter: string;
    from: string;
    to: string;
    statement: Rows;
  }[];
  expect(quarters.map(({ quarter, from, to }) => [quarter, from, to])).toEqual([
    ['Q1', '2026-04-01', '2026-06-30'],
    ['Q2', '2026-07-01', '2026-09-30'],
    ['Q3', '2026-10-01', '2026-12-31'],
  ]);
  expect(quarters[2]?.statement).toEqual(await run('profitAndLoss', { from: '2026-10-01', to: '2026-12-31' }));
  await shop.post({
    kind: 'openingStock',
    date: '2026-03-31',
    lines: [{ item: shop.item, quantity: '3', rate: '50' }],
  });
  const stock = (await owner.ask('GetOpeningStockValues', {})) as Rows;
  expect(stock.totals.value).toBe('150.00');
});
