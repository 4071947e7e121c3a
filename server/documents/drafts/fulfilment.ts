import { sql } from 'kysely';
import type { z } from 'zod';
import type { Handlers } from '../../../contract/contract.ts';
import { draftBody } from '../../../contract/documents.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { partCalls } from '../../../contract/parts.ts';
import { quantityText } from '../../../domain/base/decimal.ts';
import { type Said, say } from '../../../domain/base/say.ts';
import type { Day, Draft, Id } from '../../../domain/document/document.ts';
import { followUps, kindNames, kindOf } from '../../../domain/document/kinds/index.ts';
import type { Context } from '../../context.ts';
import { Problems } from '../../kit/problems.ts';
import { kindAsked } from '../posting/kinds.ts';
import { mayOpen, type Named, numberFor } from '../read/may-read.ts';
import { statusOf } from '../read/status.ts';
import { convert } from './convert.ts';
import { priceDraft } from './drafts.ts';
import { refuseHeld } from './on-hold.ts';

type OrderCall =
  | 'UpdateOrderStatus'
  | 'UpdateQuotationOnInvoiceGeneration'
  | 'VerifyOrderFulfiled'
  | 'TaxCalculationForOMS'
  | 'CloseOrder'
  | 'ReopenOrder';
type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
type Shown = z.input<typeof partCalls.VerifyOrderFulfiled.details>;

/**
 * The calls about what becomes of an order, a quotation among them. Its state is never stored: it follows from the
 * documents that carry it out.
 */
export const orderHandlers: Pick<Handlers<typeof partCalls, Context>, OrderCall> = {
  UpdateOrderStatus: ({ OrderId, InvoiceId, TransactionId, Type }, context) =>
    carryOut(context, OrderId, InvoiceId ?? TransactionId, Type),
  UpdateQuotationOnInvoiceGeneration: ({ QuoteId, InvoiceId }, context) => carryOut(context, QuoteId, InvoiceId),
  VerifyOrderFulfiled: ({ OrderId }, context) =>
    context.inTransaction(async (trx) => shown(await orderOf(trx, context, OrderId), context.today)),
  CloseOrder: ({ TransactionId, lines, reason }, context) => closeOrder(context, TransactionId, lines, reason),
  ReopenOrder: ({ TransactionId, lines, reason }, context) => reopenOrder(context, TransactionId, lines, reason),
  TaxCalculationForOMS: async ({ OrderId, Type, draft }, context) => {
    if (!OrderId === !draft) throw new Problems([{ field: 'OrderId', ...say('Send either an order or a draft') }]);
    if (draft) return context.inTransaction((trx) => priceDraft(trx, context, draft));
    const order = await context.inTransaction((trx) => orderOf(trx, context, OrderId ?? ''));
    const kind = Type ?? followUps(order.kind).find((name) => kindOf(name).gst.tax !== 'none');
    if (kind === undefined) throw new Refusal('nothingLeft', { number: order.number });
    const { draft: left } = await convert({ from: order.id, kind }, context);
    return context.inTransaction((trx) => priceDraft(trx, context, draftBody.parse(left)));
  },
};

/** Kinds that say what others are to carry out. */
const ordered = kindNames.filter((name) => kindOf(name).life.cycle === 'ordered');

interface Order {
  readonly id: Id;
  readonly kind: string;
  readonly number: string;
  readonly location: Id;
  readonly author: Id;
  readonly party: Id | null;
  readonly cancelled: boolean;
  readonly wanted: string | null;
  readonly taken: string | null;
  readonly given_up: string | null;
}

/** A posted document that others carry out; any other is as if it were not there. */
async function orderOf(trx: Trx, { organisation }: Context, id: Id): Promise<Order> {
  const { rows } = await sql<Order>`
    select
      d.id, d.kind, d.number, d.location, d.author, d.party, f.wanted, f.taken, f.given_up,
      exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id) as cancelled
    from documents d
    cross join lateral carried_out(d.organisation, d.id) f
    where d.organisation = ${organisation} and d.id = ${id}::uuid
  `.execute(trx);
  const [order] = rows;
  if (!order || kindOf(kindAsked(order.kind)).life.cycle !== 'ordered') throw new Refusal('notFound');
  return order;
}

const shown = (order: Order, today: Day): Shown => {
  const [wanted, taken, closed] = [Number(order.wanted ?? 0), Number(order.taken ?? 0), Number(order.given_up ?? 0)];
  const status = statusOf(
    kindOf(kindAsked(order.kind)),
    {
      cancelled: order.cancelled,
      open: null,
      original: null,
      due_date: null,
      wanted: order.wanted,
      taken: order.taken,
      given_up: order.given_up,
    },
    today,
  );
  return {
    OrderId: order.id,
    number: order.number,
    status,
    fulfilled: status === 'fulfilled',
    ordered: quantityText(wanted),
    carriedOut: quantityText(taken),
    closed: quantityText(closed),
    left: quantityText(wanted - taken - closed),
  };
};

/** Says of a posted document that it carries out an order, unless its lines say so themselves; answers how the order stands then. */
async function carryOut(context: Context, order: Id, document: Id | undefined, type?: string): Promise<Shown> {
  return context.inTransaction(async (trx) => {
    const asked = await orderOf(trx, context, order);
    if (type !== undefined && kindAsked(type) !== asked.kind) throw new Refusal('notFound');
    if (document !== undefined) await link(trx, context, asked, document);
    return shown(await orderOf(trx, context, order), context.today);
  });
}

async function link(trx: Trx, context: Context, order: Order, document: Id): Promise<void> {
  const { organisation } = context;
  // the lock of postings: who cancels either of them meanwhile is waited for
  await sql`
    select pg_advisory_xact_lock(hashtextextended(s.id::text, ${organisation}))
    from (select id from unnest(${[order.id, document]}::uuid[]) id order by id) s
  `.execute(trx);
  const { rows } = await sql<{
    id: Id;
    kind: string;
    number: string;
    location: Id;
    author: Id;
    party: Id | null;
    cancelled: boolean;
    names: boolean;
    other: Named | null;
  }>`
    select
      d.id, d.kind, d.number, d.location, d.author, d.party,
      exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id) as cancelled,
      exists (
        select from document_lines l
        where l.organisation = d.organisation and l.document = d.id and l.source_document = ${order.id}::uuid
      ) as names,
      (
        select jsonb_build_object(
          'number', o.number, 'kind', o.kind, 'location', o.location, 'toLocation', o.to_location, 'author',
          o.author
        )
        from documents o
        where o.organisation = d.organisation
          and o.id <> ${order.id}::uuid
          and o.kind = any(${ordered})
          and o.id in (
            select k.source
            from document_links k
            where k.organisation = d.organisation and k.target = d.id and k.role = 'order'
            union all
            select l.source_document
            from document_lines l
            where l.organisation = d.organisation and l.document = d.id
          )
        limit 1
      ) as other
    from documents d
    where d.organisation = ${organisation} and d.id = any(${[order.id, document]}::uuid[])
  `.execute(trx);
  const made = rows.find((d) => d.id === document);
  if (!made || !mayOpen(context, made) || !followUps(order.kind).includes(kindAsked(made.kind)))
    throw new Refusal('notFound');
  if (rows.find((d) => d.id === order.id)?.cancelled) throw new Refusal('alreadyCancelled', { number: order.number });
  if (made.cancelled) throw new Refusal('alreadyCancelled', { number: made.number });
  const wrong = (message: Said) => new Problems([{ field: 'InvoiceId', ...message }]);
  if (order.party !== null && made.party !== order.party)
    throw wrong(
      say('{{number}} is for another party than {{number2}}', { number: made.number, number2: order.number }),
    );
  if (made.other !== null)
    throw wrong(
      say('{{number}} carries out {{context}} already', {
        number: made.number,
        context: numberFor(context, made.other),
      }),
    );
  if (made.names) return;
  await refuseHeld(trx, context, [order.id], made.kind);
  const linked = await sql`
    insert into document_links (organisation, source, target, role)
    values (${organisation}, ${order.id}::uuid, ${document}::uuid, 'order')
    on conflict do nothing
    returning source
  `.execute(trx);
  if (linked.rows.length === 0) return;
  // who said so, and when, for the edit log
  await sql`
    insert into later_facts (organisation, document, number, fact, body, by)
    select
      ${organisation}, ${document}::uuid, coalesce(max(number), 0) + 1, 'order',
      ${JSON.stringify({ order: order.id })}::jsonb, ${context.user}
    from later_facts
    where organisation = ${organisation} and document = ${document}::uuid
  `.execute(trx);
}

/** The lock of postings on an order: who makes something of it at this moment is waited for. */
const holdOrder = (trx: Trx, { organisation }: Context, order: Id) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${order}::uuid::text, ${organisation}))`.execute(trx);

/** Writes down when, by whom and why; `lines` null means all that was left. */
const note = (
  trx: Trx,
  { organisation, user }: Context,
  order: Id,
  fact: 'closed' | 'reopened',
  body: { readonly lines: readonly number[] | null; readonly reason: string },
) =>
  sql`
    insert into later_facts (organisation, document, number, fact, body, by)
    select
      ${organisation}, ${order}::uuid, coalesce(max(number), 0) + 1, ${fact},
      ${JSON.stringify(body)}::jsonb, ${user}
    from later_facts
    where organisation = ${organisation} and document = ${order}::uuid
  `.execute(trx);

/** Gives up what is left of an order, or of some of its lines. What is delivered after it all the same counts as delivered. */
const closeOrder = (context: Context, id: Id, lines: readonly number[] | undefined, reason: string): Promise<Shown> =>
  context.inTransaction(async (trx) => {
    await holdOrder(trx, context, id);
    const order = await orderOf(trx, context, id);
    if (order.cancelled) throw new Refusal('alreadyCancelled', { number: order.number });
    const { organisation, user } = context;
    const { rows } = await sql<{ line: number; left: boolean; closed: boolean }>`
      select
        l.line,
        l.base_quantity > coalesce(
          (
            select sum(u.base_quantity)
            from document_lines u
            where u.organisation = l.organisation
              and u.source_document = l.document
              and u.source_line = l.line
              and not exists (
                select from cancellations c where c.organisation = u.organisation and c.document = u.document
              )
          ),
          0
        ) as left,
        exists (
          select from closed_lines g
          where g.organisation = l.organisation and g.document = l.document and g.line = l.line
        ) as closed
      from document_lines l
      where l.organisation = ${organisation} and l.document = ${id}::uuid
      order by l.line
    `.execute(trx);
    const unknown = lines?.find((line) => !rows.some((row) => row.line === line));
    if (unknown !== undefined)
      throw new Problems([{ field: 'lines', ...say('There is no line {{unknown}}', { unknown }) }]);
    const closing = rows
      .filter((row) => row.left && !row.closed && (lines === undefined || lines.includes(row.line)))
      .map((row) => row.line);
    const { left } = shown(order, context.today);
    if (closing.length === 0 || left === '0') throw new Refusal('nothingLeft', { number: order.number });
    await sql`
      insert into closed_lines (organisation, document, line, reason, by)
      select ${organisation}, ${id}::uuid, line, ${reason}, ${user}
      from unnest(${closing}::int[]) line
    `.execute(trx);
    await note(trx, context, id, 'closed', { lines: lines === undefined ? null : closing, reason });
    return shown(await orderOf(trx, context, id), context.today);
  });

/** Waits again for what was given up; its goods are held again. */
const reopenOrder = (context: Context, id: Id, lines: readonly number[] | undefined, reason: string): Promise<Shown> =>
  context.inTransaction(async (trx) => {
    await holdOrder(trx, context, id);
    const order = await orderOf(trx, context, id);
    const { rows } = await sql<{ line: number }>`
      delete from closed_lines
      where organisation = ${context.organisation}
        and document = ${id}::uuid
        and ${lines === undefined ? sql`true` : sql`line = any(${[...lines]}::int[])`}
      returning line
    `.execute(trx);
    if (rows.length === 0)
      throw new Refusal('cannotChange', { name: order.number, reason: say('no part of it was closed') });
    await note(trx, context, id, 'reopened', {
      lines: lines === undefined ? null : rows.map((row) => row.line).sort((a, b) => a - b),
      reason,
    });
    return shown(await orderOf(trx, context, id), context.today);
  });

/** Nothing more is made of a line whose remainder was given up: it is reopened first. */
export async function refuseClosed(context: Context, { lines }: Pick<Draft, 'lines'>): Promise<void> {
  const sources = lines.flatMap((line, row) => (line.source ? [{ ...line.source, row }] : []));
  if (sources.length === 0) return;
  const { rows } = await context.inTransaction((trx) =>
    sql<{ n: string; number: string }>`
      select s.n, d.number
      from unnest(
        ${sources.map((s) => s.document)}::uuid[], ${sources.map((s) => s.line)}::int[]
      ) with ordinality s(document, line, n)
      join closed_lines g
        on g.organisation = ${context.organisation} and g.document = s.document and g.line = s.line
      join documents d on d.organisation = g.organisation and d.id = g.document
      order by s.n
    `.execute(trx),
  );
  if (rows.length > 0)
    throw new Problems(
      rows.map(({ n, number }) => ({
        field: 'lines.quantity',
        row: sources[Number(n) - 1]?.row ?? 0,
        ...say('The rest of this line was closed: reopen {{number}} first', { number }),
      })),
    );
}
