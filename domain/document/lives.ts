import type { Day } from './document.ts';
import type { Kind } from './kinds/kind.ts';

/** Where a document stands. Only `draft` to `rejected` are kept; the rest follows from what is open and what day it is. */
export type State =
  | 'draft'
  | 'pendingApproval'
  | 'rejected'
  | 'posted'
  | 'open'
  | 'partlyPaid'
  | 'paid'
  | 'overdue'
  | 'partlyFulfilled'
  | 'fulfilled'
  | 'closed'
  | 'cancelled';

export type Action =
  | 'edit'
  | 'delete'
  | 'submit'
  | 'post'
  | 'reject'
  | 'print'
  | 'send'
  | 'copy'
  | 'continue'
  | 'settle'
  | 'close'
  | 'cancel';

/** What is known of a document beside its kind. */
export interface Standing {
  readonly draft: boolean;
  readonly approval?: 'requested' | 'rejected';
  readonly cancelled?: boolean;
  readonly closed?: boolean;
  /** Its open item: what was to be settled and what is left, in the party's currency. */
  readonly item?: { readonly original: number; readonly open: number; readonly due?: Day };
  /** Quantities of its lines, and how much of them was carried on to other documents. */
  readonly carried?: { readonly whole: number; readonly done: number };
}

/** The state of a document on a day. */
export function stateOf(kind: Kind, standing: Standing, today: Day): State {
  if (standing.draft) {
    if (standing.approval === undefined) return 'draft';
    return standing.approval === 'requested' ? 'pendingApproval' : 'rejected';
  }
  if (standing.cancelled) return 'cancelled';
  if (standing.closed) return 'closed';
  if (kind.life.cycle !== 'posted') return fulfilment(standing);
  return standing.item ? settlement(standing.item, today) : 'posted';
}

const fulfilment = ({ carried }: Standing): State => {
  if (!carried || carried.done <= 0) return 'open';
  return carried.done < carried.whole ? 'partlyFulfilled' : 'fulfilled';
};

const settlement = (item: NonNullable<Standing['item']>, today: Day): State => {
  if (item.open === 0) return 'paid';
  if (item.due !== undefined && item.due < today) return 'overdue';
  return item.open < item.original ? 'partlyPaid' : 'open';
};

const paper: readonly Action[] = ['print', 'send', 'copy'];
const leads: Readonly<Record<State, readonly Action[]>> = {
  draft: ['edit', 'delete', 'submit', 'post', 'copy'],
  // waiting for another's word: locked for its author
  pendingApproval: ['post', 'reject', 'copy'],
  rejected: ['edit', 'delete', 'submit', 'copy'],
  posted: [...paper, 'continue', 'cancel'],
  open: [...paper, 'continue', 'settle', 'close', 'cancel'],
  partlyPaid: [...paper, 'continue', 'settle', 'cancel'],
  overdue: [...paper, 'continue', 'settle', 'cancel'],
  paid: [...paper, 'continue', 'cancel'],
  partlyFulfilled: [...paper, 'continue', 'close', 'cancel'],
  fulfilled: [...paper, 'cancel'],
  closed: paper,
  cancelled: ['print', 'copy'],
};

/** What may be done to a document of this kind in this state; who may do it is another question. */
export const actions = (kind: Kind, state: State): readonly Action[] =>
  leads[state].filter((action) => {
    if (kind.life.system) return action === 'print';
    if (action === 'close') return kind.life.cycle === 'ordered';
    if (action === 'settle') return kind.books.opens !== undefined;
    if (action === 'print' || action === 'send') return kind.paper.form !== 'none';
    return true;
  });

/** A posted document is never changed: nothing but a draft can be edited or deleted. */
export const isChangeable = (state: State): boolean => leads[state].includes('edit');
