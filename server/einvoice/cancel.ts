import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { say, verbatim } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import { isCancelTimeOver } from '../../domain/tax/gst/portal/irp-answer.ts';
import type { Context } from '../context.ts';
import { irnNeeded } from '../documents/index.ts';
import { credentialsOf } from './credentials.ts';
import { Unclear } from './exchange.ts';
import { type CancelAsked, type Reported, reported } from './facts.ts';
import { endPaymentLinks } from './payment-links.ts';
import type { Credentials, Reply } from './portal.ts';
import { ABANDONED, noteAttempt } from './record.ts';
import type { PortalDesk } from './sending.ts';

/** The portal says so of an IRN that is not, or no longer, active. */
const NOT_ACTIVE = '9999';

/**
 * Cancels an IRN at the portal and answers when. The request is written down before it is sent to the portal, and the e-invoice
 * is unclear meanwhile. After a lost answer the portal is asked what has become of it: at once, and by a job until it says so.
 */
export async function cancelIrn(
  desk: PortalDesk,
  context: Context,
  document: Id,
  reason: string,
  remark: string,
): Promise<string> {
  const asked: CancelAsked = { reason, remark, by: context.user };
  const { doc, as, wasUnclear } = await begin(desk, context, document, asked);
  desk.changed(context.organisation);
  try {
    return await carryOut(desk, context, { doc, as, asked, wasUnclear });
  } finally {
    desk.changed(context.organisation);
  }
}

interface Errand {
  readonly doc: Reported;
  readonly as: Credentials;
  readonly asked: CancelAsked;
  /** An earlier cancellation was left without an answer. */
  readonly wasUnclear: boolean;
}

/** Checks that the IRN can be cancelled and writes down that this is asked; a job finds out what came of it if nobody else does. */
const begin = (desk: PortalDesk, context: Context, document: Id, asked: CancelAsked): Promise<Omit<Errand, 'asked'>> =>
  context.inTransaction(async (trx) => {
    const { organisation } = context;
    const { rows } = await sql<{ number: string }>`
      select number
        from documents
       where organisation = ${organisation} and id = ${document}::uuid`.execute(trx);
    const [own] = rows;
    if (!own) throw new Refusal('notFound');
    const needed = await irnNeeded(trx, context, document);
    await sql`select from einvoices where organisation = ${organisation} and document = ${document}::uuid for update`.execute(
      trx,
    );
    const doc = await reported(trx, organisation, document);
    const wasUnclear = doc?.state === 'unclear' && doc.cancelAsked !== undefined;
    if (!doc || !(doc.state === 'registered' || wasUnclear))
      throw new Refusal('irpRefused', { reason: say('it has no IRN that could be cancelled') });
    if (wasUnclear && doc.cancelAskedAgo !== null && doc.cancelAskedAgo < ABANDONED) throw new Refusal('busy');
    if (!wasUnclear && isCancelTimeOver(doc.ackDate ?? '', desk.now()))
      throw new Refusal('irnTooLate', { number: own.number });
    if (!wasUnclear && needed) throw new Refusal('irnInUse', { number: own.number, reason: needed });
    const as = await credentialsOf(trx, desk.vault, organisation, doc.registration);
    if (!as) throw new Refusal('noCredentials', { gstin: doc.gstin });
    await sql`
      update einvoices
         set state = 'unclear', cancel_asked = ${JSON.stringify(asked)}::jsonb, cancel_asked_at = now(),
             version = version + 1, updated_at = now()
       where organisation = ${organisation} and document = ${document}::uuid`.execute(trx);
    await sql`
      insert into outbox (organisation, task, payload, key)
      values (${organisation}, 'registerInvoice', ${JSON.stringify({ organisation, document })}, ${document})`.execute(
      trx,
    );
    return { doc, as, wasUnclear };
  });

async function carryOut(desk: PortalDesk, context: Context, errand: Errand): Promise<string> {
  const { doc, as, asked, wasUnclear } = errand;
  const settled = (stands: 'cancelled' | 'registered') => settle(context, doc.document, stands);
  if (wasUnclear) {
    const before = await standing(desk, context, errand);
    if (before.state === 'cancelled') return settled('cancelled').then(() => before.on);
    if (before.state === 'unknown') return leave(context, doc);
    if (isCancelTimeOver(doc.ackDate ?? '', desk.now())) {
      await settled('registered');
      throw new Refusal('irnTooLate', { number: doc.facts.number });
    }
  }
  const request = { irn: doc.irn, reason: asked.reason, remark: asked.remark };
  let reply: Reply | undefined;
  try {
    reply = await desk.portal.cancel(as, request);
  } catch (error) {
    if (!(error instanceof Unclear)) throw error;
    await note(desk, context, doc, 'cancel', 'unclear', { message: error.message, request });
  }
  if (reply?.ok) {
    await note(desk, context, doc, 'cancel', 'accepted', { request, response: reply.facts });
    await settled('cancelled');
    return String(reply.facts['CancelDate'] ?? '');
  }
  const errors = reply?.errors ?? [];
  const code = errors.map((e) => e.code).join(', ');
  const message = errors.map((e) => e.message).join('; ');
  if (reply) await note(desk, context, doc, 'cancel', 'refused', { code, message, request });
  if (!reply || errors.some((e) => e.code === NOT_ACTIVE)) {
    const now = await standing(desk, context, errand);
    if (now.state === 'cancelled') return settled('cancelled').then(() => now.on);
    if (now.state === 'unknown') return leave(context, doc);
  }
  await settled('registered');
  throw reply
    ? new Refusal('irpRefused', { reason: verbatim(errors.map((e) => `${e.code} ${e.message}`).join('; ')) })
    : new Refusal('irpUnreachable');
}

interface Standing {
  readonly state: 'cancelled' | 'registered' | 'unknown';
  readonly on: string;
}

const statuses: Readonly<Record<string, 'cancelled' | 'registered'>> = { CNL: 'cancelled', ACT: 'registered' };

/** What the portal has of the IRN now. */
async function standing(desk: PortalDesk, context: Context, { doc, as }: Errand): Promise<Standing> {
  const unknown: Standing = { state: 'unknown', on: '' };
  let reply: Reply;
  try {
    reply = await desk.portal.byIrn(as, doc.irn);
  } catch (error) {
    if (!(error instanceof Unclear)) throw error;
    await note(desk, context, doc, 'ask', 'unclear', { message: error.message });
    return unknown;
  }
  if (!reply.ok) {
    const code = reply.errors.map((e) => e.code).join(', ');
    await note(desk, context, doc, 'ask', 'refused', { code, message: reply.errors.map((e) => e.message).join('; ') });
    return unknown;
  }
  const { Irn: irn, Status: status, CancelDate: on } = reply.facts;
  const state = irn === doc.irn ? statuses[String(status)] : undefined;
  await note(desk, context, doc, 'ask', state ? 'found' : 'unclear', { response: reply.facts });
  return state ? { state, on: String(on ?? '') } : unknown;
}

/** Nobody waits for this answer any more: the job, or whoever presses again, asks the portal first. */
async function leave(context: Context, doc: Reported): Promise<never> {
  await context.inTransaction((trx) =>
    sql`
      update einvoices
         set cancel_asked_at = null, error_code = null, error = ${LEFT}, version = version + 1, updated_at = now()
       where organisation = ${context.organisation} and document = ${doc.document}::uuid
         and state = 'unclear'`.execute(trx),
  );
  throw new Refusal('irnCancelUnclear', { number: doc.facts.number });
}
const LEFT = 'The portal was asked to cancel the IRN and has not answered: it is asked what it has';

/** Writes what came of it. */
const settle = (context: Context, document: Id, stands: 'cancelled' | 'registered'): Promise<unknown> =>
  context.inTransaction(async (trx) => {
    await sql`
      update einvoices
         set state = ${stands}, cancelled_at = case when ${stands} = 'cancelled' then now() end,
             cancel_reason = case when ${stands} = 'cancelled' then cancel_asked ->> 'remark' end,
             cancel_asked = null, cancel_asked_at = null, error = null, error_code = null,
             version = version + 1, updated_at = now()
       where organisation = ${context.organisation} and document = ${document}::uuid
         and state in ('unclear', 'sending') and cancel_asked is not null`.execute(trx);
    await endPaymentLinks(trx, context.organisation, document);
  });

interface Noted {
  readonly code?: string;
  readonly message?: string;
  readonly request?: object;
  readonly response?: object;
}
const note = (
  desk: PortalDesk,
  context: Context,
  doc: Reported,
  what: 'cancel' | 'ask',
  outcome: string,
  { code, message, request, response }: Noted,
) =>
  noteAttempt(
    desk.books,
    context.organisation,
    { document: doc.document, author: context.user },
    {
      ...{ what, outcome, code: code ?? null, message: message ?? null },
      request: request ? JSON.stringify(request) : null,
      response: response ? JSON.stringify(response) : null,
    },
  );
