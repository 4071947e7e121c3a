import { expect, test } from 'vitest';
import { type Screen, type ScreenName, screenNames, screens } from '../../contract/screens.ts';
import { findablesOf } from './findables.ts';
import { findersOf, makersOf } from './makers.ts';
import { entryOf, menuOf } from './menu.ts';

const all = Object.fromEntries(screenNames.map((name) => [screens[name].parent, 5003]));
const registration = {
  id: 'r',
  gstin: null,
  state: '29',
  legalName: 'Sharma',
  filing: [],
  stops: [],
  einvoiceFrom: null,
  address: null,
  annualReturns: {},
  bound: { sixDigits: [], portalDaysFrom: null, deductsOnGoods: [] },
};
const everything = { grants: all, registrations: [{ ...registration, kind: 'regular' as const, statuses: [] }] };
const shown = (name: ScreenName): string => JSON.stringify((screens[name] as Screen).show);

test('something leads to every screen that works: the menu, or what is asked for by name', () => {
  const led = new Set([
    ...menuOf(everything).flatMap(({ entries }) => entries.map(({ name }) => name)),
    ...makersOf(all).map(({ name }) => name),
    ...findersOf(all).map(({ name }) => name),
  ]);
  // what shows the very same is another name of it
  const reached = new Set([...led].map(shown));
  const lost = screenNames.filter(
    (name) => (screens[name] as Screen).show.view !== 'later' && !led.has(name) && !reached.has(shown(name)),
  );
  // of what is never made by hand there is no new one: its list leads to its form
  expect(lost).toEqual(['LedgerPostingCreation']);
});

test('without a grant only what is open to everyone is offered, and nothing is offered twice', () => {
  const offered = [...makersOf({}), ...findersOf({})];
  for (const { name } of offered) expect([0, true]).toContain(screens[name].always || screens[name].level);
  const labels = [...makersOf(all), ...findersOf(all)].map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
});

test('a form, and what shows one record, is under the entry of its list', () => {
  const under = (name: ScreenName) =>
    entryOf(menuOf(everything).find((group) => group.name === screens[name].group)?.entries ?? [], name);
  expect(under('Attributecreation')).toBe('Attributes');
  expect(under('Price List')).toBe('Price Lists');
  expect(under('supplypreview')).toBe('Supply Master');
  expect(under('Terms and Conditions New')).toBe('Terms and Conditions');
  expect(under('Create B2C Invoice')).toBe('Sale Invoice');
  expect(under('saleview')).toBe('Sale Invoice');
  expect(under('TDS Certificate')).toBe('TDS Certificates');
  expect(under('TrialBalance')).toBe('TrialBalance');
  expect(entryOf([], 'saleview')).toBeUndefined();
});

test('without a GST registration the menu has no GST, and nothing else is missing', () => {
  const plain = menuOf({ grants: all, registrations: [{ ...registration, kind: 'unregistered', statuses: [] }] });
  expect(menuOf(everything).filter(({ name }) => name !== 'GST')).toEqual(plain);
  expect(menuOf(everything)).toHaveLength(plain.length + 1);
});

test('without a GST registration nothing of GST is found by its name', () => {
  const plain = findablesOf({ grants: all, registrations: [{ ...registration, kind: 'unregistered', statuses: [] }] });
  const ofGst = findablesOf(everything).filter(({ description }) => description === 'GST');
  expect(ofGst.map(({ label }) => label)).toEqual(expect.arrayContaining(['E-way bill', 'GSTR-1']));
  expect(findablesOf(everything).filter(({ description }) => description !== 'GST')).toEqual(plain);
});
