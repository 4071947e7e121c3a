import { parseDecimal } from '../base/decimal.ts';
import { type Paise, paise } from '../base/money.ts';
import { moneyWorth } from '../books/posting.ts';
import type { Draft, Priced } from './document.ts';
import type { Kind } from './kinds/kind.ts';

/** Documents of this kind, from so much on, are posted by somebody else than their author. */
export interface ApprovalRule {
  readonly kind: string;
  /** Nothing: always. */
  readonly from: Paise;
}

/** The rules as they are kept, amounts as text. */
export const rulesOf = (kept: readonly { readonly kind: string; readonly from: string }[]): ApprovalRule[] =>
  kept.map(({ kind, from }) => ({ kind, from: paise(parseDecimal(from, 2) ?? 0) }));

/** What the product makes by itself, rings up at a till or takes back whole is written by nobody who could wait for a word. */
export const mayNeedApproval = ({ system, till, undoes }: Kind): boolean => !system && !till && undoes === undefined;

/** Whether a document of this kind that comes to so much waits for somebody's approval. */
export const needsApproval = (rules: readonly ApprovalRule[], kind: string, total: number): boolean =>
  rules.some((rule) => rule.kind === kind && total >= rule.from);

/** What is held against a rule: what a document comes to; where stock is put right, all that is added and all that is taken away. */
export const weighed = (kind: Kind, draft: Draft, priced: Pick<Priced, 'total' | 'lines' | 'atCost'>): Paise =>
  priced.atCost
    ? paise(priced.lines.reduce((total, { value }) => total + Math.abs(value), 0))
    : writtenTotal(kind, draft, priced);

/** What a document comes to in rupees: of its lines, its debits or credits, its money, or its duties. */
export function writtenTotal(kind: Kind, draft: Draft, { total }: Pick<Priced, 'total'>): Paise {
  const { customs } = draft;
  if (customs) return paise(customs.basic + customs.surcharge + customs.igst);
  if (kind.lines === 'ledgers') {
    const sum = (side: 'debit' | 'credit') => draft.lines.reduce((t, line) => t + (line[side] ?? 0), 0);
    // balances that the books begin with may stand on one side alone
    return paise(Math.max(sum('debit'), sum('credit')));
  }
  return kind.lines === 'none' ? moneyWorth({ draft }) : total;
}
