import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, monthEnd } from '../base/dates.ts';
import { paise } from '../base/money.ts';
import {
  challanProblems,
  dueDay,
  headOf,
  lateInterest,
  leftOf,
  sectionOf,
  taxQuarterOf,
  type Withheld,
} from './deposits.ts';

test('tax is due on the 7th of the next month; what was deducted in March on 30 April, what was collected in March on the 7th', () => {
  expect(dueDay('tds', '2026-04-01')).toBe('2026-05-07');
  expect(dueDay('tds', '2026-12-31')).toBe('2027-01-07');
  expect(dueDay('tds', '2026-03-02')).toBe('2026-04-30');
  expect(dueDay('tcs', '2026-03-02')).toBe('2026-04-07');
});

test('interest runs from the month of the deduction for each month or part, once the day is missed', () => {
  const late = (tax: 'tds' | 'tcs', from: string, to: string, rupees = 10_000) =>
    lateInterest(tax, paise(rupees * 100), from, to);
  expect(late('tds', '2026-04-15', '2026-05-07')).toBe(0);
  // a day late is two months: April and May
  expect(late('tds', '2026-04-15', '2026-05-08')).toBe(30_000);
  expect(late('tds', '2026-03-10', '2026-04-30')).toBe(0);
  expect(late('tds', '2026-03-10', '2026-05-01')).toBe(45_000);
  // collected tax was dearer to keep from April 2025 on
  expect(late('tcs', '2025-03-10', '2025-04-08')).toBe(20_000);
  expect(late('tcs', '2025-04-10', '2025-05-08')).toBe(30_000);
});

test('interest runs on whole hundreds of rupees: what is left over is ignored (rule 119A)', () => {
  const late = (amount: number, to: string) => lateInterest('tds', paise(amount), '2026-12-15', to);
  // 1.5 % of 300 for December and January, whatever comes on top of the 300
  for (const amount of [30_000, 33_300, 39_999]) expect([amount, late(amount, '2027-01-08')]).toEqual([amount, 900]);
  expect(late(40_000, '2027-01-08')).toBe(1_200);
  expect(late(9_999, '2027-01-08')).toBe(0);
  // the first day of a month costs as much as its last
  for (const day of ['2027-02-01', '2027-02-28']) expect([day, late(1_234_567, day)]).toEqual([day, 55_400]);
  expect(lateInterest('tcs', paise(1_234_567), '2025-03-10', '2025-04-08')).toBe(24_600);
});

test('law: interest grows with the amount by steps of a hundred rupees, and with the day by steps of a month', () => {
  const amount = fc.integer({ min: 0, max: 1_000_000_000 });
  const days = fc.tuple(fc.nat(800), fc.nat(800), fc.nat(800));
  const law = fc.property(fc.constantFrom('tds', 'tcs'), amount, amount, days, (tax, one, other, [start, to, more]) => {
    const from = addDays('2024-06-10', start);
    const [sooner, later] = [addDays(from, to), addDays(from, to + more)];
    const late = (size: number, day: string) => lateInterest(tax, paise(size), from, day);
    const hundreds = Math.floor(one / 10_000);
    expect(late(one, sooner)).toBe(late(hundreds * 10_000, sooner));
    expect(late(one, later)).toBeGreaterThanOrEqual(late(one, sooner));
    expect(late(one + other, sooner)).toBeGreaterThanOrEqual(late(one, sooner));
    if (sooner <= dueDay(tax, from)) expect(late(one, sooner)).toBe(0);
    else {
      const month = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
      const rate = tax === 'tcs' && from <= '2025-03-31' ? 100 : 150;
      // rupees of each hundred and month, the half of one going up
      expect(late(one, sooner)).toBe(
        Math.floor((hundreds * rate * (month(sooner) - month(from) + 1) + 50) / 100) * 100,
      );
      if (monthEnd(sooner) >= later) expect(late(one, later)).toBe(late(one, sooner));
    }
  });
  fc.assert(law, { numRuns: 500 });
});

test('statement and certificate of a quarter are called and due as the rules of its days say', () => {
  expect(taxQuarterOf('tds', '2026-11-20')).toMatchObject({
    ...{ year: '2026-27', number: 3, start: '2026-10-01', end: '2026-12-31', named: 'Tax year 2026-27' },
    ...{ statementDue: '2027-01-31', certificateDue: '2027-02-15', terms: { certificate: 'Form 131' } },
  });
  expect(taxQuarterOf('tds', '2026-03-31')).toMatchObject({
    ...{ year: '2025-26', number: 4, named: 'Assessment year 2026-27', statementDue: '2026-05-31' },
    ...{ certificateDue: '2026-06-15', terms: { certificate: 'Form 16A', statement: 'Form 26Q' } },
  });
  expect(taxQuarterOf('tcs', '2026-04-01')).toMatchObject({
    ...{ statementDue: '2026-07-15', certificateDue: '2026-07-30' },
    terms: { certificate: 'Form 133', statement: 'Form 143' },
  });
});

test('a section is one by whatever name, and the head follows the deductee', () => {
  expect(sectionOf('tds', '194J')).toMatchObject({ section: '194J(b)', newAct: '393(1) Sl. 6(iii) D(b)' });
  expect(sectionOf('tds', '194C-individual').section).toBe('194C');
  expect(sectionOf('tcs', '206C-scrap')).toMatchObject({ section: '206C(1) scrap', name: 'Scrap' });
  expect(sectionOf('tds', '999')).toEqual({ section: '999', newAct: '', name: '' });
  expect([headOf('AAACM2222A'), headOf('AAAPM2222A'), headOf(null)]).toEqual(['0020', '0021', '0021']);
});

const one: Withheld = {
  ...{ document: 'a', number: 'PB/1', section: '194C', date: '2026-05-10' },
  ...{ withheld: paise(2_000), paid: paise(500) },
};
const asked = {
  section: '194C',
  head: '0020' as const,
  date: '2026-06-07',
  parts: [{ document: 'a', amount: paise(1_500) }],
};
const fields = (more: object, known = [one]) =>
  challanProblems({ ...asked, ...more }, known, '2026-06-10').map(({ field, row }) => `${field} ${row ?? ''}`.trim());

test('a challan is under the major head of its deductees', () => {
  const [company, person] = ['AAACA1111A', 'AAAPA1111A'].map((pan) => ({ ...one, pan }));
  expect(fields({ head: '0021' }, [company ?? one])).toEqual(['head']);
  expect(fields({ head: '0020' }, [person ?? one])).toEqual(['head']);
  expect([...fields({ head: '0020' }, [company ?? one]), ...fields({ head: '0021' }, [person ?? one])]).toEqual([]);
  // nobody knows of which sort a deductee without PAN is
  expect(fields({ head: '0021' }, [{ ...one, pan: null }])).toEqual([]);
});

test('a challan pays one section of one tax year, until its day, and what is left at most', () => {
  expect(fields({})).toEqual([]);
  expect(fields({ parts: [] })).toEqual(['parts']);
  expect(fields({ date: '2026-06-11' })).toEqual(['date']);
  expect(fields({ parts: [{ document: 'a', amount: paise(1_501) }] })).toEqual(['parts 0']);
  expect(fields({ parts: [{ document: 'a', amount: paise(0) }] })).toEqual(['parts 0']);
  expect(fields({ parts: [{ document: 'b', amount: paise(1) }] })).toEqual(['parts 0']);
  expect(fields({ section: '194H' })).toEqual(['parts 0']);
  expect(fields({ date: '2026-05-09' })).toEqual(['parts 0']);
  expect(fields({ parts: [asked.parts[0], asked.parts[0]] })).toEqual(['parts']);
  const before = { ...one, document: 'z', date: '2026-03-31' };
  expect(fields({ parts: [...asked.parts, { document: 'z', amount: paise(1) }] }, [one, before])).toEqual(['parts']);
});

test(
  'whatever challans are asked for in whatever order, no deduction is paid more than was deducted, and a challan is the sum of its ' +
    'parts',
  () => {
    const amount = fc.integer({ min: -5, max: 400 });
    const challan = fc.array(fc.record({ document: fc.constantFrom('a', 'b', 'c'), amount }), { maxLength: 4 });
    const deducted = fc.tuple(fc.nat(600), fc.nat(600), fc.nat(600));
    fc.assert(
      fc.property(deducted, fc.array(challan, { maxLength: 12 }), (sizes, all) => {
        let known = ['a', 'b', 'c'].map(
          (document, at): Withheld => ({ ...one, document, withheld: paise(sizes[at] ?? 0), paid: paise(0) }),
        );
        let allowed = 0;
        for (const typed of all) {
          const parts = typed.map(({ document, amount: size }) => ({ document, amount: paise(size) }));
          if (challanProblems({ ...asked, parts }, known, asked.date).length > 0) continue;
          allowed += parts.reduce((sum, part) => sum + part.amount, 0);
          known = known.map((each) => ({
            ...each,
            paid: paise(each.paid + (parts.find(({ document }) => document === each.document)?.amount ?? 0)),
          }));
        }
        for (const each of known) expect(leftOf(each)).toBeGreaterThanOrEqual(0);
        expect(known.reduce((sum, { paid }) => sum + paid, 0)).toBe(allowed);
      }),
    );
  },
);
