import { type QueryExecutorProvider, sql } from 'kysely';
import { addDays, addMonths, financialYearOf } from '../../domain/base/dates.ts';
import { moneyText } from '../../domain/base/decimal.ts';
import { type Paise, paise } from '../../domain/base/money.ts';
import {
  type ClosingStock,
  drawStatement,
  groupOf,
  type StatementBalance,
  type StatementName,
} from '../../domain/books/statement.ts';
import type { Day } from '../../domain/document/document.ts';
import { type LedgerBalance, ledgerBalances, type Span } from './balances.ts';
import type { Answer, Asked, Query, Row } from './report.ts';
import { stockWorth } from './stock.ts';

/** The same period a year before. */
const yearBefore = (day: Day): Day => addMonths(day, -12);
const sameYearBefore = ({ from, to, ...same }: Span): Span => ({ ...same, from: yearBefore(from), to: yearBefore(to) });
/** The financial year before: a balance sheet is compared with that of its end (Schedule III to the Companies Act). */
const wholeYearBefore = ({ from, to: _to, ...same }: Span): Span => {
  const { start, end } = financialYearOf(addDays(from, -1));
  return { ...same, from: start, to: end };
};
/** A period, and the one that it is compared with. */
interface Compared {
  readonly span: Span;
  readonly earlier: Span;
}

/** Income and expense of the period itself; everything else as it stands at its end. */
const amountOf = (b: LedgerBalance, whole: boolean): number =>
  whole ? b.openingDebit - b.openingCredit + b.debit - b.credit : b.debit - b.credit;

type Columns = readonly [now: readonly LedgerBalance[], before: readonly LedgerBalance[]];

function balancesOf([now, before]: Columns, whole: boolean): StatementBalance[] {
  const previous = new Map(before.map((b) => [b.ledger, amountOf(b, whole)]));
  return now.map((b) => ({ ...b, amount: paise(amountOf(b, whole)), previous: paise(previous.get(b.ledger) ?? 0) }));
}

/** Under periodic books that track goods: what the stock was worth at both ends of the period and of the one before. */
async function closingStock(
  db: QueryExecutorProvider,
  { organisation, settings }: Asked,
  { span, earlier }: Compared,
  [now, before]: Columns,
): Promise<ClosingStock | undefined> {
  if (settings.stockAccounting !== 'periodic' || !settings.trackInventory) return undefined;
  const { rows } = await sql<{ ledger: string; code: string; name: string }>`
    select l.id as ledger, l.code, l.name from posting_map p join ledgers l on l.organisation = p.organisation and l.id = p.ledger
     where p.organisation = ${organisation} and p.effect = 'stock'`.execute(db);
  const [stock] = rows;
  if (!stock) return undefined;
  const ends = [addDays(span.from, -1), span.to, addDays(earlier.from, -1), earlier.to];
  const [open, amount, openBefore, previous] = await stockWorth(db, organisation, ends, span.places);
  const grown = (balances: readonly LedgerBalance[]): number => {
    const held = balances.find((b) => b.ledger === stock.ledger);
    return held ? held.debit - held.credit : 0;
  };
  const change = (balances: readonly LedgerBalance[], from: number | undefined, to: number | undefined): Paise =>
    paise(grown(balances) - ((to ?? 0) - (from ?? 0)));
  return {
    ...stock,
    amount: paise(amount ?? 0),
    previous: paise(previous ?? 0),
    change: change(now, open, amount),
    previousChange: change(before, openBefore, previous),
  };
}

/** Both columns, and under periodic books what the stock was worth. */
async function read(db: QueryExecutorProvider, asked: Asked, compared: Compared) {
  const columns: Columns = [
    await ledgerBalances(db, asked.organisation, compared.span),
    await ledgerBalances(db, asked.organisation, compared.earlier),
  ];
  return { columns, stock: await closingStock(db, asked, compared, columns) };
}

async function draw(name: StatementName, db: QueryExecutorProvider, asked: Asked, compared: Compared): Promise<Answer> {
  const { columns, stock } = await read(db, asked, compared);
  const { from, to } = compared.span;
  const rows = drawStatement(name, balancesOf(columns, name === 'balanceSheet'), stock).map(
    (r): Row => ({
      name: r.name,
      depth: r.depth,
      amount: moneyText(r.amount),
      previous: moneyText(r.previous),
      ...(r.heading && { heading: true }),
      ...(r.total && { total: true }),
      ...(r.ledger && { ledger: r.ledger, from, to }),
      ...(r.group !== undefined && { group: r.group, asOf: to }),
    }),
  );
  return { rows, totals: {}, after: null, notes: [] };
}

export const profitAndLoss: Query = (db, asked) => {
  const { from = '', to = '' } = asked.filters;
  const span = { from, to, places: asked.places, beforeClosing: true };
  return draw('profitAndLoss', db, asked, { span, earlier: sameYearBefore(span) });
};

const spanOf = ({ filters: { asOf = '' }, places }: Asked): Span => ({
  from: financialYearOf(asOf).start,
  to: asOf,
  places,
});

const atYearEnd = (span: Span): Compared => ({ span, earlier: wholeYearBefore(span) });

export const balanceSheet: Query = (db, asked) => draw('balanceSheet', db, asked, atYearEnd(spanOf(asked)));

/** One group of the balance sheet: how each of its ledgers came to what the statement shows. */
export const balanceGroup: Query = async (db, asked) => {
  const span = spanOf(asked);
  const { columns, stock } = await read(db, asked, atYearEnd(span));
  const moved = new Map(columns[0].map((b) => [b.ledger, b]));
  const sums = { opening: 0, debit: 0, credit: 0, amount: 0, previous: 0 };
  const rows = groupOf(asked.filters.group ?? '', balancesOf(columns, true), stock).map((row): Row => {
    const { code, name, ledger, side, amount, previous } = row;
    sums.amount += amount;
    sums.previous += previous;
    // a ledger that is in another group by now has no movements in this one
    const b = ledger && amount !== 0 ? moved.get(ledger) : undefined;
    const opening = b ? (side === 'debit' ? 1 : -1) * (b.openingDebit - b.openingCredit) : 0;
    sums.opening += opening;
    sums.debit += b?.debit ?? 0;
    sums.credit += b?.credit ?? 0;
    return {
      code,
      name,
      opening: b ? moneyText(opening) : '',
      debit: b ? moneyText(b.debit) : '',
      credit: b ? moneyText(b.credit) : '',
      amount: moneyText(amount),
      previous: moneyText(previous),
      ...(ledger && { ledger, from: span.from, to: span.to }),
    };
  });
  const totals = Object.fromEntries(Object.entries(sums).map(([key, sum]) => [key, moneyText(sum)]));
  return { rows, totals: rows.length > 0 ? totals : {}, after: null, notes: [] };
};
