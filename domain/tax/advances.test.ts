import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { millionths, money, ONE, percent, percentage } from '../base/decimal.ts';
import { paise } from '../base/money.ts';
import type { Draft, Priced } from '../document/document.ts';
import { type KindName, kindNames, kindOf } from '../document/kinds/index.ts';
import { price } from '../document/price.ts';
import { type Facts, resolve } from '../document/resolve.ts';
import {
  type AdvanceAmounts,
  type AdvanceFacts,
  advanceProblems,
  partOfAdvance,
  usesAdvance,
  withAdvance,
} from './advances.ts';
import { type AdvanceVoucher, advancesIn } from './gst/returns/advances.ts';

const facts = (advance?: AdvanceFacts): Facts => ({
  own: { registration: 'r', state: '29', kind: 'regular' },
  party: undefined,
  items: new Map(),
  sources: new Map(),
  roundTotal: true,
  ...(advance && { advance }),
});
const draft = (kind: KindName, amount: number, more: Partial<Draft> = {}): Draft => ({
  kind,
  date: '2026-11-20',
  registration: 'r',
  location: 'l',
  currency: 'INR',
  exchangeRate: millionths(ONE),
  lines: [],
  amount: paise(amount),
  ...more,
});
const taxOf = ({ taxable, cgst, sgst, igst, cess }: Priced) => ({ taxable, cgst, sgst, igst, cess });
const none = { taxable: 0, cgst: 0, sgst: 0, igst: 0, cess: 0 };
type Tax = typeof none;
const heads = ['taxable', 'cgst', 'sgst', 'igst', 'cess'] as const;
const add = (a: Tax, b: Tax, sign = 1): Tax =>
  Object.fromEntries(heads.map((head) => [head, a[head] + sign * b[head]])) as Tax;

interface Received {
  readonly amount: number;
  readonly place: string;
  readonly rate: number;
}
const priced = (kind: KindName, draft: Draft, advance?: AdvanceFacts) =>
  taxOf(price(resolve(kindOf(kind), draft, facts(advance))));
const receive = ({ amount, place, rate }: Received): Tax =>
  priced('advanceReceipt', draft('advanceReceipt', amount, { advanceRate: percent(rate), placeOfSupply: place }));
const asFacts = ({ place, rate }: Received, whole: AdvanceAmounts, left: AdvanceAmounts): AdvanceFacts => ({
  ...{ document: 'a', number: 'AR/1', date: '2026-11-01', placeOfSupply: place, rate: percent(rate) },
  ...{ whole, left },
});
const amounts = (amount: number, tax: Tax): AdvanceAmounts => ({ amount, ...tax }) as unknown as AdvanceAmounts;

const receipts = fc.record({
  amount: fc.integer({ min: 1, max: 9_999_999_999_999 }),
  place: fc.constantFrom('29', '27'),
  rate: fc.constantFrom(1_000, 2_500, 15_000, 30_000, 50_000, 180_000, 400_000),
});
/** A step uses a share of what is left, in thousandths (the last of which is all), or takes back an earlier use. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom<KindName>('allocationVoucher', 'advanceRefund'),
    share: fc.integer({ min: 0, max: 1000 }),
    cancels: fc.option(fc.nat({ max: 20 })),
    earlier: fc.boolean(),
  }),
  { maxLength: 12 },
);

describe('law of advances', () => {
  test('tax in is tax out, per head and to the paisa, whatever is adjusted, refunded and cancelled', () => {
    fc.assert(
      fc.property(receipts, steps, (receipt, all) => {
        const whole = receive(receipt);
        const uses: { kind: KindName; amount: number; tax: Tax; earlier: boolean }[] = [];
        const left = () => ({
          amount: receipt.amount - uses.reduce((t, u) => t + u.amount, 0),
          tax: uses.reduce((t, u) => add(t, u.tax, -1), whole),
        });
        const use = (kind: KindName, amount: number, earlier: boolean) => {
          const rest = left();
          const advance = asFacts(receipt, amounts(receipt.amount, whole), amounts(rest.amount, rest.tax));
          const tax = priced(kind, draft(kind, amount, { against: 'a' }), advance);
          for (const head of heads) expect(tax[head]).toBeGreaterThanOrEqual(0);
          for (const head of heads) expect(tax[head]).toBeLessThanOrEqual(rest.tax[head]);
          expect(tax.cgst).toBe(tax.sgst);
          uses.push({ kind, amount, tax, earlier });
        };
        for (const { kind, share, cancels, earlier } of all) {
          const { amount } = left();
          if (cancels !== null) uses.splice(cancels, 1);
          else if (amount > 0) use(kind, Math.max(1, Math.floor((amount * share) / 1000)), earlier);
        }
        if (left().amount > 0) use('allocationVoucher', left().amount, false);
        expect(left()).toEqual({ amount: 0, tax: none });

        // the two tables of the return agree over the life of the advance
        const voucher = (what: AdvanceVoucher['what'], tax: Tax, ofEarlier: boolean): AdvanceVoucher => ({
          ...{ id: '', number: '', date: '2026-11-20', what, ofEarlier, placeOfSupply: receipt.place },
          ...{ inter: receipt.place !== '29', cancelled: false, series: '' },
          lines: [{ rate: percent(receipt.rate), ...tax } as unknown as AdvanceVoucher['lines'][number]],
        });
        const vouchers = [
          voucher('received', whole, false),
          ...uses.map((u) => voucher(u.kind === 'advanceRefund' ? 'refunded' : 'adjusted', u.tax, u.earlier)),
        ];
        const sumOf = (table: '11A' | '11B') =>
          advancesIn(table, vouchers)
            .flatMap((place) => place.lines)
            .reduce((t, { sign, line }) => add(t, line as unknown as Tax, sign), none);
        expect(add(sumOf('11A'), sumOf('11B'), -1)).toEqual(none);
      }),
      { numRuns: 100 },
    );
  });

  test('a part is in proportion to the amount', () => {
    const whole = amounts(11_800, { ...none, taxable: 10_000, cgst: 900, sgst: 900 });
    const half = partOfAdvance({ whole, left: whole }, paise(5_900));
    expect(half).toEqual({ ...none, taxable: 5_000, cgst: 450, sgst: 450 });
    const rest = amounts(5_900, { ...none, taxable: 5_000, cgst: 449, sgst: 451 });
    expect(partOfAdvance({ whole, left: rest }, paise(5_900))).toEqual({
      ...none,
      ...{ taxable: 5_000, cgst: 449, sgst: 451 },
    });
    // more than is left is refused where it is posted; here it takes what there is
    expect(partOfAdvance({ whole, left: rest }, paise(6_000)).cgst).toBe(449);
    const few = amounts(5_900, { ...none, taxable: 5_000, cgst: 3, sgst: 3, cess: 1 });
    expect(partOfAdvance({ whole: { ...whole, cess: paise(50) }, left: few }, paise(2_950))).toEqual({
      ...none,
      ...{ taxable: 2_500, cgst: 3, sgst: 3, cess: 1 },
    });
  });
});

test('a part keeps the heads of its advance though the category of the party has changed', () => {
  const receipt = { amount: 11_800, place: '27', rate: 180_000 };
  const whole = amounts(11_800, receive(receipt));
  const local = { ...facts(asFacts({ ...receipt, place: '29' }, whole, whole)), party: undefined };
  const made = price(resolve(kindOf('advanceRefund'), draft('advanceRefund', 11_800, { against: 'a' }), local));
  expect([made.igst, made.cgst, made.supply, made.taxCharged]).toEqual([1_800, 0, 'inter', true]);
  const ownLocal = amounts(11_800, { ...none, taxable: 10_000, cgst: 900, sgst: 900 });
  const far = facts(asFacts(receipt, ownLocal, ownLocal));
  const back = price(resolve(kindOf('advanceRefund'), draft('advanceRefund', 11_800, { against: 'a' }), far));
  expect([back.igst, back.cgst, back.sgst, back.supply]).toEqual([0, 900, 900, 'intra']);
});

test('tax deducted by the payer is part of the advance', () => {
  const received = priced(
    'advanceReceipt',
    draft('advanceReceipt', 10_620, { tdsAmount: money('11.80'), advanceRate: percentage('18') }),
  );
  expect(received).toEqual({ ...none, taxable: 10_000, cgst: 900, sgst: 900 });
});

describe('rate and place of supply of an advance', () => {
  const whole = amounts(11_800, { ...none, taxable: 10_000, cgst: 900, sgst: 900 });
  const taxed = asFacts({ amount: 11_800, place: '29', rate: 180_000 }, whole, whole);
  const goods = asFacts({ amount: 100, place: '29', rate: 0 }, amounts(100, none), amounts(100, none));
  const kind = kindOf('advanceRefund');
  const of = (more: Partial<Draft>, advance: AdvanceFacts | undefined = taxed, name: KindName = 'advanceRefund') =>
    withAdvance(kindOf(name), draft(name, 100, { against: 'a', ...more }), advance);
  test('are filled where nothing was typed', () => {
    expect(of({})).toMatchObject({ advanceRate: 180_000, placeOfSupply: '29' });
    const typed = { advanceRate: percent(50_000), placeOfSupply: '27' };
    expect(of(typed)).toMatchObject(typed);
    expect(of({}, { ...taxed, rate: percent(1) })).toMatchObject({ advanceRate: 1 });
    expect(of({}, goods)).not.toHaveProperty('advanceRate');
    expect(of({}, { ...taxed, placeOfSupply: null })).not.toHaveProperty('placeOfSupply');
    for (const name of ['supplierAllocation', 'saleReceipt'] as const)
      expect(of({}, taxed, name)).toEqual(draft(name, 100, { against: 'a' }));
    const alone = draft('advanceRefund', 100, { against: 'a' });
    expect(withAdvance(kind, alone, undefined)).toBe(alone);
  });
  const wrong = (more: Partial<Draft>, advance: AdvanceFacts | undefined = taxed, name: KindName = 'advanceRefund') =>
    advanceProblems(kindOf(name), draft(name, 100, { against: 'a', ...more }), advance);
  test('are no others than those of the advance', () => {
    expect(wrong({})).toEqual([]);
    expect(wrong({ advanceRate: percent(180_000), placeOfSupply: '29' })).toEqual([]);
    expect(wrong({ advanceRate: percent(50_000), placeOfSupply: '27' })).toEqual([
      { field: 'advanceRate', message: 'AR/1 was taxed at 18 %' },
      { field: 'placeOfSupply', message: 'The place of supply of AR/1 is Karnataka' },
    ]);
    expect(wrong({ advanceRate: percent(50_000) }, goods)).toEqual([
      { field: 'advanceRate', message: 'AR/1 has no GST' },
    ]);
    expect(wrong({ placeOfSupply: '27' }, { ...taxed, placeOfSupply: null })).toEqual([]);
    expect(wrong({ advanceRate: percent(50_000), placeOfSupply: '27' }, taxed, 'supplierAllocation')).toEqual([]);
    const unknown = draft('advanceRefund', 100, { against: 'a', advanceRate: percent(1) });
    expect(advanceProblems(kind, unknown, undefined)).toEqual([]);
  });
  test('one advance is named, and a refund gives back that one whole', () => {
    expect(advanceProblems(kind, draft('advanceRefund', 100), undefined)).toEqual([
      { field: 'against', message: 'Choose the advance' },
    ]);
    const given = (document: string, amount: number, name: KindName = 'advanceRefund') =>
      wrong({ allocations: [{ document, amount: paise(amount) }] }, taxed, name).map(({ field }) => field);
    expect([given('a', 100), given('b', 100), given('a', 99)]).toEqual([[], ['allocations'], ['allocations']]);
    // not even beside that one
    const both = ['a', 'b'].map((document) => ({ document, amount: paise(100) }));
    expect(wrong({ allocations: both })).toHaveLength(1);
    // what an adjustment names are the invoices that it settles
    expect(given('b', 99, 'allocationVoucher')).toEqual([]);
  });
});

test('the kinds that use advances', () => {
  expect(kindNames.filter((name) => usesAdvance(kindOf(name)))).toEqual([
    'allocationVoucher',
    'advanceRefund',
    'supplierAllocation',
  ]);
});

test('a kind that uses no advance has no problem with one', () => {
  expect(advanceProblems(kindOf('saleReceipt'), draft('saleReceipt', 100), undefined)).toEqual([]);
});
