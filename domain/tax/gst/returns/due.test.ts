import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Day } from '../../../document/document.ts';
import { returnForms } from '../../../facts/gst-returns.ts';
import { returnsDue } from './due.ts';
import { markName } from './filing.ts';

const own: Parameters<typeof returnsDue>[0] = {
  ...{ kind: 'regular', statuses: [], gstin: '27AAACS1234A1ZV', state: '27', filing: [], marked: new Set() },
};
const TODAY = '2026-11-28';
const since = (day: Day) => () => day;
const said = (...asked: Parameters<typeof returnsDue>) =>
  returnsDue(...asked).map(({ form, period, due, over }) => `${form} ${period} ${due}${over ? '' : ' later'}`);

describe('returns that are due', () => {
  test('each month since the books began, and the next one; the annual return of the year', () => {
    expect(said(own, since('2026-09-15'), TODAY)).toEqual([
      'GSTR-1 2026-09 2026-10-11',
      'GSTR-3B 2026-09 2026-10-20',
      'GSTR-1 2026-10 2026-11-11',
      'GSTR-3B 2026-10 2026-11-20',
      'GSTR-1 2026-11 2026-12-11 later',
      'GSTR-3B 2026-11 2026-12-20 later',
      'GSTR-9 2027-03 2027-12-31 later',
    ]);
  });
  test('what is marked is not due, and books without documents have the return of the running period', () => {
    const marked = new Set([markName('GSTR-1', '2026-10'), markName('GSTR-3B', '2026-10')]);
    expect(said({ ...own, marked }, since('2026-10-01'), TODAY).slice(0, 2)).toEqual([
      'GSTR-1 2026-11 2026-12-11 later',
      'GSTR-3B 2026-11 2026-12-20 later',
    ]);
    expect(said(own, () => undefined, TODAY)).toEqual(said({ ...own, marked }, since('2026-10-01'), TODAY));
  });
  test('who files quarterly has no IFF to file, and longer in the states of the north and east', () => {
    const filing = [{ from: '2026-07-01', every: 'quarter' }] as const;
    expect(said({ ...own, filing }, since('2026-07-01'), TODAY).slice(0, 4)).toEqual([
      'GSTR-1 2026-09 2026-10-13',
      'GSTR-3B 2026-09 2026-10-22',
      'GSTR-1 2026-12 2027-01-13 later',
      'GSTR-3B 2026-12 2027-01-22 later',
    ]);
    expect(said({ ...own, filing, state: '09' }, since('2026-07-01'), TODAY)).toContain('GSTR-3B 2026-09 2026-10-24');
  });
  test('a composition dealer pays each quarter and files for the year', () => {
    expect(said({ ...own, kind: 'composition' }, since('2026-08-01'), TODAY)).toEqual([
      'CMP-08 2026-09 2026-10-18',
      'CMP-08 2026-12 2027-01-18 later',
      'GSTR-4 2027-03 2027-06-30 later',
    ]);
  });
  test('nobody registered files anything', () => {
    expect(said({ ...own, kind: 'unregistered', gstin: null }, since('2026-04-01'), TODAY)).toEqual([]);
  });
  test('law: what is listed is not marked, is listed once, and marking it takes it away', () => {
    const months = ['2026-07', '2026-08', '2026-09', '2026-10', '2026-11'];
    fc.assert(
      fc.property(
        fc.subarray(months.flatMap((month) => returnForms.map((form) => markName(form, month)))),
        fc.constantFrom('regular' as const, 'composition' as const, 'sez' as const),
        (names, kind) => {
          const marked = new Set(names);
          const due = returnsDue({ ...own, kind, marked }, since('2026-07-01'), TODAY);
          const listed = due.map(({ form, period }) => markName(form, period));
          expect(new Set(listed).size).toBe(listed.length);
          expect(listed.filter((name) => marked.has(name))).toEqual([]);
          const over = due.filter((each) => each.over).map(({ form, period }) => markName(form, period));
          const after = returnsDue({ ...own, kind, marked: new Set([...marked, ...over]) }, since('2026-07-01'), TODAY);
          expect(after.filter((each) => each.over)).toEqual([]);
        },
      ),
    );
  });
});
