import type { Address, Priced, StateCode } from '../../../document/document.ts';

/** Who is billed. No GSTIN: they are not registered, or nobody knows who they are. */
export interface Buyer {
  readonly name?: string;
  readonly gstin: string | null;
}

/** Names and numbers, however they are written. */
const bare = (text = ''): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Whether goods are delivered to another person, by order of who is billed: then the place of supply is the principal place of
 * business of who gave the order (section 10(1)(b) of the IGST Act), and not where the goods go (section 10(1)(a)).
 *
 * With a GSTIN it is another person when it is not the buyer’s own: a registration of the same PAN is a distinct person too
 * (section 25(4) of the CGST Act). Without one, or with URP, it is another person when another name is typed and the buyer is
 * registered; under the buyer’s name, or under none, the goods go to a place of the buyer. The supply to a consumer is where it
 * is delivered, under whatever name (section 10(1)(ca), circular 209/3/2024).
 */
export const isForAnother = (buyer: Buyer, shipTo: Pick<Address, 'name' | 'gstin'>): boolean => {
  const gstin = bare(shipTo.gstin);
  if (gstin !== '' && gstin !== 'URP') return gstin !== bare(buyer.gstin ?? '');
  const name = bare(shipTo.name);
  return buyer.gstin !== null && name !== '' && name !== bare(buyer.name);
};

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
