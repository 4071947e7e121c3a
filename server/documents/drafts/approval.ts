import { sql } from 'kysely';
import type { approvalCalls } from '../../../contract/approval.ts';
import type { Handlers } from '../../../contract/contract.ts';
import { Refusal } from '../../../contract/errors.ts';
import { type Screen, screenNames, screens } from '../../../contract/screens.ts';
import { rupeesText } from '../../../domain/base/decimal.ts';
import type { Paise } from '../../../domain/base/money.ts';
import { say } from '../../../domain/base/say.ts';
import { isWeighedAtCost, mayNeedApproval, needsApproval, weighed } from '../../../domain/document/approval.ts';
import type { Id } from '../../../domain/document/document.ts';
import type { KeptFigures } from '../../../domain/document/figures.ts';
import { type KindName, kindOf } from '../../../domain/document/kinds/index.ts';
import { price } from '../../../domain/document/price.ts';
import { resolve } from '../../../domain/document/resolve.ts';
import { levelsFor, parentsOfKind, unlimited } from '../../access/index.ts';
import { checkAdditional } from '../../additional/index.ts';
import type { Context } from '../../context.ts';
import { noticeOf, notify } from '../../kit/notify.ts';
import { Problems } from '../../kit/problems.ts';
import { keptFigures, linkTo } from '../posting/checks/approve.ts';
import { judged, withFacts } from '../posting/facts/draft-facts.ts';
import { kindAsked } from '../posting/kinds.ts';
import { enrichedDraft } from '../posting/request/enrich.ts';
import { snapshotNow } from '../posting/snapshot.ts';
import { estimate } from '../stock/at-cost.ts';
import { draftRow, readable, whyNot } from './drafts.ts';

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
interface Which {
  readonly TransactionId: Id;
  readonly version: number;
}
interface Waiting {
  readonly kind: KindName;
  readonly author: Id;
  readonly body: Record<string, unknown>;
  readonly version: number;
  readonly submitted_at: Date | null;
  readonly party: string | null;
}

/** Sending a draft for approval, taking it back, and rejecting it; who approves posts it. */
export const approvalHandlers: Handlers<typeof approvalCalls, Context> = {
  SubmitForApproval: async (which, context) => {
    const typed = await context.inTransaction(async (trx) => readable(await own(trx, context, which)));
    await checkAdditional(context, kindAsked(typed.kind), typed.additional);
    return context.inTransaction(async (trx) => {
      const draft = await own(trx, context, which);
      if (draft.submitted_at !== null) throw new Refusal('draftSubmitted');
      const { total, figures } = await toApprove(trx, context, draft);
      await tellApprovers(trx, context, which.TransactionId, draft, total);
      return set(
        trx,
        context,
        which,
        sql`
          submitted_at = now(), figures = ${JSON.stringify(figures)}::jsonb,
          rejected_at = null, rejected_by = null, rejection = ''
        `,
      );
    });
  },

  WithdrawSubmission: (which, context) =>
    context.inTransaction(async (trx) => {
      const draft = await own(trx, context, which);
      if (draft.submitted_at === null) throw new Refusal('figuresChanged');
      return set(trx, context, which, sql`submitted_at = null, figures = null`);
    }),

  RejectDocument: ({ comment, ...which }, context) =>
    context.inTransaction(async (trx) => {
      const { organisation, user } = context;
      // before the draft, as who comments beside it does: both number what they write
      await sql`select pg_advisory_xact_lock(hashtextextended('beside ' || ${which.TransactionId}::text, ${organisation}))`.execute(
        trx,
      );
      const draft = await locked(trx, context, which.TransactionId);
      if (!draft) throw await whyNot(trx, context, which.TransactionId);
      context.still('draft', draftRow(draft));
      if (draft.submitted_at === null) throw notSubmitted(context, draft);
      if (draft.author === user) throw new Refusal('ownApproval');
      if (draft.version !== which.version) throw await whyNot(trx, context, which.TransactionId);
      // beside the draft it stays, also when that is mended and posted
      await sql`
        insert into document_comments (organisation, document, number, body, by)
        select
          ${organisation}, ${which.TransactionId}::uuid, coalesce(max(number), 0) + 1,
          ${`Rejected: ${comment}`}, ${user}
        from document_comments
        where organisation = ${organisation} and document = ${which.TransactionId}::uuid
      `.execute(trx);
      await notify(trx, {
        organisation,
        to: draft.author,
        says: say('{{name}} rejected {{document}}: {{comment}}', {
          name: context.name,
          document: said(draft),
          comment,
        }),
        link: linkTo(draft.kind, which.TransactionId),
      });
      return set(
        trx,
        context,
        which,
        sql`
          submitted_at = null, figures = null,
          rejected_at = now(), rejected_by = ${user}, rejection = ${comment}
        `,
      );
    }),
};

const said = ({ kind, party }: Waiting): string => `${kindOf(kind).label}${party ? ` for ${party}` : ''}`;

/** The draft, held until the end of the transaction. */
async function locked(trx: Trx, { organisation }: Context, id: Id): Promise<Waiting | undefined> {
  const { rows } = await sql<Waiting>`
    select d.kind, d.author, d.body, d.version, d.submitted_at, coalesce(p.name, d.body ->> 'partyName') as party
    from drafts d
    left join parties p on p.organisation = d.organisation and p.id::text = d.body ->> 'party'
    where d.organisation = ${organisation} and d.id = ${id}
    for update of d
  `.execute(trx);
  return rows[0];
}

/** The user's own draft in the version that they have seen. */
async function own(trx: Trx, context: Context, { TransactionId, version }: Which): Promise<Waiting> {
  const draft = await locked(trx, context, TransactionId);
  if (draft) context.still('draft', draftRow(draft));
  if (!draft || draft.version !== version) throw await whyNot(trx, context, TransactionId);
  return draft;
}

/** Why a draft that waits for no approval is not decided: an approver learns that it has changed. */
const notSubmitted = (context: Context, { kind }: Waiting): Refusal =>
  new Refusal(context.may('approve', kind) ? 'figuresChanged' : 'notFound');

/** What is sent for approval could be posted as it is, with these figures: with problems it stays with its author. */
async function toApprove(
  trx: Trx,
  context: Context,
  kept: Waiting,
): Promise<{ readonly total: Paise; readonly figures: KeptFigures }> {
  const typed = await enrichedDraft(trx, context, readable(kept));
  const kind = kindOf(kept.kind);
  const { problems: own } = await judged(trx, context, typed);
  // what is beyond the sender's limits is for somebody whose limits are wider: they count when it is approved
  const { facts, problems } = await judged(trx, { ...context, limits: unlimited }, typed);
  if (problems.length > 0) throw new Problems([...problems]);
  const exceedsLimits = own.length > 0;
  if (exceedsLimits && !mayNeedApproval(kind)) throw new Problems([...own]);
  const draft = withFacts(typed, facts);
  const priced = await estimate(trx, context, kind, draft, price(resolve(kind, draft, facts)));
  const total = weighed(kind, draft, priced);
  // as posting sees them, also in the moment after they were changed
  const { approvals: rules } = await snapshotNow(trx, context.organisation);
  // what goods cost is known for certain when they move: under any rule their draft may be sent, so that posting can
  // refuse none that sending refuses too
  const most = priced.atCost || isWeighedAtCost(kind) ? Number.POSITIVE_INFINITY : total;
  if (!exceedsLimits && (!mayNeedApproval(kind) || !needsApproval(rules, kept.kind, most)))
    throw new Refusal('needsNoApproval');
  const { settings } = context;
  return { total, figures: keptFigures({ kind: kept.kind, draft, facts, settings }) };
}

/** Another state is another version: the request names the version that the approver has seen. */
async function set(
  trx: Trx,
  { organisation }: Context,
  { TransactionId }: Which,
  state: ReturnType<typeof sql>,
): Promise<Which> {
  const { rows } = await sql<{
    version: number;
  }>`
    update drafts
    set ${state}, version = version + 1, updated_at = now()
    where organisation = ${organisation} and id = ${TransactionId}
    returning version
  `.execute(trx);
  return { TransactionId, version: rows[0]?.version ?? 0 };
}

/** Notifies everybody who approves this kind at this place, except the sender. */
async function tellApprovers(
  trx: Trx,
  { organisation, user, name }: Context,
  id: Id,
  draft: Waiting,
  total: Paise,
): Promise<void> {
  const parents = parentsOfKind(draft.kind);
  const ids = screenNames.filter((screen) => parents.includes(screen)).map((screen) => (screens[screen] as Screen).id);
  const { message, text } = noticeOf(
    say('{{name}} asks for approval: {{document}}, {{total}}', {
      name,
      document: said(draft),
      total: rupeesText(total),
    }),
  );
  await sql`
    insert into notifications (organisation, id, "user", message, text, link)
    select distinct on (u.id)
      u.organisation, gen_random_uuid(), u.id, ${message}, ${text}::jsonb, ${linkTo(draft.kind, id)}
    from users u
    join user_grants g
      on g.organisation = u.organisation
        and g."user" = u.id
        and g.screen = any(${ids}::int[])
        and g.level = any(${[...levelsFor('approve')]}::int[])
    where u.organisation = ${organisation}
      and u.active
      and u.id <> ${user}
      and (
        not exists (select from user_places p where p.organisation = u.organisation and p."user" = u.id)
          or exists (
            select from user_places p
            where p.organisation = u.organisation
              and p."user" = u.id
              and p.location::text = ${String(draft.body.location)}
          )
      )
  `.execute(trx);
}
