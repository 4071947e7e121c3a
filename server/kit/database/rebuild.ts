import type pg from 'pg';
import { heldLayers } from '../../../domain/stock/valuation.ts';
import { beingRevalued, itemsMoved, valued } from './shelves-moved.ts';

/**
 * Makes the projections anew from entries, movements and allocations, as the owner, while postings wait: totals of days and
 * months, what is open, and the shelves. The books themselves are not touched.
 */
export async function rebuildProjections(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      'lock table item_balances, open_items, ledger_day_totals, ledger_month_totals in exclusive mode',
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
    await rebuildShelves(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function rebuildShelves(client: pg.PoolClient): Promise<void> {
  const waiting = await beingRevalued(client);
  await client.query(
    `update item_balances set quantity = 0, value = 0, layers = '{}', last_date = null where item <> all($1::uuid[])`,
    [[...waiting]],
  );
  for await (const item of itemsMoved(client)) {
    if (waiting.has(item.item)) continue;
    for (const [location, { balance }] of valued(item).shelves)
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
