import { sql } from 'kysely';
import type { z } from 'zod';
import type { documentView } from '../../../contract/documents.ts';
import type { Draft, GstCategory, Id, Priced } from '../../../domain/document/document.ts';
import { kindNames, kindOf } from '../../../domain/document/kinds/index.ts';
import type { Context } from '../../context.ts';
import type { KeptWarning } from '../posting/idempotency.ts';
import { nameableRows } from './may-read.ts';

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

/** Kinds that others carry out. */
const carried: readonly string[] = kindNames.filter((name) => kindOf(name).life.cycle !== 'posted');

/** The document itself, with the names of what it refers to and what has happened to it since. */
export interface Head {
  id: Id;
  kind: string;
  number: string;
  date: string;
  due_date: string | null;
  party: Id | null;
  party_name: string;
  party_gstin: string | null;
  party_category: GstCategory | null;
  party_country: string | null;
  /** As the document has them. */
  category: GstCategory | null;
  recorded_country: string;
  author: Id;
  location: Id;
  to_location: Id | null;
  location_name: string;
  destination_name: string | null;
  registration: Id;
  legal_name: string;
  gstin: string | null;
  own_state: string;
  supply_type: string;
  taxable: string;
  cgst: string;
  sgst: string;
  igst: string;
  cess: string;
  tcs: string;
  tds: string;
  round_off: string;
  total: string;
  payable: string;
  foreign_total: string;
  open: string | null;
  original: string | null;
  currency: string;
  submitted_at: Date | null;
  approved_at: Date | null;
  approver_name: string | null;
  own_submission: boolean | null;
  cancelled_at: Date | null;
  cancel_reason: string | null;
  cancelled_by: string | null;
  cancelled_token: string | null;
  author_name: string | null;
  posted_at: Date;
  reverses: Id | null;
  body: {
    draft: Draft;
    warnings?: readonly KeptWarning[];
    supply: 'intra' | 'inter' | 'none';
    discount: number;
    chargeTotal: number;
    gross: number;
    vat?: NonNullable<Priced['vat']>;
    adjustments?: NonNullable<Priced['adjustments']>;
    retailPrices?: readonly (number | null)[];
    atCost?: true;
    /** The access token by which a program posted it. */ token?: string;
  };
  wanted: string | null;
  taken: string | null;
  given_up: string | null;
  held: string | null;
  e_state: string | null;
  irn: string | null;
  ack_no: string | null;
  ack_date: string | null;
  signed_qr: string | null;
  error: string | null;
}

/** A document by its id, or by its number and kind. */
export async function headOf(
  trx: Trx,
  context: Context,
  which: { readonly id?: string | undefined; readonly number?: string | undefined; readonly kind?: string | undefined },
): Promise<Head | undefined> {
  const { rows } = await sql<Head>`
    select
      d.*, p.category as party_category, p.country as party_country,
      coalesce(d.body #>> '{partyThen,country}', p.country) as recorded_country,
      coalesce(o.due_date, d.due_date) as due_date, l.name as location_name, t.name as destination_name,
      r.legal_name, r.gstin, r.state as own_state, o.open, o.original, c.at as cancelled_at,
      c.reason as cancel_reason, cu.name as cancelled_by, cd.body ->> 'token' as cancelled_token, u.name as author_name, d.posted_at,
      a.submitted_at, a.at as approved_at, au.name as approver_name,
      a.submitted_by = ${context.user} as own_submission, e.state as e_state, e.irn, e.ack_no, e.ack_date,
      e.signed_qr, e.error, f.wanted, f.taken, f.given_up, workflow_held(d.organisation, d.id) as held
    from documents d
    join locations l on l.organisation = d.organisation and l.id = d.location
    join registrations r on r.organisation = d.organisation and r.id = d.registration
    left join locations t on t.organisation = d.organisation and t.id = d.to_location
    left join parties p on p.organisation = d.organisation and p.id = d.party
    left join open_items o on o.organisation = d.organisation and o.document = d.id and o.line = 0
    left join cancellations c on c.organisation = d.organisation and c.document = d.id
    left join documents cd on cd.organisation = c.organisation and cd.id = c.reversal
    left join users cu on cu.organisation = d.organisation and cu.id = c.by
    left join users u on u.organisation = d.organisation and u.id = d.author
    left join approvals a on a.organisation = d.organisation and a.document = d.id
    left join users au on au.organisation = a.organisation and au.id = a.approved_by
    left join einvoices e on e.organisation = d.organisation and e.document = d.id
    left join lateral carried_out(d.organisation, d.id) f on d.kind = any(${carried})
    where d.organisation = ${context.organisation}
      and ${
        which.id
          ? sql`d.id = ${which.id}::uuid`
          : sql`
        upper(d.number) = upper(${which.number ?? ''}) and ${which.kind ? sql`d.kind = ${which.kind}` : sql`true`}
      `
      }
    limit 1
  `.execute(trx);
  return rows[0];
}

export interface LineRow {
  readonly line: number;
  readonly item: Id | null;
  readonly sku: string | null;
  readonly description: string;
  readonly hsn: string;
  readonly unit: string;
  readonly quantity: string;
  readonly rate: string;
  readonly gst_rate: number;
  readonly taxable: string;
  readonly value: string;
  readonly cgst: string;
  readonly sgst: string;
  readonly igst: string;
  readonly cess: string;
  readonly used: string;
  readonly room: string | null;
  readonly closed: string | null;
}

/** What documents that continue it have taken of each line `x` of a document, and the join that this needs. */
function usedOf({ id, kind }: Head, organisation: number) {
  // of an order, documents count as well that name it whole and take their lines from elsewhere
  if (carried.includes(kind))
    return {
      used: sql`coalesce(t.taken, 0)`,
      join: sql`left join carried_lines(${organisation}, ${id}) t on t.line = x.line`,
    };
  const used = sql`
    coalesce(
      (
        select sum(u.quantity)
        from document_lines u
        where u.organisation = x.organisation
          and u.source_document = x.document
          and u.source_line = x.line
          and not exists (
            select from cancellations c where c.organisation = u.organisation and c.document = u.document
          )
      ),
      0
    )
  `;
  return { used, join: sql`` };
}

export async function linesOf(trx: Trx, { organisation }: Context, head: Head): Promise<readonly LineRow[]> {
  const { used, join } = usedOf(head, organisation);
  const { rows } = await sql<LineRow>`
    select
      x.line, x.item, i.sku, x.description, x.hsn, x.unit, x.quantity, x.rate, x.gst_rate, x.taxable,
      x.value, x.cgst, x.sgst, x.igst, x.cess, ${used} as used,
      (
        select w.name
        from movements m
        join masters w on w.organisation = m.organisation and w.id = m.room
        where m.organisation = x.organisation and m.document = x.document and m.line = x.line
        order by m.number
        limit 1
      ) as room,
      (
        select g.reason
        from closed_lines g
        where g.organisation = x.organisation and g.document = x.document and g.line = x.line
      ) as closed
    from document_lines x
    left join items i on i.organisation = x.organisation and i.id = x.item ${join}
    where x.organisation = ${organisation} and x.document = ${head.id}
    order by x.line
  `.execute(trx);
  return rows;
}

export interface EntryRow {
  readonly leg: number;
  readonly ledger: Id;
  readonly code: string;
  readonly name: string;
  readonly debit: string;
  readonly credit: string;
  readonly party: string | null;
  readonly centre: string | null;
  readonly reference: string | null;
  readonly bill_date: string | null;
  readonly due_date: string | null;
  readonly open: string | null;
}

/** Its entries in the ledgers, debits first; a leg that opened a bill has it too. */
export async function entriesOf(trx: Trx, { organisation }: Context, { id }: Head): Promise<readonly EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select
      e.leg, e.ledger, l.code, l.name, e.debit, e.credit, p.name as party, g.name as centre, o.reference,
      o.date as bill_date, o.due_date, o.open
    from entries e
    join ledgers l on l.organisation = e.organisation and l.id = e.ledger
    left join parties p on p.organisation = e.organisation and p.id = e.party
    left join cost_centres g on g.organisation = e.organisation and g.id = e.cost_centre
    left join open_items o on o.organisation = e.organisation and o.document = e.document and o.line = e.leg
    where e.organisation = ${organisation} and e.document = ${id}
    order by e.credit > 0, e.leg
  `.execute(trx);
  return rows;
}

export interface MovementRow {
  readonly line: number;
  readonly item: string;
  readonly location: string;
  readonly quantity: string;
  readonly cost: string | null;
}

/** Its movements of stock, each at the cost of its latest revision. */
export async function movementsOf(trx: Trx, { organisation }: Context, { id }: Head): Promise<readonly MovementRow[]> {
  const { rows } = await sql<MovementRow>`
    select
      m.line, i.name as item, l.name as location, m.quantity,
      (
        select c.cost
        from movement_costs c
        where c.organisation = m.organisation and c.document = m.document and c.number = m.number
        order by revision desc
        limit 1
      ) as cost
    from movements m
    join items i on i.organisation = m.organisation and i.id = m.item
    join locations l on l.organisation = m.organisation and l.id = m.location
    where m.organisation = ${organisation} and m.document = ${id}
    order by m.number
  `.execute(trx);
  return rows;
}

export interface LinkRow {
  readonly id: Id;
  readonly kind: string;
  readonly number: string;
  readonly role: z.input<typeof documentView>['links'][number]['role'];
  readonly amount: string | null;
  readonly allowance: string | null;
}

/** Documents that are linked with it, that it settles or that settle it, and that changed its cost or whose cost it changed. */
export async function linksOf(trx: Trx, context: Context, head: Head): Promise<readonly LinkRow[]> {
  const { organisation } = context;
  const { id } = head;
  const { rows } = await sql<LinkRow>`
    select
      d.id, d.kind, d.number,
      case
        when k.role = 'reversal' then 'reversal'
        when k.role = 'revision' then case when k.target = ${id} then 'revision' else 'cause' end
        when k.role = 'challan' then case when k.target = ${id} then 'taxOf' else 'taxPaid' end
        when k.target = ${id} then 'source'
        else 'followUp'
      end as role,
      null::bigint as amount,
      null::bigint as allowance
    from document_links k
    join documents d
      on d.organisation = k.organisation and d.id = case when k.target = ${id} then k.source else k.target end
    where k.organisation = ${organisation} and ${id} in (k.source, k.target) and ${nameableRows(context)}
    union all
    select
      d.id, d.kind, d.number, 'allocation', sum(a.amount),
      -- what cancelling this would leave on nothing
      case
        when bool_or(a.credit_document = d.id)
          and allowance_short(${organisation}, d.id, array[${id}::uuid]) > 0
          then (select allowance_of(c.body) from documents c where c.organisation = ${organisation} and c.id = d.id)
      end
    from allocations a
    join documents d
      on d.organisation = a.organisation
        and d.id = case when a.invoice_document = ${id} then a.credit_document else a.invoice_document end
    -- what adjusts an advance settles documents of others: it shows which
    where a.organisation = ${organisation}
      and (
        ${id} in (a.invoice_document, a.credit_document)
          or a.cause = ${id} and ${head.cancelled_at === null}
      )
      and ${nameableRows(context)}
    group by 1, 2, 3
    having sum(a.amount) <> 0
    union all (${revaluations(context, head.id)})
  `.execute(trx);
  return rows;
}

const MOST_SHOWN = 50;
/** What changed this document's cost (the revision, or its cause when no ledger changed), and whose cost it changed itself. */
const revaluations = (context: Context, id: Id) => {
  const org = context.organisation;
  const named = nameableRows(context);
  return sql`
  (
    select distinct d.id, d.kind, d.number, 'revisedBy', null::bigint, null::bigint
    from movement_costs c
    left join document_links k on k.organisation = c.organisation and k.target = c.cause and k.role = 'revision'
    join documents d on d.organisation = c.organisation and d.id = coalesce(k.source, c.cause)
    where c.organisation = ${org} and c.document = ${id} and c.revision > 0 and ${named}
  )
  union all (
    select distinct d.id, d.kind, d.number, 'revises', null::bigint, null::bigint
    from movement_costs c
    join documents d on d.organisation = c.organisation and d.id = c.document
    where c.organisation = ${org}
      and c.revision > 0
      and ${named}
      and c.cause in (
        select k.target
        from document_links k
        where k.organisation = ${org} and k.source = ${id} and k.role = 'revision'
        union all
        select ${id}::uuid
        where not exists (
          select from document_links k where k.organisation = ${org} and k.target = ${id} and k.role = 'revision'
        )
      )
    order by d.id
    limit ${MOST_SHOWN}
  )
`;
};
