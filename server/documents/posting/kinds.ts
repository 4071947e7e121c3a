import { Refusal } from '../../../contract/errors.ts';
import {
  isForSupplier,
  type Kind,
  type KindName,
  kindByCode,
  kindCalled,
  raisesPrice,
  takesBack,
} from '../../../domain/document/kinds/index.ts';

/** The kind that a call names. An unknown one is refused. */
export function kindAsked(name: string): KindName {
  const kind = kindByCode(name);
  if (!kind) throw new Refusal('notFound');
  return kind;
}

/** A question about a kind, asked of the name that a posted document has it by. A name that is no kind any more answers no. */
const ofName =
  (asks: (kind: Kind) => boolean) =>
  (name: string): boolean => {
    const kind = kindCalled(name);
    return kind !== undefined && asks(kind);
  };

export const isPricedFromSource = ofName((kind) => kind.source.givesPrice === true);
export const isWrittenForSupplier = ofName(isForSupplier);
export const isTakingBack = ofName(takesBack);
const isPriceRise = ofName(raisesPrice);

/** How an amount of such a document counts in what was taken back: with plus, with minus for a price rise, or not at all. */
export const signOfTaken = (name: string): 1 | -1 | 0 => (isTakingBack(name) ? 1 : isPriceRise(name) ? -1 : 0);
