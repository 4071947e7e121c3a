import { parseDecimal } from '../base/decimal.ts';
import { type Paise, paise, zero } from '../base/money.ts';
import { goesThroughBank } from '../books/legs.ts';
import { chargesOf, moneyWorth } from '../books/posting.ts';
import type { Draft, Priced } from './document.ts';
import { type KindName, kindCalled, kindNames } from './kinds/index.ts';
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
export const mayNeedApproval = ({ life, source }: Kind): boolean =>
  !life.system && !life.till && source.reverses === undefined;

/** The rules that bind a kind: its own, else those of the kinds that do the same. */
export function rulesFor(rules: readonly ApprovalRule[], kind: string): readonly ApprovalRule[] {
  const own = rules.filter((rule) => rule.kind === kind);
  const group = kindCalled(kind)?.life.approvedWith;
  if (own.length > 0 || group === undefined) return own;
  return rules.filter((rule) => kindCalled(rule.kind)?.life.approvedWith === group);
}
/** The kinds that a rule for this one binds too, where they have none of their own. */
export const boundWith = (kind: string): readonly KindName[] => {
  const group = kindCalled(kind)?.life.approvedWith;
  return group === undefined
    ? []
    : kindNames.filter((name) => name !== kind && kindCalled(name)?.life.approvedWith === group);
};

/** Whether a document of this kind that comes to so much waits for somebody's approval. */
export const needsApproval = (rules: readonly ApprovalRule[], kind: string, total: number): boolean =>
  rulesFor(rules, kind).some(({ from }) => total >= from);

/**
 * The amount that a rule is compared with: what it comes to before discounts, and all that leaves the bank or stock. Where
 * stock is corrected, that is all that is added and all that is taken away. A payment leaves the bank with its charges. Goods of
 * ours that go elsewhere are worth what they cost, where what somebody typed is less: `left` is what left stock, which only
 * posting knows.
 */
export const weighed = (
  kind: Kind,
  draft: Draft,
  priced: Pick<Priced, 'total' | 'lines' | 'atCost'> & Partial<GivenOff>,
  left: Paise = zero,
): Paise => {
  if (priced.atCost) return paise(priced.lines.reduce((total, { value }) => total + Math.abs(value), 0));
  const total = beforeDiscounts(writtenTotal(kind, draft, priced), priced);
  if (goesThroughBank(kind)) return paise(total + chargesOf(draft));
  return kind.stock.valued === undefined ? total : paise(Math.max(total, left));
};

type GivenOff = Pick<Priced, 'gross' | 'discount' | 'adjustments'>;
/** What a document comes to, or would come to without what is taken off it: a discount makes no document a small one. */
const beforeDiscounts = (total: Paise, { gross = zero, discount = zero, adjustments = [] }: Partial<GivenOff>): Paise =>
  paise(
    Math.max(
      gross,
      adjustments.reduce((sum, { amount }) => sum + Math.max(0, -amount), total + discount),
      total,
    ),
  );

/** Whether only posting knows what a document comes to: what its goods cost counts. */
export const isWeighedAtCost = ({ stock }: Kind): boolean => stock.valued !== undefined;

/** What a document comes to in rupees: of its lines, its debits or credits, its money, or its duties. */
export function writtenTotal(kind: Kind, draft: Draft, { total }: Pick<Priced, 'total'>): Paise {
  const { customs } = draft;
  if (customs) return paise(customs.basic + customs.surcharge + customs.igst);
  if (kind.lines.of === 'ledgers') {
    const sum = (side: 'debit' | 'credit') => draft.lines.reduce((t, line) => t + (line[side] ?? 0), 0);
    // balances that the books begin with may stand on one side alone
    return paise(Math.max(sum('debit'), sum('credit')));
  }
  return kind.lines.of === 'none' ? moneyWorth({ draft }) : total;
}
