// biome-ignore-all format: rows of columns
import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import type { Id } from '../../domain/document.ts';
import type { Context } from '../context.ts';
import { credentialsOf } from './credentials.ts';
import { Unclear } from './exchange.ts';
import { type Reported, reported } from './facts.ts';
import type { Reply } from './portal.ts';
import { noteAttempt } from './record.ts';
import type { PortalDesk } from './sending.ts';

/** The portal says so of an IRN that is not, or no longer, active. */
const NOT_ACTIVE = '9999';

/** Cancels an IRN at the portal and answers when. After an unclear answer the portal is asked what has become of it. */
export async function cancelIrn(desk: PortalDesk, context: Context, document: Id, reason: string, remark: string): Promise<string> {
  const { doc, as } = await context.inTransaction(async (trx) => {
    const { rows } = await sql<{ kind: string; location: Id }>`select kind, location from documents where organisation = ${context.organisation} and id = ${document}::uuid`.execute(trx);
    const [own] = rows;
    if (!own || (context.locations.length > 0 && !context.locations.includes(own.location))) throw new Refusal('notFound');
    context.allow('approve', own.kind);
    const found = await reported(trx, context.organisation, document);
    if (found?.state !== 'registered') throw new Refusal('irpRefused', { reason: 'it has no IRN that could be cancelled' });
    const credentials = await credentialsOf(trx, desk.vault, context.organisation, found.registration);
    if (!credentials) throw new Refusal('noCredentials', { gstin: found.gstin });
    return { doc: found, as: credentials };
  });
  const request = { irn: doc.irn, reason, remark };
  const cancelledOn = await outcome(desk, context, doc, request, () => desk.portal.cancel(as, request), () => desk.portal.byIrn(as, doc.irn));
  await context.inTransaction((trx) =>
    sql`update einvoices set state = 'cancelled', cancelled_at = now(), cancel_reason = ${remark}, error = null, error_code = null, version = version + 1, updated_at = now() where organisation = ${context.organisation} and document = ${document}::uuid and state = 'registered'`.execute(trx));
  return cancelledOn;
}

async function outcome(desk: PortalDesk, context: Context, doc: Reported, request: object, send: () => Promise<Reply>, ask: () => Promise<Reply>): Promise<string> {
  const note = (result: string, code: string | null, message: string | null, response: object | null) =>
    noteAttempt(desk.books, context.organisation, { document: doc.document, author: context.user }, { what: 'cancel', outcome: result, code, message, request: JSON.stringify(request), response: response && JSON.stringify(response) });
  let reply: Reply;
  try {
    reply = await send();
  } catch (error) {
    if (!(error instanceof Unclear)) throw error;
    await note('unclear', null, error.message, null);
    return (await cancelledMeanwhile(ask)) ?? Promise.reject(new Refusal('irpUnreachable'));
  }
  if (reply.ok) {
    await note('accepted', null, null, reply.facts);
    return String(reply.facts['CancelDate'] ?? '');
  }
  const codes = reply.errors.map((e) => e.code);
  await note('refused', codes.join(', '), reply.errors.map((e) => e.message).join('; '), null);
  if (codes.includes(NOT_ACTIVE)) return (await cancelledMeanwhile(ask)) ?? '';
  throw new Refusal('irpRefused', { reason: reply.errors.map((e) => `${e.code} ${e.message}`).join('; ') });
}

/** Asks whether an earlier attempt has arrived; undefined when it has not, or when that cannot be known. */
async function cancelledMeanwhile(ask: () => Promise<Reply>): Promise<string | undefined> {
  try {
    const reply = await ask();
    return reply.ok && reply.facts['Status'] === 'CNL' ? String(reply.facts['CancelDate'] ?? '') : undefined;
  } catch (error) {
    if (error instanceof Unclear) return undefined;
    throw error;
  }
}
