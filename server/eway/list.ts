import { sql } from 'kysely';
import type { z } from 'zod';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { wayCalls, wayRow } from '../../contract/eway.ts';
import { moneyText } from '../../domain/base/decimal.ts';
import { type Said, say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import { isKind, kindLabel, kindOf } from '../../domain/document/kinds/index.ts';
import { transportProblems, travels, type WayRoute, wayNeed, waysOf } from '../../domain/tax/gst/portal/eway.ts';
import type { IrpTransport } from '../../domain/tax/gst/portal/irp.ts';
import { subSupplies } from '../../domain/tax/gst/portal/portal-codes.ts';
import { allowCost, totalShown } from '../access/index.ts';
import type { Context } from '../context.ts';
import { type PortalDocument, portalDocument } from '../einvoice/index.ts';
import type { Executor } from '../kit/database/sql.ts';
import { likeText } from '../kit/database/sql.ts';
import { Problems } from '../kit/problems.ts';
import {
  asWayDocument,
  billsOf,
  obstacleOf,
  over,
  routeOf,
  sendable,
  shownBill,
  shownTransport,
  type WayState,
} from './record.ts';
import { momentNow } from './times.ts';

const PAGE = 50;

interface Row {
  id: Id;
  kind: string;
  number: string;
  date: string;
  party_name: string;
  total: string;
  state: WayState;
  bill: string | null;
  valid_until: string | null;
  vehicle: string | null;
  error_code: string | null;
  error: string | null;
  trouble: boolean;
  expired: boolean;
}

/** Whether the user's locations allow a document; alias d. */
const within = (context: Context) =>
  context.locations.length === 0 ? sql`true` : sql`d.location = any(${[...context.locations]}::uuid[])`;

/** A page of e-way bills by keyset, of each document the last one: what needs a hand first, then the newest. */
export async function listWayBills(
  { state, search, after }: Input<(typeof wayCalls)['GetEWayBillList']>,
  context: Context,
  now: number,
) {
  return context.inTransaction(async (trx) => {
    const [troubled, date, id] = (after ?? '').split('|');
    const moment = momentNow(now);
    const trouble = sql`(w.state in ('failed', 'unclear', 'partA'))`;
    const last = sql`
      not exists (
        select from eway_bills l
        where l.organisation = w.organisation and l.document = w.document and l.bill > w.bill
      )
    `;
    const { rows } = await sql<Row>`
      select
        d.id, d.kind, d.number, d.date,
        coalesce(
          nullif(d.party_name, ''),
          (select t.name from locations t where t.organisation = d.organisation and t.id = d.to_location),
          (
            select s.party_name
            from documents s
            where s.organisation = d.organisation and s.id = (d.body -> 'draft' ->> 'against')::uuid
          ),
          ''
        ) as party_name,
        d.total, w.state, w.number as bill, w.valid_until, w.transport -> 'vehicle' ->> 'number' as vehicle,
        w.error_code, w.error, ${trouble} as trouble,
        coalesce(w.state = 'active' and w.valid_until < ${moment}, false) as expired
      from eway_bills w
      join documents d on d.organisation = w.organisation and d.id = w.document
      where w.organisation = ${context.organisation}
        and ${last}
        and ${within(context)}
        and ${state ? sql`w.state = ${state}` : sql`true`}
        and ${
          search
            ? sql`
          (
            d.number ilike ${`%${likeText(search)}%`}
              or d.party_name ilike ${`%${likeText(search)}%`}
              or w.number = ${search}
              or w.transport -> 'vehicle' ->> 'number' ilike ${`%${likeText(search)}%`}
          )
        `
            : sql`true`
        }
        and ${
          troubled && date && id
            ? sql`
          (${trouble}, d.date, d.id) < (${troubled}::boolean, ${date}::date, ${id}::uuid)
        `
            : sql`true`
        }
      order by ${trouble} desc, d.date desc, d.id desc
      limit ${PAGE + 1}
    `.execute(trx);
    const counts = await sql<{
      state: WayState;
      n: number;
    }>`
      select w.state, count(*)::int as n
      from eway_bills w
      join documents d on d.organisation = w.organisation and d.id = w.document
      where w.organisation = ${context.organisation} and ${last} and ${within(context)}
      group by w.state
    `.execute(trx);
    const page = rows.slice(0, PAGE);
    const end = rows.length > PAGE ? page.at(-1) : undefined;
    return {
      rows: page.map((row) => shown(context, row)),
      after: end ? `${end.trouble}|${end.date}|${end.id}` : null,
      counts: Object.fromEntries(counts.rows.map((c) => [c.state, c.n])),
    };
  });
}

const shown = (context: Context, r: Row): z.input<typeof wayRow> => ({
  id: r.id,
  kind: r.kind,
  number: r.number,
  date: r.date,
  party: r.party_name,
  total: totalShown(context, r.kind, moneyText(Number(r.total))),
  state: r.state,
  bill: r.bill,
  validUntil: r.valid_until,
  expired: r.expired,
  vehicle: r.vehicle ?? '',
  errorCode: r.error_code,
  error: r.error,
});

/** A posted document. */
async function documentOf(run: Executor, { organisation }: Context, id: Id): Promise<PortalDocument> {
  const doc = await portalDocument(run, organisation, id);
  if (!doc) throw new Refusal('notFound');
  return doc;
}

/** Every exchange with the portals about a document's bills. */
export const listAttempts = (id: Id, context: Context): Promise<Answer<(typeof wayCalls)['GetEWayBillAttempts']>> =>
  context.inTransaction(async (trx) => {
    // what was sent to the portal says what the goods are worth
    allowCost(context, (await documentOf(trx, context, id)).kind);
    const { rows } = await sql<{
      at: Date;
      what: 'make';
      outcome: 'accepted';
      code: string | null;
      message: string | null;
      request: string | null;
      response: string | null;
    }>`
      select at, what, outcome, code, message, request, response
      from eway_attempts
      where organisation = ${context.organisation} and document = ${id}::uuid
      order by bill, attempt
    `.execute(trx);
    return rows.map((r) => ({ ...r, at: r.at.toISOString() }));
  });

/** The transport details that were typed on the document. */
function suggestion({ fields, facts }: PortalDocument): IrpTransport {
  const { transporter, transporterId, vehicle, distance, transportDocument } = fields;
  const number = vehicle?.trim();
  return {
    distance: /^\d{1,4}$/.test(distance ?? '') ? Number(distance) : 0,
    mode: '1',
    ...((transporter || transporterId) && {
      transporter: { ...(transporterId && { id: transporterId }), ...(transporter && { name: transporter }) },
    }),
    ...(number && { vehicle: { number, oversized: false } }),
    ...(transportDocument && { document: { number: transportDocument, date: facts.date } }),
  };
}

/** Where a document stands with its e-way bill; null for a kind that sends no goods of ours. */
export const wayBillOf = (id: Id, context: Context, now: number): Promise<Answer<(typeof wayCalls)['GetEWayBill']>> =>
  context.inTransaction(async (trx) => {
    const doc = await documentOf(trx, context, id);
    if (!isKind(doc.kind) || !travels(kindOf(doc.kind))) return null;
    const bills = await billsOf(trx, context.organisation, id);
    const bill = bills.find((b) => !over.includes(b.state)) ?? bills[0];
    const way = asWayDocument(doc);
    const from =
      way.travels.way === 'in' ? (way.shipTo ?? way.buyer.address) : (way.dispatchFrom ?? way.seller.address);
    const ways = waysOf(way);
    const suggested = shownTransport(bill?.transport ?? suggestion(doc));
    return {
      ...wayNeed(way),
      ways: ways.map((code) => ({ code, label: subSupplies.find(([known]) => known === code)?.[1] ?? code })),
      route: routeOf(doc),
      obstacle: obstacleOf(doc, context.today)?.message ?? null,
      suggested: {
        ...suggested,
        as: bill?.transport.as?.type ?? ways[0] ?? '',
        says: suggested.says || (way.travels.says ?? ''),
      },
      leaves: { place: from.city, state: from.state === '96' ? '' : from.state },
      bill: bill ? shownBill(bill, momentNow(now)) : null,
      former: bills.filter((b) => b !== bill && b.number !== null).map((b) => b.number ?? ''),
    };
  });

/** A transport as the contract brings it. */
export const transportOf = (t: Input<(typeof wayCalls)['GenerateEWayBill']>['transport']): IrpTransport => ({
  distance: t.distance,
  ...(t.mode && { mode: t.mode }),
  ...((t.transporterId || t.transporterName) && {
    transporter: {
      ...(t.transporterId && { id: t.transporterId.toUpperCase() }),
      ...(t.transporterName && { name: t.transporterName }),
    },
  }),
  ...(t.vehicle && { vehicle: { number: t.vehicle, oversized: t.oversized ?? false } }),
  ...(t.documentNumber && t.documentDate && { document: { number: t.documentNumber, date: t.documentDate } }),
  ...(t.as && { as: { type: t.as, ...(t.says && { says: t.says }) } }),
});

/** A number without its date, or a date alone, says nothing to the portal. */
export const halfDocument = (t: {
  readonly documentNumber?: string | undefined;
  readonly documentDate?: string | undefined;
}) => [
  ...(t.documentNumber && !t.documentDate
    ? [{ field: 'documentDate', ...say('Enter the date of the transport document') }]
    : []),
  ...(!t.documentNumber && t.documentDate
    ? [{ field: 'documentNumber', ...say('Enter the number of the transport document') }]
    : []),
];

/** Puts a document in line for its e-way bill, with this transport; what is unclear is asked for before it is sent again. */
export const askForWayBill = (
  { id, transport: given }: Input<(typeof wayCalls)['GenerateEWayBill']>,
  route: WayRoute,
  context: Context,
): Promise<{ readonly queued: true }> =>
  context.inTransaction(async (trx) => {
    // who asks to cancel its IRN takes the same lock
    await sql`select pg_advisory_xact_lock(hashtextextended(${id}::uuid::text, ${context.organisation}))`.execute(trx);
    const doc = await documentOf(trx, context, id);
    const impossible = (reason: Said) => new Refusal('wayImpossible', { number: doc.facts.number, reason });
    if (!isKind(doc.kind) || !travels(kindOf(doc.kind)))
      throw impossible(say('no goods travel with a {{kind}}', { kind: kindLabel(doc.kind).toLowerCase() }));
    const obstacle = obstacleOf(doc, context.today);
    if (obstacle) throw impossible(obstacle);
    if (routeOf(doc) !== route) throw impossible(route === 'irn' ? say('it has no IRN') : say('it is made by its IRN'));
    const transport = transportOf(given);
    const wrongWay =
      transport.as && !waysOf(asWayDocument(doc)).includes(transport.as.type)
        ? [{ field: 'as', ...say('These goods do not travel so') }]
        : [];
    const unsaid =
      transport.as?.type === '8' && !transport.as.says
        ? [{ field: 'says', ...say('Enter the purpose of the transport: the portal requires it') }]
        : [];
    const fromPort =
      kindOf(doc.kind).gst.eway?.on === 'entry' && transport.distance === 0
        ? [{ field: 'distance', ...say('Enter the kilometres from the port: the portal cannot work them out') }]
        : [];
    const problems = [
      ...fromPort,
      ...wrongWay,
      ...unsaid,
      ...halfDocument(given),
      ...transportProblems(transport, doc.facts.date, context.today),
    ];
    if (problems.length > 0) throw new Problems(problems.map((p) => ({ ...p, field: `transport.${p.field}` })));
    const bills = await billsOf(trx, context.organisation, id, true);
    const living = bills.find((b) => !over.includes(b.state));
    if (living && !sendable.includes(living.state))
      throw impossible(
        living.number ? say('it has the e-way bill {{number}}', { number: living.number }) : say('it is on its way'),
      );
    const bill = living?.bill ?? (bills[0]?.bill ?? 0) + 1;
    if (!living)
      await sql`
        insert into eway_bills (organisation, document, bill, route, state, author, transport)
        values (
          ${context.organisation}, ${id}, ${bill}, ${route}, 'queued', ${context.user},
          ${JSON.stringify(transport)}::jsonb
        )
        on conflict do nothing
      `.execute(trx);
    else if (living.state !== 'unclear')
      await sql`
        update eway_bills
        set
          state = 'queued', transport = ${JSON.stringify(transport)}::jsonb, author = ${context.user},
          error = null, error_code = null, version = version + 1, updated_at = now()
        where organisation = ${context.organisation} and document = ${id}::uuid and bill = ${bill}
      `.execute(trx);
    await sql`
      insert into outbox (organisation, task, payload, key)
      values (
        ${context.organisation}, 'makeWayBill',
        ${JSON.stringify({ organisation: context.organisation, document: id, bill })}, ${`${id}/${bill}`}
      )
    `.execute(trx);
    return { queued: true };
  });
