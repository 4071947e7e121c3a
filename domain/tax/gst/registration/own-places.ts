import type { Address, StateCode } from '../../../document/document.ts';

/** An address of ours as its record has it; what is not typed is empty or left out. */
export interface OwnAddress {
  readonly line1?: string;
  readonly line2?: string;
  readonly city?: string;
  /** Of a place in another state than its registration. */
  readonly state?: string;
  readonly pincode?: string;
  readonly country?: string;
  readonly phone?: string;
  readonly email?: string;
  /** The name of a place on e-invoices and e-way bills, where it is not the legal name. */
  readonly portalName?: string;
}

/** One end of the way that is ours: the registration on the paper, and the place where the goods are. */
export interface OwnEnd {
  readonly registration: { readonly legalName: string; readonly state: StateCode; readonly address: OwnAddress };
  readonly place: { readonly name: string; readonly address: OwnAddress };
}

export type Named = Address & { readonly name: string };

/** An address with every part, in the state of its own or else in this one. */
export const addressOf = (address: OwnAddress | undefined, state: StateCode): Address => ({
  line1: address?.line1 ?? '',
  ...(address?.line2 && { line2: address.line2 }),
  city: address?.city ?? '',
  state: address?.state || state,
  pincode: address?.pincode ?? '',
  country: address?.country ?? 'IN',
  ...(address?.phone && { phone: address.phone }),
  ...(address?.email && { email: address.email }),
});

/** The registration's own address, as the portals have it. */
export const registeredAt = ({ registration }: Pick<OwnEnd, 'registration'>): Named => ({
  ...addressOf(registration.address, registration.state),
  name: registration.legalName,
});

const named = (name: string, address: OwnAddress, state: StateCode): Named => {
  const at = addressOf(address, state);
  return { ...at, name: address.portalName || name, line1: at.line1 || name };
};

/** A place without any address is at that of its registration. */
const isElsewhere = ({ registration: { address: own, state }, place: { address } }: OwnEnd, at: Address): boolean =>
  [address.line1, address.city, address.pincode].some((part) => Boolean(part)) &&
  (at.line1 !== (own.line1 ?? '') ||
    at.city !== (own.city ?? '') ||
    at.pincode !== (own.pincode ?? '') ||
    at.state !== state);

/** Where goods leave from, under the legal name; undefined at the address of the registration. */
export const dispatchedFrom = (end: OwnEnd): Named | undefined => {
  const at = named(end.registration.legalName, end.place.address, end.registration.state);
  return isElsewhere(end, at) ? at : undefined;
};

/** Where goods of a transfer arrive, under the name of the place; undefined at the address of the registration. */
export const receivedAt = (end: OwnEnd): Named | undefined => {
  const { legalName, state } = end.registration;
  // the portals take no shorter name
  const at = named(end.place.name.length >= 3 ? end.place.name : legalName, end.place.address, state);
  return isElsewhere(end, at) ? at : undefined;
};
