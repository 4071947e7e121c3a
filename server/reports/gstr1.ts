import { type QueryExecutorProvider, sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { portalDay } from '../../domain/base/dates.ts';
import { type Millionths, moneyText, type Percent } from '../../domain/base/decimal.ts';
import type { Paise } from '../../domain/base/money.ts';
import type { Said } from '../../domain/base/say.ts';
import type { Day, GstCategory, Id, RegistrationKind, SupplyType, Treatment } from '../../domain/document/document.ts';
import { type Kind, kindCalled, kindNames } from '../../domain/document/kinds/index.ts';
import { uqcOf } from '../../domain/tax/gst/portal/uqc.ts';
import { isRegular, type Status, statusLabels } from '../../domain/tax/gst/registration/registered.ts';
import type { AdvanceLine, AdvanceVoucher } from '../../domain/tax/gst/returns/advances.ts';
import { type IssuedOutside, type IssuedPaper, natureIssued } from '../../domain/tax/gst/returns/documents-issued.ts';
import {
  type FilingPeriod,
  noReturnFor,
  type OutwardReturn,
  outwardReturn,
  statusesIn,
} from '../../domain/tax/gst/returns/filing.ts';
import { gstr1 as drawReturn, type Gstr1 } from '../../domain/tax/gst/returns/gstr1.ts';
import type { ReturnDocument, ReturnLine } from '../../domain/tax/gst/returns/return-document.ts';
import { taxPeriodProblem } from '../../domain/tax/gst/returns/tax-period.ts';
import type { Context } from '../context.ts';
import { Problems } from '../kit/problems.ts';
import type { Exported } from './export.ts';
import { among, type Query, type Row } from './report.ts';

type Shown = NonNullable<Kind['gst']['gstr1']>;
/** What an outward kind is in the return; advances have tables of their own and stand in no invoice table. */
const types: Readonly<Partial<Record<Shown, ReturnDocument['type']>>> = {
  invoice: 'INV',
  creditNote: 'CRN',
  debitNote: 'DBN',
};
const steps: Readonly<Partial<Record<Shown, AdvanceVoucher['what']>>> = {
  advance: 'received',
  advanceAdjusted: 'adjusted',
  advanceRefunded: 'refunded',
};
const shownAs = (kind: string): Shown | undefined => kindCalled(kind)?.gst.gstr1;
const typeOf = (kind: string): ReturnDocument['type'] | undefined => types[shownAs(kind) ?? 'advance'];
const outward = kindNames.filter((k) => typeOf(k) !== undefined);
const advanceKinds = kindNames.filter((k) => steps[shownAs(k) ?? 'invoice'] !== undefined);
const issuedOf = (kind: string, of: { readonly reason?: string | undefined; readonly isInside: boolean }) => {
  const issued = kindCalled(kind)?.gst.issued;
  return issued && natureIssued(issued, of);
};
/** Counted in table 13 and in no other. */
const papersOnly = kindNames.filter(
  (k) => kindCalled(k)?.gst.issued && !outward.includes(k) && !advanceKinds.includes(k),
);

/** Documents of days on which the registration charged tax: those of other days stand in other returns, or in none. */
const whileRegular = sql`registration_status(d.organisation, d.registration, d.date) in ('regular', 'sez')`;

/** The registration files no GSTR-1; its message says why, and what it files. */
class NoReturn extends Error {
  readonly said: Said;
  constructor(said: Said) {
    super(said.message);
    this.said = said;
  }
}
const noReturn = (error: unknown): NoReturn => {
  if (error instanceof NoReturn) return error;
  throw error;
};

interface Found {
  id: string;
  kind: string;
  number: string;
  date: string;
  party_name: string;
  party_gstin: string | null;
  category: GstCategory | null;
  place_of_supply: string;
  supply_type: SupplyType;
  inter: boolean;
  without_tax: boolean;
  reverse_charge: boolean;
  total: string;
  series: string | null;
  cancelled: boolean;
  without_irn: boolean;
  port: string | null;
  bill_number: string | null;
  bill_date: string | null;
  ecommerce_operator: string | null;
  against: { number: string; date: string; total: number } | null;
  lines: readonly {
    hsn: string;
    description: string;
    unit: string;
    uqc: string | null;
    quantity: number;
    treatment: Treatment;
    rate: number;
    taxable: number;
    value: number;
    igst: number;
    cgst: number;
    sgst: number;
    cess: number;
  }[];
}

interface Returned {
  readonly gstin: string;
  readonly asked: OutwardReturn;
  readonly furnished: ReadonlyMap<Id, string>;
  readonly documents: readonly ReturnDocument[];
  readonly vouchers: readonly AdvanceVoucher[];
  readonly outside: readonly IssuedOutside[];
  readonly papers: readonly IssuedPaper[];
  readonly whole: boolean /** Other statuses that the registration has on days of the period. */;
  readonly others: readonly RegistrationKind[];
}

/** The outward documents and advances of a registration and period MMYYYY; cancelled ones too, for they are counted in table 13. */
async function documentsOf(
  db: QueryExecutorProvider,
  organisation: number,
  registration: string,
  period: string,
  places: readonly string[],
  today: Day,
): Promise<Returned> {
  const own = await sql<Status & { gstin: string | null; state: string; filing: FilingPeriod[]; whole: boolean }>`
    select
      kind, status_changes(organisation, id) as statuses, gstin, state,
      coalesce(r.body -> 'filing', '[]') as filing,
      not exists (
        select from locations l
        where l.organisation = r.organisation
          and l.registration = r.id
          and not l.is_transit
          and not ${among('l.id', places)}
      ) as whole
    from registrations r
    where organisation = ${organisation} and id = ${registration}::uuid
  `.execute(db);
  if (!own.rows[0]) throw new Refusal('notFound');
  const { gstin, state, filing, whole } = own.rows[0];
  const asked = outwardReturn(period, filing);
  const none = noReturnFor(asked.form, own.rows[0], asked);
  if (none) throw new NoReturn(none);
  const month = taxPeriodProblem(period, today, asked.quarterly);
  if (month) throw new Problems([{ field: 'period', ...month }]);
  const { from, to } = asked;
  const { rows } = await sql<Found>`
    select
      d.id, d.kind, d.number, d.date, coalesce(t.legal_name, d.party_name) as party_name,
      coalesce(d.party_gstin, t.gstin) as party_gstin,
      coalesce(d.category, case when t.gstin is not null then 'registered' end) as category,
      coalesce(d.place_of_supply, ${state}) as place_of_supply, d.supply_type,
      coalesce(d.body ->> 'supply', case when d.igst <> 0 then 'inter' end) = 'inter' as inter,
      coalesce((d.body -> 'draft' ->> 'withoutTax')::boolean, false) as without_tax, d.reverse_charge,
      d.total, d.series, cancelled_by(d.organisation, d.id, ${to}::date) as cancelled,
      irn_cancelled(d.organisation, d.id)
        and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
        as without_irn,
      d.body -> 'draft' -> 'fields' ->> 'port' as port,
      d.body -> 'draft' -> 'fields' ->> 'shippingBill' as bill_number,
      d.body -> 'draft' -> 'fields' ->> 'shippingBillDate' as bill_date,
      d.body -> 'draft' -> 'fields' ->> 'ecommerceGstin' as ecommerce_operator,
      (
        select jsonb_build_object('number', s.number, 'date', s.date, 'total', s.total)
        from documents s
        where s.organisation = d.organisation and s.id = (d.body -> 'draft' ->> 'against')::uuid
      ) as against,
      (
        select coalesce(
          jsonb_agg(
            jsonb_build_object(
              'hsn', l.hsn, 'description', l.description, 'unit', l.unit, 'uqc',
              (
                select u.body ->> 'uqc'
                from masters u
                where u.organisation = l.organisation and u.master = 'unit' and upper(u.code) = upper(l.unit)
              ),
              'quantity', l.quantity, 'treatment', l.treatment, 'rate', l.gst_rate, 'taxable', l.taxable, 'value',
              l.value, 'igst', l.igst, 'cgst', l.cgst, 'sgst', l.sgst, 'cess', l.cess
            )
            order by l.line
          ),
          '[]'
        )
        from document_lines l
        where l.organisation = d.organisation and l.document = d.id
      ) as lines
    from documents d
    -- goods sent to another of our registrations: that one is the recipient, a person of its own (section 25(4))
    left join locations tl on tl.organisation = d.organisation and tl.id = d.to_location
    left join registrations t
      on t.organisation = d.organisation
        and t.id = coalesce((d.body -> 'draft' ->> 'toRegistration')::uuid, tl.registration)
        and t.id <> d.registration
        and d.party is null
    where d.organisation = ${organisation}
      and d.registration = ${registration}::uuid
      and d.kind = any(${outward}::text[])
      and d.reverses is null
      and ${among('d.location', places)}
      and d.date between ${from}::date and ${to}::date
      and ${whileRegular}
    order by d.date, d.number
  `.execute(db);
  const vouchers = await vouchersOf(db, organisation, registration, asked, places, state);
  const outside = await outsideBooks(db, organisation, registration, asked, places);
  const papers = await papersOf(db, organisation, registration, asked, places);
  return {
    gstin: gstin ?? '',
    asked,
    papers,
    furnished: await furnishedOf(db, organisation, registration, asked),
    outside,
    documents: rows.flatMap((row) => asReturned(row, state)),
    vouchers,
    whole,
    others: statusesIn(own.rows[0], asked).filter((kind) => !isRegular(kind)),
  };
}

/** What IFFs of earlier months of the quarter hold, by document. */
async function furnishedOf(
  db: QueryExecutorProvider,
  organisation: number,
  registration: string,
  { form, quarterly, from, to }: OutwardReturn,
): Promise<Map<Id, string>> {
  if (!quarterly) return new Map();
  // an IFF that is marked already is shown as it was: without what itself furnished
  const { rows } = await sql<{ document: Id; period: string }>`
    select document, period
    from gst_furnished
    where organisation = ${organisation}
      and registration = ${registration}::uuid
      and period >= ${from.slice(0, 7)}
      and (period < ${to.slice(0, 7)} or ${form === 'GSTR-1'} and period <= ${to.slice(0, 7)})
  `.execute(db);
  return new Map(rows.map(({ document, period }) => [document, period]));
}

/** Numbers of tills that stand on papers of the period and whose bill is not in the books: void, refused or not yet received. */
async function outsideBooks(
  db: QueryExecutorProvider,
  organisation: number,
  registration: string,
  { from, to }: OutwardReturn,
  places: readonly string[],
): Promise<IssuedOutside[]> {
  const { rows } = await sql<{ number: string; kind: string; series: string; state: string; reason: string }>`
    select n.number, s.kind, n.series, n.state, n.reason
    from till_numbers n
    join number_series s on s.organisation = n.organisation and s.id = n.series
    join till_sessions t on t.organisation = n.organisation and t.id = n.session
    where n.organisation = ${organisation}
      and s.registration = ${registration}::uuid
      and n.state <> 'posted'
      and registration_status(n.organisation, s.registration, n.day) in ('regular', 'sez')
      and n.day between ${from}::date and ${to}::date
      and ${among('t.location', places)}
    order by n.period, n.counter
  `.execute(db);
  return rows.map(({ number, kind, series, state, reason }) => ({
    nature: issuedOf(kind, { isInside: false }) ?? 1,
    number,
    series: `${kind}/${series}`,
    cancelled: state === 'void',
    isVoid: state === 'void',
    reason,
  }));
}

/** What takes a number that table 13 counts and stands in no other table: challans, self-invoices, payment vouchers. */
async function papersOf(
  db: QueryExecutorProvider,
  organisation: number,
  registration: string,
  { from, to }: OutwardReturn,
  places: readonly string[],
): Promise<IssuedPaper[]> {
  const { rows } = await sql<{
    id: Id;
    kind: string;
    number: string;
    series: string | null;
    reason: string | null;
    cancelled: boolean;
  }>`
    select
      d.id, d.kind, d.number, d.series, d.body -> 'draft' ->> 'reason' as reason,
      cancelled_by(d.organisation, d.id, ${to}::date) as cancelled
    from documents d
    where d.organisation = ${organisation}
      and d.registration = ${registration}::uuid
      and d.kind = any(${papersOnly}::text[])
      and d.reverses is null
      and ${among('d.location', places)}
      and d.date between ${from}::date and ${to}::date
      and ${whileRegular}
    order by d.date, d.number
  `.execute(db);
  return rows.flatMap(({ id, kind, number, series, reason, cancelled }) => {
    const nature = issuedOf(kind, { reason: reason ?? undefined, isInside: false });
    return nature ? [{ id, nature, number, cancelled, series: `${kind}/${series ?? ''}` }] : [];
  });
}

interface FoundVoucher {
  id: string;
  kind: string;
  number: string;
  date: string;
  place_of_supply: string;
  series: string | null;
  cancelled: boolean;
  of_earlier: boolean;
  reversal: boolean;
  lines: readonly { rate: number; taxable: number; igst: number; cgst: number; sgst: number; cess: number }[];
}

/** The vouchers of the period, and reversals in it of vouchers of earlier periods: these stay where they were reported. */
async function vouchersOf(
  db: QueryExecutorProvider,
  organisation: number,
  registration: string,
  { from, to }: OutwardReturn,
  places: readonly string[],
  state: string,
): Promise<AdvanceVoucher[]> {
  const { rows } = await sql<FoundVoucher>`
    with own as (
      select
        d.id as voucher, d.id, d.number, d.date,
        cancelled_by(d.organisation, d.id, ${to}::date) as cancelled, false as reversal
      from documents d
      where d.organisation = ${organisation}
        and d.registration = ${registration}::uuid
        and d.kind = any(${advanceKinds}::text[])
        and d.reverses is null
        and d.date between ${from}::date and ${to}::date
      union all
      select v.id, r.id, r.number, r.date, false, true
      from documents r
      join cancellations c on c.organisation = r.organisation and c.reversal = r.id
      join documents v on v.organisation = c.organisation and v.id = c.document
      where r.organisation = ${organisation}
        and r.registration = ${registration}::uuid
        and r.reverses is not null
        and r.date between ${from}::date and ${to}::date
        and v.kind = any(${advanceKinds}::text[])
        and v.date < ${from}::date
    )
    select
      o.id, d.kind, o.number, o.date, coalesce(d.place_of_supply, ${state}) as place_of_supply, d.series,
      o.cancelled, o.reversal, coalesce(a.date < ${from}::date, false) as of_earlier,
      (
        select coalesce(
          jsonb_agg(
            jsonb_build_object(
              'rate', l.gst_rate, 'taxable', l.taxable, 'igst', l.igst, 'cgst', l.cgst, 'sgst', l.sgst, 'cess',
              l.cess
            )
            order by l.line
          ),
          '[]'
        )
        from document_lines l
        where l.organisation = d.organisation and l.document = d.id
      ) as lines
    from own o
    join documents d on d.organisation = ${organisation} and d.id = o.voucher
    left join documents a on a.organisation = d.organisation and a.id = (d.body -> 'draft' ->> 'against')::uuid
    where ${among('d.location', places)} and ${whileRegular}
    order by o.date, o.number
  `.execute(db);
  return rows.flatMap(({ kind, place_of_supply, of_earlier, lines, series, reversal, ...row }) => {
    const what = steps[shownAs(kind) ?? 'invoice'];
    // integrated tax says so; for what bears none the place of supply decides
    const inter = lines.some((l) => l.igst !== 0) || (lines.every((l) => l.cgst === 0) && place_of_supply !== state);
    return what
      ? [
          {
            ...row,
            what,
            placeOfSupply: place_of_supply,
            inter,
            ofEarlier: of_earlier,
            series: `${kind}/${series ?? ''}`,
            lines: lines as unknown as readonly AdvanceLine[],
            ...(reversal && { reversal: true as const }),
          },
        ]
      : [];
  });
}

/** A note cuts or adds to a price: it moves no goods, so table 12 counts none for it. */
const movesGoods = (name: string): boolean => {
  const kind = kindCalled(name);
  return !(kind?.paper.form === 'note' && kind.stock.effect === 'none');
};

function asReturned(row: Found, state: string): ReturnDocument[] {
  const type = typeOf(row.kind);
  if (!type) return [];
  return [
    {
      id: row.id,
      number: row.number,
      date: row.date,
      type,
      party: {
        category: row.category ?? 'unregistered',
        name: row.party_name,
        ...(row.party_gstin && { gstin: row.party_gstin }),
      },
      supplierState: state,
      placeOfSupply: row.place_of_supply,
      supplyType: row.supply_type,
      inter: row.inter ?? false,
      ...(row.without_tax && { withoutTax: true }),
      reverseCharge: row.reverse_charge,
      total: Number(row.total) as Paise,
      // rule 31D goods: the portal wants the net sale value in the taxable-value field
      lines: row.lines.map(
        (l) =>
          ({
            ...l,
            taxable: l.value,
            uqc: uqcOf(l.uqc ?? l.unit),
            quantity: (movesGoods(row.kind) ? l.quantity : 0) as Millionths,
            rate: l.rate as Percent,
          }) as unknown as ReturnLine,
      ),
      ...(row.against && {
        against: { number: row.against.number, date: row.against.date, total: row.against.total as Paise },
      }),
      ...(row.port && { port: row.port }),
      ...(row.bill_number && row.bill_date && { shippingBill: { number: row.bill_number, date: row.bill_date } }),
      ...(row.ecommerce_operator && { ecommerceOperator: row.ecommerce_operator }),
      cancelled: row.cancelled,
      ...(row.without_irn && { withoutIrn: true }),
      nature: issuedOf(row.kind, { isInside: row.supply_type === 'NONE' }) ?? 1,
      series: `${row.kind}/${row.series ?? ''}`,
    },
  ];
}

type Drawn = Gstr1 & Pick<Returned, 'asked' | 'furnished' | 'whole' | 'others'>;

async function drawn(
  db: QueryExecutorProvider,
  organisation: number,
  filters: Readonly<Record<string, string>>,
  places: readonly string[],
  today: Day,
): Promise<Drawn> {
  const { registration = '', period = '' } = filters;
  return drawnFrom(await documentsOf(db, organisation, registration, period, places, today), period);
}

const drawnFrom = (
  { gstin, asked, furnished, documents, vouchers, outside, papers, whole, others }: Returned,
  period: string,
): Drawn => ({
  ...drawReturn(
    gstin,
    period,
    documents,
    vouchers,
    outside,
    { furnished, ...(asked.form === 'IFF' && { iff: true }) },
    papers,
  ),
  asked,
  furnished,
  whole,
  others,
});

/** The return of all locations of a registration with the documents and vouchers that it is drawn from. */
export async function drawnWith(
  db: QueryExecutorProvider,
  organisation: number,
  { registration, period }: { readonly registration: Id; readonly period: string },
  today: Day,
): Promise<Pick<Returned, 'documents' | 'vouchers'> & { readonly made: Drawn }> {
  const returned = await documentsOf(db, organisation, registration, period, [], today);
  return { made: drawnFrom(returned, period), documents: returned.documents, vouchers: returned.vouchers };
}

/** The documents that an IFF of a month holds, of all locations of the registration. */
export async function iffDocuments(
  db: QueryExecutorProvider,
  organisation: number,
  registration: Id,
  period: string,
  today: Day,
): Promise<Id[]> {
  const { tables } = await drawn(db, organisation, { registration, period }, [], today);
  return [...new Set(tables.flatMap(({ documents }) => documents))];
}

/** What is asked for, over which days, until when, and what an IFF has furnished of it already. */
function headNotes({ asked: { form, quarterly, from, to, due }, furnished, others }: Drawn): string[] {
  const days = `${portalDay(from)} to ${portalDay(to)}`;
  const said = !quarterly
    ? 'GSTR-1 of the month'
    : form === 'IFF'
      ? 'Invoice furnishing facility (IFF, optional): invoices to registered persons and notes on them that no earlier IFF holds'
      : 'GSTR-1 of the quarter';
  const documents = furnished.size === 1 ? 'document is' : 'documents are';
  const where = form === 'IFF' ? 'left out' : 'counted only in tables 8, 12, 13 and 14';
  return [
    `${said}, ${days}, due on ${portalDay(due)}`,
    ...others.map((kind) => `Documents of days on which the registration is ${statusLabels[kind]} are left out`),
    ...(furnished.size > 0 ? [`${furnished.size} ${documents} furnished in an IFF already, and ${where}`] : []),
  ];
}

/** Names of the tables as the portal prints them. */
const names: Readonly<Record<string, string>> = {
  '4A': '4A – B2B supplies',
  '4B': '4B – B2B, reverse charge',
  '5': '5 – B2C large',
  '6A': '6A – Exports',
  '6B': '6B – SEZ',
  '6C': '6C – Deemed exports',
  '7': '7 – B2C others',
  '8': '8 – Nil rated, exempt, non-GST',
  '9B registered': '9B – Notes, registered',
  '9B unregistered': '9B – Notes, unregistered',
  '11A': '11A – Advances received',
  '11B': '11B – Advances adjusted',
  '12': '12 – HSN summary',
  '13': '13 – Documents issued',
  '14A': '14(a) – Through e-commerce operators, section 52',
  '14B': '14(b) – Through e-commerce operators, section 9(5)',
};

type ShownTable = { readonly name: string; readonly count: number } & Readonly<
  Record<'taxable' | 'igst' | 'cgst' | 'sgst' | 'cess', number>
>;
const shownTable = (t: ShownTable, value: string): Row => ({
  name: names[t.name] ?? t.name,
  depth: 0,
  count: t.count,
  taxable: moneyText(t.taxable),
  igst: moneyText(t.igst),
  cgst: moneyText(t.cgst),
  sgst: moneyText(t.sgst),
  cess: moneyText(t.cess),
  value,
});

/** A return that is marked as filed: when, and as it was stored then; nothing is stored of what was marked before returns were. */
interface MarkedReturn {
  readonly filedOn: Day;
  readonly arn: string;
  readonly tables: readonly (ShownTable & { readonly value?: number })[] | null;
  readonly file: object | null;
}

async function markedReturn(
  db: QueryExecutorProvider,
  organisation: number,
  registration: Id,
  { form, to }: OutwardReturn,
): Promise<MarkedReturn | undefined> {
  const { rows } = await sql<MarkedReturn>`
    select f.filed_on::text as "filedOn", f.arn, k.tables, k.file
      from gst_filings f
      left join lateral (
        select k.tables, k.file
          from gst_returns_kept k
         where k.organisation = f.organisation
           and k.registration = f.registration
           and k.form = f.form
           and k.period = f.period
           and not exists (select from gst_returns_unmarked x where x.organisation = k.organisation and x.id = k.id)
         order by k.at desc
         limit 1
      ) k on true
     where f.organisation = ${organisation}
       and f.registration = ${registration}::uuid
       and f.form = ${form}
       and f.period = ${to.slice(0, 7)}`.execute(db);
  return rows[0];
}

/** What is said of a return that is marked: whether its figures are those that were stored. */
const markedNote = ({ filedOn, arn, tables }: MarkedReturn, whole: boolean): string => {
  const said = `Marked as filed on ${portalDay(filedOn)}${arn && `, ARN ${arn}`}`;
  if (!whole) return `${said}. The figures are those of your locations now, not of the return`;
  return tables
    ? `${said}: shown as it was stored when it was marked`
    : `${said}, before returns were stored: the figures are those of the books now`;
};

/**
 * GSTR-1 of a registration and its period, or an IFF, table by table, with the errors that block its filing; as it was
 * stored once it is marked as filed.
 */
export const gstr1: Query = async (db, { organisation, filters, places, today }) => {
  const made = await drawn(db, organisation, filters, places, today).catch(noReturn);
  if (made instanceof NoReturn) return { rows: [], totals: {}, after: null, notes: [made.message], none: made.said };
  const marked = await markedReturn(db, organisation, filters.registration ?? '', made.asked);
  const [head = '', ...others] = headNotes(made);
  if (marked?.tables && made.whole) {
    const rows = marked.tables.map((t) => shownTable(t, t.value === undefined ? '' : moneyText(t.value)));
    return { rows, totals: {}, after: null, notes: [head, markedNote(marked, true)] };
  }
  return {
    rows: made.tables.map((t) => shownTable(t, moneyText(t.value))),
    totals: {},
    after: null,
    notes: [
      head,
      ...(marked ? [markedNote(marked, made.whole)] : []),
      ...others,
      ...(made.whole
        ? []
        : [
            'Only documents of your locations are counted; the file of the return needs all locations of the registration',
          ]),
      ...made.problems.map((p) => p.message),
    ],
  };
};

/** The same as the portal's JSON; only for who may see all of the registration. */
export const gstr1File = async (context: Context, filters: Readonly<Record<string, string>>): Promise<Exported> => {
  const { made, marked } = await context.inTransaction(async (trx) => {
    const made = await drawn(trx, context.organisation, filters, context.locations, context.today).catch(noReturn);
    const marked =
      made instanceof NoReturn
        ? undefined
        : await markedReturn(trx, context.organisation, filters.registration ?? '', made.asked);
    return { made, marked };
  });
  if (made instanceof NoReturn) throw new Refusal('noReturn', { reason: made.said });
  if (!made.whole) throw new Refusal('noAccess');
  return {
    name: `${made.asked.form.replace('-', '')}-${filters.period ?? ''}.json`,
    type: 'application/json',
    content: Buffer.from(JSON.stringify(marked?.file ?? made.json)).toString('base64'),
  };
};
