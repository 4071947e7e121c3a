import { sql } from 'kysely';
import type { Answer, Handlers, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { recurringCalls } from '../../contract/recurring.ts';
import { moneyText } from '../../domain/base/decimal.ts';
import { say } from '../../domain/base/say.ts';
import {
  comingDays,
  mayRecur,
  nextDay,
  type Rhythm,
  type RhythmUnit,
  rhythmProblems,
  turnDay,
} from '../../domain/books/recurring.ts';
import type { Draft, Id } from '../../domain/document/document.ts';
import { kindCalled } from '../../domain/document/kinds/index.ts';
import type { Context } from '../context.ts';
import { isHere, mayRead } from '../documents/index.ts';
import { staleOf } from '../kit/database/stale.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';
import { advance, lockBill, type Row, rhythmOf, type Trx } from './rows.ts';

export { dueRecurring, makeRecurring } from './make.ts';

type Shown = Answer<(typeof recurringCalls)['ListRecurringBills']>[number];

/** So many days ahead, and so many turns back. */
const SHOWN = 6;

interface Found extends Row {
  readonly party_name: string;
  readonly location_name: string;
  readonly total: string;
  readonly turns: Shown['turns'] | null;
}

/** Bills of the organisation that this user may see, or one of them; the one that comes next first. */
async function billsOf(trx: Trx, context: Context, id?: Id): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select
      r.*, r.first::text as first, r.until::text as until,
      coalesce(p.name, r.template ->> 'partyName', '') as party_name, l.name as location_name,
      coalesce(
        (select d.payable from documents d where d.organisation = r.organisation and d.id = r.source), 0
      ) as total,
      (
        select json_agg(t order by t.turn desc)
        from (
          select t.turn, t.day::text as day, t.what, t.problem, d.number, coalesce(d.id, f.id) as document
          from recurring_turns t
          left join documents d on d.organisation = t.organisation and d.id = t.document
          left join drafts f on f.organisation = t.organisation and f.id = t.document
          where t.organisation = r.organisation and t.recurring = r.id
          order by t.turn desc
          limit ${SHOWN}
        ) t
      ) as turns
    from recurring_bills r
    join locations l on l.organisation = r.organisation and l.id = r.location
    left join parties p on p.organisation = r.organisation and p.id = r.party
    where r.organisation = ${context.organisation} and ${id === undefined ? sql`true` : sql`r.id = ${id}::uuid`}
    order by r.state = 'stopped', r.next_on nulls last, lower(r.name)
    limit 500
  `.execute(trx);
  return rows.filter((row) => isHere(context, row.location) && mayRead(context, row.kind));
}

function shownOf(row: Found): Shown {
  const coming = row.state === 'stopped' ? [] : comingDays(rhythmOf(row), row.turn, row.made, SHOWN);
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    kind: row.kind,
    party: row.party_name,
    location: row.location_name,
    total: moneyText(Number(row.total)),
    currency: row.template.currency,
    first: row.first,
    every: row.every,
    unit: row.unit,
    monthEnd: row.month_end,
    until: row.until,
    times: row.times,
    posts: row.posts,
    state: row.state !== 'stopped' && coming.length === 0 ? 'ended' : row.state,
    made: row.made,
    turn: row.turn,
    coming,
    turns: row.turns ?? [],
  };
}

async function one(trx: Trx, context: Context, id: Id): Promise<Shown> {
  const [found] = await billsOf(trx, context, id);
  if (!found) throw new Refusal('notFound');
  return shownOf(found);
}

/** A recurring bill that this user may change, in the version that they have seen, locked. */
async function own(trx: Trx, context: Context, id: Id, version: number | undefined): Promise<Row> {
  const row = await lockBill(trx, context.organisation, id);
  if (!row) throw new Refusal('notFound');
  context.still('recurringBill', { kind: row.kind, location: row.location });
  if (row.version !== version) throw await staleOf(trx, context.organisation, 'recurring_bills', id);
  return row;
}

/** The document that comes again, as it was posted: one of a party, made from nothing else, that this user may see and write. */
async function templateOf(
  trx: Trx,
  context: Context,
  id: Id,
): Promise<{ readonly kind: string; readonly location: Id; readonly template: Draft }> {
  const { rows } = await sql<{
    kind: string;
    location: Id;
    template: Draft;
  }>`
    select kind, location, body -> 'draft' as template
    from documents
    where organisation = ${context.organisation} and id = ${id}::uuid
  `.execute(trx);
  const [source] = rows;
  const kind = source && kindCalled(source.kind);
  if (!source || !kind || !isHere(context, source.location))
    throw new Problems([{ field: 'source', ...say('Choose a document') }]);
  if (!mayRecur(kind))
    throw new Problems([
      { field: 'source', ...say('A {{kind}} does not come again', { kind: kind.label.toLowerCase() }) },
    ]);
  return source;
}

/** A document comes again by the same rhythm once. Two who say so at the same moment wait for each other. */
async function refuseTwice(
  trx: Trx,
  { organisation }: Context,
  source: Id,
  { first, every, unit, monthEnd }: Rhythm,
  own: Id | undefined,
): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('recurring ' || ${source}::uuid::text, ${organisation}))
  `.execute(trx);
  const { rows } = await sql<{ name: string }>`
    select name
    from recurring_bills
    where organisation = ${organisation}
      and source = ${source}::uuid
      and state <> 'stopped'
      and first = ${first}::date
      and every = ${every}
      and unit = ${unit}
      and month_end = ${monthEnd}
      and id is distinct from ${own ?? null}::uuid
    limit 1
  `.execute(trx);
  const [other] = rows;
  if (other)
    throw new Problems([
      {
        field: 'source',
        ...say('This document comes again by this rhythm already, as {{other}}: stop that first', {
          other: other.name,
        }),
      },
    ]);
}

const rhythmIn = ({
  first,
  every,
  unit,
  monthEnd,
  until,
  times,
}: Input<(typeof recurringCalls)['SaveRecurringBill']>): Rhythm => ({
  first,
  every,
  unit: unit as RhythmUnit,
  monthEnd,
  ...(until !== undefined && { until }),
  ...(times !== undefined && { times }),
});

/** What is due goes out at once; what is not, a sweep finds on its day. */
const wake = (trx: Trx, { organisation, today }: Context, id: Id) =>
  sql`
    insert into outbox (organisation, task, payload, key)
    select
      organisation, 'makeRecurring', jsonb_build_object('organisation', organisation, 'recurring', id),
      id::text
    from recurring_bills
    where organisation = ${organisation} and id = ${id}::uuid and state = 'running' and next_on <= ${today}::date
  `.execute(trx);

export const recurringHandlers: Handlers<typeof recurringCalls, Context> = {
  ListRecurringBills: (_, context) => context.inTransaction(async (trx) => (await billsOf(trx, context)).map(shownOf)),

  SaveRecurringBill: (input, context) =>
    context.inTransaction(async (trx) => {
      const { organisation, user, today } = context;
      const { id, version, source, name, posts } = input;
      const rhythm = rhythmIn(input);
      const known = id === undefined ? undefined : await own(trx, context, id, version);
      const problems = rhythmProblems(rhythm);
      if (known?.state === 'stopped')
        problems.push({ field: 'name', ...say('A stopped one cannot be changed: make a new one') });
      // turns are counted from the first day: with some made already, it stays
      if (
        known &&
        known.turn > 0 &&
        (known.first !== rhythm.first ||
          known.unit !== rhythm.unit ||
          known.every !== rhythm.every ||
          known.month_end !== rhythm.monthEnd)
      )
        problems.push({ field: 'first', ...say('Some were made by this rhythm: stop it and make a new one') });
      if (!known && rhythm.first < today)
        problems.push({ field: 'first', ...say('The first one is not before today') });
      if (!known && source === undefined)
        problems.push({ field: 'source', ...say('Choose the document that comes again') });
      if (problems.length > 0) throw new Problems(problems);
      const next = nextDay(rhythm, known?.turn ?? 0, known?.made ?? 0) ?? null;
      const what = source === undefined ? undefined : await templateOf(trx, context, source);
      if (what && source !== undefined) await refuseTwice(trx, context, source, rhythm, known?.id);
      const saved = known?.id ?? newId();
      if (!known && what)
        await sql`
          insert into recurring_bills (
            organisation, id, name, kind, location, party, template, source, first, every, unit, month_end,
            until, times, posts, next_on, author
          )
          values (
            ${organisation}, ${saved}, ${name}, ${what.kind}, ${what.location}, ${what.template.party ?? null},
            ${JSON.stringify(what.template)}, ${source ?? null}, ${rhythm.first}, ${rhythm.every},
            ${rhythm.unit}, ${rhythm.monthEnd}, ${rhythm.until ?? null}, ${rhythm.times ?? null}, ${posts},
            ${next}, ${user}
          )
        `.execute(trx);
      else
        await sql`
          update recurring_bills
          set
            name = ${name}, first = ${rhythm.first}, every = ${rhythm.every}, unit = ${rhythm.unit},
            month_end = ${rhythm.monthEnd}, until = ${rhythm.until ?? null}, times = ${rhythm.times ?? null},
            posts = ${posts}, next_on = ${next},
            version = version + 1 ${
              what
                ? sql`
              , kind = ${what.kind}, location = ${what.location}, party = ${what.template.party ?? null},
              template = ${JSON.stringify(what.template)}, source = ${source ?? null}
            `
                : sql``
            }
          where organisation = ${organisation} and id = ${saved}::uuid
        `.execute(trx);
      await wake(trx, context, saved);
      return one(trx, context, saved);
    }),

  SetRecurringBill: ({ id, version, to }, context) =>
    context.inTransaction(async (trx) => {
      const row = await own(trx, context, id, version);
      if (row.state === 'stopped') throw new Refusal('cannotChange', { name: row.name, reason: say('it was stopped') });
      const due = nextDay(rhythmOf(row), row.turn, row.made);
      if (to !== 'skipped')
        await sql`
          update recurring_bills
          set state = ${to}, version = version + 1
          where organisation = ${context.organisation} and id = ${id}::uuid
        `.execute(trx);
      else if (due === undefined)
        throw new Refusal('cannotChange', { name: row.name, reason: say('nothing is expected') });
      else
        await advance(trx, row, {
          what: 'skipped',
          day: turnDay(rhythmOf(row), row.turn),
          document: null,
          problem: null,
        });
      await wake(trx, context, id);
      return one(trx, context, id);
    }),
};
