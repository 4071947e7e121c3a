import type { QueryExecutorProvider } from 'kysely';
import { addMonths, financialYearOf } from '../../domain/dates.ts';
import { moneyText } from '../../domain/decimal.ts';
import { paise } from '../../domain/money.ts';
import { drawStatement, type StatementBalance, type StatementName } from '../../domain/statement.ts';
import { type LedgerBalance, ledgerBalances } from './balances.ts';
import type { Answer, Query, Row } from './report.ts';

/** The same period a year before. */
const yearBefore = (day: string): string => addMonths(day, -12);

/** Income and expense of the period itself; everything else as it stands at its end. */
const amountOf = (b: LedgerBalance, whole: boolean): number =>
  whole ? b.openingDebit - b.openingCredit + b.debit - b.credit : b.debit - b.credit;

async function balancesOf(
  db: QueryExecutorProvider,
  organisation: number,
  from: string,
  to: string,
  places: readonly string[],
  whole: boolean,
): Promise<StatementBalance[]> {
  const now = await ledgerBalances(db, organisation, { from, to, places });
  const before = new Map(
    (await ledgerBalances(db, organisation, { from: yearBefore(from), to: yearBefore(to), places })).map((b) => [
      b.ledger,
      amountOf(b, whole),
    ]),
  );
  return now.map((b) => ({ ...b, amount: paise(amountOf(b, whole)), previous: paise(before.get(b.ledger) ?? 0) }));
}

function draw(name: StatementName, balances: readonly StatementBalance[], from: string, to: string): Answer {
  const rows = drawStatement(name, balances).map(
    (r): Row => ({
      name: r.name,
      depth: r.depth,
      amount: moneyText(r.amount),
      previous: moneyText(r.previous),
      ...(r.heading && { heading: true }),
      ...(r.total && { total: true }),
      ...(r.ledger && { ledger: r.ledger, from, to }),
    }),
  );
  return { rows, totals: {}, after: null, notes: [] };
}

export const profitAndLoss: Query = async (db, { organisation, filters, places }) => {
  const { from = '', to = '' } = filters;
  return draw('profitAndLoss', await balancesOf(db, organisation, from, to, places, false), from, to);
};

export const balanceSheet: Query = async (db, { organisation, filters, places }) => {
  const { asOf = '' } = filters;
  const from = financialYearOf(asOf).start;
  return draw('balanceSheet', await balancesOf(db, organisation, from, asOf, places, true), from, asOf);
};
