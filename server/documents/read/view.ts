import { sql } from 'kysely';
import type { z } from 'zod';
import type { documentView } from '../../../contract/documents.ts';
import { Refusal } from '../../../contract/errors.ts';
import { moneyText, percentText, quantityText, rateText } from '../../../domain/base/decimal.ts';
import { costEffects } from '../../../domain/books/effects.ts';
import { postsNothing } from '../../../domain/books/legs.ts';
import { takesParty } from '../../../domain/document/check.ts';
import type { Id } from '../../../domain/document/document.ts';
import {
  consumesCredits,
  correctsSource,
  followUps,
  isForSupplier,
  isMadeFromKind,
  type Kind,
  type KindName,
  kindLabel,
  kindOf,
} from '../../../domain/document/kinds/index.ts';
import type { State } from '../../../domain/document/lives.ts';
import { UNSIGNED } from '../../../domain/tax/gst/portal/irp-answer.ts';
import { vatQr } from '../../../domain/tax/saudi-vat.ts';
import { hidesCostOf, seesCost, tellsCost } from '../../access/index.ts';
import type { Context } from '../../context.ts';
import { whoByToken } from '../../kit/by-token.ts';
import { isPretended } from '../../kit/pretended.ts';
import { isFree } from '../drafts/on-hold.ts';
import { kindsLeft } from '../drafts/remaining.ts';
import { kindAsked } from '../posting/kinds.ts';
import { type Valued, valuedNow } from '../stock/at-cost.ts';
import { expiriesOf } from '../stock/expiries.ts';
import { centresNamed } from './centres-named.ts';
import {
  type EntryRow,
  entriesOf,
  type Head,
  headOf,
  type LineRow,
  linesOf,
  linksOf,
  movementsOf,
} from './posted-rows.ts';
import { statusOf } from './status.ts';
import { timelineOf } from './timeline.ts';
import { viewDraft } from './view-draft.ts';
import { adjustedText, draftText, vatText } from './wire.ts';
import { viewWithoutCost } from './without-cost.ts';

type View = z.input<typeof documentView>;
type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

const json = (n: number | string | null) => (n === null ? null : moneyText(Number(n)));

/** A posted document, or a draft, with everything its view shows. A foreign id and an unknown one look the same. */
export async function viewDocument(
  context: Context,
  which: { readonly id?: string | undefined; readonly number?: string | undefined; readonly kind?: string | undefined },
): Promise<View> {
  return context.inTransaction(async (trx) => {
    const head = await headOf(trx, context, which);
    if (!head) return which.id ? viewDraft(trx, context, which.id) : Promise.reject(new Refusal('notFound'));
    if (which.id && which.number && head.number.toUpperCase() !== which.number.toUpperCase())
      throw new Refusal('notFound');
    return posted(trx, context, head);
  });
}

interface Entry {
  readonly ledger: Id;
  readonly debit: string;
  readonly credit: string;
}
interface Costs {
  readonly shown: boolean;
  /** Its amounts are what goods cost, for somebody who sees that nowhere. */
  readonly hidden: boolean;
  /** Entries without those that say what goods cost. */
  without<T extends Entry>(entries: readonly T[]): readonly T[];
}

/**
 * What a document says of the cost of its goods. Documents of customers, and what takes them back, have prices: what their goods
 * cost is shown to those who may see the cost of stock. All others say it themselves. `moved`: how many movements it has.
 */
async function shownCosts(trx: Trx, context: Context, { kind, reverses }: Head, moved: number): Promise<Costs> {
  const all: Costs = { shown: true, hidden: false, without: (entries) => entries };
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
  const sourceKind = kindAsked(reversed ?? kind);
  // what somebody made without a grant on its kind, as the product made it of their document, is no reason to show them
  if (tellsCost(context, sourceKind)) return all;
  return {
    shown: false,
    hidden: hidesCostOf(context, sourceKind),
    without: (entries) => {
      const kept = entries.filter(({ ledger }) => !ledgers.includes(ledger));
      const out = kept.reduce((sum, { debit, credit }) => sum + BigInt(debit) - BigInt(credit), 0n);
      // the effects have other ledgers by now than when it was posted: which entries say it is not known, and none is shown
      const isKnown = out === 0n && (kept.length < entries.length || context.settings.stockAccounting === 'periodic');
      return isKnown || moved === 0 ? kept : [];
    },
  };
}

/** A posted document from its head, its rows, and what follows from both. */
async function posted(trx: Trx, context: Context, head: Head): Promise<View> {
  const org = context.organisation;
  const { draft } = head.body;
  const lines = await linesOf(trx, context, head);
  const expiries = await expiriesOf(trx, context, draft.lines);
  const entries = await entriesOf(trx, context, head);
  const movements = await movementsOf(trx, context, head);
  const links = await linksOf(trx, context, head);
  const kind = kindOf(kindAsked(head.kind));
  const costs = await shownCosts(trx, context, head, movements.length);
  const valued = valuedNow(
    kind,
    { supply: head.body.supply, total: Number(head.total), atCost: head.body.atCost === true },
    lines,
    movements,
  );
  const status = statusOf(kind, { ...head, cancelled: head.cancelled_at !== null }, context.today);
  const next = await kindsLeft(trx, org, continuations(kind, status, head), { id: head.id, lines: draft.lines });
  const shown: View = {
    ...identityOf(kind, head),
    status,
    body: draftText(draft),
    costCentres: await centresNamed(trx, org, draft),
    priced: pricedOf(head, lines, valued),
    lines: lines.map((line) =>
      shownLine(line, {
        isCharged: draft.reverseCharge !== true,
        expiries: expiries.get(line.line) ?? [],
        now: valued?.lines?.get(line.line),
      }),
    ),
    entries: costs.without(entries).map((entry) => shownEntry(entry, head.number)),
    movements: movements.map((m) => ({
      line: m.line,
      item: m.item,
      location: m.location,
      quantity: quantityText(Number(m.quantity)),
      cost: costs.shown ? json(m.cost) : null,
    })),
    links: links.map(({ allowance, ...l }) => ({
      ...l,
      amount: json(l.amount),
      ...(allowance !== null && { allowance: moneyText(Number(allowance)) }),
    })),
    einvoice: einvoiceOf(head),
    timeline: await timelineOf(trx, org, head),
    open: json(head.open),
    next: next.map((kind) => ({ action: 'convert', label: kindLabel(kind), kind })),
    cancelled: head.cancelled_at
      ? {
          at: head.cancelled_at.toISOString(),
          by: whoByToken(head.cancelled_by ?? '', head.cancelled_token),
          reason: head.cancel_reason ?? '',
        }
      : null,
    approval: approvalOf(head),
    vatQr: vatQrOf(head),
    money: null,
  };
  return costs.hidden ? viewWithoutCost(shown) : shown;
}

/** Which document it is, whose and where. */
const identityOf = (kind: Kind, head: Head) => ({
  id: head.id,
  kind: head.kind,
  number: head.number,
  date: head.date,
  dueDate: consumesCredits(kind) ? null : head.due_date,
  draft: false,
  version: 1,
  party: head.party ? { id: head.party, name: head.party_name, gstin: head.party_gstin } : null,
  location: { id: head.location, name: head.location_name },
  destination: head.to_location === null ? null : { id: head.to_location, name: head.destination_name ?? '' },
  registration: { id: head.registration, gstin: head.gstin, state: head.own_state },
});

/** Its amounts as posted; of what follows the books, what it is worth by now. */
function pricedOf(head: Head, lines: readonly LineRow[], valued: Valued | undefined): View['priced'] {
  const { body } = head;
  const worth = valued?.lines && moneyText(valued.total);
  return {
    supply: body.supply,
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
    discount: moneyText(body.discount),
    chargeTotal: moneyText(body.chargeTotal),
    gross: moneyText(body.gross),
    // what follows the books has no discount and no charge: its goods cost what they cost
    ...(worth && {
      taxable: worth,
      total: worth,
      payable: worth,
      foreignTotal: worth,
      gross: worth,
      discount: '0.00',
      chargeTotal: '0.00',
    }),
    ...((worth || body.atCost) && { atCost: 'cost' }),
    ...(valued?.inBooks !== undefined && { inBooks: moneyText(valued.inBooks) }),
    ...(valued?.asPosted !== undefined && { asPosted: moneyText(valued.asPosted) }),
    ...(body.retailPrices && { charged: moneyText(lines.reduce((all, { value }) => all + Number(value), 0)) }),
    ...(body.vat && { vat: vatText(body.vat) }),
    ...(body.adjustments && { adjustments: adjustedText(body.adjustments) }),
    lines: [],
  };
}

/** A line. `isCharged`: its tax is part of its total; `now`: what its goods are worth by now. */
function shownLine(
  line: LineRow,
  {
    isCharged,
    expiries,
    now,
  }: {
    readonly isCharged: boolean;
    readonly expiries: View['lines'][number]['expiries'];
    readonly now: { readonly rate: number; readonly value: number } | undefined;
  },
): View['lines'][number] {
  const tax = isCharged ? Number(line.cgst) + Number(line.sgst) + Number(line.igst) + Number(line.cess) : 0;
  const isOpen = line.closed === null && line.item !== null;
  return {
    number: line.line,
    item: line.item,
    sku: line.sku,
    description: line.description,
    hsn: line.hsn,
    unit: line.unit,
    quantity: quantityText(Number(line.quantity)),
    rate: rateText(Number(line.rate)),
    gstRate: percentText(line.gst_rate),
    taxable: moneyText(Number(line.taxable)),
    cgst: moneyText(Number(line.cgst)),
    sgst: moneyText(Number(line.sgst)),
    igst: moneyText(Number(line.igst)),
    cess: moneyText(Number(line.cess)),
    total: moneyText(Number(line.value) + tax),
    openQuantity: quantityText(isOpen ? Number(line.quantity) - Number(line.used) : 0),
    room: line.room,
    expiries,
    closed: line.closed,
    ...(now && { rate: rateText(now.rate), taxable: moneyText(now.value), total: moneyText(now.value) }),
  };
}

/** An entry, with the bill that it opened. */
const shownEntry = (entry: EntryRow, number: string): View['entries'][number] => ({
  leg: entry.leg,
  ledger: entry.ledger,
  code: entry.code,
  name: entry.name,
  debit: moneyText(Number(entry.debit)),
  credit: moneyText(Number(entry.credit)),
  party: entry.party,
  costCentre: entry.centre,
  due:
    entry.bill_date === null
      ? null
      : {
          number: entry.reference ?? number,
          date: entry.bill_date,
          dueDate: entry.due_date,
          open: moneyText(Number(entry.open)),
        },
});

const einvoiceOf = (head: Head): View['einvoice'] =>
  head.e_state
    ? {
        state: head.e_state,
        irn: head.ack_no === null ? null : head.irn,
        ackNo: head.ack_no,
        ackDate: head.ack_date,
        signedQr: head.signed_qr,
        pretended: isPretended(head.signed_qr ?? ''),
        error: head.error ?? (head.e_state === 'registered' && head.signed_qr === null ? UNSIGNED : null),
      }
    : null;

const approvalOf = (head: Head): View['approval'] =>
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
    : null;

/** Kinds that it can be continued as, before it is asked what of its lines is left. */
const continuations = (kind: Kind, status: State, head: Head): KindName[] =>
  head.cancelled_at || kind.life.system || status === 'fulfilled' || status === 'closed'
    ? []
    : followUps(head.kind).filter((name) => isFollowUp(kindOf(name), name, head));

/**
 * Whether a document can be continued as one of this kind: its stage lets it, its party is one that the kind is
 * written to (for a correction, as the document has it), and there is something left to settle where it is settled.
 */
function isFollowUp(kind: Kind, name: string, head: Head): boolean {
  const { held, open } = head;
  const [category, country] =
    correctsSource(kind) && head.category
      ? [head.category, head.recorded_country]
      : [head.party_category, head.party_country];
  return (
    (held === null || isFree(name)) &&
    isMadeFromKind(kind, head.kind, head.category ?? head.party_category) &&
    (!isForSupplier(kind) || isToBeInvoiced(head)) &&
    (category === null || takesParty(kind, { category, country: country ?? '' })) &&
    !(Number(open ?? 1) === 0 && kind.fields.includes('amount') && !postsNothing(kind))
  );
}

/** Its supplier writes no invoice, and the tax is ours to pay (section 31(3)(f)). */
const isToBeInvoiced = ({ body, party_gstin }: Head): boolean => body.draft.reverseCharge === true && !party_gstin;

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
