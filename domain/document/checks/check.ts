import type { Said } from '../../base/say.ts';
import type { Day, Draft, Priced, Pricing } from '../document.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Facts } from '../resolve.ts';

/** What a check looks at. Editor, server and the portals' clients make it from the same draft and facts. */
export interface Checking {
  readonly kind: Kind;
  readonly draft: Draft;
  readonly facts: Facts;
  readonly today: Day;
}
/** The same once the document adds up. */
export interface CheckingPriced extends Checking {
  readonly pricing: Pricing;
  readonly priced: Priced;
}

export interface Finding extends Said {
  readonly field: string;
  readonly row?: number;
}

/**
 * What a finding does. `problem`: the document is not posted. `warning`: it is posted, and the answer says so. `reason`: it is
 * posted once a reason is given. `law`: a problem on our own document; a supplier's document is booked as it was issued, with
 * a reason.
 */
export type Weight = 'problem' | 'warning' | 'reason' | 'law';

interface Row {
  /** Unique; the name that `accepted` uses. Letters only. */
  readonly code: string;
  readonly weight: Weight;
  /** The rule of law, or the decision, that it follows. */
  readonly source: string;
}
/** A check of the draft as it is typed. */
export interface TypedCheck extends Row {
  find(checking: Checking): readonly Finding[];
}
/** A check that needs the document added up: made once nothing else is wrong with it. */
export interface PricedCheck extends Row {
  find(checking: CheckingPriced): readonly Finding[];
}

/** Written by the supplier: what looks unlawful in it is for the supplier to correct, not for the one who books it. */
export const isSuppliersPaper = ({ gst, numbering }: Kind): boolean => gst.tax === 'input' && !numbering.gst;
/** It has the supplier's number: the same number of the same supplier and year is the same document. */
export const hasSuppliersNumber = (kind: Kind): boolean =>
  isSuppliersPaper(kind) &&
  kind.fields.includes('reference') &&
  !kind.source.givesPrice &&
  kind.books.opens !== undefined;
/** It has the number that customs wrote: the same number of the same port and day is the same bill of entry. */
export const hasCustomsNumber = ({ fields }: Kind): boolean =>
  fields.includes('customs') && fields.includes('reference');
/** It has a day that somebody else wrote on it: the supplier, or customs. */
export const hasOthersDate = (kind: Kind): boolean =>
  kind.life.cycle !== 'ordered' &&
  kind.fields.includes('referenceDate') &&
  (kind.gst.tax === 'input' || hasCustomsNumber(kind));
/** The field that says where a supply goes. */
export const placeField = ({ fields }: Kind): string =>
  (['placeOfSupply', 'toLocation'] as const).find((field) => fields.includes(field)) ?? 'party';
