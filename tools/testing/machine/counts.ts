import { onHand, type Sheet, shortOf } from './books.ts';
import { because, enter, ITEMS, type Made, type Plan, pick, type Step } from './step.ts';

/** What is found is taken in at so many rupees a piece, so that its value is known beforehand. */
const RATE = 50;

interface SeenLine {
  readonly line: number;
  readonly item: string;
  readonly counted: string | null;
  readonly books: { readonly expected: string | null; readonly now: string };
}
interface Seen {
  readonly sheet: { readonly version: number };
  readonly lines: readonly SeenLine[];
}

const entering = (sheet: Sheet, item: number, quantity: number, books: Parameters<Plan>[0]): Step => ({
  call: 'EnterCount',
  input: { id: sheet.id, line: sheet.lines?.get(item) ?? 1, quantity: String(quantity) },
  refused: because({ cannotChange: sheet.gone }),
  apply: (answer) => {
    const book = onHand(books, item, 'store');
    sheet.counted.set(item, { quantity, book });
    const { counted, books: seen } = answer as unknown as SeenLine;
    return counted === String(quantity) && seen.expected === String(book)
      ? undefined
      : `counted ${counted} of ${seen.expected}, not ${quantity} of ${book}`;
  },
});

/**
 * Goods of the store are counted: what is found or missing against the books of that moment is posted in one
 * adjustment, whatever moved since.
 */
export const counts = {
  count: (books, world, [a, b, c, d]) => {
    const sheet = books.sheets.at(-1);
    if (sheet?.gone && sheet.lines && a % 5 === 0) return entering(sheet, b % ITEMS, 1, books);
    if (!sheet || sheet.gone)
      return {
        call: 'MakeCountSheet',
        input: { location: world.places.store, empty: true },
        refused: [],
        apply: ({ id }) => {
          books.sheets.push({
            id: String(id),
            version: 0,
            lines: undefined,
            priced: false,
            counted: new Map(),
            gone: false,
          });
          return undefined;
        },
      };
    if (!sheet.lines)
      return {
        call: 'GetCountSheet',
        input: { id: sheet.id },
        refused: [],
        apply: (answer) => {
          const {
            sheet: { version },
            lines,
          } = answer as unknown as Seen;
          sheet.version = version;
          const own = lines.map((l) => ({ ...l, index: world.items.indexOf(l.item) })).filter((l) => l.index < ITEMS);
          sheet.lines = new Map(own.map((l) => [l.index, l.line]));
          const wrong = own.filter((l) => l.books.now !== String(onHand(books, l.index, 'store')));
          return wrong.length > 0 || own.length !== ITEMS ? `the sheet says ${JSON.stringify(own)}` : undefined;
        },
      };
    if (!sheet.priced)
      return {
        call: 'NoteCountLines',
        input: {
          id: sheet.id,
          lines: [...sheet.lines.values()].map((line) => ({ line, reason: '', rate: String(RATE) })),
        },
        refused: [],
        apply: () => {
          sheet.priced = true;
          return undefined;
        },
      };
    if (a % 12 === 0)
      return {
        call: 'DropCountSheet',
        input: { id: sheet.id, version: sheet.version, reason: 'begun for nothing' },
        refused: [],
        apply: () => {
          sheet.gone = true;
          return undefined;
        },
      };
    if (a % 3 > 0) {
      const item = b % ITEMS;
      return entering(
        sheet,
        item,
        Math.max(0, onHand(books, item, 'store') + (pick([0, -1, -2, 1, 3], c) ?? 0)),
        books,
      );
    }
    const found = [...sheet.counted]
      .toSorted(([one], [two]) => one - two)
      .map(([item, { quantity, book }]) => ({
        item,
        place: 'store' as const,
        date: world.today,
        quantity: quantity - book,
      }))
      .filter((m) => m.quantity !== 0);
    const value = found.reduce((t, m) => t + m.quantity * RATE, 0).toFixed(2);
    const made: Made = { kind: 'inventoryAdjustment', date: world.today, place: 'store', lines: [], moves: found };
    const version = d % 6 === 0 ? sheet.version + 1 : sheet.version;
    // what stood in the way of its adjustment has opened it again, under another version
    sheet.lines = undefined;
    return {
      call: 'PostCountSheet',
      input: { id: sheet.id, version, date: world.today, reason: 'Count', uncounted: 'leave', value },
      refused: because({
        stale: version !== sheet.version,
        problems: sheet.counted.size === 0,
        ...shortOf(books, found),
      }),
      apply: (answer, key) => {
        sheet.gone = true;
        const [document, ...more] = answer['documents'] as { id: string; number: string }[];
        if (more.length > 0 || (document === undefined) !== (found.length === 0))
          return `${JSON.stringify(answer)} was posted for ${found.length} differences`;
        return document && enter(books, made, { TransactionId: document.id, TransactionNumber: document.number, key });
      },
    };
  },
} as const satisfies Readonly<Record<string, Plan>>;
