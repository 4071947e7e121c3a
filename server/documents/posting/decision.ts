import type { Revised } from '../stock/balances.ts';
import { costRevision, type Difference, differenceOf } from '../stock/revision.ts';
import type { Loaded } from './load.ts';
import type { CheckedRequest, Decided } from './types.ts';

/** What was decided, with what it changed in the cost of others. */
export type Decision = Decided & { readonly revised: readonly Revised[] };

/** Later movements that cost something else now, and the document that says so. */
export function revision(
  request: CheckedRequest,
  { lockedThrough }: Loaded,
  revised: readonly Revised[],
  own: readonly Difference[],
): Pick<Decision, 'revised' | 'revisions' | 'costRevision'> {
  return {
    revised,
    revisions: revised.map((r) => ({ document: r.document, number: r.number, revision: r.revision + 1, cost: r.now })),
    costRevision: costRevision({ ...request, lockedThrough }, [...own, ...revised.map(differenceOf)]),
  };
}
