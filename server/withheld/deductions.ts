import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { HUNDRED_PERCENT, type Percent, percent } from '../../domain/base/decimal.ts';
import { type Paise, paise, scale, sum, zero } from '../../domain/base/money.ts';
import type { Day, Id } from '../../domain/document/document.ts';
import { collectingKinds, givingBackKinds, kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import type { MajorHead, Withholding } from '../../domain/facts/deposits.ts';
import { headOf, sectionOf } from '../../domain/tax/deposits.ts';
import { type Borne, borneBy, tdsRate } from '../../domain/tax/withheld.ts';

/** A document that deducted or collected tax, and how much of that the government has. */
export interface Deduction {
  readonly document: Id;
  readonly kind: string;
  readonly number: string;
  readonly date: Day;
  readonly party: Id | null;
  readonly name: string;
  readonly pan: string | null;
  /** As the document names it, and as the law does. */
  readonly named: string;
  readonly section: string;
  readonly head: MajorHead;
  readonly location: Id;
  /** On which the tax was deducted or collected, and at which rate. */
  readonly amount: Paise;
  readonly rate: Percent | undefined;
  /** The tax was typed, and no rate of the section makes it of the document. */
  readonly byHand: boolean;
  readonly withheld: Paise;
  /** What returns and notes that stand gave back of it. */
  readonly back: Paise;
  readonly paid: Paise;
  /** The certificate for a lower rate (section 197), and how much of the amount it covers. */
  readonly lower: { readonly number: string; readonly rate: number; readonly base: Paise } | null;
}

/** Which of them: of these days, of one payee, at these places, or these documents. */
export interface Which {
  readonly organisation: number;
  readonly tax: Withholding;
  readonly from?: Day | undefined;
  readonly to?: Day | undefined;
  readonly party?: Id | undefined;
  readonly documents?: readonly Id[] | undefined;
  /** Empty: every location. */
  readonly places?: readonly Id[] | undefined;
  /** Those too that bore nothing by their certificate, and, negative, what was given back. */
  readonly spared?: true | undefined;
  readonly limit?: number | undefined;
}

interface Row {
  document: Id;
  kind: string;
  number: string;
  date: Day;
  party: Id | null;
  name: string;
  pan: string | null;
  section: string;
  location: Id;
  amount: string;
  withheld: string;
  back: string;
  paid: string;
  lower: string | null;
  rate: number | null;
  base: string | null;
  borne_base: string | null;
  borne_rate: number | null;
}

/** Kinds of money: all that they settle was paid. */
const ofMoney = kindNames.filter((name) => kindOf(name).lines.of === 'none');

const when = (given: unknown, condition: RawBuilder<boolean>): RawBuilder<boolean> =>
  given === undefined ? sql<boolean>`true` : condition;

/** Documents that withheld tax, by day. What is not known to have borne a deduction is left out, and what was cancelled. */
export async function deductions(
  run: QueryExecutorProvider,
  { organisation, tax, from, to, party, documents, places = [], spared, limit }: Which,
): Promise<Deduction[]> {
  // what is given back is shown under the section of what it gives back
  const givenBack = sql`
    select s.body #>> '{draft,tcsSection}'
    from jsonb_object_keys(d.body -> 'tcsBack') b (id)
    join documents s on s.organisation = d.organisation and s.id = b.id::uuid
    limit 1
  `;
  const section =
    tax === 'tds'
      ? sql`d.body #>> '{draft,tdsSection}'`
      : sql`case when d.body ? 'tcsBack' then (${givenBack}) else d.body #>> '{draft,tcsSection}' end`;
  const collected = [...collectingKinds, ...(spared ? givingBackKinds : [])];
  const ours = tax === 'tds' ? sql<boolean>`true` : sql<boolean>`d.kind = any(${collected}::text[])`;
  const sign = tax === 'tds' ? sql`1` : sql`case when d.body ? 'tcsBack' then -1 else 1 end`;
  // what is sold is worth what the buyer owes for it, with GST; what is bought, its value without
  const amount =
    tax === 'tds'
      ? sql`case when d.kind = any(${ofMoney}::text[]) then d.total else coalesce((d.body ->> 'value')::bigint, d.taxable) end`
      : sql`d.total - d.tcs - d.round_off`;
  // what is paid is summed for all of them at once: asked for one by one, 20,000 documents took half a second longer; their
  // parties that others were merged into cost as much: they are joined (by case: under row-level security no key is
  // looked up by what coalesce gives), and of one payee the family is found once
  const { rows } = await sql<Row>`
    with
      withheld as materialized (
        select
          d.id as document, d.kind, d.number, d.date, p.id as party, coalesce(p.name, d.party_name) as name,
          p.pan, ${section} as section, d.location, ${sign} * (${amount}) as amount,
          ${sign} * w.withheld as withheld,
          d.body #>> '{draft,tdsLower,number}' as lower, (d.body #>> '{draft,tdsLower,rate}')::int as rate,
          (d.body #>> '{draft,tdsLower,base}')::bigint as base,
          (d.body ->> 'tdsBase')::bigint as borne_base, (d.body ->> 'tdsRate')::int as borne_rate
        from documents d
        cross join lateral (select tax_withheld(d, ${tax}) as withheld) w
        left join parties m on m.organisation = d.organisation and m.id = d.party
        left join parties p
          on p.organisation = d.organisation and p.id = case when m.merged_into is null then m.id else m.merged_into end
        where d.organisation = ${organisation}
          and (d.body #>> '{draft,tdsSection}' is not null or d.tcs > 0)
          and d.reverses is null
          and ${section} is not null
          and ${ours}
          and (
            w.withheld > 0
              or ${spared && tax === 'tds' ? sql`d.body #> '{draft,tdsLower}' is not null` : sql`false`}
          )
          and ${when(from, sql`d.date >= ${from}::date`)}
          and ${when(to, sql`d.date <= ${to}::date`)}
          and ${when(documents, sql`d.id = any(${[...(documents ?? [])]}::uuid[])`)}
          and ${when(
            party,
            sql`
            d.party = any((select party_family(${organisation}, ${party}::uuid))::uuid[])
          `,
          )}
          and ${when(places[0], sql`d.location = any(${[...places]}::uuid[])`)}
          and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
        order by d.date, d.id
        limit ${limit ?? null}
      ),
      deposited as (
        select p.document, sum(p.amount) as paid
        from tax_challan_parts p
        join tax_challans t on t.organisation = p.organisation and t.id = p.challan
        where p.organisation = ${organisation}
          and p.document in (select document from withheld)
          and t.tax = ${tax}
          and not exists (select from cancellations c where c.organisation = t.organisation and c.document = t.id)
        group by p.document
      ),
      given_back as (
        select k.source as document, sum((t.body #>> array['tcsBack', k.source::text])::bigint) as back
        from document_links k
        join documents t on t.organisation = k.organisation and t.id = k.target
        where ${tax === 'tcs'}
          and k.organisation = ${organisation}
          and k.source in (select document from withheld)
          and k.role = 'source'
          and t.body ? 'tcsBack'
          and not exists (select from cancellations c where c.organisation = t.organisation and c.document = t.id)
        group by k.source
      )
    select w.*, coalesce(s.paid, 0) as paid, coalesce(g.back, 0) as back
    from withheld w
    left join given_back g on g.document = w.document
    left join deposited s on s.document = w.document
    order by w.date, w.document
  `.execute(run);
  return rows.map((row) => deductionOf(tax, row));
}

const deductionOf = (
  tax: Which['tax'],
  { section: named, amount, withheld, back, paid, lower, rate, base, borne_base, borne_rate, ...row }: Row,
): Deduction => {
  const certificate = lower === null ? null : { number: lower, rate: rate ?? 0, base: paise(Number(base)) };
  const { date, pan } = row;
  const of = { named, date, pan, value: paise(Number(amount)), withheld: paise(Number(withheld)), lower: certificate };
  return {
    ...row,
    ...{ named, lower: certificate, withheld: of.withheld },
    section: sectionOf(tax, named).section,
    head: headOf(pan),
    back: paise(Number(back)),
    paid: paise(Number(paid)),
    ...(tax === 'tds' ? deducted(of, borne_base, borne_rate) : collected(of)),
  };
};

type Withheld = Pick<Deduction, 'named' | 'date' | 'pan' | 'withheld' | 'lower'> & { readonly value: Paise };

/** On what tax was deducted: the rate is that of a certificate where it covers all of it, else that of the section. */
function deducted({ named, value, lower, ...of }: Withheld, base: string | null, rate: number | null): Borne {
  const kept = {
    ...(base !== null && { base: paise(Number(base)) }),
    ...(rate !== null && { rate: percent(rate) }),
  };
  if (lower === null) return borneBy(named, { ...of, value }, kept);
  const amount = kept.base ?? value;
  const usual = kept.rate ?? tdsRate(named, of.date);
  const rest = paise(amount - lower.base);
  const tax = sum([
    scale(lower.base, percent(lower.rate), HUNDRED_PERCENT),
    usual === undefined ? zero : scale(rest, usual, HUNDRED_PERCENT),
  ]);
  const whole = lower.base === amount;
  return { amount, rate: whole ? percent(lower.rate) : usual, byHand: Math.abs(of.withheld - tax) >= 100 };
}

const collected = ({ value: amount, withheld }: Withheld): Borne => ({
  amount,
  rate: amount === 0 ? undefined : percent(scale(withheld, HUNDRED_PERCENT, amount)),
  byHand: false,
});

/** A part of a challan that stands, for one of these documents. */
export interface DepositedPart {
  readonly challan: Id;
  readonly number: string;
  readonly document: Id;
  readonly date: Day;
  readonly bsr: string | null;
  readonly serial: string | null;
  readonly amount: Paise;
}

/** By which challans the tax of documents was paid. */
export async function deposits(
  run: QueryExecutorProvider,
  organisation: number,
  tax: Withholding,
  documents: readonly Id[],
): Promise<DepositedPart[]> {
  if (documents.length === 0) return [];
  const { rows } = await sql<Omit<DepositedPart, 'amount'> & { amount: string }>`
    select t.id as challan, d.number, p.document, t.date, t.bsr, t.serial, p.amount
    from tax_challan_parts p
    join tax_challans t on t.organisation = p.organisation and t.id = p.challan
    join documents d on d.organisation = t.organisation and d.id = t.id
    where p.organisation = ${organisation}
      and t.tax = ${tax}
      and p.document = any(${[...documents]}::uuid[])
      and not exists (select from cancellations c where c.organisation = t.organisation and c.document = t.id)
    order by t.date, t.id, p.document
  `.execute(run);
  return rows.map((row) => ({ ...row, amount: paise(Number(row.amount)) }));
}
