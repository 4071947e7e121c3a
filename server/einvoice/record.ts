import { sql } from 'kysely';
import { type Said, say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import type { Books } from '../kit/database/sql.ts';
import { Later } from '../kit/later.ts';
import { notify } from '../kit/notify.ts';
import { type Reported, reported } from './facts.ts';
import { endPaymentLinks } from './payment-links.ts';
import { sendable } from './states.ts';

/** What came of it. */
export type Verdict =
  | {
      readonly state: 'registered';
      readonly ackNo: string | null;
      readonly ackDate: string | null;
      readonly signedInvoice: string | null;
      readonly signedQr: string | null;
    }
  | { readonly state: 'failed' | 'queued' | 'unclear' | 'cancelled'; readonly code?: string; readonly message: string };

/** After so many seconds without an end, a document on its way was dropped by a process that died. */
export const ABANDONED = 60;

/**
 * Takes a document for sending and keeps its IRN, worked out before the portal sees it; undefined when there is
 * nothing to do. Throws `Later` while another job is at it: what that one leaves undone must not be left by all.
 */
export async function claim(
  books: Books,
  organisation: number,
  document: Id,
): Promise<{ readonly doc: Reported; readonly mayBeKnown: boolean } | undefined> {
  return books.inTransaction({ organisation, user: '' }, async (trx) => {
    await sql`select from einvoices where organisation = ${organisation} and document = ${document}::uuid for update`.execute(
      trx,
    );
    const doc = await reported(trx, organisation, document);
    const abandoned = doc?.state === 'sending' && doc.age >= ABANDONED;
    if (doc?.state === 'sending' && !doc.cancelled && !abandoned)
      throw new Later(`the document ${document} is being sent by another job`);
    if (doc?.state === 'unclear' && doc.cancelAskedAgo !== null && doc.cancelAskedAgo < ABANDONED)
      throw new Later(`the IRN of ${document} is being cancelled`);
    if (!doc || doc.cancelled || !(sendable.includes(doc.state) || abandoned)) return undefined;
    await sql`
      update einvoices
      set state = 'sending', irn = ${doc.irn}, attempts = attempts + 1, version = version + 1, updated_at = now()
      where organisation = ${organisation} and document = ${document}::uuid
    `.execute(trx);
    return { doc, mayBeKnown: doc.state === 'unclear' || abandoned };
  });
}

export interface Attempt {
  readonly what: string;
  readonly outcome: string;
  readonly code: string | null;
  readonly message: string | null;
  readonly request: string | null;
  readonly response: string | null;
}

/** Keeps one exchange with the portal, in the order they happened. */
export const noteAttempt = (
  books: Books,
  organisation: number,
  doc: Pick<Reported, 'document' | 'author'>,
  a: Attempt,
): Promise<unknown> =>
  books.inTransaction({ organisation, user: doc.author }, (trx) =>
    sql`
      insert into einvoice_attempts (
        organisation, document, attempt, what, outcome, code, message, request, response
      )
      select
        ${organisation}, ${doc.document}, coalesce(max(attempt), 0) + 1, ${a.what}, ${a.outcome}, ${a.code},
        ${a.message}, ${a.request}, ${a.response}
      from einvoice_attempts
      where organisation = ${organisation} and document = ${doc.document}
    `.execute(trx),
  );

/** Notifications about the outcome: to the author that it failed, and to whoever asked to cancel an IRN what came of it. */
function outcomeFor(
  { author, cancelAsked }: Reported,
  verdict: Verdict,
): { readonly to: Id; readonly says: Said } | undefined {
  if (verdict.state === 'failed')
    return { to: author, says: say('the invoice portal refused it: {{reason}}', { reason: verdict.message }) };
  if (cancelAsked && verdict.state === 'cancelled')
    return { to: cancelAsked.by, says: say('its IRN is cancelled at the portal') };
  return cancelAsked && verdict.state === 'registered'
    ? { to: cancelAsked.by, says: say('the portal did not cancel its IRN: cancel it again') }
    : undefined;
}

/** Writes what came of it, and tells the author of a failure, once. */
export async function conclude(books: Books, organisation: number, doc: Reported, verdict: Verdict): Promise<void> {
  await books.inTransaction({ organisation, user: doc.author }, async (trx) => {
    const done = verdict.state === 'registered' ? verdict : undefined;
    const trouble = verdict.state === 'registered' ? undefined : verdict;
    await sql`
      update einvoices
      set
        state = ${verdict.state}, ack_no = coalesce(${done?.ackNo ?? null}, ack_no),
        ack_date = coalesce(${done?.ackDate ?? null}, ack_date),
        signed_invoice = coalesce(${done?.signedInvoice ?? null}, signed_invoice),
        signed_qr = coalesce(${done?.signedQr ?? null}, signed_qr),
        cancelled_at = case
          when ${verdict.state} = 'cancelled' then coalesce(cancelled_at, now())
          else cancelled_at
        end,
        cancel_reason = case
          when ${verdict.state} = 'cancelled' then coalesce(cancel_asked ->> 'remark', cancel_reason)
          else cancel_reason
        end,
        cancel_asked = case when ${verdict.state} in ('registered', 'cancelled') then null else cancel_asked end,
        cancel_asked_at = null, error_code = ${trouble?.code ?? null}, error = ${trouble?.message ?? null},
        version = version + 1, updated_at = now()
      where organisation = ${organisation} and document = ${doc.document}::uuid and state = 'sending'
    `.execute(trx);
    await endPaymentLinks(trx, organisation, doc.document);
    const notice = outcomeFor(doc, verdict);
    if (notice)
      await notify(trx, {
        organisation,
        to: notice.to,
        says: say('{{number}}: {{says}}', { number: doc.facts.number, says: notice.says }),
        link: '/layout/EInvoiceListView',
        once: true,
      });
  });
}
