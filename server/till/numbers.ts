import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { screens } from '../../contract/screens.ts';
import type { tillCalls } from '../../contract/till.ts';
import { type Said, say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import { levelsFor } from '../access/index.ts';
import type { Context } from '../context.ts';
import {
  givesNumbers,
  type HeldTill,
  heldTill,
  isHere,
  type NumberingTill,
  numberOfTill,
  setDown,
} from '../documents/index.ts';
import { noticeOf } from '../kit/notify.ts';
import { Problems } from '../kit/problems.ts';
import { seriesOfTill } from '../organisation/index.ts';
import { type Trx, tillOf } from './tills.ts';

type Calls = Pick<typeof tillCalls, 'TakeTill' | 'AwaitTillNumbers' | 'VoidTillNumber'>;

/** So many numbers a till may be ahead of what has come in. */
const MOST_AHEAD = 2000;

/** Calls about the numbers that tills give by themselves. */
export const numberHandlers: Handlers<Calls, Context> = {
  TakeTill: ({ session, device, last }, context) =>
    context.inTransaction(async (trx) => {
      const before = await openTill(trx, context, session);
      const held = givesNumbers(before) ? before : await withSeries(trx, context, before);
      const next = await nextOf(trx, context, held);
      if (last !== undefined && (last < next - 1 || last > next + MOST_AHEAD))
        throw new Problems([
          {
            field: 'last',
            ...(last < next
              ? say('{{number}} came in: the last number is not before it', {
                  number: numberOfTill(held, context.today, next - 1).number,
                })
              : say('At most {{mostAhead}} numbers may be missing', { mostAhead: MOST_AHEAD })),
          },
        ]);
      await awaitThrough(trx, context, held, context.today, next, last ?? next - 1);
      await sql`
        update till_sessions
        set device = ${device}::uuid, series = ${held.series}::uuid, taken_over = taken_over + 1
        where organisation = ${context.organisation} and id = ${session}::uuid and closed_at is null
      `.execute(trx);
      return { next: numberOfTill(held, context.today, Math.max(next, (last ?? 0) + 1)).number };
    }),

  AwaitTillNumbers: ({ session, device, date, before }, context) =>
    context.inTransaction(async (trx) => {
      const held = await openTill(trx, context, session);
      if (!givesNumbers(held) || held.device !== device) throw new Refusal('tillElsewhere', { till: held.till });
      const next = await nextOf(trx, context, held, date);
      if (before > next + MOST_AHEAD)
        throw new Problems([
          { field: 'before', ...say('At most {{mostAhead}} numbers may be missing', { mostAhead: MOST_AHEAD }) },
        ]);
      await awaitThrough(trx, context, held, date, next, before - 1);
      return { next: Math.max(next, before) };
    }),

  VoidTillNumber: ({ series, period, counter, reason }, context) =>
    context.inTransaction(async (trx) => {
      const { rows } = await sql<{ number: string; state: string; location: Id }>`
        select n.number, n.state, s.location
        from till_numbers n
        join till_sessions s on s.organisation = n.organisation and s.id = n.session
        where n.organisation = ${context.organisation}
          and n.series = ${series}::uuid
          and n.period = ${period}
          and n.counter = ${counter}
        for update of n
      `.execute(trx);
      const [found] = rows;
      if (!found || !isHere(context, found.location)) throw new Refusal('notFound');
      if (!['awaited', 'refused'].includes(found.state))
        throw new Refusal('tillNumberSettled', { number: found.number });
      await sql`
        update till_numbers
        set state = 'void', reason = ${reason}, set_by = ${context.user}::uuid, set_at = now()
        where organisation = ${context.organisation}
          and series = ${series}::uuid
          and period = ${period}
          and counter = ${counter}
      `.execute(trx);
      return { number: found.number };
    }),
};

async function openTill(trx: Trx, context: Context, session: Id): Promise<HeldTill> {
  const held = await heldTill(trx, context, session);
  if (held.closed) throw new Refusal('tillClosed');
  return held;
}

/** A session that was opened without a browser gets the till's series when one takes it over. */
async function withSeries(trx: Trx, context: Context, held: HeldTill): Promise<NumberingTill> {
  const { rows } = await sql<{
    till: Id;
  }>`select till from till_sessions where organisation = ${context.organisation} and id = ${held.id}::uuid`.execute(
    trx,
  );
  const till = await tillOf(trx, context, rows[0]?.till ?? '');
  const { id, ...pattern } = await seriesOfTill(
    trx,
    context.organisation,
    { ...till, location: held.location },
    context.today,
  );
  return { ...held, ...pattern, series: id };
}

/** Under the lock of the counter, which every bill with a number of the till takes. */
async function nextOf(trx: Trx, context: Context, held: NumberingTill, date = context.today): Promise<number> {
  const { rows } = await sql<{
    next: number;
  }>`select next_of_till(${context.organisation}, ${held.series}::uuid, ${numberOfTill(held, date, held.start).period}) as next`.execute(
    trx,
  );
  return rows[0]?.next ?? held.start;
}

async function awaitThrough(
  trx: Trx,
  context: Context,
  held: NumberingTill,
  date: string,
  next: number,
  through: number,
): Promise<void> {
  if (through < next) return;
  for (let counter = next; counter <= through; counter += 1)
    await setDown(trx, context, held, { counter, date, state: 'awaited', reason: '' });
  const [first, last] = [numberOfTill(held, date, next).number, numberOfTill(held, date, through).number];
  const many = through - next + 1;
  await tellApprovers(
    trx,
    context,
    held.location,
    many === 1
      ? say('The bill {{first}} of {{till}} has not come in: its number is given', { first, till: held.till })
      : say('{{many}} bills of {{till}} have not come in, {{first}} to {{last}}: their numbers are given', {
          ...{ many, till: held.till, first, last },
        }),
  );
}

/** Notifies those who approve bills of tills at a place. */
async function tellApprovers(trx: Trx, { organisation }: Context, location: Id, says: Said): Promise<void> {
  const { message, text } = noticeOf(says);
  await sql`
    insert into notifications (organisation, id, "user", message, text, link)
    select distinct on (u.id)
      u.organisation, gen_random_uuid(), u.id, ${message}, ${text}::jsonb, '/layout/PoSNewCreation'
    from users u
    join user_grants g
      on g.organisation = u.organisation
        and g."user" = u.id
        and g.screen = ${screens.PoS.id}
        and g.level = any(${[...levelsFor('approve')]}::int[])
    where u.organisation = ${organisation}
      and u.active
      and (
        not exists (select from user_places p where p.organisation = u.organisation and p."user" = u.id)
          or exists (
            select from user_places p
            where p.organisation = u.organisation and p."user" = u.id and p.location = ${location}::uuid
          )
      )
  `.execute(trx);
}
