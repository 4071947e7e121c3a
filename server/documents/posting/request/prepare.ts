import { Refusal } from '../../../../contract/errors.ts';
import type { Draft, Id } from '../../../../domain/document/document.ts';
import { type KindName, kindOf } from '../../../../domain/document/kinds/index.ts';
import { newId } from '../../../kit/ids.ts';
import { comparesPrices, pricesFor, unrated } from '../facts/price-lists.ts';
import { kindAsked } from '../kinds.ts';
import type { PostingRequest } from '../types.ts';
import { changedCosts } from './changed-costs.ts';
import { enriched } from './enrich.ts';
import { type Requester, requestOf } from './requester.ts';
import { takenBackWhole } from './taken-back.ts';

type How = Pick<PostingRequest, 'approves' | 'skipsApproval' | 'draftVersion'>;

/**
 * The request that a draft is posted with, under its own id or a new one. It is made before the transaction of the posting:
 *
 *   enrich   the draft gets what the server knows: rate of exchange, certificate of lower deduction
 *   costs    goods in stock whose cost the document changes
 *   prices   of the price lists that apply
 *   frees    the settlements of a document that is taken back whole
 *
 * The posting locks and checks everything again. Kinds that only the server makes are refused.
 */
export async function prepare(
  context: Requester,
  draft: Draft,
  { id, number, ...how }: { readonly id?: Id; readonly number?: string } & How = {},
): Promise<PostingRequest> {
  const kind = kindAsked(draft.kind);
  if (kindOf(kind).life.system) throw new Refusal('notFound');
  const known = await enriched(context, draft);
  const costs = await changedCosts(context, kind, draft);
  const prices = await pricesOf(context, kind, known);
  const frees = kindOf(kind).source.reverses ? await takenBackWhole(context, kind, known) : undefined;
  return {
    id: id ?? newId(),
    number,
    ...how,
    ...requestOf(context, kind, known),
    ...costs,
    ...(frees && { frees }),
    ...(prices && { prices }),
  };
}

/** List prices of lines without a rate; of all lines, where a role limits the discount against them. */
async function pricesOf(context: Requester, kind: KindName, draft: Draft): Promise<PostingRequest['prices']> {
  const { organisation, limits, inTransaction } = context;
  const all = comparesPrices(kindOf(kind), limits);
  if (!inTransaction || (!all && unrated(draft).length === 0)) return undefined;
  return inTransaction((trx) => pricesFor(trx, organisation, kindOf(kind), draft, all));
}
