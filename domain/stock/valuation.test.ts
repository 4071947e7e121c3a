import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { millionths, money, quantity } from '../base/decimal.ts';
import { paise, zero } from '../base/money.ts';
import {
  advance,
  apply,
  type Balance,
  emptyBalance,
  emptyStockState,
  issue,
  type Method,
  rateOf,
  receive,
  replay,
  type Step,
} from './valuation.ts';

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
    '%s: goes out at the last rate, a receipt covers the shortfall at that rate',
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

  test.each<Method>(['average', 'fifo'])('%s: without stock, goods go out at the rate that is given', (method) => {
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

test('average: a receipt taken back when some of it is sold leaves a shortfall at its own rate', () => {
  const start = replay('average', emptyBalance, [inward('5', '50'), inward('1', '90'), outward('4')]).balance;
  const { balance } = apply('average', start, { quantity: quantity('-5'), value: money('-50'), undoes: true });
  expect(balance).toEqual({ quantity: quantity('-3'), value: money('-30'), layers: [] });
});

/** Lots in their order, in units and rupees, as first in, first out keeps them. */
const lots = (...all: readonly (readonly [units: string, value: string])[]): Balance => ({
  quantity: millionths(all.reduce((t, [units]) => t + quantity(units), 0)),
  value: paise(all.reduce((t, [, value]) => t + money(value), 0)),
  layers: all.map(([units, value]) => ({ quantity: quantity(units), value: money(value) })),
});
/** The same goods by the moving average, which keeps no lots. */
const pooled = (units: string, value: string): Balance => ({ ...lots([units, value]), layers: [] });
const held = (method: Method, units: string, value: string): Balance =>
  method === 'fifo' ? lots([units, value]) : pooled(units, value);

describe('first in, first out: an issue', () => {
  test('takes a part of the oldest lot at its own rate and leaves the others as they are', () => {
    const { balance, cost } = issue('fifo', lots(['3', '100'], ['2', '90']), quantity('1'));
    expect(cost).toBe(money('-33.33'));
    expect(balance).toEqual(lots(['2', '66.67'], ['2', '90']));
  });
  test('of more than there is takes every lot whole and the rest at the rate of the last one', () => {
    const { balance, cost } = issue('fifo', lots(['3', '100'], ['2', '90']), quantity('6'));
    expect(cost).toBe(money('-235')); // 100 + 90 + one at 45
    expect(balance).toEqual(lots(['-1', '-45']));
  });
  test('from a stock balance that is short already adds to the shortfall at the rate of the shortfall', () => {
    const { balance, cost } = issue('fifo', lots(['-3', '-100']), quantity('1'), money('7'));
    expect(cost).toBe(money('-33.33'));
    expect(balance).toEqual(lots(['-4', '-133.33']));
  });
});

test('first in, first out: a cancelled receipt takes its own lot out from between the others', () => {
  const start = lots(['10', '1000'], ['10', '1200'], ['5', '900']);
  const { balance, cost } = apply('fifo', start, { ...inward('-10', '-1200'), undoes: true });
  expect(cost).toBe(money('-1200'));
  expect(balance).toEqual(lots(['10', '1000'], ['5', '900']));
});

describe('average: a receipt that is cancelled', () => {
  const cancel = (start: Balance, units: string, value: string) =>
    apply('average', start, { ...inward(`-${units}`, `-${value}`), undoes: true });

  test('takes its own value away while goods remain', () => {
    expect(cancel(pooled('8', '100'), '3', '30')).toEqual({ balance: pooled('5', '70'), cost: money('-30') });
  });
  test('never takes more than the stock balance is worth', () => {
    expect(cancel(pooled('8', '20'), '3', '30')).toEqual({ balance: pooled('5', '0'), cost: money('-20') });
  });
  test('takes all the value that is left with the last goods, more than its own or less', () => {
    for (const worth of ['75', '20'])
      expect(cancel(pooled('5', worth), '5', '50')).toEqual({ balance: emptyBalance, cost: money(`-${worth}`) });
  });
  test('adds to a shortfall by its own value', () => {
    expect(cancel(pooled('-3', '-30'), '5', '60')).toEqual({ balance: pooled('-8', '-90'), cost: money('-60') });
    expect(cancel(emptyBalance, '5', '50')).toEqual({ balance: pooled('-5', '-50'), cost: money('-50') });
  });
});

describe('goods that go back to where they came from', () => {
  const giving = (method: Method, start: Balance, units: string, value: string, of = 'own') =>
    apply(
      method,
      start,
      { key: 'given', quantity: quantity(`-${units}`), back: { of, value: money(value) } },
      money('3'),
    );

  test('average: they leave at their own cost, the rest is worth what it was without them', () => {
    expect(giving('average', pooled('20', '10100'), '10', '10000')).toEqual({
      balance: pooled('10', '100'),
      cost: money('-10000'),
    });
  });
  test('average: what is left is never worth less than zero, the last ones take all that is left', () => {
    expect(giving('average', pooled('20', '900'), '10', '1000')).toEqual({
      balance: pooled('10', '0'),
      cost: money('-900'),
    });
    for (const worth of ['75', '20'])
      expect(giving('average', pooled('5', worth), '5', '50')).toEqual({
        balance: emptyBalance,
        cost: money(`-${worth}`),
      });
  });
  test('average: a shortfall takes them at their own cost, and is never worth more than zero', () => {
    expect(giving('average', pooled('5', '5000'), '10', '5050')).toEqual({
      balance: pooled('-5', '-50'),
      cost: money('-5050'),
    });
    expect(giving('average', pooled('5', '5000'), '10', '50')).toEqual({
      balance: pooled('-5', '0'),
      cost: money('-5000'),
    });
  });

  const named = (...all: readonly (readonly [units: string, value: string, of: string])[]): Balance => {
    const plain = lots(...all.map(([units, value]) => [units, value] as const));
    return { ...plain, layers: plain.layers.map((l, at) => ({ ...l, of: all[at]?.[2] ?? '' })) };
  };
  const stockBalance = named(['10', '100', 'old'], ['10', '1000', 'own'], ['5', '75', 'new']);
  test('first in, first out: they leave their own lot, what it no longer holds leaves the oldest', () => {
    expect(giving('fifo', stockBalance, '4', '1').cost).toBe(money('-400'));
    const more = giving('fifo', stockBalance, '12', '1');
    expect(more.cost).toBe(money('-1020'));
    expect(more.balance).toMatchObject({ quantity: quantity('13'), value: money('155') });
    expect(giving('fifo', named(['3', '30', 'old'], ['2', '8', 'new']), '4', '1').cost).toBe(money('-34'));
    expect(giving('fifo', named(['2', '8', 'own']), '3', '8').balance).toEqual(lots(['-1', '-4']));
    expect(giving('fifo', lots(['-1', '-4']), '3', '8').balance).toEqual(lots(['-4', '-16']));
  });
  test('first in, first out: undone, they are in their place again, also where the whole lot had gone', () => {
    for (const units of ['4', '10']) {
      const { balance, cost } = giving('fifo', stockBalance, units, '1');
      const undo = { quantity: quantity(units), value: paise(-cost), undoes: true as const, undone: 'given' };
      expect(apply('fifo', balance, undo).balance).toMatchObject(stockBalance);
      expect(issue('fifo', balance, quantity('12')).cost).toBe(units === '4' ? money('-300') : money('-130'));
    }
  });
});

describe('value without goods', () => {
  const added = (start: Balance, value: string) => apply('fifo', start, inward('0', value));

  test('is shared over the lots by quantity where it adds, by value where it takes', () => {
    const start = lots(['1', '10'], ['3', '10']);
    expect(added(start, '40')).toEqual({ balance: lots(['1', '20'], ['3', '40']), cost: money('40') });
    expect(added(start, '-8')).toEqual({ balance: lots(['1', '6'], ['3', '6']), cost: money('-8') });
    expect(added(lots(['1', '0'], ['3', '0.05']), '-0.04')).toEqual({
      balance: lots(['1', '0'], ['3', '0.01']),
      cost: money('-0.04'),
    });
  });
  test('takes no more than the stock balance is worth, and lies on no empty stock balance', () => {
    expect(added(lots(['2', '20']), '-30')).toEqual({ balance: lots(['2', '0']), cost: money('-20') });
    expect(added(emptyBalance, '40')).toEqual({ balance: emptyBalance, cost: 0 });
    expect(added(lots(['-2', '-20']), '40')).toEqual({ balance: lots(['-2', '-20']), cost: 0 });
    expect(apply('average', pooled('2', '20'), inward('0', '4'))).toEqual({
      balance: pooled('2', '24'),
      cost: money('4'),
    });
  });
});

describe.each<Method>(['average', 'fifo'])('%s: the rate of a stock balance', (method) => {
  test('is what goods without a value of their own come in at', () => {
    expect(apply(method, held(method, '4', '100'), { quantity: quantity('2') }, money('7')).cost).toBe(money('50'));
    expect(apply(method, emptyBalance, { quantity: quantity('2') }, money('30')).cost).toBe(money('60'));
    expect(apply(method, emptyBalance, { quantity: quantity('2') }).cost).toBe(0);
  });
  test('is kept when the last goods have left, for what leaves after them', () => {
    let state = emptyStockState;
    const costs = [inward('3', '100'), outward('3'), outward('1')].map((step) => {
      const moved = advance(method, state, step);
      state = moved.state;
      return moved.cost;
    });
    expect(costs).toEqual(['100', '-100', '-33.33'].map(money));
    expect(rateOf(state)).toBe(money('33.33'));
    expect(rateOf({ balance: held(method, '3', '100'), lastRate: money('7') })).toBe(money('33.33'));
  });
});

describe('a millionth of a unit is a quantity like any other', () => {
  const least = '0.000001';

  test.each<Method>(['average', 'fifo'])('%s: it is in stock, has a rate, comes in and leaves', (method) => {
    const start = held(method, least, '0.02');
    expect(rateOf({ balance: start, lastRate: zero })).toBe(money('20000'));
    expect(apply(method, start, { quantity: quantity('0.000003') }).cost).toBe(6);
    expect(apply(method, start, inward('0', '0.05')).cost).toBe(5);
    expect(apply(method, start, inward('5', '10')).balance.value).toBe(money('10.02'));
    expect(apply(method, emptyBalance, inward(least, '0.02')).balance).toEqual(start);
    expect(apply(method, start, outward(least))).toEqual({ balance: emptyBalance, cost: -2 });
    const short = held(method, `-${least}`, '-0.02');
    expect(apply(method, short, inward('2', '10'))).toMatchObject({ cost: money('10.02'), balance: { value: 1000 } });
  });
  test('first in, first out: it is a lot of its own, and what is undone goes before it', () => {
    const start = lots([least, '0.02']);
    expect(receive('fifo', start, quantity('2'), money('10')).balance).toEqual(lots([least, '0.02'], ['2', '10']));
    expect(apply('fifo', start, { ...inward('2', '10'), undoes: true }).balance.layers).toEqual(
      lots(['2', '10'], [least, '0.02']).layers,
    );
    expect(issue('fifo', lots(['2', '10']), quantity('2.000001')).balance).toEqual(lots([`-${least}`, '0']));
    expect(issue('fifo', lots(['2', '10'], ['1', '9']), quantity('2.000001')).balance).toEqual(lots(['0.999999', '9']));
  });
  test('average: it stays behind a receipt that is cancelled, and is sold of one', () => {
    const cancel = (start: Balance, units: string, value: string) =>
      apply('average', start, { ...inward(`-${units}`, `-${value}`), undoes: true }).balance;
    expect(cancel(pooled('5.000001', '60'), '5', '50')).toEqual(pooled(least, '10'));
    expect(cancel(pooled(least, '0.03'), '0.000002', '0.10')).toEqual(pooled(`-${least}`, '-0.05'));
  });
});

describe('laws', () => {
  const method = fc.constantFrom<Method>('average', 'fifo');
  const amount = fc.integer({ min: 1, max: 50_000_000 });
  const keys = fc.constantFrom('a', 'b', 'c');
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
      key: keys,
      quantity: amount.map(millionths),
      value: fc.integer({ min: 0, max: 10_000_000 }).map(paise),
    }),
    fc.record({
      key: fc.constantFrom('d', 'e'),
      quantity: amount.map((n) => millionths(-n)),
      back: fc.record({ of: keys, value: fc.integer({ min: 0, max: 10_000_000 }).map(paise) }),
    }),
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

  test('nothing in stock is worth nothing, and layers add up', () =>
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
        // an empty stock balance remembers no rate, so only a stock balance with goods can be carried on
        const half = replay(how, emptyBalance, first);
        fc.pre(half.balance.quantity > 0);
        const rest = replay(how, half.balance, second);
        expect(rest.balance).toEqual(whole.balance);
        expect([...half.costs, ...rest.costs]).toEqual(whole.costs);
        expect(Math.min(half.lowest, rest.lowest)).toBe(whole.lowest);
      }),
    ));
});
