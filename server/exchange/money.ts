import { sql } from 'kysely';
import { ONE } from '../../domain/base/decimal.ts';
import { scale } from '../../domain/base/money.ts';
import type { Ledgers } from '../../domain/books/effects.ts';
import type { Day, Id } from '../../domain/document/document.ts';
import type { Context } from '../context.ts';

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

/**
 * What stood on a ledger of another currency at a location at the end of a day: so much of it, and the rupees in the
 * books. Paise and cents.
 */
export interface Money {
  readonly ledger: Id;
  readonly code: string;
  readonly name: string;
  readonly currency: string;
  readonly location: Id;
  readonly registration: Id;
  readonly balance: number;
  readonly worth: number;
  readonly rate: number | null;
  /** In rupees at the rate, and what that is more; null where there is no rate. */
  readonly now: number | null;
  readonly difference: number | null;
}

/**
 * Money in other currencies as it stood at the end of a day, at its rates. What was spent to the last cent needs no rate: the
 * rupees left are gain or loss. What the user's own attempt under these keys has posted already is left out.
 */
export async function moneyOn(
  trx: Trx,
  { organisation, user }: Pick<Context, 'organisation' | 'user'>,
  asOf: Day,
  keys: readonly string[],
): Promise<Money[]> {
  const { rows } = await sql<
    Omit<Money, 'balance' | 'worth' | 'rate' | 'now' | 'difference'> & {
      balance: string;
      worth: string;
      rate: string | null;
    }
  >`
    select m.*, r.rate
    from (
      select
        l.id as ledger, l.code, l.name, l.currency, e.location, e.registration,
        coalesce(
          sum(
            case when e.debit > 0 then e.foreign_amount else -e.foreign_amount end
          ) filter (where e.currency = l.currency),
          0
        ) as balance,
        sum(e.debit - e.credit) as worth
      from ledgers l
      join entries e
        on e.organisation = l.organisation
          and e.ledger = l.id
          and e.date <= ${asOf}::date
          and e.document <> all(
            array(
              select (k.answer ->> 'id')::uuid
              from idempotency_keys k
              where k.organisation = ${organisation}
                and k."user" = ${user}
                and k.key = any(${[...keys]}::uuid[])
                and k.answer ? 'number'
            )
          )
      where l.organisation = ${organisation} and l.currency is not null
      group by 1, 2, 3, 4, 5, 6
    ) m
    left join lateral exchange_rate_on(${organisation}, m.currency, 'book', ${asOf}::date) r on true
    where m.balance <> 0 or m.worth <> 0
    order by m.code, m.location
  `.execute(trx);
  return rows.map((row) => {
    const [balance, worth] = [Number(row.balance), Number(row.worth)];
    const rate = row.rate === null ? null : Number(row.rate);
    const now = balance === 0 ? 0 : rate === null ? null : scale(Math.abs(balance), rate, ONE) * Math.sign(balance);
    return { ...row, balance, worth, rate, now, difference: now === null ? null : now - worth };
  });
}

/** Lines that bring these to their rate: on the ledger itself, without any of its currency; gain and loss each in one sum. */
export function moneyLines(
  found: readonly Money[],
  ledgers: Ledgers,
): readonly { readonly ledger: Id; readonly debit?: number; readonly credit?: number; readonly foreign?: number }[] {
  const moved = found.flatMap(({ ledger, difference }) =>
    difference ? [{ ledger, foreign: 0, ...(difference > 0 ? { debit: difference } : { credit: -difference }) }] : [],
  );
  const gain = found.reduce((t, { difference }) => t + Math.max(difference ?? 0, 0), 0);
  const loss = found.reduce((t, { difference }) => t + Math.max(-(difference ?? 0), 0), 0);
  return [
    ...moved,
    ...(gain > 0 ? [{ ledger: ledgers.fxGain, credit: gain }] : []),
    ...(loss > 0 ? [{ ledger: ledgers.fxLoss, debit: loss }] : []),
  ];
}
