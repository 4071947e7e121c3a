import { financialYearOf } from '../../../domain/base/dates.ts';
import { type Doc, isLocked, type Line, type SmallBooks, totalOf, type Withheld } from './books.ts';
import { because, dayOf, enter, type Made, moved, type Plan, pick, placeOf, posting, some } from './step.ts';

/** The machine's bank, by which every challan is paid. */
const BSR = '0510308';
const SCRAP = { named: '206C-scrap', section: '206C(1) scrap' } as const;
const taxes = ['tds', 'tcs'] as const;
/** Two per cent of paise, in whole rupees where it is deducted (section 288B), to the paisa where it is collected. */
const deducted = (value: number): number => Math.round(value / 50 / 100) * 100;
const collected = (value: number): number => Math.round(value / 50);

/** What paid the tax of a document, and stands. */
export const paidBy = ({ docs }: SmallBooks, doc: Doc): Doc[] =>
  docs.filter((d) => !d.cancelled && d.challan?.parts.some((p) => p.doc === doc));
const paidOf = (books: SmallBooks, doc: Doc): number =>
  paidBy(books, doc)
    .flatMap((d) => d.challan?.parts ?? [])
    .reduce((t, p) => (p.doc === doc ? t + p.amount : t), 0);
/** What the government still has to get of the tax of a document. */
export const dueOf = (books: SmallBooks, doc: Doc): number =>
  doc.cancelled ? 0 : (doc.tax?.amount ?? 0) - paidOf(books, doc);
const withholding = ({ docs }: SmallBooks): Doc[] => docs.filter((d) => d.tax !== undefined);

/** By month and section: how many documents withheld how much, how much of it is paid, and how much is due. */
function standing(
  books: SmallBooks,
  of: Withheld['of'],
  { start, end }: { readonly start: string; readonly end: string },
): Map<string, number[]> {
  const rows = new Map<string, number[]>();
  for (const doc of withholding(books)) {
    if (doc.cancelled || doc.tax?.of !== of || doc.date > end || (doc.date < start && dueOf(books, doc) === 0))
      continue;
    const key = `${doc.date.slice(0, 7)} ${doc.tax.section}`;
    const [many = 0, withheld = 0, paid = 0, due = 0] = rows.get(key) ?? [];
    rows.set(key, [many + 1, withheld + doc.tax.amount, paid + paidOf(books, doc), due + dueOf(books, doc)]);
  }
  return rows;
}

interface WithheldAnswer {
  readonly rows: readonly {
    readonly section: string;
    readonly month: string;
    readonly documents: number;
    readonly withheld: string;
    readonly paid: string;
    readonly left: string;
  }[];
}
const inPaise = (text: string): number => Math.round(Number(text) * 100);
const asText = (rows: ReadonlyMap<string, readonly number[]>): string =>
  [...rows]
    .map(([key, row]) => `${key}: ${row.join(' ')}`)
    .sort()
    .join('; ');

const worth = (lines: readonly Line[]): number => lines.reduce((t, l) => t + l.quantity * l.rate * 100, 0);

/**
 * Tax is deducted from what is paid for work and collected on scrap; challans pay it to the government, in part,
 * whole, or more than is due.
 */
export const withheld = {
  buyWork: (books, world, [a, b, c, d]) => {
    const [date, place] = [dayOf(world, a), placeOf(b)];
    const lines = some(c, d).map((l) => ({ ...l, quantity: l.quantity * 8 }));
    const section = d % 3 === 0 ? '194H' : '194C';
    const made: Made = {
      kind: 'purchaseBill',
      date,
      place,
      lines,
      moves: moved(lines, place, date, 1),
      side: 'payable',
      tax: { of: 'tds', section, amount: deducted(worth(lines)) },
    };
    return posting(
      books,
      world,
      made,
      {
        party: world.supplier,
        reference: `W-${books.docs.length}-${a}`,
        referenceDate: date,
        tdsSection: section,
        tdsAmount: (deducted(worth(lines)) / 100).toFixed(2),
      },
      {},
    );
  },
  sellScrap: (books, world, [a, b, c, d]) => {
    const [date, place, lines] = [dayOf(world, a), placeOf(b), some(c, d)];
    // it is collected on what the buyer pays, GST among it
    const amount = collected(totalOf(lines));
    const made: Made = {
      kind: 'saleInvoice',
      date,
      place,
      lines,
      moves: moved(lines, place, date, -1),
      total: totalOf(lines) + amount,
      side: 'receivable',
      tax: { of: 'tcs', section: SCRAP.section, amount },
    };
    return posting(books, world, made, { party: world.customer, tcsSection: SCRAP.named }, {});
  },
  payTax: (books, world, [a, b, c, d]) => {
    const owing = withholding(books).filter((doc) => dueOf(books, doc) > 0);
    // mostly what is due, sometimes of anything that ever withheld
    const first = pick(a % 5 === 0 ? withholding(books) : owing, a);
    if (!first?.tax) return undefined;
    const { of, section } = first.tax;
    const second = pick(b % 4 === 0 ? withholding(books) : owing.filter((doc) => doc.tax?.section === section), b);
    const chosen = c % 2 === 0 && second ? [first, second] : [first];
    // all of it, a part, or a paisa too much
    const parts = chosen.map((doc, i) => ({
      doc,
      amount:
        [dueOf(books, doc), dueOf(books, doc), Math.ceil(dueOf(books, doc) / 3), dueOf(books, doc) + 1][(d + i) % 4] ??
        0,
    }));
    const date = d % 5 === 0 ? dayOf(world, c) : world.today;
    const known = books.docs.filter((doc) => doc.challan);
    const serial =
      b % 7 === 0
        ? ''
        : b % 7 === 1
          ? (known.at(-1)?.challan?.serial ?? '')
          : String(known.length + 1).padStart(5, '0');
    const isKnown =
      serial !== '' && known.some((doc) => !doc.cancelled && doc.challan?.serial === serial && doc.date === date);
    const isWrong = ({ doc, amount }: (typeof parts)[number]) =>
      doc.cancelled ||
      doc.tax?.of !== of ||
      doc.tax.section !== section ||
      doc.date > date ||
      amount <= 0 ||
      amount > dueOf(books, doc);
    const years = new Set(chosen.map((doc) => financialYearOf(doc.date).label));
    return {
      call: 'PostTaxChallan',
      input: {
        tax: of,
        section,
        head: '0020',
        date,
        bsr: serial && BSR,
        serial,
        moneyLedger: world.ledgers.bank,
        registration: world.registration,
        location: world.places.shop,
        interest: c % 3 === 0 ? '7.00' : '0.00',
        parts: parts.map(({ doc, amount }) => ({ document: doc.id, amount: (amount / 100).toFixed(2) })),
      },
      refused: because({
        problems: parts.some(isWrong) || new Set(chosen).size < chosen.length || years.size > 1 || isKnown,
        periodLocked: isLocked(books, date),
      }),
      apply: (answer) =>
        enter(books, { kind: 'manualJournal', date, place: 'shop', lines: [], challan: { serial, parts } }, answer),
    };
  },
  readTax: (books, world, [a]) => {
    const tax = taxes[a % 2] ?? 'tds';
    const year = financialYearOf(world.today);
    return {
      call: 'GetTaxWithheld',
      input: { tax, year: year.label },
      refused: [],
      apply: (answer) => {
        const { rows } = answer as unknown as WithheldAnswer;
        const booked = asText(
          new Map(
            rows.map((row) => [
              `${row.month} ${row.section}`,
              [row.documents, inPaise(row.withheld), inPaise(row.paid), inPaise(row.left)],
            ]),
          ),
        );
        const should = asText(standing(books, tax, year));
        return booked === should
          ? undefined
          : `of ${tax} the books tell ${booked || 'nothing'}, not ${should || 'nothing'}`;
      },
    };
  },
} as const satisfies Readonly<Record<string, Plan>>;

/** What the ledgers of tax withheld hold, as the small books know it. */
export const payable = (books: SmallBooks, of: Withheld['of']): number =>
  withholding(books).reduce((t, doc) => (doc.tax?.of === of ? t + dueOf(books, doc) : t), 0);
