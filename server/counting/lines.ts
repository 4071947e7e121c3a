import { sql } from 'kysely';
import type { Answer } from '../../contract/contract.ts';
import type { countCalls } from '../../contract/counting.ts';
import { millionths, moneyText, quantityText, rateText } from '../../domain/base/decimal.ts';
import { scale } from '../../domain/base/money.ts';
import type { Id } from '../../domain/document/document.ts';
import { type Counted, type CountLine, outcomeOf } from '../../domain/stock/counting.ts';
import { isCostHidden } from '../access/index.ts';
import type { Context } from '../context.ts';
import { mayEnd, type Sheet, type Trx } from './sheets.ts';

type Shown = Answer<(typeof countCalls)['GetCountSheet']>['lines'][number];

interface CountRow {
  readonly by: string;
  readonly user: Id;
  readonly round: number;
  readonly quantity: number;
  readonly serials: readonly string[] | null;
  readonly book: number;
  readonly book_serials: readonly string[] | null;
  readonly at: string;
}
interface Row {
  readonly line: number;
  readonly item: Id;
  readonly sku: string;
  readonly name: string;
  readonly unit: string;
  readonly room: Id | null;
  readonly room_name: string | null;
  readonly batch: string;
  readonly expiry: string | null;
  readonly batched: boolean;
  readonly serialised: boolean;
  readonly book: string;
  readonly serials: readonly string[] | null;
  readonly round: number;
  readonly reason: string;
  readonly rate: string | null;
  readonly average: string | null;
  readonly counts: readonly CountRow[] | null;
  readonly now: string | null;
  readonly now_serials: readonly string[] | null;
  readonly late: string;
}

/** A line of a count with what came of it. */
export interface Line {
  readonly row: Row;
  readonly counts: readonly Counted[];
  readonly outcome: ReturnType<typeof outcomeOf>;
  readonly line: CountLine;
}

/** Lines of a sheet, all or one, with the books as they are by now. */
export async function linesOf(
  trx: Trx,
  { organisation }: Context,
  sheet: Pick<Sheet, 'id' | 'location'>,
  only?: number,
): Promise<Line[]> {
  const { rows } = await sql<Row>`
    with
      mine as (
        select *
        from count_lines
        where organisation = ${organisation}
          and sheet = ${sheet.id}::uuid
          and ${only === undefined ? sql`true` : sql`line = ${only}`}
      ),
      standing as (
        select *
        from stock_parts(${organisation}, ${sheet.location}::uuid, (select array_agg(distinct item) from mine))
      )
    select
      x.line, x.item, i.sku, i.name, i.unit, x.room, r.name as room_name, x.batch,
      x.expiry::text as expiry, coalesce((i.body ->> 'batched')::boolean, false) as batched,
      coalesce((i.body ->> 'serialised')::boolean, false) as serialised, x.book, x.serials, x.round,
      x.reason, x.rate, n.quantity as now, n.serials as now_serials,
      coalesce(
        (
          select round(b.value::numeric * 10000000000 / b.quantity)
          from item_balances b
          where b.organisation = x.organisation
            and b.item = x.item
            and b.location = ${sheet.location}::uuid
            and b.quantity > 0
            and b.value > 0
        ),
        i.purchase_rate, 0
      ) as average,
      c.counts,
      coalesce(
        case
          when n.quantity is distinct from c.book
            then (
              select sum(
                case when b.part is null then m.quantity else sign(m.quantity)::int * (b.part ->> 'quantity')::bigint end
              )
              from movements m
              join documents d on d.organisation = m.organisation and d.id = m.document
              left join lateral jsonb_array_elements(m.batches) b(part) on true
              where m.organisation = x.organisation
                and m.item = x.item
                and m.location = ${sheet.location}::uuid
                and m.room is not distinct from x.room
                and coalesce(b.part ->> 'batch', '') = x.batch
                and d.posted_at > c.last
                and m.date < (c.last at time zone 'Asia/Kolkata')::date
            )
        end,
        0
      ) as late
    from mine x
    join items i on i.organisation = x.organisation and i.id = x.item
    left join masters r on r.organisation = x.organisation and r.id = x.room
    left join standing n on n.item = x.item and n.room is not distinct from x.room and n.batch = x.batch
    left join lateral (
      select
        json_agg(
          json_build_object(
            'by', u.name, 'user', k.by, 'round', k.round, 'quantity', k.quantity, 'serials', k.serials, 'book',
            k.book, 'book_serials', k.book_serials, 'at',
            to_char(k.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
          )
          order by k.round, k.at
        ) as counts,
        max(k.at) as last, (array_agg(k.book order by k.round desc, k.at desc))[1] as book
      from counted k
      join users u on u.organisation = k.organisation and u.id = k.by
      where k.organisation = x.organisation and k.sheet = x.sheet and k.line = x.line
    ) c on true
    order by x.line
  `.execute(trx);
  return rows.map(lineOf);
}

const countOf = ({ round, at, quantity, book, serials, book_serials }: CountRow): Counted => ({
  round,
  at,
  quantity: millionths(quantity),
  book: millionths(book),
  ...(serials && { serials }),
  ...(book_serials && { bookSerials: book_serials }),
});

function lineOf(row: Row): Line {
  const counts = (row.counts ?? []).map(countOf);
  const line: CountLine = {
    item: row.item,
    unit: row.unit,
    serialised: row.serialised,
    rate: millionths(Number(row.rate ?? row.average ?? 0)),
    ...(row.room && { room: row.room }),
    ...(row.batched && { batch: row.batch }),
    ...(row.expiry && { expiry: row.expiry }),
  };
  return { row, counts, outcome: outcomeOf(counts), line };
}

/** What the difference of a line is worth, at what its goods cost on the average, or what was typed for it. */
export const worthOf = ({ line, outcome }: Pick<Line, 'line' | 'outcome'>): number =>
  outcome ? scale(outcome.difference, line.rate, 10_000_000_000) : 0;

/** Whether the books and the count of a line disagree. */
export const differs = ({ outcome }: Pick<Line, 'outcome'>): boolean =>
  outcome !== undefined && (outcome.difference !== 0 || outcome.missing.length > 0 || outcome.found.length > 0);

/** Who counts blindly is not led by what the books say, as long as it is counted. */
export const seesBooks = (context: Context, sheet: Pick<Sheet, 'blind' | 'state'>): boolean =>
  !sheet.blind || sheet.state === 'posted' || mayEnd(context);

export function shownLine(context: Context, sheet: Pick<Sheet, 'blind' | 'state' | 'round'>, each: Line): Shown {
  const { row, outcome, line } = each;
  return {
    line: row.line,
    item: row.item,
    sku: row.sku,
    name: row.name,
    unit: row.unit,
    room: row.room,
    roomName: row.room_name,
    batch: row.batch,
    expiry: row.expiry,
    batched: row.batched,
    serialised: row.serialised,
    asked: row.round === sheet.round,
    counts: (row.counts ?? []).map((c) => ({
      by: c.by,
      mine: c.user === context.user,
      round: c.round,
      quantity: quantityText(c.quantity),
      serials: [...(c.serials ?? [])],
      at: c.at,
    })),
    counted: outcome ? quantityText(outcome.counted) : null,
    books: !seesBooks(context, sheet)
      ? null
      : {
          book: quantityText(Number(row.book)),
          expected: outcome ? quantityText(outcome.book) : null,
          now: quantityText(Number(row.now ?? 0)),
          difference: outcome ? quantityText(outcome.difference) : null,
          missing: [...(outcome?.missing ?? [])],
          found: [...(outcome?.found ?? [])],
          serials: [...(row.serials ?? [])],
          moved: outcome?.moved ?? false,
          late: quantityText(Number(row.late)),
          reason: row.reason,
          rate: isCostHidden(context) ? null : rateText(line.rate),
          value: outcome && !isCostHidden(context) ? moneyText(worthOf(each)) : null,
        },
  };
}
