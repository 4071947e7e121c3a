import { usesAdvance } from '../tax/advances.ts';
import type { Draft } from './document.ts';
import type { Kind } from './kinds/kind.ts';
import type { Facts, PartyFacts } from './resolve.ts';
import { originalOf, type PartyThen, type SourceDocument, sourceIds } from './sources.ts';

/** The document whose recipient a draft has: the one that it corrects, or the advance that it sets off or gives back. */
const recordedBy = (kind: Kind, draft: Draft, facts: Pick<Facts, 'documents'>): SourceDocument | undefined =>
  usesAdvance(kind)
    ? sourceIds(draft).flatMap((id) => facts.documents?.get(id) ?? [])[0]
    : originalOf(kind, draft, facts);

/** No party was chosen: the supply was to a consumer, or from a supplier who charges no tax, whichever party settles it now. */
const nobody = ({ placeOfSupply }: SourceDocument, { name, state }: PartyFacts): PartyThen => ({
  ...{ name, gstin: null, state: placeOfSupply ?? state, category: 'unregistered' },
  ...{ country: 'IN', address: null },
});

/**
 * The facts with the party as the document has it that a draft corrects, or whose advance it uses. A note or return is to, or
 * from, whoever that document was to, with the particulars that it has (section 34, rule 53(1A); rule 51 for money given back):
 * whatever the customer or supplier became since, and whatever party they were merged into. The address is that of today while
 * GSTIN and state are the same: a corrected one is used.
 */
export function withPartyThen<F extends Pick<Facts, 'party' | 'documents'>>(kind: Kind, draft: Draft, facts: F): F {
  const { party } = facts;
  const source = party && kind.party.side !== 'none' ? recordedBy(kind, draft, facts) : undefined;
  // another party than that of the source is a problem at the field, which names it as it is
  if (!party || !source || (source.party !== null && source.party !== draft.party)) return facts;
  const then = source.party === null ? nobody(source, party) : source.partyThen;
  if (!then) return facts;
  const { name, gstin, state, category } = then;
  const country = then.country ?? (category === 'overseas' ? party.country : 'IN');
  const address = addressThen(then, party);
  return {
    ...facts,
    party: {
      ...party,
      ...{ name, gstin, state, category, country },
      ...(category !== party.category && { categoryNow: party.categoryNow ?? party.category }),
      ...(address !== (party.address ?? null) && { address, hasAddress: address !== null }),
      // what the register said is said of a GSTIN
      ...(gstin !== party.gstin && { register: null }),
    },
  };
}

/**
 * Where bills of a posted document go to: the address on record today while GSTIN and state are the same, else the one that the
 * document keeps, else today's as far as it is in the same state.
 */
export function addressThen<A extends { readonly state?: string }>(
  then: { readonly gstin: string | null; readonly state: string; readonly address: A | null },
  today: { readonly gstin: string | null; readonly state: string; readonly address?: A | null | undefined },
): A | null {
  const address = today.address ?? null;
  if (then.gstin === today.gstin && then.state === today.state) return address;
  return then.address ?? (address?.state === then.state ? address : null);
}
