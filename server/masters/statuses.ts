import { sql } from 'kysely';
import { dayInWords } from '../../domain/base/dates.ts';
import { type Said, say } from '../../domain/base/say.ts';
import { lockName } from '../../domain/books/registers.ts';
import type { Day, Problem, RegistrationKind } from '../../domain/document/document.ts';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { lockedByForm } from '../../domain/facts/gst-returns.ts';
import {
  everHasGst,
  hasGst,
  optionProblems,
  type Status,
  type StatusChange,
  type Stop,
  statusDifferences,
  statusLabels,
  statusProblems,
} from '../../domain/tax/gst/registration/registered.ts';
import { wholeRegistration } from '../access/index.ts';
import type { Context } from '../context.ts';
import { followersOf, otherPan, otherScheme, registeredOnes } from './one-pan.ts';
import type { Trx, Values } from './records.ts';

/** The status of a registration as it is kept; undefined for one that is not there. */
export async function historyOf(trx: Trx, { organisation }: Context, id: string): Promise<Status | undefined> {
  const { rows } = await sql<Status>`
    select kind, status_changes(organisation, id) as statuses
      from registrations
     where organisation = ${organisation} and id = ${id}::uuid`.execute(trx);
  return rows[0];
}

const typed = ({ kind, statuses }: Values): Status => ({
  kind: kind as RegistrationKind,
  statuses: (Array.isArray(statuses) ? statuses : []) as readonly StatusChange[],
});

/** Kinds whose documents follow the status of their day. */
const followers = kindNames.filter((name) => kindOf(name).gst.tax !== 'none' && kindOf(name).life.cycle === 'posted');

/**
 * What is wrong with the statuses typed on a registration. Documents and filed returns keep the status that they were made
 * under, so that no change reaches into days that have any.
 */
export async function statusesFit(
  trx: Trx,
  context: Context,
  values: Values,
  id: string | undefined,
): Promise<Problem[]> {
  const after = typed(values);
  const rows = statusProblems(after).map((each) => ({ ...each, field: `statuses.${each.field}` }));
  if (rows.length > 0) return rows;
  if (values.gstin && !everHasGst(after)) return [{ field: 'kind', ...say('With a GSTIN it is registered') }];
  if (!values.gstin && everHasGst(after)) {
    const at = after.statuses.findIndex(({ kind }) => hasGst(kind));
    return hasGst(after.kind)
      ? [{ field: 'gstin', ...say('A registration has a GSTIN, unless its type is unregistered') }]
      : [
          {
            field: 'gstin',
            ...say('Enter the GSTIN that it has from {{from}}', { from: dayInWords(after.statuses[at]?.from ?? '') }),
          },
        ];
  }
  // postings and other registrations wait here: none may be on its way under the old status when those of the days are looked up
  await sql`select from locks where organisation = ${context.organisation} for update`.execute(trx);
  const before = id === undefined ? undefined : await historyOf(trx, context, id);
  const options = optionProblems(before, after).map((each) => ({ ...each, field: `statuses.${each.field}` }));
  if (options.length > 0) return options;
  const all = await registeredOnes(trx, context);
  const others = all.filter((one) => one.id !== id);
  const gstin = typeof values.gstin === 'string' ? values.gstin : undefined;
  const withStops = { ...after, stops: (values.stops ?? []) as readonly Stop[] };
  const isNew = gstin !== undefined && !all.some((one) => one.id === id && one.gstin === gstin);
  const apart = [...(isNew ? otherPan(gstin, others) : []), ...(gstin ? otherScheme(before, withStops, others) : [])];
  if (apart.length > 0 || id === undefined || !before) return apart;
  const own = await changesFit(trx, context, id, before, after);
  if (own.length > 0) return own;
  for (const { other, follows } of followersOf(before, withStops, others)) {
    // who may not change the other registration does not change it by this one
    await wholeRegistration(trx, context, other.id);
    const [wrong] = await changesFit(trx, context, other.id, other, follows);
    if (!wrong) continue;
    const { field: _, row: __, ...message } = wrong;
    return [{ field: 'statuses', ...say('{{gstin}} changes with it. {{message}}', { gstin: other.gstin, message }) }];
  }
  return [];
}

/** What is wrong with a change of a status on days that have documents or filed returns. */
async function changesFit(trx: Trx, context: Context, id: string, before: Status, after: Status): Promise<Problem[]> {
  const found: Problem[] = [];
  for (const { from, to, was } of statusDifferences(before, after)) {
    const message = (await posted(trx, context, id, from, to, was)) ?? (await filed(trx, context, id, from));
    const row = after.statuses.findIndex((change) => change.from === from);
    if (message)
      found.push(
        from === null
          ? { field: 'kind', ...message }
          : row < 0
            ? { field: 'statuses', ...message }
            : { field: 'statuses.from', row, ...message },
      );
  }
  return found;
}

/** Documents of the days, as a message with what to do. */
async function posted(
  trx: Trx,
  { organisation }: Context,
  id: string,
  from: Day | null,
  to: Day | null,
  was: RegistrationKind,
): Promise<Said | undefined> {
  const { rows } = await sql<{ n: number; first: string; day: Day; last: Day }>`
    select
      count(*)::int as n, (array_agg(d.number order by d.date, d.number))[1] as first,
      min(d.date)::text as day, max(d.date)::text as last
    from documents d
    where d.organisation = ${organisation}
      and d.registration = ${id}::uuid
      and d.kind = any(${followers}::text[])
      and d.reverses is null
      and (${from}::date is null or d.date >= ${from}::date)
      and (${to}::date is null or d.date < ${to}::date)
      and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
  `.execute(trx);
  const [{ n, first, day, last } = { n: 0, first: '', day: '', last: '' }] = rows;
  if (n === 0) return undefined;
  const values = { n, first, day: dayInWords(day), last: dayInWords(last), status: statusLabels[was] };
  return n === 1
    ? say(
        '1 document ({{first}} of {{day}}) is posted as {{status}} on these days: cancel and enter it again after the change, or let ' +
          'it begin after {{last}}',
        values,
      )
    : say(
        '{{n}} documents of {{day}} to {{last}} (the first is {{first}}) are posted as {{status}} on these days: cancel and enter ' +
          'them again after the change, or let it begin after {{last}}',
        values,
      );
}

/** A return that is filed for days from this one on. */
async function filed(trx: Trx, { organisation }: Context, id: string, from: Day | null): Promise<Said | undefined> {
  const names = Object.values(lockedByForm).map((register) => lockName(register, id));
  const { rows } = await sql<{ day: Day | null }>`
    select max(locked_through)::text as day
      from register_locks
     where organisation = ${organisation} and register = any(${names}::text[])`.execute(trx);
  const day = rows[0]?.day;
  return day && (from === null || day >= from)
    ? say('Returns are filed up to {{day}}: the type changes after that day', { day: dayInWords(day) })
    : undefined;
}

/** The other registrations of the PAN go along when one opts for composition or leaves it. Call before its own is saved. */
export async function saveFollowers(trx: Trx, context: Context, id: string, values: Values): Promise<void> {
  const before = await historyOf(trx, context, id);
  if (!before) return;
  const after = { ...typed(values), stops: (values.stops ?? []) as readonly Stop[] };
  const others = (await registeredOnes(trx, context)).filter((one) => one.id !== id);
  for (const { other, follows } of followersOf(before, after, others)) {
    await sql`
      update registrations
         set kind = ${follows.kind}, version = version + 1
       where organisation = ${context.organisation} and id = ${other.id}::uuid`.execute(trx);
    await saveStatuses(trx, context, other.id, { ...follows });
  }
}

/** Writes the changes of status as they were typed. */
export async function saveStatuses(trx: Trx, { organisation }: Context, id: string, values: Values): Promise<void> {
  const { statuses } = typed(values);
  await sql`
    delete from registration_statuses s
     where s.organisation = ${organisation}
       and s.registration = ${id}::uuid
       and not exists (
         select from unnest(${statuses.map((s) => s.from)}::date[], ${statuses.map((s) => s.kind)}::text[]) as t (from_day, kind)
          where t.from_day = s.from_day and t.kind = s.kind
       )`.execute(trx);
  await sql`
    insert into registration_statuses (organisation, registration, from_day, kind)
    select ${organisation}, ${id}::uuid, t.from_day, t.kind
      from unnest(${statuses.map((s) => s.from)}::date[], ${statuses.map((s) => s.kind)}::text[]) as t (from_day, kind)
    on conflict do nothing`.execute(trx);
}
