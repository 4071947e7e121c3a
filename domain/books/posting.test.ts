import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pricings } from '../../tools/testing/pricings.ts';
import { millionths, money, percent, percentage, quantity } from '../base/decimal.ts';
import { type Paise, paise } from '../base/money.ts';
import type { Draft, Entry, Pricing, PricingLine } from '../document/document.ts';
import { type KindName, kindNames, kindOf, takesAdjustments } from '../document/kinds/index.ts';
import { price } from '../document/price.ts';
import { codes } from '../testing/walk.ts';
import type { AccountTraits } from './accounts.ts';
import { costEffect, mirror, type PostingContext, post, reversed } from './posting.ts';

const draftOf = (kind: string, p: Pricing): Draft => ({
  kind,
  date: p.date,
  registration: 'own',
  location: 'here',
  party: 'party',
  currency: p.currency,
  exchangeRate: p.exchangeRate,
  reverseCharge: p.reverseCharge,
  withoutTax: p.withoutTax,
  withPayment: p.withPayment,
  lines: [],
});

/** The context of a document of trade, and its costs as a valuation might have them. */
const contextOf = (name: string, p: Pricing, costs: readonly number[], perpetual: boolean): PostingContext => {
  const priced = price(p);
  const { category } = p.party;
  return {
    ledgers: codes,
    draft: draftOf(name, p),
    priced,
    lineEffect: kindOf(name as 'saleInvoice').books.lineEffect,
    party: {
      id: 'party',
      overseas: category === 'overseas',
      taxed: category !== 'composition' && category !== 'unregistered',
      sez: category === 'sezUnit' || category === 'deemedExport',
      account: { category, microSmall: false },
    },
    ownComposition: p.own.kind === 'composition' || p.own.kind === 'unregistered',
    perpetual,
    costs: new Map<number, Paise>(
      perpetual
        ? priced.lines.filter((l) => l.stocked).map((l, i) => [l.number, paise(costs[i % costs.length] ?? 0)])
        : [],
    ),
    settled: [],
    tdsEffect: 'tdsContractor',
  };
};

const traded = kindNames.filter((name) => {
  const kind = kindOf(name);
  return kind.lines.of === 'items' && kind.books.posting.length > 0;
});
const costs = fc.array(fc.integer({ min: 0, max: 90_000_000 }), { minLength: 1, maxLength: 5 });

/** What only some kinds carry does not stand on the others: `resolve` leaves it out. */
const fitting = (name: string, p: Pricing): Pricing => {
  const kind = kindOf(name as 'saleInvoice');
  const { adjustments, tcs, tds, ...rest } = p;
  return {
    ...rest,
    direction: kind.gst.tax,
    reverseCharge: p.reverseCharge && kind.fields.includes('reverseCharge'),
    lines: p.lines.map((line) => ({ ...line, creditBlocked: line.creditBlocked && kind.gst.tax === 'input' })),
    ...(adjustments && takesAdjustments(kind) && { adjustments }),
    ...(tcs && kind.fields.includes('tcsSection') && { tcs }),
    ...(tds && kind.fields.includes('tdsSection') && { tds }),
  };
};

const net = (entries: readonly Entry[]): Map<string, number> => {
  const sums = new Map<string, number>();
  for (const e of entries) sums.set(e.ledger, (sums.get(e.ledger) ?? 0) + e.debit - e.credit);
  return sums;
};

describe.each(traded)('%s, with anything in it', (name) => {
  const kind = kindOf(name);

  test('balances, has no negative amounts, and its mirror undoes it', () => {
    fc.assert(
      fc.property(pricings, costs, fc.boolean(), (p, worth, perpetual) => {
        const entries = post(kind, contextOf(name, fitting(name, p), worth, perpetual));
        expect(entries.reduce((t, e) => t + e.debit - e.credit, 0)).toBe(0);
        for (const e of entries)
          expect([e.debit >= 0, e.credit >= 0, e.debit > 0 !== e.credit > 0]).toEqual([true, true, true]);
        expect([...net([...entries, ...mirror(entries)]).values()].every((sum) => sum === 0)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test('a rule and its reverse together are nothing', () => {
    fc.assert(
      fc.property(pricings, costs, (p, worth) => {
        const context = contextOf(name, fitting(name, p), worth, true);
        const back = {
          ...kind,
          books: {
            ...kind.books,
            posting: reversed(kind.books.posting),
            ...(kind.books.perpetual && { perpetual: reversed(kind.books.perpetual) }),
          },
        };
        const sums = net([...post(kind, context), ...post(back, context)]);
        expect([...sums.values()].every((sum) => sum === 0)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  if (kind.books.opens)
    test('the party is on the entry of the amount payable, or on account for what was paid at once', () => {
      fc.assert(
        fc.property(pricings, costs, fc.integer({ min: 0, max: 100 }), (p, worth, share) => {
          const made = contextOf(name, fitting(name, p), worth, false);
          const onAccount = paise(Math.trunc((made.priced.payable * share) / 100));
          const stays = kind.life.till ? onAccount : made.priced.payable;
          const context = { ...made, draft: { ...made.draft, onAccount } };
          const owed = post(kind, context).filter((e) => e.party === 'party');
          const sum = owed.reduce((t, e) => t + e.debit - e.credit, 0);
          const owes = kind.books.opens === 'receivable' || kind.books.opens === 'supplierCredit';
          expect(sum).toBe((owes ? 1 : -1) * stays + 0);
        }),
        { numRuns: 100 },
      );
    });
});

const amount = fc.integer({ min: 0, max: 90_000_000 }).map(paise);
const rate = fc.integer({ min: 1_000_000, max: 130_000_000 }).map(millionths);

describe.each(['saleReceipt', 'payment', 'refund'] as const)('%s at any rate, with anything kept back', (name) => {
  test('balances, and takes what was booked off the party', () => {
    fc.assert(
      fc.property(
        fc.record({ amount, tdsAmount: amount, discountAmount: amount, writeOff: amount, bankCharges: amount }),
        fc.array(fc.record({ share: fc.integer({ min: 1, max: 20 }), rate }), { maxLength: 4 }),
        rate,
        fc.boolean(),
        (money, booked, today, abroad) => {
          const whole = money.amount + money.tdsAmount + money.discountAmount + money.writeOff;
          const settled = booked.map(({ share, rate: then }) => ({
            amount: paise(Math.floor((whole * share) / 100)),
            rate: abroad ? then : millionths(1_000_000),
          }));
          const draft: Draft = {
            ...draftOf(name, {
              currency: abroad ? 'USD' : 'INR',
              exchangeRate: abroad ? today : millionths(1_000_000),
            } as Pricing),
            ...money,
            bankChargesGstRate: 180_000 as NonNullable<Draft['bankChargesGstRate']>,
          };
          const context = {
            ...contextOf(name, { ...nothing, currency: draft.currency, exchangeRate: draft.exchangeRate }, [0], false),
            draft,
            settled,
          };
          const entries = post(kindOf(name), context);
          expect(entries.reduce((t, e) => t + e.debit - e.credit, 0)).toBe(0);
          if (abroad) return;
          const party = entries.filter((e) => e.party === 'party').reduce((t, e) => t + e.debit - e.credit, 0);
          expect(Math.abs(party)).toBe(whole);
        },
      ),
      { numRuns: 200 },
    );
  });
});

const nothing: Pricing = {
  direction: 'none',
  date: '2026-11-02',
  own: { state: '29', kind: 'regular' },
  party: { category: 'registered', state: '29', country: 'IN' },
  placeOfSupply: '29',
  withPayment: false,
  reverseCharge: false,
  taxInclusive: false,
  withoutTax: false,
  roundTotal: false,
  currency: 'INR',
  exchangeRate: millionths(1_000_000),
  lines: [],
  discount: {},
  charges: [],
};

test('a rule that does not balance posts nothing', () => {
  const kind = kindOf('saleInvoice');
  const broken = { ...kind, books: { ...kind.books, posting: kind.books.posting.slice(1) } };
  const [p] = fc.sample(
    pricings.filter((each) => price({ ...each, direction: 'output' }).total > 0),
    1,
  );
  if (!p) throw new Error('no sample');
  expect(() => post(broken, contextOf('saleInvoice', fitting('saleInvoice', p), [0], false))).toThrow('posting out by');
});

test('the lines of a journal stay as they were written, each with its cost centre', () => {
  const draft: Draft = {
    ...draftOf('manualJournal', nothing),
    lines: [
      { ledger: '6410', debit: paise(700), costCentre: 'north' },
      { ledger: '6410', debit: paise(300) },
      { ledger: '1121', credit: paise(1000) },
    ],
  };
  const entries = post(kindOf('manualJournal'), { ...contextOf('manualJournal', nothing, [0], false), draft });
  expect(entries.map((e) => [e.ledger, e.debit, e.credit, e.costCentre])).toEqual([
    ['6410', 700, 0, 'north'],
    ['6410', 300, 0, undefined],
    ['1121', 0, 1000, undefined],
  ]);
});

describe('single documents, worked out by hand', () => {
  /** A line of a rupee amount; a widget kept in stock unless the line says otherwise. */
  const goods = (rupees: string, more: Partial<PricingLine> = {}): PricingLine => ({
    ...{ description: 'Widget', hsn: '84713010', unit: 'NOS', service: false, stocked: true, creditBlocked: false },
    ...{ quantity: quantity('1'), freeQuantity: quantity('0'), baseQuantity: quantity('1') },
    ...{ rate: quantity(rupees), discount: {}, treatment: 'taxable' as const },
    ...{ gstRate: percentage('18'), cessRate: percent(0), cessPerUnit: paise(0) },
    ...more,
  });
  type More = Partial<Omit<PostingContext, 'draft'>> & {
    readonly draft?: Partial<Draft>;
    readonly withoutParty?: true;
  };
  const entriesOf = (
    name: KindName,
    lines: readonly PricingLine[],
    { draft, withoutParty, ...more }: More = {},
    p: Partial<Pricing> = {},
  ): Entry[] => {
    const { currency = 'INR', exchangeRate = quantity('1') } = draft ?? {};
    const pricing: Pricing = { ...nothing, direction: kindOf(name).gst.tax, currency, exchangeRate, lines, ...p };
    const { party, ...context } = contextOf(name, pricing, [0], false);
    return post(kindOf(name), {
      ...context,
      ...(party && !withoutParty && { party }),
      ...more,
      draft: { ...context.draft, ...draft },
    });
  };
  /** Ledger and rupees of each entry; what is credited is negative. */
  const rowsOf = (entries: readonly Entry[]): [string, number][] =>
    entries.map((e) => [e.ledger, (e.debit - e.credit) / 100]);
  const rows = (...all: Parameters<typeof entriesOf>) => rowsOf(entriesOf(...all));
  const dollars = { currency: 'USD', exchangeRate: quantity('80') } as const;
  const foreignOf = (entries: readonly Entry[]) =>
    entries.flatMap((e) => (e.foreign === undefined ? [] : [[e.ledger, e.currency, e.foreign, e.exchangeRate]]));

  test('the difference of a cost goes where the cost of the document went', () => {
    const effect = (name: KindName) => costEffect(kindOf(name));
    expect([effect('saleInvoice'), effect('purchaseBill'), costEffect(undefined)]).toEqual(['cogs', 'cogs', 'cogs']);
    expect([effect('inventoryAdjustment'), effect('purchaseReturn')]).toEqual(['stockAdjustment', 'stockAdjustment']);
  });

  test('lines of one ledger and one cost centre make one entry, others stay apart', () => {
    const lines = [
      ...[goods('100', { costCentre: 'north' }), goods('200', { costCentre: 'south' })],
      ...[goods('300', { costCentre: 'north' }), goods('400'), goods('500')],
    ];
    const sold = entriesOf('saleInvoice', lines).filter((e) => e.ledger === '4110');
    expect(sold.map((e) => [e.credit, e.costCentre])).toEqual([
      [40_000, 'north'],
      [20_000, 'south'],
      [90_000, undefined],
    ]);
    const charged = entriesOf('saleInvoice', lines, { draft: { costCentre: 'west' } });
    expect(charged.filter((e) => e.ledger === '4110').map((e) => e.costCentre)).toEqual(['north', 'south', 'west']);
  });

  test('the balance of a party never mixes with entries on the same ledger without a party', () => {
    const adjustments = [{ name: 'Deposit', sign: 'less' as const, amount: money('18'), ledger: '1210' }];
    const entries = entriesOf('saleInvoice', [goods('100')], {}, { adjustments });
    expect(entries.filter((e) => e.ledger === '1210').map((e) => [e.party, e.debit])).toEqual([
      ['party', 10_000],
      [undefined, 1_800],
    ]);
  });

  test('a journal says how much of its own currency moves on a ledger that has one', () => {
    const draft: Partial<Draft> = {
      lines: [
        { ledger: '1123', debit: money('8300'), foreign: money('100') },
        { ledger: '1123', debit: money('0.83'), foreign: money('0.01') },
        { ledger: '1123', credit: money('4'), foreign: money('0') },
        { ledger: '1123', debit: money('3') },
        { ledger: '1121', credit: money('8299.83'), foreign: money('100') },
      ],
    };
    const entries = entriesOf('manualJournal', [], { draft, currencies: new Map([['1123', 'USD']]) });
    expect(foreignOf(entries)).toEqual([
      ['1123', 'USD', 10_000, 83_000_000],
      ['1123', 'USD', 1, 83_000_000],
    ]);
    expect(entries).toHaveLength(5);
    expect(foreignOf(entriesOf('manualJournal', [], { draft }))).toEqual([]);
    // nor in a journal that was left with another currency of its own
    expect(foreignOf(entriesOf('manualJournal', [], { draft: { ...draft, ...dollars } }))).toEqual([]);
  });

  test('a line of a journal keeps its party, and one without a ledger is not posted', () => {
    const draft: Partial<Draft> = {
      lines: [
        { ledger: '1210', debit: money('5'), party: 'asha' },
        { ledger: '4110', credit: money('5') },
        { debit: money('7') },
      ],
    };
    const entries = entriesOf('manualJournal', [], { draft });
    expect(entries.map((e) => [e.ledger, e.party])).toEqual([
      ['1210', 'asha'],
      ['4110', undefined],
    ]);
    expect(entries[1]).not.toHaveProperty('party');
  });

  test('an export says what the buyer owes in their currency, on no other entry; a sale in rupees says none', () => {
    const abroad: Partial<Pricing> = { party: { category: 'overseas', country: 'US' }, placeOfSupply: '96' };
    const entries = entriesOf('overseasSale', [goods('20')], { draft: dollars }, abroad);
    expect(rowsOf(entries)).toEqual([
      ['1211', 1600],
      ['4112', -1600],
    ]);
    expect(foreignOf(entries)).toEqual([['1211', 'USD', 2000, 80_000_000]]);
    expect(foreignOf(entriesOf('saleInvoice', [goods('20')]))).toEqual([]);
    // a document in rupees is in rupees, whatever rate it was left with
    const left = { amount: money('5'), exchangeRate: quantity('2') };
    expect(rows('saleReceipt', [], { draft: left })).toContainEqual(['1121', 5]);
  });

  test('each sort of party has its control ledger', () => {
    const party = { id: 'party', overseas: false, taxed: true, sez: false };
    const of = (name: KindName, more: Partial<AccountTraits>) =>
      entriesOf(name, [goods('100')], {
        party: { ...party, account: { category: 'registered', microSmall: false, ...more } },
      }).find((e) => e.party === 'party')?.ledger;
    const bought = [of('purchaseBill', {}), of('purchaseBill', { microSmall: true })];
    expect([...bought, of('purchaseBill', { category: 'overseas' })]).toEqual(['2120', '2110', '2130']);
    const sold = [of('saleInvoice', {}), of('saleInvoice', { category: 'unregistered' })];
    expect([...sold, of('saleInvoice', { category: 'overseas' })]).toEqual(['1210', '1212', '1211']);
  });

  test('a document without a party is on the general control ledger: micro and small enterprises have declared it', () => {
    expect(rows('purchaseBill', [goods('100')], { withoutParty: true })).toContainEqual(['2120', -118]);
    expect(rows('saleInvoice', [goods('100')], { withoutParty: true })).toContainEqual(['1210', 118]);
  });

  const bill = {
    credit: ['2120', -118],
    tax: [
      ['1411', 9],
      ['1412', 9],
    ],
  };
  test('only perpetual books put bought goods into stock, and never what is not kept in stock', () => {
    const costs = new Map([[1, money('90')]]);
    const bought = (perpetual: boolean, stocked: boolean) =>
      rows('purchaseBill', [goods('100', { stocked })], { perpetual, costs });
    // goods of 100 cover negative stock of 90: ten more were sold already
    expect(bought(true, true)).toEqual([['1310', 90], ['5310', 10], ...bill.tax, bill.credit]);
    for (const [perpetual, stocked] of [
      [false, true],
      [true, false],
    ] as const)
      expect(bought(perpetual, stocked)).toEqual([['5110', 100], ...bill.tax, bill.credit]);
  });

  test('a price cut lessens the stock for goods that are left, and the cost of sales for the others (AS 2)', () => {
    // four widgets were bought; the supplier takes 100 off their price
    const tax = bill.tax.map(([ledger, amount]) => [ledger, -Number(amount)]);
    const cut = (more: More) => rows('purchaseCreditNote', [goods('100')], more);
    const taken = { perpetual: true, landed: new Map([[1, money('-100')]]) };
    // one of the four is sold
    expect(cut({ ...taken, costs: new Map([[1, money('75')]]) })).toEqual([
      ...[
        ['2120', 118],
        ['1310', -75],
        ['5310', -25],
      ],
      ...tax,
    ]);
    // all four are sold
    expect(cut(taken)).toEqual([['2120', 118], ['5310', -100], ...tax]);
    // the note names no goods, or the books are periodic: it is a rate difference
    expect(cut({ perpetual: true })).toEqual([['2120', 118], ['5140', -100], ...tax]);
    expect(cut({ ...taken, perpetual: false })).toEqual([['2120', 118], ['5140', -100], ...tax]);
    // a higher price goes the other way
    const raised = { perpetual: true, landed: new Map([[1, money('100')]]), costs: new Map([[1, money('75')]]) };
    expect(rows('purchaseDebitNote', [goods('100')], raised)).toEqual([
      ...[
        ['1310', 75],
        ['5310', 25],
      ],
      ...bill.tax,
      bill.credit,
    ]);
  });

  test('money that no tender covers is cash, in the drawer that the sale names; what is given back comes out of it', () => {
    const paid = (draft: Partial<Draft>) =>
      rows('posSale', [goods('100')], { draft }).filter(([ledger]) => ['1110', '1111', '1130'].includes(ledger));
    const tenders = [{ ledger: '1130', amount: money('50') }];
    expect(paid({})).toEqual([['1110', 118]]);
    expect(paid({ moneyLedger: '1111' })).toEqual([['1111', 118]]);
    expect(paid({ moneyLedger: '1111', tenders })).toEqual([
      ['1130', 50],
      ['1111', 68],
    ]);
    expect(paid({ tenders: [{ ledger: '1130', amount: money('120') }] })).toEqual([
      ['1130', 120],
      ['1110', -2],
    ]);
  });

  test('a charge and an adjustment go to the ledger that they name, else to charges recovered', () => {
    const of = (p: Partial<Pricing>) =>
      rows('saleInvoice', [goods('100')], {}, p).filter(([ledger]) => ledger === '4140' || ledger === '4150');
    const charge = { name: 'Freight', amount: money('10'), apportion: 'value' as const };
    const adjustment = { name: 'Loading', sign: 'add' as const, amount: money('7') };
    expect(of({ charges: [charge, { ...charge, ledger: '4150' }] })).toEqual([
      ['4140', -10],
      ['4150', -10],
    ]);
    expect(of({ adjustments: [adjustment, { ...adjustment, ledger: '4150' }] })).toEqual([
      ['4140', -7],
      ['4150', -7],
    ]);
  });

  test('opening balances that do not balance yet leave their difference on a ledger of its own', () => {
    const opened = (credit: string) =>
      rows('openingBalance', [], {
        draft: {
          lines: [
            { ledger: '1121', debit: money('50000') },
            { ledger: '3110', credit: money(credit) },
          ],
        },
      });
    const written: [string, number] = ['1121', 50_000];
    expect(opened('45000')).toEqual([written, ['3110', -45_000], ['3250', -5000]]);
    expect(opened('52000')).toEqual([written, ['3110', -52_000], ['3250', 2000]]);
    expect(opened('50000')).toEqual([written, ['3110', -50_000]]);
  });

  test('a transfer to another registration is a supply (Schedule I), within one registration nothing is posted', () => {
    expect(rows('branchTransfer', [goods('100')])).toEqual([
      ['1560', 118],
      ['5340', -100],
      ['2211', -9],
      ['2212', -9],
    ]);
    const received = (line: Partial<PricingLine>, perpetual: boolean) =>
      rows('transferReceipt', [goods('100', line)], { perpetual });
    expect(received({}, true)).toEqual([['5340', 100], ...bill.tax, ['1560', -118]]);
    // tax without credit is part of what the goods cost
    const blocked = { creditBlocked: true };
    expect(received(blocked, true)).toEqual([
      ['5340', 100],
      ['5310', 18],
      ['1560', -118],
    ]);
    expect(received(blocked, false)).toEqual([
      ['5340', 100],
      ['5112', 18],
      ['1560', -118],
    ]);
    for (const name of ['branchTransfer', 'transferReceipt'] as const)
      expect(rows(name, [goods('100', blocked)], {}, { direction: 'none' })).toEqual([]);
  });

  test('an advance is on the account of its party', () => {
    const entries = entriesOf('advanceReceipt', [], { draft: { amount: money('100') } });
    expect(entries.map((e) => [e.ledger, e.party])).toEqual([
      ['1121', undefined],
      ['2150', 'party'],
    ]);
  });

  describe('the ledger of a line that names none', () => {
    const accounts = ['1110', '1210', '1211', '1212', '2110', '2120', '2130'];
    const to = (name: KindName, line: Partial<PricingLine>, more: More = {}, p: Partial<Pricing> = {}) =>
      rows(name, [goods('100', line)], more, p).find(
        ([ledger, n]) => Math.abs(n) === 100 && !accounts.includes(ledger),
      )?.[0];
    const of = (category: Pricing['party']['category'], placeOfSupply = '29'): Partial<Pricing> => ({
      party: { category, country: category === 'overseas' ? 'US' : 'IN' },
      placeOfSupply,
    });
    const withoutTax = [{ draft: { withoutTax: true } }, { withoutTax: true }] as const;

    test('sales are goods, services, scrap, exempt, exports or to a SEZ', () => {
      expect(to('saleInvoice', {})).toBe('4110');
      expect(to('saleInvoice', { service: true })).toBe('4120');
      expect(to('saleInvoice', { scrap: true })).toBe('4130');
      expect(to('saleInvoice', { treatment: 'exempt' })).toBe('4111');
      expect(to('saleInvoice', { treatment: 'zeroRated' })).toBe('4110');
      expect(to('saleInvoice', {}, {}, of('sezUnit'))).toBe('4113');
      expect(to('overseasSale', {}, {}, of('overseas', '96'))).toBe('4112');
      expect(to('overseasSale', { service: true }, {}, of('overseas', '96'))).toBe('4121');
    });

    test('sales at a till are retail sales; a composition dealer has one ledger for goods', () => {
      expect([to('posSale', {}), to('posSale', { treatment: 'zeroRated' })]).toEqual(['4114', '4114']);
      expect([to('posSale', { treatment: 'exempt' }), to('posSale', { service: true })]).toEqual(['4111', '4120']);
      expect(to('posSale', {}, { ownComposition: true })).toBe('4110');
    });

    test('purchases are taxable, imported, or exempt and from suppliers who charge no tax', () => {
      expect(to('purchaseBill', {})).toBe('5110');
      expect(to('purchaseBill', {}, {}, of('overseas'))).toBe('5111');
      expect(to('purchaseBill', {}, {}, of('unregistered'))).toBe('5112');
      expect(to('purchaseBill', { treatment: 'exempt' })).toBe('5112');
    });

    test('a note without GST is a discount, whatever it is for, and so is the note that takes it back', () => {
      for (const name of ['saleCreditNote', 'saleDebitNote'] as const)
        expect([name, to(name, { incomeLedger: '4120' }, ...withoutTax)]).toEqual([name, '6490']);
      for (const name of ['purchaseCreditNote', 'purchaseDebitNote'] as const)
        expect([name, to(name, { expenseLedger: '6415' }, ...withoutTax)]).toEqual([name, '4220']);
    });
  });

  test('goods sent back leave the purchases, and what is no stock leaves the ledger it was booked on', () => {
    const sent = (line: Partial<PricingLine>, more: More = {}) =>
      rows('purchaseReturn', [goods('100', line)], more).filter(([, n]) => n === -100 || n === -60 || n === -40);
    expect(sent({ expenseLedger: '6415' })).toEqual([['5130', -100]]);
    expect(sent({ stocked: false, expenseLedger: '6415' })).toEqual([['6415', -100]]);
    expect(sent({ stocked: false, ledger: '1610', expenseLedger: '6415' })).toEqual([['1610', -100]]);
    expect(sent({ stocked: false })).toEqual([['5130', -100]]);
    // the supplier credits 100 for goods that cost 60: the difference is one of stock
    const perpetualBooks = { perpetual: true, costs: new Map([[1, money('60')]]) };
    expect(sent({}, perpetualBooks)).toEqual([
      ['1310', -60],
      ['5330', -40],
    ]);
  });

  test('a price cut goes to the ledger of the line, but for goods of the stock and for sales', () => {
    const to = (kind: string, line: Partial<PricingLine>) =>
      rows(kind as 'purchaseCreditNote', [goods('100', line)]).find(([, n]) => Math.abs(Number(n)) === 100)?.[0];
    expect(to('purchaseCreditNote', { expenseLedger: '6415' })).toBe('5140');
    expect(to('purchaseCreditNote', { ledger: '1730', expenseLedger: '6415' })).toBe('1730');
    expect(to('purchaseCreditNote', { stocked: false, expenseLedger: '1730' })).toBe('1730');
    expect(to('purchaseCreditNote', { stocked: false })).toBe('5140');
    for (const [kind, usual] of [
      ['saleCreditNote', '4190'],
      ['saleReturn', '4180'],
      ['posReturn', '4180'],
    ] as const) {
      expect(to(kind, { incomeLedger: '4120', expenseLedger: '1730' })).toBe(usual);
      expect(to(kind, { incomeLedger: '1730', offRevenue: true })).toBe('1730');
    }
  });

  test('a service without a ledger of its own is no purchase of stock-in-trade, where the posting map keeps it apart', () => {
    const to = (kind: string, line: Partial<PricingLine>, more: More = {}) =>
      rows(kind as 'purchaseBill', [goods('100', { stocked: false, ...line })], more).find(
        ([, n]) => Math.abs(Number(n)) === 100,
      )?.[0];
    for (const kind of [
      'purchaseBill',
      'overseasPurchase',
      'purchaseDebitNote',
      'purchaseCreditNote',
      'purchaseReturn',
    ]) {
      expect([kind, to(kind, { service: true })]).toEqual([kind, '6485']);
      expect(to(kind, { service: true, expenseLedger: '6435' })).toBe('6435');
    }
    // freight of goods is part of what they cost
    expect(to('purchaseBill', { service: true, charge: true })).toBe('5110');
    // older books keep services with the purchases until somebody points them elsewhere
    const together = { ledgers: { ...codes, purchaseService: '5110' } };
    const usual = [
      ['purchaseBill', '5110'],
      ['overseasPurchase', '5111'],
      ['purchaseCreditNote', '5140'],
      ['purchaseReturn', '5130'],
    ] as const;
    for (const [kind, ledger] of usual) expect(to(kind, { service: true }, together)).toBe(ledger);
  });

  test('opening stock is worth what its lines say, less what covers negative stock', () => {
    const opened = (costs: PostingContext['costs']) => rows('openingStock', [goods('100')], { perpetual: true, costs });
    expect(opened(new Map([[1, money('90')]]))).toEqual([
      ['1310', 90],
      ['5310', 10],
      ['3250', -100],
    ]);
    expect(opened(new Map())).toEqual([
      ['1310', 100],
      ['3250', -100],
    ]);
  });

  test('stock put right is worth what came less what went', () => {
    const draft: Partial<Draft> = { lines: [{ delta: quantity('3') }, { delta: quantity('-2') }, {}] };
    const costs = new Map([
      [1, money('30')],
      [2, money('20')],
    ]);
    const put = rows('inventoryAdjustment', [goods('10'), goods('10'), goods('10')], { perpetual: true, costs, draft });
    expect(put).toEqual([
      ['1310', 10],
      ['5330', -10],
    ]);
  });

  test('duty lies on the goods that are left, and on the cost of those that were sold, in perpetual books', () => {
    const customs = { assessable: money('1000'), basic: money('90'), surcharge: money('10'), igst: money('18') };
    const draft: Partial<Draft> = { customs };
    const landed = { landed: new Map([[1, money('60')]]), costs: new Map([[1, money('40')]]) };
    const credit: [string, number][] = [
      ['1413', 18],
      ['2250', -118],
    ];
    expect(rows('billOfEntry', [], { draft, ...landed, perpetual: true })).toEqual([
      ...[
        ['5220', 40],
        ['1310', 40],
        ['5310', 20],
      ],
      ...credit,
    ]);
    expect(rows('billOfEntry', [], { draft, ...landed })).toEqual([['5220', 100], ...credit]);
    // without credit the integrated tax is part of the duty
    expect(rows('billOfEntry', [], { draft, ownComposition: true })).toEqual([
      ['5220', 118],
      ['2250', -118],
    ]);
  });

  describe('charges of the bank', () => {
    const charged = { bankCharges: money('160'), bankChargesGstRate: percentage('18') };
    const tax = [
      ['1411', 14.4],
      ['1412', 14.4],
    ];

    test('bear half of their GST as CGST and half as SGST, and come off what arrives', () => {
      const draft = { amount: money('1000'), ...charged };
      expect(rows('saleReceipt', [], { draft })).toEqual([['1121', 811.2], ['6230', 160], ...tax, ['1210', -1000]]);
      expect(rows('payment', [], { draft })).toEqual([['2120', 1000], ['6230', 160], ...tax, ['1121', -1188.8]]);
      // without a regular registration there is no credit: the tax is part of the charge
      expect(rows('saleReceipt', [], { draft, ownComposition: true })).toEqual([
        ...[
          ['1121', 811.2],
          ['6230', 188.8],
          ['1210', -1000],
        ],
      ]);
      const large = { amount: money('10000000'), bankCharges: money('5000000') };
      expect(rows('saleReceipt', [], { draft: { ...large, bankChargesGstRate: percentage('18') } })[2]).toEqual([
        ...['1411', 450_000],
      ]);
      expect(rows('saleReceipt', [], { draft: large })).toEqual([
        ...[
          ['1121', 5_000_000],
          ['6230', 5_000_000],
          ['1210', -10_000_000],
        ],
      ]);
    });

    test('are taken in the currency of the account: off what is received, on top of what is paid', () => {
      // 188.80 rupees are 2.36 dollars at 80
      const draft = { amount: money('100'), ...dollars, ...charged };
      const bankOf = (name: KindName, more: Partial<Draft> = {}) =>
        foreignOf(entriesOf(name, [], { draft: { ...draft, ...more } })).find(([ledger]) => ledger === '1121')?.[2];
      expect([bankOf('saleReceipt'), bankOf('payment'), bankOf('refund')]).toEqual([9764, 10_236, 10_236]);
      expect(bankOf('saleReceipt', { bankCharges: paise(0) })).toBe(10_000);
      expect(bankOf('saleReceipt', { exchangeRate: quantity('0.5'), bankCharges: paise(1) })).toBe(9998);
    });

    test('are nothing while the rate is not known, and without an amount the bank moves no currency', () => {
      const unknown = { ...dollars, exchangeRate: quantity('0'), amount: money('100') };
      expect(entriesOf('saleReceipt', [], { draft: unknown })).toEqual([]);
      const alone = entriesOf('saleReceipt', [], { draft: { ...dollars, bankCharges: money('80') } });
      expect(rowsOf(alone)).toEqual([
        ['1121', -80],
        ['6230', 80],
      ]);
      expect(foreignOf(alone)).toEqual([]);
    });
  });

  describe('differences of exchange', () => {
    /** A hundred dollars at 80 that settle what was booked at another rate: the entry of the difference. */
    const difference = (name: KindName, booked: string, more: More = {}) =>
      rows(name, [], {
        draft: { ...dollars, amount: money('100') },
        settled: [{ amount: money('100'), rate: quantity(booked) }],
        ...more,
      }).find(([ledger]) => ledger === '4230' || ledger === '6510');
    const [loss, gain] = [
      ['6510', 200],
      ['4230', -200],
    ];

    test.each<[KindName, unknown, unknown]>([
      ['saleReceipt', loss, gain],
      ['payment', gain, loss],
      ['refund', gain, loss],
    ])('%s of 8,000 for what was booked at 8,200, and at 7,800', (name, high, low) => {
      expect([difference(name, '82'), difference(name, '78'), difference(name, '80')]).toEqual([high, low, undefined]);
    });

    test('an advance settles at what the bill was booked at, and comes back at what is paid', () => {
      const usedUp = money('8000');
      const at = (name: KindName, booked: string) => difference(name, booked, { usedUp });
      expect([at('allocationVoucher', '82'), at('allocationVoucher', '78')]).toEqual([loss, gain]);
      expect([at('supplierAllocation', '82'), at('supplierAllocation', '78')]).toEqual([gain, loss]);
      const back = (worth: string) => difference('advanceRefund', '80', { usedUp: money(worth) });
      expect([back('8200'), back('7800'), back('8000')]).toEqual([gain, loss, undefined]);
    });

    test('a difference of a paisa is a loss or a gain like any other', () => {
      const note = (name: KindName) =>
        rows(name, [goods('100')], { exchangeOnNote: paise(1) }).find(([, n]) => Math.abs(n) === 0.01);
      expect([note('saleCreditNote'), note('purchaseReturn')]).toEqual([
        ['6510', 0.01],
        ['4230', -0.01],
      ]);
    });

    test('an advance in dollars is booked with all that it settles, tax deducted from it included', () => {
      const draft = { ...dollars, amount: money('100'), tdsAmount: money('10') };
      expect(foreignOf(entriesOf('advanceReceipt', [], { draft }))).toContainEqual(['2150', 'USD', 11_000, 80_000_000]);
    });

    test('a note is on the account at what its document was booked at there', () => {
      const note = (name: KindName, exchangeOnNote: string | undefined) =>
        rows(
          name,
          [goods('100')],
          exchangeOnNote === undefined ? {} : { exchangeOnNote: money(exchangeOnNote) },
        ).filter(([ledger]) => ['1210', '2120', '4230', '6510'].includes(ledger));
      expect(note('saleCreditNote', '200')).toEqual([['1210', -318], loss]);
      expect(note('saleCreditNote', '-50')).toEqual([
        ['1210', -68],
        ['4230', -50],
      ]);
      expect(note('saleCreditNote', undefined)).toEqual([['1210', -118]]);
      expect(note('purchaseReturn', '200')).toEqual([['2120', 318], gain]);
      expect(note('purchaseReturn', '-50')).toEqual([
        ['2120', 68],
        ['6510', 50],
      ]);
    });
  });
});
