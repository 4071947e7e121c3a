import { type QueryExecutorProvider, sql } from 'kysely';
import { periodOf } from '../../domain/base/dates.ts';
import { postsNothing } from '../../domain/books/legs.ts';
import { isByHand } from '../../domain/document/checks/by-hand.ts';
import type { Day, Id } from '../../domain/document/document.ts';
import { type Kind, type KindName, kindNames, kindOf, lessens } from '../../domain/document/kinds/index.ts';
import type { ReturnForm } from '../../domain/facts/gst-returns.ts';
import { advanceSign } from '../../domain/tax/gst/returns/advances.ts';
import { type FilingPeriod, returnDays, statusesOf } from '../../domain/tax/gst/returns/filing.ts';
import { signOf } from '../../domain/tax/gst/returns/return-document.ts';
import { taxEffects } from '../../domain/tax/tax-locks.ts';
import { drawnWith } from './gstr1.ts';
import { drawGstr3b } from './gstr3b.ts';
import { type DrawnReturn, type ReturnAmounts, type ReturnPart, summed } from './return-parts.ts';

export {
  amountNames,
  type DrawnReturn,
  type KeptTable,
  type ReturnAmounts,
  type ReturnPart,
  summed,
} from './return-parts.ts';

/** The days that a return of a month ('2026-10') is about; that of a quarter or year goes by its last month. */
export async function daysOf(
  db: QueryExecutorProvider,
  organisation: number,
  registration: Id,
  form: ReturnForm,
  period: string,
): Promise<{ readonly from: Day; readonly to: Day }> {
  const { rows } = await sql<{ filing: readonly FilingPeriod[] }>`
    select coalesce(body -> 'filing', '[]') as filing
      from registrations
     where organisation = ${organisation}
       and id = ${registration}::uuid`.execute(db);
  return returnDays(form, period, rows[0]?.filing ?? []);
}

/** Returns that the product draws table by table; of the others it keeps what the books say in sum. */
const drawnInTables: readonly ReturnForm[] = ['GSTR-1', 'IFF'];
/** Tables that list numbers or repeat what others hold. */
const repeating: readonly string[] = ['12', '13', '14A'];

export async function drawReturn(
  db: QueryExecutorProvider,
  organisation: number,
  registration: Id,
  form: ReturnForm,
  period: string,
  today: Day,
): Promise<DrawnReturn> {
  if (form === 'GSTR-3B')
    return drawGstr3b(db, organisation, registration, await daysOf(db, organisation, registration, form, period));
  if (!drawnInTables.includes(form)) return drawSummary(db, organisation, registration, form, period);
  const month = periodOf(`${period}-01`);
  const { made, documents, vouchers } = await drawnWith(db, organisation, { registration, period: month }, today);
  const listed = new Set(made.tables.flatMap((t) => (repeating.includes(t.name) ? [] : t.documents)));
  const parts: readonly ReturnPart[] = [
    ...documents.map((d) => ({ ...d, lines: d.lines, sign: signOf(d) })),
    ...vouchers.map((v) => ({ ...v, sign: advanceSign(v) })),
  ]
    // what an IFF holds is counted in table 8 of its quarter once more, and is no part of it
    .filter(({ id }) => listed.has(id) && !made.furnished.has(id))
    .map(({ id, number, date, lines, sign }) => {
      const { taxable, igst, cgst, sgst, cess } = summed(lines);
      const signed = {
        taxable: sign * taxable,
        igst: sign * igst,
        cgst: sign * cgst,
        sgst: sign * sgst,
        cess: sign * cess,
      };
      return { id, number, date, ...signed };
    });
  const tables = made.tables.map(({ name, count, value, ...t }) => ({ name, count, value, ...summed([t]) }));
  return { tables, documents: parts, file: made.json };
}

/** Whether GSTR-3B has a figure of a kind: one that moves no tax (a self-invoice) repeats what its bill says. */
const hasFigure = (kind: Kind): boolean => kind.life.cycle !== 'ordered' && !postsNothing(kind);
/** Kinds that have a figure in GSTR-3B, by the side that they stand on. */
const sides: Readonly<Record<string, readonly KindName[]>> = {
  'Outward supplies': kindNames.filter((name) => kindOf(name).gst.tax === 'output' && hasFigure(kindOf(name))),
  'Inward supplies': kindNames.filter((name) => kindOf(name).gst.tax === 'input' && hasFigure(kindOf(name))),
};
/** Goods that move within a registration are no supply. */
const isSupplied = sql`not (d.party is null and coalesce(d.body ->> 'supply', '') = 'none')`;
/** Uses of an advance take back the tax that was paid on it. */
const takesTax = (name: KindName): boolean => {
  const shown = kindOf(name).gst.gstr1;
  return lessens(kindOf(name)) || shown === 'advanceAdjusted' || shown === 'advanceRefunded';
};

/**
 * Documents that a return has figures of: of days with its status, and of what came in, only what it asks for. A note without
 * GST changes no supply.
 */
const isIn = (
  form: ReturnForm,
) => sql`registration_status(d.organisation, d.registration, d.date) = any(${[...statusesOf(form)]}::text[])
       and (${form !== 'CMP-08'} or d.reverse_charge or d.kind = any(${sides['Outward supplies'] ?? []}::text[]))
       and ${isSupplied}
       and not coalesce((d.body #>> '{draft,withoutTax}')::boolean, false)`;

/** The first day, up to one, with a document that a return shows; undefined where there is none. */
export async function firstShown(
  db: QueryExecutorProvider,
  organisation: number,
  registration: Id,
  form: ReturnForm,
  through: Day,
): Promise<Day | undefined> {
  const { rows } = await sql<{ date: Day }>`
    select d.date::text as date
      from documents d
     where d.organisation = ${organisation}
       and d.registration = ${registration}::uuid
       and d.kind = any(${[...toldOf(form)]}::text[])
       and d.reverses is null
       and d.date <= ${through}::date
       and ${isIn(form)}
     order by d.date
     limit 1`.execute(db);
  return rows[0]?.date;
}

/** What the books say of a return in sum: outward and inward supplies with their tax, and reversals of earlier ones. */
async function drawSummary(
  db: QueryExecutorProvider,
  organisation: number,
  registration: Id,
  form: ReturnForm,
  period: string,
): Promise<DrawnReturn> {
  const { from, to } = await daysOf(db, organisation, registration, form, period);
  const kinds = Object.values(sides).flat();
  const { rows } = await sql<
    Record<keyof ReturnAmounts, string> & { id: Id; kind: KindName; number: string; date: Day; reversal: boolean }
  >`
    select d.id, d.kind, d.number, d.date::text as date, false as reversal, d.taxable, d.igst, d.cgst, d.sgst, d.cess
      from documents d
     where d.organisation = ${organisation}
       and d.registration = ${registration}::uuid
       and d.kind = any(${kinds}::text[])
       and ${isIn(form)}
       and d.reverses is null
       and d.date between ${from}::date and ${to}::date
       and not cancelled_by(d.organisation, d.id, ${to}::date)
    union all
    select r.id, d.kind, r.number, r.date::text, true, d.taxable, d.igst, d.cgst, d.sgst, d.cess
      from documents r
      join cancellations c on c.organisation = r.organisation and c.reversal = r.id
      join documents d on d.organisation = c.organisation and d.id = c.document
     where r.organisation = ${organisation}
       and r.registration = ${registration}::uuid
       and r.reverses is not null
       and d.kind = any(${kinds}::text[])
       and ${isIn(form)}
       and r.date between ${from}::date and ${to}::date
       and d.date < ${from}::date
     order by date, number`.execute(db);
  const parts = rows.map(({ id, kind, number, date, reversal, ...amounts }) => ({
    kind,
    part: { id, number, date, ...signedBy(takesTax(kind) === reversal ? 1 : -1, amounts) },
  }));
  const tables = Object.entries(sides).map(([name, own]) => {
    const of = parts.filter(({ kind }) => own.includes(kind)).map(({ part }) => part);
    return { name, count: of.length, ...summed(of) };
  });
  return { tables, documents: parts.map(({ part }) => part), file: null };
}

/** Amounts of the books, which are never negative, with the sign that they have in a return. */
const signedBy = (sign: 1 | -1, amounts: Readonly<Record<keyof ReturnAmounts, string>>): ReturnAmounts => {
  const of = (name: keyof ReturnAmounts) => (Number(amounts[name]) === 0 ? 0 : sign * Number(amounts[name]));
  return { taxable: of('taxable'), igst: of('igst'), cgst: of('cgst'), sgst: of('sgst'), cess: of('cess') };
};

/** Kinds whose reversal on a later day is listed with a return. */
const toldOf = (form: ReturnForm): readonly KindName[] => {
  const shown = Object.values(sides).flat();
  return drawnInTables.includes(form) ? shown.filter((name) => kindOf(name).gst.gstr1 !== undefined) : shown;
};

/**
 * Documents of these days that were reversed after them, and earlier ones that were reversed in them: each stays in the return of
 * its own period, and its reversal, with these amounts, stands in that of the day of the reversal.
 */
export async function reversalsOf(
  db: QueryExecutorProvider,
  organisation: number,
  registration: Id,
  form: ReturnForm,
  { from, to }: { readonly from: Day; readonly to: Day },
): Promise<(ReturnPart & { readonly reversedOn: Day })[]> {
  const { rows } = await sql<
    Record<keyof ReturnAmounts, string> & { id: Id; kind: KindName; number: string; date: Day; reversed: Day }
  >`
    select d.id, d.kind, d.number, d.date::text as date, r.date::text as reversed, d.taxable, d.igst, d.cgst, d.sgst, d.cess
      from documents r
      join cancellations c on c.organisation = r.organisation and c.reversal = r.id
      join documents d on d.organisation = c.organisation and d.id = c.document
     where r.organisation = ${organisation}
       and r.registration = ${registration}::uuid
       and r.reverses is not null
       and d.kind = any(${toldOf(form)}::text[])
       and ${isIn(form)}
       and (r.date between ${from}::date and ${to}::date and d.date < ${from}::date
         or d.date between ${from}::date and ${to}::date and r.date > ${to}::date)
     order by r.date, d.number`.execute(db);
  return rows.map(({ id, kind, number, date, reversed, ...amounts }) => ({
    id,
    number,
    date,
    reversedOn: reversed,
    ...signedBy(takesTax(kind) ? 1 : -1, amounts),
  }));
}

/** Kinds whose lines people write on ledgers of tax; the return has nothing of them. */
const byHandKinds = kindNames.filter((name) => isByHand(kindOf(name)));

/**
 * Journals of these days that move ledgers of the tax of a return, which holds documents of supplies alone: by them the
 * ledgers differ from it. Above nothing where the tax that the return states would be more.
 */
export async function movedByHand(
  db: QueryExecutorProvider,
  organisation: number,
  registration: Id,
  form: ReturnForm,
  { from, to }: { readonly from: Day; readonly to: Day },
): Promise<ReturnPart[]> {
  const effects = drawnInTables.includes(form) ? taxEffects.filter((name) => name.startsWith('output')) : taxEffects;
  const { rows } = await sql<
    { id: Id; number: string; date: Day } & Record<Exclude<keyof ReturnAmounts, 'taxable'>, string>
  >`
    select d.id, d.number, d.date::text as date,
           ${sql.join(
             (['igst', 'cgst', 'sgst', 'cess'] as const).map(
               (head) =>
                 sql`coalesce(sum(case when p.effect like 'input%' then e.debit - e.credit else e.credit - e.debit end)
                       filter (where lower(p.effect) like ${`%${head}`}), 0)::bigint as ${sql.ref(head)}`,
             ),
           )}
      from documents d
      join entries e on e.organisation = d.organisation and e.document = d.id
      join posting_map p on p.organisation = e.organisation and p.ledger = e.ledger
     where d.organisation = ${organisation}
       and d.registration = ${registration}::uuid
       and d.kind = any(${[...byHandKinds]}::text[])
       and d.date between ${from}::date and ${to}::date
       and d.reverses is null
       and p.effect = any(${[...effects]}::text[])
       and not cancelled_by(d.organisation, d.id, ${to}::date)
     group by d.organisation, d.id
     order by d.date, d.number`.execute(db);
  return rows.map(({ id, number, date, ...amounts }) => ({
    id,
    number,
    date,
    ...signedBy(1, { taxable: '0', ...amounts }),
  }));
}
