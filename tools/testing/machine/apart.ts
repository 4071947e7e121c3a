import { addDays } from '../../../domain/base/dates.ts';
import { type Doc, type Line, type Move, paired, type SmallBooks, settle } from './books.ts';
import {
  dayOf,
  KEPT,
  type Made,
  moved,
  type Plan,
  pick,
  placeOf,
  posting,
  type Step,
  some,
  type World,
} from './step.ts';
import { YEAR_ENDS } from './years.ts';

const sorts = ['batch', 'serial', 'room'] as const;
const rooms = ['front', 'back'] as const;

/** One line of an item that is kept in parts, what the wire says of them, and how they move. */
function partsOf(books: SmallBooks, world: World, [b, c, d]: readonly [number, number, number], sign: 1 | -1) {
  const sort = sorts[c % 3] ?? 'batch';
  const item = KEPT[sort];
  // rooms stand in the shop
  const place = sort === 'room' ? 'shop' : placeOf(b);
  const known = [...new Set(books.moves.flatMap((m) => (m.part?.startsWith('serial') ? [m.part.slice(7)] : [])))];
  // a new number is bought, an old one sold; sometimes the other way round, bought more often: few of the old ones are still there
  const serial = (sign === 1 ? d % 3 !== 0 : d % 6 === 0) ? `N${known.length + 1}` : (pick(known, d) ?? 'N0');
  const quantity = sort === 'serial' ? 1 : sign === 1 ? 6 + (d % 5) : 1 + (d % 4);
  const name = { batch: d % 2 === 0 ? 'A' : 'B', serial, room: rooms[d % 2] ?? 'front' }[sort];
  const wire = {
    batch: { batches: [{ batch: name, quantity: String(quantity) }] },
    serial: { serials: [name] },
    room: { room: world.rooms[rooms[d % 2] ?? 'front'] },
  }[sort];
  const line: Line = { item, quantity, rate: 50 + (d % 37) };
  const moves = (date: string): Move[] => [{ item, place, date, quantity: sign * quantity, part: `${sort} ${name}` }];
  return {
    place,
    line,
    moves,
    lines: [{ item: world.items[item] ?? '', quantity: String(quantity), rate: String(line.rate), ...wire }],
  } as const;
}

const dollars = [80, 82, 85, 79] as const;
/** Rupees for a dollar, as paise for a cent: the same number. */
const rateOf = (n: number): number => dollars[n % dollars.length] ?? 80;
const abroad = (rate: number) => ({ currency: 'USD', exchangeRate: String(rate) });
const of = (books: SmallBooks, who: Doc['who'], kind: string): Doc[] =>
  books.docs.filter((d) => d.who === who && d.kind === kind);
const tick =
  (after: (world: World) => void): Plan =>
  (_books, world) =>
    ({
      call: 'GetLocks',
      input: {},
      refused: [],
      apply: () => {
        after(world);
        return undefined;
      },
    }) satisfies Step;

/**
 * What only some organisations do: goods in batches, by serial number and in rooms, money of other countries and in
 * advance; and time that passes.
 */
export const apart = {
  buyParts: (books, world, [a, b, c, d]) => {
    const date = dayOf(world, a);
    const { place, line, moves, lines } = partsOf(books, world, [b, c, d], 1);
    return posting(
      books,
      world,
      { kind: 'purchaseBill', date, place, lines: [line], moves: moves(date), side: 'payable' },
      { party: world.supplier, reference: `P-${books.docs.length}-${a}`, referenceDate: date, lines },
      {},
    );
  },
  sellParts: (books, world, [a, b, c, d]) => {
    const date = dayOf(world, a);
    const { place, line, moves, lines } = partsOf(books, world, [b, c, d], -1);
    return posting(
      books,
      world,
      { kind: 'saleInvoice', date, place, lines: [line], moves: moves(date), side: 'receivable' },
      { party: world.customer, lines },
      {},
    );
  },
  sellAbroad: (books, world, [a, b, c, d]) => {
    const [date, place, lines] = [dayOf(world, a), placeOf(b), some(c, d)];
    // under bond: no tax
    const total = lines.reduce((t, l) => t + l.quantity * l.rate * 100, 0);
    const made: Made = {
      kind: 'overseasSale',
      date,
      place,
      lines,
      moves: moved(lines, place, date, -1),
      total,
      side: 'receivable',
      who: 'abroad',
      rate: rateOf(c),
    };
    return posting(books, world, made, { party: world.abroad, ...abroad(rateOf(c)) }, {});
  },
  /** A note on an invoice in dollars at another rate than that of the invoice, a little off or far. */
  noteAbroad: (books, world, [a, b, c, d]) => {
    const from = pick(of(books, 'abroad', 'overseasSale'), a);
    if (!from || from.place === 'transit') return undefined;
    const rate = pick(
      [...dollars, 1000].filter((each) => each !== from.rate),
      c,
    );
    const kind = ['saleCreditNote', 'saleDebitNote'][d % 2] ?? 'saleCreditNote';
    const made: Made = { kind, date: world.today, place: from.place, lines: [], who: 'abroad' };
    const line = { item: world.items[from.lines[0]?.item ?? 0], quantity: '1', rate: String(1 + (b % 9)) };
    const more = {
      ...{ party: world.abroad, against: from.id, reason: '02', ...abroad(rate ?? 1000) },
      lines: [{ ...line, source: { document: from.id, line: 1 } }],
    };
    return posting(books, world, made, more, { problems: true });
  },
  receiveAbroad: (books, world, [a, b, c, d]) => {
    const due = pick(of(books, 'abroad', 'overseasSale'), a);
    if (!due) return undefined;
    const rate = rateOf(c);
    // all, a part, or a cent too much
    const amount = [due.open, Math.ceil(due.open / 2), due.open + 1][d % 3] ?? 0;
    if (amount === 0) return undefined;
    const made: Made = {
      kind: 'saleReceipt',
      date: dayOf(world, b),
      place: 'shop',
      lines: [],
      total: amount,
      side: 'customerCredit',
      who: 'abroad',
      rate,
    };
    const more = {
      party: world.abroad,
      ...abroad(rate),
      amount: (amount / 100).toFixed(2),
      moneyLedger: world.ledgers.bank,
      allocations: [{ document: due.id, amount: (amount / 100).toFixed(2) }],
    };
    return posting(books, world, made, more, { overAllocated: amount > due.open }, (credit) => {
      credit.exchange = amount * (rate - due.rate);
      books.exchange += credit.exchange;
      settle(books, credit, due, amount);
    });
  },
  advance: (books, world, [a, b]) => {
    const total = 11_800 * (1 + (b % 20));
    const made: Made = {
      kind: 'advanceReceipt',
      date: dayOf(world, a),
      place: 'shop',
      lines: [],
      total,
      side: 'customerCredit',
      who: 'early',
    };
    return posting(
      books,
      world,
      made,
      { party: world.early, amount: (total / 100).toFixed(2), advanceRate: '18', moneyLedger: world.ledgers.bank },
      {},
    );
  },
  sellEarly: (books, world, [a, b, c, d]) => {
    const [date, place, lines] = [dayOf(world, a), placeOf(b), some(c, d)];
    return posting(
      books,
      world,
      {
        kind: 'saleInvoice',
        date,
        place,
        lines,
        moves: moved(lines, place, date, -1),
        side: 'receivable',
        who: 'early',
      },
      { party: world.early },
      {},
    );
  },
  useAdvance: (books, world, [a, b, c, d]) => {
    const [advance, due] = [pick(of(books, 'early', 'advanceReceipt'), a), pick(of(books, 'early', 'saleInvoice'), b)];
    if (!advance || !due) return undefined;
    const most = Math.min(advance.open, due.open);
    const amount = [most, Math.ceil(most / 2), most + 1][c % 3] ?? 0;
    if (amount === 0) return undefined;
    const text = (amount / 100).toFixed(2);
    const made: Made = {
      kind: 'allocationVoucher',
      date: dayOf(world, d),
      place: 'shop',
      lines: [],
      total: amount,
      who: 'early',
    };
    return posting(
      books,
      world,
      made,
      { party: world.early, against: advance.id, amount: text, allocations: [{ document: due.id, amount: text }] },
      { problems: made.date < advance.date, overAllocated: amount > most, alreadyCancelled: advance.cancelled },
      (voucher) => {
        voucher.used = { credit: advance, due, amount };
        settle(books, advance, due, paired(books, advance, due) + amount);
      },
    );
  },
  midnight: tick((world) => {
    world.today = addDays(world.today, 1);
  }),
  newYear: tick((world) => {
    if (world.today < YEAR_ENDS) world.today = addDays(YEAR_ENDS, 3);
  }),
} as const satisfies Readonly<Record<string, Plan>>;
