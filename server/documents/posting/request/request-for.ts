import { Refusal } from '../../../../contract/errors.ts';
import type { Draft } from '../../../../domain/document/document.ts';
import { kindOf } from '../../../../domain/document/kinds/index.ts';
import { returnsWithoutSource } from '../../../../domain/document/sources.ts';
import { checkAdditional } from '../../../additional/index.ts';
import type { Context } from '../../../context.ts';
import { refuseClosed } from '../../drafts/fulfilment.ts';
import { checkTenders } from '../../till/tenders.ts';
import { checkTillDiscount } from '../../till/till-discount.ts';
import { kindAsked } from '../kinds.ts';
import type { PostingRequest } from '../types.ts';
import { prepare } from './prepare.ts';

/** The request for a document that a person posts, after what is asked of the person and the draft before its transaction begins. */
export async function requestFor(
  context: Context,
  draft: Draft,
  how: Parameters<typeof prepare>[2] = {},
): Promise<PostingRequest> {
  const kind = kindAsked(draft.kind);
  if (how.number) context.require('numberedBill');
  if (returnsWithoutSource(kindOf(kind), draft) && !context.may('full', kind))
    throw new Refusal('returnWithoutSource', { kind: kindOf(kind).label.toLowerCase() });
  await checkAdditional(context, kind, draft.additional);
  await checkTillDiscount(context, draft);
  await checkTenders(context, draft);
  await refuseClosed(context, draft);
  return prepare(context, draft, how);
}
