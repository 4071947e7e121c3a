import { describe, expect, it, vi } from 'vitest';
import { masterOf } from '../../contract/masters.ts';
import { reportOf } from '../../contract/reports.ts';
import { ranked, seriesOf } from '../home/orders.ts';
import { customRange, rangeOf } from '../home/period.ts';
import { csv, statusWord } from './list/rows.ts';
import { problemsOf } from './master/problems.ts';
import { differences, sectionsOf } from './master/values.ts';
import { drillFilters, drillOf, filterProblems, filterValues, periods } from './report/filters.ts';
import { lockableYears } from './settings/years.ts';
import { nextSteps } from './view/next.ts';

describe('lists', () => {
  it('writes the words of states', () => {
    expect(statusWord({ status: 'partlyPaid', draft: false })).toBe('Part paid');
    expect(statusWord({ status: 'overdue', draft: false })).toBe('Overdue');
    expect(statusWord({ status: 'anything', draft: true })).toBe('Draft');
    expect(statusWord({ status: 'pendingApproval', draft: true })).toBe('Pending approval');
    expect(
      ['paid', 'partlyPaid', 'open', 'cancelled'].map((status) =>
        statusWord({ status, draft: false, kind: 'saleReceipt' }),
      ),
    ).toEqual(['Settled', 'Part settled', 'On account', 'Cancelled']);
    expect(statusWord({ status: 'paid', draft: false, kind: 'bouncedReceipt' })).toBe('Settled');
    expect(statusWord({ status: 'paid', draft: false, kind: 'saleInvoice' })).toBe('Paid');
  });
  it('quotes cells and keeps formulas from running in a spreadsheet', () => {
    const columns = [
      { label: 'A', cell: ([first]: readonly string[]) => first ?? '' },
      { label: 'B', isNumber: true, cell: ([, second]: readonly string[]) => second ?? '' },
    ];
    const rows = [
      ['x,"y"', '=1+1'],
      ['-5', '-5.00'],
      ['-cmd', '-cmd'],
      [' ＝1', '1'],
    ];
    expect(csv(columns, rows)).toBe('A,B\r\n"x,""y""",\'=1+1\r\n\'-5,-5.00\r\n\'-cmd,\'-cmd\r\n\' ＝1,1');
  });
});

describe('next steps', () => {
  const steps = ['saleReturn', 'saleReceipt', 'saleDebitNote'].map((kind) => ({ label: kind, kind }));
  it('puts the receipt first while money is open, and never highlights a return or a note', () => {
    expect(nextSteps(steps, true).primary?.kind).toBe('saleReceipt');
    // what is paid needs nothing: a correction is no next step
    expect(nextSteps(steps, false).primary).toBeUndefined();
    const ordered = ['advancePayment', 'purchaseBill'].map((kind) => ({ label: kind, kind }));
    expect(nextSteps(ordered, false).primary?.kind).toBe('purchaseBill');
    // an order that is held at a stage takes money in advance and nothing else
    expect(nextSteps(ordered.slice(0, 1), false).primary).toBeUndefined();
    // nor is a paper that only a reverse charge asks for the next step of every payment
    expect(nextSteps([{ label: 'paymentVoucher', kind: 'paymentVoucher' }], false).primary).toBeUndefined();
    expect(nextSteps(steps.slice(0, 1), true)).toEqual({
      primary: undefined,
      others: [{ label: 'saleReturn', kind: 'saleReturn' }],
    });
  });
});

describe('masters', () => {
  const party = masterOf('customer');
  it('puts fields into their sections, in order', () => {
    expect(party && sectionsOf(party).map(([name]) => name)).toEqual(['Party', 'Terms', 'Addresses', 'Contacts']);
  });
  it('finds what is missing by the server’s own check', () => {
    const fields = party?.fields ?? {};
    expect(
      problemsOf(fields, { name: '', category: 'registered', state: '36', gstin: '36AAAA' }).map(
        (problem) => problem.field,
      ),
    ).toEqual(['name', 'gstin']);
    expect(problemsOf(fields, { name: 'Shree', category: 'registered', state: '36' })).toEqual([]);
  });
  it('merges changes of both sides and asks only where both changed the same field', () => {
    const fields = {
      name: { label: 'Name', type: 'text' },
      phone: { label: 'Phone', type: 'text' },
      email: { label: 'E-mail', type: 'email' },
    } as const;
    const opened = { name: 'A', phone: '1', email: '' };
    const { both, others, merged } = differences(
      fields,
      opened,
      { ...opened, name: 'mine', phone: '2' },
      { ...opened, name: 'theirs', email: 'x@y.z' },
    );
    expect(both).toEqual([{ field: 'name', mine: 'mine', theirs: 'theirs' }]);
    expect(others).toEqual([{ field: 'email', mine: opened.email, theirs: 'x@y.z' }]);
    expect(merged).toEqual({ name: 'mine', phone: '2', email: 'x@y.z' });
  });
  it('merges levels screen by screen, and asks only where both gave the same screen another', () => {
    const fields = { levels: { label: 'Levels', type: 'levels' } } as const;
    const of = (levels: Record<string, number>) => ({ levels });
    const merge = (mine: Record<string, number>, theirs: Record<string, number>) =>
      differences(fields, of({ A: 5000, B: 5000 }), of(mine), of(theirs));
    const apart = merge({ A: 5003, B: 5000 }, { A: 5000, C: 5001 });
    expect([apart.both, apart.merged]).toEqual([[], of({ A: 5003, B: 0, C: 5001 })]);
    expect(merge({ A: 5003, B: 5000 }, { A: 5001, B: 5000 }).both).toHaveLength(1);
  });
});

describe('reports', () => {
  const report = reportOf('trialBalance');
  const session = { today: '2026-11-21', registrations: [], locations: [], taxLocation: null };
  it('starts a return with the registration of the chosen location', () => {
    const gstr1 = reportOf('gstr1');
    if (!gstr1) throw new Error('no GSTR-1');
    const own = (id: string) => ({
      id,
      gstin: null,
      state: '29',
      legalName: '',
      kind: 'regular' as const,
      statuses: [],
      stops: [],
      filing: [],
      einvoiceFrom: null,
      address: null,
      annualReturns: {},
      bound: { sixDigits: [], portalDaysFrom: null, deductsOnGoods: [] },
    });
    const place = {
      id: 'blr',
      code: 'BLR',
      name: 'Bengaluru',
      isTax: true,
      isPhysical: true,
      registration: 'KA',
      address: null,
    };
    const two = { ...session, registrations: [own('MH'), own('KA')], locations: [place] };
    expect(filterValues(gstr1, {}, { ...two, taxLocation: 'blr' }).registration).toBe('KA');
    // with All it is that of a new document: of the place, and of several places the one that was used last
    expect(filterValues(gstr1, {}, two).registration).toBe('KA');
    expect(filterValues(gstr1, {}, { ...two, locations: [] }).registration).toBe('MH');
    vi.stubGlobal('localStorage', { getItem: () => 'pun' });
    const both = [place, { ...place, id: 'pun', registration: 'MH' }];
    expect(filterValues(gstr1, {}, { ...two, locations: both }).registration).toBe('MH');
    expect(filterValues(gstr1, {}, { ...two, locations: both, taxLocation: 'blr' }).registration).toBe('KA');
    vi.unstubAllGlobals();
  });
  it('starts with the financial year and refuses an end before its start', () => {
    if (!report) throw new Error('no trial balance');
    const values = filterValues(report, {}, session);
    expect(values).toEqual({ closing: '', from: '2026-04-01', to: '2026-11-21', location: '' });
    expect(filterProblems(report, values, session)).toEqual({});
    expect(filterProblems(report, { ...values, to: '2026-03-31' }, session)).toEqual({
      to: 'End Date should be greater than Start Date',
    });
    expect(filterProblems(report, { ...values, from: '2001-04-01' }, session)).toEqual({
      from: 'Choose a period of at most 10 years',
    });
    expect(filterProblems(report, { ...values, from: '' }, session)).toEqual({ from: 'From is required' });
  });
  it('refuses a return for a month of before GST, or of the future, at its field', () => {
    const gstr1 = reportOf('gstr1');
    if (!gstr1) throw new Error('no GSTR-1');
    const said = (period: string) => filterProblems(gstr1, { registration: 'KA', period }, session);
    expect(said('112026')).toEqual({});
    expect(said('062017')).toEqual({ period: 'GST began in July 2017' });
    expect(said('122026')).toEqual({ period: 'This month has not begun' });
  });
  it('takes the filters of the next report from the row, then from here', () => {
    expect(
      drillFilters({ ledger: 'ledger', from: 'from', to: 'to' }, { ledger: 'L' }, { from: '2026-04-01', to: '' }),
    ).toEqual({ ledger: 'L', from: '2026-04-01' });
  });
  it('offers 36 periods back from this month', () => {
    const all = periods('2026-02-10');
    expect(all[0]?.value).toBe('022026');
    expect(all[2]?.value).toBe('122025');
    expect(all).toHaveLength(36);
  });
  it('lead a row down the first way for which it has something', () => {
    const report = reportOf('balanceSheet');
    if (!report) throw new Error('no balance sheet');
    expect(drillOf(report, { ledger: 'L', from: '2026-04-01', to: '2026-04-30' })?.report).toBe('generalLedger');
    expect(drillOf(report, { group: 'A.2d', asOf: '2026-04-30', heading: true })?.report).toBe('balanceGroup');
    expect(drillOf(report, { name: 'Total assets', total: true })).toBeUndefined();
  });
});

describe('dashboards', () => {
  it('knows its periods: weeks from Monday, years from April', () => {
    expect(rangeOf('week', '2026-11-22')).toEqual({ StartDate: '2026-11-16', EndDate: '2026-11-22' });
    expect(rangeOf('month', '2026-02-10')).toEqual({ StartDate: '2026-02-01', EndDate: '2026-02-28' });
    expect(rangeOf('year', '2026-03-31')).toEqual({ StartDate: '2025-04-01', EndDate: '2026-03-31' });
  });
  it('refuses a range that ends before it starts, in the words of the specification', () => {
    expect(customRange('2026-11-21', '2026-11-20')).toBe('End Date should be greater than Start Date');
    expect(customRange('2026-11-21', '2026-11-21')).toEqual({ StartDate: '2026-11-21', EndDate: '2026-11-21' });
  });
  it('counts orders by day and type, Sale Returns dashed', () => {
    const range = { StartDate: '2026-11-01', EndDate: '2026-11-03' };
    const counts = [{ orderType: 'Sale', orderDay: '2026-11-02', orderCount: 3 }];
    const { labels, series } = seriesOf(counts, range, '2026-11-21');
    expect(labels).toEqual(['01-11', '02-11', '03-11']);
    expect(series.find((line) => line.name === 'Sale Invoices')?.values).toEqual([0, 3, 0]);
    expect(series.filter((line) => line.dashed).map((line) => line.name)).toEqual(['Sale Returns']);
  });
  it('ends its lines today, for days to come have no figure', () => {
    const { labels, series } = seriesOf([], { StartDate: '2026-11-01', EndDate: '2026-11-30' }, '2026-11-21');
    expect(labels).toHaveLength(30);
    expect(series.map((line) => line.values.length)).toEqual(series.map(() => 21));
  });
  it('ranks items by quantity', () => {
    const rows = [
      { itemSKU: 'a', quantity: '2' },
      { itemSKU: 'b', quantity: '10.5' },
    ];
    expect(ranked(rows, 'fast').map((row) => row.itemSKU)).toEqual(['b', 'a']);
    expect(ranked(rows, 'slow').map((row) => row.itemSKU)).toEqual(['a', 'b']);
  });
});

it('offers every year since 2018-2019 that has ended for locking', () => {
  const years = lockableYears('2026-11-21');
  expect(years[0]).toEqual({ value: '2026-03-31', label: '2025-2026' });
  expect(years.at(-1)).toEqual({ value: '2019-03-31', label: '2018-2019' });
});
