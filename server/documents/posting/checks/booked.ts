import { sql } from 'kysely';
import type pg from 'pg';
import { millionths } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import type { Effect, Ledgers } from '../../../../domain/books/effects.ts';
import { batchKey, undatedBatches } from '../../../../domain/document/checks/batches.ts';
import { asksCash, cashNamed, cashPerson, mayTakeCash } from '../../../../domain/document/checks/cash.ts';
import { hasCustomsNumber, hasSuppliersNumber } from '../../../../domain/document/checks/check.ts';
import { bringsIn, mayBeBeforeBooks } from '../../../../domain/document/checks/dates.ts';
import { hasOwnRate, mayMakeStale } from '../../../../domain/document/checks/exchange.ts';
import { findsGoods, serialsFound } from '../../../../domain/document/checks/found.ts';
import { billNames, linesOpened, opensBills } from '../../../../domain/document/checks/opening-bills.ts';
import { mayBePaidBefore } from '../../../../domain/document/checks/rates.ts';
import { setsOffByHand } from '../../../../domain/document/checks/set-off.ts';
import { valuesTransfer } from '../../../../domain/document/checks/transfer-value.ts';
import { asksSettled } from '../../../../domain/document/checks/withheld.ts';
import type { Day, Draft, Id } from '../../../../domain/document/document.ts';
import {
  type KindName,
  kindCalled,
  kindNames,
  kindOf,
  saysOfMoney,
  takesBack,
} from '../../../../domain/document/kinds/index.ts';
import {
  billsOfSuppliers,
  dayOfOriginal,
  givesOriginal,
  numberingsOfOriginals,
  originalToFind,
  typedOriginal,
} from '../../../../domain/document/originals.ts';
import type { Booked, BookedOriginal } from '../../../../domain/document/resolve.ts';
import { sourceIds } from '../../../../domain/document/sources.ts';
import { itemsLost, losesCredit, mayLoseCredit } from '../../../../domain/tax/credit-lost.ts';
import { type AnnualReturns, isCreditBarred } from '../../../../domain/tax/gst/returns/time-limits.ts';
import type { Executor } from '../../../kit/database/sql.ts';
import { type Found, financialYearLabel } from '../facts/facts.ts';
import {
  mayPrecedeServices,
  ofLaterReturn,
  type Service,
  servicesDatedAfter,
  valuesOfServices,
} from '../settling/services-later.ts';
import { type OrganisationSnapshot, seriesAt } from '../snapshot.ts';
import type { Nameable, PostingRequest } from '../types.ts';

/** Kinds whose documents have the number of the supplier: a bill booked as an expense is the same bill. */
const suppliersKinds = kindNames.filter((name) => hasSuppliersNumber(kindOf(name)));

const asksDuplicate = (kind: KindName, { party, reference }: Draft): boolean =>
  hasSuppliersNumber(kindOf(kind)) && party !== undefined && Boolean(reference?.trim());
/** Kinds whose documents have the number of a bill of entry. */
const customsKinds = kindNames.filter((name) => hasCustomsNumber(kindOf(name)));
const asksEntry = (kind: KindName, { reference, referenceDate }: Draft): boolean =>
  hasCustomsNumber(kindOf(kind)) && Boolean(reference && referenceDate);
/** The port may be left out: it tells two apart where both have one. */
const entryName = ({ reference, referenceDate }: Draft): string => `${referenceDate} ${reference}`;
/** No number can be dated later than today: a document of today is later than none. */
const asksSeries = (kind: KindName, { date }: Pick<Draft, 'date'>, today: Day): boolean =>
  kindOf(kind).numbering.gst && date < today;

/** A note reduces tax within a time that runs from its original; what takes a bill back takes back its credit, or its cost. */
const asksOriginals = (kind: KindName, draft: Draft): boolean => {
  const { gst, paper } = kindOf(kind);
  return (
    (gst.gstr1 === 'creditNote' || (gst.tax === 'input' && paper.form === 'note')) && originalsOf(draft).length > 0
  );
};
const originalsOf = ({ against, lines }: Draft): Id[] => [
  ...new Set([...(against ? [against] : []), ...lines.flatMap(({ source }) => (source ? [source.document] : []))]),
];

/** The money that a voucher is against is said once. */
const asksMoney = (kind: KindName, { against }: Draft): boolean => against !== undefined && saysOfMoney(kindOf(kind));

/** The number of an original was typed: it may be in the books all the same. */
const asksTyped = (kind: KindName, draft: Draft): boolean => originalToFind(kindOf(kind), draft) !== undefined;

/** Kinds of money that is received for an order before the supply. */
const advanceKinds = kindNames.filter((name) => kindOf(name).gst.gstr1 === 'advance');
const asksAdvances = (kind: KindName, draft: Draft): boolean => mayBePaidBefore(kindOf(kind), draft);

const asksBought = (kind: KindName, draft: Draft): boolean =>
  (losesCredit(kindOf(kind), draft) || mayLoseCredit(kindOf(kind), draft)) && itemsLost(draft).length > 0;
/** Bills with the tax of their goods; that of imports is on a bill of entry. */
const billKinds = kindNames.filter((name) => {
  const { gst, stock, books } = kindOf(name);
  return gst.tax === 'input' && stock.effect === 'in' && books.opens === 'payable';
});

/** Kinds that set credit off against tax: they use what is there of both. */
const settingOff = kindNames.filter((name) => kindOf(name).gst.setsOff);
const asksTaxThere = (kind: KindName, draft: Draft, ledgers: Ledgers): boolean =>
  (kindOf(kind).gst.setsOff === true && draft.lines.length > 0) || setsOffByHand(kindOf(kind), draft, ledgers);

/** Money that deducts tax and settles documents, which may have borne it when they were booked. */
const asksDeducted = (kind: KindName, { tdsAmount, allocations = [] }: Draft): boolean =>
  kindOf(kind).fields.includes('tdsSection') &&
  kindOf(kind).lines.of === 'none' &&
  (tdsAmount ?? 0) > 0 &&
  allocations.length > 0;

/** Kinds that bring in bills from before the books. */
const openingKinds = kindNames.filter((name) => opensBills(kindOf(name)));
/** What a bill from before the books may be booked as already: under our own number, or under that of its supplier. */
const ownBillKinds = kindNames.filter((name) => kindOf(name).books.opens === 'receivable');
const suppliersBillKinds = kindNames.filter((name) => kindOf(name).books.opens === 'payable');
const bookedBillKinds = [...openingKinds, ...ownBillKinds, ...suppliersBillKinds];
/** Kinds that correct originals of the same side in the same direction: notes and returns reduce one together. */
const likeIt = (kind: KindName): readonly KindName[] =>
  kindNames.filter((name) => {
    const [one, other] = [kindOf(name), kindOf(kind)];
    return givesOriginal(one) && one.gst.tax === other.gst.tax && takesBack(one) === takesBack(other);
  });
/** A note that gives its original in words: others may have been made about the same. */
const isNoteOfOriginal = (kind: KindName, draft: Draft): boolean =>
  originalToFind(kindOf(kind), draft) !== undefined && draft.party !== undefined;
const asksBills = (kind: KindName, draft: Draft): boolean =>
  opensBills(kindOf(kind)) && billNames(draft).some((name) => name !== undefined);

/** Kinds that deliver goods to customers. */
const soldKinds = kindNames.filter((name) => {
  const { stock, party } = kindOf(name);
  return stock.effect === 'out' && party.side === 'customer';
});

/** Kinds that bring nothing in: the books run from the first of them on. */
const ordinaryKinds = kindNames.filter((name) => {
  const kind = kindOf(name);
  return !bringsIn(kind) && !kind.life.system && kind.life.cycle !== 'ordered';
});

/** What is known of cash without asking the books. */
const cashOf = ({ ledgers, cash }: OrganisationSnapshot) => ({ ledgers, isCash: (ledger: Id) => cash.has(ledger) });

/** Whether a posting has to look into the books for its checks: it is not decided from memory. */
export const asksBooks = (
  { kind, draft, today, mirrorOf, number }: PostingRequest,
  snapshot: OrganisationSnapshot,
): boolean => {
  if (mirrorOf !== undefined) return false;
  const about: Asked = { kind, draft, today, cash: cashOf(snapshot), takesNumber: number === undefined };
  return lookups.some((lookup) => lookup.asks(about));
};

/**
 * Whether documents of a batch may be the same supplier's document twice, one the original of another, or both vouchers of
 * one payment: each has to see what the one before it wrote.
 */
export function sharesDuplicates(all: readonly PostingRequest[], snapshot: OrganisationSnapshot): boolean {
  if (
    all.some(
      ({ kind, draft }) =>
        mayTakeCash(kindOf(kind), draft, cashOf(snapshot)) ||
        asksTyped(kind, draft) ||
        asksMoney(kind, draft) ||
        asksTaxThere(kind, draft, snapshot.ledgers) ||
        asksBills(kind, draft),
    )
  )
    return true;
  const seen = new Set<string>();
  return all.some(({ kind, draft }) => {
    const name = paperName(kind, draft);
    if (name === undefined) return false;
    const known = seen.has(name);
    seen.add(name);
    return known;
  });
}

/** What a paper of others is known by: a supplier's, or that of customs. */
function paperName(kind: KindName, draft: Draft): string | undefined {
  if (asksEntry(kind, draft)) return entryName(draft);
  if (!asksDuplicate(kind, draft)) return undefined;
  // by its number alone: several records may be one supplier
  return draft.reference
    ?.normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

const sameEntries = `
  select d.kind, d.number, d.date::text as date
    from documents d
   where d.organisation = $1
     and d.kind = any($2::text[])
     and d.reference = $3
     and d.body #>> '{draft,referenceDate}' = $4
     and coalesce(d.body #>> '{draft,fields,port}' = $5, true)
     and d.reverses is null
     and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
   order by d.date, d.number
   limit 1`;
const duplicates =
  'select kind, booked_number as number, date::text as date from supplier_document($1, $2, $3, $4, $5, $6)';
// a number that contains its year is no number of another year
const ownOriginal = `
  select d.kind, d.number, d.date::text as date,
         exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id) as cancelled
    from documents d
   where d.organisation = $1
     and d.registration = any(array(select id from registrations where organisation = $1))
     and d.financial_year = any($4::text[])
     and d.numbering = any($3::text[])
     and bare_number(d.number) collate "C" = bare_number($2)
     and (d.financial_year = $5 or position(substr(d.financial_year, 3) in d.number) > 0)
     and ($6::uuid is null or d.party = any(party_family($1, $6)))
   order by cancelled, d.date desc, d.id desc
   limit 1`;
const firstOfKinds = `
  select min(date)::text as since
    from documents
   where organisation = $1
     and registration = $2
     and kind = any($3::text[])
     and ($4::uuid is null or party = $4)
     and reverses is null`;
const suppliersOriginal = `
  select kind, booked_number as number, date::text as date, false as cancelled
    from supplier_document($1, $2, $3, $4, $5, $6)`;
const moneyLeft = `
  select (case when d.currency = 'INR' then a.amount else round(a.amount * d.exchange_rate / 1000000.0) end
           - coalesce((
               select sum((t.body #>> '{draft,amount}')::bigint)
                 from document_links k
                 join documents t on t.organisation = k.organisation and t.id = k.target
                where k.organisation = d.organisation
                  and k.source = d.id
                  and k.role = 'source'
                  and t.kind = $3
                  and t.reverses is null
                  and not exists (select from cancellations c where c.organisation = k.organisation and c.document = k.target)
             ), 0))::text as left
    from documents d
   cross join lateral (select coalesce((d.body #>> '{draft,amount}')::bigint, 0) as amount) a
   where d.organisation = $1 and d.id = $2`;
const latest = 'select number, date::text as date from last_of_series($1, $2, $3, $4, $5)';
const originals = `
  select id, kind, date::text as date, reverse_charge, body #>> '{draft,referenceDate}' as reference_date,
         coalesce(body -> 'warnings' @> '[{"code": "creditBarred"}]', false) as warned
  from documents
  where organisation = $1 and id = any($2::uuid[])`;
const deducted =
  'select number from documents where organisation = $1 and id = any($2::uuid[]) and tds > 0 order by number';
const opened = `
  select min(d.date)::text as opened
    from documents d
   where d.organisation = $1
     and d.kind = any($2::text[])
     and d.reverses is null
     and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)`;
const firstOrdinary = `
  select min(d.date)::text as first
    from documents d
   where d.organisation = $1
     and d.kind = any($2::text[])
     and d.date < $3::date
     and d.reverses is null
     and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)`;
const heldOf = `
  select item, sum(quantity)::text as quantity, sum(value)::text as value
    from item_balances
   where organisation = $1 and item = any($2::uuid[])
   group by item
  having sum(quantity) > 0`;
const expiries = `
  select distinct n.item, n.batch, known.expiry::text as expiry
    from jsonb_to_recordset($2::jsonb) n(item uuid, batch text)
   cross join lateral (
     select m.expiry
       from part_moves($1, n.item, 'batch', n.batch) m
      where m.expiry is not null
      order by m.date, m.sequence
      limit 1
   ) known`;
const restated = `
  select min(v.as_of)::text as restated
    from exchange_revaluations v
   where v.organisation = $1
     and v.as_of >= $2::date
     and v.as_of > coalesce((select locked_through from locks where organisation = $1), '-infinity'::date)
     and not exists (select from cancellations c where c.organisation = v.organisation and c.document = v.journal)`;
// what is taken out today is missing on every later day
const cashThere = `
  with days as (
    select ledger, day, sum(debit - credit) as moved, sum(debit) > 0 as filled
      from ledger_day_totals
     where organisation = $1 and ledger = any($2::uuid[])
     group by ledger, day
     union all
    select ledger, $3::date, 0, false from unnest($2::uuid[]) ledger
  ), running as (
    select ledger, day, sum(moved) over (partition by ledger order by day) as there,
           bool_or(filled) over (partition by ledger) as kept
      from days
  )
  select distinct on (r.ledger) r.ledger, l.name, r.there::text as least, r.day::text as day, r.kept
    from running r
    join ledgers l on l.organisation = $1 and l.id = r.ledger
   where r.day >= $3::date
   order by r.ledger, r.there, r.day`;
const cashWith = `
  select coalesce(sum(e.debit), 0)::text as received, coalesce(sum(e.credit), 0)::text as paid
    from documents d
    join entries e on e.organisation = d.organisation and e.document = d.id
    join ledgers l on l.organisation = e.organisation and l.id = e.ledger and l.role = 'cash'
   where d.organisation = $1
     and d.party = any(party_family($1, $2))
     and d.date = $3::date
     and d.reverses is null
     and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)`;
const cashFor = `
  select d.id as document, d.number,
         coalesce((
           select sum(coalesce(a.invoice_worth, a.amount))
             from allocations a
             join documents m on m.organisation = a.organisation and m.id = a.credit_document
             join ledgers l
               on l.organisation = a.organisation and l.id = (m.body #>> '{draft,moneyLedger}')::uuid and l.role = 'cash'
            where a.organisation = d.organisation and a.invoice_document = d.id
         ), 0)::text as amount
    from documents d
   where d.organisation = $1 and d.id = any($2::uuid[])`;
// what opened before the books has no tax that is known here
const settled = `
  select coalesce(sum(i.original), 0)::text as worth,
         coalesce(sum(
           case when i.line = 0 and d.total > 0
             then round(i.original * least((d.body ->> 'value')::bigint, d.total) / d.total::numeric)
             else i.original end
         ), 0)::text as net
    from (select distinct * from unnest($2::uuid[], $3::int[])) a(document, line)
    join open_items i on i.organisation = $1 and i.document = a.document and i.line = a.line
    join documents d on d.organisation = $1 and d.id = i.document`;
// credit may not fall below zero on a later day either; of what is due, a later set-off may have paid a part already
const taxThere = `
  with days as (
    select e.ledger, e.date,
           sum(e.debit - e.credit) as moved,
           sum(case when e.date > $4::date and d.kind <> all($5::text[]) then e.credit else e.credit - e.debit end) as owed
      from entries e
      join documents d on d.organisation = e.organisation and d.id = e.document
     where e.organisation = $1 and e.registration = $2 and e.ledger = any($3::uuid[])
     group by e.ledger, e.date
     union all
    select ledger, '0001-01-01'::date, 0, 0 from unnest($3::uuid[]) ledger
  ), running as (
    select ledger, date,
           sum(moved) over upto as there,
           sum(owed) over upto as due,
           lead(date) over (partition by ledger order by date) as next
      from days
    window upto as (partition by ledger order by date)
  )
  select r.ledger, l.role, min(r.there)::text as credit, min(r.due)::text as due,
         array(select effect from posting_map p where p.organisation = $1 and p.ledger = r.ledger) as effects
    from running r
    join ledgers l on l.organisation = $1 and l.id = r.ledger
   where r.next is null or r.next > $4::date
   group by r.ledger, l.role`;
interface TaxThereRow {
  readonly ledger: Id;
  readonly role: string | null;
  readonly effects: readonly Effect[];
  readonly credit: string;
  readonly due: string;
}
const advances = `
  with ordered as (
    select unnest($2::uuid[]) as id
     union
    select source
      from document_links
     where organisation = $1
       and target = any($2::uuid[])
       and role in ('source', 'order')
  )
  select distinct d.id, d.date::text as date, d.total::text as total
    from ordered o
    join document_links k on k.organisation = $1 and k.source = o.id and k.role in ('source', 'order')
    join documents d on d.organisation = $1 and d.id = k.target
   where d.kind = any($3::text[])
     and not exists (select from cancellations c where c.organisation = $1 and c.document = d.id)
   order by 2, 1`;
/*
 * The newest bills that the goods on hand on that day come from, also those without credit. Tax of imports is on their bills of
 * entry, for the lines that these cover: of a line its share by value.
 */
const boughtWith = `
  with held as (
    select b.item, sum(b.quantity) - coalesce(sum(later.quantity), 0) as quantity
      from item_balances b
      join locations p on p.organisation = b.organisation and p.id = b.location and p.registration = $3
     cross join lateral (
       select sum(m.quantity) as quantity
         from movements m
        where m.organisation = b.organisation and m.item = b.item and m.location = b.location and m.date > $4::date) later
     where b.organisation = $1 and b.item = any($2::uuid[])
     group by b.item),
  lots as (
    select l.item, l.document, l.line, l.base_quantity as quantity, l.taxable, l.cgst, l.sgst, l.igst, l.cess,
           d.registration, d.date, d.body,
           sum(l.base_quantity) over (partition by l.item order by d.date desc, d.id desc, l.line) - l.base_quantity as newer
      from document_lines l
      join documents d on d.organisation = l.organisation and d.id = l.document
     where l.organisation = $1
       and l.item = any($2::uuid[])
       and d.registration = $3
       and d.date <= $4::date
       and d.kind = any($5::text[])
       and l.base_quantity > 0
       and not exists (select from cancellations c where c.organisation = $1 and c.document = d.id)),
  used as (
    select t.*,
           not i.credit_blocked
             and registration_status($1, t.registration, t.date) in ('regular', 'sez')
             and not coalesce(t.body -> 'warnings' @> '[{"code": "creditBarred"}]', false)
             and not coalesce((t.body #>> array['draft', 'lines', (t.line - 1)::text, 'creditBlocked'])::boolean, false)
             as credited
      from lots t
      join items i on i.organisation = $1 and i.id = t.item
      left join held using (item)
     where t.newer < greatest(coalesce(held.quantity, 0), 1)),
  entries_of as (
    select k.source as document, e.id, (e.body #>> '{draft,customs,igst}')::numeric as igst,
           nullif(jsonb_path_query_array(e.body, '$.draft.customs.covers.* ? (@ > 0)'), '[]') is null as whole,
           e.body #> '{draft,customs,covers}' as covers
      from document_links k
      join documents e on e.organisation = k.organisation and e.id = k.target and e.kind = any($6::text[])
     where k.organisation = $1
       and k.source in (select document from used)
       and e.reverses is null
       and not exists (select from cancellations c where c.organisation = $1 and c.document = e.id)),
  assessed as (
    select n.document, n.id, n.igst, o.line,
           case when n.whole then o.taxable
                else o.taxable * coalesce((n.covers ->> o.line::text)::numeric, 0) / nullif(o.quantity, 0) end as value
      from entries_of n
      join document_lines o on o.organisation = $1 and o.document = n.document and o.item is not null),
  entered as (
    select document, line, round(sum(igst * value / whole)) as igst
      from (select a.*, nullif(sum(value) over (partition by id), 0) as whole from assessed a) shared
     group by document, line)
  select u.item, sum(u.quantity)::text as quantity,
         coalesce(sum(u.cgst) filter (where credited), 0)::text as cgst,
         coalesce(sum(u.sgst) filter (where credited), 0)::text as sgst,
         coalesce(sum(u.igst + coalesce(n.igst, 0)) filter (where credited), 0)::text as igst,
         coalesce(sum(u.cess) filter (where credited), 0)::text as cess
    from used u
    left join entered n on n.document = u.document and n.line = u.line
   group by u.item
  having bool_or(credited)`;
const openingBills = `
  with asked as (
    select * from jsonb_to_recordset($2::jsonb) w(row int, party uuid, debit boolean, reference text)
  ), found as (
    select w.row, d.number, d.date, d.id
      from asked w
      join documents d on d.organisation = $1 and d.kind = any($3::text[]) and d.reverses is null
     cross join lateral jsonb_array_elements(d.body #> '{draft,lines}') l(line)
     where l.line ->> 'party' = w.party::text
       and upper(trim(l.line ->> 'reference')) = w.reference
       and (coalesce((l.line ->> 'debit')::bigint, 0) > 0) = w.debit
       and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
     union all
    select w.row, d.number, d.date, d.id
      from asked w
      join documents d on d.organisation = $1 and d.party = w.party and d.reverses is null
     where (
             (w.debit and d.kind = any($4::text[]) and bare_number(d.number) = bare_number(w.reference))
             or (not w.debit and d.kind = any($5::text[]) and bare_number(d.reference) = bare_number(w.reference))
           )
       and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
  )
  select distinct on (row) row, number, date::text as date
    from found
   order by row, date, id`;
const billsBroughtIn = `
  select d.kind, d.number, d.date::text as date
    from documents d
    join open_items o on o.organisation = d.organisation and o.document = d.id
   where d.organisation = $1
     and d.kind = any($5::text[])
     and d.reverses is null
     and o.side = 'payable'
     and o.party = any(supplier_records($1, $2))
     and bare_number(o.reference) = bare_number($3)
     and bare_number($3) <> ''
     and financial_year_start(
           coalesce((d.body #>> array['draft', 'lines', (o.line - 1)::text, 'referenceDate'])::date, $4::date)
         ) = financial_year_start($4::date)
     and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
   order by d.date, d.number
   limit 1`;
const notesOfOriginal = `
  select d.number, d.date::text as date, d.body #>> '{draft,fields,originalDate}' as "originalDate"
    from documents d
   where d.organisation = $1
     and d.party = any(supplier_records($1, $2))
     and d.registration = $3
     and d.kind = any($4::text[])
     and bare_number(d.body #>> '{draft,fields,originalNumber}') = bare_number($5)
     and d.reverses is null
     and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
   order by d.date, d.id
   limit 1`;
const openedBefore = `
  select distinct on (w.row) w.row, d.number, d.date::text as date
    from documents d
   cross join lateral jsonb_array_elements(d.body #> '{draft,lines}') l (line)
    join jsonb_to_recordset($2::jsonb) w(row int, ledger text, "costCentre" text, item text, room text, batch text, serials jsonb)
      on coalesce(l.line ->> 'ledger', '') = w.ledger
     and coalesce(l.line ->> 'item', '') = w.item
     and coalesce(l.line ->> 'costCentre', '') = w."costCentre"
     and coalesce(l.line ->> 'room', '') = w.room
     and upper(trim(coalesce(l.line #>> '{batches,0,batch}', ''))) = w.batch
     and upper(coalesce(l.line ->> 'serials', '[]'))::jsonb = w.serials
   where d.organisation = $1
     and d.kind = $3
     and d.location = $4
     and coalesce(l.line ->> 'party', '') = ''
     and d.reverses is null
     and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
   order by w.row, d.date, d.id`;
const lastSold = `
  select w.row, w.serial, d.number, d.date::text as date
    from jsonb_to_recordset($2::jsonb) w(row int, item uuid, serial text)
   cross join lateral (
           select x.document, x.quantity
             from part_moves($1, w.item, 'serial', w.serial) x
            order by x.date desc, x.sequence desc
            limit 1
         ) last
    join documents d on d.organisation = $1 and d.id = last.document
   where last.quantity < 0 and d.kind = any($3::text[])
   order by w.row`;
// the rate of the books for the day; else the latest that the books know before it, kept or of a document
const usualRate = `
  select known.rate::text as rate, known.source, known.date::text as date
    from (
      select 1 as rank, rate, source, since as date from exchange_rate_on($1, $2, 'book', $3::date)
       union all
      select 2, rate, source, date
        from exchange_rates
       where organisation = $1 and currency = $2 and date <= $3::date
       union all
      select 2, exchange_rate, 'last used', date
        from documents d
       where organisation = $1
         and currency = $2
         and currency <> 'INR'
         and date <= $3::date
         and reverses is null
         and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
    ) known
   order by known.rank, known.date desc
   limit 1`;
interface Original {
  readonly id: Id;
  readonly kind: string;
  readonly date: Day;
  readonly reverse_charge: boolean;
  readonly reference_date: Day | null;
  /** Its credit was not taken when it was entered: that was said with it. */
  readonly warned: boolean;
}
const barred = (
  { kind, date, reverse_charge: reverseCharge, reference_date, warned }: Original,
  annual: AnnualReturns | undefined,
): boolean => {
  const row = kindCalled(kind);
  return (
    row !== undefined &&
    (warned ||
      isCreditBarred(row, { date, reverseCharge, ...(reference_date && { referenceDate: reference_date }) }, annual))
  );
};
/**
 * What of this kind, number and day the user may not see has no number in messages; that there is one is said all the same.
 */
async function nameless<T extends { readonly number: string; readonly date: Day }>(
  run: Run,
  { organisation, mayName }: Pick<Where, 'organisation' | 'mayName'>,
  kinds: readonly string[],
  found: readonly T[],
): Promise<readonly T[]> {
  if (found.length === 0) return found;
  const all = await run<Nameable & { readonly number: string; readonly date: Day }>(alike, [
    ...[organisation, kinds, found.map(({ number }) => number), found.map(({ date }) => date)],
  ]);
  return found.map((one) =>
    all.every((other) => other.number !== one.number || other.date !== one.date || mayName(other))
      ? one
      : { ...one, number: '' },
  );
}
const alike = `
  select number, date::text as date, kind, location, to_location as "toLocation", author
    from documents
   where organisation = $1 and kind = any($2::text[]) and number = any($3::text[]) and date = any($4::date[])`;

type Run = <T>(text: string, values: readonly unknown[]) => Promise<readonly T[]>;

/** A document before it is posted, as far as it decides what is asked. */
interface Asked {
  readonly kind: KindName;
  readonly draft: Draft;
  readonly today: Day;
  readonly cash: ReturnType<typeof cashOf>;
  /** It gets its number from its series: none was given with it. */
  readonly takesNumber: boolean;
}

interface Where extends Asked {
  readonly organisation: number;
  readonly series: Id | undefined;
  readonly annual: AnnualReturns | undefined;
  /** Whether the user may see the number of a document. */
  readonly mayName: PostingRequest['mayName'];
  /** Others who book the same supplier's document wait until this transaction ends. */
  readonly holds: boolean;
}

/** What a check before posting asks the books: for which documents, and what is found. */
interface Lookup {
  asks(about: Asked): boolean;
  find(run: Run, where: Where): Promise<Booked>;
}

const originalsFound: Lookup = {
  asks: ({ kind, draft }) => asksOriginals(kind, draft),
  find: async (run, { organisation, draft, annual }) => {
    const rows = await run<Original>(originals, [organisation, originalsOf(draft)]);
    if (rows.length === 0) return {};
    return { originals: new Map(rows.map((row) => [row.id, { date: row.date, barred: barred(row, annual) }])) };
  },
};

const advancesFound: Lookup = {
  asks: ({ kind, draft }) => asksAdvances(kind, draft),
  find: async (run, { organisation, draft }) => {
    const ids = [...new Set([...(draft.order ? [draft.order] : []), ...sourceIds(draft)])];
    const rows = await run<{ readonly date: Day; readonly total: string }>(advances, [organisation, ids, advanceKinds]);
    return { advances: rows.map((row) => ({ date: row.date, total: paise(Number(row.total)) })) };
  },
};

const goodsBought: Lookup = {
  asks: ({ kind, draft }) => asksBought(kind, draft),
  find: async (run, { organisation, draft }) => {
    const values = [organisation, itemsLost(draft), draft.registration, draft.date, billKinds, customsKinds];
    const rows = await run<Record<'item' | 'quantity' | 'cgst' | 'sgst' | 'igst' | 'cess', string>>(boughtWith, values);
    return {
      bought: rows.map(({ item, quantity, cgst, sgst, igst, cess }) => ({
        item,
        quantity: Number(quantity),
        cgst: paise(Number(cgst)),
        sgst: paise(Number(sgst)),
        igst: paise(Number(igst)),
        cess: paise(Number(cess)),
      })),
    };
  },
};

const deductedAlready: Lookup = {
  asks: ({ kind, draft }) => asksDeducted(kind, draft),
  find: async (run, { organisation, draft }) => {
    const ids = (draft.allocations ?? []).map(({ document }) => document);
    const rows = await run<{ readonly number: string }>(deducted, [organisation, ids]);
    return rows.length > 0 ? { deducted: rows.map(({ number }) => number) } : {};
  },
};

const servicesLater: Lookup = {
  asks: ({ kind, draft, today }) => mayPrecedeServices(kind, draft, today),
  find: async (run, { organisation, draft }) => {
    const ids = (draft.allocations ?? []).map(({ document }) => document);
    const found = await run<Service>(servicesDatedAfter, valuesOfServices(organisation, ids, draft.date));
    const later = ofLaterReturn(found, draft.date);
    return later.length > 0 ? { servicesLater: later.map(({ number }) => number) } : {};
  },
};

const openingDay: Lookup = {
  asks: ({ kind, draft, today }) => mayBeBeforeBooks(kindOf(kind), draft, today),
  find: async (run, { organisation }) => {
    const [row] = await run<{ readonly opened: Day | null }>(opened, [organisation, openingKinds]);
    return row?.opened ? { opened: row.opened } : {};
  },
};

const firstOrdinaryDay: Lookup = {
  asks: ({ kind }) => bringsIn(kindOf(kind)),
  find: async (run, { organisation, draft }) => {
    const [row] = await run<{ readonly first: Day | null }>(firstOrdinary, [organisation, ordinaryKinds, draft.date]);
    return row?.first ? { firstOrdinary: row.first } : {};
  },
};

const goodsHeld: Lookup = {
  asks: ({ kind, draft }) => findsGoods(kindOf(kind), draft) || valuesTransfer(kindOf(kind), draft),
  find: async (run, { organisation, draft }) => {
    const items = draft.lines.flatMap(({ item }) => item ?? []);
    const rows = await run<Record<'item' | 'quantity' | 'value', string>>(heldOf, [organisation, items]);
    return {
      held: new Map(
        rows.map(({ item, quantity, value }) => [item, { quantity: Number(quantity), value: paise(Number(value)) }]),
      ),
    };
  },
};

const serialsSold: Lookup = {
  asks: ({ kind, draft }) => serialsFound(kindOf(kind), draft).length > 0,
  find: async (run, where) => {
    const named = serialsFound(kindOf(where.kind), where.draft).map(([row, item, serial]) => ({ row, item, serial }));
    const values = [where.organisation, JSON.stringify(named), soldKinds];
    const sold = await run<NonNullable<Booked['sold']>[number]>(lastSold, values);
    return sold.length > 0 ? { sold: await nameless(run, where, soldKinds, sold) } : {};
  },
};

const expiriesKnown: Lookup = {
  asks: ({ kind, draft }) => undatedBatches(kindOf(kind), draft).length > 0,
  find: async (run, { organisation, kind, draft }) => {
    const values = [organisation, JSON.stringify(undatedBatches(kindOf(kind), draft))];
    const rows = await run<{ readonly item: Id; readonly batch: string; readonly expiry: Day }>(expiries, values);
    return { expiries: new Map(rows.map(({ item, batch, expiry }) => [batchKey(item, batch), expiry])) };
  },
};

const restatement: Lookup = {
  asks: ({ kind, draft, today }) => mayMakeStale(kindOf(kind), draft, today),
  find: async (run, { organisation, draft }) => {
    const [row] = await run<{ readonly restated: Day | null }>(restated, [organisation, draft.date]);
    return row?.restated ? { restated: row.restated } : {};
  },
};

const cashMoved: Lookup = {
  asks: ({ kind, draft, cash }) => asksCash(kindOf(kind), draft, cash),
  find: async (run, { organisation, kind, draft, cash, holds }) => {
    const holdsCash = holds && mayTakeCash(kindOf(kind), draft, cash);
    const ledgers = cashNamed(kindOf(kind), draft, cash);
    return { cash: await cashIn(run, { organisation, kind, draft, holds: holdsCash }, ledgers) };
  },
};

const worthSettled: Lookup = {
  asks: ({ kind, draft }) => asksSettled(kindOf(kind), draft),
  find: async (run, { organisation, draft: { allocations = [] } }) => {
    const values = [organisation, allocations.map((a) => a.document), allocations.map((a) => a.line ?? 0)];
    const [row] = await run<{ readonly worth: string; readonly net: string }>(settled, values);
    return row ? { settled: { worth: paise(Number(row.worth)), net: paise(Number(row.net)) } } : {};
  },
};

const taxInLedgers: Lookup = {
  asks: ({ kind, draft, cash }) => asksTaxThere(kind, draft, cash.ledgers),
  find: async (run, { organisation, draft, holds }) => {
    const { registration, date, lines } = draft;
    const ledgers = [...new Set(lines.flatMap(({ ledger }) => ledger ?? []))];
    // of two set-offs at once the second waits, and finds what the first one used
    if (holds)
      await run(`select pg_advisory_xact_lock(hashtextextended('set-off of ' || $2::text, $1))`, [
        organisation,
        registration,
      ]);
    const rows = await run<TaxThereRow>(taxThere, [organisation, registration, ledgers, date, settingOff]);
    const amounts = rows.map(({ ledger, credit, due, ...what }) => {
      return [ledger, { ...what, credit: paise(Number(credit)), due: paise(Number(due)) }] as const;
    });
    return { taxThere: new Map(amounts) };
  },
};

const sameSupplierDocument: Lookup = {
  asks: ({ kind, draft }) => asksDuplicate(kind, draft),
  find: async (run, where) => {
    const { party, reference, referenceDate, date } = where.draft;
    const values = [where.organisation, party, reference, referenceDate ?? date, suppliersKinds, where.holds];
    const twice = await run<NonNullable<Booked['duplicate']>>(duplicates, values);
    const [duplicate] = await nameless(run, where, suppliersKinds, twice);
    if (duplicate) return { duplicate };
    const opened = await run<NonNullable<Booked['duplicate']>>(
      billsBroughtIn,
      values.slice(0, 4).concat([openingKinds]),
    );
    const [before] = await nameless(run, where, openingKinds, opened);
    return before ? { duplicate: before } : {};
  },
};

const sameBillOfEntry: Lookup = {
  asks: ({ kind, draft }) => asksEntry(kind, draft),
  find: async (run, where) => {
    const { organisation, draft, holds } = where;
    // of two that are entered at once the second waits, and finds the first
    if (holds)
      await run(`select pg_advisory_xact_lock(hashtextextended('bill of entry ' || $2::text, $1))`, [
        organisation,
        entryName(draft),
      ]);
    const values = [organisation, customsKinds, draft.reference, draft.referenceDate, draft.fields?.port ?? null];
    const twice = await run<NonNullable<Booked['sameEntry']>>(sameEntries, values);
    const [sameEntry] = await nameless(run, where, customsKinds, twice);
    return sameEntry ? { sameEntry } : {};
  },
};

const moneyOfVoucher: Lookup = {
  asks: ({ kind, draft }) => asksMoney(kind, draft),
  find: async (run, { organisation, kind, draft: { against }, holds }) => {
    // of two vouchers at once the second waits, and finds what the first one says
    if (holds)
      await run(`select pg_advisory_xact_lock(hashtextextended('voucher of ' || $2::text, $1))`, [
        organisation,
        against,
      ]);
    const [money] = await run<{ readonly left: string }>(moneyLeft, [organisation, against, kind]);
    return money ? { leftOfMoney: paise(Number(money.left)) } : {};
  },
};

const billsOpened: Lookup = {
  asks: ({ kind, draft }) => asksBills(kind, draft),
  find: async (run, where) => {
    const named = where.draft.lines.flatMap(({ party, reference, debit = 0 }, row) =>
      party && reference?.trim() ? [{ row, party, debit: debit > 0, reference: reference.trim().toUpperCase() }] : [],
    );
    const values = [where.organisation, JSON.stringify(named), openingKinds, ownBillKinds, suppliersBillKinds];
    const rows = await run<NonNullable<Booked['openingBills']>[number]>(openingBills, values);
    return rows.length > 0 ? { openingBills: await nameless(run, where, bookedBillKinds, rows) } : {};
  },
};

const rateUsual: Lookup = {
  asks: ({ kind, draft }) => hasOwnRate(kindOf(kind), draft),
  find: async (run, { organisation, draft }) => {
    const values = [organisation, draft.currency, dayOfOriginal(draft) ?? draft.date];
    const [row] = await run<{ readonly rate: string; readonly source: string; readonly date: Day }>(usualRate, values);
    return row ? { usualRate: { rate: millionths(Number(row.rate)), from: row.source, date: row.date } } : {};
  },
};

const originalByNumber: Lookup = {
  asks: ({ kind, draft }) => asksTyped(kind, draft),
  find: async (run, where) => {
    const original = await typedOriginalIn(run, where);
    if (original) return { original };
    const { gst, source } = kindOf(where.kind);
    if (gst.tax === 'none') return {};
    const supplier = gst.tax === 'input' ? (where.draft.party ?? null) : null;
    const values = [where.organisation, where.draft.registration, source.kinds, supplier];
    const [row] = await run<{ readonly since: Day | null }>(firstOfKinds, values);
    return row?.since ? { invoicesSince: row.since } : {};
  },
};

const originalNoted: Lookup = {
  asks: ({ kind, draft }) => isNoteOfOriginal(kind, draft),
  find: async (run, where) => {
    const { organisation, kind, draft, holds } = where;
    const { number = '' } = typedOriginal(draft) ?? {};
    // of two that are entered at once the second waits, and finds the first
    if (holds)
      await run(`select pg_advisory_xact_lock(hashtextextended('original ' || $2::text || bare_number($3), $1))`, [
        ...[organisation, draft.party, number],
      ]);
    const kinds = likeIt(kind);
    const values = [organisation, draft.party, draft.registration, kinds, number];
    const noted = await run<NonNullable<Booked['originalAgain']>>(notesOfOriginal, values);
    const [originalAgain] = await nameless(run, where, kinds, noted);
    return originalAgain ? { originalAgain } : {};
  },
};

const openedAlready: Lookup = {
  asks: ({ kind, draft }) => linesOpened(kindOf(kind), draft).length > 0,
  find: async (run, where) => {
    const { organisation, kind, draft } = where;
    const values = [organisation, JSON.stringify(linesOpened(kindOf(kind), draft)), kind, draft.location];
    const found = await run<NonNullable<Booked['openedAlready']>[number]>(openedBefore, values);
    return found.length > 0 ? { openedAlready: await nameless(run, where, [kind], found) } : {};
  },
};

const lastOfSeries: Lookup = {
  asks: ({ kind, draft, today, takesNumber }) => takesNumber && asksSeries(kind, draft, today),
  find: async (run, where) => {
    const { organisation, draft, kind, series } = where;
    if (series === undefined) return {};
    const values = [organisation, draft.registration, kind, series, financialYearLabel(draft.date)];
    const lasts = await run<NonNullable<Booked['lastInSeries']>>(latest, values);
    const [last] = await nameless(run, where, [kind], lasts);
    return last ? { lastInSeries: last } : {};
  },
};

/** In this order they are asked: some take locks that others who post wait for. */
const lookups: readonly Lookup[] = [
  originalsFound,
  advancesFound,
  goodsBought,
  deductedAlready,
  servicesLater,
  openingDay,
  firstOrdinaryDay,
  goodsHeld,
  serialsSold,
  expiriesKnown,
  restatement,
  cashMoved,
  worthSettled,
  taxInLedgers,
  sameSupplierDocument,
  sameBillOfEntry,
  moneyOfVoucher,
  billsOpened,
  rateUsual,
  originalByNumber,
  lastOfSeries,
  originalNoted,
  openedAlready,
];

async function booked(run: Run, where: Where): Promise<Booked | undefined> {
  const found: Booked = {};
  for (const lookup of lookups) if (lookup.asks(where)) Object.assign(found, await lookup.find(run, where));
  return Object.keys(found).length > 0 ? found : undefined;
}

/** What lies in ledgers of cash, and what moved in cash before with the same person and for the same documents. */
async function cashIn(
  run: Run,
  { organisation, kind, draft, holds }: Pick<Where, 'organisation' | 'kind' | 'draft' | 'holds'>,
  ledgers: readonly Id[],
): Promise<NonNullable<Booked['cash']>> {
  // of two payments at once the second waits, and finds what the first one left
  if (holds)
    for (const ledger of ledgers.toSorted())
      await run(`select pg_advisory_xact_lock(hashtextextended('cash of ' || $2::text, $1))`, [organisation, ledger]);
  const { date, allocations = [] } = draft;
  const there = await run<{
    readonly ledger: Id;
    readonly name: string;
    readonly least: string;
    readonly day: Day;
    readonly kept: boolean;
  }>(cashThere, [organisation, ledgers, date]);
  const person = cashPerson(kindOf(kind), draft);
  const [before] =
    person === undefined
      ? []
      : await run<{ readonly received: string; readonly paid: string }>(cashWith, [organisation, person, date]);
  const settled =
    allocations.length === 0
      ? []
      : await run<{ readonly document: Id; readonly number: string; readonly amount: string }>(cashFor, [
          ...[organisation, allocations.map(({ document }) => document)],
        ]);
  return {
    ledgers: new Map(there.map(({ ledger, least, ...row }) => [ledger, { ...row, least: paise(Number(least)) }])),
    ...(before && { before: { received: paise(Number(before.received)), paid: paise(Number(before.paid)) } }),
    ...(settled.length > 0 && {
      settled: new Map(settled.map((row) => [row.document, { number: row.number, amount: paise(Number(row.amount)) }])),
    }),
  };
}

/** The latest document of the series that a draft takes its number from, where the draft may be earlier than it. */
export async function lastInSeries(
  run: Executor,
  organisation: number,
  kind: KindName,
  draft: Pick<Draft, 'date' | 'registration' | 'location'>,
  {
    snapshot,
    today,
    mayName,
  }: Pick<Where, 'mayName'> & { readonly snapshot: OrganisationSnapshot; readonly today: Day },
): Promise<Booked['lastInSeries']> {
  const { date, registration, location } = draft;
  const series = asksSeries(kind, draft, today) ? seriesAt(snapshot, kind, registration, location)?.id : undefined;
  if (series === undefined) return undefined;
  const values = [organisation, registration, kind, series, financialYearLabel(date)];
  const ask = askWith(run);
  const lasts = await ask<NonNullable<Booked['lastInSeries']>>(latest, values);
  return (await nameless(ask, { organisation, mayName }, [kind], lasts))[0];
}

/** The document whose number was typed as that of an original from before the books. */
async function typedOriginalIn(
  run: Run,
  { organisation, kind, draft, today, holds }: Pick<Where, 'organisation' | 'kind' | 'draft' | 'today' | 'holds'>,
): Promise<BookedOriginal | undefined> {
  const row = kindOf(kind);
  const typed = originalToFind(row, draft);
  if (!typed) return undefined;
  const { number, date } = typed;
  const { party = null } = draft;
  const isTheirs = row.gst.tax === 'input';
  if (isTheirs && party === null) return undefined;
  if (isTheirs) {
    const values = [organisation, party, number, date, billsOfSuppliers, holds];
    const [original] = await run<BookedOriginal>(suppliersOriginal, values);
    if (original) return original;
  }
  const years = yearsUntil(today);
  const [original] = await run<BookedOriginal>(ownOriginal, [
    ...[organisation, number, numberingsOfOriginals(row), years, financialYearLabel(date)],
    isTheirs ? party : null,
  ]);
  return original;
}
/** The financial years of GST, by their labels. */
const yearsUntil = (today: Day): readonly string[] =>
  Array.from({ length: Number(today.slice(0, 4)) - FIRST_YEAR + 1 }, (_, at) =>
    financialYearLabel(`${FIRST_YEAR + at}-04-01`),
  );
const FIRST_YEAR = 2017;

/** What the books say of a document that is being posted; undefined when nothing has to be asked. */
export function bookedIn(
  client: pg.ClientBase,
  request: PostingRequest,
  snapshot: OrganisationSnapshot,
): Promise<Booked | undefined> | undefined {
  if (!asksBooks(request, snapshot)) return undefined;
  const { organisation, kind, draft, today, number, mayName } = request;
  const series = seriesAt(snapshot, kind, draft.registration, draft.location)?.id;
  return booked(async (text, values) => (await client.query(text, [...values])).rows, {
    ...{ organisation, kind, draft, today, mayName, holds: true },
    annual: snapshot.annualReturns[draft.registration],
    cash: cashOf(snapshot),
    series,
    takesNumber: number === undefined,
  });
}

/** Asks a text with numbered parameters, in any order and as often as it names them, through a query builder. */
const askWith =
  (run: Executor): Run =>
  async (text, values) => {
    const pieces = text.split(/\$(\d+)/);
    // every second piece is the number of a parameter
    const query = sql.join(
      pieces.map((piece, at) => (at % 2 === 0 ? sql.raw(piece) : sql`${values[Number(piece) - 1]}`)),
      sql.raw(''),
    );
    return (await query.execute(run)).rows as never;
  };

/** The same for a draft that is not being posted. */
export const bookedFor = (
  run: Executor,
  organisation: number,
  kind: KindName,
  draft: Draft,
  { snapshot }: Pick<Found, 'snapshot'>,
  today: Day,
  mayName: Where['mayName'],
): Promise<Booked | undefined> => {
  const series = seriesAt(snapshot, kind, draft.registration, draft.location)?.id;
  return booked(askWith(run), {
    organisation,
    kind,
    draft,
    today,
    series,
    takesNumber: true,
    mayName,
    annual: snapshot.annualReturns[draft.registration],
    cash: cashOf(snapshot),
    holds: false,
  });
};
