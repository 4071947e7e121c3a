import { sql } from 'kysely';
import type { closingCalls } from '../../contract/closing.ts';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { financialYearOf, monthEnd, periodOf, quarterOf } from '../../domain/dates.ts';
import type { Day, Id } from '../../domain/document.ts';
import { lockedByForm } from '../../domain/facts/gst-returns.ts';
import {
  dueOn,
  type FilingPeriod,
  filesQuarterly,
  isFiledFor,
  noGstr1For,
  outwardReturn,
} from '../../domain/gst/filing.ts';
import type { Status } from '../../domain/gst/registered.ts';
import { FIRST_DAY_OF_GST } from '../../domain/gst/tax-period.ts';
import { lockName } from '../../domain/registers.ts';
import { may } from '../access/index.ts';
import type { Context } from '../context.ts';
import { Problems } from '../kit/problems.ts';
import { iffDocuments } from '../reports/index.ts';
import { keepReturn, noteUnmarked } from './filed-return.ts';
import { holdBooks, lockOf, lockRegister, refuseWhileRevalued, type Trx } from './locks.ts';

type Filing = Answer<(typeof closingCalls)['ListFilings']>[number];

/** Why a registration has no such return for a month. */
const wrongMonth: Readonly<Record<Filing['form'], string>> = {
  'GSTR-1': 'A quarterly return is marked for the last month of its quarter',
  'GSTR-3B': 'A quarterly return is marked for the last month of its quarter',
  'GSTR-9': 'An annual return is marked for March, the last month of its year',
  IFF: 'An IFF is for the first two months of a quarter that is filed quarterly',
};

type FilingRow = Omit<Filing, 'due'> & { readonly state: string; readonly filing: readonly FilingPeriod[] };

export async function filingsOf(trx: Trx, { organisation }: Context): Promise<Filing[]> {
  const { rows } = await sql<FilingRow>`
    select f.registration, coalesce(r.gstin, '') as gstin, r.state, coalesce(r.body -> 'filing', '[]') as filing, f.form, f.period, f.filed_on::text as "filedOn", f.arn, u.name as by from gst_filings f
      join registrations r on r.organisation = f.organisation and r.id = f.registration join users u on u.organisation = f.organisation and u.id = f.by
     where f.organisation = ${organisation} order by f.period desc, r.gstin, f.form limit 500`.execute(trx);
  return rows.map(({ state, filing, ...row }) => {
    const first = `${row.period}-01`;
    return { ...row, due: dueOn(row.form, monthEnd(first), filesQuarterly(filing, first), state) };
  });
}

/** A return is filed for a period that is over; what it shows is locked for its registration from then on. An IFF names what it holds. */
export const markFiled = (
  { registration, form, period, filedOn, arn }: Input<(typeof closingCalls)['MarkFiled']>,
  context: Context,
): Promise<Filing[]> =>
  context.inTransaction(async (trx) => {
    const { organisation, user, today } = context;
    const end = monthEnd(`${period}-01`);
    const { rows } = await sql<Status & { gstin: string | null; filing: readonly FilingPeriod[] }>`
      select kind, status_changes(organisation, id) as statuses, gstin, coalesce(body -> 'filing', '[]') as filing
        from registrations where organisation = ${organisation} and id = ${registration}::uuid`.execute(trx);
    const [own] = rows;
    const none =
      own && form !== 'GSTR-3B'
        ? noGstr1For(
            own,
            form === 'GSTR-9'
              ? { from: financialYearOf(end).start, to: end }
              : outwardReturn(periodOf(end), own.filing),
          )
        : undefined;
    const problems = [
      ...(none && own?.gstin ? [{ field: 'form', message: none }] : []),
      ...(rows[0]?.gstin ? [] : [{ field: 'registration', message: 'Choose a registration with a GSTIN' }]),
      ...(!rows[0] || isFiledFor(form, period, rows[0].filing) ? [] : [{ field: 'period', message: wrongMonth[form] }]),
      ...(end < today ? [] : [{ field: 'period', message: 'This period is not over yet' }]),
      ...(end < FIRST_DAY_OF_GST ? [{ field: 'period', message: 'GST began in July 2017' }] : []),
      ...(filedOn > today ? [{ field: 'filedOn', message: 'This day is still to come' }] : []),
      ...(filedOn <= end ? [{ field: 'filedOn', message: 'A return is filed after the end of its period' }] : []),
      ...(arn === '' || /^[A-Za-z0-9]{15}$/.test(arn)
        ? []
        : [{ field: 'arn', message: 'The acknowledgement has 15 letters and digits' }]),
    ];
    if (problems.length > 0) throw new Problems(problems);
    await holdBooks(trx, organisation);
    await refuseWhileRevalued(trx, organisation, end);
    const held = form === 'IFF' ? await iffDocuments(trx, organisation, registration, periodOf(end), today) : [];
    const marked = await sql`
      insert into gst_filings (organisation, registration, form, period, filed_on, arn, by)
      values (${organisation}, ${registration}::uuid, ${form}, ${period}, ${filedOn}::date, ${arn.toUpperCase()}, ${user})
      on conflict do nothing returning 1`.execute(trx);
    if (marked.rows.length > 0)
      await keepReturn(trx, context, { registration, form, period, filedOn, arn: arn.toUpperCase() });
    if (form === 'IFF') {
      // what is marked twice holds what it held
      if (marked.rows.length > 0)
        await sql`
          insert into gst_furnished (organisation, document, registration, period)
          select ${organisation}, d.id, ${registration}::uuid, ${period} from unnest(${held}::uuid[]) as d (id)`.execute(
          trx,
        );
      return filingsOf(trx, context);
    }
    if (form === 'GSTR-9') return filingsOf(trx, context);
    const name = lockName(lockedByForm[form], registration);
    const locked = await lockOf(trx, organisation, name);
    if (locked === null || locked < end)
      await lockRegister(trx, context, name, end, `${form} of ${period.slice(5)}-${period.slice(0, 4)} is filed`);
    return filingsOf(trx, context);
  });

/** The last day up to which the same return is marked as filed. */
async function heldBy(trx: Trx, organisation: number, registration: Id, form: Filing['form']): Promise<Day | null> {
  const { rows } = await sql<{ period: string | null }>`
    select max(period) as period from gst_filings where organisation = ${organisation} and registration = ${registration}::uuid and form = ${form}`.execute(
    trx,
  );
  const period = rows[0]?.period;
  return period ? monthEnd(`${period}-01`) : null;
}

/** Opens days again: that takes the rights of unlocking. A lock that was set by hand, to another day, stays. */
export const unmarkFiled = (
  { registration, form, period, reason }: Input<(typeof closingCalls)['UnmarkFiled']>,
  context: Context,
): Promise<Filing[]> =>
  context.inTransaction(async (trx) => {
    const { organisation } = context;
    if (!may(context.grants, 'approve', ['General Configuration'])) throw new Refusal('noAccess');
    await holdBooks(trx, organisation);
    const first = `${period}-01`;
    if (form === 'IFF') {
      const { rows } = await sql`
        select from gst_filings where organisation = ${organisation} and registration = ${registration}::uuid and form = 'GSTR-1' and period = ${quarterOf(first).end.slice(0, 7)}`.execute(
        trx,
      );
      if (rows.length > 0)
        throw new Refusal('cannotUnmark', { name: 'The IFF', reason: 'the return of its quarter is filed' });
      await sql`
        delete from gst_furnished where organisation = ${organisation} and registration = ${registration}::uuid and period = ${period}`.execute(
        trx,
      );
    }
    const { rows } = await sql`
      delete from gst_filings where organisation = ${organisation} and registration = ${registration}::uuid and form = ${form} and period = ${period} returning 1`.execute(
      trx,
    );
    if (rows.length === 0) throw new Refusal('notFound');
    await noteUnmarked(trx, context, { registration, form, period, reason });
    if (form === 'IFF' || form === 'GSTR-9') return filingsOf(trx, context);
    const name = lockName(lockedByForm[form], registration);
    const [locked, end] = [await lockOf(trx, organisation, name), monthEnd(first)];
    const held = await heldBy(trx, organisation, registration, form);
    if (locked === end && held !== end) await lockRegister(trx, context, name, held, reason);
    return filingsOf(trx, context);
  });
