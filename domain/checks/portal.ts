import { dayInWords } from '../dates.ts';
import type { Address } from '../document.ts';
import { gstinProblem } from '../gst/gstin.ts';
import { needsIrn } from '../gst/irn.ts';
import { pincodeFits } from '../gst/pincodes.ts';
import { stateName } from '../gst/states.ts';
import { isNearPortalDeadline, isTooOldForPortal, PORTAL_DAYS, portalDeadline } from '../gst/time-limits.ts';
import { isUqc } from '../gst/uqc.ts';
import type { PartyAddress } from '../resolve.ts';
import type { CheckingPriced, Finding, PricedCheck } from './check.ts';

/** Goes to the invoice portal: what that refuses is known before a number is taken. */
const goesToPortal = ({ kind, facts, priced }: CheckingPriced): boolean =>
  needsIrn(kind.gst.irp, facts.einvoice ?? null, facts.party?.gstin, priced);

/** What the portal refuses of an address in India: `say` names the field and the message. */
function addressProblems(
  { line1 = '', city = '', state = '', pincode = '' }: PartyAddress,
  say: (name: string, message: string) => Finding,
): Finding[] {
  if (!line1.trim()) return [say('line1', 'The e-invoice needs an address: enter its first line')];
  if (city.trim().length < 3) return [say('city', 'The e-invoice needs the city of the address')];
  if (!/^[1-9]\d{5}$/.test(pincode)) return [say('pincode', 'The e-invoice needs the PIN code of the address')];
  if (pincodeFits(pincode, state)) return [];
  return [
    say('pincode', `PIN code ${pincode} is not in ${stateName(state) ?? 'this state'}: the invoice portal refuses it`),
  ];
}

const buyerProblems = ({ draft, facts: { party }, priced }: CheckingPriced): Finding[] => {
  if (!party || priced.supplyType.startsWith('EXP')) return [];
  const { billTo } = draft;
  const say = (name: string, message: string): Finding =>
    billTo ? { field: `billTo.${name}`, message } : { field: 'party', message: `${party.name}: ${message}` };
  const address = billTo ?? party.address ?? {};
  const found = addressProblems({ ...address, state: address.state ?? party.state }, say);
  const own = party.gstin?.slice(0, 2) ?? '';
  const state = address.state ?? party.state;
  if (found.length > 0 || stateName(own) === undefined || own === state) return found;
  return [
    say(
      'state',
      `The GSTIN is of ${stateName(own)} and the address in ${stateName(state) ?? state}: the invoice portal refuses it`,
    ),
  ];
};

const shipToProblems = ({ draft: { shipTo }, priced }: CheckingPriced): Finding[] =>
  shipTo && !(priced.supplyType.startsWith('EXP') && shipTo.country !== 'IN')
    ? [
        ...addressProblems(shipTo, (name, message) => ({ field: `shipTo.${name}`, message })),
        ...receiverProblems(shipTo),
      ]
    : [];

/** The GSTIN of who receives the goods is one of the state of the address, or URP. */
const receiverProblems = ({ gstin = '', state }: Address): Finding[] => {
  if (gstin === '' || gstin === 'URP') return [];
  const wrong = gstinProblem(gstin);
  const elsewhere = stateName(gstin.slice(0, 2)) !== undefined && gstin.slice(0, 2) !== state;
  const message =
    wrong ?? (elsewhere ? `The GSTIN is of ${stateName(gstin.slice(0, 2))}, the address is not` : undefined);
  return message === undefined ? [] : [{ field: 'shipTo.gstin', message: `${message}; URP for who is not registered` }];
};

const unitProblems = ({ draft, facts: { units }, pricing }: CheckingPriced): Finding[] =>
  pricing.lines.flatMap(({ unit, service, charge }, row): Finding[] => {
    const known = units?.get(unit.toUpperCase());
    if (service || charge || !draft.lines[row] || !known || known.uqc === '' || isUqc(known.uqc)) return [];
    return [
      {
        field: 'lines.unit',
        row,
        message: `${known.uqc} is no unit code of the portals: choose another for ${unit} under Units`,
      },
    ];
  });

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
        message: `The invoice portal takes a document for ${PORTAL_DAYS} days (turnover of ₹10 crore or more): this one until ${last}`,
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
        message: `The invoice portal takes this document until ${dayInWords(portalDeadline(draft.date))}`,
      },
    ];
  },
};
