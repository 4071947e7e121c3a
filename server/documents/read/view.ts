import { sql } from 'kysely';
import type { z } from 'zod';
import type { documentView } from '../../../contract/documents.ts';
import { Refusal } from '../../../contract/errors.ts';
import { moneyText, percentText, quantityText, rateText } from '../../../domain/base/decimal.ts';
import { costEffects } from '../../../domain/books/effects.ts';
import { postsNothing } from '../../../domain/books/legs.ts';
import { takesParty } from '../../../domain/document/check.ts';
import type { Draft, GstCategory, Id, Priced } from '../../../domain/document/document.ts';
import {
  consumesCredits,
  correctsSource,
  followUps,
  type Kind,
  kindLabel,
  kindNames,
  kindOf,
} from '../../../domain/document/kinds/index.ts';
import { UNSIGNED } from '../../../domain/tax/gst/irp-answer.ts';
import { vatQr } from '../../../domain/tax/saudi-vat.ts';
import { hidesCostOf, seesCost, tellsCost } from '../../access/index.ts';
import type { Context } from '../../context.ts';
import { isPretended } from '../../kit/pretended.ts';
import { isFree } from '../drafts/on-hold.ts';
import { kindsLeft } from '../drafts/remaining.ts';
import type { KeptWarning } from '../posting/again.ts';
import { kindAsked } from '../posting/prepare.ts';
import { valuedNow } from '../stock/at-cost.ts';
import { expiriesOf } from '../stock/expiries.ts';
import { centresNamed } from './centres-named.ts';
import { isHere, nameableRows } from './may-read.ts';
import { statusOf } from './status.ts';
import { viewDraft } from './view-draft.ts';
import { adjustedText, draftText, vatText } from './wire.ts';
import { viewWithoutCost } from './without-cost.ts';

type View = z.input<typeof documentView>;
type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

/** Kinds that others carry out. */
const carried = kindNames.filter((name) => kindOf(name).life !== 'posted');

const json = (n: number | string | null) => (n === null ? null : moneyText(Number(n)));

/** A posted document, or a draft, with everything its view shows. A foreign id and an unknown one look the same. */
export async function viewDocument(
  context: Context,
  which: { readonly id?: string | undefined; readonly number?: string | undefined; readonly kind?: string | undefined },
): Promise<View> {
  return context.inTransaction(async (trx) => {
    const { rows } = await sql<Head>`
      select
        d.*, p.category as party_category, p.country as party_country,
        coalesce(d.body #>> '{partyThen,country}', p.country) as recorded_country,
        coalesce(o.due_date, d.due_date) as due_date, l.name as location_name, t.name as destination_name,
        r.legal_name, r.gstin, r.state as own_state, o.open, o.original, c.at as cancelled_at,
        c.reason as cancel_reason, cu.name as cancelled_by, u.name as author_name, d.posted_at,
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
    const [head] = rows;
    // a number is looked up for who may view the kind, and among one's own for everybody else
    if (!head && !which.id && which.kind) context.allow('view', which.kind);
    if (!head) return which.id ? viewDraft(trx, context, which.id) : Promise.reject(new Refusal('notFound'));
    if (which.id && which.number && head.number.toUpperCase() !== which.number.toUpperCase())
      throw new Refusal('notFound');
    if (!isHere(context, head.location) && !(head.to_location && isHere(context, head.to_location)))
      throw new Refusal('notFound');
    if (context.sees({ kind: head.kind }) === 'own' && head.author !== context.user) throw new Refusal('notFound');
    context.allow('view', head.kind, head.author);
    return posted(trx, context, head);
  });
}

interface Head {
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

interface Entry {
  readonly ledger: Id;
  readonly debit: string;
  readonly credit: string;
}
interface Costs {
  readonly told: boolean;
  /** Its amounts are what goods cost, for somebody who sees that nowhere. */
  readonly hidden: boolean;
  /** Entries without those that say what goods cost. */
  without<T extends Entry>(entries: readonly T[]): readonly T[];
}

/**
 * What a document says of the cost of its goods. Documents of customers, and what takes them back, have prices: what their goods
 * cost is shown to those who may see the cost of stock. All others say it themselves. `moved`: how many movements it has.
 */
async function toldCosts(trx: Trx, context: Context, { kind, reverses }: Head, moved: number): Promise<Costs> {
  const all: Costs = { told: true, hidden: false, without: (entries) => entries };
  if (seesCost(context)) return all;
  const { rows } = await sql<{ reversed: string | null; ledgers: Id[] }>`
    select
      (select d.kind from documents d where d.organisation = ${context.organisation} and d.id = ${reverses}) as reversed,
      (
        select coalesce(array_agg(p.ledger), '{}')
        from posting_map p
        where p.organisation = ${context.organisation} and p.effect = any(${[...costEffects]}::text[])
      ) as ledgers
  `.execute(trx);
  const { reversed = null, ledgers = [] } = rows[0] ?? {};
  const told = kindAsked(reversed ?? kind);
  // what somebody made without a grant on its kind, as the product made it of their document, is no reason to tell them
  if (tellsCost(context, told)) return all;
  return {
    told: false,
    hidden: hidesCostOf(context, told),
    without: (entries) => {
      const kept = entries.filter(({ ledger }) => !ledgers.includes(ledger));
      const out = kept.reduce((sum, { debit, credit }) => sum + BigInt(debit) - BigInt(credit), 0n);
      // the effects have other ledgers by now than when it was posted: which entries say it is not known, and none is shown
      const isKnown = out === 0n && (kept.length < entries.length || context.settings.stockAccounting === 'periodic');
      return isKnown || moved === 0 ? kept : [];
    },
  };
}

async function posted(trx: Trx, context: Context, head: Head): Promise<View> {
  const org = context.organisation;
  // of an order, documents count as well that name it whole and take their lines from elsewhere
  const [used, orders] = carried.some((name) => name === head.kind)
    ? [sql`coalesce(t.taken, 0)`, sql`left join carried_lines(${org}, ${head.id}) t on t.line = x.line`]
    : [
        sql`
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
        `,
        sql``,
      ];
  const lines = await sql<{
    line: number;
    item: Id | null;
    sku: string | null;
    description: string;
    hsn: string;
    unit: string;
    quantity: string;
    rate: string;
    gst_rate: number;
    taxable: string;
    value: string;
    cgst: string;
    sgst: string;
    igst: string;
    cess: string;
    used: string;
    room: string | null;
    closed: string | null;
  }>`
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
    left join items i on i.organisation = x.organisation and i.id = x.item ${orders}
    where x.organisation = ${org} and x.document = ${head.id}
    order by x.line
  `.execute(trx);
  const expiries = await expiriesOf(trx, context, head.body.draft.lines);
  const entries = await sql<{
    leg: number;
    ledger: Id;
    code: string;
    name: string;
    debit: string;
    credit: string;
    party: string | null;
    centre: string | null;
    reference: string | null;
    bill_date: string | null;
    due_date: string | null;
    open: string | null;
  }>`
    select
      e.leg, e.ledger, l.code, l.name, e.debit, e.credit, p.name as party, g.name as centre, o.reference,
      o.date as bill_date, o.due_date, o.open
    from entries e
    join ledgers l on l.organisation = e.organisation and l.id = e.ledger
    left join parties p on p.organisation = e.organisation and p.id = e.party
    left join cost_centres g on g.organisation = e.organisation and g.id = e.cost_centre
    left join open_items o on o.organisation = e.organisation and o.document = e.document and o.line = e.leg
    where e.organisation = ${org} and e.document = ${head.id}
    order by e.credit > 0, e.leg
  `.execute(trx);
  const movements = await sql<{ line: number; item: string; location: string; quantity: string; cost: string | null }>`
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
    where m.organisation = ${org} and m.document = ${head.id}
    order by m.number
  `.execute(trx);
  const links = await sql<{
    id: Id;
    kind: string;
    number: string;
    role: View['links'][number]['role'];
    amount: string | null;
    allowance: string | null;
  }>`
    select
      d.id, d.kind, d.number,
      case
        when k.role = 'reversal' then 'reversal'
        when k.role = 'revision' then case when k.target = ${head.id} then 'revision' else 'cause' end
        when k.role = 'challan' then case when k.target = ${head.id} then 'taxOf' else 'taxPaid' end
        when k.target = ${head.id} then 'source'
        else 'followUp'
      end as role,
      null::bigint as amount,
      null::bigint as allowance
    from document_links k
    join documents d
      on d.organisation = k.organisation and d.id = case when k.target = ${head.id} then k.source else k.target end
    where k.organisation = ${org} and ${head.id} in (k.source, k.target) and ${nameableRows(context)}
    union all
    select
      d.id, d.kind, d.number, 'allocation', sum(a.amount),
      -- what cancelling this would leave on nothing
      case
        when bool_or(a.credit_document = d.id)
          and allowance_short(${org}, d.id, array[${head.id}::uuid]) > 0
          then (select allowance_of(c.body) from documents c where c.organisation = ${org} and c.id = d.id)
      end
    from allocations a
    join documents d
      on d.organisation = a.organisation
        and d.id = case when a.invoice_document = ${head.id} then a.credit_document else a.invoice_document end
    -- what adjusts an advance settles documents of others: it shows which
    where a.organisation = ${org}
      and (
        ${head.id} in (a.invoice_document, a.credit_document)
          or a.cause = ${head.id} and ${head.cancelled_at === null}
      )
      and ${nameableRows(context)}
    group by 1, 2, 3
    having sum(a.amount) <> 0
    union all (${revaluations(context, head.id)})
  `.execute(trx);
  const kind = kindOf(kindAsked(head.kind));
  const costs = await toldCosts(trx, context, head, movements.rows.length);
  const valued = valuedNow(
    kind,
    { supply: head.body.supply, total: Number(head.total), atCost: head.body.atCost === true },
    lines.rows,
    movements.rows,
  );
  // what follows the books has no discount and no charge: its goods cost what they cost
  const worth = valued?.lines && moneyText(valued.total);
  const charged = head.body.draft.reverseCharge !== true;
  const open = head.open === null ? null : json(head.open);
  const status = statusOf(
    kind,
    {
      cancelled: head.cancelled_at !== null,
      open: head.open,
      original: head.original,
      due_date: head.due_date,
      wanted: head.wanted,
      taken: head.taken,
      given_up: head.given_up,
    },
    context.today,
  );
  const onward =
    head.cancelled_at || kind.system || status === 'fulfilled' || status === 'closed'
      ? []
      : followUps(head.kind).filter((name) => followUpsOf(kindOf(name), name, head));
  const next = await kindsLeft(trx, org, onward, { id: head.id, lines: head.body.draft.lines });
  const shown: View = {
    id: head.id,
    kind: head.kind,
    number: head.number,
    date: head.date,
    dueDate: consumesCredits(kind) ? null : head.due_date,
    status,
    draft: false,
    version: 1,
    party: head.party ? { id: head.party, name: head.party_name, gstin: head.party_gstin } : null,
    location: { id: head.location, name: head.location_name },
    destination: head.to_location === null ? null : { id: head.to_location, name: head.destination_name ?? '' },
    registration: { id: head.registration, gstin: head.gstin, state: head.own_state },
    body: draftText(head.body.draft) as unknown as Record<string, unknown>,
    costCentres: await centresNamed(trx, org, head.body.draft),
    priced: {
      supply: head.body.supply,
      supplyType: head.supply_type,
      taxable: moneyText(Number(head.taxable)),
      cgst: moneyText(Number(head.cgst)),
      sgst: moneyText(Number(head.sgst)),
      igst: moneyText(Number(head.igst)),
      cess: moneyText(Number(head.cess)),
      tcs: moneyText(Number(head.tcs)),
      tds: moneyText(Number(head.tds)),
      roundOff: moneyText(Number(head.round_off)),
      total: moneyText(Number(head.total)),
      payable: moneyText(Number(head.payable)),
      foreignTotal: moneyText(Number(head.foreign_total)),
      discount: moneyText(head.body.discount),
      chargeTotal: moneyText(head.body.chargeTotal),
      gross: moneyText(head.body.gross),
      ...(worth && {
        taxable: worth,
        total: worth,
        payable: worth,
        foreignTotal: worth,
        gross: worth,
        discount: '0.00',
        chargeTotal: '0.00',
      }),
      ...((worth || head.body.atCost) && { atCost: 'cost' }),
      ...(valued?.inBooks !== undefined && { inBooks: moneyText(valued.inBooks) }),
      ...(valued?.asPosted !== undefined && { asPosted: moneyText(valued.asPosted) }),
      ...(head.body.retailPrices && {
        charged: moneyText(lines.rows.reduce((all, { value }) => all + Number(value), 0)),
      }),
      ...(head.body.vat && { vat: vatText(head.body.vat) }),
      ...(head.body.adjustments && { adjustments: adjustedText(head.body.adjustments) }),
      lines: [],
    },
    lines: lines.rows.map((l) => {
      const now = valued?.lines?.get(l.line);
      const tax = charged ? Number(l.cgst) + Number(l.sgst) + Number(l.igst) + Number(l.cess) : 0;
      return {
        number: l.line,
        item: l.item,
        sku: l.sku,
        description: l.description,
        hsn: l.hsn,
        unit: l.unit,
        quantity: quantityText(Number(l.quantity)),
        rate: rateText(Number(l.rate)),
        gstRate: percentText(l.gst_rate),
        taxable: moneyText(Number(l.taxable)),
        cgst: moneyText(Number(l.cgst)),
        sgst: moneyText(Number(l.sgst)),
        igst: moneyText(Number(l.igst)),
        cess: moneyText(Number(l.cess)),
        total: moneyText(Number(l.value) + tax),
        openQuantity: quantityText(l.closed === null && l.item !== null ? Number(l.quantity) - Number(l.used) : 0),
        room: l.room,
        expiries: expiries.get(l.line) ?? [],
        closed: l.closed,
        ...(now && { rate: rateText(now.rate), taxable: moneyText(now.value), total: moneyText(now.value) }),
      };
    }),
    entries: costs.without(entries.rows).map((e) => ({
      leg: e.leg,
      ledger: e.ledger,
      code: e.code,
      name: e.name,
      debit: moneyText(Number(e.debit)),
      credit: moneyText(Number(e.credit)),
      party: e.party,
      costCentre: e.centre,
      due:
        e.bill_date === null
          ? null
          : {
              number: e.reference ?? head.number,
              date: e.bill_date,
              dueDate: e.due_date,
              open: moneyText(Number(e.open)),
            },
    })),
    movements: movements.rows.map((m) => ({
      line: m.line,
      item: m.item,
      location: m.location,
      quantity: quantityText(Number(m.quantity)),
      cost: costs.told ? json(m.cost) : null,
    })),
    links: links.rows.map(({ allowance, ...l }) => ({
      ...l,
      amount: json(l.amount),
      ...(allowance !== null && { allowance: moneyText(Number(allowance)) }),
    })),
    einvoice: head.e_state
      ? {
          state: head.e_state,
          irn: head.ack_no === null ? null : head.irn,
          ackNo: head.ack_no,
          ackDate: head.ack_date,
          signedQr: head.signed_qr,
          pretended: isPretended(head.signed_qr ?? ''),
          error: head.error ?? (head.e_state === 'registered' && head.signed_qr === null ? UNSIGNED : null),
        }
      : null,
    timeline: [
      ...(head.submitted_at
        ? [{ at: head.submitted_at.toISOString(), who: head.author_name ?? '', what: 'Sent for approval' }]
        : []),
      {
        at: head.posted_at.toISOString(),
        who: head.approver_name ?? head.author_name ?? '',
        what: head.approver_name === null ? 'Posted' : 'Approved and posted',
      },
      ...(await acceptedIn(trx, org, head)),
      ...(await closings(trx, org, head.id)),
      ...(head.cancelled_at
        ? [
            {
              at: head.cancelled_at.toISOString(),
              who: head.cancelled_by ?? '',
              what: `Cancelled: ${head.cancel_reason}`,
            },
          ]
        : []),
    ],
    open,
    next: next.map((kind) => ({ action: 'convert', label: kindLabel(kind), kind })),
    cancelled: head.cancelled_at
      ? { at: head.cancelled_at.toISOString(), by: head.cancelled_by ?? '', reason: head.cancel_reason ?? '' }
      : null,
    approval:
      head.submitted_at && head.approved_at
        ? {
            state: 'approved',
            by: head.author_name ?? '',
            at: head.submitted_at.toISOString(),
            own: head.own_submission === true,
            decidedBy: head.approver_name,
            decidedAt: head.approved_at.toISOString(),
            comment: '',
            changed: null,
          }
        : null,
    vatQr: vatQrOf(head),
    money: null,
  };
  return costs.hidden ? viewWithoutCost(shown) : shown;
}

/**
 * Whether a document can be continued as one of this kind: its stage lets it, its party is one that the kind is
 * written to (for a correction, as the document has it), and there is something left to settle where it is settled.
 */
function followUpsOf(kind: Kind, name: string, head: Head): boolean {
  const { held, open } = head;
  const [category, country] =
    correctsSource(kind) && head.category
      ? [head.category, head.recorded_country]
      : [head.party_category, head.party_country];
  return (
    (held === null || isFree(name)) &&
    (category === null || takesParty(kind, { category, country: country ?? '' })) &&
    !(Number(open ?? 1) === 0 && kind.fields.includes('amount') && !postsNothing(kind))
  );
}

/** Warnings that the document was posted with for a reason: who gave it, and what it is. */
async function acceptedIn(
  trx: Trx,
  org: number,
  { body: { warnings = [] }, author, posted_at }: Head,
): Promise<View['timeline'][number][]> {
  const given = warnings.flatMap(({ message, reason, by }) => (reason ? [{ message, reason, by: by ?? author }] : []));
  if (given.length === 0) return [];
  const { rows } = await sql<{ id: Id; name: string }>`
    select id, name
      from users
     where organisation = ${org}
       and id = any(${given.map(({ by }) => by)}::uuid[])`.execute(trx);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return given.map(({ message, reason, by }) => ({
    at: posted_at.toISOString(),
    who: names.get(by) ?? '',
    what: `Warning accepted: ${message}. Reason: ${reason}`,
  }));
}

/** When the remainder of an order was given up, or asked for again, and why. */
async function closings(trx: Trx, org: number, id: Id): Promise<View['timeline'][number][]> {
  const { rows } = await sql<{
    at: Date;
    name: string | null;
    fact: 'closed' | 'reopened';
    lines: number[] | null;
    reason: string;
  }>`
    select f.at, u.name, f.fact, f.body -> 'lines' as lines, f.body ->> 'reason' as reason
    from later_facts f
    left join users u on u.organisation = f.organisation and u.id = f.by
    where f.organisation = ${org} and f.document = ${id} and f.fact in ('closed', 'reopened')
    order by f.number
  `.execute(trx);
  return rows.map(({ at, name, fact, lines, reason }) => {
    const which = lines
      ? `${lines.length === 1 ? 'Line' : 'Lines'} ${lines.join(', ')} ${fact}`
      : fact === 'closed'
        ? 'Closed'
        : 'Reopened';
    return { at: at.toISOString(), who: name ?? '', what: reason ? `${which}: ${reason}` : which };
  });
}

/** Saudi Arabia asks for a QR code on an invoice with its tax; the time is that of posting, on the day of the document. */
function vatQrOf({ body: { draft, vat }, legal_name, date, posted_at, foreign_total }: Head): string | null {
  const vatNumber = draft.fields?.vatNumber;
  if (!vat || !vatNumber) return null;
  const at = `${date}T${posted_at.toISOString().slice(11, 19)}Z`;
  return vatQr({
    seller: legal_name,
    vatNumber,
    at,
    total: moneyText(Number(foreign_total) + vat.foreign),
    vat: moneyText(vat.foreign),
  });
}

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
const MOST_SHOWN = 50;
