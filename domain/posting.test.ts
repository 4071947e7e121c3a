import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pricings } from '../tools/testing/pricings.ts';
import { millionths } from './decimal.ts';
import type { Draft, Entry, Pricing } from './document.ts';
import { kindNames, kindOf, takesAdjustments } from './kinds/index.ts';
import { type Paise, paise } from './money.ts';
import { mirror, type PostingContext, post, reversed } from './posting.ts';
import { price } from './price.ts';
import { codes } from './testing/walk.ts';

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
      microSmall: false,
      taxed: category !== 'composition' && category !== 'unregistered',
      sez: category === 'sezUnit' || category === 'deemedExport',
      retail: category === 'unregistered',
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
  return kind.lines === 'items' && kind.books.posting.length > 0;
});
const costs = fc.array(fc.integer({ min: 0, max: 90_000_000 }), { minLength: 1, maxLength: 5 });

/** What only some kinds carry does not stand on the others: `resolve` leaves it out. */
const fitting = (name: string, p: Pricing): Pricing => {
  const kind = kindOf(name as 'saleInvoice');
  const { adjustments, tcs, tds, ...rest } = p;
  return {
    ...rest,
    direction: kind.tax,
    reverseCharge: p.reverseCharge && kind.fields.includes('reverseCharge'),
    lines: p.lines.map((line) => ({ ...line, creditBlocked: line.creditBlocked && kind.tax === 'input' })),
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
    test('the party stands with what the document says is payable, or stays on account of what was paid on the spot', () => {
      fc.assert(
        fc.property(pricings, costs, fc.integer({ min: 0, max: 100 }), (p, worth, share) => {
          const made = contextOf(name, fitting(name, p), worth, false);
          const onAccount = paise(Math.trunc((made.priced.payable * share) / 100));
          const stays = kind.till ? onAccount : made.priced.payable;
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
