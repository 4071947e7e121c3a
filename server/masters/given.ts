import { sql } from 'kysely';
import { addMonths, financialYearOf } from '../../domain/base/dates.ts';
import { say } from '../../domain/base/say.ts';
import type { Day, Id, Problem } from '../../domain/document/document.ts';
import { numberParts, numberText, type Pattern } from '../../domain/document/number.ts';
import type { Context } from '../context.ts';
import type { Trx } from './records.ts';

interface Checked {
  /** Undefined: it is new. */
  readonly id: Id | undefined;
  readonly registration: Id;
  /** The families of numbers in which each is given once in a financial year. */
  readonly numberings: readonly string[];
  readonly pattern: Pattern;
  readonly places: readonly { readonly code: string }[];
}

/** The first day of each month of the year whose counter is its own, or of the year. */
const startsOf = ({ reset, prefix, suffix }: Pattern, today: Day): Day[] => {
  const { start } = financialYearOf(today);
  const byMonth = reset === 'month' || /\{(MM|YY)\}/.test(`${prefix}${suffix}`);
  return byMonth ? Array.from({ length: 12 }, (_, n) => addMonths(start, n)) : [today];
};

/**
 * The problem of a series whose next number was given in this financial year already: by a series that was retired, by an
 * import, or at a till. Posting would refuse every document with it.
 */
export async function givenAlready(
  trx: Trx,
  { organisation, today }: Pick<Context, 'organisation' | 'today'>,
  { id, registration, numberings, pattern, places }: Checked,
): Promise<Problem | undefined> {
  const asked = startsOf(pattern, today).flatMap((date) =>
    (places.length > 0 ? places : [{ code: '' }]).map(({ code }) => ({
      date,
      code,
      ...numberParts(pattern, { date, location: code }),
    })),
  );
  const { rows } = await sql<{ at: number; highest: string | null; next: number | null }>`
    with
      numbers as (
        select upper(d.number) as number
        from documents d
        where d.organisation = ${organisation}
          and d.registration = ${registration}::uuid
          and d.financial_year = ${financialYearOf(today).label}
          and d.numbering = any(${[...numberings]}::text[])
        union all
        select upper(n.number)
        from till_numbers n
        join number_series s on s.organisation = n.organisation and s.id = n.series
        where n.organisation = ${organisation} and s.registration = ${registration}::uuid
      ),
      asked as (
        select ordinality::int - 1 as at, prefix, suffix, period
        from unnest(
          ${asked.map((one) => one.prefix)}::text[], ${asked.map((one) => one.suffix)}::text[],
          ${asked.map((one) => one.period)}::text[]
        ) with ordinality as t (prefix, suffix, period, ordinality)
      ),
      alike as (
        select
          a.at,
          substr(n.number, length(a.prefix) + 1, length(n.number) - length(a.prefix) - length(a.suffix)) as digits
        from asked a
        join numbers n
          on starts_with(n.number, a.prefix)
            and right(n.number, length(a.suffix)) = a.suffix
            and length(n.number) > length(a.prefix) + length(a.suffix)
      )
    select
      a.at,
      (
        select max(k.digits::bigint)
        from alike k
        where k.at = a.at
          and k.digits ~ '^[0-9]{1,15}$'
          and k.digits = lpad(
            k.digits::bigint::text, greatest(${pattern.padding}::int, length(k.digits::bigint::text)), '0'
          )
      ) as highest,
      (
        select c.next
        from series_counters c
        where c.organisation = ${organisation} and c.series = ${id ?? null}::uuid and c.period = a.period
      ) as next
    from asked a
    order by a.at
  `.execute(trx);
  for (const { at, highest, next } of rows) {
    const one = asked[at];
    if (!one || highest === null || Number(highest) < (next ?? pattern.start)) continue;
    const number = numberText(pattern, { date: one.date, location: one.code }, Number(highest));
    return next === null
      ? {
          field: 'start',
          ...say('{{number}} was given already: start at {{highest}} or higher', {
            number,
            highest: Number(highest) + 1,
          }),
        }
      : {
          field: 'prefix',
          ...say('{{number}} was given already and would come again: choose another prefix', { number }),
        };
  }
  return undefined;
}
