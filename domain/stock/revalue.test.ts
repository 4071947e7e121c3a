import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { millionths, ONE } from '../base/decimal.ts';
import { type Paise, paise } from '../base/money.ts';
import { type Placed, runThrough, shareOf } from './revalue.ts';
import { heldLayers, type Method, type StockState } from './valuation.ts';

const method = fc.constantFrom<Method>('average', 'fifo');
const units = (n: number) => millionths(n * ONE);

/** What happens to an item: goods come at a price, go, go to another place, come back, or go back to where they came from. */
interface Act {
  readonly what: 'in' | 'out' | 'move' | 'back' | 'giveBack' | 'undo';
  readonly units: number;
  readonly price: number;
  readonly from: string;
  readonly to: string;
}
const place = fc.constantFrom('A', 'B', 'C');
const act: fc.Arbitrary<Act> = fc.record({
  what: fc.constantFrom('in', 'in', 'out', 'move', 'back', 'giveBack', 'undo'),
  units: fc.integer({ min: 1, max: 12 }),
  price: fc.integer({ min: 0, max: 9_999 }),
  from: place,
  to: place,
});
const acts = fc.array(act, { minLength: 1, maxLength: 40 });

/** The acts as movements; what a place does not hold does not leave it. */
function movementsOf(all: readonly Act[]): Placed[] {
  const held = new Map<string, number>();
  const moves: Placed[] = [];
  const at = (balanceKey: string) => held.get(balanceKey) ?? 0;
  const add = (balanceKey: string, n: number, more: Partial<Placed> = {}): Placed => {
    held.set(balanceKey, at(balanceKey) + n);
    const moved: Placed = { key: `m${moves.length}`, balanceKey, quantity: units(n), ...more };
    moves.push(moved);
    return moved;
  };
  const taking = (from: Placed) => ({
    taken: { from: from.key, quantity: from.quantity, cost: paise(0), undoes: false },
  });
  for (const { what, units: wanted, price, from, to } of all) {
    const n = Math.min(wanted, at(from));
    const sold = moves.findLast((m) => m.quantity < 0 && m.balanceKey === from && !m.taken);
    if (what === 'in') add(from, wanted, { stated: paise(wanted * price) });
    else if (what === 'giveBack') {
      const bought = moves.filter((m) => m.stated !== undefined && m.balanceKey === from).at(-(price % 3) - 1);
      const most = bought ? Math.min(n, bought.quantity / ONE) : 0;
      if (bought && most > 0) add(from, -most, taking(bought));
    } else if (what === 'undo') {
      const given = moves.findLast((m) => m.taken && m.quantity < 0 && m.balanceKey === from);
      if (given && !moves.some((m) => m.taken?.undoes && m.taken.from === given.key))
        add(from, -given.quantity / ONE, { taken: { ...taking(given).taken, undoes: true } });
    } else if (what === 'back') {
      if (sold) add(from, Math.min(wanted, -sold.quantity / ONE), taking(sold));
    } else if (n > 0) {
      const left = add(from, -n);
      if (what === 'move' && to !== from) add(to, n, taking(left));
    }
  }
  return moves;
}
const run = (how: Method, moves: readonly Placed[]) => {
  const stockBalances = new Map<string, StockState>();
  const lowest: Paise[] = [];
  const costs = runThrough(how, stockBalances, moves, new Map(), (_, __, { balance }) => {
    lowest.push(balance.value, paise(balance.quantity));
  });
  return { costs, stockBalances, lowest: Math.min(...lowest) };
};

describe('goods that go from place to place', () => {
  test('neither quantity nor value of a place is ever negative', () => {
    fc.assert(
      fc.property(method, acts, (how, all) => {
        const moves = movementsOf(all);
        fc.pre(moves.length > 0);
        expect(run(how, moves).lowest).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('a transfer arrives at what it left at, a return comes back at its share of what it cost', () => {
    fc.assert(
      fc.property(method, acts, (how, all) => {
        const moves = movementsOf(all);
        const { costs } = run(how, moves);
        for (const { key, quantity, taken } of moves)
          if (taken && quantity > 0)
            expect(costs.get(key)).toBe(shareOf(costs.get(taken.from) ?? 0, quantity, taken.quantity));
      }),
    );
  });

  test('valued again from any moment on, with what stood there, everything costs what it costs from the beginning', () => {
    fc.assert(
      fc.property(method, acts, fc.nat(), (how, all, some) => {
        const moves = movementsOf(all);
        const at = some % (moves.length + 1);
        const whole = run(how, moves);
        const before = run(how, moves.slice(0, at));
        const rest = moves.slice(at).map((m): Placed => {
          const known = m.taken && before.costs.get(m.taken.from);
          return m.taken && known !== undefined ? { ...m, taken: { ...m.taken, cost: known } } : m;
        });
        const stockBalances = new Map(before.stockBalances);
        const costs = runThrough(how, stockBalances, rest);
        expect([...before.costs, ...costs]).toEqual([...whole.costs]);
        expect(stockBalances).toEqual(whole.stockBalances);
      }),
    );
  });
});

/** Half a paisa away from nothing. */
const rounded = (n: bigint, d: bigint): bigint => (2n * n + d) / (2n * d);

describe('goods that go back to where they came from', () => {
  test('a purchase that goes back whole leaves quantity and value as if it had never come, whatever was before', () => {
    fc.assert(
      fc.property(
        method,
        acts,
        place,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 9_999_999 }),
        (how, all, at, n, value) => {
          const before = movementsOf(all);
          const bought: Placed = { key: 'bought', balanceKey: at, quantity: units(n), stated: paise(value) };
          const taken = { from: 'bought', quantity: bought.quantity, cost: paise(0), undoes: false };
          const given: Placed = { key: 'given', balanceKey: at, quantity: units(-n), taken };
          const { costs, stockBalances } = run(how, [...before, bought, given]);
          const was = run(how, before).stockBalances.get(at)?.balance;
          expect(costs.get('given')).toBe(0 - value);
          const now = stockBalances.get(at)?.balance;
          expect(now).toMatchObject({ quantity: was?.quantity ?? 0, value: was?.value ?? 0 });
          expect(heldLayers(now?.layers ?? [])).toEqual(heldLayers(was?.layers ?? []));
        },
      ),
    );
  });

  test('when it is undone, balance and lots are as they were before they went', () => {
    fc.assert(
      fc.property(method, acts, fc.integer({ min: 1, max: 12 }), (how, all, wanted) => {
        const before = movementsOf(all.filter(({ what }) => what === 'in' || what === 'out'));
        const { stockBalances } = run(how, before);
        const bought = before.find(({ stated }) => stated !== undefined);
        const n = bought
          ? Math.min(wanted * ONE, bought.quantity, stockBalances.get(bought.balanceKey)?.balance.quantity ?? 0)
          : 0;
        fc.pre(
          bought !== undefined && n > 0 && n < (stockBalances.get(bought?.balanceKey ?? '')?.balance.quantity ?? 0),
        );
        const at = bought?.balanceKey ?? '';
        const taken = {
          from: bought?.key ?? '',
          quantity: bought?.quantity ?? units(1),
          cost: paise(0),
          undoes: false,
        };
        const given: Placed = { key: 'given', balanceKey: at, quantity: millionths(-n), taken };
        const undone = { from: 'given', quantity: given.quantity, cost: paise(0), undoes: true };
        const after = run(how, [
          ...before,
          given,
          { key: 'undone', balanceKey: at, quantity: millionths(n), taken: undone },
        ]);
        const { quantity, value } = stockBalances.get(at)?.balance ?? { quantity: 0, value: 0 };
        expect(after.stockBalances.get(at)?.balance).toMatchObject({ quantity, value });
      }),
    );
  });
});

describe('accounts that are kept another way say the same', () => {
  test('first in, first out: every unit carries its own price', () => {
    fc.assert(
      fc.property(acts, (all) => {
        // what comes from elsewhere comes at a share of a cost, which need not be whole for a unit
        const moves = movementsOf(
          all.map((a) => (a.what === 'in' || a.what === 'giveBack' ? a : { ...a, what: 'out' })),
        );
        const { costs, stockBalances } = run('fifo', moves);
        const queues = new Map<string, { price: number; of: string }[]>();
        const worth = (units: readonly { price: number }[]) => units.reduce((t, { price }) => t + price, 0);
        for (const { key, balanceKey, quantity, stated = 0, taken } of moves) {
          const n = Math.abs(quantity / ONE);
          const queue = queues.get(balanceKey) ?? [];
          queues.set(balanceKey, queue);
          if (quantity > 0) queue.push(...Array.from({ length: n }, () => ({ price: stated / n, of: key })));
          else {
            const own = queue.filter(({ of }) => of === taken?.from).slice(0, n);
            const gone = [...own, ...queue.filter((unit) => !own.includes(unit)).slice(0, n - own.length)];
            expect(costs.get(key)).toBe(0 - worth(gone));
            queues.set(
              balanceKey,
              queue.filter((unit) => !gone.includes(unit)),
            );
          }
        }
        for (const [balanceKey, queue] of queues)
          expect(stockBalances.get(balanceKey)?.balance.value).toBe(worth(queue));
      }),
    );
  });

  test('moving average: value by quantity, rounded at each issue', () => {
    fc.assert(
      fc.property(acts, (all) => {
        const books = new Map<string, { quantity: bigint; value: bigint }>();
        const own = new Map<string, bigint>();
        const moves = movementsOf(all);
        const { costs, stockBalances } = run('average', moves);
        for (const { key, balanceKey, quantity, stated, taken } of moves) {
          const held = books.get(balanceKey) ?? { quantity: 0n, value: 0n };
          const q = BigInt(quantity);
          const source = taken && -(own.get(taken.from) ?? 0n);
          const back = taken && q < 0n ? rounded(-(source ?? 0n) * -q, BigInt(taken.quantity)) : undefined;
          const cost =
            back !== undefined
              ? -(q === -held.quantity || back > held.value ? held.value : back)
              : q < 0n
                ? -rounded(held.value * -q, held.quantity)
                : source === undefined
                  ? BigInt(stated ?? 0)
                  : rounded(source * q, BigInt(Math.abs(taken?.quantity ?? 1)));
          own.set(key, cost);
          books.set(balanceKey, { quantity: held.quantity + q, value: held.value + cost });
          expect(BigInt(costs.get(key) ?? 0)).toBe(cost);
        }
        for (const [balanceKey, { quantity, value }] of books)
          expect(stockBalances.get(balanceKey)?.balance).toMatchObject({
            quantity: Number(quantity),
            value: Number(value),
          });
      }),
    );
  });
});

describe('first in, first out: a late cost', () => {
  interface Mark {
    readonly note: string;
    readonly each: number;
  }
  interface Unit {
    readonly of: string;
    readonly marks: readonly Mark[];
  }
  /** Unit by unit: which receipt it came in with, and which notes it bears; a layer knows only what it is worth. */
  interface Pile {
    readonly of: string;
    readonly units: readonly Unit[];
    readonly value: number;
  }
  type Sort = 'in' | 'out' | 'back' | 'note' | 'undoNote' | 'undoSale' | 'giveBack';
  const doing = fc.record({
    what: fc.constantFrom<Sort>('in', 'in', 'out', 'out', 'back', 'note', 'note', 'undoNote', 'undoSale', 'giveBack'),
    units: fc.integer({ min: 1, max: 9 }),
    price: fc.integer({ min: 0, max: 9_999 }),
    pick: fc.nat(50),
  });
  const share = (value: number, part: number, whole: number) => Number(rounded(BigInt(value * part), BigInt(whole)));

  /** The movements of what happens, and what each costs and leaves by the account of units. */
  function replayed(all: readonly { what: Sort; units: number; price: number; pick: number }[]) {
    const moves: Placed[] = [];
    const costs: number[] = [];
    let piles: Pile[] = [];
    const sales: { move: Placed; units: Unit[]; back: number; undone: boolean }[] = [];
    const notes: { move: Placed; undone: boolean }[] = [];
    const held = () => piles.reduce((t, { units }) => t + units.length, 0);
    const move = (n: number, cost: number, more: Partial<Placed>): Placed => {
      const made: Placed = { key: `m${moves.length}`, balanceKey: 'A', quantity: units(n), ...more };
      moves.push(made);
      costs.push(cost);
      return made;
    };
    /** Takes so many units off the piles in their order; those of one first. */
    const take = (wanted: number, first?: string): { units: Unit[]; cost: number } => {
      const taken: Unit[] = [];
      let cost = 0;
      const order = [...piles].sort((a, b) => Number(b.of === first) - Number(a.of === first));
      for (const pile of order) {
        const n = Math.min(wanted - taken.length, pile.units.length);
        if (n === 0) continue;
        const part = share(pile.value, n, pile.units.length);
        cost += part;
        taken.push(...pile.units.slice(0, n));
        const rest = { ...pile, units: pile.units.slice(n), value: pile.value - part };
        piles = piles.map((one) => (one === pile ? rest : one));
      }
      piles = piles.filter((one) => one.units.length > 0);
      return { units: taken, cost };
    };
    for (const { what, units: n, price, pick } of all) {
      const receipts = moves.filter(({ stated, lateCost, taken }) => stated !== undefined && !lateCost && !taken);
      const receipt = receipts[pick % Math.max(receipts.length, 1)];
      if (what === 'in') {
        const { key } = move(n, n * price, { stated: paise(n * price) });
        piles.push({ of: key, units: Array.from({ length: n }, () => ({ of: key, marks: [] })), value: n * price });
      } else if (what === 'out' && held() > 0) {
        const gone = take(Math.min(n, held()));
        const sold = move(-gone.units.length, -gone.cost, {});
        sales.push({ move: sold, units: gone.units, back: 0, undone: false });
      } else if (what === 'giveBack' && receipt && held() > 0) {
        const own = piles.find(({ of }) => of === receipt.key)?.units.length ?? 0;
        if (own === 0) continue;
        const gone = take(Math.min(n, own), receipt.key);
        const taken = { from: receipt.key, quantity: receipt.quantity, cost: paise(0), undoes: false };
        move(-gone.units.length, -gone.cost, { taken });
      } else if (what === 'back' || what === 'undoSale') {
        const sale = sales[pick % Math.max(sales.length, 1)];
        if (!sale || sale.undone || (what === 'undoSale' && sale.back > 0)) continue;
        const sold = sale.units.length;
        const part = what === 'back' ? Math.min(n, sold - sale.back) : sold;
        if (part === 0) continue;
        const cost = -(costs[moves.indexOf(sale.move)] ?? 0);
        const [from, upTo] = [sale.back, sale.back + part];
        const value = share(cost, upTo, sold) - share(cost, from, sold);
        const spans = [[from * ONE, upTo * ONE]] as const;
        const undoes = what === 'undoSale';
        const taken = { from: sale.move.key, quantity: sale.move.quantity, cost: paise(0), undoes };
        const { key } = move(part, value, { taken: undoes ? taken : { ...taken, spans } });
        const pile = { of: undoes ? '' : key, units: sale.units.slice(from, upTo), value };
        piles = undoes ? [pile, ...piles] : [...piles, pile];
        if (undoes) sale.undone = true;
        else sale.back += part;
      } else if (what === 'note' && receipt) {
        const each = pick % 2 === 0 ? price : -price;
        const bears = (unit: Unit) => unit.of === receipt.key;
        const partOf = (pile: Pile) => pile.units.filter(bears).length;
        // a negative value is not tried here
        if (piles.some((pile) => pile.value + each * partOf(pile) < 0)) continue;
        const whole = receipt.quantity / ONE;
        const lateCost = { of: receipt.key, value: paise(each * whole), quantity: receipt.quantity };
        const cost = piles.reduce((t, pile) => t + each * partOf(pile), 0);
        const made = move(0, cost, { stated: paise(cost), lateCost });
        const mark = { note: made.key, each };
        piles = piles.map((pile) => ({
          ...pile,
          value: pile.value + each * partOf(pile),
          units: pile.units.map((unit) => (bears(unit) ? { ...unit, marks: [...unit.marks, mark] } : unit)),
        }));
        notes.push({ move: made, undone: false });
      } else if (what === 'undoNote') {
        const note = notes[pick % Math.max(notes.length, 1)];
        if (!note || note.undone) continue;
        const { key: from, lateCost, quantity } = note.move;
        const less = (pile: Pile) =>
          pile.units
            .flatMap(({ marks }) => marks.filter((mark) => mark.note === from))
            .reduce((t, { each }) => t + each, 0);
        if (piles.some((pile) => pile.value < less(pile))) continue;
        note.undone = true;
        const cost = piles.reduce((t, pile) => t - less(pile), 0);
        const taken = { from, quantity, cost: paise(0), undoes: true };
        move(0, cost, { taken, stated: paise(cost), ...(lateCost && { lateCost }) });
        piles = piles.map((pile) => ({ ...pile, value: pile.value - less(pile) }));
        piles = piles.map((pile) => ({
          ...pile,
          units: pile.units.map((unit) => ({ ...unit, marks: unit.marks.filter(({ note: by }) => by !== from) })),
        }));
      }
    }
    return { moves, costs, piles };
  }

  test('it changes the goods of its receipt that are there, wherever they lie in the order, and no others', () => {
    let partly = 0;
    fc.assert(
      fc.property(fc.array(doing, { minLength: 4, maxLength: 40 }), (all) => {
        const { moves, costs, piles } = replayed(all);
        fc.pre(moves.length > 0);
        const ran = run('fifo', moves);
        expect(moves.map(({ key }) => 0 + (ran.costs.get(key) ?? 0))).toEqual(costs.map((cost) => 0 + cost));
        const layers = heldLayers(ran.stockBalances.get('A')?.balance.layers ?? []);
        expect(layers.map(({ quantity, value }) => [quantity / ONE, value])).toEqual(
          piles.map((pile) => [pile.units.length, pile.value]),
        );
        partly += moves.filter(
          ({ lateCost, key }) => lateCost && Math.abs(ran.costs.get(key) ?? 0) < Math.abs(lateCost.value),
        ).length;
      }),
      { numRuns: 500 },
    );
    // most notes find only some of their goods
    expect(partly).toBeGreaterThan(100);
  });

  test('valued again from any moment on, with what stood there, it costs the same', () => {
    fc.assert(
      fc.property(fc.array(doing, { minLength: 4, maxLength: 30 }), fc.nat(), (all, some) => {
        const { moves } = replayed(all);
        const at = some % (moves.length + 1);
        const whole = run('fifo', moves);
        const before = run('fifo', moves.slice(0, at));
        const rest = moves.slice(at).map((m): Placed => {
          const known = m.taken && before.costs.get(m.taken.from);
          return m.taken && known !== undefined ? { ...m, taken: { ...m.taken, cost: known } } : m;
        });
        const stockBalances = new Map(before.stockBalances);
        const costs = runThrough('fifo', stockBalances, rest);
        expect([...before.costs, ...costs]).toEqual([...whole.costs]);
        expect(stockBalances).toEqual(whole.stockBalances);
      }),
    );
  });

  test('undone at once it leaves every layer as it was, whatever it was for', () => {
    fc.assert(
      fc.property(
        fc.array(doing, { minLength: 2, maxLength: 20 }),
        fc.nat(),
        fc.integer({ min: -9_999_999, max: 9_999_999 }),
        fc.integer({ min: 1, max: 20 * ONE }),
        (all, pick, value, quantity) => {
          const { moves } = replayed(all);
          const receipts = moves.filter(({ stated, lateCost }) => stated !== undefined && !lateCost);
          const receipt = receipts[pick % Math.max(receipts.length, 1)];
          fc.pre(receipt !== undefined);
          const lateCost = { of: receipt?.key ?? '', value: paise(value), quantity: millionths(quantity) };
          const note: Placed = { key: 'note', balanceKey: 'A', quantity: units(0), stated: paise(0), lateCost };
          const taken = { from: 'note', quantity: units(0), cost: paise(0), undoes: true };
          const before = run('fifo', moves);
          const after = run('fifo', [...moves, note, { ...note, key: 'undone', taken }]);
          const plain = ({ stockBalances }: typeof before) =>
            stockBalances.get('A')?.balance.layers.map((l) => [l.quantity, l.value]);
          expect(plain(after)).toEqual(plain(before));
          expect((after.costs.get('note') ?? 0) + (after.costs.get('undone') ?? 0)).toBe(0);
          // never more than the whole of it, and no layer negative
          expect(Math.abs(after.costs.get('note') ?? 0)).toBeLessThanOrEqual(Math.abs(value));
          expect(after.lowest).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
