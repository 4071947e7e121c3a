import { quarterOf } from '../../../../domain/base/dates.ts';
import type { Day, Draft, Id } from '../../../../domain/document/document.ts';
import { type KindName, kindCalled, kindNames, kindOf } from '../../../../domain/document/kinds/index.ts';
import { type FilingPeriod, filesQuarterly } from '../../../../domain/tax/gst/returns/filing.ts';

/** Money of customers without tax of its own: a receipt, other than one of an advance, which posts the tax. */
export const isPlainReceipt = (name: string): boolean => {
  const kind = kindCalled(name);
  return kind?.lines.of === 'none' && kind.books.opens === 'customerCredit' && kind.gst.tax === 'none';
};

/** Kinds of invoices that charge tax. */
const invoices = kindNames.filter((name) => kindOf(name).gst.gstr1 === 'invoice');

/** A receipt of this month is in no earlier return than what it settles. */
export const mayPrecedeServices = (kind: KindName, { date, allocations = [] }: Draft, today: Day): boolean =>
  isPlainReceipt(kind) && allocations.length > 0 && date.slice(0, 7) < today.slice(0, 7);

/** Of documents that are settled, invoices of taxed services by a registration that charges tax, dated after the money. */
export const servicesDatedAfter = `
  select d.id, d.number, d.date::text as date, coalesce(r.body -> 'filing', '[]') as filing
    from documents d
    join registrations r on r.organisation = d.organisation and r.id = d.registration
   where d.organisation = $1
     and d.id = any($2::uuid[])
     and d.date > $3::date
     and d.kind = any($4::text[])
     and not d.reverse_charge
     and registration_status(d.organisation, d.registration, d.date) in ('regular', 'sez')
     and exists (
       select from document_lines l
        where l.organisation = d.organisation
          and l.document = d.id
          and (l.service or l.hsn like '99%')
          and l.cgst + l.sgst + l.igst > 0
     )
   order by d.date, d.number`;
export const valuesOfServices = (organisation: number, documents: readonly Id[], date: Day): unknown[] => [
  ...[organisation, documents, date, invoices],
];

export interface Service {
  readonly id: Id;
  readonly number: string;
  readonly date: Day;
  readonly filing: readonly FilingPeriod[];
}

/** Those of them that a later return shows: the tax was due with the money (section 13(2) of the CGST Act). */
export const ofLaterReturn = (found: readonly Service[], received: Day): Service[] =>
  found.filter(({ date, filing }) =>
    filesQuarterly(filing, date) ? quarterOf(received).end < date : received.slice(0, 7) < date.slice(0, 7),
  );
