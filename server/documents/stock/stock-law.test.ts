import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../../contract/errors.ts';
import { millionths, ONE } from '../../../domain/base/decimal.ts';
import { apportion, paise } from '../../../domain/base/money.ts';
import type { Draft, Id } from '../../../domain/document/document.ts';
import { itemLine, type TestBooks, testBooks } from '../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';
import { Problems } from '../../kit/problems.ts';

// Random postings in any order of days, and a second, simpler account of them that knows only the order of days: it
// begins at nothing each time. What the product keeps in step by revisions must be what that account says.

const RUNS = 12;
let db: TestDatabase;
const ended: TestBooks[] = [];
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
  for (const books of ended) await books.end();
  await db.drop();
});

type Place = 'shop' | 'store' | 'road';
/** One movement as the account knows it; whole units and paise. `of` is a movement it takes its cost from. */
interface Moved {
  readonly key: string;
  readonly date: string;
  readonly place: Place;
  readonly units: number;
  readonly value?: number;
  readonly of?: Moved;
  readonly undoes?: boolean;
  /** Goes back to where it came from. */
  readonly back?: boolean;
  /** Which units of `of` come or go back, counted from nothing: each is back once. */
  readonly pieces?: readonly number[];
  /** No goods, but another price of so many that came in with a movement: so much more for each. */
  readonly note?: { readonly of: string; readonly each: number; readonly units: number };
}
/** One unit: with what it came in, and the notes that changed its layer while it lay there. */
interface Unit {
  readonly of: string;
  readonly marks: readonly Mark[];
}
/** So much on so many units of a layer. */
interface Mark {
  readonly by: string;
  readonly value: number;
  readonly units: number;
}
const half = (n: number, d: number): number => (n < 0 ? -1 : 1) * Math.floor((2 * Math.abs(n) + d) / (2 * d));

/** What unit n of so many costs that cost so much: what n + 1 of them cost, less what n cost. */
const unitCost = (cost: number, units: number, n: number): number =>
  half(cost * (n + 1), units) - half(cost * n, units);

/** The account: all movements from nothing in order of days, on each day as they were posted. */
function account(method: 'average' | 'fifo', moves: readonly Moved[]) {
  const costs = new Map<string, number>();
  /** The units that left with a movement. */
  const left = new Map<string, readonly Unit[]>();
  interface Lot {
    readonly units: number;
    readonly value: number;
    readonly goods: readonly Unit[];
    readonly key?: string;
    /** What went back of it. */
    readonly gone?: readonly string[];
  }
  const lots: Record<Place, Lot[]> = { shop: [], store: [], road: [] };
  let lowest = 0;
  for (const m of [...moves].sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))) {
    const lotsThere = lots[m.place];
    const note = m.note ?? m.of?.note;
    if (note) {
      const own = lotsThere.map(({ goods }) =>
        m.undoes ? goods.flatMap(({ marks }) => marks.filter(({ by }) => by === m.of?.key)) : [],
      );
      const bearing = lotsThere.map(({ goods }) => goods.filter(({ of }) => of === note.of).length);
      const here = bearing.reduce((t, n) => t + n, 0);
      const shares =
        here === 0
          ? []
          : apportion(paise(half(note.each * note.units * Math.min(here, note.units), note.units)), bearing);
      let cost = 0;
      lots[m.place] = lotsThere.map((lot, at): Lot => {
        if (m.undoes) {
          const value = [...new Set(own[at])].reduce(
            (t, mark) => t + half(mark.value * (own[at] ?? []).filter((one) => one === mark).length, mark.units),
            0,
          );
          const now = Math.max(lot.value - value, 0);
          cost += now - lot.value;
          const goods = lot.goods.map((one) => ({ ...one, marks: one.marks.filter(({ by }) => by !== m.of?.key) }));
          return { ...lot, value: now, goods };
        }
        const units = bearing[at] ?? 0;
        if (units === 0) return lot;
        const value = Math.max(shares[at] ?? 0, -lot.value);
        const mark = { by: m.key, value, units };
        cost += value;
        const goods = lot.goods.map((one) => (one.of === note.of ? { ...one, marks: [...one.marks, mark] } : one));
        return { ...lot, value: lot.value + value, goods };
      });
      costs.set(m.key, 0 + cost);
      continue;
    }
    const held = lotsThere.reduce((t, l) => t + l.units, 0);
    lowest = Math.min(lowest, held + m.units);
    const carried = m.of && Math.abs(costs.get(m.of.key) ?? 0);
    const value = m.of
      ? m.undoes
        ? carried
        : (m.pieces ?? [...Array(Math.abs(m.units)).keys()]).reduce(
            (t, n) => t + unitCost(carried ?? 0, Math.abs(m.of?.units ?? 1), n),
            0,
          )
      : m.value;
    if (m.units > 0) {
      const were = m.of && m.of.place === m.place ? left.get(m.of.key) : undefined;
      const came = were && (m.undoes ? were : (m.pieces ?? []).map((n) => were[n] ?? { of: '', marks: [] }));
      const fresh = Array.from({ length: m.units }, (): Unit => ({ of: m.key, marks: [] }));
      const lot = { units: m.units, value: value ?? 0, key: m.key, goods: came ?? fresh };
      const home = m.undoes ? lotsThere.findIndex((l) => m.of && l.gone?.includes(m.of.key)) : -1;
      const its = lotsThere[home];
      if (its)
        lotsThere[home] = {
          ...{ ...its, units: its.units + lot.units, value: its.value + lot.value },
          goods: [...lot.goods, ...its.goods],
        };
      else if (m.undoes) lotsThere.unshift(lot);
      else lotsThere.push(lot);
      costs.set(m.key, lot.value);
    } else {
      const own = m.undoes ? lotsThere.findLastIndex((l) => l.units === -m.units && l.value === value) : -1;
      let cost = 0;
      let wanted = -m.units;
      const gone: Unit[] = [];
      if (m.back && method === 'fifo') {
        const at = lotsThere.findIndex((l) => l.key === m.of?.key && l.units > 0);
        const its = lotsThere[at];
        if (its) {
          const part = Math.min(wanted, its.units);
          cost = half(its.value * part, its.units);
          wanted -= part;
          gone.push(...its.goods.slice(0, part));
          lotsThere[at] = {
            ...{ ...its, units: its.units - part, value: its.value - cost, gone: [...(its.gone ?? []), m.key] },
            goods: its.goods.slice(part),
          };
        }
      }
      const stays = method === 'average' && (m.undoes || m.back);
      if (own >= 0) cost = lotsThere.splice(own, 1)[0]?.value ?? 0;
      else if (stays)
        cost = held === -m.units ? (lotsThere[0]?.value ?? 0) : Math.min(value ?? 0, lotsThere[0]?.value ?? 0);
      if (own >= 0 || stays) wanted = 0;
      while (wanted > 0) {
        const at = lotsThere.findIndex((l) => l.units > 0);
        const lot = lotsThere[at];
        if (!lot) break;
        const part = Math.min(wanted, lot.units);
        const share = part === lot.units ? lot.value : half(lot.value * part, lot.units);
        cost += share;
        wanted -= part;
        gone.push(...lot.goods.slice(0, part));
        if (part === lot.units) lotsThere.splice(at, 1);
        else
          lotsThere[at] = {
            ...{ ...lot, units: lot.units - part, value: lot.value - share },
            goods: lot.goods.slice(part),
          };
      }
      costs.set(m.key, -cost);
      left.set(m.key, gone);
      if (stays) lots[m.place] = [{ units: held + m.units, value: (lotsThere[0]?.value ?? 0) - cost, goods: [] }];
    }
    if (!lots[m.place].some((l) => l.units > 0)) lots[m.place] = [];
    if (method === 'average') {
      const all = lots[m.place].reduce((t, l) => ({ units: t.units + l.units, value: t.value + l.value }), {
        units: 0,
        value: 0,
      });
      lots[m.place] = all.units > 0 ? [{ ...all, goods: [] }] : [];
    }
  }
  const worth = (place: Place) =>
    lots[place].reduce((t, l) => ({ units: t.units + l.units, value: t.value + l.value }), { units: 0, value: 0 });
  return { costs, lowest, shop: worth('shop'), store: worth('store'), road: worth('road') };
}

type Act =
  | {
      readonly act: 'receive' | 'sell' | 'adjust' | 'transfer';
      readonly day: number;
      readonly units: number;
      readonly rate: number;
      readonly far: boolean;
    }
  | {
      readonly act: 'return' | 'giveBack' | 'arrive' | 'cancel' | 'note';
      readonly pick: number;
      readonly later: number;
      readonly units: number;
    };

const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        act: fc.constantFrom('receive' as const),
        day: fc.integer({ min: 1, max: 20 }),
        units: fc.integer({ min: 4, max: 20 }),
        rate: fc.integer({ min: 1, max: 300 }),
        far: fc.boolean(),
      }),
    },
    {
      weight: 7,
      arbitrary: fc.record({
        act: fc.constantFrom('sell' as const, 'adjust' as const, 'transfer' as const, 'transfer' as const),
        day: fc.integer({ min: 4, max: 28 }),
        units: fc.integer({ min: 1, max: 5 }),
        rate: fc.integer({ min: 1, max: 300 }),
        far: fc.boolean(),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        act: fc.constantFrom(
          ...(['return', 'giveBack', 'giveBack', 'arrive', 'arrive', 'cancel', 'cancel', 'note', 'note'] as const),
        ),
        pick: fc.nat(),
        later: fc.integer({ min: 0, max: 5 }),
        units: fc.integer({ min: 1, max: 4 }),
      }),
    },
  ),
  { minLength: 12, maxLength: 30 },
);

interface Written {
  readonly id: Id;
  readonly kind: string;
  readonly date: string;
  readonly far: boolean;
  readonly moves: readonly Moved[];
}

const kindsTaken = {
  ...{ return: 'saleInvoice', giveBack: 'purchaseBill', arrive: 'branchTransfer', note: 'purchaseBill' },
} as const;

const dayOf = (n: number) => `2026-05-${String(Math.min(n, 31)).padStart(2, '0')}`;

/** Posts as the acts say, refusals left out, and keeps the account beside it. */
async function play(books: TestBooks, item: Id, method: 'average' | 'fifo', all: readonly Act[], holes = false) {
  const written: Written[] = [];
  const moves: Moved[] = [];
  const cancelled = new Set<Id>();
  const place = (far: boolean): Place => (far ? 'store' : 'shop');
  const write = async (draft: Draft, far: boolean, made: (id: Id) => readonly Moved[]) => {
    const trial = made('trial');
    const short = !holes && account(method, [...moves, ...trial]).lowest < 0;
    try {
      const { id } = await books.post(draft);
      expect(short, 'posted what some day did not hold').toBe(false);
      const own = made(id);
      moves.push(...own);
      written.push({ id, kind: draft.kind, date: draft.date, far, moves: own });
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof Problems)) throw error;
      if (error instanceof Refusal && error.code === 'stockShort') expect(short, error.message).toBe(true);
    }
  };
  for (const one of all) {
    if ('day' in one) {
      const { day, units, rate, far } = one;
      const date = dayOf(day);
      const at = { date, location: far ? books.other : books.location };
      const single =
        (sign: number, value?: number) =>
        (id: Id): Moved[] => [
          { key: `${id}/1`, date, place: place(far), units: sign * units, ...(value !== undefined && { value }) },
        ];
      if (one.act === 'receive')
        await write(
          books.draft('purchaseBill', {
            ...at,
            party: books.supplier,
            reference: 'M',
            lines: [itemLine(item, units, rate)],
          }),
          far,
          single(1, units * rate * 100),
        );
      else if (one.act === 'sell')
        await write(
          books.draft('saleInvoice', { ...at, party: books.customer, lines: [itemLine(item, units, 500)] }),
          far,
          single(-1),
        );
      else if (one.act === 'adjust') {
        const up = rate % 3 === 0;
        await write(
          books.draft('inventoryAdjustment', {
            ...at,
            fields: { adjustmentReason: 'count' },
            lines: [
              { item, delta: millionths((up ? units : -units) * ONE), ...(up && { rate: millionths(rate * ONE) }) },
            ],
          }),
          far,
          up ? single(1, units * rate * 100) : single(-1),
        );
      } else
        await write(
          books.draft('branchTransfer', {
            ...at,
            toLocation: far ? books.location : books.other,
            toRegistration: books.registration,
            lines: [itemLine(item, units, 0)],
          }),
          far,
          (id) => {
            const left: Moved = { key: `${id}/1`, date, place: place(far), units: -units };
            return [left, { key: `${id}/2`, date, place: 'road', units, of: left }];
          },
        );
      continue;
    }
    const from = written.filter(
      (w) => !cancelled.has(w.id) && (one.act === 'cancel' || w.kind === kindsTaken[one.act]),
    );
    const source = from[one.pick % Math.max(from.length, 1)];
    if (!source) continue;
    const date = dayOf(Number(source.date.slice(8)) + one.later);
    const [sold] = source.moves;
    const isBack = new Set(
      written.flatMap((w) =>
        cancelled.has(w.id) ? [] : w.moves.flatMap((m) => (m.of === sold && !m.undoes ? (m.pieces ?? []) : [])),
      ),
    );
    const pieces = [...Array(60).keys()].filter((n) => !isBack.has(n)).slice(0, one.units);
    const line = { item, quantity: millionths(one.units * ONE), source: { document: source.id, line: 1 } };
    if (one.act === 'return')
      await write(
        books.draft('saleReturn', {
          date,
          location: source.far ? books.other : books.location,
          party: books.customer,
          against: source.id,
          reason: '01',
          lines: [line],
        }),
        source.far,
        (id) => [
          { key: `${id}/1`, date, place: place(source.far), units: one.units, pieces, ...(sold && { of: sold }) },
        ],
      );
    else if (one.act === 'note') {
      // at average cost a note keeps its share, however much of its goods a document of an earlier day moves
      const units = (sold?.units ?? 0) - isBack.size;
      if (method === 'average' || units <= 0 || !sold) continue;
      const [rate, sign] = [1 + (one.pick % 40), one.pick % 3 === 0 ? 1 : -1] as const;
      await write(
        books.draft(sign > 0 ? 'purchaseDebitNote' : 'purchaseCreditNote', {
          date,
          location: source.far ? books.other : books.location,
          party: books.supplier,
          against: source.id,
          reason: '02',
          reference: `N-${moves.length}`,
          referenceDate: date,
          lines: [{ ...itemLine(item, units, rate), source: { document: source.id, line: 1 } }],
        }),
        source.far,
        (id) => [
          {
            ...{ key: `${id}/1`, date, place: place(source.far), units: 0 },
            note: { of: sold.key, each: sign * rate * 100, units },
          },
        ],
      );
    } else if (one.act === 'giveBack')
      await write(
        books.draft('purchaseReturn', {
          date,
          location: source.far ? books.other : books.location,
          party: books.supplier,
          against: source.id,
          reason: '01',
          lines: [line],
        }),
        source.far,
        (id) => [
          {
            key: `${id}/1`,
            date,
            place: place(source.far),
            units: -one.units,
            back: true,
            pieces,
            ...(sold && { of: sold }),
          },
        ],
      );
    else if (one.act === 'arrive')
      await write(
        books.draft('transferReceipt', {
          date,
          location: source.far ? books.other : books.location,
          toLocation: source.far ? books.location : books.other,
          against: source.id,
          lines: [line],
        }),
        !source.far,
        (id) => {
          const left: Moved = { key: `${id}/1`, date, place: 'road', units: -one.units };
          return [left, { key: `${id}/2`, date, place: place(!source.far), units: one.units, of: left }];
        },
      );
    else {
      const undone = (id: Id) =>
        source.moves.map(
          (m, i): Moved => ({
            key: `${id}/${i + 1}`,
            date: source.date,
            place: m.place,
            units: -m.units,
            of: m,
            undoes: true,
          }),
        );
      const short = !holes && account(method, [...moves, ...undone('trial')]).lowest < 0;
      try {
        const { id } = await books.cancel(source.id);
        expect(short).toBe(false);
        moves.push(...undone(id));
        cancelled.add(source.id);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.code === 'stockShort') expect(short, error.message).toBe(true);
      }
    }
  }
  return moves;
}

describe.each(['average', 'fifo'] as const)('%s', (method) => {
  test('whatever is posted in whatever order, values and the stock ledger are those of the order of days', {
    timeout: 300_000,
  }, async () => {
    const books = await testBooks(db, { valuation: method }, RUNS * 3);
    ended.push(books);
    let next = 0;
    let revisions = 0;
    let notes = 0;
    await fc.assert(
      fc.asyncProperty(acts, async (all) => {
        const item = books.items[next++] ?? '';
        const moves = await play(books, item, method, all);
        const expected = account(method, moves);
        const { rows } = await db.owner.query<{ key: string; cost: number; revision: number }>(
          `
            select distinct on (m.document, m.number)
              m.document || '/' || m.number as key, c.cost::int as cost, c.revision
            from movements m
            join movement_costs c using (organisation, document, number)
            where m.organisation = $1 and m.item = $2
            order by m.document, m.number, c.revision desc
          `,
          [books.organisation, item],
        );
        revisions += rows.filter((r) => r.revision > 0).length;
        notes += moves.filter(({ note }) => note).length;
        expect(Object.fromEntries(rows.map((r) => [r.key, r.cost]))).toEqual(
          Object.fromEntries(moves.map((m) => [m.key, expected.costs.get(m.key)])),
        );
        const stockBalances = await db.owner.query<{ location: Id; units: number; value: number }>(
          `
            select location, quantity::float8 / 1000000 as units, value::int as value
            from item_balances
            where organisation = $1 and item = $2 and quantity <> 0
          `,
          [books.organisation, item],
        );
        const worth = (location: Id) =>
          stockBalances.rows.find((s) => s.location === location) ?? { units: 0, value: 0 };
        expect(worth(books.location)).toMatchObject(expected.shop);
        expect(worth(books.other)).toMatchObject(expected.store);
        expect(stockBalances.rows.reduce((t, s) => t + s.value, 0)).toBe(
          expected.shop.value + expected.store.value + expected.road.value,
        );
        // nothing is locked, so the ledger is worth what the stock is worth at the end of every day
        const apart = await db.owner.query(
          `
            with
              stock_balances as (
                select
                  m.date,
                  sum(
                    (
                      select c.cost
                      from movement_costs c
                      where c.organisation = m.organisation and c.document = m.document and c.number = m.number
                      order by c.revision desc
                      limit 1
                    )
                  ) as value
                from movements m
                where m.organisation = $1
                group by 1
              ),
              booked as (
                select e.date, sum(e.debit - e.credit) as value
                from entries e
                join posting_map p on p.organisation = e.organisation and p.ledger = e.ledger and p.effect = 'stock'
                where e.organisation = $1
                group by 1
              )
            select date::text, s.value, b.value as booked
            from stock_balances s
            full join booked b using (date)
            where coalesce(s.value, 0) <> coalesce(b.value, 0)
          `,
          [books.organisation],
        );
        expect(apart.rows).toEqual([]);
      }),
      // the same draw each time: how many revisions there are is part of what is tried
      { numRuns: RUNS, seed: 20261121, endOnFailure: true },
    );
    expect(revisions).toBeGreaterThan(RUNS);
    if (method === 'fifo') expect(notes).toBeGreaterThan(0);
  });
});

test('where negative stock is allowed, the books hold as well: the sweep values them again from zero', {
  timeout: 300_000,
}, async () => {
  for (const method of ['average', 'fifo'] as const) {
    const books = await testBooks(db, { valuation: method, isAllowNegative: true }, RUNS * 3);
    ended.push(books);
    let next = 0;
    await fc.assert(
      fc.asyncProperty(acts, async (all) => {
        await play(books, books.items[next++] ?? '', method, all, true);
      }),
      { numRuns: RUNS },
    );
    expect(await brokenInvariants(db.owner)).toEqual([]);
  }
});
