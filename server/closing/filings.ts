import { sql } from 'kysely';
import type { closingCalls } from '../../contract/closing.ts';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { dayInWords, monthEnd, monthInWords, periodOf, quarterOf } from '../../domain/base/dates.ts';
import { type Said, say } from '../../domain/base/say.ts';
import { lockName } from '../../domain/books/registers.ts';
import type { Day, Id } from '../../domain/document/document.ts';
import { FIRST_COMPOSITION_STATEMENT, filedFirst, filedUnder, lockedByForm } from '../../domain/facts/gst-returns.ts';
import {
  annualOver,
  type DaysOfReturn,
  dueOn,
  type FilingPeriod,
  filesQuarterly,
  isFiledFor,
  lastDayOf,
  lateIff,
  missingBefore,
  noReturnFor,
  returnDays,
} from '../../domain/tax/gst/returns/filing.ts';
import { FIRST_DAY_OF_GST } from '../../domain/tax/gst/returns/tax-period.ts';
import { ownRegistrations, wholeRegistration } from '../access/index.ts';
import type { Context } from '../context.ts';
import { Problems } from '../kit/problems.ts';
import { firstShown, iffDocuments } from '../reports/index.ts';
import { keepAcknowledged, keepReturn, type Marked, noteUnmarked } from './filed-return.ts';
import {
  filedThrough,
  filerOf,
  holdBooks,
  lockedByHand,
  lockOf,
  lockRegister,
  refuseWhileRevalued,
  type Trx,
} from './locks.ts';

type Filing = Answer<(typeof closingCalls)['ListFilings']>[number];

/** Why a registration has no such return for a month. */
const wrongMonth: Readonly<Record<Filing['form'], Said>> = {
  'GSTR-1': say('A quarterly return is marked for the last month of its quarter'),
  'GSTR-3B': say('A quarterly return is marked for the last month of its quarter'),
  'GSTR-9': say('An annual return is marked for March, the last month of its year'),
  'CMP-08': say('CMP-08 is marked for the last month of its quarter'),
  'GSTR-4': say('An annual return is marked for March, the last month of its year'),
  IFF: say('An IFF is for the first two months of a quarter that is filed quarterly'),
};

type FilingRow = Omit<Filing, 'due'> & { readonly state: string; readonly filing: readonly FilingPeriod[] };

/** The marks of registrations at whose locations the user works. */
export async function filingsOf(trx: Trx, context: Context): Promise<Filing[]> {
  const { organisation } = context;
  const own = await ownRegistrations(trx, context);
  const { rows } = await sql<FilingRow>`
    select
      f.registration, coalesce(r.gstin, '') as gstin, r.state,
      coalesce(r.body -> 'filing', '[]') as filing, f.form, f.period, f.filed_on::text as "filedOn",
      f.arn, u.name as by
    from gst_filings f
    join registrations r on r.organisation = f.organisation and r.id = f.registration
    join users u on u.organisation = f.organisation and u.id = f.by
    where f.organisation = ${organisation}
      and ${own ? sql`f.registration = any(${[...own]}::uuid[])` : sql`true`}
    order by f.period desc, r.gstin, f.form
    limit 500
  `.execute(trx);
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
    await wholeRegistration(trx, context, registration);
    const end = monthEnd(`${period}-01`);
    const own = await filerOf(trx, organisation, registration);
    const days = returnDays(form, period, own?.filing ?? []);
    const none = own?.gstin ? noReturnFor(form, own, days) : undefined;
    const isEarly = filedUnder[form] === 'composition' && FIRST_DAY_OF_GST <= end && end < FIRST_COMPOSITION_STATEMENT;
    const problems = [
      ...(none ? [{ field: 'form', ...none }] : []),
      ...(own?.gstin ? [] : [{ field: 'registration', ...say('Choose a registration with a GSTIN') }]),
      ...(!own || isFiledFor(form, period, own.filing) ? [] : [{ field: 'period', ...wrongMonth[form] }]),
      ...(end < today ? [] : [{ field: 'period', ...say('This period is not over yet') }]),
      ...(end < FIRST_DAY_OF_GST ? [{ field: 'period', ...say('GST began in July 2017') }] : []),
      ...(isEarly ? [{ field: 'period', ...say('{{form}} of this kind began with April 2019', { form }) }] : []),
      ...(filedOn > today ? [{ field: 'filedOn', ...say('This day is still to come') }] : []),
      ...(filedOn <= end ? [{ field: 'filedOn', ...say('A return is filed after the end of its period') }] : []),
      ...(arn === '' || /^[A-Za-z0-9]{15}$/.test(arn)
        ? []
        : [{ field: 'arn', ...say('The acknowledgement has 15 letters and digits') }]),
    ];
    if (problems.length > 0 || !own) throw new Problems(problems);
    await holdBooks(trx, organisation);
    const again = await markedAlready(trx, context, { registration, form, period, filedOn, arn: arn.toUpperCase() });
    if (again) return filingsOf(trx, context);
    await refuseOthersArn(trx, organisation, arn.toUpperCase());
    await refuseWithoutIrn(trx, organisation, registration, form, days);
    await refuseOutOfOrder(trx, context, { registration, form, period, filedOn });
    await refuseWhileRevalued(trx, organisation, end);
    const held = form === 'IFF' ? await iffDocuments(trx, organisation, registration, periodOf(end), today) : [];
    await sql`
      insert into gst_filings (organisation, registration, form, period, filed_on, arn, by)
      values (${organisation}, ${registration}::uuid, ${form}, ${period}, ${filedOn}::date, ${arn.toUpperCase()}, ${user})`.execute(
      trx,
    );
    await keepReturn(trx, context, { registration, form, period, filedOn, arn: arn.toUpperCase() });
    if (form === 'IFF') {
      await sql`
        insert into gst_furnished (organisation, document, registration, period)
        select ${organisation}, d.id, ${registration}::uuid, ${period}
          from unnest(${held}::uuid[]) as d (id)`.execute(trx);
      return filingsOf(trx, context);
    }
    if (form === 'GSTR-9') return filingsOf(trx, context);
    const name = lockName(lockedByForm[form], registration);
    const locked = await lockOf(trx, organisation, name);
    const last = lastDayOf(form, own, days);
    if (locked === null || locked < last)
      await lockRegister(
        trx,
        context,
        name,
        last,
        `${form} of ${period.slice(5)}-${period.slice(0, 4)} is filed`,
        'return',
      );
    return filingsOf(trx, context);
  });

/**
 * The portal gives each return an acknowledgement of its own.
 * @throws Problems at the acknowledgement, with the return that has it
 */
async function refuseOthersArn(trx: Trx, organisation: number, arn: string): Promise<void> {
  if (arn === '') return;
  const { rows } = await sql<{ form: string; period: string; gstin: string }>`
    select f.form, f.period, coalesce(r.gstin, '') as gstin
      from gst_filings f
      join registrations r on r.organisation = f.organisation and r.id = f.registration
     where f.organisation = ${organisation}
       and f.arn = ${arn}
     limit 1`.execute(trx);
  const [other] = rows;
  if (!other) return;
  const message = say(
    '{{arn}} is the acknowledgement of {{form}} of {{month}} ({{gstin}}): enter that of this return',
    {
      arn,
      form: other.form,
      month: monthInWords(`${other.period}-01`),
      gstin: other.gstin,
    },
  );
  throw new Problems([{ field: 'arn', ...message }]);
}

/**
 * A document whose IRN is cancelled is no invoice (rule 48(5)), but stands in the figures until it is cancelled itself: no
 * return that shows it is filed before.
 * @throws Problems at the period, with their numbers
 */
async function refuseWithoutIrn(
  trx: Trx,
  organisation: number,
  registration: Id,
  form: Marked['form'],
  { from, to }: DaysOfReturn,
): Promise<void> {
  if (filedUnder[form] === 'composition') return;
  const { rows } = await sql<{ number: string }>`
    select d.number
    from einvoices e
    join documents d on d.organisation = e.organisation and d.id = e.document
    where e.organisation = ${organisation}
      and irn_cancelled(e.organisation, e.document)
      and d.registration = ${registration}::uuid
      and d.date between ${from}::date and ${to}::date
      and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
    order by d.date, d.number
    limit 20
  `.execute(trx);
  if (rows.length === 0) return;
  const numbers = rows.map(({ number }) => number).join(', ');
  const message = say('The IRN of {{numbers}} is cancelled, so it is no invoice: cancel the document first', {
    numbers,
  });
  throw new Problems([{ field: 'period', ...message }]);
}

/**
 * Returns are filed in the order of their periods; who marks one holds the books.
 * @throws Problems at the period where an earlier return is not marked, or a later one holds what this would
 */
async function refuseOutOfOrder(
  trx: Trx,
  { organisation }: Context,
  asked: Pick<Marked, 'registration' | 'form' | 'period' | 'filedOn'>,
): Promise<void> {
  const { registration, form, period } = asked;
  // read again: another mark may have come before the books were held
  const own = await filerOf(trx, organisation, registration);
  if (!own) return;
  const { to } = returnDays(form, period, own.filing);
  const began = new Map<Marked['form'], Day | undefined>();
  for (const first of filedFirst[form])
    began.set(first.form, await firstShown(trx, organisation, registration, first.form, to));
  const missing = missingBefore(own, asked, (first) => began.get(first));
  const late = form === 'IFF' ? lateIff(own, period) : undefined;
  const messages = [
    ...(missing
      ? [
          say('{{form}} of {{month}} is not marked as filed: mark it first ({{law}})', {
            form: missing.form,
            month: monthInWords(`${missing.month}-01`),
            law: missing.law,
          }),
        ]
      : []),
    ...(late ? [late] : []),
  ];
  if (messages.length > 0) throw new Problems(messages.map((message) => ({ field: 'period', ...message })));
}

/**
 * Whether a return is marked already, as is asked: nothing changes then, but that an acknowledgement is added where it was missing.
 * @throws Problems where it is marked with another day or acknowledgement
 */
async function markedAlready(trx: Trx, context: Context, asked: Marked): Promise<boolean> {
  const { registration, form, period, filedOn, arn } = asked;
  const { rows } = await sql<{ filedOn: Day; arn: string }>`
    select filed_on::text as "filedOn", arn
      from gst_filings
     where organisation = ${context.organisation}
       and registration = ${registration}::uuid
       and form = ${form}
       and period = ${period}`.execute(trx);
  const [before] = rows;
  if (!before) return false;

  const problems = [
    ...(before.filedOn === filedOn
      ? []
      : [
          {
            field: 'filedOn',
            ...say('It is marked as filed on {{filedOn}}: take that mark back first (UnmarkFiled)', {
              filedOn: dayInWords(before.filedOn),
            }),
          },
        ]),
    ...(before.arn === '' || before.arn === arn
      ? []
      : [
          {
            field: 'arn',
            ...say('It is marked with the acknowledgement {{arn}}: take that mark back first (UnmarkFiled)', {
              arn: before.arn,
            }),
          },
        ]),
  ];
  if (problems.length > 0) throw new Problems(problems);
  if (before.arn === arn) return true;
  await refuseOthersArn(trx, context.organisation, arn);
  await sql`
    update gst_filings set arn = ${arn}
     where organisation = ${context.organisation}
       and registration = ${registration}::uuid
       and form = ${form}
       and period = ${period}`.execute(trx);
  await keepAcknowledged(trx, context, asked);
  return true;
}

/** Opens days again: that takes the rights of unlocking. The lock goes back to the return before it, or to what was locked by hand. */
export const unmarkFiled = (
  { registration, form, period, reason }: Input<(typeof closingCalls)['UnmarkFiled']>,
  context: Context,
): Promise<Filing[]> =>
  context.inTransaction(async (trx) => {
    const { organisation } = context;
    await wholeRegistration(trx, context, registration);
    await holdBooks(trx, organisation);
    const first = `${period}-01`;
    const own = await filerOf(trx, organisation, registration);
    const annual = own && annualOver(own, form, period);
    if (annual)
      throw new Refusal('cannotUnmark', {
        name: `${form} of ${monthInWords(first)}`,
        reason: say(
          '{{annual}} of its year is marked as filed, and takes its figures from it: take that mark back first',
          { annual },
        ),
      });
    if (form === 'IFF') {
      const { rows } = await sql`
        select from gst_filings
        where organisation = ${organisation}
          and registration = ${registration}::uuid
          and form = 'GSTR-1'
          and period = ${quarterOf(first).end.slice(0, 7)}
      `.execute(trx);
      if (rows.length > 0)
        throw new Refusal('cannotUnmark', { name: say('The IFF'), reason: say('the return of its quarter is filed') });
      await sql`
        delete from gst_furnished
        where organisation = ${organisation} and registration = ${registration}::uuid and period = ${period}
      `.execute(trx);
    }
    const { rows } = await sql`
      delete from gst_filings
      where organisation = ${organisation}
        and registration = ${registration}::uuid
        and form = ${form}
        and period = ${period}
      returning 1
    `.execute(trx);
    if (rows.length === 0) throw new Refusal('notFound');
    await noteUnmarked(trx, context, { registration, form, period, reason });
    if (form === 'IFF' || form === 'GSTR-9') return filingsOf(trx, context);
    const name = lockName(lockedByForm[form], registration);
    const [locked, hand] = [await lockOf(trx, organisation, name), await lockedByHand(trx, organisation, name)];
    const held = await filedThrough(trx, organisation, registration, form);
    const left = hand !== null && (held === null || hand > held) ? hand : held;
    if (locked !== left) await lockRegister(trx, context, name, left, reason, 'return');
    return filingsOf(trx, context);
  });
