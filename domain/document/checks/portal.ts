import { dayInWords, isDay } from '../../base/dates.ts';
import { type Said, say } from '../../base/say.ts';
import { needsIrn } from '../../tax/gst/portal/irn.ts';
import { addressAbroad, clean, type IrpDocument, irpLineProblems } from '../../tax/gst/portal/irp.ts';
import { pincodeFits } from '../../tax/gst/portal/pincodes.ts';
import { isUqc } from '../../tax/gst/portal/uqc.ts';
import { gstinProblem } from '../../tax/gst/registration/gstin.ts';
import { dispatchedFrom, type Named, receivedAt, registeredAt } from '../../tax/gst/registration/own-places.ts';
import { stateName } from '../../tax/gst/registration/states.ts';
import {
  isNearPortalDeadline,
  isTooOldForPortal,
  PORTAL_DAYS,
  portalDeadline,
} from '../../tax/gst/returns/time-limits.ts';
import type { Address, Day } from '../document.ts';
import { takesBack } from '../kinds/index.ts';
import type { PartyAddress, PartyFacts } from '../resolve.ts';
import { type CheckingPriced, type Finding, isSuppliersPaper, type PricedCheck } from './check.ts';
import { takesCredit } from './credit.ts';

/** Goes to the invoice portal: what that refuses is known before a number is taken. */
export const goesToPortal = ({ kind, draft, facts, priced }: CheckingPriced): boolean =>
  needsIrn(kind.gst.irp, facts.einvoice ?? null, facts.party?.gstin, priced, draft.withoutTax);

type At = (name: string, message: Said) => Finding;

/** The portal takes names of three characters and more. */
const nameProblems = (name: string, at: At): Finding[] =>
  clean(name, 100).length < 3 ? [at('name', say('The e-invoice needs a name of at least three characters'))] : [];

/** What the portal refuses of an address in any country: `at` names the field and the message. */
function placeProblems({ line1 = '', city = '' }: PartyAddress, at: At): Finding[] {
  if (!clean(line1, 100)) return [at('line1', say('The e-invoice needs an address: enter its first line'))];
  const { length } = clean(city, 100);
  if (length === 0) return [at('city', say('The e-invoice needs the city of the address'))];
  return length < 3 ? [at('city', say('The e-invoice needs the city in three characters or more'))] : [];
}

/** The same of an address in India, which has a PIN code of its state too. */
function addressProblems(address: PartyAddress, at: At): Finding[] {
  const { state = '', pincode = '' } = address;
  const found = placeProblems(address, at);
  if (found.length > 0) return found;
  if (!/^[1-9]\d{5}$/.test(pincode)) return [at('pincode', say('The e-invoice needs the PIN code of the address'))];
  if (pincodeFits(pincode, state)) return [];
  return [
    at(
      'pincode',
      say('PIN code {{pincode}} is not in {{state}}: the invoice portal refuses it', {
        pincode,
        state: stateName(state) ?? say('this state'),
      }),
    ),
  ];
}

const isExport = ({ supplyType }: { readonly supplyType: string }): boolean => supplyType.startsWith('EXP');

const buyerProblems = ({ draft, facts: { party }, priced }: CheckingPriced): Finding[] => {
  if (!party) return [];
  const { billTo } = draft;
  const at = (name: string, message: Said): Finding =>
    billTo
      ? { field: `billTo.${name}`, ...message }
      : { field: 'party', ...say('{{party}}: {{message}}', { party: party.name, message }) };
  const named = nameProblems(party.name, (_, message) => ({
    field: 'party',
    ...say('{{party}}: {{message}}', { party: party.name, message }),
  }));
  if (isExport(priced)) return [...named, ...placeProblems(billTo ?? party.address ?? addressAbroad(party), at)];
  const address = billTo ?? party.address ?? {};
  return [...named, ...addressedProblems({ ...address, state: address.state ?? party.state }, party.gstin, at)];
};

/** Where addresses of ours are corrected; the name of the place, for whoever has several. */
const inRecord =
  (field: string, name: string, screen: 'Registrations' | 'Locations') =>
  (_: string, message: Said): Finding => ({
    field,
    ...say('{{name}}: {{message}}. Correct it under {{screen}}', { name, message, screen }),
  });

/** Our own address, the place of dispatch, and where goods of a transfer arrive. What the browser does not know is left to the server. */
const ownProblems = ({ facts: { ends } }: CheckingPriced): Finding[] => {
  if (!ends) return [];
  const { from, to } = ends;
  const own = registeredAt(from);
  const dispatch = dispatchedFrom(from);
  const arrival = to && receivedAt(to);
  const theirs = to && registeredAt(to);
  const both = (address: Named, at: At) => [...nameProblems(address.name, at), ...addressProblems(address, at)];
  return [
    ...both(own, inRecord('registration', own.name, 'Registrations')),
    ...(dispatch ? both(dispatch, inRecord('location', from.place.name, 'Locations')) : []),
    ...(theirs ? both(theirs, inRecord('toLocation', theirs.name, 'Registrations')) : []),
    ...(to && arrival ? both(arrival, inRecord('toLocation', to.place.name, 'Locations')) : []),
  ];
};

/** An address in India, in the state of the GSTIN. */
function addressedProblems(address: PartyAddress, gstin: string | null | undefined, at: At): Finding[] {
  const found = addressProblems(address, at);
  const own = gstin?.slice(0, 2) ?? '';
  const state = address.state ?? '';
  if (found.length > 0 || stateName(own) === undefined || own === state) return found;
  return [
    at(
      'state',
      say('The GSTIN is of {{own}} and the address in {{state}}: the invoice portal refuses it', {
        own: stateName(own),
        state: stateName(state) ?? state,
      }),
    ),
  ];
}

/** Since when a registration is gone, in words, on the day of a document; undefined while it was there. */
const gone = ['cancelled', 'inactive'] as const;
const goneWords = { cancelled: say('cancelled'), inactive: say('inactive') };
const goneOn = (register: PartyFacts['register'], day: Day): Said | undefined => {
  if (!register || !(gone as readonly string[]).includes(register.status)) return undefined;
  if (register.cancelledOn !== null && day < register.cancelledOn) return undefined;
  const status = goneWords[register.status as (typeof gone)[number]];
  return register.cancelledOn === null
    ? status
    : say('{{status}} since {{day}}', { status, day: dayInWords(register.cancelledOn) });
};

/** An invoice to a registration that was cancelled before its day; what was suspended may come back, and is warned of. */
export const buyerCancelled: PricedCheck = {
  code: 'buyerCancelled',
  weight: 'problem',
  source: 'portal code 3029: the GSTIN is inactive or cancelled',
  find: (checking) => {
    const { gstin, name, register } = checking.facts.party ?? {};
    const is = goneOn(register, checking.draft.date);
    if (!gstin || is === undefined || !goesToPortal(checking)) return [];
    return [
      {
        field: 'party',
        ...say(
          'The GSTIN of {{name}} is {{is}}, and the invoice portal refuses it: ask the register again on the customer’s form, or ' +
            'enter the GSTIN that is in force',
          { name, is },
        ),
      },
    ];
  },
};
/** The same where nothing goes to the portal: the return is refused, or shows the supply to nobody. */
export const buyerGone: PricedCheck = {
  code: 'buyerGone',
  weight: 'warning',
  source: 'CGST Act section 29; GSTR-1, table 4: recipients with a GSTIN in force',
  find: (checking) => {
    const { gstin, name, register } = checking.facts.party ?? {};
    const is = goneOn(register, checking.draft.date);
    if (checking.kind.gst.tax !== 'output' || !gstin || is === undefined || goesToPortal(checking)) return [];
    return [
      { field: 'party', ...say('The GSTIN of {{name}} is {{is}}: enter the one that is in force', { name, is }) },
    ];
  },
};
/** Credit of the tax of a supplier who may charge none. */
export const supplierGone: PricedCheck = {
  code: 'supplierGone',
  weight: 'reason',
  source: 'CGST Act sections 16(2)(c), 29 and 32(1); rule 21A(3)',
  find: (checking) => {
    const { kind, draft, pricing, priced } = checking;
    const { gstin, name, register } = checking.facts.party ?? {};
    if (!isSuppliersPaper(kind) || !gstin || !register || pricing.reverseCharge || !takesCredit(priced)) return [];
    const { date, referenceDate } = draft;
    const day = referenceDate !== undefined && isDay(referenceDate) ? referenceDate : date;
    const is = goneOn(register, day) ?? (register.status === 'suspended' ? say('suspended') : undefined);
    if (is === undefined || kind.life.cycle === 'ordered' || takesBack(kind)) return [];
    const message = say(
      'The GSTIN of {{name}} is {{is}}, so its tax may be no input credit: choose Blocked under ITC, or say why it is taken',
      { name, is },
    );
    return [{ field: 'party', ...message }];
  },
};
export const buyerSuspended: PricedCheck = {
  code: 'buyerSuspended',
  weight: 'warning',
  source: 'CGST rule 21A: a suspended registration makes no supplies and its returns are not accepted',
  find: ({ kind, facts: { party } }) =>
    kind.gst.tax === 'output' && party?.gstin && party.register?.status === 'suspended'
      ? [
          {
            field: 'party',
            ...say('The GSTIN of {{party}} was suspended when the register was asked last', { party: party.name }),
          },
        ]
      : [],
};

/** Where goods go to: an export may go to another country, which has no PIN code and no GSTIN. */
const destinationProblems = (shipTo: Address, abroad: boolean, at: At): Finding[] => [
  ...(shipTo.name === undefined ? [] : nameProblems(shipTo.name, at)),
  ...(abroad && shipTo.country !== 'IN'
    ? placeProblems(shipTo, at)
    : [...addressProblems(shipTo, at), ...receiverProblems(shipTo)]),
];
const shipToProblems = ({ draft: { shipTo }, priced }: CheckingPriced): Finding[] =>
  shipTo
    ? destinationProblems(shipTo, isExport(priced), (name, message) => ({ field: `shipTo.${name}`, ...message }))
    : [];

/** The GSTIN of who receives the goods is one of the state of the address, or URP. */
const receiverProblems = ({ gstin = '', state }: Address): Finding[] => {
  if (gstin === '' || gstin === 'URP') return [];
  const wrong = gstinProblem(gstin);
  const elsewhere = stateName(gstin.slice(0, 2)) !== undefined && gstin.slice(0, 2) !== state;
  const message =
    wrong ??
    (elsewhere
      ? say('The GSTIN is of {{gstin}}, the address is not', { gstin: stateName(gstin.slice(0, 2)) })
      : undefined);
  return message === undefined
    ? []
    : [{ field: 'shipTo.gstin', ...say('{{message}}; URP for an unregistered person', { message }) }];
};

const unitProblem = (uqc: string, row: number, unit = ''): Finding[] =>
  uqc === '' || isUqc(uqc)
    ? []
    : [
        {
          field: 'lines.unit',
          row,
          ...(unit
            ? say('{{uqc}} is no unit code of the portals: choose another for {{unit}} under Units', { uqc, unit })
            : say('{{uqc}} is no unit code of the portals: choose another under Units', { uqc })),
        },
      ];

const unitProblems = ({ draft, facts: { units }, pricing }: CheckingPriced): Finding[] =>
  pricing.lines.flatMap(({ unit, service, charge }, row): Finding[] =>
    service || charge || !draft.lines[row] ? [] : unitProblem(units?.get(unit.toUpperCase())?.uqc ?? '', row, unit),
  );

/**
 * The same rules on what is about to be sent: masters may have changed since the document was posted. The fields are those of
 * the document.
 */
export function portalProblems(d: IrpDocument): Finding[] {
  const of =
    (field: string, whose: string | Said) =>
    (name: string, message: Said): Finding => ({
      field: `${field}.${name}`,
      ...say('{{whose}}: {{message}}', { whose, message }),
    });
  const abroad = isExport(d);
  const { gstin, legalName, address } = d.buyer;
  return [
    ...nameProblems(d.seller.legalName, of('registration', say('The own registration'))),
    ...addressProblems(d.seller.address, of('registration', say('The own registration'))),
    ...(d.dispatchFrom ? nameProblems(d.dispatchFrom.name, of('location', d.dispatchFrom.name)) : []),
    ...(d.dispatchFrom ? addressProblems(d.dispatchFrom, of('location', d.dispatchFrom.name)) : []),
    ...nameProblems(legalName, of('billTo', legalName)),
    ...(abroad
      ? placeProblems(address, of('billTo', legalName))
      : addressedProblems(address, gstin, of('billTo', legalName))),
    ...(d.shipTo ? destinationProblems(d.shipTo, abroad, of('shipTo', d.shipTo.name)) : []),
    ...d.lines.flatMap(({ uqc, service }, row) => (service ? [] : unitProblem(uqc, row))),
    ...irpLineProblems(d).map((problem) => ({ ...problem, field: `lines.${problem.field}` })),
  ];
}

/** Our own end of a document that needs an IRN: who supplies, where goods leave from and where goods of a transfer arrive. */
export const ownForPortal: PricedCheck = {
  code: 'ownAddress',
  weight: 'problem',
  source: 'portal codes 5002, 3038 and 3039; INV-01: SellerDtls, DispDtls, ShipDtls',
  find: (checking) => (goesToPortal(checking) ? ownProblems(checking) : []),
};

/** Address, PIN code, state and units of a document that needs an IRN. */
export const buyerForPortal: PricedCheck = {
  code: 'portal',
  weight: 'problem',
  source: 'portal codes 5002, 3038, 3039, 2265 and 2177',
  find: (checking) =>
    goesToPortal(checking) ? [...buyerProblems(checking), ...shipToProblems(checking), ...unitProblems(checking)] : [],
};

/** From a turnover of ₹10 crore a document older than 30 days gets no IRN, and without one it is no invoice (rule 48(5)). */
export const portalTooLate: PricedCheck = {
  code: 'portalTooLate',
  weight: 'problem',
  source: 'GSTN advisory: 30 days from 01-04-2025 for a turnover of 10 crore and more; portal code 2305',
  find: (checking) => {
    const { draft, facts, today } = checking;
    if (!facts.own.portalDays || !goesToPortal(checking) || !isTooOldForPortal(draft.date, today)) return [];
    const last = dayInWords(portalDeadline(draft.date));
    return [
      {
        field: 'date',
        ...say(
          'The invoice portal takes a document for {{portalDays}} days (turnover of ₹10 crore or more): this one until {{last}}',
          { portalDays: PORTAL_DAYS, last },
        ),
      },
    ];
  },
};

export const portalNear: PricedCheck = {
  code: 'portalNear',
  weight: 'warning',
  source: 'GSTN advisory: 30 days from 01-04-2025 for a turnover of 10 crore and more; portal code 2305',
  find: (checking) => {
    const { draft, facts, today } = checking;
    const near = isNearPortalDeadline(draft.date, today) && !isTooOldForPortal(draft.date, today);
    if (!facts.own.portalDays || !near || !goesToPortal(checking)) return [];
    return [
      {
        field: 'date',
        ...say('The invoice portal takes this document until {{date}}', {
          date: dayInWords(portalDeadline(draft.date)),
        }),
      },
    ];
  },
};
