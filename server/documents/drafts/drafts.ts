import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Answer, Input } from '../../../contract/contract.ts';
import { type documents, draftBody, keptBody } from '../../../contract/documents.ts';
import { Refusal } from '../../../contract/errors.ts';
import { partFields } from '../../../contract/parts.ts';
import { millionths, ONE } from '../../../domain/base/decimal.ts';
import { say } from '../../../domain/base/say.ts';
import { checked } from '../../../domain/document/check.ts';
import type { Draft, Id } from '../../../domain/document/document.ts';
import { kindOf } from '../../../domain/document/kinds/index.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import { price } from '../../../domain/document/price.ts';
import { type Facts, resolve } from '../../../domain/document/resolve.ts';
import { statusLabels } from '../../../domain/tax/gst/registration/registered.ts';
import { withTdsOfPayment } from '../../../domain/tax/withheld.ts';
import { hidesCostOf, mayDecide, mayKeep } from '../../access/index.ts';
import type { Context, Row } from '../../context.ts';
import { newId } from '../../kit/ids.ts';
import { readInput, refuseUnknown } from '../../kit/input.ts';
import { Problems } from '../../kit/problems.ts';
import { factsOf } from '../posting/facts/draft-facts.ts';
import { kindAsked } from '../posting/kinds.ts';
import { enrichedDraft } from '../posting/request/enrich.ts';
import { isHere } from '../read/may-read.ts';
import { pricedText } from '../read/wire.ts';
import { estimate } from '../stock/at-cost.ts';

type Calls = typeof documents;
type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

interface Drafted {
  readonly id: Id;
  readonly kind: string;
  readonly author: Id;
  readonly submitted_at: Date | null;
}

/** What of a draft decides about rights. */
export const draftRow = ({
  kind,
  author,
  submitted_at,
  body,
}: Pick<Drafted, 'kind' | 'author' | 'submitted_at'> & { readonly body: unknown }): Row => {
  const { location } = body as { readonly location?: unknown };
  return {
    kind,
    author,
    location: typeof location === 'string' ? location : null,
    draft: submitted_at === null ? 'kept' : 'submitted',
  };
};

/** A kept draft as a document: its row says its kind, and the head of one whose lines were never kept has none. */
export function readable({ kind, body }: { readonly kind: string; readonly body: unknown }): Draft {
  const read = readInput(draftBody, { lines: [], ...(body as object), kind });
  if ('problems' in read) throw new Problems(read.problems);
  return read.data;
}

/** A draft in the version that was read; one that waits for approval can be posted by somebody else than its author only. */
export interface Kept {
  readonly draft: Draft;
  readonly version: number;
  readonly approves?: { readonly author: Id; readonly version: number };
}

/** Keeps a draft, whole or only its head: a body without lines is a head, and the parts that were kept for it before stay. */
export function saveDraft(
  {
    kind,
    id: asked,
    version: ofAsked,
    body: { id: own, version: ofOwn, ...body },
    attempt,
  }: Input<Calls['AddTransactionDetails']>,
  context: Context,
): Promise<Answer<Calls['AddTransactionDetails']>> {
  return context.inTransaction(async (trx) => {
    const name = kindAsked(kind);
    refuseUnknown(keptBody, body);
    if (body['kind'] !== undefined && body['kind'] !== kind && kindAsked(String(body['kind'])) !== name)
      throw new Problems([
        {
          field: 'body.kind',
          ...say('This draft is kept as {{kind}}: send the same kind in its body, or leave it out', { kind }),
        },
      ]);
    const { id: known, version: seen } = draftNamed(
      { id: asked, version: ofAsked },
      readNamed({ id: own, version: ofOwn }),
      'body',
    );
    const made = newId();
    const { id, version } =
      known || !attempt ? { id: known, version: seen } : await insteadOf(trx, context, attempt, made);
    if (!id) {
      await sql`
        insert into drafts (organisation, id, kind, body, author)
        values (${context.organisation}, ${made}, ${name}, ${JSON.stringify(body)}, ${context.user})
      `.execute(trx);
      return { TransactionId: made, version: 1 };
    }
    const kept =
      'lines' in body
        ? sql`'{}'::jsonb`
        : sql`
          coalesce(
            (
              select jsonb_object_agg(f.key, f.value)
              from jsonb_each(drafts.body) f
              where f.key = any(${partFields}::text[])
            ),
            '{}'::jsonb
          )
        `;
    const { rows } = await sql<{
      version: number;
    }>`
      update drafts
      set body = ${kept} || ${JSON.stringify(body)}::jsonb, version = version + 1, updated_at = now()
      where organisation = ${context.organisation}
        and id = ${id}
        and kind = ${name}
        and author = ${context.user}
        and version = ${version ?? 0}
        and submitted_at is null
      returning version
    `.execute(trx);
    if (rows[0]) return { TransactionId: id, version: rows[0].version };
    await refuseSubmitted(trx, context, [id]);
    throw await whyNot(trx, context, id, name);
  });
}

/** A draft by its id, in the version that was seen of it. */
interface Named {
  readonly id?: Id | undefined;
  readonly version?: number | undefined;
}
const named = draftBody.pick({ id: true, version: true });
function readNamed(given: Readonly<Record<string, unknown>>): Named {
  const read = readInput(named, given);
  if ('problems' in read) throw new Problems(read.problems.map((one) => ({ ...one, field: `body.${one.field}` })));
  return read.data;
}
/** The draft that a call names: beside its text or in it, but not one here and another one there. */
export function draftNamed(asked: Named, own: Named, within: 'body' | 'document'): Named {
  const differs = (field: 'id' | 'version'): boolean =>
    asked[field] !== undefined && own[field] !== undefined && asked[field] !== own[field];
  const wrong = (['id', 'version'] as const).filter(differs);
  if (wrong.length > 0)
    throw new Problems(
      wrong.map((field) => ({
        field: `${within}.${field}`,
        ...say('This says something else than the call: send the same, or leave it out'),
      })),
    );
  return { id: asked.id ?? own.id, version: asked.version ?? own.version };
}

/**
 * Takes the key of a posting that got no answer for the draft `made`, so that only one of the two comes to be: a posting on its way
 * is waited for, one that comes later finds its key used. Answers the draft that took the key before, as it was made: its own answer
 * was lost too.
 */
async function insteadOf(
  trx: Trx,
  { organisation, user }: Context,
  key: string,
  made: Id,
): Promise<{ readonly id?: Id; readonly version?: number }> {
  const digest = createHash('sha256').update(`draft ${made}`).digest();
  const taken = await sql`
    insert into idempotency_keys (organisation, "user", key, digest, answer)
    values (${organisation}, ${user}, ${key}, ${digest}, ${JSON.stringify({ draft: made })})
    on conflict do nothing
    returning key
  `.execute(trx);
  if (taken.rows.length > 0) return {};
  const { rows } = await sql<{
    answer: { readonly number?: string; readonly draft?: Id };
  }>`select answer from idempotency_keys where organisation = ${organisation} and "user" = ${user} and key = ${key}`.execute(
    trx,
  );
  const { number, draft } = rows[0]?.answer ?? {};
  if (number) throw new Refusal('alreadyPosted', { number });
  if (!draft) throw new Refusal('keyReused');
  return { id: draft, version: 1 };
}

/** The user's own drafts that wait for approval are locked. */
export async function refuseSubmitted(trx: Trx, { organisation, user }: Context, ids: readonly Id[]): Promise<void> {
  const { rows } = await sql`
    select from drafts
    where organisation = ${organisation}
      and id = any(${[...ids]}::uuid[])
      and author = ${user}
      and submitted_at is not null
  `.execute(trx);
  if (rows.length > 0) throw new Refusal('draftSubmitted');
}

/** Deletes drafts, all or none; one that is not in the version that was seen is kept with its text. */
export function deleteDrafts(
  { TransactionIds, versions }: Input<Calls['DeleteMultipleTransaction']>,
  context: Context,
): Promise<Answer<Calls['DeleteMultipleTransaction']>> {
  return context.inTransaction(async (trx) => {
    const ids = [...new Set(TransactionIds)];
    const { rows } = await sql<Drafted & { body: unknown }>`
      select id, kind, author, submitted_at, body
      from drafts
      where organisation = ${context.organisation} and id = any(${ids}::uuid[])
      order by id
      for update
    `.execute(trx);
    // one that is not there, or not theirs, and nothing is deleted
    const missing = ids.find((id) => !rows.some((draft) => draft.id === id));
    if (missing !== undefined) throw await whyNot(trx, context, missing);
    for (const draft of rows) context.still('draft', draftRow(draft));
    if (rows.some((draft) => draft.submitted_at !== null)) throw new Refusal('draftSubmitted');
    const seen = ids.map((id) => versions[TransactionIds.indexOf(id)] ?? 0);
    const deleted = await sql<{ id: Id }>`
      delete from drafts d
       using unnest(${ids}::uuid[], ${seen}::int[]) a(id, version)
       where d.organisation = ${context.organisation}
         and d.id = a.id
         and d.version = a.version
      returning d.id`.execute(trx);
    const changed = ids.find((id) => !deleted.rows.some((draft) => draft.id === id));
    if (changed !== undefined) throw await whyNot(trx, context, changed);
    return { deleted: ids.length };
  });
}

/** What a caller says of a draft beside it. */
type Said = Pick<Input<Calls['GetTaxCalculation']>, 'isTransactionTyepIsPurchase' | 'RegistrationStatus'>;

/**
 * Throws the problems where what is said of a draft is another thing than the draft. A purchase is what we buy: of a
 * supplier, or with input tax.
 */
function mustAgree(
  { isTransactionTyepIsPurchase: purchase, RegistrationStatus: status }: Said,
  kind: Kind,
  { own }: Pick<Facts, 'own'>,
): void {
  const buys = kind.party.side === 'supplier' || kind.gst.tax === 'input';
  const problems = [];
  if (purchase !== undefined && purchase !== buys)
    problems.push({
      field: 'isTransactionTyepIsPurchase',
      ...(buys
        ? say('{{kind}} is a purchase: send true, or leave it out', { kind: kind.label })
        : say('{{kind}} is no purchase: send false, or leave it out', { kind: kind.label })),
    });
  if (status !== undefined && status !== own.kind)
    problems.push({
      field: 'RegistrationStatus',
      ...say('The status of the registration is {{status}} on this day: send {{kind}}, or leave it out', {
        status: statusLabels[own.kind],
        kind: own.kind,
      }),
    });
  if (problems.length > 0) throw new Problems(problems);
}

/** What a draft adds up to, with its problems; what is said of it has to agree with it. */
export async function priceDraft(
  trx: Trx,
  context: Context,
  typed: Draft,
  said: Said = {},
): Promise<Answer<Calls['GetTaxCalculation']>> {
  const draft = await enrichedDraft(trx, context, typed);
  const kind = kindOf(kindAsked(draft.kind));
  const facts = await factsOf(trx, context, draft);
  mustAgree(said, kind, facts);
  const priced = price(resolve(kind, { ...draft, exchangeRate: draft.exchangeRate || millionths(ONE) }, facts));
  const { problems, warnings } = checked(kind, draft, facts, context.today);
  const deducted = withTdsOfPayment(kind, draft, facts).tdsAmount;
  const shown = kind.lines.of === 'none' && deducted !== undefined ? { ...priced, tds: deducted } : priced;
  // what its goods are thought to cost is worked out for who may know it
  const worth = hidesCostOf(context, draft.kind) ? shown : await estimate(trx, context, kind, draft, shown);
  return { priced: pricedText(worth), problems, warnings };
}

/**
 * A draft as it was kept, checked like one that comes over the wire, or `sent`, which is posted in its place: what was kept
 * may hold text that nobody has corrected there. One that waits for approval is posted as it was kept and not otherwise.
 */
export async function keptDraft(context: Context, id: Id, version: number, sent?: Draft): Promise<Kept> {
  return context.inTransaction(async (trx) => {
    const { rows } = await sql<
      Drafted & { body: unknown; version: number }
    >`select id, kind, author, submitted_at, body, version from drafts where organisation = ${context.organisation} and id = ${id}`.execute(
      trx,
    );
    const [kept] = rows;
    const waits = kept !== undefined && kept.submitted_at !== null;
    if (kept) context.still('draft', draftRow(kept));
    const kind = sent && kindAsked(sent.kind);
    // a document takes the place of a draft of its own kind
    if (kept && kind && kept.kind !== kind) throw new Refusal('notFound');
    if (!kept || kept.version !== version) throw await whyNot(trx, context, id, kind);
    if (!waits) return { draft: sent ?? readable(kept), version: kept.version };
    if (kept.author === context.user) throw new Refusal('ownApproval');
    // what is approved is what was submitted, and nothing else
    if (sent) throw new Refusal('draftSubmitted');
    return { draft: readable(kept), version, approves: { author: kept.author, version } };
  });
}

/**
 * A draft that is not there any more was posted, or changed by somebody else, or never was. What the user may not see
 * never was, nor what is of another kind.
 */
export async function whyNot(trx: Trx, context: Context, id: Id, kind?: string): Promise<Refusal> {
  const { rows } = await sql<{
    number: string | null;
    name: string | null;
    kind: string;
    author: Id;
    submitted_at: Date | null;
    body: unknown;
    location: Id | null;
  }>`
    select number, null as name, kind, author, null::timestamptz as submitted_at, null::jsonb as body, location
      from documents
     where organisation = ${context.organisation}
       and id = ${id}
    union all
    select null, u.name, d.kind, d.author, d.submitted_at, d.body, null
      from drafts d
      join users u on u.organisation = d.organisation and u.id = coalesce(d.rejected_by, d.author)
     where d.organisation = ${context.organisation}
       and d.id = ${id}`.execute(trx);
  const [found] = rows;
  if (!found || (kind !== undefined && found.kind !== kind)) return new Refusal('notFound');
  if (found.number !== null)
    return found.author === context.user ||
      (isHere(context, found.location ?? '') &&
        (context.may('write', found.kind) || context.may('approve', found.kind)))
      ? new Refusal('alreadyPosted', { number: found.number })
      : new Refusal('notFound');
  const draft = draftRow(found);
  return mayKeep(context, draft) || mayDecide(context, draft)
    ? new Refusal('stale', { who: found.name ?? '' })
    : new Refusal('notFound');
}
