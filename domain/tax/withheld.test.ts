import { describe, expect, test } from 'vitest';
import { money, percent, percentage, percentText, quantity } from '../base/decimal.ts';
import { paise } from '../base/money.ts';
import type { Draft } from '../document/document.ts';
import { kindOf } from '../document/kinds/index.ts';
import { price } from '../document/price.ts';
import { type Facts, resolve } from '../document/resolve.ts';
import { tcsSections, tdsSections } from '../facts/withholding.ts';
import { itemFacts } from '../testing/walk.ts';
import { paymentCodeOf, statementOf } from './deposits.ts';
import {
  type AdvancesBefore,
  borneBy,
  type Certificate,
  deducteeOf,
  lowerOf,
  type PaidBefore,
  sectionProblems,
  standingsOf,
  type TdsStanding,
  tcsChoices,
  tcsEachAbove,
  tdsAdvice,
  tdsChoices,
  tdsEffectOf,
  tdsOnPayment,
  withheld,
} from './withheld.ts';

const advice = itemFacts({
  ...{ sku: 'advice', service: true, stocked: false, gstRate: '18', treatment: 'taxable' },
  ...{ cessRate: '0', cessPerUnit: '0' },
});
const facts = (hasPan = true): Facts => ({
  own: { registration: 'own', state: '29', kind: 'regular' },
  party: {
    ...{
      id: 'party',
      name: 'Asha',
      category: 'registered',
      state: '29',
      country: 'IN',
      gstin: '29AAACA1111A1Z5',
      hasPan,
    },
    ...{ microSmall: false, creditDays: 0, hasAddress: true },
  },
  items: new Map([['advice', advice]]),
  sources: new Map(),
  roundTotal: false,
});
const draft = (more: Partial<Draft>): Draft => ({
  ...{ kind: 'purchaseBill', date: '2026-11-21', registration: 'own', location: 'here', party: 'party' },
  ...{ currency: 'INR', exchangeRate: quantity('1') },
  lines: [{ item: 'advice', quantity: quantity('1'), rate: quantity('10000') }],
  ...more,
});
const bill = kindOf('purchaseBill');
const tdsOf = (more: Partial<Draft>, known = facts()) => {
  const asked = draft(more);
  return price(resolve(bill, asked, { ...known, ...withheld(bill, asked, known) })).tds;
};

describe('a certificate for a lower deduction', () => {
  const certificate = (more: Partial<Certificate> = {}): Certificate => ({
    ...{ id: 'c', number: '197/1', section: '194J(b)', rate: percentage('2'), left: money('5000') },
    ...{ from: '2026-04-01', to: '2027-03-31' },
    ...more,
  });
  const lower = (all: readonly Certificate[], date = '2026-11-21') => lowerOf(all, '194J', date, money('8000'));
  test('by section, day and what is left; the lowest rate of several', () => {
    expect(lower([certificate()])).toMatchObject({ number: '197/1', base: money('5000') });
    expect(lower([certificate()], '2027-04-01')).toBeUndefined();
    expect(lower([certificate({ section: '194C' })])).toBeUndefined();
    expect(lower([certificate({ left: money('0') })])).toBeUndefined();
    expect(lower([certificate({ rate: percentage('10') })])).toBeUndefined();
    const better = certificate({ id: 'd', rate: percentage('1'), left: money('90000') });
    expect(lower([certificate(), better])).toMatchObject({ certificate: 'd', base: money('8000') });
  });
  test('a bill bears its rate as far as it covers it', () => {
    const tdsLower = lowerOf([certificate()], '194J', '2026-11-21', money('10000'));
    // 5,000 at 2 %, the rest at 10 %
    expect(tdsOf({ tdsSection: '194J', ...(tdsLower && { tdsLower }) })).toBe(money('600'));
  });
  test('the advice counts with it', () => {
    const party = { hasPan: true, deductee: 'other', certificates: [certificate({ left: money('90000') })] } as const;
    expect(tdsAdvice('194J', '2026-11-21', money('60000'), [], party)?.tds).toBe(money('1200'));
  });
});

describe('what a document withholds', () => {
  test('the rate of the section on the value without GST', () => {
    expect(tdsOf({ tdsSection: '194J(b)' })).toBe(money('1000'));
    expect(tdsOf({ tdsSection: '194J' })).toBe(money('1000'));
    expect(tdsOf({ tdsSection: '194C' })).toBe(money('200'));
    expect(tdsOf({ tdsSection: '194C-individual' })).toBe(money('100'));
  });
  test('the amount typed wins', () => expect(tdsOf({ tdsSection: '194J', tdsAmount: money('7') })).toBe(money('7')));
  test('without PAN the higher rate of the section', () => {
    expect(tdsOf({ tdsSection: '194C' }, facts(false))).toBe(money('2000'));
    expect(tdsOf({ tdsSection: '194Q' }, facts(false))).toBe(money('500'));
  });
  test('nothing without a section, or before it was law', () => {
    expect(withheld(bill, draft({}), facts())).toEqual({});
    expect(tdsOf({ tdsSection: '194T', date: '2024-04-01' })).toBe(0);
  });
  test('both are held, deducted and collected', () => {
    const both = withheld(bill, draft({ tdsSection: '194Q', tcsSection: '206C-scrap' }), facts());
    expect(both).toMatchObject({ tds: { rate: percentage('0.1') }, tcs: { rate: percentage('2') } });
  });
  test('scrap bore one per cent until March 2026', () => {
    const { tcs } = withheld(bill, draft({ tcsSection: '206C-scrap', date: '2026-03-31' }), facts());
    expect(tcs?.rate).toBe(percentage('1'));
  });
});

test('each section has its ledger', () => {
  expect(tdsEffectOf('194J')).toBe('tdsProfessional');
  expect(tdsEffectOf('194C-individual')).toBe('tdsContractor');
  expect(tdsEffectOf('194-I(a)')).toBe('tdsRent');
  expect(tdsEffectOf('194D')).toBe('tdsCommission');
  expect(tdsEffectOf(undefined)).toBe('tdsOther');
});

test('the sections to choose from are those of the day', () => {
  const names = tdsChoices('2026-11-21').map(({ section }) => section);
  expect(names).toEqual(expect.arrayContaining(['194C', '194C-individual', '194J(b)', '194Q']));
  expect(new Set(names).size).toBe(names.length);
  expect(tcsChoices('2026-11-21').map(({ section }) => section)).not.toContain('206C(1H)');
  expect(tcsChoices('2025-03-01').map(({ section }) => section)).toContain('206C(1H)');
});

describe('what a draft deducts hangs on what its party was paid before', () => {
  const paidBefore = (year: string, deducted = '0', section = '194J(b)'): Facts => ({
    ...facts(),
    tdsBefore: {
      deductee: 'company',
      standings: [
        {
          section,
          ...{ year: money(year), yearDeducted: money(deducted), month: money(year), monthDeducted: money(deducted) },
        },
      ],
    },
  });
  test('below the threshold nothing, with the document that crosses it all of the year', () => {
    expect(tdsOf({ tdsSection: '194J(b)' }, paidBefore('40000'))).toBe(0);
    expect(tdsOf({ tdsSection: '194J(b)' }, paidBefore('40001'))).toBe(money('5000'));
    expect(tdsOf({ tdsSection: '194J(b)' }, paidBefore('90000', '90000'))).toBe(money('1000'));
  });
  test('purchase of goods: only what goes above fifty lakh', () => {
    expect(tdsOf({ tdsSection: '194Q' }, paidBefore('4990000', '0', '194Q'))).toBe(0);
    expect(tdsOf({ tdsSection: '194Q' }, paidBefore('4995000', '0', '194Q'))).toBe(money('5'));
    expect(tdsOf({ tdsSection: '194Q' }, paidBefore('6000000', '0', '194Q'))).toBe(money('10'));
  });
  test('no more than the party is paid; the rest is left for the next document', () => {
    const asked = draft({ tdsSection: '194J(b)' });
    const known = paidBefore('190000');
    const { tds } = withheld(bill, asked, known);
    // 20,000 of 2,00,000 are due, the bill is 11,800 with its GST
    expect(tds).toMatchObject({ base: money('118000'), rate: percentage('10') });
    expect(price(resolve(bill, asked, { ...known, ...(tds && { tds }) })).payable).toBe(0);
  });
  test('what was typed counts as what it deducted: by itself, or for more of the year', () => {
    const paid = { section: '194J(b)', month: true, value: 6_000_000, base: 0 };
    const of = (tax: number) =>
      standingsOf([{ ...paid, typed: [{ value: 2_000_000, tax }] }], '2026-11-21', {
        hasPan: true,
        deductee: 'company',
      });
    expect(of(600_000)).toMatchObject([{ year: 6_000_000, yearDeducted: 6_000_000 }]);
    expect(of(40_000)).toMatchObject([{ yearDeducted: 2_000_000, monthDeducted: 2_000_000 }]);
    const apart = { ...paid, month: false, base: 1_000, typed: [] };
    const both = standingsOf([apart, { ...paid, base: 500, typed: [] }], '2026-11-21', {
      hasPan: true,
      deductee: 'company',
    });
    expect(both).toMatchObject([{ year: 12_000_000, yearDeducted: 1_500, month: 6_000_000, monthDeducted: 500 }]);
    expect(
      standingsOf([{ ...paid, section: '?', typed: [{ value: 7, tax: 1 }] }], '2026-11-21', {
        hasPan: true,
        deductee: 'other',
      }),
    ).toMatchObject([{ yearDeducted: 7 }]);
  });
});

describe('a section holds on the day of the document', () => {
  const of = (more: Partial<Draft>) => sectionProblems(bill, draft(more));
  test('one that has ended, is unknown or has no rate for the day is a problem at its field', () => {
    expect(of({})).toEqual([]);
    expect(of({ tdsSection: '194C-individual', tcsSection: '206C-scrap' })).toEqual([]);
    expect(of({ tcsSection: '206C(1H)' })).toEqual([
      { field: 'tcsSection', message: 'Section 206C(1H) ended on 31 Mar 2025: choose another' },
    ]);
    expect(of({ tcsSection: '206C(1H)', date: '2025-03-31' })).toEqual([]);
    expect(of({ tdsSection: '194ZZ' })).toEqual([
      { field: 'tdsSection', message: 'There is no section “194ZZ”: choose one of the list' },
    ]);
    expect(of({ tdsSection: '194ZZ', tdsAmount: money('5') })).toHaveLength(1);
    expect(of({ tdsSection: '194C', date: '2024-04-01' })).toEqual([
      { field: 'tdsSection', message: 'The rate of section 194C for 1 Apr 2024 is not known' },
    ]);
    expect(of({ tdsSection: '194C', date: '2024-04-01', tdsAmount: money('5') })).toEqual([]);
    // kinds that do not take the field have nothing to say of it
    expect(sectionProblems(kindOf('saleReceipt'), draft({ tdsSection: 'x', tcsSection: 'y' }))).toEqual([]);
  });
});

test('tax collected on goods above a value each: by the unit, GST included', () => {
  const sale = kindOf('saleInvoice');
  const of = (lines: readonly (readonly [quantity: string, rate: string])[]) => {
    const asked = draft({
      kind: 'saleInvoice',
      tcsSection: '206C(1F)',
      lines: lines.map(([each, rate]) => ({ item: 'advice', quantity: quantity(each), rate: quantity(rate) })),
    });
    return price(resolve(sale, asked, { ...facts(), ...withheld(sale, asked, facts()) })).tcs;
  };
  expect(of([['1', '100000']])).toBe(0);
  expect(of([['20', '100000']])).toBe(0);
  // 10 lakh is not above 10 lakh: 8,47,457.62 and its tax come to 10,00,000.00
  expect(of([['1', '847457.62']])).toBe(0);
  expect(of([['1', '847457.63']])).toBe(money('10000.00'));
  expect(
    of([
      ['2', '1000000'],
      ['1', '100000'],
    ]),
  ).toBe(money('23600'));
  expect(tcsEachAbove('206C(1F)', '2026-11-21')).toBe(money('1000000'));
  expect(tcsEachAbove('206C-scrap', '2026-11-21')).toBeUndefined();
});

test('tax withheld is rounded once, to the rupee', () => {
  const goods = (rate: string) => ({ lines: [{ item: 'advice', quantity: quantity('1'), rate: quantity(rate) }] });
  expect(tdsOf({ tdsSection: '194Q', ...goods('499.99') })).toBe(0);
  expect(tdsOf({ tdsSection: '194Q', ...goods('500') })).toBe(money('1'));
  expect(tdsAdvice('194H', '2026-11-21', money('20024.99'), [], { hasPan: true, deductee: 'company' })?.tds).toBe(
    money('400'),
  );
  expect(tdsAdvice('194H', '2026-11-21', money('20025'), [], { hasPan: true, deductee: 'company' })?.tds).toBe(
    money('401'),
  );
});

test('sections whose amount is typed, whose threshold is for individuals, and the codes and statements of payments', () => {
  expect(sectionProblems(bill, draft({ tdsSection: '195' }))).toEqual([
    { field: 'tdsAmount', message: 'Section 195 has no rate of its own: enter the amount that is deducted' },
  ]);
  expect(sectionProblems(bill, draft({ tdsSection: '195', tdsAmount: money('5') }))).toEqual([]);
  const of = (deductee: 'individual' | 'company', hasPan: boolean) =>
    tdsAdvice('194-O', '2026-11-21', money('400000'), [], { hasPan, deductee })?.tds;
  expect([of('individual', true), of('company', true), of('individual', false)]).toEqual([
    ...[0, money('400'), money('20000')],
  ]);
  expect(tdsAdvice('194-IA', '2026-11-21', money('6000000'), [], { hasPan: true, deductee: 'individual' })?.tds).toBe(
    money('60000'),
  );
  expect(['194C', '192', '195', 'none'].map(statementOf)).toEqual([
    ...['residents', 'salary', 'nonResidents', 'residents'],
  ]);
  const code = (section: string, pan: string | null, day = '2026-04-01') => paymentCodeOf('tds', section, pan, day);
  expect([code('194C', 'AAAPA1111A'), code('194C', 'AAACA1111A'), code('194J', null)]).toEqual([
    '1023',
    '1024',
    '1027',
  ]);
  expect([code('194C', null, '2026-03-31'), code('194M', null), code('none', null)]).toEqual(['', '', '']);
  // the file of the statement names these too
  expect(['194J(1)(ba)', '194Q', '194T', '192'].map((section) => code(section, null))).toEqual([
    ...['1028', '1031', '1067', '1002'],
  ]);
  expect(paymentCodeOf('tcs', '206C(1) scrap', null, '2026-04-01')).toBe('');
});

test('every code of a payment is dated and says where it is read, and no two sections share one', () => {
  const codes = [...tdsSections, ...tcsSections].flatMap(({ code }) => code ?? []);
  for (const { from, sources } of codes) {
    expect(from).toBe('2026-04-01');
    expect(sources.length).toBeGreaterThan(0);
  }
  const all = codes.flatMap(({ individual, others }) => [...(individual ? [individual] : []), others]);
  expect(new Set(all).size).toBe(all.length);
});

describe('thresholds', () => {
  const earlier = (section: string, year: string, deducted = '0', month = year): TdsStanding => ({
    section,
    year: money(year),
    yearDeducted: money(deducted),
    month: money(month),
    monthDeducted: money(deducted),
  });
  const company = { hasPan: true, deductee: 'company' } as const;
  const on = (section: string, amount: string, standings: readonly TdsStanding[] = []) =>
    tdsAdvice(section, '2026-11-21', money(amount), standings, company);

  test('negative, with the one that crosses all of the year, by whichever name', () => {
    expect(on('194J(b)', '40000')).toMatchObject({ tds: 0, threshold: money('50000'), before: 0 });
    expect(on('194J(b)', '20000', [earlier('194J', '40000')])).toMatchObject({
      tds: money('6000'),
      before: money('40000'),
    });
    expect(on('194J(b)', '20000', [earlier('194J(b)', '60000', '60000')])?.tds).toBe(money('2000'));
    // what was paid under another section does not count
    expect(on('194J(b)', '20000', [earlier('194C', '90000')])?.tds).toBe(0);
  });
  test('rent counts by the month, and an individual contractor bears one per cent', () => {
    expect(on('194-I(b)', '30000', [earlier('194-I(b)', '300000', '0', '10000')])?.tds).toBe(0);
    expect(on('194-I(b)', '45000', [earlier('194-I(b)', '300000', '0', '10000')])?.tds).toBe(money('5500'));
    expect(on('194C-individual', '200000')?.tds).toBe(money('2000'));
    expect(on('no such section', '1')).toBeUndefined();
  });
  test('the fourth letter of the PAN', () => {
    expect(['AAAPA1111A', 'AAAHA1111A', 'AAACA1111A', 'AAAFA1111A', null].map(deducteeOf)).toEqual([
      ...['individual', 'individual', 'company', 'other', 'other'],
    ]);
  });
});

test('tax was borne by the amount at posting; of a typed one a rate of the section is looked for, else it is marked', () => {
  const borne = (
    section: string,
    value: number,
    withheld: number,
    pan: string | null = 'AAACA1111A',
    kept?: object,
  ) => {
    const of = { date: '2026-10-01', value: paise(value), withheld: paise(withheld), pan };
    const { amount, rate, byHand } = borneBy(section, of, kept);
    return [amount, rate === undefined ? undefined : percentText(rate), byHand];
  };
  expect(borne('194C', 100_000_00, 2_000_00)).toEqual([100_000_00, '2', false]);
  expect(borne('194C', 100_000_00, 20_000_00, null)).toEqual([100_000_00, '20', false]);
  // tax is in whole rupees
  expect(borne('194J(b)', 1_234_56, 123_00)).toEqual([1_234_56, '10', false]);
  // of an earlier version the amount was kept, the rate was not
  expect(borne('194J(b)', 10_000_00, 6_000_00, undefined, { base: paise(60_000_00) })).toEqual([
    60_000_00,
    '10',
    false,
  ]);
  expect(borne('194Q', 5_040_000_00, 291_00, undefined, { base: paise(291_333_30), rate: percent(1000) })).toEqual([
    ...[291_333_30, '0.1', false],
  ]);
  // more than the section takes from the document: the year before it bore the tax too
  expect(borne('194J(b)', 10_000_00, 6_000_00)).toEqual([60_000_00, '10', true]);
  expect(borne('194J(b)', 60_000_00, 1_00)).toEqual([60_000_00, '0.0017', true]);
  expect(borne('194C', 0, 0, null)).toEqual([0, '20', false]);
});

describe('advances and bills of one payee', () => {
  const who = { hasPan: true, deductee: 'company' } as const;
  /** Keeps what was posted as the database gives it. */
  const account = () => {
    const paid: PaidBefore[] = [];
    const own = {
      ...{ section: '194C', paid: 0, refunded: 0, taxed: 0, covered: 0, coveredInYear: 0, coveredInMonth: 0 },
    } satisfies AdvancesBefore;
    const standings = () => standingsOf(paid, '2026-11-21', who, [own]);
    return {
      own,
      advance(rupees: number): number {
        const tds = tdsOnPayment('194C', '2026-11-21', money(`${rupees}`), standings(), who)?.tds ?? 0;
        const value = money(`${rupees}`) + tds;
        paid.push({ section: '194C', month: true, value, base: 0, typed: tds > 0 ? [{ value, tax: tds }] : [] });
        own.paid += value;
        own.taxed += tds > 0 ? value : 0;
        return tds;
      },
      bill(rupees: number): number {
        const asked = draft({
          tdsSection: '194C',
          lines: [{ item: 'advice', quantity: quantity('1'), rate: quantity(`${rupees}`) }],
        });
        const known = { ...facts(), tdsBefore: { deductee: 'company' as const, standings: standings() } };
        const { tds } = withheld(bill, asked, known);
        const covered = tds?.covered ?? 0;
        paid.push({
          section: '194C',
          month: true,
          value: money(`${rupees}`) - covered,
          base: tds?.base ?? 0,
          typed: [],
        });
        for (const of of ['covered', 'coveredInYear', 'coveredInMonth'] as const) own[of] += covered;
        return price(resolve(bill, asked, { ...known, ...(tds && { tds }) })).tds;
      },
    };
  };

  test('a bill that was paid in advance bears no tax again, and what goes beyond the advance does', () => {
    const { advance, bill } = account();
    expect(advance(98_000)).toBe(money('2000'));
    expect(bill(60_000)).toBe(0);
    expect(bill(100_000)).toBe(money('1200'));
  });

  test('the limit of the year counts an advance and its bill once', () => {
    const { advance, bill } = account();
    expect([advance(25_000), bill(25_000), advance(25_000), bill(25_000), bill(25_000), bill(25_000)]).toEqual([
      0, 0, 0, 0, 0, 0,
    ]);
    // 1,00,000 so far; now all of the year bears the tax
    expect(bill(5_000)).toBe(money('2100'));
  });

  test('a bill above the single limit bears the tax of its advance, when that was below the limit', () => {
    const { advance, bill } = account();
    expect([advance(10_000), bill(35_000)]).toEqual([0, money('700')]);
  });

  test('an advance that is cancelled counts its bill again', () => {
    const { own, bill } = account();
    own.paid = own.covered = own.coveredInYear = money('120000');
    own.paid = 0;
    expect(bill(10_000)).toBe(money('2600'));
  });

  test('over random sequences tax is deducted once from the larger of what was paid and what was credited', () => {
    for (let seed = 1; seed <= 300; seed++) {
      let state = seed;
      const next = (n: number): number => {
        state = (state * 48_271) % 2_147_483_647;
        return state % n;
      };
      const { advance, bill, own } = account();
      let [tax, credited, open] = [0, 0, 0];
      for (let step = 0; step < 12; step++) {
        const amount = 4_900 * (30 + next(200));
        if (next(2)) {
          tax += advance(amount);
          open += (amount * 50) / 49;
        } else {
          tax += bill(amount);
          credited += amount;
          open = Math.max(0, open - amount);
        }
      }
      // each bill was credited; of the advances only what no bill has used yet was paid ahead of its credit
      expect(Math.abs(tax - 2 * (credited + open)), `seed ${seed}`).toBeLessThan(100 * 12);
      expect(own.covered).toBeLessThanOrEqual(own.paid);
    }
  });
});
