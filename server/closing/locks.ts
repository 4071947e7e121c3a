import { sql } from 'kysely';
import type { z } from 'zod';
import type { closingCalls } from '../../contract/closing.ts';
import type { Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { dayInWords } from '../../domain/base/dates.ts';
import { say } from '../../domain/base/say.ts';
import {
  type LockName,
  lockName,
  perRegistration,
  type Register,
  registerNames,
  registers,
} from '../../domain/books/registers.ts';
import type { Day, Id } from '../../domain/document/document.ts';
import { filedUnder, lockedByForm, type ReturnForm } from '../../domain/facts/gst-returns.ts';
import { isRegular, type Status } from '../../domain/tax/gst/registration/registered.ts';
import { type Filer, lastDayOf, markName, returnDays } from '../../domain/tax/gst/returns/filing.ts';
import { ownRegistrations, wholeOrganisation, wholeRegistration } from '../access/index.ts';
import type { Context } from '../context.ts';
import { Problems } from '../kit/problems.ts';

export type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
type Locks = z.input<typeof closingCalls.GetLocks.details>;

/** The locks of the whole organisation, and of registrations at whose locations the user works. */
export async function locksNow(trx: Trx, context: Context): Promise<Locks> {
  const { organisation } = context;
  const seen = await ownRegistrations(trx, context);
  const { rows } = await sql<{ day: Day | null }>`
    select locked_through as day from locks where organisation = ${organisation}`.execute(trx);
  const { rows: own } = await sql<{ register: LockName; day: Day; reason: string; by: string }>`
    select r.register, r.locked_through as day, r.reason, u.name as by from register_locks r
      join users u on u.organisation = r.organisation and u.id = r.by where r.organisation = ${organisation}`.execute(
    trx,
  );
  const { rows: each } = await sql<Status & { id: Id; gstin: string }>`
    select id, gstin, kind, status_changes(organisation, id) as statuses
      from registrations
     where organisation = ${organisation}
       and gstin is not null
     order by gstin`.execute(trx);
  const kept = [
    ...registerNames
      .filter((register) => !ofComposition.includes(register) || each.some((own) => everFiles(own, register)))
      .map((register) => ({ register, registration: null, label: registers[register][0] as string })),
    ...perRegistration.flatMap((register) =>
      each
        .filter((own) => everFiles(own, register) && (seen?.has(own.id) ?? true))
        .map(({ id, gstin }) => ({ register, registration: id, label: `${registers[register][0]}, ${gstin}` })),
    ),
  ];
  return {
    lockedThrough: rows[0]?.day ?? null,
    registers: kept.map(({ register, registration, label }) => {
      const lock = own.find((one) => one.register === lockName(register, registration ?? undefined));
      return {
        register,
        registration,
        label,
        lockedThrough: lock?.day ?? null,
        reason: lock?.reason ?? '',
        by: lock?.by ?? null,
      };
    }),
  };
}

/** The registers that only returns of composition dealers lock. */
const ofComposition: readonly Register[] = Object.entries(lockedByForm).flatMap(([form, register]) =>
  filedUnder[form as keyof typeof lockedByForm] === 'composition' ? [register] : [],
);
/** Whether a registration has a status, on any day, whose returns lock a register. */
const everFiles = ({ kind, statuses }: Status, register: Register): boolean =>
  [kind, ...statuses.map((change) => change.kind)].some((each) =>
    ofComposition.includes(register) ? each === 'composition' : isRegular(each),
  );

/** Up to which day the books are locked; the caller holds the lock, and postings wait until its transaction ends. */
export async function holdBooks(trx: Trx, organisation: number): Promise<Day | null> {
  const { rows } = await sql<{ day: Day | null }>`
    select locked_through as day from locks where organisation = ${organisation} for update`.execute(trx);
  return rows[0]?.day ?? null;
}

/** What waits to be valued again has to find its days open. */
export async function refuseWhileRevalued(trx: Trx, organisation: number, through: Day): Promise<void> {
  const { rows } = await sql<{ since: Day | null }>`
    select min(since) as since from revaluations where organisation = ${organisation}`.execute(trx);
  const since = rows[0]?.since;
  if (since && since <= through) throw new Refusal('beingRevalued', { date: since });
}

/** Locks up to a later day, or an earlier one for a reason: that takes full rights, as what was settled is open again. */
export const saveLock = (asked: Input<(typeof closingCalls)['SaveLock']>, context: Context): Promise<Locks> =>
  context.inTransaction(async (trx) => {
    const { registration, through, reason } = asked;
    const register = asked.register && lockName(asked.register, registration);
    if (registration === undefined) wholeOrganisation(context);
    else await wholeRegistration(trx, context, registration);
    if (registration !== undefined) await knownRegistration(trx, context, asked.register, registration);
    const { organisation, today, user } = context;
    if (through !== null && through > today)
      throw new Problems([{ field: 'through', ...say('Books are locked up to a day that has come') }]);
    const whole = await holdBooks(trx, organisation);
    const before = register ? await lockOf(trx, organisation, register) : whole;
    if (before !== null && (through === null || through < before)) {
      context.require('unlock');
      if (!reason) throw new Problems([{ field: 'reason', ...say('Say why the books are opened again') }]);
    }
    if (register) {
      await refuseFiled(trx, context, asked, before);
      await lockRegister(trx, context, register, through, reason);
    } else {
      const closed = await lastClosed(trx, organisation);
      if (closed && (through === null || through < closed.through))
        throw new Refusal('yearClosed', { year: closed.year });
      if (through !== null) await refuseWhileRevalued(trx, organisation, through);
      await lockBooks(trx, { organisation, user }, through, reason);
    }
    return locksNow(trx, context);
  });

export const lockBooks = (
  trx: Trx,
  { organisation, user }: Pick<Context, 'organisation' | 'user'>,
  through: Day | null,
  reason: string,
) =>
  sql`
    update locks
    set locked_through = ${through}::date, reason = ${reason}, by = ${user}, at = clock_timestamp()
    where organisation = ${organisation}
  `.execute(trx);

/** A filed return stays locked: its mark is taken back first. */
async function refuseFiled(
  trx: Trx,
  { organisation }: Context,
  { register, registration, through }: Input<(typeof closingCalls)['SaveLock']>,
  before: Day | null,
): Promise<void> {
  if (registration === undefined || before === null) return;
  const forms = lockingForms.filter((form) => lockedByForm[form] === register);
  for (const form of forms) {
    const held = await filedThrough(trx, organisation, registration, form);
    if (held === null || (through !== null && through >= held)) continue;
    const period = `${held.slice(5, 7)}-${held.slice(0, 4)}`;
    const instead = say(': take its mark back first (UnmarkFiled, “Take back” under GST returns filed)');
    throw new Refusal('returnFiled', { number: dayInWords(held), form, period, instead });
  }
}
const lockingForms = Object.keys(lockedByForm) as (keyof typeof lockedByForm)[];

/** The last day up to which a return of a registration is marked as filed. */
export async function filedThrough(
  trx: Trx,
  organisation: number,
  registration: Id,
  form: ReturnForm,
): Promise<Day | null> {
  const { rows } = await sql<{ period: string | null }>`
    select max(period) as period
      from gst_filings
     where organisation = ${organisation}
       and registration = ${registration}::uuid
       and form = ${form}`.execute(trx);
  const period = rows[0]?.period;
  const own = await filerOf(trx, organisation, registration);
  return period && own ? lastDayOf(form, own, returnDays(form, period, own.filing)) : null;
}

/** What a registration is asked about its returns; undefined where it is unknown. */
export async function filerOf(trx: Trx, organisation: number, registration: Id): Promise<Filer | undefined> {
  const { rows } = await sql<Omit<Filer, 'marked'> & { marked: readonly { form: ReturnForm; period: string }[] }>`
    select r.kind, status_changes(r.organisation, r.id) as statuses, r.gstin,
           coalesce(r.body -> 'filing', '[]') as filing,
           (select coalesce(json_agg(json_build_object('form', f.form, 'period', f.period)), '[]')
              from gst_filings f
             where f.organisation = r.organisation
               and f.registration = r.id) as marked
      from registrations r
     where r.organisation = ${organisation}
       and r.id = ${registration}::uuid`.execute(trx);
  const [row] = rows;
  return row && { ...row, marked: new Set(row.marked.map(({ form, period }) => markName(form, period))) };
}

/** Only what each registration files by itself is locked for one alone. */
async function knownRegistration(
  trx: Trx,
  { organisation }: Context,
  register: Register | undefined,
  registration: Id,
): Promise<void> {
  const { rows } = await sql`
    select from registrations where organisation = ${organisation} and id = ${registration}::uuid`.execute(trx);
  if (rows.length === 0 || register === undefined || !perRegistration.includes(register))
    throw new Problems([{ field: 'registration', ...say('Choose the returns of a registration') }]);
}

export async function lockOf(trx: Trx, organisation: number, register: LockName): Promise<Day | null> {
  const { rows } = await sql<{ day: Day }>`
    select locked_through as day from register_locks where organisation = ${organisation} and register = ${register}`.execute(
    trx,
  );
  return rows[0]?.day ?? null;
}

/**
 * The row goes when the register is open again; the edit log keeps what it was, and first the reason. What was locked by
 * hand stays as it was where a return locks, or its mark is taken back.
 */
export async function lockRegister(
  trx: Trx,
  { organisation, user }: Context,
  register: LockName,
  through: Day | null,
  reason: string,
  by: 'hand' | 'return' = 'hand',
) {
  const byHand = by === 'hand' ? through : null;
  await sql`
    insert into register_locks (organisation, register, locked_through, by_hand, reason, by, at)
    values (${organisation}, ${register}, ${through ?? '0001-01-01'}::date, ${byHand}::date, ${reason}, ${user}, clock_timestamp())
    on conflict (organisation, register) do update set
      reason = excluded.reason,
      by = excluded.by,
      at = clock_timestamp(),
      by_hand = case when ${by === 'hand'} then excluded.by_hand else register_locks.by_hand end,
      locked_through = case when ${through === null} then register_locks.locked_through else excluded.locked_through end`.execute(
    trx,
  );
  if (through === null)
    await sql`delete from register_locks where organisation = ${organisation} and register = ${register}`.execute(trx);
}

/** Up to which day a register was locked by hand. */
export async function lockedByHand(trx: Trx, organisation: number, register: LockName): Promise<Day | null> {
  const { rows } = await sql<{ day: Day | null }>`
    select by_hand as day
      from register_locks
     where organisation = ${organisation}
       and register = ${register}`.execute(trx);
  return rows[0]?.day ?? null;
}

/** The last year that is closed, and its last day. */
export async function lastClosed(
  trx: Trx,
  organisation: number,
): Promise<{ readonly year: string; readonly through: Day } | undefined> {
  const { rows } = await sql<{ year: string; through: Day }>`
    select year, closed_through as through from year_closings where organisation = ${organisation} and reopened_at is null
     order by closed_through desc limit 1`.execute(trx);
  return rows[0];
}
