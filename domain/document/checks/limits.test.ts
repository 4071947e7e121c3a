import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '../../base/dates.ts';
import { millionths, money, type Percent, percent, percentage, quantity } from '../../base/decimal.ts';
import { paise } from '../../base/money.ts';
import { sourceLine, untaxed } from '../../testing/source-line.ts';
import { itemFacts } from '../../testing/walk.ts';
import { checked } from '../check.ts';
import type { Discount, Draft, DraftLine } from '../document.ts';
import { type KindName, kindNames, kindOf } from '../kinds/index.ts';
import type { Facts } from '../resolve.ts';
import type { SourceDocument, SourceLine } from '../sources.ts';
import { givesDiscount, isWithin, type Limits, noLimits, widest } from './limits.ts';

const today = '2026-11-23';
const fan = itemFacts({
  ...{
    sku: 'fan',
    service: false,
    stocked: true,
    gstRate: '18',
    treatment: 'taxable',
    cessRate: '0',
    cessPerUnit: '0',
  },
});
const limit = (most: Partial<Limits>): Limits => ({ ...noLimits, ...most });
const factsOf = (limits: Limits, saleRate = '100'): Facts => ({
  own: { registration: 'own', state: '29', kind: 'regular', gstin: '29AAGCS4821F1ZB' },
  party: {
    ...{ id: 'party', name: 'Asha Traders', category: 'registered', state: '29', country: 'IN' },
    ...{ gstin: '29AAACA1111A1Z5', hasPan: true, microSmall: false, creditDays: 0, hasAddress: true },
    address: { line1: '1 Market Road', city: 'Bengaluru', state: '29', pincode: '560001' },
  },
  items: new Map([['fan', { ...fan, hsn: '84145120', saleRate: quantity(saleRate) }]]),
  sources: new Map(),
  roundTotal: true,
  units: new Map([[fan.unit.toUpperCase(), { decimals: 3, uqc: 'NOS' }]]),
  limits,
});
const sold = (more: Partial<DraftLine>): DraftLine => ({
  ...{ item: 'fan', quantity: quantity('1'), rate: quantity('100') },
  ...more,
});
const found = (more: Partial<Draft>, limits: Limits, kind: KindName = 'saleInvoice') =>
  checked(
    kindOf(kind),
    {
      ...{ kind, date: today, registration: 'own', location: 'here', party: 'party', currency: 'INR' },
      ...{ exchangeRate: millionths(1_000_000), lines: [sold({})], ...more },
    },
    factsOf(limits),
    today,
  );
const problems = (more: Partial<Draft>, limits: Limits, kind?: KindName) =>
  found(more, limits, kind).problems.map(({ field, row }) => (row === undefined ? field : `${field} ${row}`));

const limits: fc.Arbitrary<Limits> = fc.record({
  discount: fc.option(fc.integer({ min: 0, max: 1_000_000 }).map(percent)),
  days: fc.option(fc.integer({ min: 0, max: 400 })),
});

describe('the widest limit counts', () => {
  test('it is one of the limits, none is wider, and their order says nothing', () =>
    fc.assert(
      fc.property(fc.array(limits, { minLength: 1 }), (all) => {
        const made = widest(all);
        expect(widest(all.toReversed())).toEqual(made);
        expect(all.every((each) => isWithin(made, each))).toBe(true);
        expect(all.map(({ discount }) => discount)).toContain(made.discount);
        expect(all.map(({ days }) => days)).toContain(made.days);
      }),
    ));
  test('nothing is wider than no limit, and who has no role has none', () =>
    fc.assert(
      fc.property(limits, (one) => {
        expect(widest([])).toEqual(noLimits);
        expect(widest([one, noLimits])).toEqual(noLimits);
        expect(isWithin(noLimits, one)).toBe(true);
        expect(isWithin(one, noLimits)).toBe(one.discount === null && one.days === null);
      }),
    ));
});

describe('how far back a document is dated', () => {
  test('so many days and not one more, whatever the kind', () =>
    fc.assert(
      fc.property(fc.constantFrom(...kindNames), fc.nat(40), fc.nat(40), (kind, days, back) => {
        const said = found({ kind, date: addDays(today, -back) }, limit({ days }), kind).problems;
        const beyond = said.filter(({ field, message }) => field === 'date' && message.startsWith('Your roles'));
        expect(beyond).toHaveLength(back > days ? 1 : 0);
      }),
    ));
  test('it says from which day on', () =>
    expect(found({ date: '2026-11-20' }, limit({ days: 2 })).problems).toMatchObject([
      { field: 'date', message: expect.stringContaining('from 21 Nov 2026 on') },
    ]));
});

describe('how much below the list price is sold', () => {
  const discount: fc.Arbitrary<Discount | undefined> = fc.option(
    fc.integer({ min: 0, max: 900_000 }).map((n) => ({ percent: percent(n) })),
    { nil: undefined },
  );
  const lines = fc.array(
    fc
      .record({
        quantity: fc.integer({ min: 1, max: 5_000 }).map((n) => millionths(n * 1_000)),
        free: fc.constantFrom(0, 0, 0, 1_000_000, 2_000_000).map(millionths),
        rate: fc.integer({ min: 1, max: 20_000 }).map((n) => millionths(n * 10_000)),
        discount,
      })
      .map(({ discount: less, free, ...one }) =>
        sold({ ...one, ...(free > 0 && { freeQuantity: free }), ...(less && { discount: less }) }),
      ),
    { minLength: 1, maxLength: 5 },
  );
  const drafts = fc.record({ lines, discount }).map(({ discount: less, ...one }) => ({
    ...one,
    ...(less && { discount: less }),
  }));

  test('a rate with the tax in it is compared with the list price and its tax', () => {
    const five = limit({ discount: percentage('5') });
    const at = (rate: string) => ({ taxInclusive: true, lines: [sold({ rate: quantity(rate) })] });
    expect(problems(at('100'), five)).toEqual(['lines.discount 0']);
    expect(problems(at('112.08'), five)).toEqual(['lines.discount 0']);
    expect(problems(at('112.10'), five)).toEqual([]);
    expect(problems(at('118'), limit({ discount: percentage('0') }))).toEqual([]);
  });
  test('no line that is let through is further below than the limit says', () =>
    fc.assert(
      fc.property(drafts, fc.integer({ min: 0, max: 1_000_000 }), (draft, most) => {
        const { added, problems: said } = found(draft, limit({ discount: percent(most) }));
        const marked = new Set(said.filter(({ field }) => field === 'lines.discount').map(({ row }) => row));
        added?.priced.lines.forEach((made, row) => {
          const { quantity: sent = 0, freeQuantity = 0, rate = 0 } = draft.lines[row] ?? {};
          // in whole paise and not in the way of the check: quantity and rate have six decimals
          const listed = (BigInt(sent + freeQuantity) * BigInt(Math.max(rate, 100_000_000))) / 10_000_000_000n;
          const paid = made.gross - made.discountAmount - made.documentDiscount;
          const least = Number((listed * BigInt(1_000_000 - most)) / 1_000_000n);
          if (!marked.has(row)) expect(paid).toBeGreaterThanOrEqual(least - 2);
          else expect(paid).toBeLessThan(least + 2);
        });
      }),
    ));
  test('a wider limit finds no more', () =>
    fc.assert(
      fc.property(drafts, limits, limits, (draft, one, other) => {
        const wide = problems(draft, widest([one, other]));
        expect(problems(draft, one)).toEqual(expect.arrayContaining(wide));
        expect(problems(draft, noLimits)).toEqual([]);
      }),
    ));
  test.each<[string, Partial<Draft>, string[]]>([
    ['at the limit', { lines: [sold({ discount: { percent: percentage('10') } })] }, []],
    ['beyond it', { lines: [sold({ discount: { percent: percentage('10.1') } })] }, ['lines.discount 0']],
    ['a lower rate is a discount', { lines: [sold({}), sold({ rate: quantity('89.98') })] }, ['lines.discount 1']],
    ['goods on top are a discount', { lines: [sold({ freeQuantity: quantity('1') })] }, ['lines.discount 0']],
    [
      'one on top of twenty is within it',
      { lines: [sold({ quantity: quantity('20'), freeQuantity: quantity('1') })] },
      [],
    ],
    [
      'what is taken off after tax is a discount, whatever is added beside it',
      {
        lines: [sold({}), sold({})],
        adjustments: [
          { name: 'Less', sign: 'less' as const, amount: money('30'), ledger: 'off' },
          { name: 'Freight', sign: 'add' as const, amount: money('30'), ledger: 'on' },
        ],
      },
      ['lines.discount 0', 'lines.discount 1'],
    ],
    [
      'with the share of the discount of the document',
      { lines: [sold({ discount: { percent: percentage('6') } })], discount: { percent: percentage('6') } },
      ['lines.discount 0'],
    ],
    [
      'a higher rate first is no way round',
      { lines: [sold({ rate: quantity('200'), discount: { percent: percentage('50') } })] },
      ['lines.discount 0'],
    ],
  ])('%s', (_, draft, fields) =>
    expect(problems(draft, limit({ discount: percentage('10') as Percent }))).toEqual(fields),
  );
  const invoice = {
    ...{ id: 'sold', kind: 'saleInvoice', number: 'INV/1', date: today, party: 'party', registration: 'own' },
    ...{ placeOfSupply: '29', currency: 'INR', exchangeRate: millionths(1_000_000), reverseCharge: false },
    ...{ location: 'here', supply: 'intra', supplyType: 'B2B', taxCharged: true, withPayment: false },
    ...{ toLocation: null, partyThen: null, leftRoundOff: paise(0), leftAdjustments: paise(0), leftTcs: paise(0) },
  } as SourceDocument;
  const ten = sourceLine({
    ...{ document: 'sold', line: 1, item: 'fan', unit: fan.unit, quantity: quantity('10'), taxable: paise(100_000) },
    ...{ gstRate: percentage('18'), treatment: 'taxable' },
  });
  const note = (rate: string, sources: Partial<SourceLine> = {}, more: Partial<Draft> = {}): string[] =>
    checked(
      kindOf('saleCreditNote'),
      {
        ...{ kind: 'saleCreditNote', date: today, registration: 'own', location: 'here', party: 'party' },
        ...{ currency: 'INR', exchangeRate: millionths(1_000_000), against: 'sold', reason: 'Post-sale discount' },
        lines: [{ ...sold({ rate: quantity(rate) }), source: { document: 'sold', line: 1 } }],
        ...more,
      },
      {
        ...factsOf(limit({ discount: percentage('10') as Percent })),
        ...{ documents: new Map([['sold', invoice]]), sources: new Map([['sold/1', { ...ten, ...sources }]]) },
      },
      today,
    ).problems.map(({ field }) => field);
  test.each<[string, string, Partial<SourceLine>, string[]]>([
    ['all of the price', '1000', {}, ['lines.rate']],
    ['a tenth of it', '100', {}, []],
    ['more than a tenth', '100.10', {}, ['lines.rate']],
    ['the rest of a tenth', '40', { left: untaxed(paise(94_000)) }, []],
    ['more than notes before have left of a tenth', '41', { left: untaxed(paise(94_000)) }, ['lines.rate']],
    [
      'a tenth of what did not come back',
      '51',
      { leftQuantity: quantity('5'), left: untaxed(paise(50_000)) },
      ['lines.rate'],
    ],
    [
      'with what notes without GST have given',
      '41',
      { financial: { value: paise(6_000), foreign: paise(6_000) } },
      ['lines.rate'],
    ],
  ])('a note that takes off %s', (_, rate, sources, fields) => expect(note(rate, sources)).toEqual(fields));
  test.each<[string, Partial<Draft>, string[]]>([
    ['a discount of a tenth', { amount: money('90'), discountAmount: money('10') }, []],
    ['a discount of more', { amount: money('89'), discountAmount: money('11') }, ['discountAmount']],
    ['a write-off of nearly all', { amount: money('1'), writeOff: money('99') }, ['writeOff']],
    ['both together', { amount: money('88'), discountAmount: money('6'), writeOff: money('6') }, ['discountAmount']],
  ])('a receipt with %s of what it settles', (_, draft, fields) => {
    const all: Partial<Draft> = {
      ...{ moneyLedger: 'bank', lines: [], allocations: [{ document: 'sold', amount: money('100') }], ...draft },
    };
    expect(problems(all, limit({ discount: percentage('10') as Percent }), 'saleReceipt')).toEqual(fields);
    expect(problems(all, noLimits, 'saleReceipt')).toEqual([]);
  });
  test('only where it is ours to give', () => {
    expect(kindNames.filter((name) => givesDiscount(kindOf(name))).toSorted()).toMatchInlineSnapshot(`
      [
        "b2cInvoice",
        "cashSale",
        "overseasSale",
        "posSale",
        "quotation",
        "saleInvoice",
        "saleOrder",
        "saudiInvoice",
        "workflowOrder",
      ]
    `);
  });
});
