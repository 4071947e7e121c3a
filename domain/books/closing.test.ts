import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paise } from '../base/money.ts';
import { closeYear } from './closing.ts';

const held = (ledger: string, amount: number, location = 'A') => ({ ledger, location, amount: paise(amount) });
const retained = [{ ledger: '3230', share: 1_000_000 }];
const page = (entries: ReturnType<typeof closeYear>['entries']) =>
  entries.map((e) => `${e.debit ? 'Dr' : 'Cr'} ${e.ledger} ${e.debit || e.credit}`);

test('case 36c: income 5,00,000 and expense 4,20,000 leave 80,000 in reserves', () => {
  const { entries, profit } = closeYear([held('4110', -50_000_000), held('5110', 42_000_000)], retained);
  expect(page(entries)).toEqual(['Dr 4110 50000000', 'Cr 5110 42000000', 'Cr 3230 8000000']);
  expect(profit).toBe(8_000_000);
});

test('case 36: under periodic books the closing stock of 52,000 takes the place of the opening one of 40,000', () => {
  const stock = {
    ledger: '1310',
    change: '5320',
    at: [{ location: 'A', booked: paise(4_000_000), worth: paise(5_200_000) }],
  };
  const { entries, profit } = closeYear([], retained, stock);
  expect(page(entries)).toEqual([
    'Dr 5320 4000000',
    'Cr 1310 4000000',
    'Dr 1310 5200000',
    'Cr 5320 5200000',
    'Dr 5320 1200000',
    'Cr 3230 1200000',
  ]);
  expect(profit).toBe(1_200_000);
});

test('a loss of a firm is borne by its partners as they share, to the paisa', () => {
  const partners = [
    { ledger: 'Asha', share: 333_333 },
    { ledger: 'Bina', share: 666_667 },
  ];
  expect(page(closeYear([held('6410', 100)], partners).entries)).toEqual(['Cr 6410 100', 'Dr Asha 33', 'Dr Bina 67']);
});

test('whatever is in the ledgers, each place balances, nothing stays on income and expense, and the owners have the rest', () => {
  const amount = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map(paise);
  const place = fc.constantFrom('A', 'B', 'C');
  fc.assert(
    fc.property(
      fc.array(fc.record({ ledger: fc.constantFrom('4110', '5110', '5320', '6410'), location: place, amount })),
      fc.uniqueArray(fc.record({ location: place, booked: amount, worth: amount }), { selector: (s) => s.location }),
      fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 4 }),
      (standing, at, weights) => {
        const shares = weights.map((share, n) => ({ ledger: `owner ${n}`, share }));
        const { entries, profit } = closeYear(standing, shares, { ledger: '1310', change: '5320', at });
        const net = (pick: (e: (typeof entries)[number]) => boolean) =>
          entries.filter(pick).reduce((t, e) => t + e.debit - e.credit, 0);
        for (const location of ['A', 'B', 'C']) {
          expect(net((e) => e.location === location)).toBe(0);
          for (const ledger of ['4110', '5110', '6410', '5320']) {
            const before = standing
              .filter((s) => s.ledger === ledger && s.location === location)
              .reduce((t, s) => t + s.amount, 0);
            expect(before + net((e) => e.ledger === ledger && e.location === location)).toBe(0);
          }
          for (const s of at.filter((x) => x.location === location))
            expect(s.booked + net((e) => e.ledger === '1310' && e.location === location)).toBe(s.worth);
        }
        expect(net((e) => e.ledger.startsWith('owner'))).toBe(-profit || 0);
      },
    ),
  );
});
