import fc from 'fast-check';
import { expect, test } from 'vitest';
import { money } from './decimal.ts';
import { worthOf } from './exchange.ts';
import { paise } from './money.ts';

test('each part takes its share of the rupees, the last one what is left', () => {
  const item = { name: 'bill', open: 300, worth: 25001 };
  const part = { amount: money('1') };
  expect(worthOf([part, part, part], () => item)).toEqual([8334, 8334, 8333]);
  expect(worthOf([part], () => item)).toEqual([8334]);
});

test('law: settled in any parts, of any documents in any order, the rupees come to what was booked', () => {
  const bill = fc.record({
    worth: fc.integer({ min: 1, max: 10 ** 13 }),
    parts: fc.array(fc.integer({ min: 1, max: 10 ** 9 }), { minLength: 1, maxLength: 6 }),
  });
  const law = fc.property(fc.array(bill, { minLength: 1, maxLength: 4 }), fc.nat(), (bills, seed) => {
    const parts = bills
      .flatMap(({ parts }, at) => parts.map((amount) => ({ at, amount: paise(amount) })))
      .sort((a, b) => ((a.amount * 31 + seed) % 97) - ((b.amount * 31 + seed) % 97));
    const taken = worthOf(parts, (index) => {
      const { at } = parts[index] ?? { at: 0 };
      const { worth, parts: own } = bills[at] ?? { worth: 0, parts: [] };
      return { name: String(at), open: own.reduce((t, p) => t + p, 0), worth };
    });
    for (const [at, { worth }] of bills.entries()) {
      const all = taken.filter((_, i) => parts[i]?.at === at);
      expect(all.reduce((t, x) => t + x, 0)).toBe(worth);
      expect(all.every((x) => x >= 0)).toBe(true);
    }
  });
  fc.assert(law, { numRuns: 300 });
});
