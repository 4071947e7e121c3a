import { describe, expect, test } from 'vitest';
import { money, percentage, quantity } from './decimal.ts';
import type { Draft } from './document.ts';
import { kindOf } from './kinds/index.ts';
import { price } from './price.ts';
import { type Facts, resolve } from './resolve.ts';
import { itemFacts } from './testing/walk.ts';
import { tcsChoices, tdsChoices, tdsEffectOf, withheld } from './withheld.ts';

const advice = itemFacts({
  ...{ sku: 'advice', service: true, stocked: false, gstRate: '18', treatment: 'taxable' },
  ...{ cessRate: '0', cessPerUnit: '0' },
});
const facts = (hasPan = true): Facts => ({
  own: { registration: 'own', state: '29', kind: 'regular' },
  party: {
    ...{ id: 'party', name: 'Asha', category: 'registered', state: '29', country: 'IN', gstin: null, hasPan },
    ...{ microSmall: false, creditDays: 0 },
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
