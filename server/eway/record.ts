import { sql } from 'kysely';
import type { z } from 'zod';
import type { wayBill, wayStates } from '../../contract/eway.ts';
import { type Said, say } from '../../domain/base/say.ts';
import type { Day, Id } from '../../domain/document/document.ts';
import { type KindName, kindOf } from '../../domain/document/kinds/index.ts';
import { tooOldForWay, type WayDocument, type WayRoute, wayObstacle } from '../../domain/tax/gst/portal/eway.ts';
import type { IrpTransport } from '../../domain/tax/gst/portal/irp.ts';
import { stopOn, stopText } from '../../domain/tax/gst/registration/registered.ts';
import { type PortalDocument, portalDocument } from '../einvoice/index.ts';
import type { Books, Executor } from '../kit/database/sql.ts';
import { Later } from '../kit/later.ts';
import { notify } from '../kit/notify.ts';

export type WayState = (typeof wayStates)[number];

/** What the portal was asked to do with a made bill while its answer is not known, and what then holds. */
export interface AskedOf {
  readonly what: 'vehicle' | 'cancel';
  readonly request: Readonly<Record<string, unknown>>;
  readonly leaves: { readonly state: WayState; readonly transport?: IrpTransport; readonly reason?: string };
}

export interface Bill {
  readonly bill: number;
  readonly route: WayRoute;
  readonly state: WayState;
  readonly author: Id;
  readonly transport: IrpTransport;
  readonly number: string | null;
  readonly made_at: string | null /** When the vehicle was last reported, in the portal's writing. */;
  readonly vehicle_at: string | null;
  readonly valid_until: string | null;
  readonly distance: number | null;
  readonly error_code: string | null;
  readonly error: string | null;
  readonly attempts: number;
  readonly asked: AskedOf | null;
  /** Seconds since the portal was asked; null when nobody waits for its answer any more. */
  readonly asked_ago: number | null;
  readonly cancel_reason: string | null;
  readonly age: number;
}

/** States in which nothing more comes of a bill: its document may have another. */
export const over: readonly WayState[] = ['cancelled', 'void'];
/** States a bill is sent from. */
export const sendable: readonly WayState[] = ['queued', 'failed', 'unclear'];
/** After so many seconds without an end, what was on its way was dropped by a process that died. */
export const ABANDONED = 60;

/** The bills of a document, the last first; `lock` keeps others from the rows. */
export const billsOf = async (
  run: Executor,
  organisation: number,
  document: Id,
  lock = false,
): Promise<readonly Bill[]> =>
  (
    await sql<Bill>`
      select
        bill, route, state, author, transport, number, made_at, valid_until,
        (
          select to_char(max(a.at) at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI:SS')
          from eway_attempts a
          where a.organisation = eway_bills.organisation
            and a.document = eway_bills.document
            and a.bill = eway_bills.bill
            and a.what = 'vehicle'
            and a.outcome = 'accepted'
        ) as vehicle_at,
        distance, error_code, error, attempts, asked,
        extract(epoch from now() - asked_at)::int as asked_ago, cancel_reason,
        extract(epoch from now() - updated_at)::int as age
      from eway_bills
      where organisation = ${organisation} and document = ${document}::uuid
      order by bill desc ${lock ? sql`for update` : sql``}
    `.execute(run)
  ).rows;

export interface Attempt {
  readonly what: string;
  readonly outcome: string;
  readonly code?: string | null;
  readonly message?: string | null;
  readonly request?: object | null;
  readonly response?: object | null;
}
export interface About {
  readonly document: Id;
  readonly bill: number;
  readonly author: Id;
}

/** Keeps one exchange with a portal, in the order they happened. */
export const noteAttempt = (
  books: Books,
  organisation: number,
  { document, bill, author }: About,
  a: Attempt,
): Promise<unknown> =>
  books.inTransaction({ organisation, user: author }, (trx) =>
    sql`
      insert into eway_attempts (
        organisation, document, bill, attempt, what, outcome, code, message, request, response
      )
      select
        ${organisation}, ${document}, ${bill}, coalesce(max(attempt), 0) + 1, ${a.what}, ${a.outcome},
        ${a.code ?? null}, ${a.message ?? null}, ${a.request ? JSON.stringify(a.request) : null},
        ${a.response ? JSON.stringify(a.response) : null}
      from eway_attempts
      where organisation = ${organisation} and document = ${document} and bill = ${bill}
    `.execute(trx),
  );

export interface Claimed {
  readonly doc: PortalDocument;
  readonly bill: Bill;
  readonly mayBeKnown: boolean;
  readonly former: readonly (string | null)[];
}

/**
 * Takes a bill for sending; undefined when there is nothing to do. Throws `Later` while another job is at it: what
 * that one leaves undone must not be left by all.
 */
export const claim = (books: Books, organisation: number, document: Id, wanted: number): Promise<Claimed | undefined> =>
  books.inTransaction({ organisation, user: '' }, async (trx) => {
    const bills = await billsOf(trx, organisation, document, true);
    const bill = bills.find((b) => b.bill === wanted);
    const doc = await portalDocument(trx, organisation, document);
    const abandoned = bill?.state === 'sending' && bill.age >= ABANDONED;
    if (bill?.state === 'sending' && !doc?.cancelled && !abandoned)
      throw new Later(`the e-way bill of ${document} is being made by another job`);
    if (!bill || !doc || doc.cancelled || !(sendable.includes(bill.state) || abandoned)) return undefined;
    await sql`
      update eway_bills
      set state = 'sending', attempts = attempts + 1, version = version + 1, updated_at = now()
      where organisation = ${organisation} and document = ${document}::uuid and bill = ${wanted}
    `.execute(trx);
    return {
      doc,
      bill,
      mayBeKnown: bill.state === 'unclear' || abandoned,
      former: bills.filter((b) => b !== bill).map((b) => b.number),
    };
  });

export interface Made {
  readonly state: 'made';
  readonly number: string;
  readonly madeAt: string;
  readonly validUntil: string | null;
  readonly distance: number | null;
}
export type Verdict =
  | Made
  | { readonly state: 'failed' | 'queued' | 'unclear'; readonly code?: string; readonly message: string };

/** Writes what came of it, and tells the author of a failure, once. */
export async function conclude(
  books: Books,
  organisation: number,
  { document, bill, author }: About,
  name: string,
  verdict: Verdict,
): Promise<void> {
  await books.inTransaction({ organisation, user: author }, async (trx) => {
    const at = sql`organisation = ${organisation} and document = ${document}::uuid and bill = ${bill} and state = 'sending'`;
    if (verdict.state === 'made') {
      await sql`
        update eway_bills
        set
          state = ${verdict.validUntil === null ? 'partA' : 'active'}, number = ${verdict.number},
          made_at = ${verdict.madeAt}, valid_until = ${verdict.validUntil}, distance = ${verdict.distance},
          error_code = null, error = null, version = version + 1, updated_at = now()
        where ${at}
      `.execute(trx);
      return;
    }
    await sql`
      update eway_bills
      set
        state = ${verdict.state}, error_code = ${verdict.code ?? null}, error = ${verdict.message},
        version = version + 1, updated_at = now()
      where ${at}
    `.execute(trx);
    if (verdict.state !== 'failed') return;
    await notify(trx, {
      organisation,
      to: author,
      says: say('{{name}}: its e-way bill was refused: {{reason}}', { name, reason: verdict.message }),
      link: '/layout/E-Way%20Bill',
      once: true,
    });
  });
}

/** The document in the e-way-bill portal's eyes. */
export const asWayDocument = ({ kind, facts, composition, withSez, theirPaper }: PortalDocument): WayDocument => ({
  ...facts,
  withSez,
  travels: kindOf(kind as KindName).gst.eway ?? { way: 'out', on: 'invoice', as: ['1'] },
  ...sideOf(kind as KindName),
  ...(theirPaper && { theirPaper }),
  billOfSupply:
    composition || facts.lines.every((line) => line.treatment !== 'taxable' && line.treatment !== 'zeroRated'),
});

const sideOf = (kind: KindName): Pick<WayDocument, 'side'> => {
  const { side } = kindOf(kind).party;
  return side === 'none' ? {} : { side };
};

/** Which way a document's bill is made: an invoice that the law gives an IRN goes by it; notes never do. */
export const routeOf = ({ kind, einvoice, needsIrn }: PortalDocument): WayRoute =>
  kindOf(kind as KindName).gst.irp === 'INV' && (needsIrn || (einvoice && einvoice.state !== 'void'))
    ? 'irn'
    : 'direct';

/** What keeps a document from having an e-way bill made, in one sentence; undefined when nothing does. */
export function obstacleOf(doc: PortalDocument, today: Day): Said | undefined {
  if (doc.cancelled) return say('it is cancelled');
  if (!doc.gstin) return say('the registration has no GSTIN');
  const stop = stopOn(doc.stops, today);
  if (stop) return say('{{stopped}}: the portal makes no e-way bill for it', { stopped: stopText(doc.gstin, stop) });
  const tooOld = tooOldForWay(asWayDocument(doc), today);
  if (tooOld) return tooOld;
  if (routeOf(doc) === 'direct') return wayObstacle(asWayDocument(doc));
  if (doc.einvoice?.state === 'cancelled') return say('its IRN is cancelled');
  if (doc.einvoice?.state !== 'registered') return say('it needs its IRN first');
  return doc.facts.lines.every((line) => line.service) ? say('only goods travel with an e-way bill') : undefined;
}

type Shown = z.input<typeof wayBill>;

/** A transport as screens show and edit it. */
export const shownTransport = (t: IrpTransport): Shown['transport'] => ({
  distance: t.distance,
  transporterId: t.transporter?.id ?? '',
  transporterName: t.transporter?.name ?? '',
  mode: t.mode ?? '',
  vehicle: t.vehicle?.number ?? '',
  oversized: t.vehicle?.oversized ?? false,
  documentNumber: t.document?.number ?? '',
  documentDate: t.document?.date ?? '',
  as: t.as?.type ?? '',
  says: t.as?.says ?? '',
});

/** A bill as screens show it; `now` in the portal's own writing of time. */
export const shownBill = (b: Bill, now: string): Shown => ({
  bill: b.bill,
  route: b.route,
  state: b.state,
  number: b.number,
  madeAt: b.made_at,
  validUntil: b.valid_until,
  expired: b.state === 'active' && b.valid_until !== null && b.valid_until < now,
  distance: b.distance,
  transport: shownTransport(b.transport),
  errorCode: b.error_code,
  error: b.error,
  attempts: b.attempts,
  asked: b.asked?.what ?? null,
  cancelReason: b.cancel_reason,
});
