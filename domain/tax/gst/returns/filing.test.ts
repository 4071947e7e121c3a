import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addMonths, monthEnd, periodOf } from '../../../base/dates.ts';
import { money } from '../../../base/decimal.ts';
import type { Day } from '../../../document/document.ts';
import { buyer, interLine, line, own } from '../../../testing/returns.ts';
import {
  dueOn,
  type Filer,
  filesQuarterly,
  filingPeriodProblems,
  isFiledFor,
  lastDayOf,
  lateIff,
  markMoved,
  missingBefore,
  noReturnFor,
  outwardReturn,
  returnDays,
} from './filing.ts';
import { type Gstr1, gstr1 } from './gstr1.ts';
import type { ReturnDocument } from './return-document.ts';

const schema = JSON.parse(readFileSync(new URL('../../../facts/gstr1.schema.json', import.meta.url), 'utf8'));
const validate = new Ajv({ strict: false, multipleOfPrecision: 4, allErrors: true }).compile(schema);
const quarterly = [{ from: '2026-10-01', every: 'quarter' }] as const;

let last = 0;
const document = (date: Day, part: Partial<ReturnDocument> = {}): ReturnDocument => {
  last += 1;
  return {
    ...{
      id: `id${last}`,
      number: `INV/${last}`,
      date,
      type: 'INV',
      supplierState: '27',
      placeOfSupply: '27',
      inter: false,
    },
    ...{ party: { category: 'unregistered', name: 'Someone' }, supplyType: 'B2CS', reverseCharge: false },
    ...{ total: money('118'), lines: [line()], cancelled: false, series: 'S' },
    ...part,
  };
};
const registered = { category: 'registered', name: 'Buyer', gstin: buyer } as const;
const sold = (date: Day, part: Partial<ReturnDocument> = {}) =>
  document(date, { party: registered, placeOfSupply: '29', supplyType: 'B2B', lines: [interLine()], ...part });
const credited = (date: Day) => sold(date, { type: 'CRN', against: { number: 'INV/1', date, total: money('118') } });

const drawn = (
  period: string,
  documents: readonly ReturnDocument[],
  furnished: ReadonlyMap<string, string> = new Map(),
) => {
  const { form } = outwardReturn(period, quarterly);
  const made = gstr1(own, period, documents, [], [], { furnished, ...(form === 'IFF' && { iff: true }) });
  validate(made.json);
  expect(validate.errors ?? []).toEqual([]);
  return made;
};
const numbersIn = ({ json }: Gstr1): string[] =>
  [...JSON.stringify(json).matchAll(/"(?:inum|nt_num)":"([^"]+)"/g)].map(([, n]) => n ?? '');

test('a choice is made for whole quarters, and the last one holds', () => {
  expect(filingPeriodProblems([...quarterly, { from: '2026-11-01', every: 'month' }])).toMatchObject([{ row: 1 }]);
  expect(filingPeriodProblems([...quarterly, ...quarterly])).toMatchObject([{ row: 1 }]);
  expect(filingPeriodProblems([{ from: '2020-10-01', every: 'quarter' }])).toMatchObject([{ row: 0 }]);
  const changed = [{ from: '2027-01-01', every: 'month' }, ...quarterly] as const;
  expect(['2026-09-30', '2026-10-01', '2026-12-31', '2027-01-01'].map((day) => filesQuarterly(changed, day))).toEqual([
    ...[false, true, true, false],
  ]);
});

test('what is furnished for a month, over which days, until when', () => {
  expect(outwardReturn('092026', quarterly)).toMatchObject({ form: 'GSTR-1', from: '2026-09-01', due: '2026-10-11' });
  expect(outwardReturn('102026', quarterly)).toMatchObject({ form: 'IFF', to: '2026-10-31', due: '2026-11-13' });
  expect(outwardReturn('112026', quarterly)).toMatchObject({ form: 'IFF', from: '2026-10-01', to: '2026-11-30' });
  expect(outwardReturn('122026', quarterly)).toEqual({
    ...{ form: 'GSTR-1', quarterly: true, from: '2026-10-01', to: '2026-12-31', due: '2027-01-13' },
  });
  const months = ['2026-09', '2026-10', '2026-11', '2026-12'];
  expect(months.map((month) => isFiledFor('GSTR-3B', month, quarterly))).toEqual([true, false, false, true]);
  expect(months.map((month) => isFiledFor('IFF', month, quarterly))).toEqual([false, true, true, false]);
  // Karnataka and Delhi
  expect(dueOn('GSTR-3B', '2026-12-31', true, '29')).toBe('2027-01-22');
  expect(dueOn('GSTR-3B', '2026-12-31', true, '07')).toBe('2027-01-24');
  expect(dueOn('GSTR-3B', '2026-12-31', false, '07')).toBe('2027-01-20');
});

test('CMP-08 is of a quarter, GSTR-4 and GSTR-9 of a year; when each is due', () => {
  const months = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-06', '2026-12'];
  const of = (form: 'CMP-08' | 'GSTR-4' | 'GSTR-9') => months.filter((month) => isFiledFor(form, month, quarterly));
  expect(of('CMP-08')).toEqual(['2026-03', '2026-06', '2026-12']);
  expect([of('GSTR-4'), of('GSTR-9')]).toEqual([['2026-03'], ['2026-03']]);
  expect(returnDays('CMP-08', '2026-06', [])).toEqual({ from: '2026-04-01', to: '2026-06-30' });
  expect(returnDays('GSTR-4', '2026-03', [])).toEqual({ from: '2025-04-01', to: '2026-03-31' });
  expect(returnDays('GSTR-3B', '2026-09', quarterly)).toEqual({ from: '2026-09-01', to: '2026-09-30' });
  expect(returnDays('GSTR-3B', '2026-12', quarterly)).toEqual({ from: '2026-10-01', to: '2026-12-31' });
  expect(dueOn('CMP-08', '2026-06-30', false)).toBe('2026-07-18');
  // 30 April, and from the year 2024-25 on 30 June
  expect(dueOn('GSTR-4', '2024-03-31', false)).toBe('2024-04-30');
  expect(dueOn('GSTR-4', '2025-03-31', false)).toBe('2025-06-30');
});

const regular: Filer = { kind: 'regular', statuses: [], gstin: own, filing: [], marked: new Set() };
const joined: Filer = { ...regular, kind: 'composition', statuses: [{ from: '2026-08-15', kind: 'regular' }] };

test('each return is of the days of its status, and locks up to the last of them', () => {
  const quarter = { from: '2026-07-01', to: '2026-09-30' };
  expect(noReturnFor('GSTR-3B', { ...regular, kind: 'composition' }, quarter)?.message).toContain('files no GSTR-3B');
  expect(noReturnFor('CMP-08', regular, quarter)?.message).toContain('files GSTR-1 and GSTR-3B');
  expect([noReturnFor('CMP-08', joined, quarter)?.message, noReturnFor('GSTR-3B', joined, quarter)?.message]).toEqual([
    undefined,
    undefined,
  ]);
  expect(lastDayOf('CMP-08', joined, quarter)).toBe('2026-08-14');
  expect(lastDayOf('GSTR-1', joined, quarter)).toBe('2026-09-30');
  const left = { ...regular, statuses: [{ from: '2026-08-15', kind: 'composition' }] } as const;
  expect(lastDayOf('GSTR-1', left, { from: '2026-08-01', to: '2026-08-31' })).toBe('2026-08-14');
});

test('what has to be filed first is the earliest that is not marked, since the books have documents', () => {
  const asked = (form: 'GSTR-1' | 'IFF' | 'GSTR-3B' | 'CMP-08' | 'GSTR-4', period: string, by: Filer, since?: Day) =>
    missingBefore(by, { form, period, filedOn: '2027-02-01' }, () => since);
  expect(asked('GSTR-1', '2026-09', regular)).toBeUndefined();
  expect(asked('GSTR-1', '2026-09', regular, '2026-07-31')).toMatchObject({ form: 'GSTR-1', month: '2026-07' });
  const marked = new Set(['GSTR-1 2026-07', 'GSTR-1 2026-08', 'GSTR-3B 2026-07']);
  expect(asked('GSTR-1', '2026-09', { ...regular, marked }, '2026-07-31')).toBeUndefined();
  expect(asked('GSTR-3B', '2026-09', { ...regular, marked }, '2026-07-31')).toMatchObject({
    ...{ form: 'GSTR-3B', month: '2026-08' },
  });
  expect(asked('GSTR-3B', '2026-08', { ...regular, marked }, '2026-07-31')).toBeUndefined();
  expect(asked('GSTR-3B', '2026-09', regular)).toMatchObject({ form: 'GSTR-1', month: '2026-09' });
  // of who files quarterly the quarter before, not its months
  const late = { ...regular, filing: quarterly };
  expect(asked('IFF', '2027-01', late, '2026-10-05')).toMatchObject({ form: 'GSTR-1', month: '2026-12' });
  expect(asked('IFF', '2026-11', late, '2026-10-05')).toBeUndefined();
  // days under composition have no GSTR-1, days before them no CMP-08
  expect(asked('GSTR-1', '2026-09', joined, '2026-05-05')).toMatchObject({ form: 'GSTR-1', month: '2026-08' });
  expect(asked('CMP-08', '2026-09', joined, '2026-05-05')).toMatchObject({ form: 'CMP-08', month: '2026-06' });
  expect(asked('GSTR-4', '2027-03', joined, '2026-08-05')).toMatchObject({ form: 'CMP-08', month: '2026-09' });
  // before October 2022 nothing was asked
  expect(
    missingBefore(regular, { form: 'GSTR-3B', period: '2022-08', filedOn: '2022-09-30' }, () => '2022-01-01'),
  ).toBe(undefined);
});

test('an IFF is marked before the next one and before the return of its quarter', () => {
  const late = (month: string, ...marks: string[]) => lateIff({ ...regular, marked: new Set(marks) }, month)?.message;
  expect(late('2026-10', 'GSTR-1 2026-09', 'IFF 2026-08')).toBeUndefined();
  expect(late('2026-10', 'IFF 2026-11')).toContain('IFF of the next month');
  expect(late('2026-11', 'GSTR-1 2026-12')).toContain('GSTR-1 of its quarter');
});

test('who has marked returns does not file them by other periods', () => {
  const marks = [
    { form: 'GSTR-1', period: '2026-09' },
    { form: 'IFF', period: '2026-10' },
  ] as const;
  expect(markMoved(marks, quarterly, [...quarterly, { from: '2027-01-01', every: 'month' }])).toBeUndefined();
  expect(markMoved(marks, quarterly, [])).toEqual(marks[1]);
  expect(markMoved(marks, [], [{ from: '2026-07-01', every: 'quarter' }])).toEqual(marks[0]);
  expect(markMoved([{ form: 'GSTR-3B', period: '2026-10' }], [], quarterly)).toMatchObject({ form: 'GSTR-3B' });
});

describe('a quarter', () => {
  const days = ['2026-10-05', '2026-11-05', '2026-12-05'] as const;
  const made = () => {
    const invoices = days.map((day) => sold(day));
    const note = credited('2026-11-20');
    const counter = days.map((day) => document(day));
    return { invoices, note, all: [...invoices, note, ...counter] };
  };

  test('without an IFF is the sum of its months, section by section', () => {
    const kind = fc.constantFrom(sold, credited, document);
    const random = fc.array(fc.tuple(kind, fc.integer({ min: 0, max: 2 }), fc.boolean()), { maxLength: 20 });
    fc.assert(
      fc.property(random, (chosen) => {
        const all = chosen.map(([of, month, cancelled]) => ({ ...of(addMonths('2026-10-09', month)), cancelled }));
        const whole = drawn('122026', all);
        const months = days.map((day) =>
          gstr1(
            own,
            periodOf(day),
            all.filter((d) => d.date.slice(0, 7) === day.slice(0, 7)),
          ),
        );
        for (const table of whole.tables) {
          const parts = months.flatMap((m) => m.tables.filter((t) => t.name === table.name));
          for (const of of ['count', 'taxable', 'igst', 'cgst', 'sgst', 'cess', 'value'] as const)
            expect([table.name, of, table[of]]).toEqual([table.name, of, parts.reduce((t, p) => t + p[of], 0)]);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('leaves out what an IFF held, which is in its HSN summary and among its documents all the same', () => {
    const { invoices, note, all } = made();
    const first = drawn(
      '102026',
      all.filter((d) => d.date <= monthEnd('2026-10-01')),
    );
    expect(numbersIn(first)).toEqual([invoices[0]?.number]);
    expect(Object.keys(first.json)).toEqual(['gstin', 'fp', 'b2b']);
    const furnished = new Map([[invoices[0]?.id ?? '', '2026-10']]);
    const second = drawn(
      '112026',
      all.filter((d) => d.date <= monthEnd('2026-11-01')),
      furnished,
    );
    expect(numbersIn(second).toSorted()).toEqual([invoices[1]?.number, note.number].toSorted());
    furnished.set(invoices[1]?.id ?? '', '2026-11').set(note.id, '2026-11');
    const quarter = drawn('122026', all, furnished);
    expect(numbersIn(quarter)).toEqual([invoices[2]?.number]);
    expect(quarter.json).toMatchObject({ fp: '122026' });
    const bare = drawn('122026', all);
    for (const section of ['hsn', 'doc_issue', 'b2cs']) expect(quarter.json[section]).toEqual(bare.json[section]);
    // every rupee of tax once, over the three files
    const tax = (of: Gstr1) =>
      of.tables.filter((t) => !['12', '13'].includes(t.name)).reduce((t, p) => t + p.igst + p.cgst + p.sgst, 0);
    expect(tax(first) + tax(second) + tax(quarter)).toBe(tax(bare));
  });

  test(
    'an invoice that is cancelled and written anew in a later month counts there; furnished before, it has to be corrected at the ' +
      'portal',
    () => {
      const moved = { ...sold('2026-10-05'), cancelled: true };
      const anew = sold('2026-11-05');
      const quarter = drawn('122026', [moved, anew]);
      expect(numbersIn(quarter)).toEqual([anew.number]);
      expect(quarter.tables.find((t) => t.name === '13')?.count).toBe(2);
      expect(quarter.problems).toEqual([]);
      const drawnReturn = drawn('122026', [moved, anew], new Map([[moved.id, '2026-10']]));
      expect(numbersIn(drawnReturn)).toEqual([anew.number]);
      expect(drawnReturn.problems).toMatchObject([
        { document: moved.id, message: expect.stringContaining('IFF of 10-2026') },
      ]);
    },
  );

  test('an IFF takes ₹50 lakh, the oldest first, and nothing is a quarter of nothing', () => {
    const large = ['2026-10-03', '2026-10-01', '2026-10-02'].map((day) => sold(day, { total: money('2500000') }));
    const iff = drawn('102026', large);
    expect(numbersIn(iff).toSorted()).toEqual([large[1]?.number, large[2]?.number].toSorted());
    expect(iff.problems).toMatchObject([{ message: expect.stringContaining('1 later document') }]);
    expect(drawn('122026', []).json).toEqual({ gstin: own, fp: '122026' });
  });
});
