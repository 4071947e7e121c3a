import { rupeesText } from '../../base/decimal.ts';
import { type Paise, sum, zero } from '../../base/money.ts';
import type { Draft, Priced } from '../document.ts';
import { correctsSource, takesBack } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { type SourceDocument, sourceIds } from '../sources.ts';
import type { Finding, PricedCheck, TypedCheck } from './check.ts';

/** Gives back a part of documents that it names, and no more than they have. */
const isBounded = (kind: Kind, draft: Draft): boolean =>
  correctsSource(kind) && takesBack(kind) && sourceIds(draft).length > 0;

/**
 * Goods come back at what they were billed, their share of the charges in it: a charge would give back more. A note that names
 * lines of an invoice has no lines of its own, so none for a charge with a rate.
 */
export const chargesOfReturn: TypedCheck = {
  code: 'chargesOfReturn',
  weight: 'problem',
  source: 'CGST Act section 34(1): a note reduces what its invoice charged',
  find: ({ kind, draft }) => {
    if (!isBounded(kind, draft)) return [];
    const label = kind.label.toLowerCase();
    return (draft.charges ?? []).flatMap(({ amount, gstRate }, row): Finding[] => {
      if (kind.pricedFromSource && amount > 0)
        return [
          {
            field: 'charges.amount',
            row,
            message: `A ${label} gives back the charges with the goods: leave this out`,
          },
        ];
      if (!kind.pricedFromSource && gstRate !== undefined)
        return [
          {
            field: 'charges.gstRate',
            row,
            message: `A ${label} against an invoice has no charges with a rate of their own: choose the line of the invoice that is reduced`,
          },
        ];
      return [];
    });
  },
};

/**
 * What a return or a note gives back after tax, over what its sources put on top of their tax and is not given back yet; in rupees.
 * @param documents as they stand: under a lock where it must hold
 */
export function adjustmentsOver(
  kind: Kind,
  draft: Draft,
  priced: Pick<Priced, 'adjustments'>,
  documents: ReadonlyMap<string, SourceDocument>,
): readonly Finding[] {
  const { adjustments = [] } = priced;
  if (adjustments.length === 0 || !isBounded(kind, draft)) return [];
  const given: Paise = sum(adjustments.map(({ amount }) => amount));
  const left = sum(sourceIds(draft).map((id) => documents.get(id)?.leftAdjustments ?? zero));
  if (given <= left) return [];
  const row = adjustments.findIndex(({ amount }) => amount > 0);
  const message = `Of what the original added after tax ${rupeesText(left)} is left to give back: enter at most that`;
  return [{ field: 'adjustments.amount', row, message }];
}

/** No more is given back after tax than was added. */
export const adjustmentsOfReturn: PricedCheck = {
  code: 'adjustmentsOfReturn',
  weight: 'problem',
  source: 'CGST Act section 34(1): a note reduces what its invoice charged',
  find: ({ kind, draft, facts: { documents }, priced }) =>
    documents === undefined ? [] : adjustmentsOver(kind, draft, priced, documents),
};
