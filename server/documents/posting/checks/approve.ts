import { createHash } from 'node:crypto';
import type pg from 'pg';
import { Refusal } from '../../../../contract/errors.ts';
import { placeOf } from '../../../../contract/screens.ts';
import { moneyText } from '../../../../domain/base/decimal.ts';
import { type Paise, paise } from '../../../../domain/base/money.ts';
import { say } from '../../../../domain/base/say.ts';
import { type ApprovalRule, mayNeedApproval, needsApproval, weighed } from '../../../../domain/document/approval.ts';
import type { Id } from '../../../../domain/document/document.ts';
import { changedFigures, figuresOf, type KeptFigures } from '../../../../domain/document/figures.ts';
import { kindOf } from '../../../../domain/document/kinds/index.ts';
import type { CheckedRequest, Decided, TypedBeside } from '../types.ts';

/** Whether a document that somebody wrote is about to be posted without the word of another, which it needs. */
export const isUnapproved = (decided: Decided, rules: readonly ApprovalRule[]): boolean => {
  const { request } = decided;
  if (rules.length === 0) return false;
  const beside = typedBeside(request);
  if (beside) return beside.amount > 0 && beside.kinds.some((kind) => needsApproval(rules, kind, beside.amount));
  return isAuthors(request) && needsApproval(rules, request.kind, comesTo(decided));
};

/** What a person typed in a call that makes its document by itself. */
const typedBeside = ({ skipsApproval }: CheckedRequest): TypedBeside | undefined =>
  skipsApproval === true ? undefined : skipsApproval;

/** Written by who posts it, and of a kind that people write. */
const isAuthors = ({ approves, skipsApproval, mirrorOf, kind }: CheckedRequest): boolean =>
  approves === undefined && skipsApproval === undefined && mirrorOf === undefined && mayNeedApproval(kindOf(kind));

/** What the rules judge it by, in paise. */
const comesTo = ({ request: { kind, draft }, priced, movements }: Decided): Paise =>
  weighed(kindOf(kind), draft, priced, paise(movements.reduce((left, { cost }) => left + Math.max(-cost, 0), 0)));

/** Why it is not posted. */
export const unapproved = (decided: Decided): Refusal => {
  const { request } = decided;
  const { name, amount, instead } = typedBeside(request) ?? {
    name: kindOf(request.kind).label,
    amount: comesTo(decided),
    instead: say('save it as a draft and send it for approval'),
  };
  return new Refusal('needsApproval', { kind: name, total: moneyText(amount), instead });
};

/** The figures that a complete draft comes to by these facts, as they are kept with one that is sent for approval. */
export function keptFigures({
  kind,
  draft,
  facts,
  settings,
}: Pick<CheckedRequest, 'kind' | 'draft' | 'facts'> & {
  readonly settings: Pick<CheckedRequest['settings'], 'trackInventory'>;
}): KeptFigures {
  const { amounts, rest } = figuresOf(kindOf(kind), draft, facts, settings.trackInventory);
  return { ...amounts, digest: createHash('sha256').update(rest).digest('hex') };
}

/**
 * Holds the draft that is approved and says who does; who comes second finds it posted, rejected or withdrawn. It is posted
 * with the figures that it was sent with, or not at all.
 */
export async function approve(client: pg.PoolClient, request: CheckedRequest): Promise<void> {
  const { organisation, id, user, approves } = request;
  if (!approves) return;
  const approvals = await client.query<{ figures: KeptFigures }>({
    name: 'approve',
    text: `
      insert into approvals (organisation, document, submitted_by, submitted_at, approved_by, figures)
      select organisation, id, author, submitted_at, $3, figures
      from drafts
      where organisation = $1 and id = $2 and author = $4 and version = $5 and submitted_at is not null
      for update
      returning figures
    `,
    values: [organisation, id, user, approves.author, approves.version],
  });
  const [approval] = approvals.rows;
  if (approval) {
    const changed = changedFigures(approval.figures, keptFigures(request));
    if (changed !== undefined) throw new Refusal('sentFiguresChanged', { changed });
    return;
  }
  const { rows } = await client.query<{ number: string }>(
    'select number from documents where organisation = $1 and id = $2',
    [organisation, id],
  );
  throw rows[0] ? new Refusal('alreadyPosted', { number: rows[0].number }) : new Refusal('figuresChanged');
}

/** Behind the write, in its transaction: the approver's key gets its answer, and the author a notification. */
export const approved = (client: pg.PoolClient, { request, priced }: Decided): Promise<unknown>[] => {
  const { organisation, id, user, key, digest, approves, kind } = request;
  if (!approves) return [];
  return [
    client.query({
      name: 'approved',
      text: `
        with
          d as (select number from documents where organisation = $1 and id = $2),
          k as (
            insert into idempotency_keys (organisation, "user", key, digest, answer)
            select $1, $3, $4, $5, jsonb_build_object('id', $2::uuid, 'number', d.number, 'total', $6::bigint)
            from d
            where $4::uuid is not null
          )
        insert into notifications (organisation, id, "user", message, text, link)
        select
          $1, gen_random_uuid(), $7, $8 || ' ' || d.number || ' is posted: ' || u.name || ' approved it',
          jsonb_build_object(
            'key', $10::text, 'values', jsonb_build_object('kind', $8::text, 'number', d.number, 'name', u.name)
          ),
          $9
        from d
        join users u on u.organisation = $1 and u.id = $3
      `,
      values: [
        ...[organisation, id, user, key ?? null, digest ?? null, priced.total, approves.author],
        ...[kindOf(kind).label, linkTo(kind, id), say('{{kind}} {{number}} is posted: {{name}} approved it').text.key],
      ],
    }),
  ];
};

/** Where a document, or a draft that waits, is looked at. */
export function linkTo(kind: string, id: Id): string | null {
  const place = placeOf(kind, 'documentView');
  return place ? `/layout/${encodeURIComponent(place.screen)}?${new URLSearchParams({ ...place.query, id })}` : null;
}
