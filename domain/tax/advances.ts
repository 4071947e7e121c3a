import { type Percent, percentText } from '../base/decimal.ts';
import { type Paise, paise, scale, zero } from '../base/money.ts';
import { say } from '../base/say.ts';
import { movesAdvances } from '../books/legs.ts';
import { moneySettled } from '../books/posting.ts';
import type { Day, Draft, Id, Problem, StateCode } from '../document/document.ts';
import { consumesCredits } from '../document/kinds/index.ts';
import type { Kind } from '../document/kinds/kind.ts';
import { stateName } from './gst/registration/states.ts';

/** An amount of an advance in the document's currency, with the value and tax inside it in rupees. */
export interface AdvanceAmounts {
  readonly amount: Paise;
  readonly taxable: Paise;
  readonly cgst: Paise;
  readonly sgst: Paise;
  readonly igst: Paise;
  readonly cess: Paise;
}
export type AdvanceTax = Omit<AdvanceAmounts, 'amount'>;

/** A posted advance, as it was taxed, with what no adjustment or refund has used yet. */
export interface AdvanceFacts {
  readonly document: Id;
  readonly number: string;
  readonly date: Day;
  readonly placeOfSupply: StateCode | null;
  /** Zero: it bears no tax, as an advance for goods. */
  readonly rate: Percent;
  readonly whole: AdvanceAmounts;
  readonly left: AdvanceAmounts;
}

/** Uses up an advance: sets it against invoices or pays it back. */
export const usesAdvance = (kind: Kind): boolean => movesAdvances(kind) && kind.fields.includes('against');

/** Sets an advance against invoices; money that goes back does not. */
export const adjustsAdvance = (kind: Kind): boolean =>
  usesAdvance(kind) && kind.gst.tax !== 'none' && !consumesCredits(kind);

/** Documents whose registration and place of supply an adjustment has to agree with. */
export const adjustedIn = (kind: Kind, { allocations = [] }: Pick<Draft, 'allocations'>): Id[] =>
  adjustsAdvance(kind) ? [...new Set(allocations.map(({ document }) => document))] : [];

/**
 * Whether an adjustment of a registration may set the advance against a document of another one. Each registration is a
 * distinct person (section 25(4)): the tax that one paid on an advance is taken off its own supplies only (GSTR-1, table 11B).
 * An advance without tax is in no table.
 */
export const mayAdjust = ({ rate }: Pick<AdvanceFacts, 'rate'>, registration: Id, due: Id): boolean =>
  rate === 0 || registration === due;

const heads = ['taxable', 'cgst', 'sgst', 'igst', 'cess'] as const;

/**
 * Value and tax of a part of an advance, head by head. The part that closes the advance takes the rest of every head; any
 * other part is in proportion and never more than is left. The amount is positive.
 */
export function partOfAdvance({ whole, left }: Pick<AdvanceFacts, 'whole' | 'left'>, amount: Paise): AdvanceTax {
  const part = (head: (typeof heads)[number]): Paise => {
    if (amount >= left.amount) return left[head];
    return paise(Math.min(left[head], scale(whole[head], amount, whole.amount)));
  };
  const [taxable, cgst, sgst, igst, cess] = heads.map(part);
  return {
    taxable: taxable ?? zero,
    cgst: cgst ?? zero,
    sgst: sgst ?? zero,
    igst: igst ?? zero,
    cess: cess ?? zero,
  };
}

/** The draft with rate and place of supply of the advance that it uses, where they were not typed. */
export function withAdvance(kind: Kind, draft: Draft, advance: AdvanceFacts | undefined): Draft {
  if (!advance || !usesAdvance(kind) || kind.gst.tax === 'none') return draft;
  const { advanceRate, placeOfSupply } = draft;
  return {
    ...draft,
    ...(advanceRate === undefined && advance.rate > 0 && { advanceRate: advance.rate }),
    ...(placeOfSupply === undefined && advance.placeOfSupply !== null && { placeOfSupply: advance.placeOfSupply }),
  };
}

/** An adjustment or refund uses one advance, and has its rate and place of supply. */
export function advanceProblems(kind: Kind, draft: Draft, advance: AdvanceFacts | undefined): Problem[] {
  if (!usesAdvance(kind)) return [];
  if (!draft.against) return [{ field: 'against', ...say('Choose the advance') }];
  const problems: Problem[] = [];
  if (
    consumesCredits(kind) &&
    draft.allocations?.some(({ document, amount }) => document !== draft.against || amount !== moneySettled({ draft }))
  )
    problems.push({
      field: 'allocations',
      ...say('A refund gives back the advance that it is against, and nothing else'),
    });
  if (!advance) return problems;
  const { number, rate, placeOfSupply } = advance;
  if (kind.gst.tax !== 'none' && draft.advanceRate !== undefined && draft.advanceRate !== rate)
    problems.push({
      field: 'advanceRate',
      ...(rate === 0
        ? say('{{number}} has no GST', { number })
        : say('{{number}} was taxed at {{rate}} %', { number, rate: percentText(rate) })),
    });
  if (
    kind.gst.tax !== 'none' &&
    placeOfSupply !== null &&
    draft.placeOfSupply !== undefined &&
    draft.placeOfSupply !== placeOfSupply
  )
    problems.push({
      field: 'placeOfSupply',
      ...say('The place of supply of {{number}} is {{placeOfSupply}}', {
        number,
        placeOfSupply: stateName(placeOfSupply) ?? placeOfSupply,
      }),
    });
  return problems;
}
