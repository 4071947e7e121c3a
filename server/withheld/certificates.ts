import { type QueryExecutorProvider, sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { taxCalls } from '../../contract/withheld.ts';
import { addMonths } from '../../domain/base/dates.ts';
import { moneyText, rupeesText } from '../../domain/base/decimal.ts';
import { type Paise, sum } from '../../domain/base/money.ts';
import { type Said, say } from '../../domain/base/say.ts';
import type { Day, Id } from '../../domain/document/document.ts';
import type { Withholding } from '../../domain/facts/deposits.ts';
import { dueOf, leftOf, type TaxQuarter, taxQuarterOf } from '../../domain/tax/deposits.ts';
import type { Context } from '../context.ts';
import { staleOf } from '../kit/database/stale.ts';
import { newId } from '../kit/ids.ts';
import { daysOf } from './challans.ts';
import { type Deduction, type DepositedPart, deductions, deposits } from './deductions.ts';

type Calls = typeof taxCalls;
type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
export type Asked = Input<Calls['PrintTaxCertificate']>;

/** Who deducted or collected: the registration that has a TAN. */
export interface Deductor {
  readonly name: string;
  readonly tan: string | null;
  readonly pan: string | null;
  readonly address: string;
}

export async function deductorOf(run: QueryExecutorProvider, organisation: number): Promise<Deductor> {
  const { rows } = await sql<{ name: string; gstin: string | null; tan: string | null; address: string }>`
    select
      r.legal_name as name, r.gstin, nullif(r.body ->> 'tan', '') as tan,
      concat_ws(
        ', ', nullif(r.body ->> 'line1', ''), nullif(r.body ->> 'line2', ''),
        nullif(concat_ws(' ', r.body ->> 'city', r.body ->> 'pincode'), '')
      ) as address
    from registrations r
    where r.organisation = ${organisation} and r.active
    order by (nullif(r.body ->> 'tan', '')) is null, r.gstin
    limit 1
  `.execute(run);
  const { name = '', gstin = null, tan = null, address = '' } = rows[0] ?? {};
  return { name, tan, pan: gstin?.slice(2, 12) ?? null, address };
}

/** What a certificate states: of one payee and quarter, deduction by deduction and challan by challan. */
export interface Certificate {
  readonly party: Id | null;
  readonly name: string;
  readonly pan: string | null;
  readonly deductions: readonly Deduction[];
  readonly deposits: readonly DepositedPart[];
  /** Why there is none yet. */
  readonly obstacle: Said | null;
}

export const amountOf = ({ deductions: all }: Certificate): Paise => sum(all.map(({ amount }) => amount));
export const withheldOf = ({ deductions: all }: Certificate): Paise => sum(all.map(dueOf));
export const depositedOf = ({ deductions: all }: Certificate): Paise => sum(all.map(({ paid }) => paid));

/** The quarter that a call names. */
export const quarterAsked = (tax: Withholding, year: string, quarter: number): TaxQuarter =>
  taxQuarterOf(tax, addMonths(daysOf(year).start, (quarter - 1) * 3));

function certificateBlocker(
  party: Id | null,
  own: readonly Deduction[],
  paid: readonly DepositedPart[],
  { tan }: Deductor,
  { end }: TaxQuarter,
  today: Day,
): Said | null {
  const left = sum(own.map(leftOf));
  const unnamed = paid.find(({ bsr }) => bsr === null);
  if (party === null) return say('its documents name no party of the masters');
  if (left > 0)
    return say('{{left}} of {{due}} is not deposited', {
      left: rupeesText(left),
      due: rupeesText(sum(own.map(dueOf))),
    });
  if (unnamed)
    return say('the BSR code and serial number of the challan {{number}} are missing', { number: unnamed.number });
  if (!tan) return say('our TAN is missing: it belongs to the GST registration');
  return end >= today ? say('the quarter is not over') : null;
}

/** The certificates of a quarter by payee. They are about every location: nobody certifies some of them. */
export async function certificatesOfQuarter(
  trx: Trx,
  context: Context,
  quarter: TaxQuarter,
  { tax, party }: { readonly tax: Withholding; readonly party?: Id },
): Promise<{ readonly deductor: Deductor; readonly all: readonly Certificate[] }> {
  const { organisation, today } = context;
  const deductor = await deductorOf(trx, organisation);
  const found = await deductions(trx, { organisation, tax, from: quarter.start, to: quarter.end, party });
  const paid = await deposits(
    trx,
    organisation,
    tax,
    found.map(({ document }) => document),
  );
  const groups = new Map<string, Deduction[]>();
  for (const one of found) groups.set(one.party ?? one.name, [...(groups.get(one.party ?? one.name) ?? []), one]);
  const all = [...groups.values()].flatMap((own): Certificate[] => {
    const [first] = own;
    if (!first) return [];
    const documents = new Set(own.map(({ document }) => document));
    const parts = paid.filter(({ document }) => documents.has(document));
    return [
      {
        party: first.party,
        name: first.name,
        pan: first.pan,
        deductions: own,
        deposits: parts,
        obstacle: certificateBlocker(first.party, own, parts, deductor, quarter, today),
      },
    ];
  });
  return { deductor, all: all.sort((a, b) => a.name.localeCompare(b.name)) };
}

/** What was typed of a certificate. */
export interface Typed {
  readonly number: string;
  readonly signedBy: string;
  readonly capacity: string;
  readonly version: number;
}
export const untyped: Typed = { number: '', signedBy: '', capacity: '', version: 0 };

/** By payee, whoever of a merged pair they were typed for. */
export async function typedOf(
  trx: Trx,
  organisation: number,
  tax: Withholding,
  { year, number }: TaxQuarter,
): Promise<
  ReadonlyMap<
    Id,
    Typed & { readonly mailed: { readonly to: string; readonly at: string; readonly state: string } | null }
  >
> {
  const { rows } = await sql<Typed & { party: Id; to: string[] | null; at: Date | null; state: string | null }>`
    select
      surviving_party(t.organisation, t.party) as party, t.number, t.signed_by as "signedBy", t.capacity,
      t.version, m.recipients as "to", m.at, m.state
    from tax_certificates t
    left join lateral (
      select m.recipients, m.at, m.state
      from mail_papers p
      join mails m on m.organisation = p.organisation and m.id = p.mail
      where p.organisation = t.organisation and p.certificate = t.id
      order by m.at desc
      limit 1
    ) m on true
    where t.organisation = ${organisation} and t.tax = ${tax} and t.year = ${year} and t.quarter = ${number}
    order by (surviving_party(t.organisation, t.party) = t.party)
  `.execute(trx);
  return new Map(
    rows.map(({ party, to, at, state, ...typed }) => [
      party,
      { ...typed, mailed: to && at && state ? { to: to.join(', '), at: at.toISOString(), state } : null },
    ]),
  );
}

export const listTaxCertificates = (
  { tax, year, quarter }: Input<Calls['ListTaxCertificates']>,
  context: Context,
): Promise<Answer<Calls['ListTaxCertificates']>> =>
  context.inTransaction(async (trx) => {
    const asked = quarterAsked(tax, year, quarter);
    const { organisation } = context;
    const { deductor, all } = await certificatesOfQuarter(trx, context, asked, { tax });
    const typed = await typedOf(trx, organisation, tax, asked);
    const { rows } = await sql<{
      id: Id;
      email: string | null;
    }>`
      select id, body ->> 'email' as email
      from parties
      where organisation = ${organisation} and id = any(${all.flatMap(({ party }) => party ?? [])}::uuid[])
    `.execute(trx);
    const emails = new Map(rows.map(({ id, email }) => [id, email ?? '']));
    return {
      certificate: asked.terms.certificate,
      statement: asked.terms.statement,
      statementDue: asked.statementDue,
      certificateDue: asked.certificateDue,
      from: asked.start,
      to: asked.end,
      named: asked.named,
      tan: deductor.tan,
      pan: deductor.pan,
      rows: all.map((one) => {
        const { version, mailed, ...words } = { mailed: null, ...untyped, ...typed.get(one.party ?? '') };
        return {
          party: one.party,
          name: one.name,
          pan: one.pan,
          email: emails.get(one.party ?? '') ?? '',
          sections: [...new Set(one.deductions.map(({ section }) => section))],
          amount: moneyText(amountOf(one)),
          withheld: moneyText(withheldOf(one)),
          deposited: moneyText(depositedOf(one)),
          obstacle: one.obstacle?.message ?? null,
          ...words,
          version,
          mailed,
        };
      }),
    };
  });

/** The row of a certificate: what is typed of it, and what its mails hang on. */
export async function certificateRow(
  trx: Trx,
  { organisation, user }: Context,
  { tax, party, year, quarter }: Asked,
): Promise<Id> {
  await sql`
    insert into tax_certificates (organisation, id, tax, party, year, quarter, number, signed_by, capacity, by)
    values (
      ${organisation}, ${newId()}, ${tax}, surviving_party(${organisation}, ${party}::uuid), ${year}, ${quarter},
      '', '', '', ${user}
    )
    on conflict do nothing
  `.execute(trx);
  const { rows } = await sql<{
    id: Id;
  }>`
    select id
    from tax_certificates
    where organisation = ${organisation}
      and tax = ${tax}
      and party = surviving_party(${organisation}, ${party}::uuid)
      and year = ${year}
      and quarter = ${quarter}
  `.execute(trx);
  if (!rows[0]) throw new Refusal('notFound');
  return rows[0].id;
}

/** The number can be typed before all is deposited: TRACES knows better than we do. */
export const saveTaxCertificate = (
  { number, signedBy, capacity, version = 0, ...asked }: Input<Calls['SaveTaxCertificate']>,
  context: Context,
): Promise<Answer<Calls['SaveTaxCertificate']>> =>
  context.inTransaction(async (trx) => {
    const { organisation, user } = context;
    const { all } = await certificatesOfQuarter(
      trx,
      context,
      quarterAsked(asked.tax, asked.year, asked.quarter),
      asked,
    );
    if (all.length === 0) throw new Refusal('notFound');
    const id = await certificateRow(trx, context, asked);
    // one that nobody has typed yet is there once it was mailed
    const written = await sql`
      update tax_certificates
      set
        number = ${number.toUpperCase()}, signed_by = ${signedBy}, capacity = ${capacity},
        version = version + 1, by = ${user}, at = now()
      where organisation = ${organisation}
        and id = ${id}
        and (
          version = ${version}
            or ${version} = 0 and version = 1 and number = '' and signed_by = '' and capacity = ''
        )
    `.execute(trx);
    if (Number(written.numAffectedRows) === 0) throw await staleOf(trx, organisation, 'tax_certificates', id);
    const { rows } = await sql<{
      version: number;
    }>`select version from tax_certificates where organisation = ${organisation} and id = ${id}`.execute(trx);
    return { version: rows[0]?.version ?? version };
  });
