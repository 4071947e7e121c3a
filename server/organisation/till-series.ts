import { sql } from 'kysely';
import type { Day, Id } from '../../domain/document/document.ts';
import { keepApart, kindCalled, kindFor, kindOf } from '../../domain/document/kinds/index.ts';
import { mayMeet, type Pattern, patternProblem } from '../../domain/document/number.ts';
import type { Executor } from '../kit/database/sql.ts';
import { newId } from '../kit/ids.ts';

export interface SeriesOfTill extends Pattern {
  readonly id: Id;
}
interface Row extends SeriesOfTill {
  readonly kind: string;
  readonly till: Id | null;
}

/**
 * Whoever makes or changes a series of a registration waits here for who does so already: each looks whether its numbers
 * meet those of others.
 */
export const holdSeries = (run: Executor, organisation: number, registration: Id) =>
  sql`select pg_advisory_xact_lock(hashtextextended('number series ' || ${registration}::text, ${organisation}))`.execute(
    run,
  );

/** The series of a till under the registration of its place: there is one, or it is made with the till's code before the numbers. */
export async function seriesOfTill(
  run: Executor,
  organisation: number,
  till: { readonly id: Id; readonly code: string; readonly name: string; readonly location: Id },
  today: Day,
): Promise<SeriesOfTill> {
  const place = await sql<{
    registration: Id;
    code: string;
  }>`select registration, code from locations where organisation = ${organisation} and id = ${till.location}::uuid`.execute(
    run,
  );
  const { registration = '', code: location = '' } = place.rows[0] ?? {};
  await holdSeries(run, organisation, registration);
  const { rows } = await sql<Row>`
    select id, kind, till, prefix, suffix, padding, start, reset
    from number_series
    where organisation = ${organisation} and registration = ${registration}::uuid and active
    order by id
    for update
  `.execute(run);
  const own = rows.find((s) => s.till === till.id);
  if (own) return own;
  const bill = kindOf(kindFor('tillBill'));
  const { numbering, label } = bill;
  const others = rows.filter((s) => {
    const other = kindCalled(s.kind);
    return other !== undefined && keepApart(bill, other);
  });
  const pattern = marksOf(till.code)
    .flatMap((mark) => [`${mark}/{FY}/`, `${mark}/{FY2}/`])
    .map((prefix): Pattern => ({ prefix, suffix: '', padding: 4, start: 1, reset: 'year' }))
    .find(
      (made) =>
        patternProblem(made, { gst: numbering.gst, date: today, locations: [location], next: 1 }) === undefined &&
        !others.some((other) => mayMeet(made, other)),
    );
  if (!pattern) throw new Error('no mark is free for the numbers of another till');
  const id = newId();
  const name = `${label} ${till.name}`
    .replace(/[^A-Za-z0-9 ]+/g, ' ')
    .trim()
    .slice(0, 60);
  await sql`
    insert into number_series (organisation, id, name, kind, registration, prefix, padding, till)
    values (
      ${organisation}, ${id}, ${name}, ${kindFor('tillBill')}, ${registration}::uuid, ${pattern.prefix},
      ${pattern.padding}, ${till.id}::uuid
    )
  `.execute(run);
  return { id, ...pattern };
}

/** What may stand before the numbers: the till's code, as far as rule 46 leaves room for it, else another mark. */
const marksOf = (code: string): string[] => {
  const plain = code
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/^0+/, '')
    .slice(0, 5);
  return [
    ...(plain ? [plain, ...Array.from('ABCDEFGH', (letter) => `${plain.slice(0, 4)}${letter}`)] : []),
    ...Array.from({ length: 999 }, (_, n) => `T${n + 1}`),
  ];
};
