import { sql, type Transaction } from 'kysely';
import { nextDay, type Rhythm, type RhythmUnit } from '../../domain/books/recurring.ts';
import type { Day, Draft, Id } from '../../domain/document/document.ts';
import type { Tables } from '../kit/database/sql.ts';

export type Trx = Transaction<Tables>;

/** A row of recurring_bills. */
export interface Row {
  readonly organisation: number;
  readonly id: Id;
  readonly name: string;
  readonly kind: string;
  readonly location: Id;
  readonly template: Draft;
  readonly first: Day;
  readonly every: number;
  readonly unit: RhythmUnit;
  readonly month_end: boolean;
  readonly until: Day | null;
  readonly times: number | null;
  readonly posts: boolean;
  readonly state: 'running' | 'paused' | 'stopped';
  readonly turn: number;
  readonly made: number;
  readonly author: Id;
  readonly version: number;
}

export const rhythmOf = ({
  first,
  every,
  unit,
  month_end,
  until,
  times,
}: Pick<Row, 'first' | 'every' | 'unit' | 'month_end' | 'until' | 'times'>): Rhythm => ({
  first,
  every,
  unit,
  monthEnd: month_end,
  ...(until !== null && { until }),
  ...(times !== null && { times }),
});

/** A bill under lock: turns are ended one after the other. */
export async function lockBill(trx: Trx, organisation: number, id: Id): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select *, first::text as first, until::text as until
    from recurring_bills
    where organisation = ${organisation} and id = ${id}::uuid
    for update
  `.execute(trx);
  return rows[0];
}

export interface Ended {
  readonly what: 'posted' | 'drafted' | 'skipped';
  readonly day: Day;
  readonly document: Id | null;
  readonly problem: string | null;
}

/** Ends the turn that a locked bill stands at, and says when the next one is. */
export async function advance(trx: Trx, row: Row, { what, day, document, problem }: Ended): Promise<void> {
  const { organisation, id, turn } = row;
  const made = row.made + (what === 'skipped' ? 0 : 1);
  await sql`
    insert into recurring_turns (organisation, recurring, turn, day, what, document, problem)
    values (${organisation}, ${id}, ${turn}, ${day}, ${what}, ${document}, ${problem})
  `.execute(trx);
  await sql`
    update recurring_bills
    set
      turn = ${turn + 1}, made = ${made}, next_on = ${nextDay(rhythmOf(row), turn + 1, made) ?? null},
      version = version + 1
    where organisation = ${organisation} and id = ${id}
  `.execute(trx);
}
