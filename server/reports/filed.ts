import { type QueryExecutorProvider, sql } from 'kysely';
import { financialYearOf, monthEnd, periodOf, quarterOf } from '../../domain/dates.ts';
import type { Day, Id } from '../../domain/document.ts';
import type { ReturnForm } from '../../domain/facts/gst-returns.ts';
import { type FilingPeriod, filesQuarterly } from '../../domain/gst/filing.ts';
import { signOf } from '../../domain/gst/return-document.ts';
import { type KindName, kindNames, kindOf, lessens } from '../../domain/kinds/index.ts';
import { drawnWith } from './gstr1.ts';

/** Paise, with the sign that they have in the return. */
export interface ReturnAmounts {
  readonly taxable: number;
  readonly igst: number;
  readonly cgst: number;
  readonly sgst: number;
  readonly cess: number;
}
export const amountNames = ['taxable', 'igst', 'cgst', 'sgst', 'cess'] as const;

/** What one document adds to a return. */
export interface ReturnPart extends ReturnAmounts {
  readonly id: Id;
  readonly number: string;
  readonly date: Day;
}

/** A return as the books give it now: its tables, what each document adds to its supplies and advances, and the portal's file where the product draws one. */
export interface DrawnReturn {
  readonly tables: readonly ({ readonly name: string; readonly count: number } & ReturnAmounts)[];
  readonly documents: readonly ReturnPart[];
  readonly file: object | null;
}

export const summed = (parts: readonly ReturnAmounts[]): ReturnAmounts => {
  const of = (name: (typeof amountNames)[number]) => parts.reduce((t, part) => t + part[name], 0);
  return { taxable: of('taxable'), igst: of('igst'), cgst: of('cgst'), sgst: of('sgst'), cess: of('cess') };
};

/** The days that a return of a month ('2026-10') is about; of an annual one all of the year that the month ends. */
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
  const first = `${period}-01`;
  if (form === 'GSTR-9') return { from: financialYearOf(first).start, to: financialYearOf(first).end };
  const from = filesQuarterly(rows[0]?.filing ?? [], first) ? quarterOf(first).start : first;
  return { from, to: monthEnd(first) };
}

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
  if (form === 'GSTR-3B' || form === 'GSTR-9') return drawSummary(db, organisation, registration, form, period);
  const month = periodOf(`${period}-01`);
  const { made, documents, vouchers } = await drawnWith(db, organisation, { registration, period: month }, today);
  const listed = new Set(made.tables.flatMap((t) => (repeating.includes(t.name) ? [] : t.documents)));
  const parts: readonly ReturnPart[] = [
    ...documents.map((d) => ({ ...d, lines: d.lines, sign: signOf(d) })),
    ...vouchers.map((v) => ({ ...v, sign: v.what === 'received' ? 1 : -1 })),
  ]
    .filter(({ id }) => listed.has(id))
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
  const tables = made.tables.map(({ name, count, ...t }) => ({ name, count, ...summed([t]) }));
  return { tables, documents: parts, file: made.json };
}

/** Kinds that have a figure in GSTR-3B, by the side that they stand on. */
const sides: Readonly<Record<string, readonly KindName[]>> = {
  'Outward supplies': kindNames.filter((name) => kindOf(name).life === 'posted' && kindOf(name).tax === 'output'),
  'Inward supplies': kindNames.filter((name) => kindOf(name).life === 'posted' && kindOf(name).tax === 'input'),
};

/** What the books say of a GSTR-3B or an annual return: outward and inward supplies with their tax. */
async function drawSummary(
  db: QueryExecutorProvider,
  organisation: number,
  registration: Id,
  form: ReturnForm,
  period: string,
): Promise<DrawnReturn> {
  const { from, to } = await daysOf(db, organisation, registration, form, period);
  const { rows } = await sql<
    Record<keyof ReturnAmounts, string> & { id: Id; kind: KindName; number: string; date: Day }
  >`
    select d.id, d.kind, d.number, d.date::text as date, d.taxable, d.igst, d.cgst, d.sgst, d.cess
      from documents d
     where d.organisation = ${organisation}
       and d.registration = ${registration}::uuid
       and d.kind = any(${Object.values(sides).flat()}::text[])
       and d.reverses is null
       and d.date between ${from}::date and ${to}::date
       and not cancelled_by(d.organisation, d.id, ${to}::date)
     order by d.date, d.number`.execute(db);
  const parts = rows.map(({ id, kind, number, date, ...amounts }) => {
    const sign = lessens(kind) ? -1 : 1;
    const of = (name: keyof ReturnAmounts) => sign * Number(amounts[name]);
    return {
      kind,
      part: {
        id,
        number,
        date,
        taxable: of('taxable'),
        igst: of('igst'),
        cgst: of('cgst'),
        sgst: of('sgst'),
        cess: of('cess'),
      },
    };
  });
  const tables = Object.entries(sides).map(([name, kinds]) => {
    const own = parts.filter(({ kind }) => kinds.includes(kind)).map(({ part }) => part);
    return { name, count: own.length, ...summed(own) };
  });
  return { tables, documents: parts.map(({ part }) => part), file: null };
}

/** Documents of earlier days that were reversed in these days: the return of these days amends them. */
export async function reversedIn(
  db: QueryExecutorProvider,
  organisation: number,
  registration: Id,
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
       and d.registration = ${registration}::uuid
       and d.kind = any(${Object.values(sides).flat()}::text[])
       and r.date between ${from}::date and ${to}::date
       and d.date < ${from}::date
     order by r.date, d.number`.execute(db);
  return rows.map(({ id, kind, number, date, reversed, ...amounts }) => {
    const sign = lessens(kind) ? 1 : -1;
    const of = (name: keyof ReturnAmounts) => sign * Number(amounts[name]);
    const signed = { taxable: of('taxable'), igst: of('igst'), cgst: of('cgst'), sgst: of('sgst'), cess: of('cess') };
    return { id, number, date, reversedOn: reversed, ...signed };
  });
}
