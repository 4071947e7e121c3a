import { expect, test } from 'vitest';
import { menuUses } from '../../contract/menu-use.ts';
import { type Screen, type ScreenName, screenNames, screens } from '../../contract/screens.ts';
import { generalConfiguration, type Session } from '../../contract/session.ts';
import { findablesOf } from './findables.ts';
import { findersOf, makersOf } from './makers.ts';
import { allOf, entryOf, menuOf } from './menu.ts';

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
type Own = Session['registrations'][number];
/** The session of a firm that has not said what business it is, unless `firm` says so. */
const sessionOf = (kind: Own['kind'], firm: Partial<Session> = {}) => ({
  ...{ grants: all, settings: generalConfiguration.parse({}), used: [], pins: [] },
  ...{ organisation: { code: 'FIRM', name: 'Firm', logo: null, business: null } },
  registrations: [{ ...registration, kind, statuses: [] }],
  ...firm,
});
const businessIs = (business: Session['organisation']['business']) => ({
  organisation: { code: 'FIRM', name: 'Firm', logo: null, business },
});
const everything = sessionOf('regular');
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
  const plain = menuOf(sessionOf('unregistered'));
  expect(menuOf(everything).filter(({ name }) => name !== 'GST')).toEqual(plain);
  expect(menuOf(everything)).toHaveLength(plain.length + 1);
});

test('without a GST registration nothing of GST is found by its name', () => {
  const plain = findablesOf(sessionOf('unregistered'));
  const ofGst = findablesOf(everything).filter(({ description }) => description === 'GST');
  expect(ofGst.map(({ label }) => label)).toEqual(expect.arrayContaining(['E-way bill', 'GSTR-1']));
  expect(findablesOf(everything).filter(({ description }) => description !== 'GST')).toEqual(plain);
});

const shownTo = (session: ReturnType<typeof sessionOf>): string[] =>
  menuOf(session).flatMap(({ entries }) => entries.map(({ screen }) => screen.label));

test('a shop without GST has a dozen entries and its first page; all else is under More', () => {
  const shop = sessionOf('unregistered', businessIs('shop'));
  expect(shownTo(shop)).toEqual([
    ...['Home', 'Sale invoices', 'Cash sales', 'Receipts', 'Purchase bills', 'Payments', 'Expenses'],
    ...['Customers', 'Suppliers', 'Items', 'Stock on hand', 'Cash and bank', 'All reports'],
  ]);
  const labels = (session: ReturnType<typeof sessionOf>) =>
    menuOf(session).flatMap((group) => allOf(group).map(({ name }) => name));
  expect(labels(shop).toSorted()).toEqual(labels(sessionOf('unregistered')).toSorted());
  // and Ctrl K finds the same
  expect(findablesOf(shop).length).toBe(findablesOf(sessionOf('unregistered')).length);
});

test('the first document of a kind, a pin or a setting brings an entry forward', () => {
  const more = {
    used: ['saleOrder', 'posSale', 'transferReceipt'],
    pins: ['Units'],
    settings: generalConfiguration.parse({ enableBarCode: true }),
  };
  const before = shownTo(sessionOf('unregistered', businessIs('shop')));
  const after = shownTo(sessionOf('unregistered', { ...businessIs('shop'), ...more }));
  expect(after.filter((label) => !before.includes(label))).toEqual([
    ...['Sale orders', 'Till bills', 'Till', 'Units', 'Barcodes', 'Branch transfers'],
  ]);
});

test('what GST asks for follows the registration: no GSTR-1 under the composition scheme', () => {
  const gst = (kind: Own['kind']) =>
    menuOf(sessionOf(kind, businessIs('trader')))
      .find(({ name }) => name === 'GST')
      ?.entries.map(({ name }) => name);
  expect(gst('regular')).toEqual(['E-Way Bill', 'gstr1']);
  expect(gst('composition')).toEqual(['E-Way Bill']);
  expect(gst('unregistered')).toBeUndefined();
});

test('a row of use is that of an entry of the menu', () => {
  expect(Object.keys(menuUses).filter((name) => !screens[name as ScreenName].inMenu)).toEqual([]);
});
