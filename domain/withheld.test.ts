import { describe, expect, test } from 'vitest';
import { money, percentage, quantity } from './decimal.ts';
import type { Draft } from './document.ts';
import { kindOf } from './kinds/index.ts';
import { price } from './price.ts';
import { type Facts, resolve } from './resolve.ts';
import { itemFacts } from './testing/walk.ts';
import {
  type Certificate,
  deducteeOf,
  lowerOf,
  type TdsStanding,
  tcsChoices,
  tdsAdvice,
  tdsChoices,
  tdsEffectOf,
  withheld,
} from './withheld.ts';

const advice = itemFacts({
  ...{ sku: 'advice', service: true, stocked: false, gstRate: '18', treatment: 'taxable' },
  ...{ cessRate: '0', cessPerUnit: '0' },
});
const facts = (hasPan = true): Facts => ({
  own: { registration: 'own', state: '29', kind: 'regular' },
  party: {
    ...{ id: 'party', name: 'Asha', category: 'registered', state: '29', country: 'IN', gstin: null, hasPan },
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

  test('below nothing, with the one that crosses all of the year, by whichever name', () => {
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
