import { countryName } from '../../../base/countries.ts';
import { formatDecimal, type Millionths, ONE, type Percent } from '../../../base/decimal.ts';
import { type Paise, scale, sum } from '../../../base/money.ts';
import { type Said, say } from '../../../base/say.ts';
import type { Address, Day, StateCode, SupplyType, Treatment } from '../../../document/document.ts';
import type { IrnType } from './irn.ts';
import type { SubSupply } from './portal-codes.ts';

export interface IrpParty {
  readonly gstin?: string;
  readonly legalName: string;
  readonly tradeName?: string;
  readonly address: Address;
}

/** A priced line. `value` is before tax with its shares of document discount and charges; `discount` came off before. */
export interface IrpLine {
  readonly description: string;
  readonly hsn: string;
  readonly service: boolean;
  readonly uqc: string;
  readonly quantity: Millionths;
  readonly freeQuantity?: Millionths;
  readonly discount: Paise;
  readonly value: Paise;
  readonly treatment: Treatment;
  readonly rate: Percent;
  readonly cessRate: Percent;
  readonly igst: Paise;
  readonly cgst: Paise;
  readonly sgst: Paise;
  readonly cess: Paise;
  /** Value and the tax that is charged: none under reverse charge. */
  readonly total: Paise;
  readonly batch?: { readonly name: string; readonly expiry?: Day };
}

export interface IrpTransport {
  /** Kilometres; 0 lets the portal work it out. */
  readonly distance: number;
  readonly mode?: '1' | '2' | '3' | '4';
  readonly transporter?: { readonly id?: string; readonly name?: string };
  readonly document?: { readonly number: string; readonly date: Day };
  readonly vehicle?: { readonly number: string; readonly oversized: boolean };
  /** As what they travel, where the kind leaves a choice; `says` explains what the list does not name. */
  readonly as?: { readonly type: SubSupply; readonly says?: string };
}

/** A posted document as the invoice registration portal wants to know it. Amounts in rupees (paise). */
export interface IrpDocument {
  readonly type: IrnType;
  readonly number: string;
  readonly date: Day;
  readonly supplyType: Exclude<SupplyType, 'B2CL' | 'B2CS' | 'NONE'>;
  readonly reverseCharge: boolean;
  readonly igstOnIntra?: boolean;
  readonly placeOfSupply: StateCode;
  readonly seller: IrpParty & { readonly gstin: string };
  readonly buyer: IrpParty;
  readonly dispatchFrom?: Address & { readonly name: string };
  /** Who receives the goods; a GSTIN of 'URP' says that they are not registered. */
  readonly shipTo?: Address & { readonly name: string; readonly tradeName?: string };
  readonly lines: readonly IrpLine[];
  readonly tcs: Paise;
  /** What came on top after tax, and what came off it; neither negative. */
  readonly added?: Paise;
  readonly takenOff?: Paise;
  readonly roundOff: Paise;
  readonly total: Paise;
  readonly currency: string;
  /** Total in the document's currency, for other currencies than the rupee. */
  readonly foreignTotal?: Paise;
  readonly remarks?: string;
  readonly preceding?: readonly { readonly number: string; readonly date: Day }[];
  readonly order?: { readonly number: string; readonly date?: Day };
  readonly shippingBill?: { readonly number: string; readonly date: Day };
  readonly port?: string;
  readonly transport?: IrpTransport;
  /** What is known of how it is paid: on credit until a day, or on the spot. */
  readonly payment?: { readonly creditDays: number; readonly due: Paise } | { readonly paid: Paise };
}

export const amount = (paise: number): number => Number(formatDecimal(paise, 2));
export const thousandths = (n: number): number => Number(formatDecimal(n, 3));
export const slashedDay = (date: Day): string => `${date.slice(8)}/${date.slice(5, 7)}/${date.slice(0, 4)}`;

/** The portals take neither quotes nor backslashes, nor more than so many characters; too short a text is left out. */
export const clean = (text: string, most: number): string =>
  text.replace(/["\\]/g, "'").replace(/\s+/g, ' ').trim().slice(0, most).trim();
const optional = <K extends string>(
  key: K,
  text: string | undefined,
  most: number,
  least = 3,
): { [P in K]?: string } => {
  const cleaned = clean(text ?? '', most);
  return cleaned.length >= least ? ({ [key]: cleaned } as { [P in K]: string }) : {};
};

const isExport = (d: { readonly supplyType: SupplyType }): boolean =>
  d.supplyType === 'EXPWP' || d.supplyType === 'EXPWOP';

/** What the portal has instead of an Indian PIN code and state. */
const ABROAD = { Pin: 999999, Stcd: '96' } as const;

/** For a buyer abroad without an address on record, the portal gets name and country. */
export const addressAbroad = ({ name, country }: { readonly name: string; readonly country: string }) => ({
  line1: name,
  city: countryName(country) ?? '',
});

const place = (address: Address, locality: number) => ({
  Addr1: clean(address.line1, 100),
  ...optional('Addr2', address.line2, 100),
  Loc: clean(address.city, locality),
  Pin: Number(address.pincode),
  Stcd: address.state,
});
const contact = ({ phone = '', email = '' }: Address) => {
  const digits = phone.replace(/\D/g, '');
  return {
    ...(/^\d{6,12}$/.test(digits) && { Ph: digits }),
    ...(/^[\w+.-]+@[a-zA-Z0-9.-]+$/.test(email) && email.length <= 100 && { Em: email }),
  };
};
const party = (p: IrpParty, locality: number) => ({
  LglNm: clean(p.legalName, 100),
  ...optional('TrdNm', p.tradeName, 100),
  ...place(p.address, locality),
  ...contact(p.address),
});

const buyer = (d: IrpDocument) => {
  const abroad = isExport(d) ? ABROAD : {};
  return {
    Gstin: isExport(d) ? 'URP' : (d.buyer.gstin ?? 'URP'),
    ...party(d.buyer, 100),
    ...abroad,
    Pos: isExport(d) ? '96' : d.placeOfSupply,
  };
};

/** Lines without tax by law are no items of the invoice here; their value goes with the other charges. */
const isItem = (d: { readonly supplyType: SupplyType }, line: Pick<IrpLine, 'treatment'>): boolean =>
  isExport(d) || line.treatment === 'taxable' || line.treatment === 'zeroRated';

/** Of a line's cess, the part by rate; the rest is by quantity. */
export const cessByRate = (line: IrpLine): Paise => {
  const byRate = scale(line.value, line.cessRate, 100 * 10_000);
  return byRate < line.cess ? byRate : line.cess;
};

const item = (line: IrpLine, index: number) => {
  const gross = sum([line.value, line.discount]);
  const byRate = cessByRate(line);
  return {
    SlNo: String(index + 1),
    ...optional('PrdDesc', line.description, 300),
    IsServc: line.service ? 'Y' : 'N',
    HsnCd: line.hsn,
    Qty: thousandths(sentQuantity(line)),
    ...(line.freeQuantity && { FreeQty: thousandths(scale(line.freeQuantity, 1, 1000)) }),
    Unit: line.uqc,
    UnitPrice: thousandths(unitPrice(line)),
    TotAmt: amount(gross),
    Discount: amount(line.discount),
    AssAmt: amount(line.value),
    GstRt: Number(formatDecimal(line.rate, 4, 0)),
    IgstAmt: amount(line.igst),
    CgstAmt: amount(line.cgst),
    SgstAmt: amount(line.sgst),
    CesRt: Number(formatDecimal(line.cessRate, 4, 0)),
    CesAmt: amount(byRate),
    CesNonAdvlAmt: amount(line.cess - byRate),
    TotItemVal: amount(line.total),
    ...(line.batch && batch(line.batch)),
  };
};
const batch = ({ name, expiry }: NonNullable<IrpLine['batch']>) => {
  const named = optional('Nm', name, 20);
  return named.Nm === undefined ? {} : { BchDtls: { Nm: named.Nm, ...(expiry && { ExpDt: slashedDay(expiry) }) } };
};

const values = (d: IrpDocument, items: readonly IrpLine[]) => {
  const of = (pick: (line: IrpLine) => Paise) => amount(sum(items.map(pick)));
  const leftOut = d.lines.filter((line) => !items.includes(line)).map((line) => line.total);
  return {
    AssVal: of((l) => l.value),
    CgstVal: of((l) => l.cgst),
    SgstVal: of((l) => l.sgst),
    IgstVal: of((l) => l.igst),
    CesVal: of((l) => l.cess),
    StCesVal: 0,
    // discounts of the document are in the lines already: this one the portal takes off after tax
    Discount: amount(d.takenOff ?? 0),
    OthChrg: amount(sum([d.tcs, ...(d.added ? [d.added] : []), ...leftOut])),
    RndOffAmt: amount(d.roundOff),
    TotInvVal: amount(d.total),
    ...(d.foreignTotal !== undefined && { TotInvValFc: amount(d.foreignTotal) }),
  };
};

const references = (d: IrpDocument) => {
  const preceding = d.preceding?.map(({ number, date }) => ({ InvNo: number, InvDt: slashedDay(date) }));
  const order = d.order && {
    ...optional('PORefr', d.order.number, 16, 1),
    ...(d.order.date && { PORefDt: slashedDay(d.order.date) }),
  };
  const all = {
    ...optional('InvRm', d.remarks, 100),
    ...(preceding && preceding.length > 0 && { PrecDocDtls: preceding }),
    ...(order && { ContrDtls: [order] }),
  };
  return Object.keys(all).length > 0 ? { RefDtls: all } : {};
};

const exported = (d: IrpDocument) => ({
  ...(d.shippingBill && { ShipBNo: d.shippingBill.number, ShipBDt: slashedDay(d.shippingBill.date) }),
  ...(d.port !== undefined && { Port: d.port }),
  RefClm: d.supplyType === 'EXPWP' ? 'Y' : 'N',
  ...(d.currency !== 'INR' && { ForCur: d.currency }),
  ...(/^[A-Z]{2}$/.test(d.buyer.address.country) && { CntCode: d.buyer.address.country }),
});

/** The transport as the invoice portal wants it, beside an invoice or alone. */
export const wayTransport = ({ distance, mode, transporter, document, vehicle }: IrpTransport) => ({
  ...(transporter?.id !== undefined && { TransId: transporter.id }),
  ...optional('TransName', transporter?.name, 100),
  ...(mode !== undefined && { TransMode: mode }),
  Distance: distance,
  ...(document && { TransDocNo: document.number, TransDocDt: slashedDay(document.date) }),
  ...(vehicle && { VehNo: vehicle.number.toUpperCase().replace(/[^A-Z0-9]/g, '') }),
  // what goes by ship is over-dimensional cargo to the portal
  ...((vehicle || mode === '4') && { VehType: mode === '4' || vehicle?.oversized ? 'O' : 'R' }),
});

/** How an invoice is paid, as far as it is known: at most four digits of days. */
const paid = ({ payment }: IrpDocument) => {
  if (!payment) return {};
  return 'paid' in payment
    ? { PayDtls: { PaidAmt: amount(payment.paid), PaymtDue: 0 } }
    : { PayDtls: { CrDay: Math.min(9999, payment.creditDays), PaymtDue: amount(payment.due) } };
};

/** A unit price and quantity as they are sent: with three decimals. */
const unitPrice = (line: Pick<IrpLine, 'value' | 'discount' | 'quantity'>): number => {
  const gross = sum([line.value, line.discount]);
  // a thousandth of a rupee is a tenth of a paisa
  return line.quantity > 0 ? scale(gross * 10, ONE, line.quantity) : gross * 10;
};
const sentQuantity = (line: Pick<IrpLine, 'quantity'>): number => scale(line.quantity, 1, 1000);

type Sent = Pick<IrpLine, 'value' | 'discount' | 'quantity' | 'treatment'>;
interface LineProblem extends Said {
  readonly row: number;
  readonly field: 'rate' | 'quantity';
}

/** What would come out as nothing at the portal, by line, though it is something. */
export function irpLineProblems(d: {
  readonly supplyType: SupplyType;
  readonly lines: readonly Sent[];
}): LineProblem[] {
  return d.lines.flatMap((line, row): LineProblem[] => {
    if (!isItem(d, line)) return [];
    const isCheap = unitPrice(line) === 0 && line.value + line.discount > 0;
    const isLittle = sentQuantity(line) === 0 && line.quantity > 0;
    return [
      ...(isCheap ? [{ row, field: 'rate' as const, ...TOO_CHEAP }] : []),
      ...(isLittle ? [{ row, field: 'quantity' as const, ...TOO_LITTLE }] : []),
    ];
  });
}
const TOO_CHEAP = say('The invoice portal takes prices from 0.001 on: sell it in a larger unit');
const TOO_LITTLE = say('The invoice portal takes quantities from 0.001 on: sell it in a smaller unit');

/** The document as INV-01 version 1.1, the text to send for an IRN. Quantity and unit price have three decimals there. */
export function irpPayload(d: IrpDocument) {
  const items = d.lines.filter((line) => isItem(d, line));
  return {
    Version: '1.1',
    TranDtls: {
      TaxSch: 'GST',
      SupTyp: d.supplyType,
      RegRev: d.reverseCharge ? 'Y' : 'N',
      IgstOnIntra: d.igstOnIntra ? 'Y' : 'N',
    },
    DocDtls: { Typ: d.type, No: d.number, Dt: slashedDay(d.date) },
    SellerDtls: { Gstin: d.seller.gstin, ...party(d.seller, 50) },
    BuyerDtls: buyer(d),
    ...(d.dispatchFrom && { DispDtls: { Nm: clean(d.dispatchFrom.name, 100), ...place(d.dispatchFrom, 100) } }),
    ...(d.shipTo && {
      ShipDtls: {
        ...(d.shipTo.gstin !== undefined && { Gstin: d.shipTo.gstin }),
        LglNm: clean(d.shipTo.name, 100),
        ...optional('TrdNm', d.shipTo.tradeName, 100),
        ...place(d.shipTo, 100),
        ...(isExport(d) && d.shipTo.country !== 'IN' && ABROAD),
      },
    }),
    ItemList: items.map(item),
    ValDtls: values(d, items),
    ...paid(d),
    ...references(d),
    ...(isExport(d) && { ExpDtls: exported(d) }),
    ...(d.transport && { EwbDtls: wayTransport(d.transport) }),
  };
}

export type IrpPayload = ReturnType<typeof irpPayload>;
