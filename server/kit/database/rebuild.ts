import type pg from 'pg';
import { numberParts, type Pattern } from '../../../domain/document/number.ts';
import { heldLayers } from '../../../domain/stock/valuation.ts';
import { beingRevalued, itemsMoved, valued } from './stock-replayed.ts';

/**
 * Makes the projections anew from entries, movements and allocations, as the owner, while postings wait: totals of days and
 * months, what is open, and the stock balances; a counter of numbers that is gone or behind is put after the last number that was
 * given. The books themselves are not touched.
 */
export async function rebuildProjections(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      'lock table item_balances, open_items, ledger_day_totals, ledger_month_totals, series_counters in exclusive mode',
    );
    await client.query('delete from ledger_day_totals');
    await client.query(`insert into ledger_day_totals (organisation, ledger, location, day, slot, debit, credit)
      select organisation, ledger, location, date, 0, sum(debit), sum(credit) from entries group by 1, 2, 3, 4`);
    await client.query('delete from ledger_month_totals');
    await client.query(`
      insert into ledger_month_totals (organisation, ledger, location, month, slot, debit, credit)
      select organisation, ledger, location, date_trunc('month', day)::date, 0, sum(debit), sum(credit)
      from ledger_day_totals
      group by 1, 2, 3, 4
    `);
    await client.query(`
      with
        sides as (
          select organisation, document, line, sum(amount) as amount
          from (
            select organisation, credit_document as document, credit_line as line, amount
            from allocations
            union all
            select organisation, invoice_document, invoice_line, amount
            from allocations
          ) a
          group by 1, 2, 3
        ),
        due as (
          select
            o.organisation, o.document, o.line,
            case when c.document is not null then 0 else o.original - coalesce(s.amount, 0) end as open
          from open_items o
          left join sides s using (organisation, document, line)
          left join cancellations c using (organisation, document)
        )
      update open_items o
      set open = d.open
      from due d
      where d.organisation = o.organisation and d.document = o.document and d.line = o.line and d.open <> o.open
    `);
    await rebuildBalances(client);
    await rebuildCounters(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function rebuildBalances(client: pg.PoolClient): Promise<void> {
  const waiting = await beingRevalued(client);
  await client.query(
    `update item_balances set quantity = 0, value = 0, layers = '{}', last_date = null where item <> all($1::uuid[])`,
    [[...waiting]],
  );
  for await (const item of itemsMoved(client)) {
    if (waiting.has(item.item)) continue;
    for (const [location, { balance }] of valued(item).stockBalances)
      await client.query(
        `
          insert into item_balances (organisation, item, location, quantity, value, layers, last_date)
          values ($1, $2, $3, $4, $5, $6, $7)
          on conflict (organisation, item, location) do update
          set
            quantity = excluded.quantity, value = excluded.value, layers = excluded.layers,
            last_date = excluded.last_date
        `,
        [
          item.organisation,
          item.item,
          location,
          balance.quantity,
          balance.value,
          heldLayers(balance.layers).flatMap((l) => [l.quantity, l.value]),
          item.moved.findLast((m) => m.location === location)?.date,
        ],
      );
  }
}

interface LastNumber extends Pattern {
  readonly organisation: number;
  readonly series: string;
  readonly date: string;
  readonly location: string;
  readonly number: string;
}

/** A counter that is ahead of its numbers stays: nobody knows whether one of them is printed somewhere. */
async function rebuildCounters(client: pg.PoolClient): Promise<void> {
  // of one day and place all numbers begin alike
  const { rows: posted } = await client.query<LastNumber>(`
    select
      d.organisation, d.series, d.date::text as date, l.code as location, s.prefix, s.suffix, s.padding, s.start,
      s.reset, (array_agg(d.number order by length(d.number) desc, d.number desc))[1] as number
    from documents d
    join number_series s on s.organisation = d.organisation and s.id = d.series
    join locations l on l.organisation = d.organisation and l.id = d.location
    where d.body #> '{draft,till,counter}' is null
    group by d.organisation, d.series, d.date, l.code, s.prefix, s.suffix, s.padding, s.start, s.reset
  `);
  const { rows: atTills } = await client.query<{ organisation: number; series: string; period: string; last: number }>(`
    select organisation, series, period, max(counter) as last
    from (
      select
        organisation, series, body #>> '{draft,till,period}' as period, (body #>> '{draft,till,counter}')::int as counter
      from documents
      where series is not null and body #> '{draft,till,counter}' is not null
      union all
      select organisation, series, period, counter
      from till_numbers
    ) n
    group by 1, 2, 3
  `);
  const numbered = posted.flatMap(({ organisation, series, date, location, number, ...pattern }) => {
    const { prefix, suffix, period } = numberParts(pattern, { date, location });
    const digits =
      number.startsWith(prefix) && number.endsWith(suffix)
        ? number.slice(prefix.length, number.length - suffix.length)
        : '';
    return /^\d{1,9}$/.test(digits) ? [{ organisation, series, period, last: Number(digits) }] : [];
  });
  for (const { organisation, series, period, last } of [...numbered, ...atTills])
    await client.query(
      `
        insert into series_counters as c (organisation, series, period, next)
        values ($1, $2, $3, $4)
        on conflict (organisation, series, period) do update
        set next = excluded.next
        where c.next < excluded.next
      `,
      [organisation, series, period, last + 1],
    );
}
