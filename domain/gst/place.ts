import type { GstCategory, Priced, StateCode } from '../document.ts';

export interface PlaceQuestion {
  readonly supplierState: StateCode;
  readonly service: boolean;
  readonly category: GstCategory;
  readonly partyState?: StateCode;
  readonly addressState?: StateCode;
  readonly deliveryState?: StateCode;
  /** Delivered to somebody else on the order of the party billed. */
  readonly billToShipTo?: boolean;
}
export interface Place {
  readonly state: StateCode;
  readonly reason: string;
}

const place = (state: StateCode, reason: string): Place => ({ state, reason });

/** The place of supply and why, in words for the screen. The user may choose another where the law has a special rule. */
export const placeOfSupply = (q: PlaceQuestion): Place => {
  if (q.category === 'overseas') {
    // Goods a foreign buyer has delivered inside India are no export.
    if (!q.service && q.deliveryState !== undefined && q.deliveryState !== '96')
      return place(q.deliveryState, 'Goods delivered in India to an overseas buyer');
    return place('96', 'Recipient outside India');
  }
  if (q.category === 'unregistered') {
    if (q.addressState !== undefined)
      return place(q.addressState, 'Unregistered recipient: state of the address on the invoice');
    if (q.partyState !== undefined) return place(q.partyState, 'Unregistered recipient: state on record');
    return place(q.supplierState, "Unregistered recipient without an address: supplier's location");
  }
  const own = q.partyState ?? q.addressState ?? q.supplierState;
  if (q.service) return place(own, 'Registered recipient of a service: its location (IGST Act section 12)');
  if (q.billToShipTo)
    return place(own, 'Delivered to another on its order: its principal place of business (IGST Act section 10(1)(b))');
  if (q.deliveryState !== undefined)
    return place(q.deliveryState, 'Goods: where the movement ends (IGST Act section 10(1)(a))');
  return place(own, "Goods: recipient's location");
};

/** Inter-state supplies bear IGST. SEZ is inter-state even inside one state; so are export and import. */
export const isInterState = (supply: {
  readonly supplierState: StateCode;
  readonly placeOfSupply: StateCode;
  readonly sez: boolean;
  readonly overseas: boolean;
}): boolean =>
  supply.sez || supply.overseas || supply.placeOfSupply === '96' || supply.supplierState !== supply.placeOfSupply;

/**
 * Whether what we buy bears the CGST and SGST of another state than that of our registration. They are paid to that state and
 * give a registration here no credit (CGST Act sections 2(62) and 16(1)): GSTR-2B shows them as not available, “place of supply
 * rules”, and GSTR-3B in table 4(D)(2). Integrated tax is credit in every state.
 */
export const isTaxOfAnotherState = (
  supply: Priced['supply'],
  placeOfSupply: StateCode,
  own: { readonly state: StateCode },
): boolean => supply === 'intra' && placeOfSupply !== own.state;
