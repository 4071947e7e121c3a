import fc from 'fast-check';
import { expect, test } from 'vitest';
import { millionths, money, quantity } from '../base/decimal.ts';
import { paise } from '../base/money.ts';
import { land, type ReceivedLine } from './landing.ts';
import { advance, emptyStockState, type StockState } from './valuation.ts';

const line = (number: number, taxable: string, units?: string): ReceivedLine => ({
  line: number,
  taxable: money(taxable),
  ...(units !== undefined && {
    received: { item: `item${number}`, location: 'here', quantity: quantity(units), of: `bill/${number}` },
  }),
});

test('duty is shared by value; what was sold of the goods bears its part, and services are no goods', () => {
  const held: Readonly<Record<string, string>> = { item1: '4', item2: '25' };
  const { movements, shares } = land(money('1000'), [line(1, '6000', '10'), line(2, '3000', '20'), line(3, '1000')], {
    method: 'average',
    held: (item) => quantity(held[item] ?? '0'),
  });
  expect([...shares]).toEqual([
    [1, money('600')],
    [2, money('300')],
  ]);
  // four of ten are left; of the other item the stock balance holds more than came with this bill
  expect(movements.map((m) => [m.item, m.quantity, m.value])).toEqual([
    ['item1', 0, money('240')],
    ['item2', 0, money('300')],
  ]);
});

test('an item on two lines of a bill shares one stock balance', () => {
  const twice = [line(1, '100', '5'), { ...line(2, '100', '5'), received: line(1, '100', '5').received }] as const;
  const { movements } = land(money('20'), twice as readonly ReceivedLine[], {
    method: 'average',
    held: () => quantity('5'),
  });
  expect(movements.map((m) => m.value)).toEqual([money('5'), money('5')]);
});

test('law: value without goods adds exactly what it says, whatever the method; taken back at once it leaves what was', () => {
  const receipts = fc.array(
    fc.record({ units: fc.integer({ min: 1, max: 50 }), worth: fc.integer({ min: 0, max: 1e7 }) }),
    {
      minLength: 1,
      maxLength: 5,
    },
  );
  const law = fc.property(
    receipts,
    fc.nat(60),
    fc.integer({ min: 1, max: 1e7 }),
    fc.constantFrom('average' as const, 'fifo' as const),
    (lots, sold, duty, method) => {
      let state: StockState = emptyStockState;
      for (const { units, worth } of lots)
        state = advance(method, state, { quantity: millionths(units * 1e6), value: paise(worth) }).state;
      const inStock = state.balance.quantity / 1e6;
      if (sold > 0) state = advance(method, state, { quantity: millionths(-Math.min(sold, inStock) * 1e6) }).state;
      const { balance } = state;
      const landed = advance(method, state, { quantity: millionths(0), value: paise(duty) });
      const added = balance.quantity > 0 ? duty : 0;
      expect(landed.cost).toBe(added);
      expect(landed.state.balance.value).toBe(balance.value + added);
      expect(landed.state.balance.quantity).toBe(balance.quantity);
      if (method === 'fifo')
        expect(landed.state.balance.layers.reduce((t, l) => t + l.value, 0)).toBe(landed.state.balance.value);
      const back = advance(method, landed.state, { quantity: millionths(0), value: paise(-added), undoes: true });
      expect(back.state.balance.value).toBe(balance.value);
      expect(back.state.balance.layers.every((l) => l.value >= 0)).toBe(true);
    },
  );
  fc.assert(law, { numRuns: 300 });
});
