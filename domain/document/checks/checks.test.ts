import { describe, expect, test } from 'vitest';
import { millionths, money, percentage, quantity } from '../../base/decimal.ts';
import { paise } from '../../base/money.ts';
import type { Effect } from '../../books/effects.ts';
import { endedHeadings, lastHeadings } from '../../facts/hsn-headings.ts';
import { decimalsProblem } from '../../stock/units.ts';
import type { IrpDocument } from '../../tax/gst/portal/irp.ts';
import { hsnProblem, isListed } from '../../tax/gst/rates/hsn.ts';
import { isLawfulRate } from '../../tax/gst/rates/rates.ts';
import type { OwnEnd } from '../../tax/gst/registration/own-places.ts';
import { isCreditBarred, lastDayFor } from '../../tax/gst/returns/time-limits.ts';
import { sourceLine } from '../../testing/source-line.ts';
import { itemFacts } from '../../testing/walk.ts';
import { checked } from '../check.ts';
import type { Day, Draft, DraftLine, GstCategory, RegistrationKind } from '../document.ts';
import { type KindName, kindNames, kindOf } from '../kinds/index.ts';
import { type Facts, type ItemFacts, resolve, usualPlace } from '../resolve.ts';
import type { SourceDocument } from '../sources.ts';
import { checkTyped, portalProblems, pricedChecks, typedChecks, unaccepted, withReasons } from './index.ts';

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
interface Setting {
  readonly item?: Partial<ItemFacts>;
  readonly own?: RegistrationKind;
  readonly category?: GstCategory;
  readonly facts?: Partial<Facts>;
}
const factsOf = ({ item = {}, own = 'regular', category = 'registered', facts = {} }: Setting): Facts => ({
  own: { registration: 'own', state: '29', kind: own, gstin: '29AAGCS4821F1ZB' },
  party: {
    ...{ id: 'party', name: 'Asha Traders', category, state: '29', country: 'IN', gstin: '29AAACA1111A1Z5' },
    ...{ hasPan: true, microSmall: false, creditDays: 0, hasAddress: true },
    address: { line1: '1 Market Road', city: 'Bengaluru', state: '29', pincode: '560001' },
  },
  items: new Map([['fan', { ...fan, hsn: '84145120', ...item }]]),
  sources: new Map(),
  roundTotal: true,
  units: new Map([[fan.unit.toUpperCase(), { decimals: 0, uqc: 'NOS' }]]),
  ...facts,
});
const line: DraftLine = { item: 'fan', quantity: quantity('1'), rate: quantity('100') };
const draftOf = (more: Partial<Draft> = {}): Draft => ({
  ...{ kind: 'saleInvoice', date: today, registration: 'own', location: 'here', party: 'party', currency: 'INR' },
  ...{ exchangeRate: millionths(1_000_000), lines: [line], ...more },
});
const found = (kind: KindName, draft: Partial<Draft>, setting: Setting = {}) =>
  checked(kindOf(kind), draftOf({ kind, ...draft }), factsOf(setting), today);
const fields = (kind: KindName, draft: Partial<Draft>, setting: Setting = {}) =>
  found(kind, draft, setting).problems.map(({ field }) => field);
const codes = (kind: KindName, draft: Partial<Draft>, setting: Setting = {}) =>
  found(kind, draft, setting).warnings.map(({ code, reason }) => [code, reason]);
const originalOn = (originalDate: string) => ({ originalNumber: 'INV-7', originalDate });
const at = (rate: string, more: Partial<DraftLine> = {}) => ({
  lines: [{ ...line, gstRate: percentage(rate), ...more }],
});

describe('rates in force', () => {
  test.each([
    ['12', today, false],
    ['12', '2025-09-22', false],
    ['12', '2025-09-21', true],
    ['28', today, false],
    ['28', '2025-12-10', false],
    ['40', '2025-09-21', false],
    ['40', '2025-09-22', true],
    ['7', today, false],
    ['9', today, false],
    ['99.9999', today, false],
    ['5', today, true],
    // an item that bears a rate bears it: what bears none is nil rated or exempt
    ['0', today, false],
  ])('a sale at %s %% on %s: lawful %s', (rate, date, lawful) =>
    expect(
      // an item that has the rate; 0 % is that of one that has another
      fields('saleInvoice', { date, ...at(rate) }, rate === '0' ? {} : { item: { gstRate: percentage(rate) } }),
    ).toEqual(lawful ? [] : ['lines.gstRate']),
  );
  test('a line bears what its item bears, and the item says where that is changed', () => {
    const says = { field: 'lines.gstRate', row: 0, message: expect.stringContaining('fan is taxable at 18 %') };
    const merchant = { category: 'registered' as const };
    for (const kind of ['saleInvoice', 'cashSale', 'b2cInvoice', 'saleOrder', 'quotation'] as const)
      for (const rate of ['5', '40'])
        expect([kind, found(kind, at(rate)).problems]).toEqual([kind, expect.arrayContaining([says])]);
    for (const treatment of ['exempt', 'nil', 'nonGst'] as const) {
      expect([treatment, fields('saleInvoice', { lines: [{ ...line, treatment }] })]).toEqual([
        ...[treatment, ['lines.treatment']],
      ]);
      // nor is a rate dropped that a treatment does not bear, on any paper
      expect(fields('saleInvoice', at('18', { treatment }))).toEqual(['lines.gstRate']);
      expect(fields('purchaseBill', { reference: 'S-1', ...at('18', { treatment }) })).toEqual(['lines.gstRate']);
      expect(fields('saleInvoice', at('18'), { item: { treatment } })).toEqual([]);
    }
    expect(fields('saleInvoice', at('18'))).toEqual([]);
    // the law of the supply may say otherwise, and so may a day before the rates changed
    expect(fields('saleInvoice', at('0.1'), merchant)).toEqual([]);
    expect(fields('saleInvoice', at('18', { treatment: 'zeroRated' }), { category: 'sezUnit' })).toEqual([]);
    expect(fields('saleInvoice', { date: '2025-09-01', ...at('28') })).toEqual([]);
    // a supplier may have charged another rate: why is said
    expect(codes('purchaseBill', { reference: 'S-1', ...at('5') })).toEqual([['taxOfItem', 'needed']]);
    // a bill of a till that the buyer has already
    const till = { session: 's', counter: 1 } as unknown as NonNullable<Draft['till']>;
    expect(codes('posSale', { ...at('5'), till })).toContainEqual(['tillTaxOfItem', undefined]);
  });
  test('only goods that rule 31D names are taxed on their retail price', () => {
    const printed = { lines: [{ ...line, retailPrice: paise(9_999_900) }] };
    expect(fields('saleInvoice', printed)).toEqual(['lines.retailPrice']);
    expect(fields('saleInvoice', {}, { item: { retailPrice: paise(100_00) } })).toEqual(['lines.item']);
    const masala = { item: { hsn: '21069020', gstRate: percentage('40') } };
    expect(fields('saleInvoice', printed, masala)).toEqual([]);
    const bought = { ...printed, reference: 'S-1' };
    expect(fields('purchaseBill', bought)).toEqual(['lines.retailPrice']);
    expect(fields('purchaseBill', bought, masala)).toEqual([]);
    // an item of ours with a wrong code does not keep a supplier's bill out
    expect(fields('purchaseBill', { reference: 'S-1' }, { item: { retailPrice: paise(100_00) } })).toEqual([]);
    // before rule 31D it was taxed on what the buyer pays
    expect(fields('saleInvoice', { ...printed, date: '2026-01-31' }, masala)).toEqual(['lines.retailPrice']);
  });
  test('0 % is for items that bear none, for exports and for SEZ units', () => {
    expect(fields('saleInvoice', at('0'), { item: { gstRate: percentage('0') } })).toEqual([]);
    expect(fields('saleInvoice', at('0', { treatment: 'nil' }), { item: { treatment: 'nil' } })).toEqual([]);
    expect(fields('saleInvoice', at('0'), { category: 'sezUnit' })).toEqual([]);
    expect(fields('overseasSale', at('0'), { category: 'overseas' })).toEqual([]);
    expect(fields('cashSale', { ...at('0'), moneyLedger: 'cash' })).toEqual(['lines.gstRate']);
    expect(codes('purchaseBill', { reference: 'S-1', ...at('0') })).toEqual([]);
  });
  test('28 % until January 2026 is left to tobacco and pan masala', () => {
    const cigarettes = { item: { hsn: '24022010' } };
    expect(fields('saleInvoice', { date: '2025-12-10', ...at('28') }, cigarettes)).toEqual([]);
    expect(isLawfulRate(percentage('28'), '2026-01-31', '2402')).toBe(true);
    expect(isLawfulRate(percentage('28'), '2026-02-01', '2402')).toBe(false);
    expect(isLawfulRate(percentage('28'), '2025-12-10')).toBe(false);
  });
  test('a note to an invoice of before the change keeps the rate of that day', () => {
    const note = (day: string) => ({ reason: 'x', fields: originalOn(day), ...at('12') });
    expect(fields('saleCreditNote', note('2025-08-01'))).not.toContain('lines.gstRate');
    expect(fields('saleCreditNote', note('2025-10-01'))).toContain('lines.gstRate');
  });
  test('a supplier’s number of more than 16 characters is warned of where its tax is credited', () => {
    const warned = (reference: string, gstRate = '18') =>
      codes('purchaseBill', { reference, ...at(gstRate) }).filter(([code]) => code === 'suppliersNumberLong');
    expect(warned('ABC/2026-27/0001')).toEqual([]);
    expect(warned('ABC/2026-27/00012')).toHaveLength(1);
    expect(warned('ABC/2026-27/00012', '0')).toEqual([]);
  });
  test('a supplier’s bill at an abolished rate is booked with a reason', () => {
    const bill = { reference: 'S-1', ...at('12') };
    expect(fields('purchaseBill', bill)).toEqual([]);
    expect(codes('purchaseBill', bill)).toEqual([['gstRate', 'needed']]);
    expect(codes('purchaseBill', { ...bill, referenceDate: '2025-09-01' })).toEqual([]);
  });
  describe('a rate that changed around the supply (section 14)', () => {
    const asked = (fields: Record<string, string>, rate: string, more: Partial<Draft> = {}, setting: Setting = {}) =>
      found('saleInvoice', { date: '2025-10-05', fields, ...at(rate), ...more }, setting).problems;
    const advice = { item: { service: true, stocked: false, hsn: '998212' } };
    test('without days it is that of the invoice, and the message names the way out', () => {
      expect(asked({}, '12')).toMatchObject([
        { field: 'lines.gstRate', message: expect.stringContaining('section 14') },
      ]);
      expect(asked({}, '7')[0]?.message).not.toContain('section 14');
    });
    test('supplied and paid before the change: the old rate, and not the new one', () => {
      const before = { suppliedOn: '2025-09-10', paidOn: '2025-09-20' };
      expect(asked(before, '12', {}, advice)).toEqual([]);
      expect(asked(before, '40', {}, advice).map(({ field }) => field)).toEqual(['lines.gstRate']);
    });
    test('a service supplied before, invoiced and paid after: the new rate; goods may bear either', () => {
      const supplied = { suppliedOn: '2025-09-10', paidOn: '2025-10-20' };
      expect(asked(supplied, '12', {}, advice).map(({ field }) => field)).toEqual(['lines.gstRate']);
      expect(asked(supplied, '40', {}, { item: { ...advice.item, gstRate: percentage('40') } })).toEqual([]);
      expect([...asked(supplied, '12'), ...asked(supplied, '40')]).toEqual([]);
    });
    test('goods that went on a delivery challan before the change were supplied then', () => {
      const challan = { id: 'c', kind: 'deliveryChallan', number: 'DC/1', date: '2025-09-10', party: 'party' };
      const place = { registration: 'own', location: 'here', toLocation: null, placeOfSupply: null, currency: 'INR' };
      const known = { ...challan, ...place } as unknown as SourceDocument;
      const facts = { documents: new Map([['c', known]]) };
      const made = (rate: string) => asked({}, rate, { against: 'c' }, { facts }).map(({ field }) => field);
      expect(made('12')).not.toContain('lines.gstRate');
      expect(made('9')).toContain('lines.gstRate');
    });
    test('an advance for its order is a payment: its day counts with those of supply and invoice', () => {
      const order = { id: 'order', kind: 'saleOrder', number: 'SO/1', date: '2025-09-01', party: 'party' };
      const place = { registration: 'own', location: 'here', toLocation: null, placeOfSupply: null, currency: 'INR' };
      const facts = (advances?: { date: string; total: number }[]) =>
        ({
          facts: { documents: new Map([['order', { ...order, ...place }]]), ...(advances && { booked: { advances } }) },
        }) as unknown as Setting;
      const made = (suppliedOn: string, rate: string, advances?: { date: string; total: number }[]) =>
        asked({ suppliedOn }, rate, { order: 'order' }, { ...advice, ...facts(advances) })
          .map(({ field }) => field)
          .filter((field) => field === 'lines.gstRate');
      const refused = ['lines.gstRate'];
      const [before, after] = ['2025-09-10', '2025-09-30'];
      const whole = 20_000;
      // supplied and paid before the change, invoiced after it: the old rate
      expect(made(before, '12', [{ date: before, total: whole }])).toEqual([]);
      expect(made(before, '40', [{ date: before, total: whole }])).toEqual(refused);
      // nothing was paid, or only after the change: the new rate
      expect(made(before, '12', [])).toEqual(refused);
      expect(made(before, '12', [{ date: after, total: whole }])).toEqual(refused);
      // paid before, supplied and invoiced after: the new rate
      expect(made(after, '12', [{ date: before, total: whole }])).toEqual(refused);
      // a part of it was paid: either
      expect(made(before, '12', [{ date: before, total: 100 }])).toEqual([]);
      expect(made(before, '40', [{ date: before, total: 100 }])).toEqual([]);
      // a browser has not looked in the books, and leaves it to the server
      expect(made(before, '12')).toEqual([]);
      expect(made(before, '9')).toEqual(refused);
    });
    test('an invoice after its time is made with a warning: goods when they leave, services within 30 or 45 days', () => {
      const late = (suppliedOn: string, item: object = {}) =>
        found('saleInvoice', { date: '2026-11-10', fields: { suppliedOn } }, { item }).warnings.map(({ code }) => code);
      const service = { service: true, stocked: false, hsn: '998212' };
      expect(late('2026-11-10')).not.toContain('invoicedLate');
      expect(late('2026-11-09')).toContain('invoicedLate');
      expect(late('2026-10-11', service)).not.toContain('invoicedLate');
      expect(late('2026-10-10', service)).toContain('invoicedLate');
      expect(late('2026-09-26', { ...service, hsn: '997113' })).not.toContain('invoicedLate');
      expect(late('2026-09-25', { ...service, hsn: '997113' })).toContain('invoicedLate');
    });
    test('the days are days, payment is no day to come, and other documents have none', () => {
      const fieldsOf = (fields: Record<string, string>) => asked(fields, '18').map(({ field }) => field);
      expect(fieldsOf({ suppliedOn: 'yesterday' })).toEqual(['suppliedOn']);
      expect(fieldsOf({ paidOn: '2026-11-24' })).toEqual(['paidOn']);
      expect(fieldsOf({ suppliedOn: '2036-11-24' })).toEqual(['suppliedOn']);
      expect(fields('quotation', { fields: { paidOn: '2025-09-10' } })).toEqual(['paidOn']);
    });
  });
  test('who collects no tax leaves every rate empty: a rate of nothing, the rate of the item and a purchase are fine', () => {
    const own = { own: 'composition' } as const;
    expect(fields('saleInvoice', {}, own)).toEqual([]);
    expect(fields('saleInvoice', at('0'), own)).toEqual([]);
    expect(fields('purchaseBill', { reference: 'S-1', ...at('18') }, own)).toEqual([]);
    for (const rate of ['12', '18']) expect(fields('saleInvoice', at(rate), own)).toEqual(['lines.gstRate']);
    const cess = { lines: [{ ...line, cessRate: percentage('5'), cessPerUnit: money('1') }] };
    expect(fields('saleInvoice', cess, own)).toEqual(['lines.cessRate', 'lines.cessPerUnit']);
    const freight = { code: 'FR', amount: money('10'), gstRate: percentage('18') };
    expect(fields('saleInvoice', { charges: [freight] } as unknown as Partial<Draft>, own)).toContain(
      'charges.gstRate',
    );
    expect(found('saleInvoice', at('18'), own).problems[0]?.message).toContain('section 10(4)');
  });
});

describe('a charge is part of the supply (CGST Act sections 8 and 15(2)(c))', () => {
  const charge = (rate: string | undefined, more: object = {}) => ({
    charges: [
      {
        ...{ name: 'Packing', hsn: '998540', ledger: 'freight', apportion: 'value' as const, amount: money('6899') },
        ...(rate !== undefined && { gstRate: percentage(rate) }),
        ...more,
      },
    ],
  });
  const heater = { lines: [{ ...line, rate: quantity('1') }] };
  const cash = { moneyLedger: 'cash' };
  const note = { reason: 'x', fields: originalOn('2026-11-20') };
  const outward: readonly (readonly [KindName, Partial<Draft>])[] = [
    ...([
      ['saleInvoice', {}],
      ['cashSale', cash],
      ['b2cInvoice', {}],
      ['saleOrder', {}],
      ['quotation', {}],
    ] as const),
    ...([
      ['posSale', {}],
      ['saleDebitNote', note],
      ['saleCreditNote', note],
    ] as const),
  ];
  const one = (kind: KindName, rate: string, more: object = {}, setting: Setting = {}, own: Partial<Draft> = {}) =>
    fields(kind, { ...heater, ...charge(rate, more), ...own }, setting);
  test('its rate is one of the lines, or the one in force for its own SAC', () => {
    for (const [kind, own] of outward) {
      for (const rate of ['0', '0.1', '3', '5', '40'])
        expect([kind, rate, one(kind, rate, {}, {}, own)]).toEqual([kind, rate, ['charges.gstRate']]);
      expect([kind, one(kind, '18', {}, {}, own)]).toEqual([kind, []]);
    }
    expect(one('saleInvoice', '0', { name: 'Consulting', hsn: '998311' })).toEqual(['charges.gstRate']);
    expect(one('saleInvoice', '0.1', { name: 'Consulting', hsn: '998311' })).toEqual(['charges.gstRate']);
    // transport of goods by road has rates of its own, on the day of the document
    expect(one('saleInvoice', '5', { hsn: '996511' })).toEqual([]);
    expect(one('saleInvoice', '12', { hsn: '996511' })).toEqual(['charges.gstRate']);
    const cheap = { item: { gstRate: percentage('5') } };
    expect(one('saleInvoice', '5', {}, cheap)).toEqual([]);
    expect(one('saleInvoice', '18', {}, cheap)).toEqual([]);
    expect(one('saleInvoice', '40', {}, cheap)).toEqual(['charges.gstRate']);
    expect(one('saleInvoice', '5', { hsn: '998311' }, { item: { hsn: '998311', service: true } })).toEqual([
      'charges.gstRate',
    ]);
    const [said] = found('saleInvoice', { ...heater, ...charge('0') }).problems;
    expect(said?.message).toContain('18 %');
  });
  test('none where the supply bears none, and then its treatment is that of the lines', () => {
    for (const treatment of ['exempt', 'nil', 'nonGst'] as const) {
      expect(one('saleInvoice', '0', {}, { item: { treatment } })).toEqual([]);
      const draft = draftOf({ ...heater, ...charge('0') });
      const { lines } = resolve(kindOf('saleInvoice'), draft, factsOf({ item: { treatment } }));
      expect(lines.at(-1)).toMatchObject({ charge: true, treatment });
    }
    const lines = [line, { ...line, item: 'none' }];
    const items = new Map([
      ['fan', { ...fan, hsn: '84145120' }],
      ['none', { ...fan, id: 'none', hsn: '84145120', treatment: 'exempt' as const }],
    ]);
    expect(fields('saleInvoice', { ...charge('0'), lines }, { facts: { items } })).toEqual(['charges.gstRate']);
    const abroad = { category: 'overseas' } as const;
    expect(one('overseasSale', '0', {}, abroad)).toEqual([]);
    expect(one('saleInvoice', '0', {}, { category: 'sezUnit' })).toEqual([]);
    const paying = { ...heater, ...charge('0'), withPayment: true };
    expect(fields('overseasSale', paying, abroad)).toContain('charges.gstRate');
    // to a merchant exporter as its goods; a supplier's paper is booked as it was issued
    expect(fields('saleInvoice', { ...at('0.1'), ...charge('0.1') })).toEqual([]);
    expect(fields('purchaseBill', { reference: 'S-1', ...charge('0') })).toEqual([]);
    // the buyer has the bill of a till already
    const till = { session: 's', counter: 1 } as unknown as NonNullable<Draft['till']>;
    expect(codes('posSale', { ...heater, ...charge('0'), till })).toContainEqual(['tillRateOfCharge', undefined]);
  });
  test('its ledger is one of income or expenses', () => {
    const natures = new Map([
      ...([
        ['deposit', 'liability'],
        ['plant', 'asset'],
        ['capital', 'equity'],
        ['freight', 'income'],
      ] as const),
    ]);
    const setting = { facts: { natures } };
    for (const [kind, own] of outward)
      for (const rate of ['18', undefined])
        for (const ledger of ['deposit', 'plant', 'capital', 'freight', 'spent'])
          expect([kind, ledger, fields(kind, { ...own, ...charge(rate, { ledger }) }, setting)]).toEqual([
            ...[kind, ledger, ledger === 'freight' || ledger === 'spent' ? [] : ['charges.ledger']],
          ]);
    const bill = { reference: 'S-1', ...charge('18', { ledger: 'plant' }) };
    expect(fields('purchaseBill', bill, setting)).toEqual([]);
  });
});

describe('what is usual of a ledger', () => {
  const usualTax = new Map([
    ...([
      ['fees', { hsn: '9982' }],
      ['vehicles', { hsn: '8703' }],
      ['lunch', { hsn: '996331' }],
    ] as const),
    ...([
      ['freight', { hsn: '996511' }],
      ['rent', { hsn: '997212' }],
      ['csr', { creditBlocked: true }],
    ] as const),
  ]);
  const unregistered: Setting = {
    facts: {
      usualTax,
      party: { ...factsOf({ category: 'unregistered' }).party, gstin: null } as NonNullable<Facts['party']>,
    },
  };
  const spent = (ledger: string, more: Partial<DraftLine> = {}, setting: Setting = { facts: { usualTax } }) =>
    codes(
      'expense',
      { reference: 'S-1', moneyLedger: 'bank', lines: [{ ledger, rate: quantity('1000'), ...more }] },
      setting,
    ).map(([code]) => code);
  const [asked, quiet] = [['notifiedReverseCharge'], []];
  test('a line without a code has that of its ledger: the recipient pays the tax', () => {
    for (const ledger of ['fees', 'freight', 'rent']) {
      expect([ledger, spent(ledger, {}, unregistered)]).toEqual([ledger, asked]);
      expect(spent(ledger, { hsn: '998311' }, unregistered)).toEqual(quiet);
    }
    // the heading of legal services is that of accountants too, who charge their tax
    expect(spent('fees', { gstRate: percentage('18') })).toEqual(quiet);
    expect(spent('fees', { hsn: '998212', gstRate: percentage('18') })).toEqual(asked);
  });
  test('no credit is taken by the code of the ledger, nor where the ledger says so', () => {
    const blocked = ['creditBlockedByLaw'];
    const taxed = { gstRate: percentage('18') };
    for (const ledger of ['vehicles', 'lunch']) {
      expect([ledger, spent(ledger, taxed)]).toEqual([ledger, blocked]);
      expect(spent(ledger, { ...taxed, creditBlocked: true })).toEqual(quiet);
    }
    const draft = { kind: 'expense', lines: [{ ledger: 'csr', rate: quantity('1000'), ...taxed }] };
    expect(resolve(kindOf('expense'), draftOf(draft), factsOf({ facts: { usualTax } })).lines).toMatchObject([
      { creditBlocked: true },
    ]);
    expect(spent('csr', taxed)).toEqual(quiet);
    expect(spent('csr', { ...taxed, creditBlocked: false })).toEqual(blocked);
  });
});

describe('tax that the recipient pays bears the rate in force', () => {
  const unregistered: Setting = {
    facts: { party: { ...factsOf({ category: 'unregistered' }).party, gstin: null } as NonNullable<Facts['party']> },
  };
  const foreign: Setting = {
    facts: { party: { ...factsOf({ category: 'overseas' }).party, gstin: null } as NonNullable<Facts['party']> },
  };
  const made = (more: Partial<DraftLine>, setting: Setting, reverseCharge: boolean) => {
    const lines = [{ ledger: 'spent', rate: quantity('1000'), ...more }];
    const draft = { reference: 'S-1', moneyLedger: 'bank', reverseCharge, lines };
    const { problems, warnings } = found('expense', draft, setting);
    return [...problems.map(({ field }) => field), ...warnings.map(({ code }) => code).sort()];
  };
  test.each([
    ['996791', '5', unregistered],
    ['996511', '5', {}],
    ['998212', '18', unregistered],
    ['998525', '18', unregistered],
    ['997212', '18', unregistered],
    ['998313', '18', foreign],
  ])('HSN/SAC %s at %s %%, and at no other', (hsn, rate, setting) => {
    expect(made({ hsn, gstRate: percentage(rate) }, setting, true)).toEqual([]);
    for (const other of ['0', '0.1', '3', '40', rate === '5' ? '18' : '5'])
      expect([other, made({ hsn, gstRate: percentage(other) }, setting, true)]).toEqual([other, ['lines.gstRate']]);
    for (const reverse of [true, false]) {
      for (const treatment of ['exempt', 'nil'] as const)
        expect([reverse, treatment, made({ hsn, treatment }, setting, reverse)]).toEqual([
          ...[reverse, treatment, ['reverseChargeExempt']],
        ]);
      expect([reverse, made({ hsn, treatment: 'nonGst' }, setting, reverse)]).toEqual([
        ...[reverse, ['lines.treatment']],
      ]);
    }
  });
  test('a code that the tables do not know asks for a reason, unless it bears the residual rate', () => {
    for (const setting of [unregistered, foreign])
      for (const hsn of ['995411', undefined]) {
        const code = hsn === undefined ? {} : { hsn };
        // of a supplier in India somebody says by which notification the tax is ours
        const asked = setting === foreign ? [] : ['reverseChargeOfServicesBought'];
        expect(made({ ...code, gstRate: percentage('18'), creditBlocked: true }, setting, true)).toEqual(asked);
        for (const rate of ['0', '5'])
          expect(made({ ...code, gstRate: percentage(rate), creditBlocked: true }, setting, true)).toEqual([
            ...['reverseChargeRateUnknown', ...asked].sort(),
          ]);
      }
  });
  test('transport by road at 5 % of a supplier who charges it asks for their declaration, at 18 % for nothing', () => {
    for (const hsn of ['996791', '996511'])
      expect([5, 18].map((rate) => made({ hsn, gstRate: percentage(String(rate)) }, {}, false))).toEqual([
        ...[['notifiedReverseCharge'], []],
      ]);
  });
  test('what is charged beside it bears the same', () => {
    const charges = (gstRate: string) => ({
      charges: [
        {
          ...{ name: 'Loading', hsn: '998540', ledger: 'x', apportion: 'value' as const, amount: money('9000') },
          gstRate: percentage(gstRate),
        },
      ],
    });
    const bill = (rate: string) =>
      fields(
        'purchaseBill',
        {
          ...{ reference: 'S-1', reverseCharge: true, ...charges(rate) },
          lines: [{ ...line, rate: quantity('1') }],
        },
        { ...unregistered, item: { service: true, stocked: false, hsn: '998212' } },
      );
    expect(bill('0')).toEqual(['charges.gstRate']);
    expect(bill('18')).toEqual([]);
  });
});

test('a supplier’s document is not dated after the day on which it is booked', () => {
  const kinds = kindNames.filter(
    (name) =>
      (kindOf(name).gst.tax === 'input' || name === 'billOfEntry') &&
      kindOf(name).life.cycle !== 'ordered' &&
      (kindOf(name).fields as readonly string[]).includes('referenceDate'),
  );
  expect(kinds).toEqual(
    expect.arrayContaining(['purchaseBill', 'expense', 'overseasPurchase', 'billOfEntry', 'purchaseCreditNote']),
  );
  for (const kind of kinds) {
    const dated = (referenceDate: string) =>
      fields(kind, { reference: 'S-1', date: '2026-10-30', referenceDate }).includes('referenceDate');
    expect([kind, dated('2026-11-20'), dated('2026-10-31')]).toEqual([kind, true, true]);
    expect([kind, dated('2026-10-30')]).toEqual([kind, false]);
  }
});

test('a deemed export is one of goods: a service is an ordinary supply, and has its own invoice', () => {
  const deemed: Setting = { category: 'deemedExport' };
  const type = (setting: Setting) => found('saleInvoice', {}, setting).added?.priced.supplyType;
  const service = { service: true, stocked: false, hsn: '998313' };
  expect(type(deemed)).toBe('DEXP');
  expect(type({ ...deemed, item: service })).toBe('B2B');
  const items = new Map([
    ['fan', { ...fan, hsn: '84145120' }],
    ['work', { ...fan, ...service, id: 'work' }],
  ]);
  const both = { lines: [line, { ...line, item: 'work' }] };
  expect(fields('saleInvoice', both, { ...deemed, facts: { items } })).toEqual(['lines.item']);
  expect(fields('saleInvoice', both, { facts: { items } })).toEqual([]);
});

test('a place of supply that the law does not give asks for a reason', () => {
  const chosen = [['placeOfSupplyChosen', 'needed']];
  const service = { item: { service: true, stocked: false, hsn: '998313' } };
  for (const setting of [{}, service])
    for (const placeOfSupply of ['27', '97']) {
      expect(codes('saleInvoice', { placeOfSupply }, setting)).toEqual(chosen);
      expect(codes('quotation', { placeOfSupply }, setting)).toEqual([]);
    }
  expect(codes('saleInvoice', { placeOfSupply: '29' })).toEqual([]);
  const consumer = { ...factsOf({ category: 'unregistered' }).party, gstin: null } as NonNullable<Facts['party']>;
  // of who is not registered it is the address on record, and without one ours
  expect(codes('saleInvoice', { placeOfSupply: '27' }, { facts: { party: consumer } })).toEqual(chosen);
  const moved = { ...consumer, state: '27' } as const;
  expect(codes('saleInvoice', { placeOfSupply: '27' }, { facts: { party: moved } })).toEqual([]);
  const nobody = { facts: { party: undefined } };
  expect(codes('cashSale', { placeOfSupply: '27', moneyLedger: 'cash' }, nobody)).toEqual(chosen);
  expect(codes('cashSale', { placeOfSupply: '29', moneyLedger: 'cash' }, nobody)).toEqual([]);
});

describe('tax of a supplier who charges none (section 16(2)(a), rule 36)', () => {
  const typed = { lines: [{ ledger: 'rent', rate: quantity('1000'), gstRate: percentage('18') }] };
  const unnamed = { moneyLedger: 'cash', ...typed };
  const without = (category: GstCategory, gstin: string | null = null): Setting => ({
    facts: { party: { ...(factsOf({ category }).party as NonNullable<Facts['party']>), gstin } },
  });
  const nobody: Setting = { facts: { party: undefined } };
  const expense = (draft: Partial<Draft>, setting: Setting = {}) => {
    const { party: _, ...nobody } = draftOf({ kind: 'expense' });
    return checked(kindOf('expense'), { ...nobody, ...draft }, factsOf(setting), today);
  };
  test('an expense with a typed name and a rate: a problem at the rate, and no tax', () => {
    expect(expense({ ...unnamed, partyName: 'Corner shop' }, nobody).problems).toEqual([
      {
        field: 'lines.gstRate',
        row: 0,
        message: expect.stringContaining('enter the amount with its tax and no GST rate'),
      },
    ]);
    expect(expense({ ...unnamed, taxInclusive: true }, nobody).added?.priced).toMatchObject({
      total: 100_000,
      cgst: 0,
    });
  });
  test('without a rate, or at 0 %, it is posted', () => {
    const bare = { ledger: 'rent', rate: quantity('1180') };
    expect(expense({ ...unnamed, lines: [bare] }, nobody).problems).toEqual([]);
    expect(expense({ ...unnamed, lines: [{ ...bare, gstRate: percentage('0') }] }, nobody).problems).toEqual([]);
  });
  test.each<[GstCategory, string | null]>([
    ['unregistered', null],
    ['composition', '29AAACA1111A1Z5'],
    ['sezUnit', null],
  ])('a supplier who is %s with GSTIN %s: every rate that is typed, on every kind', (category, gstin) => {
    const setting = without(category, gstin);
    const charges = [
      { name: 'Packing', amount: paise(100), gstRate: percentage('18'), hsn: '998540', ledger: 'packing' },
    ];
    for (const kind of ['purchaseBill', 'purchaseDebitNote', 'purchaseCreditNote', 'purchaseOrder'] as const) {
      const note = kindOf(kind).paper.form === 'note' && { reason: 'x' };
      const said = fields(kind, { reference: 'S-1', ...note, charges: charges as never, ...at('5') }, setting);
      expect([kind, said]).toEqual([kind, expect.arrayContaining(['lines.gstRate', 'charges.gstRate'])]);
    }
    expect(
      fields('purchaseBill', { reference: 'S-1', lines: [{ ...line, cessRate: percentage('1') }] }, setting),
    ).toEqual(['lines.cessRate']);
    // the rate that the editor proposes is that of the item, and bears no tax
    expect(fields('purchaseBill', { reference: 'S-1', ...at('18') }, setting)).toEqual([]);
    const { problems, added } = found('purchaseBill', { reference: 'S-1' }, setting);
    expect([problems, added?.priced.cgst, added?.priced.igst]).toEqual([[], 0, 0]);
    expect(expense({ ...typed, party: 'party', reference: 'S-1' }, setting).problems).toMatchObject([
      { field: 'lines.gstRate', row: 0 },
    ]);
  });
  test('under reverse charge and on imports the rate is that of the tax we pay', () => {
    const reverse = { ...typed, party: 'party', reference: 'S-1', reverseCharge: true };
    expect(expense(reverse, without('unregistered')).problems).toEqual([]);
    expect(expense(reverse, without('overseas')).problems).toEqual([]);
    expect(expense({ ...unnamed, reverseCharge: true }, nobody).problems).toEqual([]);
    expect(fields('overseasPurchase', { reference: 'S-1', ...at('18') }, without('overseas'))).toEqual([]);
  });
  test('a registered supplier’s tax is credited on their document: its number is asked for', () => {
    const bill = { ...typed, party: 'party' };
    expect(expense(bill).problems).toMatchObject([{ field: 'reference' }]);
    expect(expense({ ...bill, reference: ' ' }).problems).toMatchObject([{ field: 'reference' }]);
    expect(expense({ ...bill, reverseCharge: true }).problems).toMatchObject([{ field: 'reference' }]);
    expect(expense({ ...bill, reference: 'S-1' }).problems).toEqual([]);
  });
  test('where no credit is taken the number may be left out', () => {
    const bill = { ...typed, party: 'party' };
    const [first] = typed.lines;
    expect(expense({ ...bill, lines: [{ ...first, creditBlocked: true }] }).problems).toEqual([]);
    expect(expense(bill, { own: 'composition' }).problems).toEqual([]);
    expect(expense({ ...bill, reverseCharge: true }, without('unregistered')).problems).toEqual([]);
  });
});

test('a journal leaves ledgers between branches alone', () => {
  const ledgerSeen = (id: string) => ({ money: false, effects: id === 'branch' ? (['interBranch'] as const) : [] });
  const lines = [
    { ledger: 'branch', debit: paise(100) },
    { ledger: 'rent', credit: paise(100) },
  ];
  const problemsOf = (kind: KindName) =>
    fields(kind, { lines }, { facts: { ledgerSeen } }).filter((field) => field === 'lines.ledger');
  expect([problemsOf('manualJournal'), problemsOf('journalVoucher'), problemsOf('openingBalance')]).toEqual([
    ...[['lines.ledger'], ['lines.ledger'], []],
  ]);
});

test('what restates open balances abroad moves their ledgers, and no other journal does', () => {
  const ledgerSeen = (id: string) => ({
    money: false,
    effects: id === 'restated' ? (['receivableRestated'] as const) : [],
  });
  const lines = [
    { ledger: 'restated', debit: paise(100), party: 'party' },
    { ledger: 'gain', credit: paise(100) },
  ];
  const problemsOf = (kind: KindName, more: Partial<Draft> = {}) =>
    fields(kind, { lines, ...more }, { facts: { ledgerSeen } }).filter((field) => field === 'lines.ledger');
  for (const kind of ['manualJournal', 'journalVoucher', 'openingBalance'] as const)
    expect([kind, problemsOf(kind)]).toEqual([kind, ['lines.ledger']]);
  expect(problemsOf('journalVoucher', { restates: true })).toEqual([]);
});

describe('reverse charge on what we supply', () => {
  const reverse = { reverseCharge: true };
  test('goods that nobody notified: a problem', () => {
    expect(fields('saleInvoice', reverse)).toEqual(['reverseCharge']);
    expect(fields('saleInvoice', reverse, { item: { hsn: '08013100' } })).toEqual([]);
    expect(fields('saleInvoice', reverse, { item: { hsn: '72044900', scrap: true } })).toEqual([]);
    const fields95 = { ecommerceGstin: '29AABCU9603R1ZJ' };
    expect(fields('saleInvoice', { ...reverse, fields: fields95 })).toEqual([]);
  });
  test('services: a reason, because some have no code', () => {
    const service = { service: true, stocked: false };
    expect(codes('saleInvoice', reverse, { item: { ...service, hsn: '998314' } })).toEqual([
      ['reverseChargeOfServices', 'needed'],
    ]);
    expect(codes('saleInvoice', reverse, { item: { ...service, hsn: '998212' } })).toEqual([]);
  });
});

describe('reverse charge on goods that we buy', () => {
  const problemsOf = (hsn: string, gstin: string | null, setting: Setting = {}, draft: Partial<Draft> = {}) => {
    const { party } = factsOf(setting);
    return codes(
      'purchaseBill',
      { reference: 'S-1', reverseCharge: true, ...draft },
      {
        ...setting,
        item: { hsn, ...setting.item },
        facts: { party: { ...(party as NonNullable<typeof party>), gstin } },
      },
    ).filter(([code]) => code === 'reverseChargeOfGoodsBought');
  };
  const [gstin, needed] = ['29AAACA1111A1Z5', [['reverseChargeOfGoodsBought', 'needed']]];
  test('of services that no notification names: a reason too, whoever supplies them', () => {
    const asked = (hsn: string, setting: Setting = {}, draft: Partial<Draft> = {}) =>
      codes(
        'purchaseBill',
        { reference: 'S-1', reverseCharge: true, ...draft },
        { ...setting, item: { hsn, service: true, stocked: false } },
      ).filter(([code]) => code === 'reverseChargeOfServicesBought');
    const reason = [['reverseChargeOfServicesBought', 'needed']];
    expect(asked('998912')).toEqual(reason);
    expect(asked('998313', { category: 'unregistered' })).toEqual(reason);
    expect(asked('998212')).toEqual([]);
    expect(asked('996511')).toEqual([]);
    expect(asked('998313', { category: 'overseas' })).toEqual([]);
    expect(asked('998912', {}, { reverseCharge: false })).toEqual([]);
  });
  test('of a registered supplier, and of no notification: a reason', () => {
    expect(problemsOf('84145120', gstin)).toEqual(needed);
    expect(problemsOf('72044900', gstin, { item: { scrap: true } })).toEqual(needed);
    expect(problemsOf('84145120', gstin, {}, { reverseCharge: false })).toEqual([]);
    expect(problemsOf('33012400', gstin)).toEqual([]);
    expect(problemsOf('998314', gstin, { item: { service: true, stocked: false } })).toEqual([]);
  });
  test('of who is not registered, and from abroad: nothing', () => {
    expect(problemsOf('84145120', null, { category: 'unregistered' })).toEqual([]);
    expect(problemsOf('84145120', gstin, { category: 'overseas' })).toEqual([]);
  });
});

describe('compensation cess ended on 22 September 2025, for tobacco and pan masala on 1 February 2026', () => {
  const cess = (more: Partial<DraftLine> = {}): Partial<Draft> => at('18', { cessRate: percentage('12'), ...more });
  const tobacco = { hsn: '24022010', gstRate: percentage('28') };
  test.each<[string, Partial<DraftLine>, string[]]>([
    ['2026-08-14', {}, ['lines.cessRate']],
    ['2025-09-22', {}, ['lines.cessRate']],
    ['2025-09-21', {}, []],
    ['2025-09-22', tobacco, []],
    ['2026-01-31', tobacco, []],
    ['2026-02-01', { ...tobacco, gstRate: percentage('40') }, ['lines.cessRate']],
    ['2026-08-14', { cessRate: percentage('0'), cessPerUnit: money('4') }, ['lines.cessPerUnit']],
    ['2026-08-14', { cessRate: percentage('0') }, []],
  ])('a sale on %s with %o: problems at %o', (date, more, wrong) =>
    expect(
      fields(
        'saleInvoice',
        { date, ...cess(more) },
        more.gstRate ? { item: { gstRate: more.gstRate, ...(more.hsn && { hsn: more.hsn }) } } : {},
      ),
    ).toEqual(wrong),
  );
  test('of the item too', () =>
    expect(fields('saleInvoice', {}, { item: { cessRate: percentage('12') } })).toEqual(['lines.cessRate']));
  test('the time of supply decides (section 14)', () => {
    const days = { suppliedOn: '2025-09-10', paidOn: '2025-09-20' };
    expect(fields('saleInvoice', { date: '2025-10-05', fields: days, ...cess() })).toEqual([]);
  });
  test('a supplier’s bill is booked with a reason, by the supplier’s date', () => {
    expect(codes('purchaseBill', { reference: 'S-1', ...cess() })).toEqual([['cess', 'needed']]);
    expect(codes('purchaseBill', { reference: 'S-1', referenceDate: '2025-09-20', ...cess() })).toEqual([]);
  });
  test('a note follows the day of its original', () => {
    const note = (day: string) => fields('saleCreditNote', { reason: 'x', fields: originalOn(day), ...cess() });
    expect(note('2025-09-01')).not.toContain('lines.cessRate');
    expect(note('2026-09-01')).toContain('lines.cessRate');
  });
});

describe('tax on the charges of a bank', () => {
  const warned = (kind: KindName, rate: string | undefined, bankCharges = money('10')) =>
    codes(kind, {
      ...{ amount: money('1000'), moneyLedger: 'bank', lines: [], bankCharges },
      ...(rate !== undefined && { bankChargesGstRate: percentage(rate) }),
    }).filter(([code]) => code === 'bankChargesRate');
  test.each(['payment', 'saleReceipt', 'refund', 'bouncedReceipt'] as const)('%s', (kind) => {
    for (const rate of ['7', '28', '5', '12']) expect(warned(kind, rate)).toEqual([['bankChargesRate', 'needed']]);
    for (const rate of ['18', '0', undefined]) expect(warned(kind, rate)).toEqual([]);
    expect(warned(kind, '7', money('0'))).toEqual([]);
  });
});

describe('what a recipient pays the tax of, and what gives no credit', () => {
  const supplier = (gstin: string | null): Setting['facts'] => ({
    party: {
      ...(factsOf({}).party as NonNullable<Facts['party']>),
      ...{ gstin, category: gstin === null ? 'unregistered' : 'registered' },
    },
  });
  const [company, person, government, nobody] = ['29AAACA1111A1Z5', '29AAAPA1111A1Z5', '29AAAGA1111A1Z5', null];
  const asked = (hsn: string, gstin: string | null, draft: Partial<Draft> = {}, setting: Setting = {}) =>
    codes(
      'purchaseBill',
      { reference: 'S-1', ...draft, lines: [{ ...line, hsn, ...draft.lines?.[0] }] },
      {
        ...setting,
        item: { service: hsn.startsWith('99'), ...setting.item },
        facts: { ...supplier(gstin), ...setting.facts },
      },
    )
      .filter(([code]) => code === 'notifiedReverseCharge')
      .map(([, reason]) => reason);
  const [yes, no] = [['needed'], []];
  test.each<[string, string, string | null, string[], Partial<Draft>?]>([
    ['legal services', '998212', person, yes],
    ['legal services of a firm without GSTIN', '998211', nobody, yes],
    ['accounting', '998221', person, no],
    ['transport of goods', '996511', nobody, yes],
    ['transport of goods, charged by the agency', '996791', company, no],
    ['transport of goods, 0 %', '996791', company, yes, { lines: [{ gstRate: percentage('0') }] }],
    ['metal scrap from who is not registered', '72044900', nobody, yes],
    ['metal scrap before 10 October 2024', '72044900', nobody, no, { referenceDate: '2024-10-09' }],
    ['metal scrap from who is registered', '72044900', company, no],
    ['new steel', '72142090', nobody, no],
    ['security of a person', '998525', person, yes],
    ['security of a company', '998525', company, no],
    ['sponsorship of a person', '998397', person, yes],
    ['sponsorship of a company', '998397', company, no],
    ['sponsorship of a company before 16 January 2025', '998397', company, yes, { referenceDate: '2025-01-15' }],
    ['government', '999119', government, yes],
    ['government from a company', '999119', company, no],
    ['a dwelling', '997211', company, yes],
    ['other rent from who is not registered', '997212', nobody, yes],
    ['other rent from a company', '997212', company, no],
    ['renting of vehicles at 5 %', '996601', person, yes, { lines: [{ gstRate: percentage('5') }] }],
    ['renting of vehicles at 18 %', '996601', person, no],
    ['raw cotton', '52010011', nobody, yes],
    ['under reverse charge', '998212', person, no, { reverseCharge: true }],
    ['exempt', '998212', person, no, { lines: [{ treatment: 'exempt' }] }],
  ])('%s', (_, hsn, gstin, reasons, draft) => expect(asked(hsn, gstin, draft)).toEqual(reasons));
  test('scrap is what the item says, under any heading of the metals', () =>
    expect(asked('72142090', nobody, {}, { item: { scrap: true } })).toEqual(yes));
  test('a dealer under composition pays none on rent, one who is not registered none at all', () => {
    expect(asked('997212', nobody, {}, { own: 'composition' })).toEqual(no);
    expect(asked('997211', nobody, {}, { own: 'composition' })).toEqual(yes);
    expect(asked('997211', nobody, {}, { own: 'unregistered' })).toEqual(no);
  });
  test('an expense, named or not', () => {
    const lines = [{ ledger: 'legal', hsn: '998212', rate: quantity('1000') }];
    const { party: _, ...bare } = draftOf({ kind: 'expense', moneyLedger: 'cash', lines });
    const { warnings } = checked(kindOf('expense'), bare, factsOf({ facts: { party: undefined } }), today);
    expect(warnings.map(({ code, field }) => [code, field])).toEqual([['notifiedReverseCharge', 'reverseCharge']]);
  });
  test('a director is known by the section of TDS, and pays where a company receives the service', () => {
    const lines = [{ ledger: 'fees', rate: quantity('1000') }];
    const fees = (tdsSection: string, gstin: string | null = '29AAGCS4821F1ZB') =>
      codes(
        'expense',
        { moneyLedger: 'bank', lines, tdsSection },
        { facts: { ...supplier(nobody), own: { ...factsOf({}).own, gstin } } },
      ).filter(([code]) => code === 'notifiedReverseCharge');
    expect(fees('194J(1)(ba)')).toHaveLength(1);
    expect(fees('194J(b)')).toEqual([]);
    expect(fees('194J(1)(ba)', '29AAAPS4821F1ZB')).toEqual([]);
  });
  test('an order and a note are not asked', () => {
    const lines = [{ ...line, hsn: '998212' }];
    expect(codes('purchaseOrder', { lines })).toEqual([]);
    expect(
      codes('purchaseDebitNote', { lines, reason: 'x', reference: 'S-1', fields: originalOn('2026-10-01') }),
    ).toEqual([]);
  });

  test.each([
    ['8703', true],
    ['87032391', true],
    ['996334', true],
    ['996331', true],
    ['996601', true],
    ['999599', true],
    ['995411', true],
    ['997132', true],
    ['997133', true],
    ['87041010', false],
    ['997134', true],
    ['998714', true],
    ['997135', false],
    ['998311', false],
  ])('credit of HSN or SAC %s asks for a reason: %s (section 17(5))', (hsn, blocked) => {
    const bill = (more: Partial<DraftLine> = {}) =>
      found('purchaseBill', { reference: 'S-1', lines: [{ ...line, hsn, ...more }] })
        .warnings.filter(({ code }) => code === 'creditBlockedByLaw')
        .map(({ field, row, reason }) => [field, row, reason]);
    expect(bill()).toEqual(blocked ? [['lines.creditBlocked', 0, 'needed']] : []);
    expect(bill({ creditBlocked: true })).toEqual([]);
    expect(bill({ treatment: 'exempt' })).toEqual([]);
    const lines = [{ ledger: 'car', hsn, rate: quantity('1000'), gstRate: percentage('18') }];
    const spent = codes('expense', { reference: 'S-1', moneyLedger: 'bank', lines });
    expect(spent.filter(([code]) => code === 'creditBlockedByLaw')).toHaveLength(blocked ? 1 : 0);
  });
  test('of an item that says so nothing is asked, nor where no credit is taken at all', () => {
    const lines = [{ ...line, hsn: '87032391' }];
    expect(codes('purchaseBill', { reference: 'S-1', lines }, { item: { creditBlocked: true } })).toEqual([]);
    expect(codes('purchaseBill', { reference: 'S-1', lines }, { own: 'composition' })).toEqual([]);
    expect(codes('saleInvoice', { lines })).toEqual([]);
  });
});

describe('goods and a service of one invoice that are delivered in another state', () => {
  const items = new Map([
    ['fan', { ...fan, hsn: '84145120' }],
    ['advice', { ...fan, id: 'advice', sku: 'advice', service: true, stocked: false, hsn: '998311' }],
  ]);
  const advice: DraftLine = { item: 'advice', quantity: quantity('1'), rate: quantity('100') };
  const shipTo = { line1: '9 Mount Road', city: 'Chennai', state: '33', pincode: '600002', country: 'IN' };
  const said = (draft: Partial<Draft>, facts: Partial<Facts> = {}) =>
    found('saleInvoice', draft, { facts: { items, ...facts } }).warnings.map(({ code, field, row }) => [
      code,
      field,
      row,
    ]);
  test('the service is warned of', () => {
    expect(said({ shipTo, lines: [line, advice] })).toEqual([['serviceElsewhere', 'lines.item', 1]]);
    expect(said({ shipTo, lines: [line] })).toEqual([]);
    expect(said({ shipTo, lines: [advice] })).toEqual([]);
    expect(said({ lines: [line, advice] })).toEqual([]);
    expect(said({ shipTo: { ...shipTo, gstin: 'URP', name: 'Another' }, lines: [line, advice] })).toEqual([]);
  });
  test('to a buyer who is not registered it is not', () => {
    const party = {
      ...(factsOf({}).party as NonNullable<Facts['party']>),
      gstin: null,
      category: 'unregistered' as const,
    };
    expect(said({ shipTo, lines: [line, advice] }, { party })).toEqual([]);
  });
});

describe('what comes from abroad (sections 5(1) and 5(3) of the IGST Act)', () => {
  const abroad = (item: Partial<ItemFacts> = {}, more: Partial<Facts> = {}): Setting => {
    const party = { ...factsOf({ category: 'overseas' }).party, state: '96', country: 'DE', gstin: null };
    const items = new Map([
      ['fan', { ...fan, hsn: '84145120', ...item }],
      ['advice', { ...fan, id: 'advice', sku: 'advice', service: true, stocked: false, hsn: '998311' }],
    ]);
    return { category: 'overseas', facts: { party: party as never, items, ...more } };
  };
  const advice: DraftLine = { item: 'advice', quantity: quantity('1'), rate: quantity('100') };
  const bought = (kind: KindName, lines: readonly DraftLine[], draft: Partial<Draft> = {}, setting = abroad()) => {
    const { problems, warnings } = found(kind, { reference: 'S-1', lines, ...draft }, setting);
    return [...problems, ...warnings.map(({ code, field, reason }) => ({ field, message: `${code} ${reason}` }))].map(
      ({ field, message }) => [field, message.includes('customs') ? 'customs' : message],
    );
  };
  const asImport = [['lines.item', expect.stringContaining('enter them as an overseas purchase')]];
  const atCustoms = [['reverseCharge', 'customs']];
  const asked = [['reverseCharge', 'importOfServices needed']];
  const reverseCharge = true;
  test.each(['overseasPurchase', 'purchaseBill'] as const)('%s of goods bears no reverse charge', (kind) => {
    expect(bought(kind, [line])).toEqual(kind === 'purchaseBill' ? asImport : []);
    expect(bought(kind, [line], { reverseCharge })).toEqual(atCustoms);
    expect(bought(kind, [line, advice], { reverseCharge })).toEqual(atCustoms);
    expect(
      found(kind, { reference: 'S-1', lines: [line, advice], reverseCharge }, abroad()).problems[0]?.message,
    ).toContain('make two documents');
  });
  test.each(['overseasPurchase', 'purchaseBill'] as const)('%s of services without it asks for a reason', (kind) => {
    expect(bought(kind, [advice], { reverseCharge })).toEqual([]);
    expect(bought(kind, [advice])).toEqual(asked);
    expect(bought(kind, [line, advice])).toEqual([...(kind === 'purchaseBill' ? asImport : []), ...asked]);
    expect(bought(kind, [{ ...advice, treatment: 'exempt' }])).toEqual([
      ['lines.treatment', 'reverseChargeExempt needed'],
    ]);
  });
  test('so does an expense', () => {
    const lines = [{ ledger: 'software', rate: quantity('1000'), gstRate: percentage('18') }];
    expect(bought('expense', lines)).toEqual(asked);
    expect(bought('expense', lines, { reverseCharge })).toEqual([]);
  });
  test('so does a debit note to a document from before the books; what takes something back does not', () => {
    const note = { reason: 'x', fields: originalOn('2026-10-01') };
    expect(bought('purchaseDebitNote', [advice], note)).toEqual(asked);
    expect(bought('purchaseDebitNote', [line], { ...note, reverseCharge })).toEqual(atCustoms);
    expect(bought('purchaseCreditNote', [advice], note)).toEqual([]);
    expect(bought('purchaseCreditNote', [line], { ...note, reverseCharge })).toEqual([]);
  });
  test('an order, a SEZ unit and who is not registered are not asked', () => {
    const own = (kind: RegistrationKind): Setting => ({ ...abroad(), own: kind });
    expect(bought('purchaseOrder', [advice])).toEqual([]);
    expect(bought('overseasPurchase', [advice], {}, own('sez'))).toEqual([]);
    expect(bought('overseasPurchase', [advice], {}, own('unregistered'))).toEqual([]);
    expect(bought('overseasPurchase', [advice], {}, own('composition'))).toEqual(asked);
  });
});

describe('a line names its item, and agrees with it', () => {
  const lines = (more: Partial<DraftLine>): Partial<Draft> => ({ lines: [{ ...line, ...more }] });
  test('our own supply has the code of its item; a supplier writes another one', () => {
    expect(fields('saleInvoice', lines({ hsn: '84145120' }))).toEqual([]);
    expect(fields('saleInvoice', lines({ hsn: '8414' }))).toEqual([]);
    expect(fields('saleInvoice', lines({ hsn: '72044900' }))).toEqual(['lines.hsn']);
    expect(fields('saleInvoice', lines({ hsn: '72044900' }), { item: { hsn: '' } })).toEqual([]);
    expect(fields('purchaseBill', { reference: 'S-1', ...lines({ hsn: '72044900' }) })).toEqual([]);
    // an order is held to it too, for its invoice takes the code over
    expect(fields('saleOrder', lines({ hsn: '72044900' }))).toEqual(['lines.hsn']);
    expect(fields('quotation', lines({ hsn: '72044900' }))).toEqual(['lines.hsn']);
  });
  const masala: Setting = { item: { hsn: '21069020', gstRate: percentage('40'), retailPrice: money('200') } };
  const retail = (kind: KindName, retailPrice: string, rate: string) => {
    const draft = { reference: 'S-1', lines: [{ ...line, rate: quantity(rate), retailPrice: money(retailPrice) }] };
    const { problems, warnings } = found(kind, draft, masala);
    return [...problems.map(({ field }) => field), ...warnings.map(({ code, reason }) => `${code} ${reason}`)];
  };
  test('a retail price holds what is charged, and another one than that of the item asks for a reason', () => {
    expect(retail('saleInvoice', '200', '100')).toEqual([]);
    expect(retail('saleInvoice', '200', '1000')).toContain('lines.retailPrice');
    expect(retail('saleInvoice', '180', '100')).toEqual(['retailPriceOther needed']);
    expect(retail('purchaseBill', '1000000', '100')).toEqual(['retailPriceOther needed']);
  });
  test('0.1 % asks for the order of the exporter', () => {
    const asked = (kind: KindName, draft: Partial<Draft>) =>
      found(kind, draft).warnings.flatMap(({ code, reason }) => (code === 'toMerchantExporter' ? [reason] : []));
    expect(asked('saleInvoice', at('0.1'))).toEqual(['needed']);
    expect(asked('purchaseBill', { reference: 'S-1', ...at('0.1') })).toEqual(['needed']);
    expect(asked('saleInvoice', at('18'))).toEqual([]);
  });
  test('0.1 % is of goods: a service bears the rate of its item', () => {
    const service = { item: { service: true, stocked: false, hsn: '998734' } };
    expect(fields('saleInvoice', at('0.1'), service)).toEqual(['lines.gstRate']);
    expect(fields('saleInvoice', at('18'), service)).toEqual([]);
  });
  test('a supplier charges a rate of the service, or somebody says why', () => {
    const billed = (gstRate: string, hsn = '998313', more: Partial<Draft> = {}) =>
      codes('expense', {
        ...{ reference: 'S-1', moneyLedger: 'bank', ...more },
        lines: [{ ledger: 'spent', rate: quantity('1000'), hsn, gstRate: percentage(gstRate) }],
      }).filter(([code]) => code === 'rateOfService');
    expect(billed('40')).toEqual([['rateOfService', 'needed']]);
    expect(billed('18')).toEqual([]);
    expect(billed('5', '996511')).toEqual([]);
    // construction has several rates, which its code does not tell
    expect(billed('12', '995411', { date: '2025-09-01' })).toEqual([]);
  });
  test('goods of rule 31D without a retail price, and more charged to a consumer than it is', () => {
    const missing = (kind: KindName, item: Partial<ItemFacts>, draft: Partial<Draft> = {}) =>
      codes(kind, { reference: 'S-1', ...draft }, { item }).filter(([code]) => code === 'retailPriceMissing');
    const cigarettes = { hsn: '24022010', gstRate: percentage('40') };
    expect(missing('saleInvoice', cigarettes)).toEqual([['retailPriceMissing', 'needed']]);
    expect(missing('saleInvoice', { ...cigarettes, retailPrice: money('200') })).toEqual([]);
    expect(missing('saleInvoice', cigarettes, { date: '2026-01-31' })).toEqual([]);
    expect(missing('purchaseBill', cigarettes)).toEqual([]);
    expect(missing('saleInvoice', {})).toEqual([]);
    const consumer = { ...factsOf({ category: 'unregistered' }).party, gstin: null } as NonNullable<Facts['party']>;
    const sold = (rate: string) =>
      fields('saleInvoice', { lines: [{ ...line, rate: quantity(rate) }] }, { ...masala, facts: { party: consumer } });
    expect(sold('140')).toEqual([]);
    expect(sold('190')).toEqual(['lines.retailPrice']);
  });
  test('goods that are given with others bear their retail price too', () => {
    const draft = { lines: [{ ...line, rate: quantity('100'), freeQuantity: quantity('5') }] };
    const accepted = [{ warning: 'goodsForNothing', reason: 'Six for one' }];
    const { added } = found('saleInvoice', { ...draft, accepted }, masala);
    // six at 200.00 with 40 % inside
    expect(added?.priced.lines[0]?.taxable).toBe(857_14);
  });
  test('goods that are given for nothing ask for the offer that they are part of', () => {
    const asked = (more: Partial<DraftLine>, kind: KindName = 'saleInvoice', setting: Setting = {}) =>
      codes(kind, { reference: 'S-1', lines: [line, { ...line, ...more }] }, setting).filter(
        ([code]) => code === 'goodsForNothing',
      );
    const reason = [['goodsForNothing', 'needed']];
    expect(asked({ rate: quantity('0') })).toEqual(reason);
    expect(asked({ discount: { percent: percentage('100') } })).toEqual(reason);
    expect(asked({ quantity: quantity('1'), freeQuantity: quantity('5') })).toEqual(reason);
    expect(asked({ freeQuantity: quantity('1') })).toEqual([]);
    expect(asked({ rate: quantity('0') }, 'quotation')).toEqual([]);
    expect(asked({ rate: quantity('0') }, 'purchaseBill')).toEqual([]);
    expect(asked({ rate: quantity('0') }, 'saleInvoice', { item: { service: true, stocked: false } })).toEqual([]);
  });
});

describe('a buyer from abroad whose goods stay here (section 2(5) of the IGST Act)', () => {
  const party = { ...factsOf({ category: 'overseas' }).party, state: '96', country: 'DE', gstin: null } as never;
  const shipTo = { line1: '7 Brigade Road', city: 'Bengaluru', state: '29', pincode: '560001', country: 'IN' };
  const place = (kind: KindName, draft: Partial<Draft> = {}) => {
    const facts = factsOf({ category: 'overseas', facts: { party } });
    return usualPlace(kindOf(kind), draftOf({ kind, ...draft }), facts);
  };
  test('they are supplied where they are delivered or handed over; others are exported', () => {
    expect(place('saleInvoice')).toBe('96');
    expect(place('overseasSale')).toBe('96');
    expect(place('saleInvoice', { shipTo })).toBe('29');
    expect(place('cashSale')).toBe('29');
  });
  test('nobody calls that an export', () => {
    const setting: Setting = { category: 'overseas', facts: { party } };
    expect(fields('saleInvoice', { shipTo, placeOfSupply: '96' }, setting)).toContain('placeOfSupply');
    expect(fields('purchaseBill', { reference: 'S-1', placeOfSupply: '96' }, setting)).not.toContain('placeOfSupply');
  });
  test('a service that is paid in rupees asks by which permission', () => {
    const setting: Setting = {
      category: 'overseas',
      facts: { party },
      item: { service: true, stocked: false, hsn: '998313' },
    };
    expect(codes('saleInvoice', {}, setting)).toContainEqual(['serviceInRupees', 'needed']);
  });
});

test('the buyer of the paper is the one on record, and none is another registration of ours', () => {
  const billTo = {
    line1: '1 Road',
    city: 'Pune',
    state: '27',
    pincode: '411001',
    country: 'IN',
    gstin: '27AADCK5678L1ZS',
  };
  expect(fields('saleInvoice', { billTo })).toContain('billTo.gstin');
  const { own } = factsOf({});
  const others = [factsOf({}).party?.gstin ?? ''];
  expect(fields('saleInvoice', {}, { facts: { own: { ...own, others } } })).toContain('party');
});

test('another section than the usual one of a supplier asks for a reason', () => {
  const party = { ...factsOf({}).party, tdsSection: '194J(b)' } as never;
  const asked = (tdsSection: string) =>
    codes('expense', { tdsSection, reference: 'S-1' }, { facts: { party, switches: { tds: true } as never } });
  expect(asked('194C')).toContainEqual(['usualSectionOther', 'needed']);
  expect(asked('194J(b)').map(([code]) => code)).not.toContain('usualSectionOther');
});

test('opening balances of a year that is over ask for a reason, those of this year do not', () => {
  const asked = (date: Day) =>
    codes('openingStock', { date }, { facts: { booked: { firstOrdinary: '2025-06-01' } } }).map(([code]) => code);
  expect(asked('2025-04-01')).toContain('openingLate');
  const now = (date: Day) =>
    codes('openingStock', { date }, { facts: { booked: { firstOrdinary: '2026-06-01' } } }).map(([code]) => code);
  expect(now('2026-04-01')).not.toContain('openingLate');
});

describe('the day of the supplier’s paper (section 16(2)(a))', () => {
  const wrong = (kind: KindName, referenceDate: string, draft: Partial<Draft> = {}) =>
    found(kind, { date: '2026-10-10', reference: 'S-1', referenceDate, ...draft })
      .problems.filter(({ message }) => message.includes('is dated after'))
      .map(({ field }) => field);
  test.each(['purchaseBill', 'overseasPurchase', 'expense'] as const)('%s: not after the booking', (kind) => {
    expect(wrong(kind, '2026-10-11')).toEqual(['referenceDate']);
    expect(wrong(kind, '2026-10-10')).toEqual([]);
    expect(wrong(kind, '2026-09-01')).toEqual([]);
  });
  test('an order names a day that may come', () => {
    expect(wrong('purchaseOrder', '2026-10-11')).toEqual([]);
  });
});

describe('goods from a special economic zone are taxed by a bill of entry (section 30 of the SEZ Act)', () => {
  const asked = (kind: KindName, draft: Partial<Draft> = {}, setting: Setting = {}) =>
    found(kind, { reference: 'S-1', ...draft }, { category: 'sezUnit', ...setting }).warnings.flatMap(
      ({ code, field, row, reason }) => (code === 'goodsFromZone' ? [[field, row, reason]] : []),
    );
  test('tax on the bill asks for a reason, at each line of goods', () => {
    expect(asked('purchaseBill')).toEqual([['lines.treatment', 0, 'needed']]);
    expect(asked('purchaseBill', { lines: [{ ...line, treatment: 'zeroRated' }] })).toEqual([]);
    expect(asked('purchaseBill', {}, { item: { service: true, stocked: false } })).toEqual([]);
  });
  test('not of another supplier, between zones, in an order or in what goes back', () => {
    expect(asked('purchaseBill', {}, { category: 'registered' })).toEqual([]);
    expect(asked('purchaseBill', {}, { category: 'deemedExport' })).toEqual([]);
    expect(asked('purchaseBill', {}, { own: 'sez' })).toEqual([]);
    expect(asked('purchaseOrder')).toEqual([]);
    expect(asked('purchaseReturn', { reason: 'x', fields: originalOn('2026-10-01') })).toEqual([]);
  });
});

/** Goods that go to another registration of ours. */
const sent = (draft: Partial<Draft> = {}, setting: Setting = {}, kind: RegistrationKind = 'regular', state = '29') => {
  const { party: _, ...nobody } = draftOf({ kind: 'branchTransfer', toLocation: 'there', ...draft });
  const { facts = {}, ...rest } = setting;
  const other = { registration: 'other', state, kind };
  const known = factsOf({ ...rest, facts: { party: undefined, other, ...facts } });
  return checked(kindOf('branchTransfer'), nobody, known, today).problems.map(({ field }) => field);
};
describe('what goes to another registration of ours is a supply (section 25(4))', () => {
  const inside = { facts: { other: { registration: 'own', state: '29', kind: 'regular' as const } } };
  test.each(['9', '12', '28', '99.9999'])('%s %% is not in force: a problem', (rate) =>
    expect(sent(at(rate))).toEqual(['lines.gstRate']),
  );
  test('a rate in force is fine, and within a registration nothing is taxed', () => {
    expect(sent()).toEqual([]);
    expect(sent(at('5'), { item: { gstRate: percentage('5') } })).toEqual([]);
    expect(sent(at('5'))).toEqual(['lines.gstRate']);
    expect(sent(at('9'), inside)).toEqual([]);
  });
  test('zero rated it is only for a SEZ of ours', () => {
    const setting = { item: { treatment: 'zeroRated' as const } };
    expect(sent({}, setting)).toEqual(['lines.item']);
    expect(sent({}, setting, 'sez')).toEqual([]);
    expect(sent({}, { ...setting, ...inside })).toEqual([]);
  });
  test('its codes exist and have the digits of the turnover', () => {
    expect(sent({}, { item: { hsn: '77777777' } })).toEqual(['lines.hsn']);
    expect(sent({}, { item: { hsn: '8414' } })).toEqual([]);
    expect(sent({}, { item: { hsn: '8414' }, facts: { einvoice: '29AAGCS4821F1ZB' } })).toContain('lines.hsn');
    expect(sent({}, { item: { hsn: '77777777' }, ...inside })).toEqual([]);
  });
  test('a composition dealer sends nothing to a registration in another state', () => {
    expect(sent({}, { own: 'composition' }, 'composition', '27')).toEqual(['toLocation']);
    expect(sent({}, { own: 'composition' }, 'composition')).toEqual([]);
  });
});

describe('zero rated', () => {
  const setting = { item: { treatment: 'zeroRated' as const } };
  test('an own SEZ sells to a buyer in India: a problem; a supplier’s bill to it: as the supplier says', () => {
    expect(fields('saleInvoice', {}, { ...setting, own: 'sez' })).toEqual(['lines.item']);
    expect(codes('purchaseBill', { reference: 'S-1' }, { ...setting, own: 'sez' })).toEqual([]);
  });
  test('to a buyer abroad: lawful as an export, a problem when it is supplied in India', () => {
    const abroad = { ...setting, category: 'overseas' as const };
    expect(fields('overseasSale', {}, abroad)).toEqual([]);
    expect(fields('saleInvoice', { placeOfSupply: '29' }, abroad)).toEqual(['lines.item']);
  });
  test('inside India: a problem', () => expect(fields('saleInvoice', {}, setting)).toEqual(['lines.item']));
  test('to an SEZ unit: lawful', () =>
    expect(fields('saleInvoice', {}, { ...setting, category: 'sezUnit' })).toEqual([]));
});

describe('codes of goods and services', () => {
  test.each([
    ['84145120', false, undefined],
    ['8414', false, undefined],
    ['998314', true, undefined],
    ['00000000', false, 'chapter 00'],
    ['77777777', false, 'chapter 77'],
    ['99999999', false, 'SAC'],
    ['84145120', true, 'SAC'],
    ['84', false, '4, 6 or 8'],
  ])('%s, service %s: %s', (hsn, service, said) =>
    said
      ? expect(hsnProblem(hsn, service)?.message).toContain(said)
      : expect(hsnProblem(hsn, service)?.message).toBeUndefined(),
  );
  test('the list has the 1,228 headings of the Harmonized System of 2022', () => {
    const { 98: _, ...chapters } = lastHeadings;
    const all = Object.values(chapters).reduce((sum, last) => sum + last, 0);
    expect(all - Object.keys(endedHeadings).length).toBe(1228);
    for (const heading of Object.keys(endedHeadings))
      expect(Number(heading.slice(2))).toBeLessThan(lastHeadings[heading.slice(0, 2)] ?? 0);
  });
  test.each([
    ['84145120', '2026-11-24', true],
    ['84999999', '2026-11-24', false],
    ['88033000', '2021-12-31', true],
    ['88033000', '2022-01-01', false],
    ['88073000', '2026-11-24', true],
    ['998314', '2026-11-24', true],
    ['997414', '2026-11-24', false],
    ['8400', '2026-11-24', false],
  ])('%s on %s: in the list %s', (code, day, listed) => expect(isListed(code, day)).toBe(listed));
  test('a heading that is in no list is warned of, once, on a supply of ours', () => {
    const unlisted = { item: { hsn: '84999999' } };
    expect(fields('saleInvoice', {}, unlisted)).toEqual([]);
    expect(codes('saleInvoice', {}, unlisted)).toEqual([['hsnUnlisted', undefined]]);
    expect(codes('saleInvoice', {}, { item: { hsn: '77777777' } })).toEqual([]);
    expect(codes('purchaseBill', { reference: 'S-1' }, unlisted)).toEqual([]);
  });
  test('six digits where the turnover asks for them, and for an e-invoice', () => {
    const short = { item: { hsn: '8414' } };
    expect(fields('saleInvoice', {}, short)).toEqual([]);
    expect(fields('saleInvoice', {}, { ...short, facts: { einvoice: '29AAGCS4821F1ZB' } })).toEqual(['lines.hsn']);
  });
});

test('composition dealer: nothing goes to another state, from 2021 on no service either (section 10(2)(c))', () => {
  const away = { placeOfSupply: '27' };
  const advice = { own: 'composition' as const, item: { service: true, stocked: false, hsn: '998314' } };
  expect(fields('saleInvoice', away, { own: 'composition' })).toEqual(['placeOfSupply']);
  expect(fields('saleInvoice', away, advice)).toEqual(['placeOfSupply']);
  expect(fields('saleInvoice', { ...away, date: '2021-01-01' }, advice)).toEqual(['placeOfSupply']);
  expect(fields('saleInvoice', { ...away, date: '2020-12-31' }, advice)).toEqual([]);
  expect(fields('saleInvoice', {}, advice)).toEqual([]);
});

test('the own GSTIN is neither sold to nor bought from', () => {
  const own = {
    facts: { own: { registration: 'own', state: '29', kind: 'regular', gstin: '29AAACA1111A1Z5' } as const },
  };
  expect(fields('saleInvoice', {}, own)).toEqual(['party']);
  expect(fields('purchaseBill', { reference: 'S-1' }, own)).toEqual(['party']);
  // nor by who is only typed on the document
  const billTo = { line1: '1 Market Road', city: 'Bengaluru', state: '29', pincode: '560001', country: 'IN' };
  const { party: _, ...nobody } = draftOf({ kind: 'cashSale', moneyLedger: 'cash' });
  const sold = (gstin: string) =>
    checked(
      kindOf('cashSale'),
      { ...nobody, billTo: { ...billTo, gstin } },
      factsOf({ facts: { ...own.facts, party: undefined } }),
      today,
    ).problems.map(({ field }) => field);
  expect(sold('29AAACA1111A1Z5')).toEqual(['billTo.gstin']);
  expect(sold('29aaaca1111a1z5')).toEqual(['billTo.gstin']);
  expect(sold('29AAACB1111A1Z5')).not.toContain('billTo.gstin');
});

test.each([
  ['deemedExport', 'A deemed export'],
  ['isd', 'A supply to an input service distributor'],
] as const)('reverse charge to %s: a problem', (category, who) => {
  // goods that are notified for reverse charge: of others the goods themselves are the problem
  const { problems } = found('saleInvoice', { reverseCharge: true }, { category, item: { hsn: '08013100' } });
  expect(problems).toEqual([{ field: 'reverseCharge', message: `${who} is never under reverse charge` }]);
});

describe('decimals of units', () => {
  test('a part of a piece is a problem, on every kind with lines', () => {
    const part = { lines: [{ ...line, quantity: quantity('0.0004') }] };
    for (const kind of ['saleInvoice', 'purchaseBill', 'saleOrder', 'quotation', 'openingStock'] as const)
      expect(fields(kind, { ...part, reference: 'S-1' })).toContain('lines.quantity');
  });
  test.each([
    ['1.5', 0, 'whole numbers'],
    ['1.25', 1, 'at most 1'],
    ['1.250', 2, undefined],
    ['0.000001', 6, undefined],
  ])('%s of a unit with %s decimals: %s', (text, decimals, said) =>
    said
      ? expect(decimalsProblem(quantity(text), 'KGS', decimals)?.message).toContain(said)
      : expect(decimalsProblem(quantity(text), 'KGS', decimals)?.message).toBeUndefined(),
  );
});

test('an expired batch that is bought is warned of, and posted', () => {
  const batches = [{ batch: 'B1', expiry: '2026-01-01', quantity: quantity('1') }];
  const bought = found('purchaseBill', { reference: 'S-1', lines: [{ ...line, batches }] });
  expect(bought.warnings.map(({ code, field, row }) => [code, field, row])).toEqual([
    ['expiredBatch', 'lines.batches', 0],
  ]);
});

describe('time limits', () => {
  const late = { reference: 'S-1', referenceDate: '2024-05-10' };
  test('input credit after 30 November of the next year: booked, warned of, and the tax is cost', () => {
    const { problems, warnings, added } = found('purchaseBill', late);
    expect(problems).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual(['creditBarred']);
    expect(added?.pricing.lines.map(({ creditBlocked }) => creditBlocked)).toEqual([true]);
  });
  test.each([
    ['2025-03-31', '2025-11-30', false],
    ['2025-03-31', '2025-12-01', true],
    ['2025-04-01', '2026-11-30', false],
  ])('a bill of %s booked on %s: barred %s', (referenceDate, date, barred) =>
    expect(isCreditBarred(kindOf('purchaseBill'), { date, referenceDate })).toBe(barred),
  );
  test.each<[Partial<Draft>, boolean]>([
    [{ date: '2024-05-10', referenceDate: '2024-05-10' }, true],
    [{ date: '2024-05-10' }, true],
    [{ date: '2025-04-01' }, false],
    [{ date: '2025-03-31' }, true],
    [{ date: '2024-05-10', reverseCharge: true }, false],
  ])('the day on which it is entered counts: %j is barred %s', (when, barred) => {
    const { problems, warnings, added } = found('purchaseBill', { reference: 'S-1', ...when });
    expect(problems).toEqual([]);
    expect(warnings.some(({ code }) => code === 'creditBarred')).toBe(barred);
    expect(added?.pricing.lines.map(({ creditBlocked }) => creditBlocked)).toEqual([barred]);
  });
  const note = (date: string, original: string, more: Partial<Draft> = {}) =>
    found('saleCreditNote', { date, reason: 'x', fields: originalOn(original), ...more });
  test('a credit note with GST to a registered recipient asks what became of their credit, from 1 October 2025 on', () => {
    const asked = (date: string, more: Partial<Draft> = {}, setting: Setting = {}) =>
      found('saleCreditNote', { date, reason: 'x', fields: originalOn('2025-09-25'), ...more }, setting)
        .warnings.filter(({ code }) => code !== 'noteLastMonth')
        .map(({ code, reason }) => [code, reason]);
    const said = (creditReversal: string) => ({ fields: { ...originalOn('2025-09-25'), creditReversal } });
    expect(asked('2025-09-30')).toEqual([]);
    expect(asked('2025-10-01')).toEqual([['creditReversal', undefined]]);
    expect(asked(today, said('Reversed by the recipient'))).toEqual([]);
    expect(asked(today, said('Not taken by the recipient'))).toEqual([]);
    expect(asked(today, { withoutTax: true })).toEqual([]);
    const { party } = factsOf({ category: 'unregistered' });
    const consumer = { category: 'unregistered' as const, facts: { party: { ...party, gstin: null } as never } };
    expect(asked(today, {}, consumer)).toEqual([]);
    expect(fields('saleCreditNote', { reason: 'x', ...said('perhaps') })).toEqual(['creditReversal']);
    expect(fields('saleDebitNote', { reason: 'x', ...said('Reversed by the recipient') })).toEqual(['creditReversal']);
  });
  test('a credit note with GST after the limit is refused and offered without GST', () => {
    expect(note(today, '2025-03-20').problems.map(({ field }) => field)).toEqual(['withoutTax']);
    expect(note(today, '2025-03-20', { withoutTax: true }).problems).toEqual([]);
    expect(note('2025-11-30', '2025-03-20').problems).toEqual([]);
  });
  test('the annual return of the year ends the time earlier', () => {
    const annualReturns = { '2025-26': '2026-06-20' };
    const facts = { own: { ...factsOf({}).own, annualReturns } };
    const asked = (date: string, original: string) =>
      found('saleCreditNote', { date, reason: 'x', fields: originalOn(original) }, { facts });
    expect(asked('2026-06-20', '2026-03-20').problems).toEqual([]);
    expect(asked('2026-06-21', '2026-03-20').problems.map(({ field }) => field)).toEqual(['withoutTax']);
    expect(asked('2026-06-21', '2026-04-01').problems).toEqual([]);
    // filed late it changes nothing: the time was over on 30 November
    expect(lastDayFor('2025-03-20', { '2024-25': '2025-12-20' })).toBe('2025-11-30');
    const bill = { date: '2026-06-21', reference: 'S-1', referenceDate: '2026-03-20' };
    expect(found('purchaseBill', bill, { facts }).added?.pricing.lines[0]?.creditBlocked).toBe(true);
    const onTime = { ...bill, date: '2026-06-20' };
    expect(isCreditBarred(kindOf('purchaseBill'), onTime, annualReturns)).toBe(false);
    // dated in time, and entered after the return was filed
    expect(found('purchaseBill', onTime, { facts }).added?.pricing.lines[0]?.creditBlocked).toBe(true);
  });
  test('in the last month it is warned of', () => {
    const warned = (date: string) => note(date, '2025-03-20').warnings.map(({ code }) => code);
    expect(warned('2025-11-01')).toEqual(['noteLastMonth', 'creditReversal']);
    expect(warned('2025-10-31')).toEqual(['creditReversal']);
  });
});

describe('CGST and SGST of another state are no input credit: GSTR-2B, place of supply rules', () => {
  const supplier = { ...factsOf({}).party, state: '27', gstin: '27AAPFU0939F1ZV' } as NonNullable<Facts['party']>;
  const from = (party: Partial<NonNullable<Facts['party']>> = {}): Setting => ({
    facts: { party: { ...supplier, ...party } },
  });
  const blocked = (kind: KindName, draft: Partial<Draft>, setting: Setting) => {
    const { problems, warnings, added } = found(kind, { reference: 'S-1', ...draft }, setting);
    expect(problems).toEqual([]);
    return [
      added?.priced.supply,
      added?.priced.lines.map(({ creditBlocked }) => creditBlocked),
      warnings.filter(({ code }) => code === 'creditBarred').map(({ field }) => field),
    ];
  };
  const charges = [
    {
      name: 'Freight',
      amount: paise(10000),
      apportion: 'value' as const,
      ledger: 'freight',
      hsn: '996511',
      gstRate: percentage('18'),
    },
  ];
  test('a bill whose place of supply is the state of the supplier: booked, warned of, and the tax is cost', () => {
    expect(blocked('purchaseBill', { placeOfSupply: '27' }, from())).toEqual(['intra', [true], ['placeOfSupply']]);
    expect(blocked('purchaseBill', { placeOfSupply: '27', charges }, from())).toEqual([
      'intra',
      [true, true],
      ['placeOfSupply'],
    ]);
    expect(blocked('purchaseBill', { placeOfSupply: '27', reverseCharge: true }, from())).toEqual([
      'intra',
      [true],
      ['placeOfSupply'],
    ]);
    expect(found('purchaseBill', { reference: 'S-1', placeOfSupply: '27' }, from()).warnings[0]?.message).toBe(
      'CGST and SGST of Maharashtra are no input credit of a registration in Karnataka: this tax is booked as cost',
    );
  });
  test('so is that of a hotel or of rent there: an expense has a place of supply of its own (IGST Act section 12(3))', () => {
    const lines = [{ ledger: 'rent', rate: quantity('1000'), gstRate: percentage('18') }];
    expect(blocked('expense', { lines, placeOfSupply: '27' }, from())).toEqual(['intra', [true], ['placeOfSupply']]);
    expect(blocked('expense', { lines }, from())).toEqual(['inter', [false], []]);
  });
  test.each<[string, Partial<Draft>, Setting, 'inter' | 'intra']>([
    ['the place of supply is our state', { placeOfSupply: '29' }, from(), 'inter'],
    ['nobody says where', {}, from(), 'inter'],
    ['integrated tax of a third state', { placeOfSupply: '33' }, from(), 'inter'],
    ['a supplier of our state', {}, from({ state: '29', gstin: '29AAACA1111A1Z5' }), 'intra'],
    ['integrated tax of a SEZ', { placeOfSupply: '27' }, from({ category: 'sezUnit' }), 'inter'],
    ['integrated tax to our SEZ', { placeOfSupply: '27' }, { ...from(), own: 'sez' }, 'inter'],
  ])('%s: credit', (_, draft, setting, supply) =>
    expect(blocked('purchaseBill', draft, setting)).toEqual([supply, [false], []]),
  );
  test('without tax, or without credit at all, nothing is said', () => {
    expect(blocked('purchaseBill', { placeOfSupply: '27' }, { ...from(), item: { treatment: 'exempt' } })[2]).toEqual(
      [],
    );
    expect(blocked('purchaseBill', { placeOfSupply: '27' }, { ...from(), own: 'composition' })[2]).toEqual([]);
  });
  const original = {
    ...{ id: 'bill', kind: 'purchaseBill', number: 'PB/1', date: today, party: 'party', registration: 'own' },
    ...{ placeOfSupply: '27', currency: 'INR', exchangeRate: millionths(1_000_000), reverseCharge: false },
    ...{ withPayment: false, toLocation: null, supply: 'intra', taxCharged: true, leftRoundOff: 0 },
  } as unknown as SourceDocument;
  const billed = sourceLine({
    ...{ document: 'bill', line: 1, item: 'fan', unit: fan.unit, quantity: quantity('10'), taxable: paise(100_000) },
    ...{ gstRate: percentage('18'), treatment: 'taxable' },
  });
  const against = (more: Partial<Facts> = {}): Setting => ({
    facts: {
      ...{ party: supplier, documents: new Map([['bill', original]]), sources: new Map([['bill/1', billed]]) },
      ...more,
    },
  });
  const note = { against: 'bill', reason: 'x', lines: [{ ...line, source: { document: 'bill', line: 1 } }] };
  test('a debit note on such a bill is cost too; what takes it back takes back cost', () => {
    expect(blocked('purchaseDebitNote', note, against())).toEqual(['intra', [true], ['party']]);
    expect(blocked('purchaseCreditNote', note, against())).toEqual(['intra', [true], []]);
  });
  test('a charge on a debit note follows its bill, as its lines do', () => {
    const here = { ...original, placeOfSupply: '29', supply: 'inter' } as SourceDocument;
    const booked = { originals: new Map([['bill', { date: today, barred: true }]]) };
    const setting = against({ documents: new Map([['bill', here]]), booked });
    expect(blocked('purchaseDebitNote', { ...note, charges }, setting)).toEqual(['inter', [true, true], []]);
  });
  test('what takes back a bill whose credit was taken takes the credit back', () => {
    const booked = (barred: boolean) =>
      against({ booked: { originals: new Map([['bill', { date: today, barred }]]) } });
    expect(blocked('purchaseCreditNote', note, booked(false))).toEqual(['intra', [false], []]);
    expect(blocked('purchaseCreditNote', note, booked(true))).toEqual(['intra', [true], []]);
    expect(blocked('purchaseDebitNote', note, booked(false))).toEqual(['intra', [true], ['party']]);
  });
});

describe('tax that a journal moves by hand', () => {
  const seen = (effects: readonly Effect[]): Partial<Facts> => ({
    ledgerSeen: (ledger) => ({ money: false, effects: ledger === 'tax' ? effects : [] }),
  });
  const lines: readonly DraftLine[] = [
    { ledger: 'other', debit: money('10') },
    { ledger: 'tax', credit: money('10') },
  ];
  const moved = (kind: KindName, effects: readonly Effect[], more: Partial<Draft> = {}) =>
    checkTyped({
      ...{ kind: kindOf(kind), today, draft: draftOf({ kind, lines, ...more }) },
      facts: factsOf({ facts: seen(effects) }),
    }).warnings.filter(({ code }) => code === 'taxByHand');
  test.each(['outputCgst', 'inputIgst', 'reverseSgst', 'tdsContractor', 'tcsPayable'] as const)(
    '%s: it appears in no return, so a reason is needed',
    (effect) =>
      expect(moved('manualJournal', [effect])).toEqual([
        {
          ...{ code: 'taxByHand', field: 'lines.ledger', row: 1, reason: 'needed' },
          message: expect.stringContaining('no return'),
        },
      ]),
  );
  test('a voucher is asked as a journal is; a set-off, an opening balance and a challan are not, nor other ledgers', () => {
    expect(moved('journalVoucher', ['outputIgst'])).toHaveLength(1);
    expect(moved('gstAdjustment', ['outputIgst'])).toEqual([]);
    expect(moved('openingBalance', ['outputIgst'])).toEqual([]);
    const challan = {
      tax: 'tds',
      section: '194C',
      head: '0020',
      interest: money('0'),
      fee: money('0'),
      parts: [],
    } as const;
    expect(moved('manualJournal', ['tdsContractor'], { challan })).toEqual([]);
    expect(moved('manualJournal', ['receivable'])).toEqual([]);
    expect(moved('manualJournal', [])).toEqual([]);
  });
});

describe('goods of one seller above the threshold of section 194Q, on a bill without a section', () => {
  const standings = [
    {
      ...{ section: '194Q', year: money('4999900'), yearDeducted: money('0') },
      ...{ month: money('0'), monthDeducted: money('0') },
    },
  ];
  const own = { ...factsOf({}).own, deductsOnGoods: true as const };
  const facts: Partial<Facts> = { own, tdsBefore: { deductee: 'company', standings } };
  const bill = { reference: 'S-1', lines: [{ ...line, quantity: quantity('3') }] };
  const warned = (kind: KindName, more: Partial<Draft>, setting: Setting) =>
    found(kind, { ...bill, ...more }, setting).warnings.filter(({ code }) => code === 'goodsAboveThreshold');
  test('a bill of 300 after 49,99,900 goes 200 above', () =>
    expect(warned('purchaseBill', {}, { facts })).toEqual([
      { code: 'goodsAboveThreshold', field: 'tdsSection', message: expect.stringContaining('194Q by ₹200.00') },
    ]));
  test.each([
    ['a turnover of ten crore and less', 'purchaseBill', {}, { facts: { ...facts, own: factsOf({}).own } }],
    ['a section was chosen', 'purchaseBill', { tdsSection: '194Q' }, { facts }],
    ['it is below', 'purchaseBill', { lines: [line] }, { facts }],
    ['services', 'purchaseBill', {}, { facts, item: { service: true, stocked: false } }],
    ['a seller abroad', 'overseasPurchase', {}, { facts, category: 'overseas' }],
    ['a note', 'purchaseDebitNote', {}, { facts }],
    ['a sale', 'saleInvoice', {}, { facts }],
  ] as const)('nothing is said: %s', (_, kind, more, setting) => expect(warned(kind, more, setting)).toEqual([]));
});

describe('a supplier from whom tax is usually deducted, on a document without a section', () => {
  const { party } = factsOf({});
  if (!party) throw new Error('there is no party');
  const facts: Partial<Facts> = { party: { ...party, tdsSection: '194C' } };
  const off = { manyLines: true, ecommerce: true, tds: false, adjustments: true, shelfLife: true };
  const bank = { moneyLedger: 'bank', amount: money('1000'), lines: [] };
  const asked = (kind: KindName, more: Partial<Draft>, more2: Partial<Facts> = {}) =>
    found(kind, { reference: 'S-1', ...more }, { facts: { ...facts, ...more2 } }).warnings.filter(
      ({ code }) => code === 'usualSectionMissing',
    );
  test.each([
    ['purchaseBill', {}],
    ['expense', { moneyLedger: 'bank', lines: [{ ledger: 'fees', rate: quantity('1000') }] }],
    ['payment', bank],
    ['advancePayment', bank],
  ] as const)('%s asks for the section, or for a reason', (kind, more) =>
    expect(asked(kind, more)).toMatchObject([
      { field: 'tdsSection', reason: 'needed', message: expect.stringContaining('under section 194C') },
    ]),
  );
  test.each([
    ['the section is chosen', 'purchaseBill', { tdsSection: '194C' }, {}],
    ['another section is chosen', 'purchaseBill', { tdsSection: '194J(b)' }, {}],
    ['TDS is switched off', 'purchaseBill', {}, { switches: off }],
    ['the section is not in force on its day', 'purchaseBill', { date: '2024-04-01' }, {}],
    [
      'a payment settles documents',
      'payment',
      { ...bank, allocations: [{ document: 'd', amount: money('1000') }] },
      {},
    ],
    ['a note', 'purchaseDebitNote', { reason: 'x' }, {}],
    ['an order', 'purchaseOrder', {}, {}],
    ['no usual section', 'purchaseBill', {}, { party }],
  ] as const)('nothing is asked: %s', (_, kind, more, facts) => expect(asked(kind, more, facts)).toEqual([]));
});

describe('scrap that is sold without a section of tax collected', () => {
  const asked = (kind: KindName, more: Partial<Draft> = {}, scrap = true) =>
    found(kind, more, { item: { scrap } }).warnings.filter(({ field }) => field === 'tcsSection');
  test('asks for the section, or for a reason', () => {
    const message = expect.stringContaining('206C(1) scrap to collect 2 %');
    expect(asked('saleInvoice')).toMatchObject([{ code: 'scrapWithoutSection', reason: 'needed', message }]);
  });
  test.each([
    ['the section is chosen', 'saleInvoice', { tcsSection: '206C(1) scrap' }, true],
    ['other goods', 'saleInvoice', {}, false],
    ['it is bought', 'purchaseBill', {}, true],
    ['it comes back', 'saleReturn', {}, true],
  ] as const)('nothing is asked: %s', (_, kind, more, scrap) => expect(asked(kind, more, scrap)).toEqual([]));
});

describe('what the invoice portal would refuse', () => {
  const address = { line1: '1 Market Road', city: 'Bengaluru', state: '29', pincode: '560001' };
  const portal = (own: object, more: Partial<Draft> = {}, portalDays?: true) =>
    found('saleInvoice', more, {
      facts: {
        own: {
          registration: 'own',
          state: '29',
          kind: 'regular',
          gstin: '29AAGCS4821F1ZB',
          ...(portalDays && { portalDays }),
        },
        einvoice: '29AAGCS4821F1ZB',
        party: { ...(factsOf({}).party as NonNullable<Facts['party']>), address: { ...address, ...own } },
      },
    });
  test.each([
    [{}, []],
    [{ line1: '' }, ['party']],
    [{ city: '' }, ['party']],
    [{ pincode: '' }, ['party']],
    [{ pincode: '400001' }, ['party']],
    [{ state: '27', pincode: '400001' }, ['party']],
  ])('an address with %o: problems at %o', (own, at) =>
    expect(portal(own).problems.map(({ field }) => field)).toEqual(at),
  );
  test('the address typed on the document goes before that on record', () =>
    expect(portal({}, { billTo: { ...address, country: 'IN', pincode: '110001' } }).problems).toMatchObject([
      { field: 'billTo.pincode' },
    ]));
  describe('a buyer abroad', () => {
    const hamburg = { line1: 'Speicherstrasse 12', city: 'Hamburg', state: '96', pincode: '' };
    const buyers: [string, object, string[]][] = [
      ['a whole address', {}, []],
      ['no address', { address: null }, []],
      ['no address and no known country', { address: null, country: 'QQ' }, ['party']],
      ['no first line', { address: { ...hamburg, line1: '' } }, ['party']],
      ['no city', { address: { ...hamburg, city: '' } }, ['party']],
      ['a city of two letters', { address: { ...hamburg, city: 'UK' } }, ['party']],
      ['a name of two letters', { name: 'Li' }, ['party']],
    ];
    const kinds = (['overseasSale', 'saudiInvoice', 'saleInvoice', 'saleCreditNote', 'saleDebitNote'] as const).flatMap(
      (kind) =>
        // a Saudi invoice is refused to any other country
        buyers
          .filter(([, own]) => kind !== 'saudiInvoice' || !('country' in own))
          .map((each) => [kind, ...each] as const),
    );
    const sold = (kind: KindName, own: object, einvoice: string | null, draft: Partial<Draft> = {}) => {
      const party = { ...factsOf({ category: 'overseas' }).party, state: '96', country: 'SA', gstin: null };
      const facts = { einvoice, party: { ...party, address: hamburg, ...own } } as Partial<Facts>;
      const note = kindOf(kind).paper.form === 'note' && { reason: 'x', fields: originalOn('2026-10-01') };
      return fields(kind, { ...note, ...draft }, { category: 'overseas', facts });
    };
    test.each(kinds)('%s with %s', (kind, _, own, at) => expect(sold(kind, own, '29AAGCS4821F1ZB')).toEqual(at));
    test.each(kinds)('%s with %s is not asked where nothing goes to the portal', (kind, _, own) =>
      expect(sold(kind, own, null)).toEqual([]),
    );
    test.each<[object, string[]]>([
      [{}, []],
      [{ city: 'UK' }, ['shipTo.city']],
      [{ line1: ' ' }, ['shipTo.line1']],
      [{ name: 'Li' }, ['shipTo.name']],
      [{ country: 'IN' }, ['shipTo.pincode']],
    ])('goods that go to %o: problems at %o', (own, at) => {
      const shipTo = { ...hamburg, country: 'DE', ...own };
      expect(sold('overseasSale', {}, '29AAGCS4821F1ZB', { shipTo })).toEqual(at);
    });
  });
  describe('our own address, the place of dispatch, and where goods of a transfer arrive', () => {
    const end = (own: object = {}, place: object = {}, state = '29'): OwnEnd => ({
      registration: { legalName: 'Sharma Traders', state, address: { ...address, state: '', ...own } },
      place: { name: 'Store', address: place },
    });
    const away = { line1: '2 Mill Road', city: 'Bengaluru', pincode: '560002' };
    const asked = (ends: NonNullable<Facts['ends']>, more: Partial<Facts> = {}) =>
      found('saleInvoice', {}, { facts: { einvoice: '29AAGCS4821F1ZB', ends, ...more } });
    test.each<[string, OwnEnd, string | undefined, string?]>([
      ['complete', end(), undefined],
      ['line of our own', end({ line1: ' ' }), 'registration', 'first line. Correct it under Registrations'],
      ['city of our own', end({ city: 'B' }), 'registration', 'Sharma Traders: The e-invoice needs the city'],
      ['PIN code of our own', end({ pincode: '' }), 'registration', 'PIN code'],
      ['PIN code of another state', end({ pincode: '400001' }), 'registration', '400001 is not in Karnataka'],
      ['place with the address of the registration', end({}, { ...address, state: '' }), undefined],
      ['place elsewhere', end({}, away), undefined],
      ['place without a PIN code', end({}, { ...away, pincode: '' }), 'location', 'Store: The e-invoice needs the PIN'],
      ['place without a city', end({}, { ...away, city: '' }), 'location', 'Correct it under Locations'],
      [
        'place with a PIN code of another state',
        end({}, { ...away, pincode: '421302' }),
        'location',
        'not in Karnataka',
      ],
      ['place in another state', end({}, { ...away, state: '27', pincode: '421302' }), undefined],
      [
        'name of the place of dispatch',
        end({}, { ...away, portalName: 'D1' }),
        'location',
        'at least three characters',
      ],
    ])('%s', (_, from, field, says = '') => {
      const { problems } = asked({ from });
      expect(problems.map((problem) => problem.field)).toEqual(field === undefined ? [] : [field]);
      expect(problems[0]?.message ?? '').toContain(says);
    });
    test('it is asked of what goes to the portal alone', () =>
      expect(asked({ from: end({ pincode: '' }) }, { einvoice: null }).problems).toEqual([]));
    test('the buyer has a name of three characters too', () => {
      const party = { ...(factsOf({}).party as NonNullable<Facts['party']>), name: 'AB' };
      expect(asked({ from: end() }, { party }).problems).toMatchObject([{ field: 'party' }]);
    });
    describe('a transfer to another registration', () => {
      const sent = (to: OwnEnd) =>
        found(
          'branchTransfer',
          { party: undefined as never, toLocation: 'there' },
          {
            facts: {
              einvoice: '29AAGCS4821F1ZB',
              party: undefined,
              ends: { from: end(), to },
              other: { registration: 'other', state: '27', kind: 'regular' },
            },
          },
        ).problems.map(({ field, message }) => [field, message.split(':')[0]]);
      const pune = { line1: '4 Hill Road', city: 'Pune', pincode: '411001' };
      test('complete', () => expect(sent(end(pune, {}, '27'))).toEqual([]));
      test('the registration that receives', () =>
        expect(sent(end({}, {}, '27'))).toEqual([['toLocation', 'Sharma Traders']]));
      test('the place that receives', () =>
        expect(sent(end(pune, { ...pune, pincode: '' }, '27'))).toEqual([['toLocation', 'Store']]));
    });
    describe('goods that need an e-way bill, which is made afterwards: a warning', () => {
      const warned = (kind: KindName, from: OwnEnd, rate: string, more: Partial<Facts> = {}) =>
        found(
          kind,
          { lines: [{ ...line, rate: quantity(rate) }] },
          { facts: { einvoice: null, ends: { from }, ...more } },
        ).warnings.filter(({ code }) => code === 'wayAddress');
      const bare = end({}, { ...away, pincode: '' });
      test('a delivery and an invoice from a place without a PIN code', () => {
        for (const kind of ['deliveryChallan', 'saleInvoice'] as const) {
          expect(warned(kind, bare, '90000')).toMatchObject([
            { field: 'location', message: expect.stringContaining('Store has no PIN code') },
          ]);
          expect(warned(kind, end({}, away), '90000')).toEqual([]);
        }
      });
      test('goods of little worth need none', () => expect(warned('saleInvoice', bare, '100')).toEqual([]));
      test('the registration, where the goods leave from its address', () =>
        expect(warned('saleInvoice', end({ pincode: '400001' }), '90000')).toMatchObject([
          { field: 'registration', message: expect.stringContaining('400001, which is not in Karnataka') },
        ]));
      test('who has no GSTIN makes none here', () =>
        expect(warned('saleInvoice', bare, '90000', { own: { ...factsOf({}).own, gstin: null } })).toEqual([]));
      test('of an e-invoice it is a problem already', () =>
        expect(warned('saleInvoice', bare, '90000', { einvoice: '29AAGCS4821F1ZB' })).toEqual([]));
    });
  });
  test('30 days, from a turnover of ten crore', () => {
    expect(portal({}, { date: '2026-10-23' }, true).problems.map(({ field }) => field)).toEqual(['date']);
    expect(portal({}, { date: '2026-10-24' }, true).warnings.map(({ code }) => code)).toEqual(['portalNear']);
    expect(portal({}, { date: '2026-10-23' }).problems).toEqual([]);
  });
});

test('a duplicate needs a reason, which is kept beside the warning', () => {
  const booked = { duplicate: { kind: 'purchaseBill', number: 'PB/26-27/0001', date: '2026-11-01' } };
  const { warnings } = found('purchaseBill', { reference: 'S-1' }, { facts: { booked } });
  expect(unaccepted({}, warnings)).toMatchObject([{ code: 'duplicateBill', reason: 'needed', field: 'reference' }]);
  expect(unaccepted({ accepted: [{ warning: 'duplicateBill', reason: ' ' }] }, warnings)).toHaveLength(1);
  const accepted = { accepted: [{ warning: 'duplicateBill', reason: 'Two parts of one bill' }] };
  expect(unaccepted(accepted, warnings)).toEqual([]);
  expect(withReasons(accepted, warnings)).toMatchObject([{ code: 'duplicateBill', reason: 'Two parts of one bill' }]);
});

test('every row of the table has a code of its own and a source', () => {
  const rows = [...typedChecks, ...pricedChecks];
  expect(new Set(rows.map(({ code }) => code)).size).toBe(rows.length);
  for (const { code, source } of rows)
    expect([code, source]).toEqual([expect.stringMatching(/^[a-zA-Z]{1,40}$/), expect.stringMatching(/.{10,}/)]);
});

describe('what the register said of the buyer', () => {
  const buyer = (status: string, cancelledOn: string | null = null) => {
    const { party } = factsOf({});
    return { facts: { einvoice: '29AAGCS4821F1ZB', party: { ...party, register: { status, cancelledOn } } as never } };
  };
  test.each([
    ['active', null, []],
    ['unknown', null, []],
    ['cancelled', '2026-10-01', ['party']],
    ['cancelled', today, ['party']],
    ['cancelled', '2026-12-01', []],
    ['inactive', null, ['party']],
    ['suspended', null, []],
  ])('%s since %s', (status, since, wrong) => expect(fields('saleInvoice', {}, buyer(status, since))).toEqual(wrong));
  test('suspended is a warning', () =>
    expect(codes('saleInvoice', {}, buyer('suspended'))).toEqual([['buyerSuspended', undefined]]));
  test('where nothing goes to the portal the register does not stop an invoice', () =>
    expect(fields('saleInvoice', {}, { facts: { ...buyer('cancelled').facts, einvoice: null } })).toEqual([]));
});

describe('a registration that the register says is gone', () => {
  const party = (status: string, cancelledOn: string | null = null): Setting => ({
    facts: { party: { ...factsOf({}).party, register: { status, cancelledOn } } as never },
  });
  test.each([
    ['cancelled', '2026-10-01', [['buyerGone', undefined]]],
    ['cancelled', '2026-12-01', []],
    ['inactive', null, [['buyerGone', undefined]]],
    ['suspended', null, [['buyerSuspended', undefined]]],
    ['active', null, []],
  ])('a buyer who is %s since %s is warned of where nothing goes to the portal', (status, since, warnings) =>
    expect(codes('saleInvoice', {}, party(status, since))).toEqual(warnings),
  );
  test.each([
    ['cancelled', '2026-10-01', [['supplierGone', 'needed']]],
    ['cancelled', '2026-12-01', []],
    ['inactive', null, [['supplierGone', 'needed']]],
    ['suspended', null, [['supplierGone', 'needed']]],
    ['active', null, []],
  ])('credit of a supplier who is %s since %s asks for a reason', (status, since, warnings) => {
    expect(codes('purchaseBill', { reference: 'S-1' }, party(status, since))).toEqual(warnings);
    const blocked = { reference: 'S-1', lines: [{ ...line, creditBlocked: true }] };
    expect(codes('purchaseBill', blocked, party(status, since))).toEqual([]);
    expect(codes('purchaseOrder', {}, party(status, since))).toEqual([]);
  });
  test('the supplier’s own date counts', () =>
    expect(
      codes('purchaseBill', { reference: 'S-1', referenceDate: '2026-09-30' }, party('cancelled', '2026-10-01')),
    ).toEqual([]));
});

describe('what is about to be sent is checked by the same rules', () => {
  const address = { line1: '1 Market Road', city: 'Bengaluru', state: '29', pincode: '560001', country: 'IN' };
  const sent = (more: Partial<IrpDocument> = {}): IrpDocument => ({
    ...{ type: 'INV', number: 'A/1', date: today, supplyType: 'B2B', reverseCharge: false, placeOfSupply: '29' },
    seller: { gstin: '29AAGCS4821F1ZB', legalName: 'Sharma Traders', address },
    buyer: { gstin: '29AAACA1111A1Z5', legalName: 'Asha Traders', address },
    ...{ lines: [], tcs: paise(0), roundOff: paise(0), total: paise(0), currency: 'INR' },
    ...more,
  });
  const away = { ...address, pincode: '400001' };
  test.each<[string, Partial<IrpDocument>, string | undefined]>([
    ['complete', {}, undefined],
    ['our own PIN code', { seller: { ...sent().seller, address: away } }, 'registration.pincode'],
    ['our own city', { seller: { ...sent().seller, address: { ...address, city: '' } } }, 'registration.city'],
    ['our own name', { seller: { ...sent().seller, legalName: 'S' } }, 'registration.name'],
    ['name of the buyer', { buyer: { ...sent().buyer, legalName: 'AB' } }, 'billTo.name'],
    ['place of dispatch', { dispatchFrom: { ...away, name: 'Store' } }, 'location.pincode'],
    ['PIN code of the buyer', { buyer: { ...sent().buyer, address: away } }, 'billTo.pincode'],
    ['state of the GSTIN', { buyer: { ...sent().buyer, gstin: '27AAPFU0939F1ZV' } }, 'billTo.state'],
    ['GSTIN of who receives', { shipTo: { ...address, name: 'Store', gstin: '29X' } }, 'shipTo.gstin'],
    ['who receives is not registered', { shipTo: { ...address, name: 'Store', gstin: 'URP' } }, undefined],
    ['a buyer abroad', { supplyType: 'EXPWOP', buyer: { legalName: 'GmbH', address: away } }, undefined],
    [
      'city abroad',
      { supplyType: 'EXPWP', buyer: { legalName: 'GmbH', address: { ...away, city: 'UK' } } },
      'billTo.city',
    ],
    [
      'line abroad',
      { supplyType: 'EXPWP', buyer: { legalName: 'GmbH', address: { ...away, line1: '' } } },
      'billTo.line1',
    ],
    ['name abroad', { supplyType: 'EXPWP', buyer: { legalName: 'Li', address: away } }, 'billTo.name'],
    ['name of who receives', { shipTo: { ...address, name: 'AB' } }, 'shipTo.name'],
    [
      'goods that go to a city abroad',
      { supplyType: 'EXPWP', shipTo: { ...away, country: 'DE', city: 'UK', name: 'Depot' } },
      'shipTo.city',
    ],
  ])('%s', (_, more, field) =>
    expect(portalProblems(sent(more)).map((each) => each.field)).toEqual(field === undefined ? [] : [field]),
  );
});

describe('a note to a document from before the books', () => {
  const own = { reason: 'x' };
  const theirs = { reason: 'x', reference: 'CN-1' };
  const known: Setting = {};
  const consumer: Setting = {
    category: 'unregistered',
    facts: { party: { ...factsOf({ category: 'unregistered' }).party, gstin: undefined } as never },
  };
  const notes = [
    ['saleCreditNote', own],
    ['saleDebitNote', own],
    ['purchaseCreditNote', theirs],
    ['purchaseDebitNote', theirs],
  ] as const;
  const both = ['originalNumber', 'originalDate'];

  test.each(['saleCreditNote', 'saleDebitNote'] as const)(
    '%s with GST to a consumer gives number and date too',
    (kind) => {
      expect(fields(kind, own, consumer)).toEqual(both);
      expect(fields(kind, { ...own, fields: originalOn('2026-10-01') }, consumer)).toEqual([]);
    },
  );
  test('a date of somebody else’s paper is no date of the original', () => {
    const old = { ...own, reference: 'OLD', referenceDate: '2025-02-01' };
    expect(fields('saleCreditNote', old, consumer)).toEqual(['referenceDate']);
  });
  test.each(notes)('%s with GST of a party with a GSTIN gives number and date', (kind, note) => {
    expect(fields(kind, note, known)).toEqual(both);
    expect(fields(kind, { ...note, fields: { originalNumber: 'INV-7' } }, known)).toEqual(['originalDate']);
    expect(fields(kind, { ...note, fields: { originalDate: '2026-10-01' } }, known)).toEqual(['originalNumber']);
    expect(fields(kind, { ...note, fields: originalOn('2026-10-01') }, known)).toEqual([]);
    expect(found(kind, note).problems[0]?.message).toContain('Against document');
  });
  test.each(notes)('%s without tax, also of a supplier who charges none, gives both too', (kind, note) => {
    expect(fields(kind, { ...note, ...(kindOf(kind).gst.tax === 'output' && at('0')) }, consumer)).toEqual(both);
    expect(fields(kind, { ...note, ...at('0') })).toEqual(both);
    expect(fields(kind, { ...note, fields: { originalNumber: 'INV-7' } }, consumer)).toEqual(['originalDate']);
    expect(fields(kind, { ...note, fields: { originalDate: '2026-10-01' } }, consumer)).toEqual(['originalNumber']);
  });
  test.each([...notes, ['saleReturn', own], ['purchaseReturn', theirs]] as const)(
    '%s without a source is in another currency only for somebody abroad',
    (kind, { reference: _, ...note }: Partial<Draft>) => {
      const dollars = { currency: 'USD', exchangeRate: millionths(84_000_000), fields: originalOn('2026-10-01') };
      const paper = kindOf(kind).fields.includes('referenceDate') ? { reference: 'CN-1' } : {};
      expect(fields(kind, { ...note, ...paper, ...dollars })).toEqual(['currency']);
      expect(fields(kind, { ...note, ...paper, ...dollars }, { category: 'overseas' })).not.toContain('currency');
    },
  );
  test('a financial credit note gives both too', () => {
    expect(fields('saleCreditNote', { ...own, withoutTax: true })).toEqual(both);
    expect(fields('purchaseCreditNote', { ...theirs, withoutTax: true })).toEqual(both);
    const old = { withoutTax: true, fields: originalOn('2025-10-01') };
    expect(fields('saleCreditNote', { ...own, ...old })).toEqual([]);
  });
  test.each(['INV 7', 'INV_7', 'INV-7.', '12345678901234567', '₹7'])(
    '%s is no number of an invoice (rule 46)',
    (number) => {
      const note = { ...own, fields: { ...originalOn('2026-10-01'), originalNumber: number } };
      expect(fields('saleCreditNote', note)).toEqual(['originalNumber']);
      expect(fields('saleCreditNote', note, consumer)).toEqual(['originalNumber']);
      expect(fields('purchaseCreditNote', { ...theirs, ...note, reference: 'CN-1' })).toEqual(['originalNumber']);
      // a supplier without a GSTIN numbers as they like
      expect(fields('purchaseCreditNote', { ...note, reference: 'CN-1' }, consumer)).toEqual([]);
    },
  );
  test('the original is dated on a day, and not after its note', () => {
    for (const day of ['yesterday', '2026-02-30', '2026-11-23'])
      expect(fields('saleCreditNote', { ...own, date: '2026-11-22', fields: originalOn(day) })).toEqual([
        'originalDate',
      ]);
    expect(fields('saleCreditNote', { ...own, date: '2026-11-22', fields: originalOn('2026-11-22') })).toEqual([]);
  });
  test('not beside a document that was chosen, and not on other kinds', () => {
    const chosen = { ...own, against: 'c', fields: originalOn('2026-10-01') };
    expect(fields('saleCreditNote', chosen)).toEqual(expect.arrayContaining(both));
    const byLine = {
      ...own,
      lines: [{ ...line, source: { document: 'c', line: 1 } }],
      fields: originalOn('2026-10-01'),
    };
    expect(fields('saleCreditNote', byLine)).toEqual(expect.arrayContaining(both));
    expect(fields('saleInvoice', { fields: originalOn('2026-10-01') })).toEqual(both);
  });
  test('the supplier’s own date is not the date of the original', () => {
    const note = { ...theirs, referenceDate: '2025-08-01', ...at('12') };
    expect(codes('purchaseCreditNote', { ...note, fields: originalOn('2025-07-01') })).toEqual([]);
    expect(
      codes('purchaseCreditNote', { ...note, referenceDate: '2026-11-20', fields: originalOn('2025-07-01') }),
    ).toEqual([]);
    expect(
      codes('purchaseCreditNote', { ...note, referenceDate: '2026-11-20', fields: originalOn('2026-11-01') }),
    ).toEqual([['gstRate', 'needed']]);
  });
});

test('tax under reverse charge of another state asks for a reason: no registration pays CGST and SGST of a state that is not its own', () => {
  const away = { ...factsOf({}).party, state: '33', gstin: '33AAACA1111A1Z5' } as NonNullable<Facts['party']>;
  const asked = (more: Partial<Draft>, party = away) =>
    codes('purchaseBill', { reference: 'S-1', reverseCharge: true, ...more }, { facts: { party } }).filter(
      ([code]) => code === 'reverseChargeElsewhere',
    );
  expect(asked({ placeOfSupply: '33' })).toEqual([['reverseChargeElsewhere', 'needed']]);
  // integrated tax is paid here, and so is what is supplied here
  expect(asked({ placeOfSupply: '29' })).toEqual([]);
  expect(asked({ placeOfSupply: '33' }, { ...away, state: '29' })).toEqual([]);
  expect(asked({ placeOfSupply: '33', reverseCharge: false })).toEqual([]);
});

describe('the value of goods for another registration of ours', () => {
  const transfer = (rate: string, other: RegistrationKind = 'regular', item: Partial<ItemFacts> = {}) => {
    const { warnings, problems } = found(
      'branchTransfer',
      {
        party: undefined,
        toLocation: 'there',
        toRegistration: 'other',
        lines: [{ ...line, rate: quantity(rate) }],
      } as unknown as Partial<Draft>,
      {
        item: { purchaseRate: quantity('60'), ...item },
        facts: { party: undefined, other: { registration: 'other', state: '27', kind: other } },
      },
    );
    return [...problems.map(({ field }) => field), ...warnings.map(({ code }) => code)];
  };
  test('with full credit the value of the invoice counts, unless it is 0 or far from the cost', () => {
    for (const rate of ['30', '60', '120']) expect([rate, transfer(rate)]).toEqual([rate, []]);
    for (const rate of ['0', '29.99', '120.02']) expect([rate, transfer(rate)]).toEqual([rate, ['transferValue']]);
    // without a known cost only 0 is asked about
    expect(transfer('5000', 'regular', { purchaseRate: null })).toEqual([]);
    expect(transfer('0', 'regular', { purchaseRate: null })).toEqual(['transferValue']);
  });
  test('without full credit it is no less than 90 % of the sale price, or the cost', () => {
    const sold = { saleRate: quantity('100') };
    expect(transfer('90', 'composition', sold)).toEqual([]);
    expect(transfer('89.99', 'composition', sold)).toEqual(['transferValueLow']);
    expect(transfer('59.99', 'composition')).toEqual(['transferValueLow']);
    expect(transfer('60', 'composition')).toEqual([]);
    expect(transfer('60', 'regular', { ...sold, creditBlocked: true })).toEqual(['transferValueLow']);
    expect(transfer('60', 'regular', sold)).toEqual([]);
  });
  test('within a registration nothing is supplied', () => {
    const own = { other: { registration: 'own', state: '29', kind: 'regular' as const }, party: undefined };
    expect(
      codes('branchTransfer', { toLocation: 'there', lines: [{ ...line, rate: quantity('0') }] }, { facts: own }),
    ).toEqual([]);
  });
});

describe('sections of income-tax fit payer, payee and what is paid for', () => {
  const on: Partial<Facts> = {
    switches: { manyLines: true, ecommerce: true, tds: true, adjustments: true, shelfLife: true },
    tdsBefore: { deductee: 'company', standings: [] },
  };
  const party = factsOf({}).party as NonNullable<Facts['party']>;
  const bill = (
    more: Partial<Draft>,
    {
      holder = 'C',
      own = '29AAGCS4821F1ZB',
      ...who
    }: Partial<NonNullable<Facts['party']>> & { readonly own?: string } = {},
    item: Partial<ItemFacts> = {},
  ) => {
    const { problems, warnings } = found(
      'purchaseBill',
      { reference: 'S-1', ...more },
      {
        item: { service: true, stocked: false, hsn: '998599', ...item },
        facts: {
          ...on,
          own: { registration: 'own', state: '29', kind: 'regular', gstin: own },
          party: { ...party, holder, ...who },
        },
      },
    );
    return [...problems.map(({ field }) => field), ...warnings.map(({ code }) => code)];
  };
  const person = '29AAGPS4821F1ZB';
  const firm = '29AAGFS4821F1ZB';
  test.each([
    ['194C-individual', 'C', undefined, true],
    ['194C-individual', 'P', undefined, false],
    ['194C-individual', 'H', undefined, false],
    ['194C', 'C', undefined, false],
    ['194-IB', 'P', undefined, true],
    ['194-IB', 'P', person, false],
    ['194M', 'P', undefined, true],
    ['194M', 'C', person, false],
    ['194T', 'P', undefined, true],
    ['194T', 'P', firm, false],
    ['194J(1)(ba)', 'P', firm, true],
    ['194J(1)(ba)', 'P', undefined, false],
  ])('section %s, from a payee %s, by %s: refused %s', (tdsSection, holder, own, refused) =>
    expect(bill({ tdsSection }, { holder, ...(own && { own }) }).includes('tdsSection')).toBe(refused),
  );
  test('salaries are not billed by a supplier with a GSTIN, nor paid to a company', () => {
    const salary = { tdsSection: '192', tdsAmount: paise(10_00) };
    expect(bill(salary, { holder: 'P' })).toContain('tdsSection');
    expect(bill(salary, { holder: 'C', gstin: null, category: 'unregistered' })).toContain('tdsSection');
    expect(bill(salary, { holder: 'P', gstin: null, category: 'unregistered' })).not.toContain('tdsSection');
  });
  test('a section of residents for a payee abroad, and that of non-residents for one in India, needs a reason', () => {
    const abroad = { category: 'overseas' as const, gstin: null, state: '96', country: 'US' };
    expect(bill({ tdsSection: '194J(b)', reverseCharge: true }, abroad)).toContain('sectionOfResidents');
    const non = { tdsSection: '195', tdsAmount: paise(10_00), reverseCharge: true };
    expect(bill(non, abroad)).toEqual([]);
    expect(bill({ tdsSection: '195', tdsAmount: paise(10_00) })).toContain('sectionOfResidents');
    // without any section
    expect(bill({ reverseCharge: true }, abroad)).toEqual(['abroadWithoutSection']);
    // an overseas purchase has no section at all
    const bought = (item: Partial<ItemFacts>) =>
      codes(
        'overseasPurchase',
        { reference: 'S-9', reverseCharge: true, ...at('18') },
        { item: { ...item }, facts: { ...on, party: { ...party, ...abroad } } },
      ).map(([code]) => code);
    expect(bought({ service: true, stocked: false, hsn: '998313' })).toContain('abroadWithoutSection');
    expect(bought({})).not.toContain('abroadWithoutSection');
  });
  test('a code that leaves no choice of the section asks for it above the threshold', () => {
    const worth = (rate: string) => ({ lines: [{ ...line, rate: quantity(rate) }] });
    const rent = { hsn: '997212' };
    expect(bill(worth('50000'), {}, rent)).toEqual([]);
    expect(bill(worth('50005'), {}, rent)).toEqual(['impliedSectionMissing']);
    expect(bill({ ...worth('50005'), tdsSection: '194-I(b)' }, {}, rent)).toEqual([]);
    expect(bill(worth('50005'), { holder: 'G' }, rent)).toEqual([]);
    expect(bill(worth('50005'), { own: person }, rent)).toEqual([]);
    for (const hsn of ['998221', '996111', '998361', '997313'])
      expect([hsn, bill(worth('200000'), {}, { hsn })]).toEqual([hsn, ['impliedSectionMissing']]);
    // a building of our own gives no credit, and bears the deduction all the same
    expect(bill(worth('200000'), {}, { hsn: '995411' })).toContain('impliedSectionMissing');
    // others may be of more than one section, or of none
    for (const hsn of ['996511', '998313', '998599'])
      expect([hsn, bill(worth('200000'), {}, { hsn })]).toEqual([hsn, []]);
  });
  test('with other bills of the year it is a warning, and nothing is asked where TDS is switched off', () => {
    const half = { lines: [{ ...line, rate: quantity('30000') }] };
    const facts = {
      ...on,
      tdsBefore: { deductee: 'company' as const, standings: [], unmarked: { bills: 1, value: paise(30_000_00) } },
    };
    const item = { service: true, stocked: false, hsn: '998221' };
    expect(codes('purchaseBill', { reference: 'S-1', ...half }, { item, facts })).toEqual([
      ['impliedSectionNear', undefined],
    ]);
    const big = { lines: [{ ...line, rate: quantity('300000') }] };
    expect(codes('purchaseBill', { reference: 'S-1', ...big }, { item })).toEqual([]);
  });
});

describe('advances, places of purchases and GST that is deducted', () => {
  const advance = (more: Partial<Draft>, setting: Setting = {}) => {
    const { problems, warnings } = found(
      'advanceReceipt',
      { lines: [], amount: paise(1180_00), moneyLedger: 'bank', advanceRate: percentage('18'), ...more },
      setting,
    );
    return [...problems.map(({ field }) => field), ...warnings.map(({ code }) => code)];
  };
  test('an advance of 0.1 %, of a zero-rated supply or for another place asks for a reason', () => {
    expect(advance({})).toEqual([]);
    expect(advance({ advanceRate: percentage('0.1') })).toEqual(['advanceToMerchantExporter']);
    for (const category of ['overseas', 'sezUnit', 'sezDeveloper'] as const) {
      expect([category, advance({}, { category })]).toEqual([category, expect.arrayContaining(['advanceZeroRated'])]);
      expect([category, advance({ advanceRate: percentage('0') }, { category })]).toEqual([category, []]);
    }
    expect(advance({ placeOfSupply: '27' })).toEqual(['placeOfSupplyChosen']);
    expect(advance({ placeOfSupply: '29' })).toEqual([]);
  });
  test('a bill with the tax of another state asks for a reason', () => {
    const bought = { reference: 'S-1', placeOfSupply: '27' };
    expect(codes('purchaseBill', bought)).toContainEqual(['placeOfPurchaseChosen', 'needed']);
    expect(codes('purchaseBill', { ...bought, placeOfSupply: '29' })).toEqual([]);
    expect(codes('purchaseOrder', { placeOfSupply: '27' })).toEqual([]);
  });
  test('only a tax deductor deducts GST', () => {
    const money = { lines: [], amount: paise(98_00), gstTdsAmount: paise(2_00), moneyLedger: 'bank' };
    expect(codes('saleReceipt', money)).toEqual([['gstTdsOfDeductor', 'needed']]);
    expect(codes('saleReceipt', money, { category: 'taxDeductor' })).toEqual([]);
  });
  test('goods of a supplier abroad are an overseas purchase; services are not', () => {
    const abroad = { category: 'overseas' as const };
    const asked = { reference: 'S-1' };
    expect(fields('purchaseBill', asked, abroad)).toEqual(['lines.item']);
    expect(fields('overseasPurchase', asked, abroad)).toEqual([]);
    expect(
      fields('purchaseBill', { ...asked, reverseCharge: true }, { ...abroad, item: { service: true, stocked: false } }),
    ).toEqual([]);
  });
});

describe('a note about an original that the books do not have', () => {
  const old = { originalNumber: 'OLD/7', originalDate: '2026-03-10' };
  const usual = ['noteLastMonth', 'creditReversal'];
  const note = (more: Partial<Draft> = {}, setting: Setting = {}) =>
    codes('saleCreditNote', { reason: 'Price agreed later', fields: old, ...more }, setting).flatMap(([code]) =>
      usual.includes(String(code)) ? [] : [code],
    );
  test('has the tax of its items and the usual place, or a reason', () => {
    expect(note()).toEqual([]);
    expect(note({ lines: [{ ...line, gstRate: percentage('40') }] })).toEqual(['taxOfOriginal']);
    expect(note({ placeOfSupply: '33' })).toEqual(['placeOfSupplyChosen']);
    const bill = { reference: 'S-1', reason: 'Price agreed later', fields: old };
    const rate = { lines: [{ ...line, gstRate: percentage('40') }] };
    expect(codes('purchaseCreditNote', { ...bill, ...rate }).map(([code]) => code)).toContain('taxOfOriginal');
  });
  test('has the rate of the days of the original without a question', () => {
    const before = { originalNumber: 'OLD/7', originalDate: '2025-09-10' };
    const setting = { item: { gstRate: percentage('18') } };
    expect(
      note({ date: '2025-11-01', fields: before, lines: [{ ...line, gstRate: percentage('28') }] }, setting),
    ).toEqual([]);
  });
  test('of which another note is in the books says how much is left of it', () => {
    const again = (originalDate: string) =>
      note({}, { facts: { booked: { originalAgain: { number: 'CN/1', date: '2026-11-01', originalDate } } } });
    expect(again('2026-03-10')).toEqual(['originalAgain']);
    expect(again('2026-03-11')).toEqual(['originalAgain']);
  });
  test('from days of another status bears no tax', () => {
    const history = { kind: 'composition' as const, statuses: [{ from: '2026-04-01', kind: 'regular' as const }] };
    const own = { registration: 'own', state: '29', kind: 'regular' as const, gstin: '29AAGCS4821F1ZB', history };
    const draft = { reason: 'Price agreed later', fields: old };
    expect(fields('saleCreditNote', draft, { facts: { own } })).toContain('withoutTax');
    const later = { ...draft, fields: { ...old, originalDate: '2026-05-10' } };
    expect(fields('saleCreditNote', later, { facts: { own } })).not.toContain('withoutTax');
  });
});

describe('what is next to nothing, beside a supply, or no supply', () => {
  test('a discount that leaves less than a hundredth gives goods away', () => {
    const sold = (discount: DraftLine['discount']) =>
      codes('saleInvoice', { lines: [{ ...line, ...(discount && { discount }) }] }).map(([code]) => code);
    expect(sold(undefined)).toEqual([]);
    expect(sold({ percent: percentage('98.9') })).not.toContain('goodsForNothing');
    expect(sold({ percent: percentage('99.5') })).toContain('goodsForNothing');
    const cheap = { lines: [{ ...line, rate: quantity('0.5') }] };
    expect(codes('saleInvoice', cheap, { item: { saleRate: quantity('100') } }).map(([code]) => code)).toContain(
      'goodsForNothing',
    );
  });
  test('more than a tenth that is added after tax needs a reason', () => {
    const added = (amount: number, sign: 'add' | 'less' = 'add') =>
      codes('saleInvoice', { adjustments: [{ name: 'Packing', ledger: 'liability', sign, amount: paise(amount) }] });
    expect(added(11_80)).toEqual([]);
    expect(added(12_00)).toEqual([['addedAfterTax', 'needed']]);
    expect(added(12_00, 'less')).toEqual([]);
  });
  test('under composition an item keeps its treatment', () => {
    const sold = (treatment: DraftLine['treatment']) =>
      fields('saleInvoice', { lines: [{ ...line, ...(treatment && { treatment }) }] }, { own: 'composition' });
    expect(sold('taxable')).toEqual([]);
    expect(sold('exempt')).toEqual(['lines.treatment']);
  });
  test('a service does not move between places of one registration', () => {
    const places = (registration: string) =>
      new Map([
        ['here', { id: 'here', name: 'Here', registration: 'own' }],
        ['there', { id: 'there', name: 'There', registration }],
      ]) as unknown as NonNullable<Facts['places']>;
    const moved = (registration: string, service: boolean) =>
      fields(
        'branchTransfer',
        { toLocation: 'there' },
        { item: { service, stocked: !service }, facts: { places: places(registration) } },
      );
    expect(moved('own', true)).toContain('lines.item');
    expect(moved('own', false)).not.toContain('lines.item');
  });
});
