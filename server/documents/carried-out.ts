// biome-ignore-all format: rows of columns
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Handlers } from '../../contract/contract.ts';
import { draftBody } from '../../contract/documents.ts';
import { Refusal } from '../../contract/errors.ts';
import type { partCalls } from '../../contract/parts.ts';
import { quantityText } from '../../domain/decimal.ts';
import type { Day, Draft, Id } from '../../domain/document.ts';
import { followUps, kindNames, kindOf } from '../../domain/kinds/index.ts';
import type { Context } from '../context.ts';
import { Problems } from '../kit/problems.ts';
import { convert } from './convert.ts';
import { priceDraft } from './drafts.ts';
import { isHere, mayOpen } from './may-read.ts';
import { kindAsked } from './prepare.ts';
import { statusOf } from './status.ts';

type OrderCall = 'UpdateOrderStatus' | 'UpdateQuotationOnInvoiceGeneration' | 'VerifyOrderFulfiled' | 'TaxCalculationForOMS';
type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
type Shown = z.input<typeof partCalls.VerifyOrderFulfiled.details>;

/** The calls about what becomes of an order, a quotation among them. Its state is never stored: it follows from the documents that carry it out. */
export const orderHandlers: Pick<Handlers<typeof partCalls, Context>, OrderCall> = {
  UpdateOrderStatus: ({ OrderId, InvoiceId, TransactionId, Type }, context) => carryOut(context, OrderId, InvoiceId ?? TransactionId, Type),
  UpdateQuotationOnInvoiceGeneration: ({ QuoteId, InvoiceId }, context) => carryOut(context, QuoteId, InvoiceId),
  VerifyOrderFulfiled: ({ OrderId }, context) => context.inTransaction(async (trx) => shown(await orderOf(trx, context, OrderId, 'read'), context.today)),
  TaxCalculationForOMS: async ({ OrderId, Type, draft }, context) => {
    if (!OrderId === !draft) throw new Problems([{ field: 'OrderId', message: 'Send either an order or a draft' }]);
    if (draft) {
      context.allow('write', kindAsked(draft.kind));
      return context.inTransaction((trx) => priceDraft(trx, context, draft as Draft));
    }
    const order = await context.inTransaction((trx) => orderOf(trx, context, OrderId ?? '', 'read'));
    const kind = Type ?? followUps(order.kind).find((name) => kindOf(name).tax !== 'none');
    if (kind === undefined) throw new Refusal('nothingLeft', { number: order.number });
    const { draft: left } = await convert({ from: order.id, kind }, context);
    return context.inTransaction((trx) => priceDraft(trx, context, draftBody.parse(left) as Draft));
  },
};

/** Kinds that say what others are to carry out. */
const ordered = kindNames.filter((name) => kindOf(name).life === 'ordered');

interface Order { readonly id: Id; readonly kind: string; readonly number: string; readonly location: Id; readonly author: Id; readonly party: Id | null; readonly cancelled: boolean; readonly wanted: string | null; readonly taken: string | null }

/** A posted document that others carry out; any other is as if it were not there. */
async function orderOf(trx: Trx, context: Context, id: Id, action: 'read' | 'write'): Promise<Order> {
  const { rows } = await sql<Order>`
    select d.id, d.kind, d.number, d.location, d.author, d.party, f.wanted, f.taken, exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id) as cancelled
      from documents d cross join lateral carried_out(d.organisation, d.id) f where d.organisation = ${context.organisation} and d.id = ${id}::uuid`.execute(trx);
  const [order] = rows;
  if (!order || !isHere(context, order.location)) throw new Refusal('notFound');
  context.allow(action, order.kind);
  if (!mayOpen(context, order) || kindOf(kindAsked(order.kind)).life !== 'ordered') throw new Refusal('notFound');
  return order;
}

const shown = (order: Order, today: Day): Shown => {
  const [wanted, taken] = [Number(order.wanted ?? 0), Number(order.taken ?? 0)];
  const status = statusOf(kindOf(kindAsked(order.kind)), { cancelled: order.cancelled, open: null, original: null, due_date: null, wanted: order.wanted, taken: order.taken }, today);
  return { OrderId: order.id, number: order.number, status, fulfilled: status === 'fulfilled', ordered: quantityText(wanted), carriedOut: quantityText(taken), left: quantityText(wanted - taken) };
};

/** Says of a posted document that it carries out an order, unless its lines say so themselves; answers how the order stands then. */
async function carryOut(context: Context, order: Id, document: Id | undefined, type?: string): Promise<Shown> {
  return context.inTransaction(async (trx) => {
    const asked = await orderOf(trx, context, order, 'write');
    if (type !== undefined && kindAsked(type) !== asked.kind) throw new Refusal('notFound');
    if (document !== undefined) await link(trx, context, asked, document);
    return shown(await orderOf(trx, context, order, 'write'), context.today);
  });
}

async function link(trx: Trx, context: Context, order: Order, document: Id): Promise<void> {
  const { organisation } = context;
  // the lock of postings: who cancels either of them meanwhile is waited for
  await sql`select pg_advisory_xact_lock(hashtextextended(s.id::text, ${organisation})) from (select id from unnest(${[order.id, document]}::uuid[]) id order by id) s`.execute(trx);
  const { rows } = await sql<{ id: Id; kind: string; number: string; location: Id; author: Id; party: Id | null; cancelled: boolean; names: boolean; other: string | null }>`
    select d.id, d.kind, d.number, d.location, d.author, d.party, exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id) as cancelled,
           exists (select from document_lines l where l.organisation = d.organisation and l.document = d.id and l.source_document = ${order.id}::uuid) as names,
           (select o.number from documents o where o.organisation = d.organisation and o.id <> ${order.id}::uuid and o.kind = any(${ordered})
               and o.id in (select k.source from document_links k where k.organisation = d.organisation and k.target = d.id and k.role = 'order'
                 union all select l.source_document from document_lines l where l.organisation = d.organisation and l.document = d.id) limit 1) as other
      from documents d where d.organisation = ${organisation} and d.id = any(${[order.id, document]}::uuid[])`.execute(trx);
  const made = rows.find((d) => d.id === document);
  if (!made || !mayOpen(context, made) || !followUps(order.kind).includes(kindAsked(made.kind))) throw new Refusal('notFound');
  if (rows.find((d) => d.id === order.id)?.cancelled) throw new Refusal('alreadyCancelled', { number: order.number });
  if (made.cancelled) throw new Refusal('alreadyCancelled', { number: made.number });
  const wrong = (message: string) => new Problems([{ field: 'InvoiceId', message }]);
  if (order.party !== null && made.party !== order.party) throw wrong(`${made.number} is for another party than ${order.number}`);
  if (made.other !== null) throw wrong(`${made.number} carries out ${made.other} already`);
  if (made.names) return;
  const linked = await sql`insert into document_links (organisation, source, target, role) values (${organisation}, ${order.id}::uuid, ${document}::uuid, 'order') on conflict do nothing returning source`.execute(trx);
  if (linked.rows.length === 0) return;
  // who said so, and when, for the edit log
  await sql`insert into later_facts (organisation, document, number, fact, body, by)
    select ${organisation}, ${document}::uuid, coalesce(max(number), 0) + 1, 'order', ${JSON.stringify({ order: order.id })}::jsonb, ${context.user} from later_facts where organisation = ${organisation} and document = ${document}::uuid`.execute(trx);
}
