import { sql } from 'kysely';
import type { approvalCalls } from '../../contract/approval.ts';
import type { Handlers } from '../../contract/contract.ts';
import type { documents } from '../../contract/documents.ts';
import { Refusal } from '../../contract/errors.ts';
import type { partCalls } from '../../contract/parts.ts';
import { moneyText } from '../../domain/base/decimal.ts';
import { say } from '../../domain/base/say.ts';
import { movesAdvances } from '../../domain/books/legs.ts';
import type { Id } from '../../domain/document/document.ts';
import { type KindName, kindByCode, kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { hidesCostOf, isCostHidden } from '../access/index.ts';
import type { Context } from '../context.ts';
import { Problems } from '../kit/problems.ts';
import { approvalHandlers } from './drafts/approval.ts';
import { convert } from './drafts/convert.ts';
import { deleteDrafts, draftNamed, keptDraft, priceDraft, saveDraft } from './drafts/drafts.ts';
import { editorFacts } from './drafts/editor-facts.ts';
import { orderHandlers } from './drafts/fulfilment.ts';
import { splitHandlers } from './drafts/split.ts';
import { freedBy, prepareCancel } from './posting/cancelling/cancel.ts';
import { seriesFor } from './posting/facts/facts.ts';
import { checkedAhead, keyAt, postedOnce } from './posting/idempotency.ts';
import { kindAsked } from './posting/kinds.ts';
import type { Poster } from './posting/queue.ts';
import { requestFor } from './posting/request/request-for.ts';
import { reasonsOf } from './posting/request/requester.ts';
import { listDocuments } from './read/list.ts';
import { nameableRows } from './read/may-read.ts';
import { viewDocument } from './read/view.ts';
import { postNumbered } from './till/till-number.ts';

export { whyNot } from './drafts/drafts.ts';
export { itemText } from './drafts/editor-facts.ts';
export { postingCache, withoutCache } from './posting/cache.ts';
export { freedBy, irnNeeded, prepareCancel, prepareCancelTogether } from './posting/cancelling/cancel.ts';
export { type ItemRow, itemFacts, itemsOf } from './posting/facts/facts.ts';
export { tillPrices } from './posting/facts/price-lists.ts';
export { checkedAhead, keyAt, postedOnce } from './posting/idempotency.ts';
export { cancelWithin, postWithin } from './posting/inside.ts';
export { type Poster, poster } from './posting/queue.ts';
export { certificatesOf } from './posting/request/certificates.ts';
export { type RateOfDay, rateOn } from './posting/request/exchange-rates.ts';
export { prepare as preparePosting } from './posting/request/prepare.ts';
export { reasonsOf } from './posting/request/requester.ts';
export { holdAccounts, moveAccount } from './posting/settling/accounts.ts';
export {
  isPlainReceipt,
  ofLaterReturn,
  type Service,
  servicesDatedAfter,
  valuesOfServices,
} from './posting/settling/services-later.ts';
export { locksIn, type OwnRegistration, seenIn, snapshotNow } from './posting/snapshot.ts';
export type { TypedBeside } from './posting/types.ts';
export { isHere, mayOpen, mayRead, nameable, nameableRows } from './read/may-read.ts';
export { viewDocument } from './read/view.ts';
export { draftText } from './read/wire.ts';
export { abandonedRevaluations, revalueStock } from './stock/revaluation.ts';
export { writeSystemDocument } from './stock/revision.ts';
export {
  givesNumbers,
  type HeldTill,
  heldTill,
  type NumberingTill,
  numberOfTill,
  setDown,
} from './till/till-number.ts';

type DocumentCalls = Omit<typeof documents, 'PrintDocument' | 'PreviewPaper'> & typeof partCalls & typeof approvalCalls;

/** The balance of the ledger of advances is settled by kinds of its own. */
const advances = kindNames.filter((name) => movesAdvances(kindOf(name)));

/** The kind that a caller takes documents for. A module that cancels what it knows sends none. */
function kindTaken(type: string): KindName | undefined {
  const kind = kindByCode(type);
  if (type !== '' && !kind)
    throw new Problems([
      { field: 'TransactionType', ...say('There is no type of document called “{{type}}”', { type }) },
    ]);
  return kind;
}

/** A document without the draft that it names. */
const withoutName = <T extends { readonly id?: unknown; readonly version?: unknown }>({
  id: _id,
  version: _version,
  ...text
}: T) => text;

type Calls = Handlers<DocumentCalls, Context>;

const postTransaction =
  (poster: Poster): Calls['PostTransactionCalls'] =>
  async ({ TransactionId: asked, version: seen, document: whole, accepted = [] }, context) => {
    let kindPosted = whole?.kind ?? '';
    const posted = await postedOnce(context, context.key, async () => {
      const { id: TransactionId, version } = draftNamed(
        { id: asked, version: seen },
        { id: whole?.id, version: whole?.version },
        'document',
      );
      const document = whole && withoutName(whole);
      if (TransactionId && version === undefined)
        throw new Problems([{ field: 'version', ...say('Send the version of the draft that was seen') }]);
      const kept =
        TransactionId && version !== undefined ? await keptDraft(context, TransactionId, version, document) : undefined;
      const sent = kept?.draft ?? document;
      if (!sent) throw new Refusal('notFound');
      const given = [
        ...(sent.accepted ?? []).map((each) => ({ ...each, by: kept?.approves?.author ?? context.user })),
        ...(reasonsOf(context, accepted).accepted ?? []),
      ];
      const draft = given.length > 0 ? { ...sent, accepted: given } : sent;
      const kind = kindAsked(draft.kind);
      kindPosted = kind;
      return postNumbered(context, draft, async (bill, number) => {
        return poster.post(
          await requestFor(context, bill, {
            ...(TransactionId && kept && { id: TransactionId, draftVersion: kept.version }),
            ...(number && { number }),
            ...(kept?.approves && { approves: kept.approves }),
          }),
        );
      });
    });
    return {
      TransactionId: posted.id,
      TransactionNumber: posted.number,
      // asked again, its draft is gone and its kind is not known: then the total stays hidden
      total: (kindPosted === '' ? isCostHidden(context) : hidesCostOf(context, kindPosted))
        ? null
        : moneyText(posted.total),
      warnings: [...(posted.warnings ?? [])],
    };
  };

const cancelTransaction =
  (poster: Poster): Calls['CancelTransaction'] =>
  async ({ TransactionIds, TransactionType, reason, frees, today }, context) => {
    const ids = [...new Set(TransactionIds)];
    const kind = kindTaken(TransactionType);
    // what can be known is known of all of them before the first is cancelled
    if (ids.length > 1)
      for (const [place, id] of ids.entries())
        await checkedAhead(context, keyAt(context.key, place), () =>
          prepareCancel(context, id, reason, { frees, today, kind, after: ids.slice(0, place) }),
        );
    const cancelled = [];
    for (const [place, id] of ids.entries()) {
      const key = keyAt(context.key, place);
      const reversal = await postedOnce(context, key, async () =>
        poster.post({
          ...(await prepareCancel(context, id, reason, { frees, today, kind })),
          key,
          digest: context.digest,
        }),
      );
      cancelled.push({
        TransactionId: id,
        reversal: reversal.id,
        freed: frees ? await freedBy(context, id, reversal.id) : [],
      });
    }
    return { cancelled };
  };

const openItems: Calls['GetOpenItems'] = ({ party, side }, context) =>
  context.inTransaction(async (trx) => {
    const { rows } = await sql<{
      document: Id;
      line: number;
      kind: string;
      registration: Id;
      number: string;
      date: string;
      due_date: string | null;
      currency: string;
      original: string;
      open: string;
      worth: string;
    }>`
      select
        o.document, o.line, d.kind, d.registration, coalesce(o.reference, d.number) as number, o.date,
        o.due_date, o.currency, o.original, o.open, open_worth(o.organisation, o) as worth
      from open_items o
      join documents d on d.organisation = o.organisation and d.id = o.document
      where o.organisation = ${context.organisation}
        and o.party = ${party}
        and o.side = ${side}
        and o.open > 0
        and ${nameableRows(context)}
        and d.kind <> all(${advances})
      order by o.date, o.document, o.line
      limit 500
    `.execute(trx);
    return rows.map((r) => ({
      document: r.document,
      line: r.line,
      kind: r.kind,
      registration: r.registration,
      number: r.number,
      date: r.date,
      dueDate: r.due_date,
      currency: r.currency,
      original: moneyText(Number(r.original)),
      open: moneyText(Number(r.open)),
      worth: moneyText(Number(r.worth)),
    }));
  });

const nextNumber: Calls['DocSeriesValidations'] = ({ Type, registration, date }, context) =>
  context.inTransaction(async (trx) => {
    const kind = kindAsked(Type);
    const { rows } = await sql<{
      id: Id;
      location: Id;
      code: string;
    }>`
      select r.id, l.id as location, l.code
      from registrations r
      join locations l on l.organisation = r.organisation and l.registration = r.id
      where r.organisation = ${context.organisation}
        and ${registration ? sql`r.id = ${registration}::uuid` : sql`true`}
      order by r.id, l.id
      limit 1
    `.execute(trx);
    const [own] = rows;
    if (!own) throw new Refusal('notFound');
    const series = await seriesFor(
      trx,
      context.organisation,
      kind,
      own.id,
      { id: own.location, code: own.code },
      date ?? context.today,
    );
    const counter = await sql<{
      next: number;
    }>`
      select next
      from series_counters
      where organisation = ${context.organisation} and series = ${series.id} and period = ${series.period}
    `.execute(trx);
    return {
      next: `${series.prefix}${String(counter.rows[0]?.next ?? series.start).padStart(series.padding, '0')}${series.suffix}`,
      problems: [],
    };
  });

/** The calls of the service `transactions` that are about drafts and documents themselves. */
export const documentHandlers = (poster: Poster): Calls => ({
  GetTransationsList: listDocuments,
  GetTransactionDetails: (input, context) =>
    viewDocument(context, { number: input.InvoiceNo, kind: kindAsked(input.TransactionType) }),
  GetTransactionDetailForInvoice: (input, context) =>
    viewDocument(context, { id: input.TransactionId, number: input.TransactionNumber }),

  GetTaxCalculation: ({ draft, ...said }, context) =>
    context.inTransaction((trx) => priceDraft(trx, context, draft, said)),
  AddTransactionDetails: saveDraft,

  PostTransactionCalls: postTransaction(poster),

  CancelTransaction: cancelTransaction(poster),

  DeleteMultipleTransaction: deleteDrafts,
  ...approvalHandlers,
  ...splitHandlers,
  ...orderHandlers,
  GetConversion: convert,
  GetEditorFacts: editorFacts,

  GetOpenItems: openItems,

  DocSeriesValidations: nextNumber,
});
