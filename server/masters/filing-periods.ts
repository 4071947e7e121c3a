import { sql } from 'kysely';
import { monthInWords } from '../../domain/base/dates.ts';
import { type Said, say } from '../../domain/base/say.ts';
import type { ReturnForm } from '../../domain/facts/gst-returns.ts';
import { type FilingPeriod, markMoved } from '../../domain/tax/gst/returns/filing.ts';
import type { Context } from '../context.ts';
import type { Trx, Values } from './records.ts';

/**
 * Why a registration may not file by the periods that are typed: a return that is marked as filed would be of other days. The row
 * is that of the change which begins last before it; -1 where it is of none.
 */
export async function filedOtherwise(
  trx: Trx,
  { organisation }: Context,
  id: string,
  values: Values,
): Promise<(Said & { readonly row: number }) | undefined> {
  const after = (Array.isArray(values.filing) ? values.filing : []) as readonly FilingPeriod[];
  const { rows } = await sql<{ filing: readonly FilingPeriod[]; form: ReturnForm; period: string }>`
    select coalesce(r.body -> 'filing', '[]') as filing, f.form, f.period
      from registrations r
      join gst_filings f on f.organisation = r.organisation and f.registration = r.id
     where r.organisation = ${organisation}
       and r.id = ${id}::uuid
     order by f.period, f.form`.execute(trx);
  const moved = markMoved(rows, rows[0]?.filing ?? [], after);
  if (!moved) return undefined;
  const begun = after
    .filter(({ from }) => from.slice(0, 7) <= moved.period)
    .toSorted((a, b) => (a.from < b.from ? 1 : -1));
  return {
    row: begun[0] ? after.indexOf(begun[0]) : -1,
    ...say('{{form}} of {{monthInWords}} is marked as filed: take that mark back first, or begin later', {
      form: moved.form,
      monthInWords: monthInWords(`${moved.period}-01`),
    }),
  };
}
