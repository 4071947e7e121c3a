import { expect, test } from 'vitest';
import type { Session } from '../../../contract/session.ts';
import { millionths, percent } from '../../../domain/base/decimal.ts';
import { zero } from '../../../domain/base/money.ts';
import { itself } from '../../../domain/stock/units.ts';
import { partKey, type TillItem } from '../../../domain/till/till.ts';
import { type Counter, noPrices, type TillView } from '../counter.ts';
import { receiptOf, returnReceipt } from '../paper/receipt.ts';
import { billOf, type Cart, changed, emptyCart, moved, putBack, rateOfScanned, withItem, without } from './cart.ts';
import { linePrices, ownPrice, pricesFrom } from './prices.ts';

const item: TillItem = {
  ...{ id: 'i', sku: 'LED-9W', name: 'LED bulb 9 W', barcode: '8901', service: false, stocked: true, hsn: '85395200' },
  ...{
    unit: 'NOS',
    units: { NOS: itself },
    treatment: 'taxable',
    gstRate: percent(180_000),
    cessRate: percent(0),
  },
  ...{ cessPerUnit: zero, retailPrice: null, saleRate: millionths(95_000_000), purchaseRate: null, mrp: null },
  ...{ incomeLedger: null, expenseLedger: null, creditBlocked: false, scrap: false, parent: null, category: 'lamps' },
};
const counter = (limit: string | null = null, level = 5001): Counter => ({
  session: {
    today: '2026-11-21',
    grants: { PoS: level },
    settings: { autoRoundOffTotals: false },
    registrations: [
      {
        id: 'r',
        gstin: null,
        state: '29',
        legalName: 'Sharma',
        kind: 'regular',
        statuses: [],
        stops: [],
        filing: [],
        einvoiceFrom: null,
        address: null,
        annualReturns: {},
        bound: { sixDigits: [], portalDaysFrom: null, deductsOnGoods: [] },
      },
    ],
  } as unknown as Session,
  till: {
    ...{
      id: 't',
      code: 'T1',
      name: 'Till',
      location: 'l',
      locationName: 'Shop',
      registration: 'r',
      prices: 'saleRate',
    },
    ...{ discountLimit: limit, printWidth: '80', upiId: '', ledgers: { cash: 'C', card: 'D', upi: 'D' } },
    ...{ seller: { legalName: 'Sharma', lines: [] } },
    session: {
      id: 's',
      opened: '',
      openedBy: '',
      closed: null,
      closedBy: null,
      bills: 0,
      total: '0.00',
      difference: null,
      here: true,
      held: true,
    },
    numbers: null,
    einvoice: false,
    now: '2026-11-21T10:00:00.000Z',
  } satisfies TillView,
  items: new Map([['i', item]]),
  party: undefined,
  prices: noPrices,
});
const cartOf = (more: Partial<Cart> = {}): Cart => ({ ...withItem(emptyCart, item, '2', '112.10', 'k1'), ...more });
const problemsOf = (cart: Cart, at = counter()) => {
  const made = billOf(cart, at);
  return 'problems' in made
    ? made.problems.map(({ field, row }) => (row === undefined ? field : `${field}/${row}`))
    : [];
};

test('the same item again is more on its line, unless something is off on that', () => {
  const once = cartOf();
  expect(withItem(once, item, '1.5', '112.10', 'k2').lines).toMatchObject([{ key: 'k1', quantity: '3.5' }]);
  const off = changed(once, 'k1', { discount: '10' });
  const two = withItem(off, item, '1', '112.10', 'k2');
  expect(two.lines.map(({ key, quantity }) => [key, quantity])).toEqual([
    ['k1', '2'],
    ['k2', '1'],
  ]);
  expect([two.selected, moved(two, -1).selected, moved(two, 5).selected, without(two, 'k2').selected]).toEqual([
    'k2',
    'k1',
    'k2',
    'k1',
  ]);
});

test('a line that was removed comes back to its place, once', () => {
  const two = withItem(changed(cartOf(), 'k1', { discount: '10' }), item, '1', '112.10', 'k2');
  const [first] = two.lines;
  if (!first) throw new Error('there are two lines');
  const back = putBack(without(two, 'k1'), first, 0);
  expect(back.lines).toEqual(two.lines);
  expect(back.selected).toBe('k1');
  expect(putBack(back, first, 0)).toBe(back);
});

test('the price of the till has the tax in it', () => {
  expect(ownPrice(counter(), item)).toBe('112.10');
});

test('a price list prices what is scanned by quantity and customer, without a call; the bill says its rates', () => {
  const list = (id: string, appliesTo: 'parties' | 'tills', validTo: string | null = null) => ({
    ...{
      id,
      name: id,
      appliesTo,
      locations: [],
      priority: 0,
      currency: 'INR',
      taxInclusive: false,
      validFrom: null,
      validTo,
    },
  });
  const prices = pricesFrom({
    lists: [
      { list: list('counter', 'tills'), rows: [{ category: 'all', from: '5', discount: '10' }] },
      { list: list('wholesale', 'parties'), rows: [{ item: 'i', rate: '80' }] },
      { list: list('over', 'tills', '2020-01-01'), rows: [{ discount: '90' }] },
    ],
    categories: [{ id: 'lamps', parent: 'all' }],
    cut: false,
  });
  const listed = { ...counter('5'), prices };
  const pricesOf = (cart: Cart, at = listed) =>
    linePrices(cart.lines, at).map(({ rate, list, from }) => [rate, list, from]);
  expect(pricesOf(cartOf())).toEqual([['112.10', undefined, undefined]]);
  const five = changed(cartOf(), 'k1', { quantity: '5' });
  expect(pricesOf(five)).toEqual([['100.89', 'counter', '5']]);
  // what a list takes off is no discount of the cashier's
  expect(billOf(five, listed)).toMatchObject({
    body: { lines: [{ rate: '100.89' }], tenders: [{ amount: '504.45' }] },
  });
  expect(problemsOf({ ...five, discount: '6' }, listed)).toEqual(['discount']);
  const wholesale = list('wholesale', 'parties');
  const party = { id: 'p', priceList: wholesale } as unknown as NonNullable<Counter['party']>;
  expect(pricesOf(five, { ...listed, party })).toEqual([['94.40', 'wholesale', undefined]]);
  // who may not charge tax puts none on
  const session = {
    ...listed.session,
    registrations: [{ id: 'r', kind: 'composition', statuses: [], stops: [] }],
  } as unknown as Session;
  expect(pricesOf(five, { ...listed, session, party })).toEqual([['80.00', 'wholesale', undefined]]);
});

test('a bill as it goes over the wire: the tenders are what stays, the change is a figure of its own', () => {
  const made = billOf(
    cartOf({ given: { cash: '1,000', card: '24.20', upi: '' }, reference: 'R1', name: 'Ravi', phone: '98450' }),
    counter(),
  );
  expect(made).toMatchObject({
    body: {
      ...{ kind: 'posSale', taxInclusive: true, partyName: 'Ravi · 98450', till: { session: 's' } },
      lines: [{ item: 'i', quantity: '2', rate: '112.10' }],
      tenders: [
        { ledger: 'C', mode: 'cash', amount: '200.00' },
        { ledger: 'D', mode: 'card', amount: '24.20', reference: 'R1' },
      ],
      fields: { phone: '98450', change: '800.00' },
    },
  });
});

test('nothing typed is the exact amount in cash', () => {
  expect(billOf(cartOf(), counter())).toMatchObject({ body: { tenders: [{ mode: 'cash', amount: '224.20' }] } });
});

test.each<[string, Partial<Cart>, string[]]>([
  ['too little', { given: { cash: '', card: '', upi: '100' } }, ['cash']],
  ['more than the bill by card', { given: { cash: '', card: '300', upi: '' } }, ['card']],
  ['an amount that is none', { given: { cash: '12x', card: '', upi: '' } }, ['cash']],
  ['a negative amount', { given: { cash: '-5', card: '', upi: '' } }, ['cash']],
  ['on the account of nobody', { onAccount: '224.20' }, ['party']],
  ['a discount above all', { discount: '101' }, ['discount']],
  ['no quantity', { lines: [{ key: 'k', item: 'i', quantity: '0', rate: '1', discount: '' }] }, ['lines.quantity/0']],
  [
    'a quantity that is none',
    { lines: [{ key: 'k', item: 'i', quantity: '1e3', rate: '1', discount: '5x' }] },
    ['lines.quantity/0', 'lines.discount/0'],
  ],
])('%s is named before anything is kept', (_, more, fields) => {
  expect(problemsOf(cartOf(more))).toEqual(fields);
});

test('more off than the till allows is said while the customer is there', () => {
  expect(problemsOf(cartOf({ discount: '10' }), counter('10'))).toEqual([]);
  expect(problemsOf(cartOf({ discount: '10.5' }), counter('10'))).toEqual(['discount']);
  expect(problemsOf(changed(cartOf(), 'k1', { rate: '90' }), counter('10'))).toEqual(['discount']);
  expect(problemsOf(cartOf({ discount: '50' }), counter('10', 5003))).toEqual([]);
});

test.each([
  ['an item with a price goes on at it', {}, undefined, '1', { rate: '112.10' }],
  ['an item without a price is refused', { saleRate: null }, undefined, '1', { refusal: /has no price/ }],
  ['nothing of an item is refused', {}, undefined, '0', { refusal: /more than zero/ }],
  [
    'a serialised item without its serial number is refused',
    { serialised: true },
    undefined,
    '1',
    { refusal: /^Scan/ },
  ],
  ['a serial number goes on the bill once', { serialised: true }, 'A01', '1', { rate: '112.10' }],
  ['two pieces of a serial number are refused', { serialised: true }, 'A01', '2', { refusal: /one piece/ }],
  ['a serial number on this bill is refused', { serialised: true }, 'B01', '1', { refusal: /sold already/ }],
  ['a serial number on a bill that waits is refused', { serialised: true }, 'C01', '1', { refusal: /sold already/ }],
])('scan: %s', (_, more, serial, quantity, expected) => {
  const cart = withItem(emptyCart, item, '1', '112.10', 'k1', { serial: 'B01' });
  const at = { ...counter(), taken: new Map([[partKey('i', 'C01'), 1_000_000]]) };
  const meant = { item: { ...item, ...more }, ...(serial && { serial }) };
  const judged = rateOfScanned(cart, at, meant, quantity);
  if ('refusal' in expected) expect(judged).toEqual({ refusal: expect.stringMatching(expected.refusal) });
  else expect(judged).toEqual(expected);
});

test('the paper of a shop without GST names no HSN and no tax, that of others does', () => {
  const at = (kind: 'regular' | 'unregistered'): Counter => {
    const own = counter();
    const registrations = own.session.registrations.map((each) => ({ ...each, kind }));
    return { ...own, session: { ...own.session, registrations } };
  };
  const receiptAt = (kind: 'regular' | 'unregistered') => {
    const made = billOf(cartOf(), at(kind));
    if ('problems' in made) throw new Error(JSON.stringify(made.problems));
    return receiptOf(cartOf(), at(kind), made.summed);
  };
  const [taxed, plain] = [receiptAt('regular'), receiptAt('unregistered')];
  expect([taxed.title, taxed.lines[0]?.hsn, taxed.taxes.length]).toEqual(['Tax invoice', '85395200', 1]);
  expect([plain.title, plain.lines[0]?.hsn, plain.taxes]).toEqual(['Invoice', '', []]);
  expect(plain.sums.map(({ label }) => label)).not.toContain('Taxable value');
  const back = { lines: [{ item: 'i', quantity: '1', rate: '95' }], against: 'B-1', customer: '' };
  const priced = { lines: [], taxable: '95.00', cgst: '0.00', sgst: '0.00', igst: '0.00', cess: '0.00' } as never;
  const paid = { label: 'Cash', amount: '95.00' };
  const returned = (kind: 'regular' | 'unregistered') => returnReceipt(at(kind), { ...back, priced, paid } as never);
  expect(returned('regular').lines[0]?.hsn).toBe('85395200');
  expect(returned('unregistered').lines[0]?.hsn).toBe('');
  expect(returned('unregistered').sums.map(({ label }) => label)).not.toContain('Taxable value');
});
