import type { z } from 'zod';
import type { Session } from '../../contract/session.ts';
import type { tillView } from '../../contract/till.ts';
import type { RegistrationKind } from '../../domain/document/document.ts';
import type { PriceRows } from '../../domain/items/item-price.ts';
import { isRegular, statusOn } from '../../domain/tax/gst/registration/registered.ts';
import type { Taken, TillItem } from '../../domain/till/till.ts';
import type { KnownParty } from '../views/editor/facts.ts';
import { tillDay } from './clock.ts';

export type TillView = z.output<typeof tillView>;
/** A till with its open session. */
export type OpenTill = TillView & { readonly session: NonNullable<TillView['session']> };
/** Whether this browser sells at the till. */
export const isOpenHere = (till: TillView): till is OpenTill => till.session?.here === true;

/** The till's own copy of what price lists say: priced from it with or without the network. */
export interface TillPrices {
  readonly lists: readonly PriceRows[];
  /** Which category stands under which. */
  readonly above: ReadonlyMap<string, string>;
  /** Not all lists are here. */
  readonly cut: boolean;
}
export const noPrices: TillPrices = { lists: [], above: new Map(), cut: false };

/** Where the bill is made: what the price depends on beside the lines. */
export interface Counter {
  readonly session: Session;
  readonly till: TillView;
  readonly items: ReadonlyMap<string, TillItem>;
  readonly party: KnownParty | undefined;
  readonly prices: TillPrices;
  /** Of batches and serial numbers: what bills took that the items here still count. */
  readonly taken?: Taken;
}

/** The registration that sells. */
export const ownOf = ({ session, till }: Pick<Counter, 'session' | 'till'>) =>
  session.registrations.find((r) => r.id === till.registration);
/** Its status on the day of the bill. */
export const ownKind = (counter: Counter): RegistrationKind => {
  const own = ownOf(counter);
  return own ? statusOn(own, dayOf(counter.session)) : 'unregistered';
};
export const mayTax = (counter: Counter): boolean => isRegular(ownKind(counter));

/** A till may stand open over midnight, without the network too: then the day is that of the till's own clock. */
export const dayOf = (session: Session): string => (tillDay() > session.today ? tillDay() : session.today);
