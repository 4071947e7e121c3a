import { expect, test } from 'vitest';
import { reportOf } from '../../contract/reports.ts';
import { screenNames, screens } from '../../contract/screens.ts';
import { generalConfiguration } from '../../contract/session.ts';
import { reportSynonyms, synonyms } from '../../contract/synonyms.ts';
import { findablesOf } from './findables.ts';
import { meantBy } from './finding.ts';

const grants = Object.fromEntries(screenNames.map((name) => [screens[name].parent, 5003]));
const registrations = [{ kind: 'regular', statuses: [] }] as unknown as Parameters<
  typeof findablesOf
>[0]['registrations'];
const firm = { code: 'FIRM', name: 'Firm', logo: null, business: null };
const settings = generalConfiguration.parse({});
const all = findablesOf({ grants, registrations, settings, organisation: firm, used: [], pins: [] });
const first = (typed: string) => meantBy(typed, all).entries[0]?.label;

test('every other word of the trade finds its screen first', () => {
  const meant = [
    ...Object.entries(synonyms).map(([name, words]) => [screens[name as keyof typeof screens].label, words] as const),
    ...Object.entries(reportSynonyms).map(([name, words]) => [reportOf(name)?.title, words] as const),
  ];
  const wrong = meant.flatMap(([label, words]) =>
    words.flatMap((word) => (first(word) === label ? [] : [`${word}: ${first(word)}, not ${label}`])),
  );
  expect(wrong).toEqual([]);
});

test('a word is that of one screen only, in small letters', () => {
  const words = [...Object.values(synonyms), ...Object.values(reportSynonyms)].flat();
  expect(words.filter((word, at) => words.indexOf(word) !== at || word !== word.toLowerCase())).toEqual([]);
});

test('a number is no part of a word, and what begins with it is found', () => {
  expect(meantBy('12', all).entries).toEqual([]);
  expect(first('f12')).toBe('General configuration');
});

test('what people type finds what they mean', () => {
  const asked = ['physical', 'stock journal', 'cheque', '3b', 'grn', 'goods receipt', 'voucher', 'outstanding'];
  expect(
    [...asked, 'day book', 'trial', 'p&l', 'till', 'new quotation'].map((word) => `${word}: ${first(word)}`),
  ).toEqual([
    'physical: Counts',
    'stock journal: Inventory adjustments',
    'cheque: Receipts',
    '3b: General configuration',
    'grn: Purchase bills',
    'goods receipt: Purchase bills',
    'voucher: Journal vouchers',
    'outstanding: Outstanding debtors',
    'day book: Day book',
    'trial: Trial balance',
    'p&l: Profit and loss',
    'till: Till',
    'new quotation: New quotation',
  ]);
});

test('a screen is found with a typing error, and said to be only near: a record of that name is meant before it', () => {
  expect(first('trail balence')).toBe('Trial balance');
  expect(meantBy('trail balence', all).isNear).toBe(true);
  expect(meantBy('trial balance', all).isNear).toBe(false);
  expect(meantBy('', all)).toEqual({ entries: all, isNear: false });
});
