import { moneyText, rupeesText } from '../../base/decimal.ts';
import { type Paise, paise, scale, sum, zero } from '../../base/money.ts';
import { say } from '../../base/say.ts';
import type { Effect } from '../../books/effects.ts';
import type { Draft, Id, Priced } from '../document.ts';
import { correctsSource, takesBack } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { isPricedFromSource, type SourceDocument, type SourceLine, sourceIds, sourceKey } from '../sources.ts';
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
      if (kind.source.givesPrice && amount > 0)
        return [
          {
            field: 'charges.amount',
            row,
            ...say('A {{label}} gives back the charges with the goods: leave this out', { label }),
          },
        ];
      if (!kind.source.givesPrice && gstRate !== undefined)
        return [
          {
            field: 'charges.gstRate',
            row,
            ...say(
              'A {{label}} against an invoice has no charges with a rate of their own: choose the line of the invoice that is reduced',
              { label },
            ),
          },
        ];
      return [];
    });
  },
};

/** Only charges that were spread over lines go back with goods; a charge with a rate of its own is a line that one leaves out. */
export const chargesToKeep: TypedCheck = {
  code: 'chargesToKeep',
  weight: 'problem',
  source: 'CGST Act section 15(2)(c): charges before tax are part of the value of the goods that they go with',
  find: ({ kind, draft, facts: { sources } }) => {
    const isAsked = draft.keepsCharges && kind.fields.includes('keepsCharges');
    if (!isAsked || draft.lines.some(({ source }) => source && sources.get(sourceKey(source))?.charges)) return [];
    const message = say('No charges were spread over what goes back: leave this out');
    return [{ field: 'keepsCharges', ...message }];
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
  const message = say('{{left}} of the charges after tax of the original can still be given back: enter at most that', {
    left: rupeesText(left),
  });
  return [{ field: 'adjustments.amount', row, ...message }];
}

/** No more is given back after tax than was added. */
export const adjustmentsOfReturn: PricedCheck = {
  code: 'adjustmentsOfReturn',
  weight: 'problem',
  source: 'CGST Act section 34(1): a note reduces what its invoice charged',
  find: ({ kind, draft, facts: { documents }, priced }) =>
    documents === undefined ? [] : adjustmentsOver(kind, draft, priced, documents),
};

/** What notes without GST gave on the goods that a return takes back, by document; in the currency of the return. */
export const givenOn = (
  draft: Pick<Draft, 'currency' | 'lines'>,
  sources: ReadonlyMap<string, SourceLine>,
): readonly { readonly document: Id; readonly amount: Paise }[] =>
  draft.lines.flatMap(({ source: named, quantity = 0 }) => {
    const source = named && sources.get(sourceKey(named));
    if (!source?.financial || source.quantity <= 0) return [];
    const whole = draft.currency === 'INR' ? source.financial.value : source.financial.foreign;
    return [{ document: source.document, amount: scale(whole, quantity, source.quantity) }];
  });
/** Where notes without GST stand: what gave the discount says on which side. */
export const givenEffect = ({ gst }: Kind): Effect =>
  gst.tax === 'output' ? 'commercialDiscount' : 'discountReceived';

/**
 * Goods come back at their whole taxable value with its tax, for a note without GST reduced neither (section 34). What such a note
 * gave on them was given once already: it is taken off after tax, on the ledger that it was booked on, or somebody says why
 * the party keeps it.
 */
export const givenWithoutGst: TypedCheck = {
  code: 'givenWithoutGst',
  weight: 'reason',
  source: 'CGST Act section 34(1); decisions.md section 12',
  find: ({ kind, draft, facts: { sources, documents } }) => {
    if (!isBounded(kind, draft) || !isPricedFromSource(kind, draft)) return [];
    const given = givenOn(draft, sources);
    const amount = sum(given.map((each) => each.amount));
    const kept = (draft.adjustments ?? []).reduce((t, { sign, amount: off }) => t + (sign === 'less' ? off : -off), 0);
    if (amount <= 0 || kept >= amount) return [];
    const numbers = [...new Set(given.map(({ document }) => documents?.get(document)?.number ?? 'the original'))];
    const text = draft.currency === 'INR' ? rupeesText(amount) : `${draft.currency} ${moneyText(amount)}`;
    const short = paise(amount - Math.max(kept, 0));
    const off = draft.currency === 'INR' ? rupeesText(short) : `${draft.currency} ${moneyText(short)}`;
    return [
      {
        field: 'adjustments',
        ...say(
          'A note without GST on {{numbers}} gave {{text}} on these goods: take {{off}} off under “Adjustments” on the ledger of that note',
          { numbers: numbers.join(', '), text, off },
        ),
      },
    ];
  },
};
