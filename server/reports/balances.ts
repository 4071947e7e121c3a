import { type QueryExecutorProvider, sql } from 'kysely';
import { addDays, addMonths, financialYearOf, monthStart } from '../../domain/base/dates.ts';
import type { Day } from '../../domain/document/document.ts';
import { among } from './report.ts';

/** A ledger's sums in paise: before the period, in it. Income and expense open at zero each financial year. */
export interface LedgerBalance {
  readonly ledger: string;
  readonly code: string;
  readonly name: string;
  readonly nature: 'asset' | 'liability' | 'equity' | 'income' | 'expense';
  readonly group: string | null;
  readonly role: string | null;
  readonly schedule3: string | null;
  readonly openingDebit: number;
  readonly openingCredit: number;
  readonly debit: number;
  readonly credit: number;
}

export interface Span {
  readonly from: Day;
  readonly to: Day;
  /** Locations counted; empty: all. */
  readonly places: readonly string[];
  /** Without what closed a year within the period, and what took that back: income and expense as they were earned. */
  readonly beforeClosing?: boolean;
}

interface BalanceRow
  extends Pick<LedgerBalance, 'ledger' | 'code' | 'name' | 'nature' | 'group' | 'role' | 'schedule3'> {
  readonly opening_debit: string;
  readonly opening_credit: string;
  readonly debit: string;
  readonly credit: string;
  /** Profit of earlier years. */
  readonly earlier: string;
}

/**
 * Sums of every ledger for a period, from month totals for whole months and day totals for the days at both ends:
 * as dear with ten million entries as with ten thousand. Profit of earlier years is on retained earnings,
 * as if each year had been closed on 31 March.
 */
export async function ledgerBalances(
  db: QueryExecutorProvider,
  organisation: number,
  { from, to, places, beforeClosing = false }: Span,
): Promise<LedgerBalance[]> {
  const yearStart = financialYearOf(from).start;
  const fromMonth = monthStart(from);
  const firstWhole = from === fromMonth ? from : addMonths(fromMonth, 1);
  const afterTo = addDays(to, 1);
  const endWhole = monthStart(afterTo);
  const whole = firstWhole < endWhole;
  const daysUntil = whole ? firstWhole : afterTo;
  const { rows } = await sql<BalanceRow>`
    with
      sums as (
        select ledger, month as day, debit, credit, month < ${fromMonth}::date as before
        from ledger_month_totals
        where organisation = ${organisation}
          and ${among('location', places)}
          and (
            month < ${fromMonth}::date or (${whole} and month >= ${firstWhole}::date and month < ${endWhole}::date)
          )
        union all
        select ledger, day, debit, credit, day < ${from}::date
        from ledger_day_totals
        where organisation = ${organisation}
          and ${among('location', places)}
          and (
            day >= ${fromMonth}::date and day < ${daysUntil}::date
              or (${whole} and day >= ${endWhole}::date and day < ${afterTo}::date)
          )
        union all
        select e.ledger, e.date, -e.debit, -e.credit, false
        from year_closings y
        join entries e on e.organisation = y.organisation and e.document in (y.document, y.reversal)
        where ${beforeClosing}
          and y.organisation = ${organisation}
          and ${among('e.location', places)}
          and y.closed_through between ${from}::date and ${to}::date
      ),
      grouped as (
        select
          ledger, sum(debit) filter (where before and day >= ${yearStart}::date) as year_debit,
          sum(credit) filter (where before and day >= ${yearStart}::date) as year_credit,
          sum(debit) filter (where before and day < ${yearStart}::date) as old_debit,
          sum(credit) filter (where before and day < ${yearStart}::date) as old_credit,
          sum(debit) filter (where not before) as debit, sum(credit) filter (where not before) as credit
        from sums
        group by ledger
      )
    select
      l.id as ledger, l.code, l.name, l.nature, l."group", l.role, l.schedule3,
      coalesce(g.year_debit, 0) + case
        when l.nature in ('income', 'expense') then 0
        else coalesce(g.old_debit, 0)
      end as opening_debit,
      coalesce(g.year_credit, 0) + case
        when l.nature in ('income', 'expense') then 0
        else coalesce(g.old_credit, 0)
      end as opening_credit,
      coalesce(g.debit, 0) as debit, coalesce(g.credit, 0) as credit,
      case
        when l.nature in ('income', 'expense') then coalesce(g.old_credit, 0) - coalesce(g.old_debit, 0)
        else 0
      end as earlier
    from ledgers l
    left join grouped g on g.ledger = l.id
    where l.organisation = ${organisation} and (g.ledger is not null or l.role = 'retained_earnings')
    order by l.code
  `.execute(db);
  const earlier = rows.reduce((total, row) => total + Number(row.earlier), 0);
  return rows.map((row) => balanceOf(row, row.role === 'retained_earnings' ? earlier : 0));
}

const balanceOf = (
  { earlier: _, opening_debit, opening_credit, ...row }: BalanceRow,
  profit: number,
): LedgerBalance => ({
  ...row,
  openingDebit: Number(opening_debit) + (profit < 0 ? -profit : 0),
  openingCredit: Number(opening_credit) + (profit > 0 ? profit : 0),
  debit: Number(row.debit),
  credit: Number(row.credit),
});
