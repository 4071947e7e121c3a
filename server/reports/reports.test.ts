import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Filter, type ReportName, reportNames, reports } from '../../contract/reports.ts';
import { addDays, addMonths, financialYearOf } from '../../domain/base/dates.ts';
import { money, moneyText } from '../../domain/base/decimal.ts';
import { beyondDemo } from '../../tools/testing/beyond-demo.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { seedDemo } from '../demo/index.ts';
import { vault } from '../kit/secrets/secrets.ts';

type Row = Readonly<Record<string, string>>;
interface Answer {
  readonly rows: readonly Row[];
  readonly totals: Readonly<Record<string, string>>;
  readonly after: string | null;
  readonly notes: readonly string[];
}

let server: TestServer;
let owner: Visitor;
let today: string;
let organisation: number;
/** Four months of the demo's trade: documents of every kind, partly settled. */
beforeAll(async () => {
  server = await testServer();
  await seedDemo(server.database.url, vault(Buffer.alloc(32, 7)), () => undefined, 4);
  owner = await server.signIn('owner@sharma.demo');
  ({ today } = (await owner.ask('GetSession', {})) as { today: string });
  organisation = server.organisations[0]?.organisation ?? 0;
}, 120_000);
afterAll(() => server.stop());

const run = async (report: ReportName, filters: Record<string, string>, visitor = owner, after?: string) =>
  (await visitor.ask('RunReport', { report, filters, ...(after && { after }) })) as Answer;
const everyRow = async (report: ReportName, filters: Record<string, string>, visitor = owner): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page: Answer = await run(report, filters, visitor, after);
    rows.push(...page.rows);
    after = page.after;
  }
  return rows;
};
const paise = (text: string | undefined): number => (text ? money(text) : 0);
const sum = (rows: readonly Row[], key: string) => rows.reduce((total, row) => total + paise(row[key]), 0);
const query = async <T extends object>(text: string, values: readonly unknown[]) =>
  (await server.database.owner.query<T>(text, [...values])).rows;
const yearStart = () => financialYearOf(today).start;
/** A day within the demo's months. */
const someDay = fc.integer({ min: 0, max: 125 }).map((back) => addDays(today, -back));

describe('accounts', () => {
  test('the trial balance of any period is what the entries say, and its closings balance', async () => {
    await fc.assert(
      fc.asyncProperty(someDay, someDay, async (a, b) => {
        const [from, to] = a < b ? [a, b] : [b, a];
        const { rows, totals, notes } = await run('trialBalance', { from, to });
        const said = await query<{ code: string; debit: string; credit: string; closing: string }>(
          `
            select
              l.code, coalesce(sum(e.debit) filter (where e.date >= $2), 0) as debit,
              coalesce(sum(e.credit) filter (where e.date >= $2), 0) as credit, sum(e.debit - e.credit) as closing
            from entries e
            join ledgers l on l.organisation = e.organisation and l.id = e.ledger
            where e.organisation = $1 and e.date <= $3 and (l.nature not in ('income', 'expense') or e.date >= $4)
            group by l.code
          `,
          [organisation, from, to, financialYearOf(from).start],
        );
        const byCode = new Map(said.map((s) => [s.code, s]));
        for (const row of rows) {
          if (row.code === '3230') continue;
          const own = byCode.get(row.code ?? '');
          expect([
            row.code,
            paise(row.debit),
            paise(row.credit),
            paise(row.closingDebit) - paise(row.closingCredit),
          ]).toEqual([row.code, Number(own?.debit), Number(own?.credit), Number(own?.closing)]);
        }
        expect(notes).toEqual([]);
        expect(totals.closingDebit).toBe(totals.closingCredit);
        expect(totals.openingDebit).toBe(totals.openingCredit);
        for (const key of Object.keys(totals)) expect(moneyText(sum(rows, key))).toBe(totals[key]);
      }),
      { numRuns: 25 },
    );
  });

  test('each line of the trial balance drills to entries that make it, page by page', async () => {
    const filters = { from: addMonths(today, -3), to: today };
    const { rows } = await run('trialBalance', filters);
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows.filter((r) => r.ledger)) {
      const entries = await everyRow('generalLedger', { ...filters, ledger: row.ledger ?? '' });
      expect([row.code, moneyText(sum(entries, 'debit')), moneyText(sum(entries, 'credit'))]).toEqual([
        row.code,
        row.debit,
        row.credit,
      ]);
      const closing = paise(row.closingDebit) - paise(row.closingCredit);
      expect(entries.at(-1)?.balance).toBe(`${moneyText(Math.abs(closing))} ${closing < 0 ? 'Cr' : 'Dr'}`);
    }
  });

  test('the day book holds every entry of its days once', async () => {
    const filters = { from: addMonths(today, -1), to: today };
    const rows = await everyRow('dayBook', filters);
    const [said] = await query<{ n: number; debit: string }>(
      'select count(*)::int as n, sum(debit) as debit from entries where organisation = $1 and date between $2 and $3',
      [organisation, filters.from, filters.to],
    );
    expect(rows.length).toBeGreaterThan(200);
    expect(rows).toHaveLength(said?.n ?? 0);
    expect(sum(rows, 'debit')).toBe(Number(said?.debit));
    expect(sum(rows, 'credit')).toBe(sum(rows, 'debit'));
  });

  test('cash and bank is what the entries of money ledgers say, and each row drills to the entries that make it', async () => {
    const location =
      (
        await query<{ id: string }>(
          `
            select location as id
            from entries e
            join ledgers l on l.organisation = e.organisation and l.id = e.ledger
            where e.organisation = $1 and l.is_bank
            limit 1
          `,
          [organisation],
        )
      )[0]?.id ?? '';
    await fc.assert(
      fc.asyncProperty(someDay, someDay, fc.boolean(), async (a, b, narrowed) => {
        const [from, to] = a < b ? [a, b] : [b, a];
        const filters = { from, to, ...(narrowed && { location }) };
        const { rows, totals } = await run('cashAndBank', filters);
        const said = await query<{ code: string; opening: string; debit: string; credit: string }>(
          `
            select
              l.code, coalesce(sum(e.debit - e.credit) filter (where e.date < $2), 0) as opening,
              coalesce(sum(e.debit) filter (where e.date >= $2), 0) as debit,
              coalesce(sum(e.credit) filter (where e.date >= $2), 0) as credit
            from ledgers l
            left join entries e
              on e.organisation = l.organisation
                and e.ledger = l.id
                and e.date <= $3
                and ($4::uuid is null or e.location = $4)
            where l.organisation = $1
              and not l.is_group
              and l.active
              and (l.is_bank or l.role in ('cash', 'bank', 'clearing'))
            group by l.code
            order by l.code
          `,
          [organisation, from, to, narrowed ? location : null],
        );
        expect(
          rows.map((r) => [r.code, ...['opening', 'debit', 'credit', 'balance'].map((key) => paise(r[key]))]),
        ).toEqual(
          said.map(({ code, ...s }) => {
            const [opening, debit, credit] = [Number(s.opening), Number(s.debit), Number(s.credit)];
            return [code, opening, debit, credit, opening + debit - credit];
          }),
        );
        for (const key of Object.keys(totals)) expect(moneyText(sum(rows, key))).toBe(totals[key]);
      }),
      { numRuns: 15 },
    );
    const { rows } = await run('cashAndBank', { from: addMonths(today, -3), to: today });
    const moved = rows.filter((row) => row.debit !== '0.00' || row.credit !== '0.00');
    expect(moved.length).toBeGreaterThan(0);
    for (const row of moved) {
      const { filters } = reports.cashAndBank.drill;
      const drilled = Object.fromEntries(Object.entries(filters).map(([filter, key]) => [filter, row[key] ?? '']));
      const entries = await everyRow('generalLedger', drilled);
      expect([moneyText(sum(entries, 'debit')), moneyText(sum(entries, 'credit'))]).toEqual([row.debit, row.credit]);
      const balance = paise(row.balance);
      expect(entries.at(-1)?.balance).toBe(`${moneyText(Math.abs(balance))} ${balance < 0 ? 'Cr' : 'Dr'}`);
    }
  });

  test('the balance sheet balances on any day, and its profit is that of the profit and loss', async () => {
    await fc.assert(
      fc.asyncProperty(someDay, async (asOf) => {
        const { rows } = await run('balanceSheet', { asOf });
        const [liabilities, assets] = rows.filter((r) => r.total).map((r) => r.amount);
        expect(assets).toBe(liabilities);
        const profit = await query<{ profit: string }>(
          `
            select coalesce(sum(e.credit - e.debit), 0) as profit
            from entries e
            join ledgers l on l.organisation = e.organisation and l.id = e.ledger
            where e.organisation = $1 and e.date between $2 and $3 and l.nature in ('income', 'expense')
          `,
          [organisation, financialYearOf(asOf).start, asOf],
        );
        const { rows: account } = await run('profitAndLoss', { from: financialYearOf(asOf).start, to: asOf });
        expect(paise(account.filter((r) => r.total).at(-1)?.amount)).toBe(Number(profit[0]?.profit));
      }),
      { numRuns: 12 },
    );
  });
});

describe('receivables and payables', () => {
  const sides = [
    ['receivablesAgeing', 'outstandingDebtors', '1210'],
    ['payablesAgeing', 'outstandingCreditors', '2110'],
  ] as const;
  const buckets = ['notDue', 'to30', 'to60', 'to90', 'to180', 'over180', 'onAccount'];
  test.each(sides)(
    '%s: its buckets make its total, which is what is outstanding, party by party',
    async (ageing, outstanding) => {
      for (const asOf of [today, addDays(today, -17), addMonths(today, -2)]) {
        const { rows, totals } = await run(ageing, { asOf, by: 'due' });
        expect(rows.length).toBeGreaterThan(1);
        for (const row of rows) {
          expect(buckets.reduce((total, key) => total + paise(row[key]), 0)).toBe(paise(row.total));
          const open = await run(outstanding, { asOf, party: row.partyId ?? '' });
          expect([row.party, open.totals.open]).toEqual([row.party, row.total]);
          expect(moneyText(sum(open.rows, 'open'))).toBe(open.totals.open);
        }
        for (const key of [...buckets, 'total']) expect(moneyText(sum(rows, key))).toBe(totals[key]);
      }
    },
  );
});

describe('the statement of a party', () => {
  const figures = (balance = '') => (balance.endsWith('Cr') ? -1 : 1) * paise(balance.slice(0, -3));

  test.each([
    ['customerStatement', 'outstandingDebtors', 'receivable', 1],
    ['supplierStatement', 'outstandingCreditors', 'payable', -1],
  ] as const)(
    '%s runs from its opening balance to what is open, whenever it begins',
    async (report, outstanding, opens, sign) => {
      const parties = await query<{ party: string; name: string }>(
        `select o.party, p.name from open_items o join parties p on p.organisation = o.organisation and p.id = o.party
        where o.organisation = $1 and o.side = $2 and o.currency = 'INR' group by 1, 2 order by count(*) desc limit 4`,
        [organisation, opens],
      );
      expect(parties.length).toBeGreaterThan(1);
      for (const { party } of parties)
        for (const to of [today, addDays(today, -23)]) {
          const whole = await run(report, { party, from: '2020-04-01', to });
          const closing = whole.rows.find((r) => r.number === 'Closing balance');
          const due = await run(outstanding, { asOf: to, party });
          expect(figures(closing?.balance)).toBe(sign * paise(due.totals.open));
          const foot = whole.rows.slice(whole.rows.findIndex((r) => r.number?.startsWith('Age from')) + 1);
          if (due.rows.length > 0)
            expect(foot.reduce((t, r) => t + figures(r.balance), 0)).toBe(figures(closing?.balance));
          const from = addDays(to, -30);
          const late = await run(report, { party, from, to });
          expect(late.rows.find((r) => r.number === 'Closing balance')?.balance).toBe(closing?.balance);
          const [opening] = late.rows;
          const before = whole.rows.filter((r) => r.document && (r.date ?? '') < from);
          expect(figures(opening?.balance)).toBe(sum(before, 'debit') - sum(before, 'credit'));
          expect(late.rows.filter((r) => r.document)).toEqual(
            whole.rows.filter((r) => r.document && (r.date ?? '') >= from),
          );
        }
    },
  );

  test('each document names what it is settled with, as of the last day', async () => {
    const [pair] = await query<{ party: string; credit: string; invoice: string; date: string }>(
      `
        select i.party, c.number as credit, d.number as invoice, a.date::text as date
        from allocations a
        join documents c on c.organisation = a.organisation and c.id = a.credit_document
        join documents d on d.organisation = a.organisation and d.id = a.invoice_document
        join open_items i
          on i.organisation = a.organisation and i.document = a.invoice_document and i.line = a.invoice_line
        where a.organisation = $1
          and i.side = 'receivable'
          and a.amount > 0
          and a.date > d.date
          and not exists (select from cancellations x where x.document in (c.id, d.id))
        limit 1
      `,
      [organisation],
    );
    const { party = '', credit = '', invoice = '', date = '' } = pair ?? {};
    const withOf = async (to: string, number: string) =>
      (await run('customerStatement', { party, from: '2020-04-01', to })).rows.find((r) => r.number === number)?.with;
    expect((await withOf(date, invoice))?.split(', ')).toContain(credit);
    expect((await withOf(date, credit))?.split(', ')).toContain(invoice);
    expect((await withOf(addDays(date, -1), invoice))?.split(', ')).not.toContain(credit);
  });

  test('the account of a party of another organisation is empty, and one is named', async () => {
    const nobody = '0190f3a0-0000-7000-8000-000000000000';
    const { rows } = await run('customerStatement', { party: nobody, from: yearStart(), to: today });
    expect(rows.map((r) => [r.number, r.balance])).toEqual([
      ['Opening balance', '0.00 Dr'],
      ['Closing balance', '0.00 Dr'],
    ]);
    const asked = { report: 'customerStatement', filters: { from: yearStart(), to: today } };
    expect((await owner.call('RunReport', asked)).status).toBe(422);
  });
});

describe('stock', () => {
  test('stock on hand of any day is the sum of its movements at their latest cost, within the chosen place', async () => {
    await fc.assert(
      fc.asyncProperty(someDay, async (asOf) => {
        const rows = await everyRow('stockOnHand', { asOf });
        const said = await query<{ n: number; quantity: string; value: string }>(
          `
            select
              count(*) filter (where quantity <> 0 or value <> 0)::int as n, sum(quantity) as quantity,
              sum(value) as value
            from (
              select
                sum(m.quantity) as quantity,
                sum(
                  (
                    select cost
                    from movement_costs c
                    where (c.organisation, c.document, c.number) = (m.organisation, m.document, m.number)
                    order by revision desc
                    limit 1
                  )
                ) as value
              from movements m
              where m.organisation = $1 and m.date <= $2
              group by m.item, m.location
            ) each
          `,
          [organisation, asOf],
        );
        expect(rows).toHaveLength(said[0]?.n ?? 0);
        expect(sum(rows, 'value')).toBe(Number(said[0]?.value ?? 0));
      }),
      { numRuns: 12 },
    );
    const [place] = (await owner.ask('GetLocationListByUserId', {})) as { id: string; name: string }[];
    const here = await everyRow('stockOnHand', { asOf: today, location: place?.id ?? '' });
    expect(new Set(here.map((r) => r.location))).toEqual(new Set([place?.name]));
  });
});

describe('who may see what', () => {
  test('a user of one location sees that location only, and nothing by naming another', async () => {
    const [here, there] = (await owner.ask('GetLocationListByUserId', {})) as { id: string }[];
    const email = 'accountant@sharma.demo';
    await server.database.owner.query(
      `
        insert into user_locations (organisation, "user", location)
        select u.organisation, u.id, $3::uuid
        from users u
        join people p on p.id = u.person
        where u.organisation = $1 and p.email = $2
      `,
      [organisation, email, here?.id],
    );
    const clerk = await server.signIn(email);
    const filters = { from: yearStart(), to: today };
    expect(await run('trialBalance', filters, clerk)).toEqual(
      await run('trialBalance', { ...filters, location: here?.id ?? '' }),
    );
    expect((await run('trialBalance', filters, clerk)).totals).not.toEqual((await run('trialBalance', filters)).totals);
    for (const report of ['trialBalance', 'dayBook', 'profitAndLoss'] as const) {
      const asked = { report, filters: { ...filters, location: there?.id ?? '' } };
      expect((await clerk.call('RunReport', asked)).status).toBe(404);
    }
    const debtors = await run('outstandingDebtors', { asOf: today }, clerk);
    const [own] = await query<{ open: string }>(
      `
        select coalesce(
          sum(
            case o.side when 'receivable' then open_worth(o.organisation, o) else -open_worth(o.organisation, o) end
          ),
          0
        ) as open
        from open_items o
        join documents d on d.organisation = o.organisation and d.id = o.document
        where o.organisation = $1
          and d.location = $2
          and o.side in ('receivable', 'customerCredit')
          and not exists (select from cancellations c where c.document = d.id)
      `,
      [organisation, here?.id],
    );
    expect(debtors.totals.open).toBe(moneyText(Number(own?.open)));
  });

  test('a user with some locations of a registration sees that part of its return, and gets no file', async () => {
    const registration = server.organisations[0]?.registrations.KA ?? '';
    const filters = { registration, period: today.slice(5, 7) + today.slice(0, 4) };
    const whole = (await run('gstr1', filters)).notes;
    expect(whole).toEqual([expect.stringMatching(/^GSTR-1 of the month/)]);
    const [here] = (await owner.ask('GetLocationListByUserId', {})) as { id: string }[];
    const locations = `
      select u.organisation, u.id, $3::uuid
      from users u
      join people p on p.id = u.person
      where u.organisation = $1 and p.email = $2
    `;
    const known = [organisation, 'owner@sharma.demo', here?.id];
    await query(`insert into user_locations (organisation, "user", location) ${locations}`, known);
    const clerk = await server.signIn('owner@sharma.demo');
    const answer = await run('gstr1', filters, clerk);
    const file = await clerk.call('ExportReport', { report: 'gstr1', filters, format: 'json' });
    await query(`delete from user_locations where (organisation, "user", location) in (${locations})`, known);
    expect(answer.notes).toEqual([...whole, expect.stringMatching(/^Only documents of your locations/)]);
    expect(file.status).toBe(403);
  });

  test('a registration that does not exist has no return', async () => {
    const filters = { registration: '0190f3a0-0000-7000-8000-000000000000', period: '112026' };
    expect((await owner.call('RunReport', { report: 'gstr1', filters })).status).toBe(404);
  });
});

describe('files', () => {
  const first = async (text: string) => (await query<{ id: string }>(text, [organisation]))[0]?.id ?? '';
  const wanted: Readonly<Record<string, () => Promise<string>>> = {
    party: () => first('select party as id from open_items where organisation = $1 limit 1'),
    ledger: () => first("select id from ledgers where organisation = $1 and code = '1210'"),
    item: () =>
      first(
        'select item as id from item_balances where organisation = $1 and quantity > 0 order by quantity desc limit 1',
      ),
    registration: async () => server.organisations[0]?.registrations.KA ?? '',
    period: async () => today.slice(5, 7) + today.slice(0, 4),
    from: async () => addDays(today, -20),
    to: async () => today,
    asOf: async () => today,
    group: async () => 'A.2c',
    what: async () => 'rights', // an export is itself a line of the security log
    location: async () => server.organisations[0]?.locations.BLR ?? '',
  };
  const filtersOf = async (name: ReportName) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(reports[name].filters as Readonly<Record<string, Filter>>)
          .filter(([key, { required }]) => key in wanted && (required || !['party', 'location', 'group'].includes(key)))
          .map(async ([key]) => [key, await wanted[key]?.()]),
      ),
    );
  beforeAll(() => beyondDemo(server, owner));
  test.each(reportNames)('%s as CSV and as XLSX holds what the screen shows', async (name) => {
    const asked = await filtersOf(name);
    const deducted = `select party as id from documents where organisation = $1 and body #>> '{draft,tdsSection}' is not null limit 1`;
    const given = name === 'form16a' ? { ...asked, party: await first(deducted) } : asked;
    const filters = Object.fromEntries(
      Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined),
    );
    const rows = await everyRow(name, filters);
    expect(rows.length).toBeGreaterThan(0);
    const file = async (format: 'csv' | 'xlsx') =>
      Buffer.from(
        ((await owner.ask('ExportReport', { report: name, filters, format })) as { content: string }).content,
        'base64',
      );
    const { columns } = reports[name];
    const shown = rows.map((row) => columns.map((c) => String(row[c.key] ?? '')));
    const [head, ...lines] = parse(await file('csv'), { bom: true, relax_column_count: false }) as string[][];
    expect(head).toEqual(columns.map((c) => c.label));
    expect(lines.slice(0, rows.length)).toEqual(shown);
    const sheet = await readSheet(await file('xlsx'));
    if (filters.party) expect(sheet.slice(0, 3).flat().join(' ')).toMatch(/[a-z]{3}.*, 20\d\d-/);
    const cells = sheet.slice(3, 3 + rows.length);
    const plain = (cell: unknown) => (cell === null ? '' : String(cell));
    const amount = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? String(Number(text)) : text);
    expect(cells.map((line) => line.map(plain).map(amount))).toEqual(shown.map((line) => line.map(amount)));
  });
});
