import { type Said, say } from '../../base/say.ts';
import { hasGst } from '../../tax/gst/registration/registered.ts';
import { placeProblem, stateName } from '../../tax/gst/registration/states.ts';
import { usualPlace } from '../resolve.ts';
import { isPricedFromSource, sourceIds } from '../sources.ts';
import { isSuppliersPaper, type TypedCheck } from './check.ts';
import { isHandedOver } from './limits.ts';

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
      const message =
        placeProblem(draft.placeOfSupply, draft.date, isAbroad) ??
        (kind.gst.tax === 'output' ? notAbroad(draft.placeOfSupply, usualPlace(kind, draft, facts)) : undefined);
      return message === undefined ? [] : [{ field: 'placeOfSupply', ...message }];
    }
    const usual = usualPlace(kind, draft, facts);
    const message = facts.party && usual === facts.party.state && placeProblem(usual, draft.date, isAbroad);
    return message
      ? [{ field: 'party', ...say('State of {{party}}: {{message}}', { party: facts.party?.name, message }) }]
      : [];
  },
};

/** Goods of ours that stay in India are supplied there, whoever buys them. */
const notAbroad = (typed: string, usual: string): Said | undefined =>
  typed === '96' && usual !== '96'
    ? say('The goods are delivered in {{place}}, so that this is no export (section 2(5) of the IGST Act)', {
        place: stateName(usual) ?? usual,
      })
    : undefined;

/**
 * The law fixes the place of a supply: of a registered buyer it is where the goods go, and of a service where the buyer is registered.
 * Buildings, events and other services of section 12 have another one: somebody says which.
 */
export const placeOfSupplyChosen: TypedCheck = {
  code: 'placeOfSupplyChosen',
  weight: 'reason',
  source: 'IGST Act sections 10(1) and 12(2) to (14)',
  find: ({ kind, draft, facts }) => {
    const { placeOfSupply } = draft;
    if (placeOfSupply === undefined || !kind.fields.includes('placeOfSupply') || facts.advance) return [];
    if (kind.gst.tax !== 'output' || kind.life.cycle === 'ordered') return [];
    // the place of an advance decides the tax in it, which one for goods does not bear
    if (kind.lines.of !== 'items' && !(kind.gst.gstr1 === 'advance' && (draft.advanceRate ?? 0) > 0)) return [];
    // what is corrected has the place of its original, where the books have that
    if (isPricedFromSource(kind, draft) || sourceIds(draft).length > 0) return [];
    if (facts.party?.category === 'overseas' || isHandedOver(draft)) return [];
    const usual = usualPlace(kind, draft, facts);
    if (usual === placeOfSupply || placeProblem(placeOfSupply, draft.date, false)) return [];
    const message = say(
      'By sections 10 and 12 of the IGST Act this is supplied in {{usual}}: correct the place of supply, enter where the goods are ' +
        'delivered, or say why it is {{place}}',
      { usual: stateName(usual) ?? usual, place: stateName(placeOfSupply) ?? placeOfSupply },
    );
    return [{ field: 'placeOfSupply', ...message }];
  },
};

/** The tax of another state is no credit here: a supplier's bill that says so is right for some services, and a slip for others. */
export const placeOfPurchaseChosen: TypedCheck = {
  code: 'placeOfPurchaseChosen',
  weight: 'reason',
  source: 'IGST Act sections 10(1) and 12; CGST Act section 16: credit is of the tax of the own state',
  find: ({ kind, draft, facts }) => {
    const { placeOfSupply } = draft;
    if (placeOfSupply === undefined || !kind.fields.includes('placeOfSupply') || !isSuppliersPaper(kind)) return [];
    if (kind.life.cycle === 'ordered') return [];
    if (isPricedFromSource(kind, draft) || sourceIds(draft).length > 0 || !hasGst(facts.own.kind)) return [];
    if (!facts.party?.gstin || facts.party.category === 'overseas') return [];
    const usual = usualPlace(kind, draft, facts);
    // tax of the supplier's own state has a warning of its own: it is no credit
    if (placeOfSupply === facts.party.state) return [];
    if (usual === placeOfSupply || placeProblem(placeOfSupply, draft.date, false)) return [];
    const message = say(
      'What is delivered to or used by this registration is supplied in {{usual}} (sections 10 and 12 of the IGST Act), and tax of ' +
        'another state is no credit: correct the place of supply, or say why it is {{place}}',
      { usual: stateName(usual) ?? usual, place: stateName(placeOfSupply) ?? placeOfSupply },
    );
    return [{ field: 'placeOfSupply', ...message }];
  },
};
