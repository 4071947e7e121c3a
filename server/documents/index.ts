// biome-ignore-all format: rows of columns
import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import { type documents, draftBody } from '../../contract/documents.ts';
import { Refusal } from '../../contract/errors.ts';
import { check } from '../../domain/check.ts';
import { moneyText } from '../../domain/decimal.ts';
import type { Draft, Id } from '../../domain/document.ts';
import { kindNames, kindOf, movesAdvances } from '../../domain/kinds/index.ts';
import { price } from '../../domain/price.ts';
import { resolve } from '../../domain/resolve.ts';
import { checkAdditional } from '../additional/index.ts';
import type { Context } from '../context.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';
import { keyAt, postedOnce } from './again.ts';
import { prepareCancel } from './cancel.ts';
import { convert } from './convert.ts';
import { editorFacts } from './editor-facts.ts';
import { seriesFor } from './facts.ts';
import { listDocuments } from './list.ts';
import { factsOf, kindAsked, prepare } from './prepare.ts';
import type { Poster } from './queue.ts';
import { viewDocument } from './view.ts';
import { pricedText } from './wire.ts';

export { keyAt, postedOnce } from './again.ts';
export { houseNow } from './house.ts';
export { isHere, mayOpen, mayRead } from './may-read.ts';
export { prepare as preparePosting } from './prepare.ts';
export { type Poster, poster } from './queue.ts';
export { abandonedRevaluations, revalueStock } from './revaluation.ts';
export { viewDocument } from './view.ts';
export { draftText } from './wire.ts';

type DocumentCalls = Omit<typeof documents, 'PrintDocument' | 'PreviewPaper'>;

/** What stands on the ledger of advances is settled by kinds of its own. */
const advances = kindNames.filter((name) => movesAdvances(kindOf(name)));

/** The calls of the service `transactions` that are about drafts and documents themselves. */
export const documentHandlers = (poster: Poster): Handlers<DocumentCalls, Context> => ({
  GetTransationsList: listDocuments,
  GetTransactionDetails: (input, context) => viewDocument(context, { number: input.InvoiceNo, kind: kindAsked(input.TransactionType) }),
  GetTransactionDetailForInvoice: (input, context) => viewDocument(context, { id: input.TransactionId, number: input.TransactionNumber }),

  GetTaxCalculation: ({ draft }, context) =>
    context.inTransaction(async (trx) => {
      const kind = kindOf(kindAsked(draft.kind));
      const facts = await factsOf(trx, context, draft as Draft);
      return { priced: pricedText(price(resolve(kind, draft as Draft, facts))), problems: check(kind, draft as Draft, facts, context.today).map((p) => ({ ...p })) };
    }),

  AddTransactionDetails: ({ kind, id, version, body }, context) =>
    context.inTransaction(async (trx) => {
      const name = kindAsked(kind);
      if (!id) {
        const made = newId();
        await sql`insert into drafts (organisation, id, kind, body, author) values (${context.organisation}, ${made}, ${name}, ${JSON.stringify(body)}, ${context.user})`.execute(trx);
        return { TransactionId: made, version: 1 };
      }
      const { rows } = await sql<{ version: number }>`update drafts set body = ${JSON.stringify(body)}, version = version + 1, updated_at = now() where organisation = ${context.organisation} and id = ${id} and kind = ${name} and author = ${context.user} and version = ${version ?? 0} returning version`.execute(trx);
      if (rows[0]) return { TransactionId: id, version: rows[0].version };
      throw await whyNot(trx, context, id);
    }),

  PostTransactionCalls: async ({ TransactionId, version, document }, context) => {
    const posted = await postedOnce(context, context.key, async () => {
      const kept = TransactionId ? await keptDraft(context, TransactionId, version) : undefined;
      const draft = document ?? kept;
      if (!draft) throw new Refusal('notFound');
      const kind = kindAsked(draft.kind);
      context.allow('write', kind);
      await checkAdditional(context, kind, draft.additional);
      return poster.post(await prepare(context, draft as Draft, TransactionId ? { draftId: TransactionId } : {}));
    });
    return { TransactionId: posted.id, TransactionNumber: posted.number, total: moneyText(posted.total), warnings: [] };
  },

  CancelTransaction: async ({ TransactionIds, reason }, context) => {
    const cancelled = [];
    for (const [place, id] of TransactionIds.entries()) {
      const key = keyAt(context.key, place);
      const reversal = await postedOnce(context, key, async () => poster.post({ ...(await prepareCancel(context, id, reason)), key, digest: context.digest }));
      cancelled.push({ TransactionId: id, reversal: reversal.id });
    }
    return { cancelled };
  },

  DeleteMultipleTransaction: ({ TransactionIds }, context) =>
    context.inTransaction(async (trx) => {
      const ids = [...new Set(TransactionIds)];
      const { rows } = await sql<Drafted>`select id, kind, author from drafts where organisation = ${context.organisation} and id = any(${ids}::uuid[]) for update`.execute(trx);
      // one that is not there, or not his, and nothing is deleted
      if (rows.filter((draft) => isHis(context, draft)).length !== ids.length) throw new Refusal('notFound');
      await sql`delete from drafts where organisation = ${context.organisation} and id = any(${ids}::uuid[])`.execute(trx);
      return { deleted: ids.length };
    }),

  GetConversion: convert,
  GetEditorFacts: editorFacts,

  GetOpenItems: ({ party, side }, context) =>
    context.inTransaction(async (trx) => {
      const { rows } = await sql<{ document: Id; line: number; kind: string; number: string; date: string; due_date: string | null; currency: string; original: string; open: string; worth: string }>`
        select o.document, o.line, d.kind, coalesce(o.reference, d.number) as number, o.date, o.due_date, o.currency, o.original, o.open, open_worth(o.organisation, o) as worth from open_items o join documents d on d.organisation = o.organisation and d.id = o.document
         where o.organisation = ${context.organisation} and o.party = ${party} and o.side = ${side} and o.open > 0
           and d.kind <> all(${advances}) order by o.date, o.document, o.line limit 500`.execute(trx);
      return rows.map((r) => ({ document: r.document, line: r.line, kind: r.kind, number: r.number, date: r.date, dueDate: r.due_date, currency: r.currency, original: moneyText(Number(r.original)), open: moneyText(Number(r.open)), worth: moneyText(Number(r.worth)) }));
    }),

  DocSeriesValidations: ({ Type, registration, date }, context) =>
    context.inTransaction(async (trx) => {
      const kind = kindAsked(Type);
      const { rows } = await sql<{ id: Id; location: Id; code: string }>`select r.id, l.id as location, l.code from registrations r join locations l on l.organisation = r.organisation and l.registration = r.id where r.organisation = ${context.organisation} and ${registration ? sql`r.id = ${registration}::uuid` : sql`true`} order by r.id, l.id limit 1`.execute(trx);
      const [own] = rows;
      if (!own) throw new Refusal('notFound');
      const series = await seriesFor(trx, context.organisation, kind, own.id, { id: own.location, code: own.code }, date ?? context.today);
      const counter = await sql<{ next: number }>`select next from series_counters where organisation = ${context.organisation} and series = ${series.id} and period = ${series.period}`.execute(trx);
      return { next: `${series.prefix}${String(counter.rows[0]?.next ?? series.start).padStart(series.padding, '0')}${series.suffix}`, problems: [] };
    }),
});

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

interface Drafted { readonly id: Id; readonly kind: string; readonly author: Id }

/** A draft is its author's; who may do everything with its kind may also do this. */
function isHis(context: Context, { kind, author }: Drafted): boolean {
  if (author === context.user) return true;
  try {
    context.allow('write', kind);
    context.allow('approve', kind);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** A draft as it was kept, checked like one that comes over the wire. */
async function keptDraft(context: Context, id: Id, version: number | undefined): Promise<Draft> {
  return context.inTransaction(async (trx) => {
    const { rows } = await sql<Drafted & { body: unknown; version: number }>`select id, kind, author, body, version from drafts where organisation = ${context.organisation} and id = ${id}`.execute(trx);
    const [kept] = rows;
    if (kept && !isHis(context, kept)) throw new Refusal('notFound');
    if (!kept || (version !== undefined && kept.version !== version)) throw await whyNot(trx, context, id);
    const parsed = draftBody.safeParse(kept.body);
    if (!parsed.success) throw new Problems(parsed.error.issues.map((issue) => ({ field: issue.path.filter((p) => typeof p === 'string').join('.'), message: issue.message })));
    return parsed.data as Draft;
  });
}

/** A draft that is not there any more was posted, or changed by somebody else, or never was. */
async function whyNot(trx: Trx, context: Context, id: Id): Promise<Refusal> {
  const { rows } = await sql<{ number: string | null; name: string | null }>`
    select (select number from documents where organisation = ${context.organisation} and id = ${id}) as number, (select u.name from drafts d join users u on u.organisation = d.organisation and u.id = d.author where d.organisation = ${context.organisation} and d.id = ${id}) as name`.execute(trx);
  if (rows[0]?.number) return new Refusal('alreadyPosted', { number: rows[0].number });
  return rows[0]?.name ? new Refusal('stale', { who: rows[0].name }) : new Refusal('notFound');
}
