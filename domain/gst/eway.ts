import { compareDays } from '../dates.ts';
import { formatDecimal } from '../decimal.ts';
import type { Day, Problem, StateCode } from '../document.ts';
import type { Kind } from '../kinds/kind.ts';
import { type Paise, paise, sum } from '../money.ts';
import { amount, clean, type IrpDocument, type IrpLine, type IrpTransport, slashedDay, thousandths } from './irp.ts';

/** How an e-way bill travels: the invoice portal makes it from the IRN, or its own portal from the whole document. */
export type WayRoute = 'irn' | 'direct';

/** Whether documents of a kind send goods of ours to a customer: those are what e-way bills are made for here. */
export const sendsGoods = (kind: Kind): boolean =>
  kind.gst.eway === true && kind.tax === 'output' && kind.party.side === 'customer';

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

/**
 * Whether goods of a document need an e-way bill to move (rule 138): a consignment above the limit, tax included; what is
 * exempt and billed together does not count.
 */
export function wayNeed(d: Pick<IrpDocument, 'lines' | 'seller' | 'buyer' | 'shipTo' | 'dispatchFrom'>): WayNeed {
  const goods = d.lines.filter((line) => !line.service);
  if (goods.length === 0) return { needed: 'no', reason: 'Services need none' };
  const value = sum(goods.filter(isTaxed).map((line) => line.total));
  const from = (d.dispatchFrom ?? d.seller.address).state;
  const to = (d.shipTo ?? d.buyer.address).state || from;
  const own = from === to;
  if (own && none.includes(from)) return { needed: 'no', reason: 'Within this state none is asked for' };
  const limit = own ? (withinState[from] ?? LIMIT) : LIMIT;
  const words = `₹ ${formatDecimal(limit, 2)
    .replace('.00', '')
    .replace(/(\d)(?=(\d\d)+\d$)/g, '$1,')}`;
  if (value <= limit) return { needed: 'no', reason: `The goods are worth no more than ${words}` };
  if (own && someGoods.includes(from))
    return { needed: 'recommended', reason: 'Within this state some goods need one: look it up for these' };
  return { needed: 'required', reason: `The goods are worth more than ${words}` };
}
const isTaxed = (line: IrpLine): boolean => line.treatment === 'taxable' || line.treatment === 'zeroRated';

/** A vehicle as the portals write it: capitals and digits only. */
export const vehicleText = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '');
const vehicles =
  /^(?:[A-Z]{2}\d{2}[A-Z]{0,3}\d{4}|[A-Z]{3}\d{4}|[A-Z]{2}\d{3}[A-Z]\d{4}|(?:DF|TM|BP|NP)[A-Z0-9]{5,13})$/;

/** Whether only Part A is given: the transporter will name the vehicle. Without Part B the goods may not move. */
export const isPartA = (t: IrpTransport): boolean => t.vehicle === undefined && t.document === undefined;

/** What is wrong with a transport; Part A alone passes when a transporter is named. */
export function transportProblems(t: IrpTransport, documentDate: Day, today: Day): Problem[] {
  const problems: Problem[] = [];
  const wrong = (field: string, message: string) => problems.push({ field, message });
  if (!Number.isInteger(t.distance) || t.distance < 0 || t.distance > 4000)
    wrong('distance', 'Kilometres from 0 to 4000; 0 lets the portal work it out');
  // a transporter from outside the tax has a number of his own, whose check digit is not the GSTIN's
  if (t.transporter?.id !== undefined && !/^[0-9]{2}[0-9A-Z]{13}$/.test(t.transporter.id))
    wrong('transporterId', 'The GSTIN of the transporter, or his transporter id: 15 characters');
  if (isPartA(t)) {
    if (t.transporter?.id === undefined)
      wrong('vehicle', 'Name the vehicle, or the transporter who will name it (his GSTIN or transporter id)');
    return problems;
  }
  if (t.mode === undefined) wrong('mode', 'Choose how the goods travel');
  if (t.vehicle && !vehicles.test(vehicleText(t.vehicle.number)))
    wrong('vehicle', 'A vehicle number is written like KA01AB1234');
  if (t.mode === '1' && !t.vehicle) wrong('vehicle', 'Goods on the road need the vehicle');
  if ((t.mode === '2' || t.mode === '3') && !t.document)
    wrong('documentNumber', 'Rail and air need the number and date of their document');
  if (t.mode !== '4' && t.mode !== '1' && t.vehicle?.oversized)
    wrong('oversized', 'Over-dimensional cargo goes by road or ship');
  if (t.document && compareDays(t.document.date, documentDate) < 0)
    wrong('documentDate', 'The transport document is not older than this document');
  if (t.document && compareDays(t.document.date, today) > 0) wrong('documentDate', 'This day is still to come');
  return problems;
}

/** A document as the e-way-bill portal wants to know it. */
export interface WayDocument extends Omit<IrpDocument, 'supplyType'> {
  readonly supplyType: string;
  /** A supply without tax, or by a composition taxpayer, goes with a bill of supply. */
  readonly billOfSupply: boolean;
}

const kinds = { both: 4, dispatch: 3, ship: 2, regular: 1 } as const;

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
    cess: tax((l) => l.cess),
  };
  const other = paise(d.total - sums.value - sums.cgst - sums.sgst - sums.igst - sums.cess);
  const from = d.dispatchFrom ?? { ...d.seller.address, name: d.seller.legalName };
  const to = d.shipTo ?? { ...d.buyer.address, name: d.buyer.legalName };
  const part = (line: IrpLine, pick: (line: IrpLine) => Paise, rate: number) =>
    taxed && pick(line) > 0 ? Number(formatDecimal(rate, 4, 0)) : 0;
  return {
    supplyType: 'O',
    subSupplyType: d.supplyType.startsWith('EXP') ? '3' : '1',
    docType: d.billOfSupply ? 'BIL' : 'INV',
    docNo: d.number,
    docDate: slashedDay(d.date),
    transactionType:
      kinds[d.dispatchFrom && d.shipTo ? 'both' : d.dispatchFrom ? 'dispatch' : d.shipTo ? 'ship' : 'regular'],
    fromGstin: d.seller.gstin,
    fromTrdName: clean(d.seller.tradeName ?? d.seller.legalName, 100),
    fromAddr1: clean(from.line1, 120),
    fromAddr2: clean(from.line2 ?? '', 120),
    fromPlace: clean(from.city, 50),
    fromPincode: Number(from.pincode),
    fromStateCode: Number(d.seller.address.state),
    actFromStateCode: Number(from.state),
    toGstin: d.buyer.gstin ?? 'URP',
    toTrdName: clean(d.buyer.tradeName ?? d.buyer.legalName, 100),
    toAddr1: clean(to.line1, 120),
    toAddr2: clean(to.line2 ?? '', 120),
    toPlace: clean(to.city, 50),
    toPincode: Number(to.pincode),
    toStateCode: Number(d.buyer.address.state || to.state),
    actToStateCode: Number(to.state),
    totalValue: amount(sums.value),
    cgstValue: amount(sums.cgst),
    sgstValue: amount(sums.sgst),
    igstValue: amount(sums.igst),
    cessValue: amount(sums.cess),
    cessNonAdvolValue: 0,
    otherValue: amount(other),
    totInvValue: amount(d.total),
    transporterId: t.transporter?.id ?? '',
    transporterName: clean(t.transporter?.name ?? '', 100),
    transDistance: String(t.distance),
    ...partB(t),
    itemList: goods.map((line) => ({
      productName: clean(line.description, 100),
      productDesc: clean(line.description, 100),
      hsnCode: Number(line.hsn),
      quantity: thousandths(Math.trunc(line.quantity / 1000)),
      qtyUnit: line.uqc,
      taxableAmount: amount(line.value),
      cgstRate: part(line, (l) => l.cgst, line.rate / 2),
      sgstRate: part(line, (l) => l.sgst, line.rate / 2),
      igstRate: part(line, (l) => l.igst, line.rate),
      cessRate: taxed ? Number(formatDecimal(line.cessRate, 4, 0)) : 0,
    })),
  };
}

/** What keeps a document from having an e-way bill of its own, in one sentence; undefined when nothing does. */
export function wayObstacle(d: WayDocument): string | undefined {
  const goods = d.lines.filter((line) => !line.service);
  if (goods.length === 0) return 'only goods travel with an e-way bill';
  if (goods.length > 250) return 'an e-way bill holds at most 250 lines: split the document';
  const to = d.shipTo ?? d.buyer.address;
  if (!/^[1-9]\d{5}$/.test(to.pincode) || !to.city)
    return 'the address the goods go to has no place or PIN code: mend the customer’s address';
  const from = d.dispatchFrom ?? d.seller.address;
  if (!/^[1-9]\d{5}$/.test(from.pincode)) return 'the place the goods leave from has no PIN code: mend the location';
  return undefined;
}
