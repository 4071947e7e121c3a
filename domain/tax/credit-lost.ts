import { rupeesText } from '../base/decimal.ts';
import { type Paise, paise, scale, sum, zero } from '../base/money.ts';
import { type Said, say } from '../base/say.ts';
import type { Draft, Id } from '../document/document.ts';
import type { Kind } from '../document/kinds/kind.ts';
import { inBase, itself } from '../stock/units.ts';

/** Input tax by its heads, in paise. */
export interface CreditHeads {
  readonly cgst: Paise;
  readonly sgst: Paise;
  readonly igst: Paise;
  readonly cess: Paise;
}

/** The newest bills that the stock of an item comes from: what credit they took for how many of its own unit (millionths). */
export interface BoughtTax extends CreditHeads {
  readonly item: Id;
  readonly quantity: number;
}

/**
 * Why stock is put right. `way`: goods go, or come; left out, both. `lost`: goods lost, stolen, destroyed, written off or
 * given away, or used by the owner, on which no credit stays (sections 17(5)(g) and (h)).
 */
interface AdjustmentReason {
  readonly value: string;
  readonly label: string;
  readonly way?: 'out' | 'in';
  readonly lost?: true;
}
export const adjustmentReasons: readonly AdjustmentReason[] = [
  { value: 'Count', label: 'Count' },
  { value: 'Damage', label: 'Damage', way: 'out', lost: true },
  { value: 'Expiry', label: 'Expiry', way: 'out', lost: true },
  { value: 'Loss', label: 'Loss', way: 'out', lost: true },
  { value: 'Theft', label: 'Theft', way: 'out', lost: true },
  { value: 'Written off', label: 'Written off', way: 'out', lost: true },
  { value: 'Sample', label: 'Free sample', way: 'out', lost: true },
  { value: 'Gift', label: 'Gift', way: 'out', lost: true },
  { value: 'Own consumption', label: 'Own consumption', way: 'out' },
  // what the owner takes home is consumed, but not for the business: section 17(5)(g)
  { value: 'Personal use', label: 'Personal use', way: 'out', lost: true },
  { value: 'Found', label: 'Found', way: 'in' },
];

/** Why stock that was counted is put right, where nobody says more. */
export const countReason = 'Count';

/** The reason of the list that a text names, by its value or its label. */
const reasonNamed = (text: string | undefined) => {
  const named = text?.trim().toLowerCase();
  return adjustmentReasons.find(({ value, label }) => value.toLowerCase() === named || label.toLowerCase() === named);
};

/** What is wrong with the reason of an adjustment: it decides whether credit stays, so nobody invents one. */
export const reasonProblem = (text: string | undefined): Said | undefined =>
  reasonNamed(text)
    ? undefined
    : say('Choose a reason of the list ({{adjustmentReasons}}), and say more in the narration', {
        adjustmentReasons: adjustmentReasons.map(({ label }) => label).join(', '),
      });

/** What is wrong with a reason of the list for lines that take stock away, or add to it. */
export const reasonContradicted = (
  text: string | undefined,
  lines: readonly { readonly delta?: number | undefined }[],
): Said | undefined => {
  const { way, label = '' } = reasonNamed(text) ?? {};
  const has = (sign: 1 | -1): boolean => lines.some(({ delta = 0 }) => delta * sign > 0);
  if (way === 'out' && has(1)) return say('“{{label}}” takes goods away: add goods with another reason', { label });
  return way === 'in' && has(-1)
    ? say('“{{label}}” adds goods: take goods away with another reason', { label })
    : undefined;
};

/** Whether an adjustment is for goods on which no input credit stays. */
export const losesCredit = (kind: Kind, { fields = {} }: Pick<Draft, 'fields'>): boolean =>
  kind.fields.includes('creditReversed') && reasonNamed(fields['adjustmentReason'])?.lost === true;

/** Whether an adjustment takes goods away without saying what became of them: a count, which may have found goods lost. */
export const mayLoseCredit = (kind: Kind, { fields = {} }: Pick<Draft, 'fields'>): boolean =>
  kind.fields.includes('creditReversed') && reasonNamed(fields['adjustmentReason'])?.value === countReason;

/** Items of which an adjustment takes something away. */
export const itemsLost = ({ lines }: Pick<Draft, 'lines'>): Id[] => [
  ...new Set(lines.flatMap(({ item, delta = 0 }) => (item !== undefined && delta < 0 ? [item] : []))),
];

const heads = ['cgst', 'sgst', 'igst', 'cess'] as const;
const labels: Readonly<Record<(typeof heads)[number], string>> = {
  cgst: 'CGST',
  sgst: 'SGST',
  igst: 'IGST',
  cess: 'cess',
};
export const creditSum = (credit: CreditHeads): Paise => sum(heads.map((head) => credit[head]));
/** 'CGST ₹58.50 and SGST ₹58.50' */
export const creditText = (credit: CreditHeads): string =>
  heads
    .filter((head) => credit[head] !== 0)
    .map((head) => `${labels[head]} ${rupeesText(credit[head])}`)
    .join(' and ');

type Units = ReadonlyMap<
  Id,
  { readonly unit: string; readonly units: Readonly<Record<string, Parameters<typeof inBase>[1]>> }
>;

/** The credit on the goods that an adjustment takes away, by the bills that the stock of each item comes from. */
export function creditOn(draft: Pick<Draft, 'lines'>, items: Units, bought: readonly BoughtTax[]): CreditHeads {
  const of = (head: (typeof heads)[number]): Paise =>
    sum(
      draft.lines.map(({ item: id = '', unit, delta = 0 }) => {
        const last = bought.find((each) => each.item === id);
        const item = items.get(id);
        if (!last || !item || delta >= 0) return zero;
        const quantity = inBase(-delta, item.units[unit ?? item.unit] ?? itself);
        return scale(last[head], quantity, last.quantity);
      }),
    );
  return { cgst: of('cgst'), sgst: of('sgst'), igst: of('igst'), cess: of('cess') };
}

/** The draft with the credit that is reversed with it, where nobody typed another. */
export function withCreditReversed(
  kind: Kind,
  draft: Draft,
  items: Units,
  bought: readonly BoughtTax[] | undefined,
): Draft {
  if (draft.creditReversed !== undefined || !bought || !losesCredit(kind, draft)) return draft;
  const creditReversed = creditOn(draft, items, bought);
  return creditSum(creditReversed) === 0 ? draft : { ...draft, creditReversed };
}

export const noCredit: CreditHeads = { cgst: paise(0), sgst: paise(0), igst: paise(0), cess: paise(0) };
