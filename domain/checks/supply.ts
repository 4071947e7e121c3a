import { stateName } from '../gst/states.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Finding, PricedCheck, TypedCheck } from './check.ts';

/** A document of a supply with tax: what only asks for one, or only says what moved, declares nothing. */
export const isDeclared = ({ tax, life, lines }: Kind): boolean =>
  tax !== 'none' && life === 'posted' && (lines === 'items' || lines === 'expenses');
const isOwnSupply = (kind: Kind): boolean => kind.tax === 'output' && isDeclared(kind);

/** Zero rated are exports and supplies to SEZ units and developers, nothing else. */
export const zeroRated: PricedCheck = {
  code: 'zeroRated',
  weight: 'law',
  source: 'IGST Act section 16(1)',
  find: ({ kind, draft, pricing, priced }) => {
    if (!isDeclared(kind) || kind.pricedFromSource) return [];
    const { category } = pricing.party;
    const sez = category === 'sezUnit' || category === 'sezDeveloper' || pricing.own.kind === 'sez';
    if (sez || category === 'overseas' || priced.supplyType.startsWith('EXP')) return [];
    return pricing.lines.flatMap(({ treatment, sku }, row): Finding[] => {
      if (treatment !== 'zeroRated' || draft.lines[row]?.source !== undefined) return [];
      const name = sku ? `${sku} is zero rated, but only` : 'Only';
      const field = draft.lines[row]?.treatment === undefined ? 'lines.item' : 'lines.treatment';
      return [
        {
          field,
          row,
          message: `${name} exports and supplies to SEZ units are zero rated (section 16 of the IGST Act): choose another treatment`,
        },
      ];
    });
  },
};

/** A composition dealer makes no inter-state supply of goods. */
export const compositionWithinState: PricedCheck = {
  code: 'compositionInterState',
  weight: 'problem',
  source: 'CGST Act section 10(2)(c)',
  find: ({ kind, pricing, facts }) => {
    if (!isOwnSupply(kind) || kind.pricedFromSource || facts.own.kind !== 'composition') return [];
    const { own, placeOfSupply, lines } = pricing;
    if (placeOfSupply === own.state || !lines.some(({ service, charge }) => !service && !charge)) return [];
    const place = stateName(placeOfSupply) ?? placeOfSupply;
    return [
      {
        field: kind.fields.includes('placeOfSupply') ? 'placeOfSupply' : 'party',
        message: `A composition dealer sells no goods to another state (section 10(2)(c)): this one goes to ${place}`,
      },
    ];
  },
};

/** Nobody supplies to their own registration: goods between its places go on a challan without tax. */
export const ownRegistration: TypedCheck = {
  code: 'ownRegistration',
  weight: 'problem',
  source: 'CGST Act section 7; portal code 2211; GSTR-1 checks before upload',
  find: ({ kind, facts: { own, party } }) =>
    kind.tax !== 'none' && party?.gstin && own.gstin && party.gstin === own.gstin
      ? [
          {
            field: 'party',
            message: `${party.name} has the GSTIN of this registration: goods between its own places move by a branch transfer`,
          },
        ]
      : [],
};

/** Who may be charged in reverse: not abroad, not a deemed export, not an input service distributor. */
export const reverseChargeBuyer: TypedCheck = {
  code: 'reverseChargeBuyer',
  weight: 'problem',
  source: 'GSTR-1 checks before upload (DE forbids reverse charge); portal codes 2297 and 2232',
  find: ({ kind, draft, facts: { party } }) => {
    if (kind.tax !== 'output' || !draft.reverseCharge || !party) return [];
    const who = {
      deemedExport: 'A deemed export',
      overseas: 'An export',
      isd: 'A supply to an input service distributor',
    };
    const what = (who as Partial<Record<typeof party.category, string>>)[party.category];
    return what ? [{ field: 'reverseCharge', message: `${what} is never under reverse charge` }] : [];
  },
};

/** The portal takes a shipping bill number of three to seven digits. */
export const shippingBillNumber: TypedCheck = {
  code: 'shippingBill',
  weight: 'problem',
  source: 'GSTR-1, table 6A: sbnum',
  find: ({ kind, draft }) => {
    const number = draft.fields?.shippingBill?.trim();
    return kind.tax === 'output' && number && !/^\d{3,7}$/.test(number)
      ? [{ field: 'shippingBill', message: 'A shipping bill number has 3 to 7 digits' }]
      : [];
  },
};
