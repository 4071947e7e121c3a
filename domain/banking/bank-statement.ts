import { isDay } from '../base/dates.ts';
import { parseDecimal } from '../base/decimal.ts';
import { type Paise, paise } from '../base/money.ts';
import { type Said, say } from '../base/say.ts';
import type { Day } from '../document/document.ts';
import { eachRow } from '../document/paste.ts';

/** Which heading of a bank's file holds what. Money stands in one column with its sign, or in one for each way. */
export interface StatementFormat {
  readonly date: string;
  readonly order: 'dmy' | 'mdy' | 'ymd';
  readonly text: string;
  readonly reference?: string | undefined;
  readonly amount?: string | undefined;
  readonly moneyIn?: string | undefined;
  readonly moneyOut?: string | undefined;
  readonly balance?: string | undefined;
}

/** A line of a statement; a positive amount came in. */
export interface StatementLine {
  readonly date: Day;
  readonly amount: Paise;
  readonly text: string;
  readonly reference: string;
  readonly balance?: Paise;
}

export interface ReadStatement {
  /** The oldest first. */
  readonly lines: readonly StatementLine[];
  /** What is wrong, by the row of the file, the first being 1. Nothing is taken from a file with problems. */
  readonly problems: readonly (Said & { readonly row: number })[];
  /** Rows without date and amount: remarks of the bank. */
  readonly remarks: number;
}

/** Rows of a file with commas, semicolons or tabs: whichever its rows hold most of. */
export const rowsOfFile = (text: string): string[][] => [...eachRowOfFile(text)];

/** Beyond that a file is not a bank's, or is to be read in parts; a cell that long is one whose quote never ends. */
const MOST_ROWS = 100_000;
const LONGEST_CELL = 10_000;

/** What is too much about a file, before any of it is read. */
function tooMuch(text: string): Said | undefined {
  const rows = Math.max(count(text, '\n'), count(text, '\r'));
  return rows > MOST_ROWS
    ? say('The file has {{rows}} rows, of which {{mostRows}} are read at a time: divide it by months', {
        rows,
        mostRows: MOST_ROWS,
      })
    : undefined;
}

function* eachRowOfFile(text: string): Generator<string[]> {
  const plain = text.replace(/^\uFEFF/, '');
  const separator = [',', ';', '\t'].reduce((best, next) => (count(plain, next) > count(plain, best) ? next : best));
  for (const row of eachRow(plain, separator)) yield row.map(tidied);
}

const tidied = (cell: string): string =>
  cell.length > LONGEST_CELL
    ? cell.slice(0, LONGEST_CELL + 1)
    : /\s/.test(cell)
      ? cell.replace(/\s+/g, ' ').trim()
      : cell;

function count(text: string, sign: string): number {
  let times = 0;
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) times += 1;
  return times;
}

const wordings: Readonly<Record<Exclude<keyof StatementFormat, 'order'>, RegExp>> = {
  date: /^(txn|transaction|tran|value|post(ing)?)?\.? ?date$/i,
  text: /narration|description|particulars|remarks|details/i,
  reference: /\b(ref|chq|cheque|utr|instrument)/i,
  moneyIn: /deposit|^credit|\bcr\b|money in|paid in/i,
  moneyOut: /withdrawal|^debit|\bdr\b|money out|paid out/i,
  amount: /^(transaction )?amount/i,
  balance: /balance/i,
};

/** The row of headings, and what each is taken to hold; undefined when no row looks like headings. */
export function guessFormat(
  rows: readonly (readonly string[])[],
): { readonly headings: readonly string[]; readonly format: Partial<StatementFormat> } | undefined {
  const headings = rows.find(
    (row) => row.some((cell) => wordings.date.test(cell)) && row.some((cell) => wordings.text.test(cell)),
  );
  if (!headings) return undefined;
  const taken = new Set<string>();
  const format: Record<string, string> = { order: 'dmy' };
  for (const [key, wording] of Object.entries(wordings)) {
    const heading = headings.find((cell) => cell !== '' && !taken.has(cell) && wording.test(cell));
    if (!heading) continue;
    taken.add(heading);
    format[key] = heading;
  }
  if (format['moneyIn'] && format['moneyOut']) delete format['amount'];
  return { headings: headings.filter((cell) => cell !== ''), format };
}

/** Reads strictly: every row with a date or an amount is a whole line, and each balance follows from the one before. */
export function readStatement(text: string, format: StatementFormat): ReadStatement {
  const reading = readingStatement(text, format);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
  }
}

/** More problems are not looked for. */
const MOST_PROBLEMS = 1000;

/** Rows that are read before others have their turn: a few milliseconds. */
const TURN = 1000;

/** The same, pausing now and then: a server that reads a long file has other things to answer meanwhile. */
export function* readingStatement(text: string, format: StatementFormat): Generator<undefined, ReadStatement> {
  const wanted = Object.entries(format).flatMap(([key, heading]) => (key !== 'order' && heading ? [heading] : []));
  const lines: Numbered[] = [];
  const problems: (Said & { readonly row: number })[] = [];
  const much = tooMuch(text);
  if (much) return { lines, problems: [{ row: 1, ...much }], remarks: 0 };
  let [row, head, remarks] = [0, 0, 0];
  let cellOf: ((cells: readonly string[]) => Cell) | undefined;
  for (const cells of eachRowOfFile(text)) {
    row += 1;
    if (row % TURN === 0) yield;
    if (cells.some((cell) => cell.length > LONGEST_CELL)) {
      problems.push({ row, ...say('A cell is too long: a quote that opens here never ends') });
      return { lines: [], problems, remarks };
    }
    if (problems.length >= MOST_PROBLEMS) break;
    if (!cellOf) {
      if (!wanted.every((heading) => cells.includes(heading))) continue;
      head = row;
      cellOf = (others) => (heading) => (heading ? (others[cells.indexOf(heading)] ?? '') : '');
      continue;
    }
    const line = lineOf(cellOf(cells), format);
    if (line === undefined) remarks += cells.some((c) => c !== '') ? 1 : 0;
    else if ('message' in line) problems.push({ row, ...line });
    else lines.push({ ...line, row });
  }
  if (!cellOf)
    return {
      lines: [],
      problems: [{ row: 1, ...say('No row has the headings {{wanted}}', { wanted: wanted.join(', ') }) }],
      remarks,
    };
  if (problems.length > 0) return { lines: [], problems, remarks };
  if (lines.length === 0) return { lines: [], problems: [{ row: head, ...say('There are no lines') }], remarks };
  const ordered = inOrder(lines);
  if ('row' in ordered)
    return {
      lines: [],
      problems: [{ row: ordered.row, ...say('The balance does not follow from the line before: a line is missing') }],
      remarks,
    };
  return { lines: ordered.lines.map(({ row: _, ...line }) => line), problems, remarks };
}

type Cell = (heading: string | undefined) => string;

/** A row's line, or what is wrong with it; undefined: a row without date and amount is a remark of the bank. */
function lineOf(cell: Cell, format: StatementFormat): StatementLine | Said | undefined {
  const date = dayOf(cell(format.date), format.order);
  const [amount = 0, came = 0, went = 0] = [format.amount, format.moneyIn, format.moneyOut].map((h) =>
    amountOf(cell(h)),
  );
  const all = [amount, came, -went];
  if (date === undefined)
    return all.some((n) => n !== 0) ? say('“{{date}}” is no date', { date: cell(format.date) }) : undefined;
  const balance = format.balance && cell(format.balance) !== '' ? amountOf(cell(format.balance)) : undefined;
  if ([...all, balance ?? 0].some(Number.isNaN)) return say('An amount is not a number with at most two decimals');
  if (all.filter((n) => n !== 0).length !== 1)
    return all.every((n) => n === 0) ? say('There is no amount') : say('Money both came in and went out');
  return {
    date,
    amount: paise(all.reduce((t, n) => t + n, 0)),
    text: cell(format.text),
    reference: cell(format.reference),
    ...(balance !== undefined && { balance: paise(balance) }),
  };
}

/** Paise of an amount as banks write it: '1,00,000.00', '(500.00)', '500.00 Dr', '-'; NaN when it is none. Dr is negative. */
export function amountOf(text: string): number {
  const [, open, sign, figure, close, side] =
    /^(?:₹|rs\.?|inr)? ?(\()?([-+])? ?([\d,]*(?:\.\d+)?)(\))? ?(cr|dr)?\.?$/i.exec(text) ?? [];
  if (figure === undefined) return Number.NaN;
  if (figure === '') return open || side ? Number.NaN : 0;
  const isGrouped = !figure.includes(',') || /^\d{1,3}(,\d{2,3})*,\d{3}(\.\d+)?$/.test(figure);
  const n = isGrouped ? parseDecimal(figure.replaceAll(',', '').replace(/^\./, '0.'), 2) : undefined;
  if (n === undefined || Boolean(open) !== Boolean(close)) return Number.NaN;
  const below = (sign === '-') !== (Boolean(open) || side?.toLowerCase() === 'dr');
  return below && n !== 0 ? -n : n;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The day a bank writes, month in figures or in letters, the year with two digits or four; a time after it is left out. */
export function dayOf(text: string, order: StatementFormat['order']): Day | undefined {
  const parts = /^(\w{1,4})[-/. ](\w{1,3})[-/. ](\w{2,4})(?:[ T]\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?)?$/i
    .exec(text)
    ?.slice(1);
  if (!parts) return undefined;
  const places = { dmy: [2, 1, 0], mdy: [2, 0, 1], ymd: [0, 1, 2] }[order];
  const [year = '', month = '', day = ''] = places.map((at) => parts[at] ?? '');
  const named = months.indexOf(month.toLowerCase());
  const figures = [/^\d{2}$/.test(year) ? `20${year}` : year, named === -1 ? month : String(named + 1), day];
  if (!figures.every((part) => /^\d+$/.test(part))) return undefined;
  const [y = '', m = '', d = ''] = figures;
  const found = `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`;
  return isDay(found) ? found : undefined;
}

type Numbered = StatementLine & { readonly row: number };

/** The oldest first, as the balances say, else as the days do; or the row whose balance does not follow. */
function inOrder(lines: readonly Numbered[]): { readonly lines: readonly Numbered[] } | { readonly row: number } {
  const breaks = (all: readonly Numbered[]): Numbered | undefined =>
    all.find(({ balance, amount }, at) => {
      const before = all[at - 1]?.balance;
      return balance !== undefined && before !== undefined && balance !== before + amount;
    });
  const turned = lines.toReversed();
  const isFalling = (lines[0]?.date ?? '') > (lines.at(-1)?.date ?? '');
  const [likely, other] = isFalling ? [turned, lines] : [lines, turned];
  const broken = breaks(likely);
  if (!broken) return { lines: likely };
  // the lines of a single day may come in either order
  const isOneDay = lines.every(({ date }) => date === lines[0]?.date);
  return isOneDay && !breaks(other) ? { lines: other } : { row: broken.row };
}
