// biome-ignore-all format: rows of columns
import { type QueryExecutorProvider, sql } from 'kysely';
import { financialYearOf } from '../../domain/dates.ts';
import { moneyText, percentText } from '../../domain/decimal.ts';
import { kindLabel, kindNames, kindOf } from '../../domain/kinds/index.ts';
import { tdsNamed, tdsRate } from '../../domain/withheld.ts';
import { type Asked, among, type Query, type Row } from './report.ts';

interface Deduction { document: string; kind: string; date: string; number: string; party: string; pan: string | null; section: string; amount: string; tds: string; certificate: string | null; lower: number | null; covered: string | null }

/** Kinds of money: all that they settle was paid. */
const paid = kindNames.filter((name) => kindOf(name).lines === 'none');

/** What tax was deducted from, document by document. What is not known to have borne a deduction is left out. */
async function deductions(db: QueryExecutorProvider, { organisation, filters, places, limit }: Asked): Promise<Deduction[]> {
  const { rows } = await sql<Deduction>`
    select d.id as document, d.kind, d.date, d.number, coalesce(p.name, d.party_name) as party, p.pan, d.body #>> '{draft,tdsSection}' as section,
           case when d.kind = any(${paid}::text[]) then d.total else coalesce((d.body ->> 'value')::bigint, d.taxable) end as amount,
           case when d.tds > 0 then d.tds else coalesce((d.body #>> '{draft,tdsAmount}')::bigint, 0) end as tds, d.body #>> '{draft,tdsLower,number}' as certificate, (d.body #>> '{draft,tdsLower,rate}')::int as lower, (d.body #>> '{draft,tdsLower,base}')::bigint as covered
      from documents d left join parties p on p.organisation = d.organisation and p.id = heir_of(d.organisation, d.party)
     where d.organisation = ${organisation} and d.date between ${filters.from ?? ''}::date and ${filters.to ?? ''}::date and d.reverses is null and d.body #>> '{draft,tdsSection}' is not null
       and (d.tds > 0 or coalesce((d.body #>> '{draft,tdsAmount}')::bigint, 0) > 0 or d.body #> '{draft,tdsLower}' is not null)
       and (${filters.party ?? null}::uuid is null or heir_of(d.organisation, d.party) = heir_of(${organisation}, ${filters.party ?? null}::uuid)) and ${among('d.location', places)}
       and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id) order by d.date, d.id limit ${limit}`.execute(db);
  return rows;
}

/** The certificate, and how much of the amount it covers where that is not all. */
const certificateText = ({ certificate, amount, covered }: Deduction): string => certificate === null ? '' : covered === amount ? certificate : `${certificate}: ${moneyText(Number(covered))}`;

const sums = (rows: readonly Deduction[]) => ({ amount: moneyText(rows.reduce((t, r) => t + Number(r.amount), 0)), tds: moneyText(rows.reduce((t, r) => t + Number(r.tds), 0)) });

export const tdsDeducted: Query = async (db, asked) => {
  const all = await deductions(db, asked);
  const rows = all.filter(({ section }) => !asked.filters.section || tdsNamed(section)?.section === asked.filters.section);
  return {
    rows: rows.map((r): Row => {
      const rate = r.lower !== null && r.covered === r.amount ? r.lower : tdsRate(r.section, r.date);
      return { document: r.document, kind: r.kind, date: r.date, number: r.number, kindLabel: kindLabel(r.kind), party: r.party, pan: r.pan ?? 'Not known', section: r.section, newAct: tdsNamed(r.section)?.newAct ?? '', amount: moneyText(Number(r.amount)), rate: rate === undefined ? '' : percentText(rate), tds: moneyText(Number(r.tds)), certificate: certificateText(r) };
    }),
    totals: sums(rows), after: null, notes: all.length === asked.limit ? [`Only the first ${asked.limit} are listed: choose a shorter time`] : [],
  };
};

/** A quarter of the tax year, as the certificate names it. */
const quarterOf = (date: string): string => `Q${Math.floor(((Number(date.slice(5, 7)) + 8) % 12) / 3) + 1} ${financialYearOf(date).label}`;

/** What a certificate of tax deducted states of one deductee (rule 31; Form 131 under the Act of 2025): who, from whom, what, quarter by quarter. */
export const form16a: Query = async (db, asked) => {
  const { organisation, filters } = asked;
  const rows = await deductions(db, asked);
  const own = await sql<{ name: string; gstin: string | null; tan: string | null; address: string | null }>`
    select r.legal_name as name, r.gstin, nullif(r.body ->> 'tan', '') as tan, concat_ws(', ', r.body ->> 'line1', r.body ->> 'city', r.body ->> 'pincode') as address from registrations r where r.organisation = ${organisation} and r.active order by (r.body ->> 'tan') is null, r.gstin limit 1`.execute(db);
  const party = await sql<{ name: string; pan: string | null; address: string | null }>`
    select p.name, p.pan, (select concat_ws(', ', a ->> 'line1', a ->> 'city', a ->> 'pincode') from jsonb_array_elements(case jsonb_typeof(p.body -> 'addresses') when 'array' then p.body -> 'addresses' else '[]' end) a limit 1) as address from parties p where p.organisation = ${organisation} and p.id = heir_of(${organisation}, ${filters.party ?? ''}::uuid)`.execute(db);
  const [deductor, deductee] = [own.rows[0], party.rows[0]];
  return {
    rows: rows.map((r): Row => ({ document: r.document, kind: r.kind, quarter: quarterOf(r.date), section: r.section, newAct: tdsNamed(r.section)?.newAct ?? '', nature: tdsNamed(r.section)?.name ?? '', date: r.date, number: r.number, amount: moneyText(Number(r.amount)), tds: moneyText(Number(r.tds)), certificate: certificateText(r) })),
    totals: sums(rows), after: null, ...(deductee && { about: deductee.name }),
    notes: [
      `Deductor: ${[deductor?.name, deductor?.tan ? `TAN ${deductor.tan}` : 'TAN not entered: it belongs to the registration', deductor?.gstin ? `PAN ${deductor.gstin.slice(2, 12)}` : '', deductor?.address].filter(Boolean).join(' · ')}`,
      ...(deductee ? [`Deductee: ${[deductee.name, deductee.pan ? `PAN ${deductee.pan}` : 'PAN not known', deductee.address].filter(Boolean).join(' · ')}`] : []),
      'The certificate itself is drawn from TRACES once the quarterly statement is filed: these are the figures it must show',
    ],
  };
};
