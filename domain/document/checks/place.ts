import { say } from '../../base/say.ts';
import { placeProblem } from '../../tax/gst/registration/states.ts';
import { usualPlace } from '../resolve.ts';
import { isPricedFromSource } from '../sources.ts';
import type { TypedCheck } from './check.ts';

/** The place of supply is a state or territory of its day; "other country" is for a party abroad alone. */
export const placeOfSupplyCode: TypedCheck = {
  code: 'placeOfSupplyCode',
  weight: 'problem',
  source: 'IGST Act sections 10 to 13; portal codes 2232, 2242 and 2259; state codes of the GST portal',
  find: ({ kind, draft, facts }) => {
    // what is corrected has the place of its original; an advance that is used has its own
    if (!kind.fields.includes('placeOfSupply') || isPricedFromSource(kind, draft) || facts.advance) return [];
    const isAbroad = facts.party?.category === 'overseas';
    if (draft.placeOfSupply !== undefined) {
      const message = placeProblem(draft.placeOfSupply, draft.date, isAbroad);
      return message === undefined ? [] : [{ field: 'placeOfSupply', ...message }];
    }
    const usual = usualPlace(kind, draft, facts);
    const message = facts.party && usual === facts.party.state && placeProblem(usual, draft.date, isAbroad);
    return message
      ? [{ field: 'party', ...say('State of {{party}}: {{message}}', { party: facts.party?.name, message }) }]
      : [];
  },
};
