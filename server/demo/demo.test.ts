import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallName } from '../../contract/calls.ts';
import { type ModuleName, moduleNames, moduleOf, modules } from '../../contract/modules.ts';
import { type Screen, screenNames, screens } from '../../contract/screens.ts';
import { addDays, financialYearOf, monthEnd } from '../../domain/base/dates.ts';
import { money } from '../../domain/base/decimal.ts';
import type { Id } from '../../domain/document/document.ts';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { type TestDatabase, testDatabase } from '../../tools/testing/database.ts';
import { type Tables, taxDue, taxMoved } from '../../tools/testing/gstr3b.ts';
import { journalReader } from '../../tools/testing/hledger.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { openBooks } from '../kit/database/sql.ts';
import { vault } from '../kit/secrets/secrets.ts';
import { makeDemoBooks } from '../process/demo-books.ts';
import { drawReturn } from '../reports/index.ts';

let db: TestDatabase;
let half: Standing;
let server: TestServer | undefined;
interface Standing {
  readonly documents: number;
  readonly people: number;
  readonly open: number;
}
const standing = async (): Promise<Standing> =>
  (
    await db.owner.query(
      `
        select
          (select count(*)::int from documents) as documents,
          (select count(*)::int from people) as people,
          (select count(*)::int from people where password_hash is not null) as open
      `,
    )
  ).rows[0];
const make = (progress: (done: string) => void = () => undefined) =>
  makeDemoBooks({ url: db.url, ownerUrl: db.ownerUrl, vault: vault(Buffer.alloc(32, 7)), progress, months: 4 });
beforeAll(async () => {
  db = await testDatabase();
  let days = 0;
  const stopped = make(() => {
    days += 1;
    if (days > 40) throw new Error('the power went');
  });
  await expect(stopped).rejects.toThrow('the power went');
  half = await standing();
  await Promise.all([make(), make()]);
}, 120_000);
afterAll(() => (server ? server.stop() : db.drop()));

test('the demo has documents of every kind that a user can make, and its books hold', async () => {
  const { rows } = await db.owner.query<{ kind: string }>(
    `select distinct d.kind from documents d join organisations o using (organisation) where o.code = 'SHARMA'`,
  );
  expect(rows.map((r) => r.kind)).toEqual(expect.arrayContaining(kindNames.filter((k) => !kindOf(k).life.system)));
  expect(await brokenInvariants(db.owner)).toEqual([]);
});

test('GSTR-3B of each month and registration of the demo is what its ledgers of tax moved by', async () => {
  const books = openBooks(db.url);
  try {
    const { rows } = await db.owner.query<{ organisation: number; registration: Id; month: string; user: Id }>(
      `select distinct d.organisation, d.registration, to_char(d.date, 'YYYY-MM') as month,
              (select min(u.id::text) from users u where u.organisation = d.organisation)::uuid as user
         from documents d
         join registrations r on r.organisation = d.organisation and r.id = d.registration
        where r.gstin is not null and registration_status(d.organisation, d.registration, d.date) in ('regular', 'sez')`,
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { organisation, registration, month, user } of rows) {
      const { tables } = await books.inTransaction({ organisation, user }, (trx) =>
        drawReturn(trx, organisation, registration, 'GSTR-3B', month, `${month}-28`),
      );
      const named: Tables = Object.fromEntries(tables.map(({ name, ...amounts }) => [name, { ...amounts }]));
      expect([registration, month, taxDue(named)]).toEqual([
        ...[registration, month],
        await taxMoved(db.owner, registration, `${month}-01`, monthEnd(`${month}-01`)),
      ]);
    }
  } finally {
    await books.end();
  }
});

test('the demo trades within its means, and what goes to Saudi Arabia goes to Riyadh', async () => {
  const { rows } = await db.owner.query<{ least: number }>(
    `
      select min(balance)::float as least
      from (
        select sum(sum(t.debit - t.credit)) over (partition by t.organisation, t.ledger order by t.day) as balance
        from ledger_day_totals t
        join ledgers l on l.organisation = t.organisation and l.id = t.ledger
        where l.code in ('1110', '1121')
        group by t.organisation, t.ledger, t.day
      ) x
    `,
  );
  expect(rows[0]?.least).toBeGreaterThan(0);
  const saudi = await db.owner.query(
    `
      select distinct p.country
      from documents d
      join parties p on p.organisation = d.organisation and p.id = d.party
      where d.kind = 'saudiInvoice'
    `,
  );
  expect(saudi.rows).toEqual([{ country: 'SA' }]);
});

test('goods between the own places have arrived, but for those that left on the last day', async () => {
  const { rows } = await db.owner.query<{ date: string; last: string }>(
    `select d.date::text as date, (select max(x.date)::text from documents x where x.organisation = d.organisation) as last
       from documents d join organisations o using (organisation) cross join lateral carried_out(d.organisation, d.id) f
      where o.code = 'SHARMA' and d.kind = 'branchTransfer' and f.taken < f.wanted`,
  );
  expect(rows.length).toBe(1);
  expect(rows[0]?.date).toBe(rows[0]?.last);
});

test('an interrupted start lets nobody in; the next one, and another beside it, begin anew and make it once and whole', async () => {
  expect(half.documents).toBeGreaterThan(20);
  expect(half.open).toBe(0);
  const made = await standing();
  expect(made).toMatchObject({ people: half.people, open: half.people });
  const { rows } = await db.owner.query('select organisation, code from organisations order by organisation');
  expect(rows).toEqual([
    { organisation: 1, code: 'SHARMA' },
    { organisation: 2, code: 'NOVA' },
  ]);
  // nothing of the first attempt is left beside it
  const twice = await db.owner.query(
    `select from documents where kind = 'openingBalance' group by organisation having count(*) > 1`,
  );
  expect(twice.rowCount).toBe(0);
  // what is written once is so again, and a demo that somebody works with is left alone
  await expect(db.owner.query('truncate edit_log')).rejects.toThrow('written once');
  await expect(db.owner.query('delete from items')).rejects.toThrow('violates foreign key constraint');
  await make();
  expect(await standing()).toEqual(made);
});

describe('what a visitor of the demo sees', () => {
  let sharma: Visitor;
  let nova: Visitor;
  let today: string;
  type Row = Readonly<Record<string, unknown>>;
  beforeAll(async () => {
    server = await testServer({}, { on: db, empty: true, portal: true });
    sharma = await server.signIn('owner@sharma.demo');
    nova = await server.signIn('owner@nova.demo');
    ({ today } = await sharma.ask('GetSession', {}));
  });

  test.each([
    ['sharma', 'the year'],
    ['nova', 'the year'],
    ['sharma', 'the last weeks'],
  ])(
    'the exported journal gives balances, profit and net assets of %s in %s as the reports say them',
    async (code, period) => {
      const visitor = code === 'sharma' ? sharma : nova;
      const start = period === 'the year' ? financialYearOf(today).start : addDays(today, -45);
      const filters = { from: start, to: today };
      const { content } = await visitor.ask('ExportReport', { report: 'dayBook', filters, format: 'journal' });
      const journal = Buffer.from(content, 'base64').toString('utf8');
      journalReader.check(journal);
      const report = (name: string, asked: Readonly<Record<string, string>>) =>
        visitor.ask('RunReport', { report: name, filters: asked } as never) as Promise<{ rows: Row[] }>;
      const { rows } = await report('trialBalance', { ...filters, closing: 'true' });
      const tomorrow = addDays(today, 1);
      const balances = journalReader.balancesBefore(journal, tomorrow);
      const names = new Map(
        [...journal.matchAll(/^account (.*?) {2}; code: (.*)$/gm)].map(([, name, code]) => [code, name]),
      );
      for (const row of rows) {
        const name = names.get(String(row.code)) ?? 'no account';
        const held = [...balances].filter(([account]) => account === name || account.startsWith(`${name}:`));
        const ours = money(String(row.closingDebit)) - money(String(row.closingCredit));
        expect([row.code, held.reduce((sum, [, amount]) => sum + amount, 0)]).toEqual([row.code, ours]);
      }
      const { rows: account } = await report('profitAndLoss', filters);
      const profit = money(String(account.find(({ name }) => name === 'Profit for the period')?.amount));
      expect(journalReader.profit(journal, start, tomorrow)).toBe(profit);
      const isOwners = (code: unknown) => !/^(assets|liabilities):/.test(names.get(String(code)) ?? '');
      const equity = rows.filter(({ code }) => isOwners(code));
      const net = equity.reduce(
        (sum, row) => sum + money(String(row.closingCredit)) - money(String(row.closingDebit)),
        0,
      );
      expect(journalReader.netAssets(journal, tomorrow)).toBe(net);
    },
  );

  const counted = async (call: CallName, input: object, of = (answer: never): unknown => answer) => {
    const found = of((await sharma.ask(call, input as never)) as never);
    return (found as readonly unknown[]).length;
  };
  const rows = ({ rows: all }: { readonly rows: readonly unknown[] }) => all;
  /** The rows of the screens that have a view of their own; null: not a list. One that is new does not pass without a line here. */
  const ownLists: Readonly<Record<string, (() => Promise<number>) | null>> = {
    ...{ home: null, inventoryDashboard: null, orderDashboard: null, reportIndex: null, subscriptions: null },
    ...{
      workflow: null,
      itemView: null,
      countSheet: null,
      useCredit: null,
      till: null,
      wayBill: null,
      yearEnd: null,
      guide: null,
    },
    // the demo makes its own records: nobody has imported any
    ...{ importHome: null, imports: null, importedFiles: null, importWizard: null },
    // each organisation of one's own is listed with the returns that are due there
    organisations: () => counted('ListReturnsDue', {}),
    workflows: () => counted('GetWorkFlows', {}),
    barcodes: () => counted('ListBarcodes', {}, rows),
    countSheets: () => counted('ListCountSheets', {}),
    einvoices: () => counted('GetEInvoiceList', {}, rows),
    wayBills: () => counted('GetEWayBillList', {}, rows),
    recurringBills: () => counted('ListRecurringBills', {}),
    bankReconciliation: () => counted('GetBankLedgers', {}),
    exchangeRates: () => counted('ListExchangeRates', {}, rows),
    restatement: () =>
      counted('PreviewRevaluation', { asOf: today }, (preview: { balances: unknown[] }) => preview.balances),
    taxWithheld: () => counted('GetTaxWithheld', { tax: 'tds', year: financialYearOf(today).label }, rows),
  };
  const switchedOn = (owner: Visitor) =>
    owner.ask('GetGeneralConfigDetails', {}) as Promise<Readonly<Record<string, unknown>>>;

  test('every list has a row: of each master, each kind of document, and each list of its own', async () => {
    const settings = { sharma: await switchedOn(sharma), nova: await switchedOn(nova) };
    /** The owner who has what a master belongs to switched on. */
    const ownerFor = (master: string): Visitor => {
      const needed = moduleNames.filter((name: ModuleName) => moduleOf(name).masters?.some((one) => one === master));
      const lacks = (has: Readonly<Record<string, unknown>>) =>
        needed.some((name) => !modules[name].switches.some((key) => has[key] === true));
      // an organisation without cost centres has no column for them: one of the two shows each way
      const ofNova = master === 'costCentre' || (lacks(settings.sharma) && !lacks(settings.nova));
      return ofNova ? nova : sharma;
    };
    const empty: string[] = [];
    let looked = 0;
    for (const name of screenNames) {
      const { show }: Screen = screens[name];
      const look: Record<string, () => Promise<number>> = {};
      if (show.view === 'masterList')
        look[show.master] = async () =>
          rows(await ownerFor(show.master).ask('ListMasters', { master: show.master, limit: 1 })).length;
      if (show.view === 'documentList')
        for (const kind of [show.kind, ...(show.beside ?? [])])
          look[kind] = () => counted('GetTransationsList', { Type: kind }, rows);
      if (show.view === 'own') {
        const own = ownLists[show.name];
        if (own === undefined) throw new Error(`say whether ${show.name} is a list, and what fills it`);
        if (own) look[show.name] = own;
      }
      for (const [what, count] of Object.entries(look)) {
        looked += 1;
        if ((await count()) === 0) empty.push(`${name}: ${what}`);
      }
    }
    expect(looked).toBeGreaterThan(70);
    expect(empty).toEqual([]);
  });

  test('who keeps batches, serial numbers and stock rooms has goods in them', async () => {
    const items: { rows: { id: string; values: Record<string, unknown> }[] } = await nova.ask('ListMasters', {
      master: 'item',
    });
    const rooms = rows(await nova.ask('ListMasters', { master: 'warehouse' }));
    expect(rooms).toHaveLength(2);
    for (const [flag, held] of [
      ['batched', 'batches'],
      ['serialised', 'serials'],
    ] as const) {
      const item = items.rows.find(({ values }) => values[flag] === true)?.id ?? '';
      const stock: Readonly<Record<typeof held, unknown[]>> = await nova.ask('GetItemBatchSerial', { item });
      expect(stock[held].length).toBeGreaterThan(0);
      const inRooms = await Promise.all(
        (rooms as readonly { id: string }[]).map(
          async ({ id: room }) => (await nova.ask('GetItemQtyForStockRoom', { item, room })) as { quantity: string },
        ),
      );
      expect(inRooms.some(({ quantity }) => Number(quantity) > 0)).toBe(true);
    }
  });

  test('the e-way bill waits in line when the demo is made; with the portal it is made', async () => {
    const made = async () =>
      ((await sharma.ask('GetEWayBillList', {})) as { rows: { state: string; error: string | null }[] }).rows.map(
        ({ state, error }) => [state, error],
      );
    await expect.poll(made, { timeout: 30_000 }).toEqual([['active', null]]);
    expect(await brokenInvariants(db.owner)).toEqual([]);
  });
});
