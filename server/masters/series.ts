import { sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { namedCalls } from '../../contract/named.ts';
import { financialYearOf } from '../../domain/base/dates.ts';
import { keepApart, kindCalled } from '../../domain/document/kinds/index.ts';
import { mayMeet, numberText, type Pattern, previewNumbers } from '../../domain/document/number.ts';
import type { Context } from '../context.ts';
import type { Trx, Values } from './records.ts';
import { fillers, patternOf } from './special.ts';

type Checked = (typeof namedCalls)['DocPatternValidations'];
type Given = Answer<(typeof namedCalls)['GetNumbersGiven']>;

/** The verdict on a pattern that is being typed, by the same check as saving it, and its next three numbers. */
export async function checkedPattern(
  trx: Trx,
  context: Context,
  kind: string,
  asked: string | undefined,
  input: Omit<Input<Checked>, 'Type' | 'registration'>,
): Promise<Answer<Checked>> {
  const { Id, location, prefix, suffix, padding, start, reset } = input;
  const { rows } = await sql<{ registration: string; code: string | null; next: number | null }>`
    select
      r.id as registration,
      (
        select l.code
        from locations l
        where l.organisation = r.organisation
          and l.registration = r.id
          and not l.is_transit
          and (${location ?? null}::uuid is null or l.id = ${location ?? null}::uuid)
        order by l.code
        limit 1
      ) as code,
      (
        select c.next
        from series_counters c
        where c.organisation = r.organisation
          and c.series = ${Id ?? null}::uuid
          and c.period in ('all', ${context.today.slice(0, 7)}, ${yearOf(context.today)})
        limit 1
      ) as next
    from registrations r
    where r.organisation = ${context.organisation}
      and (${asked ?? null}::uuid is null or r.id = ${asked ?? null}::uuid)
    order by r.id
    limit 1
  `.execute(trx);
  const [own] = rows;
  if (!own) throw new Refusal('notFound');
  const pattern: Pattern = { prefix, suffix, padding, start, reset };
  const values = { kind, registration: own.registration, location, ...pattern };
  const { problems = [] } = (await fillers.numberSeries?.(trx, context, values, Id)) ?? {};
  const next = Math.max(start, own.next ?? 1);
  return {
    problems: problems.map(({ message }) => message),
    next: previewNumbers(pattern, { date: context.today, location: own.code ?? '' }, next),
  };
}

/** A notice where the numbers of a series could meet those of another registration; it may be saved all the same. */
export async function metElsewhere(
  trx: Trx,
  { organisation }: Context,
  { Id, kind: name, registration, ...pattern }: Pattern & { Id?: string; kind: string; registration: string },
): Promise<string> {
  const kind = kindCalled(name);
  const { rows } = await sql<Pattern & { kind: string; name: string; gstin: string | null }>`
    select s.kind, s.name, s.prefix, s.suffix, s.padding, s.start, s.reset, r.gstin
    from number_series s
    join registrations r on r.organisation = s.organisation and r.id = s.registration
    where s.organisation = ${organisation}
      and s.active
      and s.registration <> ${registration}::uuid
      and s.id is distinct from ${Id ?? null}::uuid
    order by s.name, s.id
  `.execute(trx);
  const met = rows.find((row) => {
    const other = kindCalled(row.kind);
    return kind && other && keepApart(kind, other) && mayMeet({ ...pattern, channel: '' }, { ...row, channel: '' });
  });
  return met
    ? `Its numbers could be those of ${met.name} of ${met.gstin ?? 'another registration'} as well: a lookup by number finds both`
    : '';
}

const yearOf = (day: string): string => financialYearOf(day).label;

interface Period {
  readonly period: string;
  readonly next: number;
  readonly given: number;
  readonly cancelled: number;
  readonly first: string | null;
  readonly last: string | null;
  readonly any_date: string | null;
  readonly set_down: Given[number]['notInBooks'] | null;
  readonly held_by: string | null;
}

const MOST_NAMED = 50;
/** The counter that a document's date falls into, as the domain's `periodKey` says it. */
const periodOf = sql`case s.reset when 'never' then 'all' when 'month' then to_char(d.date, 'YYYY-MM') else d.financial_year end`;

/**
 * Rule 46(b) asks for consecutive numbers. Numbers are given as the last step of a posting, so none is ever missing; this
 * proves it from the documents themselves: what the counter has given against what is in the books, period by period. What a
 * till gave and is not in the books is set down as such and is no gap.
 */
export async function numbersGiven(trx: Trx, context: Context, id: string): Promise<Given> {
  const org = context.organisation;
  const { rows: found } =
    await sql<Values>`select * from number_series where organisation = ${org} and id = ${id}::uuid`.execute(trx);
  const [series] = found;
  if (!series) throw new Refusal('notFound');
  const { rows } = await sql<Period>`
    with there as (
      select
        ${periodOf} as period, d.number, d.id, d.date,
        exists (
          select from cancellations c where c.organisation = d.organisation and c.document = d.id
        ) as cancelled
      from documents d
      join number_series s on s.organisation = d.organisation and s.id = d.series
      where d.organisation = ${org} and d.series = ${id}::uuid
    )
    select
      c.period, c.next, count(t.id)::int as given,
      (count(t.id) filter (where t.cancelled))::int as cancelled,
      (array_agg(t.number order by length(t.number), t.number))[1] as first,
      (array_agg(t.number order by length(t.number) desc, t.number desc))[1] as last,
      min(t.date) as any_date,
      (
        select json_agg(
          json_build_object('number', n.number, 'state', n.state, 'reason', n.reason) order by n.counter
        )
        from till_numbers n
        where n.organisation = ${org} and n.series = c.series and n.period = c.period and n.state <> 'posted'
      ) as set_down,
      (
        select m.name || case
          when c.period in ('all', ${context.today.slice(0, 7)}, ${yearOf(context.today)}) then ''
        end
        from till_sessions o
        join masters m on m.organisation = o.organisation and m.id = o.till
        where o.organisation = ${org} and o.series = c.series and o.device is not null and o.closed_at is null
      ) as held_by
    from series_counters c
    left join there t on t.period = c.period
    where c.organisation = ${org} and c.series = ${id}::uuid
    group by c.series, c.period, c.next
    order by c.period desc
  `.execute(trx);
  const pattern = patternOf(series);
  return Promise.all(
    rows.map(async (row) => {
      const notInBooks = row.set_down ?? [];
      const missing = Math.max(0, row.next - pattern.start - row.given - notInBooks.length);
      return {
        ...{
          period: row.period,
          first: row.first ?? '',
          last: row.last ?? '',
          given: row.given,
          cancelled: row.cancelled,
        },
        missing,
        missingNumbers: missing === 0 ? [] : await missingNumbers(trx, context, id, pattern, row),
        notInBooks,
        heldBy: row.held_by,
      };
    }),
  );
}

/** Which numbers of a period are in no document, by the pattern as it is now. */
async function missingNumbers(
  trx: Trx,
  context: Context,
  id: string,
  pattern: Pattern,
  row: Period,
): Promise<string[]> {
  const org = context.organisation;
  const { rows } = await sql<{ number: string; code: string }>`
    select upper(d.number) as number, l.code from documents d join locations l on l.organisation = d.organisation and l.id = d.location
      join number_series s on s.organisation = d.organisation and s.id = d.series
     where d.organisation = ${org} and d.series = ${id}::uuid and ${periodOf} = ${row.period}`.execute(trx);
  const there = new Set([...rows, ...(row.set_down ?? [])].map(({ number }) => number.toUpperCase()));
  const codes = [...new Set(rows.map(({ code }) => code))];
  const date = row.any_date ?? context.today;
  const isThere = (n: number) => codes.some((location) => there.has(numberText(pattern, { date, location }, n)));
  const missing: string[] = [];
  for (let n = pattern.start; n < row.next && missing.length < MOST_NAMED; n += 1)
    if (!isThere(n)) missing.push(numberText(pattern, { date, location: codes[0] ?? '' }, n));
  return missing;
}
