import { sql } from 'kysely';
import { Refusal, type RefusalCode, refusals } from '../../../contract/errors.ts';
import { dayInWords } from '../../../domain/base/dates.ts';
import { type Said, say } from '../../../domain/base/say.ts';
import type { Day, Draft, Id, TillMark } from '../../../domain/document/document.ts';
import { kindCalled } from '../../../domain/document/kinds/index.ts';
import { numberText, type Pattern, periodKey } from '../../../domain/document/number.ts';
import type { Context } from '../../context.ts';
import { Problems } from '../../kit/problems.ts';
import type { Posted } from '../posting/types.ts';
import { isHere } from '../read/may-read.ts';
import { draftText } from '../read/wire.ts';

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

/** The session of a till. It has a series where its browser gives the numbers. */
export interface HeldTill extends Nullable<Pattern> {
  readonly id: Id;
  readonly till: string;
  readonly location: Id;
  readonly code: string;
  readonly device: Id | null;
  readonly series: Id | null;
  readonly closed: boolean;
  /** The day on which the session was opened. */
  readonly opened: Day;
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

/** A session whose browser gives the numbers. */
export type NumberingTill = HeldTill & Pattern & { readonly series: Id };
export const givesNumbers = (held: HeldTill): held is NumberingTill => held.series !== null;

export async function heldTill(trx: Trx, context: Context, session: Id): Promise<HeldTill> {
  const { rows } = await sql<HeldTill>`
    select
      t.id, m.name as till, t.location, l.code, t.device, t.series, t.closed_at is not null as closed, t.opened_on::text as opened,
      s.prefix, s.suffix, s.padding, s.start, s.reset
    from till_sessions t
    join masters m on m.organisation = t.organisation and m.id = t.till
    join locations l on l.organisation = t.organisation and l.id = t.location
    left join number_series s on s.organisation = t.organisation and s.id = t.series
    where t.organisation = ${context.organisation} and t.id = ${session}::uuid
  `.execute(trx);
  const [held] = rows;
  if (!held || !isHere(context, held.location)) throw new Refusal('notFound');
  return held;
}

/** How a number of the till reads on a day, and the counter it belongs to. */
export const numberOfTill = (
  held: NumberingTill,
  date: Day,
  counter: number,
): { readonly number: string; readonly period: string } => ({
  number: numberText(held, { date, location: held.code }, counter),
  period: periodKey(held, date),
});

/** What is set down of a number whose bill is not in the books. */
export interface SetDown {
  readonly counter: number;
  readonly date: Day;
  readonly state: 'awaited' | 'refused' | 'void';
  readonly reason: string;
  readonly body?: unknown;
}

/** Answers the next number of the counter. */
export async function setDown(
  trx: Trx,
  context: Context,
  held: NumberingTill,
  { counter, date, state, reason, body }: SetDown,
): Promise<number> {
  const { number, period } = numberOfTill(held, date, counter);
  const { rows } = await sql<{
    next: number;
  }>`
    select set_down_number(
      ${context.organisation}, ${held.series}::uuid, ${held.id}::uuid, ${period}, ${counter}, ${number},
      ${date}::date, ${state}, ${reason}, ${body === undefined ? null : JSON.stringify(body)}::jsonb,
      ${context.user}::uuid
    ) as next
  `.execute(trx);
  return rows[0]?.next ?? 0;
}

type Numbered = Required<Pick<TillMark, 'counter' | 'number'>> & TillMark;

/**
 * Posts a bill whose number its till has given. The trigger `till_number` takes exactly that number of the till's series in the
 * transaction that posts; what is refused keeps its number, set down with the reason and what was to be posted.
 */
export async function postNumbered(
  context: Context,
  draft: Draft,
  post: (draft: Draft, number?: string) => Promise<Posted>,
): Promise<Posted> {
  const { till: mark } = draft;
  if (!mark) return post(draft);
  const held = await context.inTransaction((trx) => heldTill(trx, context, mark.session));
  if (mark.counter === undefined || mark.number === undefined) {
    if (mark.counter !== undefined || mark.number !== undefined)
      throw wrong(say('A number that a till gave is sent with its counter and its text'));
    // what is left of a bill is known here alone: what comes back is numbered here
    if (held.device !== null && !kindCalled(draft.kind)?.source.givesPrice)
      throw wrong(say('{{till}} gives its numbers itself: this bill has none', { till: held.till }));
    refuseBefore(held, draft.date);
    return post(draft);
  }
  const numbered: Numbered = { ...mark, counter: mark.counter, number: mark.number };
  if (!givesNumbers(held))
    throw wrong(say('{{till}} was opened without numbers of its own: send the bill without one', { till: held.till }));
  if (mark.device === undefined) throw wrong(say('A number that a till gave is sent with the device that gave it'));
  const { number, period } = numberOfTill(held, draft.date, numbered.counter);
  if (number !== numbered.number)
    throw wrong(say('{{number}} is no number of {{till}} on this day', { number: numbered.number, till: held.till }));
  await inOrder(context, held, draft.date, numbered);
  try {
    refuseBefore(held, draft.date);
    return await post({ ...draft, till: { ...numbered, period } }, number);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'BR051') throw new Refusal('tillElsewhere', { till: held.till });
    if (code === 'BR052') throw new Refusal('tillNumberTaken', { number });
    // a key that was used meanwhile has its answer
    if (isVerdict(error) && !(await isKnown(context)))
      await context.inTransaction((trx) =>
        setDown(trx, context, held, {
          counter: numbered.counter,
          date: draft.date,
          state: 'refused',
          reason: inWords(error),
          body: draftText(draft),
        }),
      );
    throw error;
  }
}

const wrong = (message: Said): Problems => new Problems([{ field: 'till', ...message }]);

/** A bill is of a day of its session: one that was kept while the network was down keeps its day. */
const refuseBefore = ({ till, opened }: HeldTill, date: Day): void => {
  if (date < opened)
    throw new Problems([
      {
        field: 'date',
        ...say('{{till}} was opened on {{opened}}: a bill of it is not older', { till, opened: dayInWords(opened) }),
      },
    ]);
};

/** Answered before anything is decided: a number too far ahead is not refused for its stock, and one that is posted is not set down. */
async function inOrder(
  context: Context,
  held: NumberingTill,
  date: Day,
  { counter, number, device }: Numbered,
): Promise<void> {
  const { period } = numberOfTill(held, date, counter);
  const { rows } = await context.inTransaction((trx) =>
    sql<{ next: number | null; open: boolean }>`
      select
        (
          select next
          from series_counters
          where organisation = ${context.organisation} and series = ${held.series}::uuid and period = ${period}
        ) as next,
        exists (
          select from till_numbers
          where organisation = ${context.organisation}
            and series = ${held.series}::uuid
            and period = ${period}
            and counter = ${counter}
            and state in ('awaited', 'refused')
        ) as open
    `.execute(trx),
  );
  const next = rows[0]?.next ?? held.start;
  if (counter < next && !rows[0]?.open) throw new Refusal('tillNumberTaken', { number });
  if (counter >= next && held.device !== device) throw new Refusal('tillElsewhere', { till: held.till });
  if (counter > next) throw new Refusal('tillNumberAhead', { number: numberOfTill(held, date, next).number });
}

const statusOf = (code: RefusalCode): number => refusals[code][0];
/** It is about the bill, and sending it again as it is would not help. */
const isVerdict = (error: unknown): error is Refusal | Problems =>
  error instanceof Problems ||
  (error instanceof Refusal &&
    statusOf(error.code) < 500 &&
    ![401, 429].includes(statusOf(error.code)) &&
    error.code !== 'keyReused');
const inWords = (error: Refusal | Problems): string =>
  (error instanceof Problems
    ? error.problems.map(({ message }) => message).join('; ') || error.message
    : error.message
  ).slice(0, 500);

async function isKnown(context: Context): Promise<boolean> {
  if (!context.key) return false;
  const { rows } = await context.inTransaction((trx) =>
    sql`
      select from idempotency_keys
      where organisation = ${context.organisation}
        and "user" = ${context.user}
        and key = ${context.key ?? null}::uuid
    `.execute(trx),
  );
  return rows.length > 0;
}
