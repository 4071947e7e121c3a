import { addDays, compareDays } from '../../../base/dates.ts';
import { formatDecimal, ONE } from '../../../base/decimal.ts';
import { type Paise, paise, scale, sum } from '../../../base/money.ts';
import { type Said, say } from '../../../base/say.ts';
import type { Address, Day, Problem, StateCode } from '../../../document/document.ts';
import type { Kind, Travels } from '../../../document/kinds/kind.ts';
import { stateName } from '../registration/states.ts';
import {
  amount,
  cessByRate,
  clean,
  type IrpDocument,
  type IrpLine,
  type IrpParty,
  type IrpTransport,
  slashedDay,
  thousandths,
} from './irp.ts';
import { pincodeFits } from './pincodes.ts';
import { type SubSupply, subSupplies } from './portal-codes.ts';

/** How an e-way bill travels: the invoice portal makes it from the IRN, or its own portal from the whole document. */
export type WayRoute = 'irn' | 'direct';

/** Whether goods of a kind travel with an e-way bill that is made here: the kind's own row says how. */
export const travels = (kind: Pick<Kind, 'gst'>): boolean => kind.gst.eway !== undefined;

/** As what goods of a document may travel, the usual one first: within one registration of ours it is no supply. */
export function waysOf({
  travels: how,
  seller,
  buyer,
  supplyType,
}: Pick<WayDocument, 'travels' | 'seller' | 'buyer' | 'supplyType'>): readonly SubSupply[] {
  const apart = how.between !== undefined && buyer.gstin !== seller.gstin;
  if (how.way === 'out' && supplyType.startsWith('EXP')) return ['3'];
  return apart && how.between ? how.between : how.as;
}

const rupees = (whole: number): Paise => paise(whole * 100);
const LIMIT = rupees(50_000);
/** Within a state the limit is the state's own (rule 138(14)(d)); figures of state notifications as known in November 2026. */
const withinState: Readonly<Record<StateCode, Paise>> = Object.fromEntries(
  ['03', '07', '08', '10', '19', '20', '27', '33'].map((state) => [state, rupees(100_000)]),
);
/** Within these states only some goods need one, or none. */
const someGoods: readonly StateCode[] = ['22', '23', '24', '30'];
const none: readonly StateCode[] = ['01'];

export interface WayNeed {
  readonly needed: 'no' | 'recommended' | 'required';
  readonly reason: string;
}

type Somewhere = Pick<Address, 'state'>;
type Moved = Pick<IrpLine, 'service' | 'treatment' | 'total'>;
/** What is asked of a document that goods may move on. */
export interface Moving extends Partial<Pick<WayDocument, 'travels' | 'side'>> {
  readonly lines: readonly Moved[];
  readonly seller: { readonly address: Somewhere };
  readonly buyer: { readonly gstin?: string; readonly address: Somewhere };
  readonly dispatchFrom?: Somewhere;
  readonly shipTo?: Somewhere;
}

/**
 * Whether goods of a document need an e-way bill to move (rule 138): a consignment above the limit, tax included; what is
 * exempt and billed together does not count.
 */
export function wayNeed(d: Moving): WayNeed {
  const goods = d.lines.filter((line) => !line.service);
  if (goods.length === 0) return { needed: 'no', reason: 'Services need none' };
  const value = sum(goods.filter(isTaxed).map((line) => line.total));
  const ours = (d.dispatchFrom ?? d.seller.address).state;
  const theirs = (d.shipTo ?? d.buyer.address).state || ours;
  const own = ours === theirs;
  const from = d.travels?.way === 'in' ? theirs : ours;
  if (own && none.includes(from)) return { needed: 'no', reason: 'Within this state none is asked for' };
  const limit = own ? (withinState[from] ?? LIMIT) : LIMIT;
  const words = `₹ ${formatDecimal(limit, 2)
    .replace('.00', '')
    .replace(/(\d)(?=(\d\d)+\d$)/g, '$1,')}`;
  if (value <= limit) return { needed: 'no', reason: `The goods are worth no more than ${words}` };
  if (own && someGoods.includes(from))
    return { needed: 'recommended', reason: 'Within this state some goods need one: look it up for these' };
  // a registered supplier makes the bill for goods that they send, unless both have agreed otherwise
  if (d.travels?.way === 'in' && d.buyer.gstin !== undefined)
    return {
      needed: 'recommended',
      reason: `The goods are worth more than ${words}: make it if the ${d.side ?? 'supplier'} did not`,
    };
  return { needed: 'required', reason: `The goods are worth more than ${words}` };
}
const isTaxed = (line: Moved): boolean => line.treatment === 'taxable' || line.treatment === 'zeroRated';

/** A vehicle as the portals write it: capitals and digits only. */
export const vehicleText = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '');
const vehicles =
  /^(?:[A-Z]{2}\d{2}[A-Z]{0,3}\d{4}|[A-Z]{3}\d{4}|[A-Z]{2}\d{3}[A-Z]\d{4}|(?:DF|TM|BP|NP)[A-Z0-9]{5,13})$/;

/** Whether only Part A is given: the transporter will name the vehicle. Without Part B the goods may not move. */
export const isPartA = (t: IrpTransport): boolean => t.vehicle === undefined && t.document === undefined;

/** What is wrong with a transport; Part A alone passes when a transporter is named. */
export function transportProblems(t: IrpTransport, documentDate: Day, today: Day): Problem[] {
  const problems: Problem[] = [];
  const wrong = (field: string, message: Said) => problems.push({ field, ...message });
  if (!Number.isInteger(t.distance) || t.distance < 0 || t.distance > 4000)
    wrong('distance', say('Kilometres from 0 to 4000; 0 lets the portal work it out'));
  // a transporter without GSTIN has an id of the portal, whose check digit is not the GSTIN's
  if (t.transporter?.id !== undefined && !/^[0-9]{2}[0-9A-Z]{13}$/.test(t.transporter.id))
    wrong('transporterId', say('The GSTIN or the transporter id of the transporter: 15 characters'));
  if (isPartA(t)) {
    if (t.transporter?.id === undefined)
      wrong('vehicle', say('Enter the vehicle, or the GSTIN or transporter id of the transporter who will enter it'));
    return problems;
  }
  if (t.mode === undefined) wrong('mode', say('Choose how the goods travel'));
  if (t.vehicle && !vehicles.test(vehicleText(t.vehicle.number)))
    wrong('vehicle', say('A vehicle number is written like KA01AB1234'));
  if (t.mode === '1' && !t.vehicle) wrong('vehicle', say('Goods on the road need the vehicle'));
  if ((t.mode === '2' || t.mode === '3') && !t.document)
    wrong('documentNumber', say('Rail and air need the number and date of their document'));
  if (t.mode !== '4' && t.mode !== '1' && t.vehicle?.oversized)
    wrong('oversized', say('Over-dimensional cargo goes by road or ship'));
  if (t.document && compareDays(t.document.date, documentDate) < 0)
    wrong('documentDate', say('The transport document is not older than this document'));
  if (t.document && compareDays(t.document.date, today) > 0) wrong('documentDate', say('This day is still to come'));
  return problems;
}

/** A document as the e-way-bill portal wants to know it. */
export interface WayDocument extends Omit<IrpDocument, 'supplyType'> {
  readonly supplyType: string;
  /** A supply without tax, or by a composition taxpayer, goes with a bill of supply. */
  readonly billOfSupply: boolean;
  readonly travels: Travels;
  /** The party is a SEZ unit or developer: with it every supply is between states, in its own state too. */
  readonly withSez?: boolean;
  /** What the party is to us; the texts name it so. */
  readonly side?: 'customer' | 'supplier';
  /** The number and day of the other side's paper, for goods that come in. */
  readonly theirPaper?: { readonly number: string; readonly date: Day };
}

/** The state that the bill of a SEZ names. */
const SEZ_STATE: StateCode = '96';

const kinds = { both: 4, dispatch: 3, ship: 2, regular: 1 } as const;

/** One end of the transport: who is named on the bill, and where the goods are loaded or unloaded. */
interface End {
  readonly gstin: string;
  readonly name: string;
  readonly state: StateCode;
  readonly at: Address;
  readonly elsewhere: boolean;
}

/** Both ends, as the goods go. */
function endsOf(d: WayDocument, type: SubSupply): readonly [from: End, to: End] {
  const end = (party: IrpParty, at: Address | undefined): End => ({
    gstin: party.gstin ?? 'URP',
    name: party.tradeName ?? party.legalName,
    state: party.address.state || (at ?? party.address).state,
    at: at ?? party.address,
    elsewhere: at !== undefined,
  });
  const ours = end(d.seller, d.dispatchFrom);
  const self = subSupplies.some(([code, , both]) => code === type && both === 'self');
  const theirs = {
    ...end(d.buyer, d.shipTo),
    ...(self && { gstin: ours.gstin }),
    // integrated tax within a state is refused (623): a SEZ is billed as outside the states, its goods go where they go
    ...(d.withSez && { state: SEZ_STATE }),
  };
  return d.travels.way === 'in' ? [theirs, ours] : [ours, theirs];
}

/** On which paper they travel: a challan where it is no supply, and from abroad the bill of entry. */
const paperOf = (d: WayDocument, type: SubSupply): 'CHL' | 'BIL' | 'INV' | 'BOE' => {
  if (d.travels.on === 'entry') return 'BOE';
  return d.travels.on === 'challan' && !(d.travels.between?.includes(type) && d.buyer.gstin !== d.seller.gstin)
    ? 'CHL'
    : d.billOfSupply
      ? 'BIL'
      : 'INV';
};

/** The transport in the words of the e-way-bill portal; what is not given is left empty, as its own forms do. */
export const partB = ({ mode, document, vehicle }: Pick<IrpTransport, 'mode' | 'document' | 'vehicle'>) => ({
  transMode: mode ?? '',
  transDocNo: document?.number ?? '',
  transDocDate: document ? slashedDay(document.date) : '',
  vehicleNo: vehicle ? vehicleText(vehicle.number) : '',
  vehicleType: mode === '4' || vehicle?.oversized ? 'O' : vehicle ? 'R' : '',
});

/** The document as GENEWAYBILL, for those without an IRN. Services do not travel: their value goes with the other charges. */
export function wayPayload(d: WayDocument, t: IrpTransport) {
  const goods = d.lines.filter((line) => !line.service);
  const taxed = !d.reverseCharge;
  const of = (pick: (line: IrpLine) => Paise) => sum(goods.map(pick));
  const tax = (pick: (line: IrpLine) => Paise) => (taxed ? of(pick) : paise(0));
  const sums = {
    value: of((l) => l.value),
    cgst: tax((l) => l.cgst),
    sgst: tax((l) => l.sgst),
    igst: tax((l) => l.igst),
    cess: tax(cessByRate),
    specificCess: tax((l) => paise(l.cess - cessByRate(l))),
  };
  const other = paise(d.total - sum(Object.values(sums)));
  const type = t.as?.type ?? waysOf(d)[0] ?? '1';
  const [from, to] = endsOf(d, type);
  const paper = d.travels.way === 'in' ? d.theirPaper : undefined;
  const part = (line: IrpLine, pick: (line: IrpLine) => Paise, rate: number) =>
    taxed && pick(line) > 0 ? Number(formatDecimal(rate, 4, 0)) : 0;
  return {
    supplyType: d.travels.way === 'in' ? 'I' : 'O',
    subSupplyType: type,
    subSupplyDesc: type === '8' ? clean(t.as?.says || d.travels.says || 'Goods on a challan', 20) : '',
    docType: paperOf(d, type),
    docNo: paper?.number ?? d.number,
    docDate: slashedDay(paper?.date ?? d.date),
    transactionType:
      kinds[from.elsewhere && to.elsewhere ? 'both' : from.elsewhere ? 'dispatch' : to.elsewhere ? 'ship' : 'regular'],
    fromGstin: from.gstin,
    fromTrdName: clean(from.name, 100),
    fromAddr1: clean(from.at.line1, 120),
    fromAddr2: clean(from.at.line2 ?? '', 120),
    fromPlace: clean(from.at.city, 50),
    fromPincode: Number(from.at.pincode),
    fromStateCode: Number(from.state),
    actFromStateCode: Number(from.at.state),
    toGstin: to.gstin,
    toTrdName: clean(to.name, 100),
    toAddr1: clean(to.at.line1, 120),
    toAddr2: clean(to.at.line2 ?? '', 120),
    toPlace: clean(to.at.city, 50),
    toPincode: Number(to.at.pincode),
    toStateCode: Number(to.state),
    actToStateCode: Number(to.at.state),
    totalValue: amount(sums.value),
    cgstValue: amount(sums.cgst),
    sgstValue: amount(sums.sgst),
    igstValue: amount(sums.igst),
    cessValue: amount(sums.cess),
    cessNonAdvolValue: amount(sums.specificCess),
    otherValue: amount(other),
    totInvValue: amount(d.total),
    transporterId: t.transporter?.id ?? '',
    transporterName: clean(t.transporter?.name ?? '', 100),
    ...(from.elsewhere && from.at.name && { dispatchFromTradeName: clean(from.at.name, 100) }),
    transDistance: String(t.distance),
    ...partB(t),
    itemList: goods.map((line) => ({
      productName: clean(line.description, 100),
      productDesc: clean(line.description, 100),
      // as text: a number would lose the zero that an HSN of chapter 1 to 9 begins with
      hsnCode: line.hsn,
      quantity: thousandths(Math.trunc(line.quantity / 1000)),
      qtyUnit: line.uqc,
      taxableAmount: amount(line.value),
      cgstRate: part(line, (l) => l.cgst, line.rate / 2),
      sgstRate: part(line, (l) => l.sgst, line.rate / 2),
      igstRate: part(line, (l) => l.igst, line.rate),
      cessRate: taxed ? Number(formatDecimal(line.cessRate, 4, 0)) : 0,
      cessNonAdvol: taxed ? amount(specificCessOfOne(line)) : 0,
    })),
  };
}

/** The specific cess of one unit. */
const specificCessOfOne = (line: IrpLine): number =>
  line.quantity > 0 ? scale(line.cess - cessByRate(line), ONE, line.quantity) : 0;

/** So many days after its date a document takes no e-way bill any more (since January 2025; portal code 4043). */
const OLDEST = 180;

/**
 * Why a document is too old for an e-way bill; undefined when it is not. Of goods that come in, the day of the paper
 * counts that they travel on.
 */
export const tooOldForWay = (d: Pick<WayDocument, 'date' | 'travels' | 'theirPaper'>, today: Day): Said | undefined => {
  const day = (d.travels.way === 'in' ? d.theirPaper?.date : undefined) ?? d.date;
  return compareDays(addDays(day, OLDEST), today) < 0
    ? say('its date is more than {{oldest}} days ago: the portal takes no e-way bill of it', { oldest: OLDEST })
    : undefined;
};

/** What the e-way-bill portal refuses of the place at an end of the way, to be said behind its name (codes 436 and 437). */
export function wayPlaceProblem({ city, pincode, state }: Address): Said | undefined {
  if (city.trim() === '') return say('has no city');
  if (!/^[1-9]\d{5}$/.test(pincode)) return say('has no PIN code');
  if (pincodeFits(pincode, state)) return undefined;
  return say('has the PIN code {{pincode}}, which is not in {{state}}', {
    pincode,
    state: stateName(state) ?? 'its state',
  });
}

/** What keeps a document from having an e-way bill of its own, in one sentence; undefined when nothing does. */
export function wayObstacle(d: WayDocument): Said | undefined {
  const goods = d.lines.filter((line) => !line.service);
  if (goods.length === 0) return say('only goods travel with an e-way bill');
  if (goods.length > 250) return say('an e-way bill holds at most 250 lines: split the document');
  const tiny = goods.find((line) => line.quantity > 0 && line.quantity < 1000);
  if (tiny)
    return say('the portal has three decimals and would read the quantity of {{description}} as zero', {
      description: tiny.description,
    });
  const [ours, theirs] = [d.dispatchFrom ?? d.seller.address, d.shipTo ?? d.buyer.address];
  const party = d.side ?? (d.travels.way === 'in' ? 'supplier' : 'customer');
  if (d.travels.way === 'in' && d.supplyType.startsWith('EXP'))
    return say('goods returned from abroad need a bill of entry');
  const [there, here] = [wayPlaceProblem(theirs), wayPlaceProblem(ours)];
  if (there)
    return d.travels.between
      ? d.shipTo
        ? say('the place the goods go to {{there}}: correct the location', { there })
        : say('the place the goods go to {{there}}: correct the registration', { there })
      : d.travels.way === 'in'
        ? say('the address the goods come from {{there}}: correct the {{party}}’s address', { there, party })
        : say('the address the goods go to {{there}}: correct the {{party}}’s address', { there, party });
  if (here)
    return d.travels.way === 'in'
      ? d.dispatchFrom
        ? say('the place the goods come to {{here}}: correct the location', { here })
        : say('the place the goods come to {{here}}: correct the registration', { here })
      : d.dispatchFrom
        ? say('the place the goods leave from {{here}}: correct the location', { here })
        : say('the place the goods leave from {{here}}: correct the registration', { here });
  const number = d.theirPaper?.number ?? d.number;
  // who sends goods back writes a challan, or leaves it to our note
  if (d.travels.way === 'in' && d.travels.on !== 'challan' && d.buyer.gstin !== undefined && !d.theirPaper)
    return say('the number and day of the supplier’s bill are missing: the e-way bill needs them');
  if (!/^[A-Za-z0-9/-]{1,16}$/.test(number))
    return say('the portal takes no number like {{number}}: at most 16 letters, digits, - and /', { number });
  return undefined;
}
