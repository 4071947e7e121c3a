import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { say, verbatim } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import type { Context } from '../context.ts';
import {
  type Credentials,
  credentialsOf,
  type PortalDocument,
  portalDocument,
  type Reply,
  Unclear,
  wordsOf,
} from '../einvoice/index.ts';
import type { WayDesk } from './make.ts';
import { ABANDONED, type AskedOf, type Bill, billsOf, noteAttempt, over } from './record.ts';
import { portalMoment } from './times.ts';

/** What is to be done with a made bill, worked out from how it stands. */
export type Deed = (bill: Bill, doc: PortalDocument) => AskedOf;

interface Standing {
  readonly doc: PortalDocument;
  readonly bill: Bill;
  readonly as: Credentials;
}

/** The portal says so of a bill that is cancelled, or not ours. */
const NOT_OURS = '312';

/**
 * Has the portal do something with a made bill: Part B, or cancelling. What it was asked is written down before; after an
 * unclear answer the bill is read back, and when that fails too, whoever acts next reads it back first.
 */
export async function act(
  desk: WayDesk,
  context: Context,
  document: Id,
  deed: Deed,
): Promise<{ readonly validUntil: string | null }> {
  for (let round = 0; round < 3; round++) {
    const found = await standing(desk, context, document);
    const left = found.bill.asked;
    if (left) {
      if (found.bill.asked_ago !== null && found.bill.asked_ago < ABANDONED) throw new Refusal('busy');
      const now = await readBack(desk, context, found);
      const done = isDone(left, now);
      await settle(context, found, left, done ? now : undefined);
      if (done && sameDeed(left, deed(found.bill, found.doc))) return { validUntil: portalMoment(now['validUpto']) };
      continue;
    }
    const asked = deed(found.bill, found.doc);
    if (await begin(context, found, asked)) return carryOut(desk, context, found, asked);
  }
  throw new Refusal('busy');
}

/** The living bill of a document. */
async function standing(desk: WayDesk, context: Context, document: Id): Promise<Standing> {
  return context.inTransaction(async (trx) => {
    const doc = await portalDocument(trx, context.organisation, document);
    if (!doc) throw new Refusal('notFound');
    const bill = (await billsOf(trx, context.organisation, document)).find((b) => !over.includes(b.state));
    if (bill?.state !== 'partA' && bill?.state !== 'active')
      throw new Refusal('wayImpossible', {
        number: doc.facts.number,
        reason: say('it has no e-way bill that could be changed'),
      });
    const as = await credentialsOf(trx, desk.vault, context.organisation, doc.registration);
    if (!as) throw new Refusal('noCredentials', { gstin: doc.gstin ?? '' });
    return { doc, bill, as };
  });
}

const rowOf = (context: Context, { doc, bill }: Standing) =>
  sql`organisation = ${context.organisation} and document = ${doc.document}::uuid and bill = ${bill.bill}`;

/** Writes down what the portal is asked; false when somebody else was faster. */
const begin = (context: Context, found: Standing, asked: AskedOf): Promise<boolean> =>
  context.inTransaction(async (trx) => {
    const { numAffectedRows } = await sql`
      update eway_bills
      set asked = ${JSON.stringify(asked)}::jsonb, asked_at = now(), version = version + 1, updated_at = now()
      where ${rowOf(context, found)} and asked is null and state in ('partA', 'active')
    `.execute(trx);
    return numAffectedRows === 1n;
  });

/** Writes what came of it: what was asked holds now, or nothing has changed. `facts` are the portal's own. */
const settle = (
  context: Context,
  found: Standing,
  { leaves }: AskedOf,
  facts: Readonly<Record<string, unknown>> | undefined,
): Promise<unknown> =>
  context.inTransaction((trx) => {
    if (!facts)
      return sql`
        update eway_bills
        set asked = null, asked_at = null, version = version + 1, updated_at = now()
        where ${rowOf(context, found)}
      `.execute(trx);
    const cancelled = leaves.state === 'cancelled';
    return sql`
      update eway_bills
      set
        state = ${leaves.state},
        transport = coalesce(${leaves.transport ? JSON.stringify(leaves.transport) : null}::jsonb, transport),
        valid_until = coalesce(${portalMoment(facts['validUpto'])}, valid_until),
        cancelled_at = case when ${cancelled} then now() else cancelled_at end,
        cancel_reason = coalesce(${leaves.reason ?? null}, cancel_reason), asked = null, asked_at = null,
        version = version + 1, updated_at = now()
      where ${rowOf(context, found)}
    `.execute(trx);
  });

/** Nobody waits for this answer any more: whoever comes next reads the bill back. */
const leave = (context: Context, found: Standing): Promise<unknown> =>
  context.inTransaction((trx) =>
    sql`update eway_bills set asked_at = null, version = version + 1 where ${rowOf(context, found)}`.execute(trx),
  );

async function carryOut(
  desk: WayDesk,
  context: Context,
  found: Standing,
  asked: AskedOf,
): Promise<{ readonly validUntil: string | null }> {
  const send = { vehicle: desk.ways.vehicle, cancel: desk.ways.cancel }[asked.what];
  let reply: Reply;
  try {
    reply = await send(found.as, asked.request);
  } catch (error) {
    if (!(error instanceof Unclear)) throw error;
    await note(desk, context, found, asked.what, {
      outcome: 'unclear',
      message: error.message,
      request: asked.request,
    });
    return afterUnclear(desk, context, found, asked);
  }
  if (reply.ok) {
    await note(desk, context, found, asked.what, {
      outcome: 'accepted',
      request: asked.request,
      response: reply.facts,
    });
    await settle(context, found, asked, reply.facts);
    return { validUntil: portalMoment(reply.facts['validUpto']) };
  }
  const { code, message } = wordsOf(reply.errors);
  await note(desk, context, found, asked.what, { outcome: 'refused', code, message, request: asked.request });
  if (reply.errors.some((e) => e.code === NOT_OURS))
    return afterUnclear(desk, context, found, asked, `${code} ${message}`);
  await settle(context, found, asked, undefined);
  throw new Refusal('wayRefused', { reason: verbatim(`${code} ${message}`) });
}

/** Reads the bill back after an answer that does not say what has become of it. */
async function afterUnclear(
  desk: WayDesk,
  context: Context,
  found: Standing,
  asked: AskedOf,
  refusal?: string,
): Promise<{ readonly validUntil: string | null }> {
  const now = await readBack(desk, context, found);
  const done = isDone(asked, now);
  await settle(context, found, asked, done ? now : undefined);
  if (done) return { validUntil: portalMoment(now['validUpto']) };
  throw refusal ? new Refusal('wayRefused', { reason: verbatim(refusal) }) : new Refusal('wayUnreachable');
}

async function readBack(desk: WayDesk, context: Context, found: Standing): Promise<Readonly<Record<string, unknown>>> {
  let reply: Reply;
  try {
    reply = await desk.ways.byNumber(found.as, found.bill.number ?? '');
  } catch (error) {
    if (!(error instanceof Unclear)) throw error;
    await note(desk, context, found, 'ask', { outcome: 'unclear', message: error.message });
    await leave(context, found);
    throw new Refusal('wayUnreachable');
  }
  if (reply.ok) {
    await note(desk, context, found, 'ask', { outcome: 'found', response: reply.facts });
    return reply.facts;
  }
  const { code, message } = wordsOf(reply.errors);
  await note(desk, context, found, 'ask', { outcome: 'refused', code, message });
  await leave(context, found);
  throw new Refusal('wayRefused', { reason: verbatim(`${code} ${message}`) });
}

const note = (
  desk: WayDesk,
  context: Context,
  { doc, bill }: Standing,
  what: string,
  more: {
    readonly outcome: string;
    readonly code?: string;
    readonly message?: string;
    readonly request?: object;
    readonly response?: object;
  },
) =>
  noteAttempt(
    desk.books,
    context.organisation,
    { document: doc.document, bill: bill.bill, author: context.user },
    { what, ...more },
  );

interface Travelled {
  readonly vehicleNo?: string;
  readonly transDocNo?: string | null;
  readonly fromPlace?: string;
}

/** Whether a bill, as the portal has it, shows what was asked. */
function isDone({ what, request }: AskedOf, facts: Readonly<Record<string, unknown>>): boolean {
  if (what === 'cancel') return facts['status'] === 'CNL';
  const legs = (facts['VehiclListDetails'] ?? []) as readonly Travelled[];
  return legs.some(
    (leg) =>
      (leg.vehicleNo ?? '') === request['vehicleNo'] &&
      (leg.transDocNo ?? '') === request['transDocNo'] &&
      leg.fromPlace === request['fromPlace'],
  );
}

const sameDeed = (a: AskedOf, b: AskedOf): boolean =>
  a.what === b.what && Object.entries(b.request).every(([key, value]) => a.request[key] === value);
