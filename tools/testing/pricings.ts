import fc from 'fast-check';
import { millionths, percent } from '../../domain/base/decimal.ts';
import { paise } from '../../domain/base/money.ts';
import type {
  DraftAdjustment,
  DraftCharge,
  GstCategory,
  Pricing,
  PricingLine,
  RegistrationKind,
  Treatment,
} from '../../domain/document/document.ts';

const rates = [0, 2_500, 50_000, 120_000, 180_000, 280_000, 400_000].map(percent);
const states = ['27', '29', '33'];

const line: fc.Arbitrary<PricingLine> = fc
  .record({
    quantity: fc.integer({ min: 1, max: 5_000_000_000 }),
    rate: fc.integer({ min: 0, max: 90_000_000_000 }),
    discount: fc.oneof(
      fc.constant({}),
      fc.integer({ min: 0, max: 1_000_000 }).map((n) => ({ percent: percent(n) })),
    ),
    treatment: fc.constantFrom<Treatment>('taxable', 'taxable', 'taxable', 'exempt', 'nil'),
    gstRate: fc.constantFrom(...rates),
    cessRate: fc.constantFrom(percent(0), percent(0), percent(120_000)),
    cessPerUnit: fc.constantFrom(paise(0), paise(0), paise(40_000)),
    service: fc.boolean(),
    creditBlocked: fc.constantFrom(false, false, false, true),
  })
  .map(({ quantity, rate, ...rest }) => ({
    ...rest,
    description: 'A line',
    hsn: '847130',
    unit: 'NOS',
    stocked: !rest.service,
    quantity: millionths(quantity),
    freeQuantity: millionths(0),
    baseQuantity: millionths(quantity),
    rate: millionths(rate),
  }));

const charge: fc.Arbitrary<DraftCharge> = fc
  .record({
    amount: fc.integer({ min: 0, max: 900_000 }),
    apportion: fc.constantFrom('value' as const, 'quantity' as const),
  })
  .map(({ amount, apportion }) => ({ name: 'Freight', amount: paise(amount), apportion }));

/** Small beside the lines, so that most documents stay positive. */
const adjustment: fc.Arbitrary<DraftAdjustment> = fc
  .record({
    amount: fc.integer({ min: 1, max: 90_000 }),
    sign: fc.constantFrom('add' as const, 'less' as const),
    ledger: fc.constantFrom('deposits', 'donations'),
  })
  .map(({ amount, ...rest }) => ({ name: 'Deposit', amount: paise(amount), ...rest }));

/** Documents of trade with anything in them that a user can type. */
export const pricings: fc.Arbitrary<Pricing> = fc
  .record({
    direction: fc.constantFrom('output' as const, 'input' as const),
    ownKind: fc.constantFrom<RegistrationKind>('regular', 'regular', 'regular', 'composition', 'unregistered', 'sez'),
    category: fc.constantFrom<GstCategory>(
      'registered',
      'registered',
      'composition',
      'unregistered',
      'sezUnit',
      'sezDeveloper',
      'deemedExport',
      'overseas',
      'uinHolder',
      'taxDeductor',
      'isd',
      'ecommerceOperator',
    ),
    partyState: fc.constantFrom(...states),
    place: fc.constantFrom(...states),
    withPayment: fc.boolean(),
    reverseCharge: fc.constantFrom(false, false, true),
    taxInclusive: fc.boolean(),
    withoutTax: fc.constantFrom(false, false, false, true),
    roundTotal: fc.boolean(),
    dollars: fc.option(fc.integer({ min: 1_000_000, max: 130_000_000 }), { nil: undefined }),
    lines: fc.array(line, { minLength: 1, maxLength: 12 }),
    discount: fc.oneof(
      fc.constant({}),
      fc.integer({ min: 0, max: 500_000 }).map((n) => ({ percent: percent(n) })),
    ),
    charges: fc.array(charge, { maxLength: 3 }),
    adjustments: fc.option(fc.array(adjustment, { minLength: 1, maxLength: 3 }), { nil: undefined }),
    /** Of a customer abroad: goods that are delivered here are no export. */
    delivered: fc.constantFrom(false, false, true),
    tcs: fc.constantFrom(
      undefined,
      { section: '206C-scrap', rate: percent(20_000) },
      { section: '206C(1F)', rate: percent(10_000), eachAbove: paise(1_000_000) },
    ),
    tds: fc.constantFrom(undefined, { section: '194C', rate: percent(20_000), base: paise(1_234_567) }),
  })
  .map(({ ownKind, category, partyState, place, dollars, adjustments, tcs, tds, delivered, ...rest }) => ({
    ...rest,
    date: '2026-11-02',
    own: { state: '29', kind: ownKind },
    party: { category, state: partyState, country: category === 'overseas' ? 'US' : 'IN' },
    placeOfSupply: category === 'overseas' && rest.direction === 'output' && !delivered ? '96' : place,
    currency: dollars === undefined ? 'INR' : 'USD',
    exchangeRate: millionths(dollars ?? 1_000_000),
    ...(adjustments && { adjustments }),
    ...(tcs && { tcs }),
    ...(tds && rest.direction === 'input' && { tds }),
  }));
