import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { millionths, money, quantity } from './decimal.ts';
import { paise } from './money.ts';
import { apply, emptyBalance, issue, type Method, receive, replay, type Step } from './valuation.ts';

const inward = (units: string, value: string): Step => ({ quantity: quantity(units), value: money(value) });
const outward = (units: string): Step => ({ quantity: millionths(-quantity(units)) });

describe('five movements of November valued both ways', () => {
  const steps = [inward('10', '1000'), inward('10', '1200'), outward('15'), inward('5', '650'), outward('4')];

  test('first in, first out takes the oldest layers', () => {
    const { costs, balance, lowest } = replay('fifo', emptyBalance, steps);
    expect(costs).toEqual(['1000', '1200', '-1600', '650', '-480'].map(money));
    expect(balance).toEqual({
      quantity: quantity('6'),
      value: money('770'),
      layers: [
        { quantity: quantity('1'), value: money('120') },
        { quantity: quantity('5'), value: money('650') },
      ],
    });
    expect(lowest).toBe(0);
  });

  test('the moving average spreads cost over all units', () => {
    const { costs, balance } = replay('average', emptyBalance, steps);
    expect(costs).toEqual(['1000', '1200', '-1650', '650', '-480'].map(money));
    expect(balance).toEqual({ quantity: quantity('6'), value: money('720'), layers: [] });
  });
});

describe('negative stock', () => {
  test.each<Method>(['average', 'fifo'])(
    '%s: goes out at the last rate, a receipt fills the hole at that rate',
    (method) => {
      const start = receive(method, emptyBalance, quantity('2'), money('20')).balance;
      const short = issue(method, start, quantity('5'));
      expect(short.cost).toBe(money('-50'));
      expect(short.balance).toMatchObject({ quantity: quantity('-3'), value: money('-30') });

      const less = receive(method, short.balance, quantity('1'), money('90'));
      expect(less.cost).toBe(money('10'));
      expect(less.balance).toMatchObject({ quantity: quantity('-2'), value: money('-20') });

      const more = receive(method, less.balance, quantity('4'), money('48'));
      expect(more.cost).toBe(money('44'));
      expect(more.balance).toMatchObject({ quantity: quantity('2'), value: money('24') });

      const even = receive(method, less.balance, quantity('2'), money('48'));
      expect(even.balance).toEqual(emptyBalance);
      expect(even.cost).toBe(money('20'));
    },
  );

  test.each<Method>(['average', 'fifo'])('%s: an empty shelf gives away at the rate it is told', (method) => {
    expect(issue(method, emptyBalance, quantity('1.5'), money('10')).cost).toBe(money('-15'));
  });
});

test('the last issue takes what value remains', () => {
  const { costs, balance } = replay('average', emptyBalance, [
    inward('3', '100'),
    outward('1'),
    outward('1'),
    outward('1'),
  ]);
  expect(costs).toEqual(['100', '-33.33', '-33.34', '-33.33'].map(money));
  expect(balance).toEqual(emptyBalance);
});

test('a cancelled receipt leaves at its own value, and whatever then remains leaves with the last unit', () => {
  const start = replay('average', emptyBalance, [inward('5', '500'), inward('15', '15'), outward('13')]).balance;
  const cancelled = apply('average', start, { quantity: quantity('-5'), value: money('-500') });
  expect(cancelled.balance.quantity).toBe(quantity('2'));
  expect(issue('average', cancelled.balance, quantity('2')).cost).toBe(paise(-cancelled.balance.value));
});

describe('first in, first out: what is cancelled leaves the layers as they were', () => {
  const back = (units: string, value: string): Step => ({ ...inward(units, value), undoes: true });
  const away = (units: string, value: string): Step => ({
    quantity: millionths(-quantity(units)),
    value: paise(-money(value)),
    undoes: true,
  });
  const before = [inward('10', '1000'), outward('4'), inward('10', '1200')];
  const layersOf = (steps: readonly Step[]) => replay('fifo', emptyBalance, steps).balance.layers;

  test('a receipt takes its own layer away, not the oldest one', () => {
    expect(layersOf([...before, inward('10', '1200'), away('10', '1200')])).toEqual(layersOf(before));
    expect(layersOf([...before, inward('5', '900'), away('5', '900')])).toEqual(layersOf(before));
  });
  test('an issue puts its goods in front again', () => {
    expect(layersOf([...before, outward('3'), back('3', '300')]).slice(1)).toEqual([
      { quantity: quantity('3'), value: money('300') },
      { quantity: quantity('10'), value: money('1200') },
    ]);
    expect(
      issue('fifo', replay('fifo', emptyBalance, [...before, outward('3'), back('3', '300')]).balance, quantity('7'))
        .cost,
    ).toBe(money('-720'));
  });
  test('a layer that was used is taken from the oldest, like every issue', () => {
    const { costs } = replay('fifo', emptyBalance, [
      inward('5', '500'),
      inward('5', '600'),
      outward('2'),
      away('5', '500'),
    ]);
    expect(costs.at(-1)).toBe(money('-540'));
  });
});

test('average: a receipt taken back when some of it is sold leaves a hole at its own rate', () => {
  const start = replay('average', emptyBalance, [inward('5', '50'), inward('1', '90'), outward('4')]).balance;
  const { balance } = apply('average', start, { quantity: quantity('-5'), value: money('-50'), undoes: true });
  expect(balance).toEqual({ quantity: quantity('-3'), value: money('-30'), layers: [] });
});

describe('laws', () => {
  const method = fc.constantFrom<Method>('average', 'fifo');
  const amount = fc.integer({ min: 1, max: 50_000_000 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ quantity: amount.map(millionths), value: fc.integer({ min: 0, max: 10_000_000 }).map(paise) }),
    amount.map((n) => ({ quantity: millionths(-n) })),
    fc.record({
      quantity: amount.map((n) => millionths(-n)),
      value: fc.integer({ min: -10_000_000, max: 0 }).map(paise),
      undoes: fc.constant(true as const),
    }),
    fc.record({
      quantity: amount.map(millionths),
      value: fc.integer({ min: 0, max: 10_000_000 }).map(paise),
      undoes: fc.constant(true as const),
    }),
  );
  const steps = fc.array(step, { maxLength: 30 });

  test('what went in less what went out is what is there', () =>
    fc.assert(
      fc.property(method, steps, (how, all) => {
        const { costs, balance } = replay(how, emptyBalance, all);
        expect(costs.reduce((t, c) => t + c, 0)).toBe(balance.value);
        expect(all.reduce((t, s) => t + s.quantity, 0)).toBe(balance.quantity);
      }),
    ));

  test('nothing on the shelf is worth nothing, and layers add up', () =>
    fc.assert(
      fc.property(method, steps, (how, all) => {
        const { balance } = replay(how, emptyBalance, all);
        if (balance.quantity === 0) expect(balance.value).toBe(0);
        const emptied =
          balance.quantity > 0
            ? issue(how, balance, balance.quantity)
            : receive(how, balance, millionths(-balance.quantity), paise(7));
        if (balance.quantity !== 0) expect(emptied.balance).toEqual(emptyBalance);
        if (how === 'fifo') {
          expect(balance.layers.reduce((t, l) => t + l.quantity, 0)).toBe(balance.quantity);
          expect(balance.layers.reduce((t, l) => t + l.value, 0)).toBe(balance.value);
        }
      }),
    ));

  test('value never has the other sign than quantity', () =>
    fc.assert(
      fc.property(method, steps, (how, all) => {
        const { balance } = replay(how, emptyBalance, all);
        expect(balance.value * Math.sign(balance.quantity)).toBeGreaterThanOrEqual(0);
      }),
    ));

  test('a replay in two parts is the replay of the whole', () =>
    fc.assert(
      fc.property(method, steps, steps, (how, first, second) => {
        const whole = replay(how, emptyBalance, [...first, ...second]);
        // an empty shelf remembers no rate, so only a shelf with goods can be carried on
        const half = replay(how, emptyBalance, first);
        fc.pre(half.balance.quantity > 0);
        const rest = replay(how, half.balance, second);
        expect(rest.balance).toEqual(whole.balance);
        expect([...half.costs, ...rest.costs]).toEqual(whole.costs);
        expect(Math.min(half.lowest, rest.lowest)).toBe(whole.lowest);
      }),
    ));
});
