import { say } from '../../base/say.ts';
import { wayNeed, wayPlaceProblem } from '../../tax/gst/portal/eway.ts';
import { dispatchedFrom, receivedAt, registeredAt } from '../../tax/gst/registration/own-places.ts';
import type { Address } from '../document.ts';
import type { CheckingPriced, Finding, PricedCheck } from './check.ts';
import { goesToPortal } from './portal.ts';

/** Whether its goods are to travel with an e-way bill; what goods at cost are worth is known when they are posted. */
const needsWayBill = ({ kind, facts: { ends, party, other }, priced }: CheckingPriced): boolean => {
  const travels = kind.gst.eway;
  if (!travels || !ends) return false;
  const lines = priced.lines;
  if (priced.atCost) return lines.some((line) => !line.service);
  const own = registeredAt(ends.from);
  const dispatch = dispatchedFrom(ends.from);
  const arrival = ends.to && receivedAt(ends.to);
  const state = party?.state ?? other?.state ?? own.state;
  const { side } = kind.party;
  return (
    wayNeed({
      ...{ lines, travels, seller: { address: own } },
      buyer: { ...(party?.gstin && { gstin: party.gstin }), address: { state } },
      ...(dispatch && { dispatchFrom: dispatch }),
      ...(arrival && { shipTo: arrival }),
      ...(side !== 'none' && { side }),
    }).needed !== 'no'
  );
};

/**
 * Our own addresses, for goods that need an e-way bill. The bill is made after the document and reads the addresses then, so
 * the document is posted, with a warning of what has to be corrected first. For an e-invoice the same is a problem.
 */
export const wayAddress: PricedCheck = {
  code: 'wayAddress',
  weight: 'warning',
  source: 'e-way-bill portal codes 436 and 437: PIN code of the state of dispatch and of delivery',
  find: (checking) => {
    const { ends, own } = checking.facts;
    if (!ends || !own.gstin || goesToPortal(checking) || !needsWayBill(checking)) return [];
    const at = (field: string, place: Address & { readonly name: string }, screen: string): Finding[] => {
      const wrong = wayPlaceProblem(place);
      const message = say('{{place}} {{wrong}}: the e-way bill is refused until it is corrected under {{screen}}', {
        place: place.name,
        wrong,
        screen,
      });
      return wrong === undefined ? [] : [{ field, ...message }];
    };
    const dispatch = dispatchedFrom(ends.from);
    const arrival = ends.to && receivedAt(ends.to);
    return [
      ...(dispatch
        ? at('location', { ...dispatch, name: ends.from.place.name }, 'Locations')
        : at('registration', registeredAt(ends.from), 'Registrations')),
      ...(ends.to
        ? arrival
          ? at('toLocation', { ...arrival, name: ends.to.place.name }, 'Locations')
          : at('toLocation', registeredAt(ends.to), 'Registrations')
        : []),
    ];
  },
};
