import { postsNothing, settles } from '../../../domain/books/legs.ts';
import { kindCalled, lessens } from '../../../domain/document/kinds/index.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import { freeOfStages } from '../../../domain/workflow/orders.ts';

export interface Step {
  readonly label: string;
  readonly kind: string;
}

/** Whether a kind takes back from the document it is made from, or corrects it: a return or a note, which asks why. */
const corrects = (kind: Kind): boolean =>
  // what was sent arrives: that goes forward
  (kind.source.givesPrice === true && kind.stock.effect !== 'transferIn') ||
  lessens(kind) ||
  kind.fields.includes('reason');

/**
 * The next logical step first: money for what is open, else what goes forward. Only such a step may be highlighted,
 * never a return or a note.
 */
export const nextSteps = (
  steps: readonly Step[],
  open: boolean,
): { readonly primary: Step | undefined; readonly others: readonly Step[] } => {
  const rank = ({ kind: name }: Step): number => {
    const kind = kindCalled(name);
    if (!kind) return 4;
    if (settles(kind)) return open ? 0 : 3;
    // Money in advance is asked for seldom: goods and their bill come first, and it is all that an order held at a stage allows.
    if (corrects(kind) || freeOfStages.some((free) => free === name)) return 3;
    if (kind.lines.of !== 'none') return 1;
    // a paper that moves nothing in the books is asked for by the law now and then, not by most documents
    return postsNothing(kind) ? 3 : 2;
  };
  const sorted = [...steps].sort((a, b) => rank(a) - rank(b));
  const [first] = sorted;
  return first && rank(first) < 3
    ? { primary: first, others: sorted.slice(1) }
    : { primary: undefined, others: sorted };
};
