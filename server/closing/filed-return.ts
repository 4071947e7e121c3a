import { sql } from 'kysely';
import type { closingCalls } from '../../contract/closing.ts';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { moneyText } from '../../domain/base/decimal.ts';
import type { Day, Id } from '../../domain/document/document.ts';
import type { ReturnForm } from '../../domain/facts/gst-returns.ts';
import { tableChanges } from '../../domain/tax/gst/returns/repeated-tables.ts';
import { wholeRegistration } from '../access/index.ts';
import type { Context } from '../context.ts';
import { newId } from '../kit/ids.ts';
import {
  amountNames,
  type DrawnReturn,
  daysOf,
  drawReturn,
  movedByHand,
  type ReturnAmounts,
  type ReturnPart,
  reversalsOf,
  summed,
} from '../reports/index.ts';
import type { Trx } from './locks.ts';

type Call = (typeof closingCalls)['GetFiledReturn'];
type Shown = Answer<Call>;

export interface Marked {
  readonly registration: Id;
  readonly form: ReturnForm;
  readonly period: string;
  readonly filedOn: Day;
  readonly arn: string;
}

/** Keeps a return as the books give it at this moment; who marks it holds the books. */
export async function keepReturn(
  trx: Trx,
  { organisation, user, today }: Context,
  { registration, form, period, filedOn, arn }: Marked,
): Promise<void> {
  const drawn = await drawReturn(trx, organisation, registration, form, period, today);
  const [tables, documents] = [JSON.stringify(drawn.tables), JSON.stringify(drawn.documents)];
  const file = drawn.file && JSON.stringify(drawn.file);
  // the digest proves that what is kept is what was kept: it is taken of the row itself
  await sql`
    insert into gst_returns_kept (
      organisation, id, registration, form, period, filed_on, arn, tables, documents, file, digest, by
    )
    values (
      ${organisation}, ${newId()}, ${registration}::uuid, ${form}, ${period}, ${filedOn}::date, ${arn},
      ${tables}::jsonb, ${documents}::jsonb, ${file}::jsonb,
      return_digest(${tables}::jsonb, ${documents}::jsonb, ${file}::jsonb), ${user}
    )
  `.execute(trx);
}

/** Says of the return that was kept last that its mark is taken back. */
export async function noteUnmarked(
  trx: Trx,
  { organisation, user }: Context,
  {
    registration,
    form,
    period,
    reason,
  }: Pick<Marked, 'registration' | 'form' | 'period'> & { readonly reason: string },
): Promise<void> {
  await sql`
    insert into gst_returns_unmarked (organisation, id, reason, by)
    select organisation, id, ${reason}, ${user}
      from gst_returns_kept
     where organisation = ${organisation}
       and registration = ${registration}::uuid
       and form = ${form}
       and period = ${period}
     order by at desc
     limit 1
    on conflict do nothing`.execute(trx);
}

/** Keeps the return that was kept last once more, as it is, with the acknowledgement that was missing. */
export async function keepAcknowledged(trx: Trx, context: Context, marked: Marked): Promise<void> {
  const { organisation, user } = context;
  const { registration, form, period, arn } = marked;
  await noteUnmarked(trx, context, { registration, form, period, reason: 'Its acknowledgement was added' });
  await sql`
    insert into gst_returns_kept (organisation, id, registration, form, period, filed_on, arn, tables, documents, file, digest, by)
    select organisation, ${newId()}, registration, form, period, filed_on, ${arn}, tables, documents, file, digest, ${user}
      from gst_returns_kept
     where organisation = ${organisation}
       and registration = ${registration}::uuid
       and form = ${form}
       and period = ${period}
     order by at desc
     limit 1`.execute(trx);
}

interface KeptRow extends DrawnReturn {
  readonly at: string;
  readonly by: string;
  readonly filed_on: Day;
  readonly arn: string;
  readonly digest: string;
  readonly unmarked: Shown['filed'][number]['unmarked'];
}

/** A return as it was filed last, beside what the books say of its days now. What was marked before returns were kept has none. */
export const filedReturn = ({ registration, form, period }: Input<Call>, context: Context): Promise<Shown> =>
  context.inTransaction(async (trx) => {
    const { organisation, today } = context;
    await wholeRegistration(trx, context, registration);
    const { rows } = await sql<KeptRow>`
      select
        k.tables, k.documents, k.file, k.at::text as at, u.name as by, k.filed_on::text as filed_on, k.arn,
        encode(k.digest, 'hex') as digest,
        case
          when x.id is not null then json_build_object('at', x.at::text, 'by', xu.name, 'reason', x.reason)
        end as unmarked
      from gst_returns_kept k
      join users u on u.organisation = k.organisation and u.id = k.by
      left join gst_returns_unmarked x on x.organisation = k.organisation and x.id = k.id
      left join users xu on xu.organisation = x.organisation and xu.id = x.by
      where k.organisation = ${organisation}
        and k.registration = ${registration}::uuid
        and k.form = ${form}
        and k.period = ${period}
      order by k.at desc
    `.execute(trx);
    const [last] = rows;
    if (!last) throw new Refusal('notFound');
    const drawn = await drawReturn(trx, organisation, registration, form, period, today);
    const now = partsNow(form, drawn.documents, last.documents);
    const days = await daysOf(trx, organisation, registration, form, period);
    const reversed = await reversalsOf(trx, organisation, registration, form, days);
    const byHand = await movedByHand(trx, organisation, registration, form, days);
    return {
      filed: rows.map((row) => ({
        ...{ markedAt: row.at, by: row.by, filedOn: row.filed_on, arn: row.arn, digest: row.digest },
        unmarked: row.unmarked,
      })),
      tables: last.tables.map(({ name, count, ...amounts }) => ({ name, count, ...amountsText(amounts) })),
      totals: { filed: amountsText(summed(last.documents)), now: amountsText(summed(now)) },
      differences: differencesOf(last.documents, now),
      tableChanges: form === 'IFF' ? [] : tableChanges(last.file, drawn.file),
      reversed: reversed.map(({ id, number, date, reversedOn, ...amounts }) => ({
        ...{ document: id, number, date, reversedOn },
        ...amountsText(amounts),
      })),
      byHand: byHand.map(({ id, number, date, ...amounts }) => ({
        document: id,
        number,
        date,
        ...amountsText(amounts),
      })),
      file: last.file as Shown['file'],
    };
  });

/** What the books say now. An IFF is compared by what it held: what came later goes into the next one. */
function partsNow(
  form: ReturnForm,
  documents: readonly ReturnPart[],
  filed: readonly ReturnPart[],
): readonly ReturnPart[] {
  if (form !== 'IFF') return documents;
  const held = new Set(filed.map(({ id }) => id));
  return documents.filter(({ id }) => held.has(id));
}

const amountsText = (amounts: ReturnAmounts): Record<keyof ReturnAmounts, string> => ({
  taxable: moneyText(amounts.taxable),
  igst: moneyText(amounts.igst),
  cgst: moneyText(amounts.cgst),
  sgst: moneyText(amounts.sgst),
  cess: moneyText(amounts.cess),
});

/** What each document adds now, less what it added when the return was filed; in the order of their days. */
function differencesOf(filed: readonly ReturnPart[], now: readonly ReturnPart[]): Shown['differences'] {
  const keyOf = ({ id, table = '' }: ReturnPart): string => `${id} ${table}`;
  const [before, after] = [filed, now].map((parts) => new Map(parts.map((part) => [keyOf(part), part])));
  const none: ReturnAmounts = { taxable: 0, igst: 0, cgst: 0, sgst: 0, cess: 0 };
  return [...new Set([...filed, ...now].map(keyOf))]
    .flatMap((key) => {
      const [was, is] = [before?.get(key), after?.get(key)];
      const part = is ?? was;
      if (!part) return [];
      const change = (name: keyof ReturnAmounts) => (is ?? none)[name] - (was ?? none)[name];
      if (was && is && amountNames.every((name) => change(name) === 0)) return [];
      const amounts = {
        taxable: change('taxable'),
        igst: change('igst'),
        cgst: change('cgst'),
        sgst: change('sgst'),
        cess: change('cess'),
      };
      const what = was && is ? ('changed' as const) : is ? ('added' as const) : ('gone' as const);
      const { id: document, number, date, table } = part;
      return [{ document, number, date, what, ...(table !== undefined && { table }), ...amountsText(amounts) }];
    })
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}
