import type { Millionths, Percent } from '../base/decimal.ts';
import type { Paise } from '../base/money.ts';
import type { Said } from '../base/say.ts';
import type { MajorHead, Withholding } from '../facts/deposits.ts';
import type { LateCost } from '../stock/valuation.ts';
import type { AdvanceTax } from '../tax/advances.ts';
import type {
  acceptedFields,
  addressFields,
  adjustmentFields,
  allocationFields,
  batchFields,
  chargeFields,
  creditReversedFields,
  customsFields,
  discountFields,
  headFields,
  lineFields,
  sourceFields,
  tenderFields,
  tillFields,
} from './fields.ts';
import type { LineEffect } from './kinds/kind.ts';
import type { ValuesOf } from './values.ts';

/** 'YYYY-MM-DD', a day in Asia/Kolkata. */
export type Day = string;
/** UUID v7, made by the server. */
export type Id = string;
/** Two digits; 96 is outside India, 97 other territory. */
export type StateCode = string;

export type GstCategory =
  | 'registered'
  | 'composition'
  | 'unregistered'
  | 'sezUnit'
  | 'sezDeveloper'
  | 'deemedExport'
  | 'overseas'
  | 'uinHolder'
  | 'taxDeductor'
  | 'isd'
  | 'ecommerceOperator';
export type RegistrationKind = 'regular' | 'composition' | 'unregistered' | 'sez';
export type Treatment = 'taxable' | 'nil' | 'exempt' | 'nonGst' | 'zeroRated';
/** Quantities by the number of a line, in the line's unit. */
export type Covers = Readonly<Record<string, Millionths>>;

export interface Address extends ValuesOf<typeof addressFields> {}

/** Either a percent or an amount, as the user typed it. */
export interface Discount extends ValuesOf<typeof discountFields> {}

export interface BatchPart extends ValuesOf<typeof batchFields> {}

/** The line of another document that a line is made from. */
export interface SourceOfLine extends ValuesOf<typeof sourceFields> {}

/** One line as typed. Amounts are in the currency of the document. */
export interface DraftLine extends ValuesOf<typeof lineFields> {}

export interface DraftCharge extends ValuesOf<typeof chargeFields> {}

/** What is added to a document after tax, or taken off it: no part of the value of the supply. */
export interface DraftAdjustment extends ValuesOf<typeof adjustmentFields> {}

export interface Tender extends ValuesOf<typeof tenderFields> {}

/** So much of this document's amount goes to that open document. All in the party's currency. */
export interface Allocation extends ValuesOf<typeof allocationFields> {}

/** Which till session a document belongs to. What was counted and expected comes from the closing itself, never over the wire. */
export interface TillMark extends ValuesOf<typeof tillFields> {}

/** Input credit that is reversed, by tax. */
export interface CreditReversed extends ValuesOf<typeof creditReversedFields> {}

/** The figures of a bill of entry, in rupees. */
export interface Customs extends ValuesOf<typeof customsFields> {}

/** Why a document is posted in spite of a warning that needs a reason. */
export interface AcceptedWarning extends ValuesOf<typeof acceptedFields> {}

/** A document as the user has typed it so far. One type for every kind; `fields.ts` says which kinds have a field. */
export interface Draft extends ValuesOf<typeof headFields> {}

/** A line with everything looked up that its price depends on. */
export interface PricingLine {
  readonly item?: Id;
  readonly ledger?: Id;
  readonly sku?: string;
  readonly description: string;
  readonly hsn: string;
  readonly unit: string;
  readonly service: boolean;
  readonly stocked: boolean;
  readonly quantity: Millionths;
  readonly freeQuantity: Millionths;
  /** Quantity in the item's base unit, free quantity included: what moves stock. */
  readonly baseQuantity: Millionths;
  readonly rate: Millionths;
  readonly discount: Discount;
  readonly treatment: Treatment;
  readonly gstRate: Percent;
  readonly cessRate: Percent;
  readonly cessPerUnit: Paise;
  readonly retailPrice?: Paise;
  readonly creditBlocked: boolean;
  /** Ledger of the item or its category when it has its own. */
  readonly incomeLedger?: Id;
  readonly expenseLedger?: Id;
  /** The income ledger shows no revenue from operations: other income, or an asset that is sold. */
  readonly offRevenue?: true;
  readonly fixedAsset?: boolean;
  readonly scrap?: boolean;
  /** A charge that stands as a line: discounts and charges of the document are not shared over it. */
  readonly charge?: true;
  /** The ledgers of the note or return that it claims again, where it does: what that debited is credited. */
  readonly claims?: LineEffect;
  /** The line that it is priced from: so much of what is left of it as its quantity takes. */
  readonly source?: {
    readonly document: Id;
    readonly line: number;
    readonly leftQuantity: Millionths;
    readonly left: SourceLeft;
    readonly charges?: SharedCharges;
  };
  /** Its share of the charges of the source stays with who was paid for them. */
  readonly keepsCharges?: true;
  /** A part of an advance: its value and tax, in rupees. They are taken as they are. */
  readonly part?: AdvanceTax;
  /**
   * The line whose price it cuts, or of which it claims again what that took back: it takes no more than is left of each
   * amount, and all of it where it takes the full value.
   */
  readonly cuts?: { readonly document: Id; readonly line: number; readonly left: SourceLeft };
  readonly batches?: readonly BatchPart[];
  readonly serials?: readonly string[];
  readonly room?: Id;
  readonly costCentre?: Id;
}

/** What nobody has taken back of a line yet, amount by amount, in paise of rupees; `foreign` in the document's currency. */
export interface SourceLeft {
  readonly taxable: Paise;
  readonly value: Paise;
  readonly foreign: Paise;
  readonly cgst: Paise;
  readonly sgst: Paise;
  readonly igst: Paise;
  readonly cess: Paise;
}

/** The charges that were spread over a line: their part of each of its amounts, and of how many of its goods they were kept. */
export interface SharedCharges {
  readonly quantity: Millionths;
  readonly of: SourceLeft;
  readonly kept: Millionths;
}

/** A certificate under section 197 as it is used on a document. */
export interface TdsLower {
  readonly certificate: Id;
  readonly number: string;
  readonly rate: Percent;
  readonly base: Paise;
}

/** A payment of tax withheld to the government (challan ITNS 281). BSR code and serial number come from the bank. */
export interface TaxChallan {
  readonly tax: Withholding;
  readonly section: string;
  readonly head: MajorHead;
  readonly bsr?: string;
  readonly serial?: string;
  readonly interest: Paise;
  readonly fee: Paise;
  /** So much of what each document withheld. */
  readonly parts: readonly { readonly document: Id; readonly amount: Paise }[];
}

/** Income-tax to hold back: rate and base of its section, of which a part may bear a lower rate. */
export interface TdsTaken {
  readonly section: string;
  readonly rate: Percent;
  readonly base: Paise;
  readonly lower?: Pick<TdsLower, 'rate' | 'base'>;
  /** So much of the bill was paid in advance: it was counted, and bore its deduction, when it was paid. */
  readonly covered?: Paise;
}

/** Income-tax to collect: the rate of its section, and above what value each of the goods bears it. */
export interface TcsCollected {
  readonly section: string;
  readonly rate: Percent;
  readonly eachAbove?: Paise;
}

/** What `price` needs to know. Made by `resolve` from a draft and the facts, in the browser and on the server alike. */
export interface Pricing {
  readonly direction: 'output' | 'input' | 'none';
  readonly date: Day;
  readonly own: { readonly state: StateCode; readonly kind: RegistrationKind };
  readonly party: { readonly category: GstCategory; readonly state?: StateCode; readonly country: string };
  readonly placeOfSupply: StateCode;
  readonly withPayment: boolean;
  readonly reverseCharge: boolean;
  readonly taxInclusive: boolean;
  readonly withoutTax: boolean;
  readonly roundTotal: boolean;
  readonly currency: string;
  readonly exchangeRate: Millionths;
  readonly lines: readonly PricingLine[];
  readonly discount: Discount;
  readonly charges: readonly DraftCharge[];
  readonly adjustments?: readonly DraftAdjustment[];
  readonly tds?: TdsTaken;
  /** `eachAbove`: only goods worth more than this each, GST included, bear it. */
  readonly tcs?: TcsCollected;
  /** Value added tax of the country of the buyer, which the seller is registered for there. */
  readonly vat?: { readonly rate: Percent };
  /** Of what it corrects: its tax is that of its sources, whatever has changed since. */
  readonly original?: { readonly supply: Priced['supply']; readonly charged: boolean; readonly type: SupplyType };
  /** What is left of its sources: a document that takes all of it takes the rest of their rounding too. */
  readonly closes?: {
    readonly lines: readonly { readonly document: Id; readonly line: number; readonly left: SourceLeft }[];
    readonly roundOff: Paise;
    /** What nobody has given back yet of the income-tax collected with each document. */
    readonly tcs?: readonly { readonly document: Id; readonly left: Paise }[];
  };
}

/** A line with its amounts in paise of rupees. `taxable` holds its shares of document discount and charges. */
export interface PricedLine extends PricingLine {
  readonly number: number;
  readonly gross: Paise;
  readonly discountAmount: Paise;
  readonly documentDiscount: Paise;
  readonly chargeShare: Paise;
  /** Basis of the tax; differs from `value` only where the law values on retail price (rule 31D). */
  readonly taxable: Paise;
  /** What the line adds to the total before tax. */
  readonly value: Paise;
  readonly cgst: Paise;
  readonly sgst: Paise;
  readonly igst: Paise;
  readonly cess: Paise;
  /** `value` in the document's currency. */
  readonly foreignValue: Paise;
  readonly total: Paise;
}

export type SupplyType = 'B2B' | 'B2CL' | 'B2CS' | 'SEZWP' | 'SEZWOP' | 'EXPWP' | 'EXPWOP' | 'DEXP' | 'NONE';

export interface Priced {
  readonly supply: 'intra' | 'inter' | 'none';
  readonly supplyType: SupplyType;
  readonly taxCharged: boolean;
  readonly lines: readonly PricedLine[];
  readonly charges: readonly { readonly name: string; readonly ledger?: Id; readonly amount: Paise }[];
  readonly gross: Paise;
  readonly discount: Paise;
  readonly chargeTotal: Paise;
  readonly taxable: Paise;
  readonly value: Paise;
  readonly cgst: Paise;
  readonly sgst: Paise;
  readonly igst: Paise;
  readonly cess: Paise;
  readonly tcs: Paise;
  /** By document: what of the tax collected with it is given back. */
  readonly tcsBack?: Readonly<Record<Id, Paise>>;
  readonly tds: Paise;
  readonly roundOff: Paise;
  /** What the paper says at the bottom. */
  readonly total: Paise;
  /** Value added tax abroad: due on top of the total, and no part of any Indian return. */
  readonly vat?: { readonly rate: Percent; readonly amount: Paise; readonly foreign: Paise };
  /** What came on top after tax, in rupees; what came off it is negative. Part of `total`, never of `value`. */
  readonly adjustments?: readonly { readonly name: string; readonly ledger?: Id; readonly amount: Paise }[];
  /** The amount due from or to the party: total less TDS, with tax abroad, without tax on reverse charge or refundable IGST. */
  readonly payable: Paise;
  readonly foreignTotal: Paise;
  /** It has no price: its amounts are what its goods cost, or what they are thought to cost before it is posted. */
  readonly atCost?: 'cost' | 'estimated';
}

/** One line in the books. Amounts are never negative: a negative slice changes sides. */
export interface Entry {
  readonly ledger: Id;
  readonly debit: Paise;
  readonly credit: Paise;
  readonly party?: Id;
  readonly costCentre?: Id;
  readonly registration: Id;
  readonly location: Id;
  readonly currency?: string;
  readonly foreign?: Paise;
  readonly exchangeRate?: Millionths;
}

/** One movement of stock: quantity is positive into a location, negative out of it. Cost is decided by valuation. */
export interface Movement {
  readonly line: number;
  readonly item: Id;
  readonly location: Id;
  readonly quantity: Millionths;
  /** Value of a receipt, decided by the document (taxable value plus landed cost); issues get theirs from valuation. */
  readonly value?: Paise;
  /** A late cost on goods of which cost layers are kept: it goes on those layers, and they say how much of it is still there. */
  readonly lateCost?: LateCost;
  /** Goods that come back and name no document are worth what the same goods at their place cost by now. */
  readonly asHeld?: true;
  /** A return comes back, or goes back to its supplier, and a transfer arrives, at the cost of this movement. */
  readonly costOf?: { readonly document: Id; readonly line: number };
  readonly batches?: readonly BatchPart[];
  readonly serials?: readonly string[];
  readonly room?: Id;
}

/**
 * Something a user can mend, with the field it belongs to ('party', 'lines.rate' with a row ...). With a `code` it is a
 * warning: the document is posted once the call gives a reason for it.
 */
export interface Problem extends Said {
  readonly field: string;
  readonly row?: number;
  readonly code?: string;
  readonly reason?: 'needed';
}

/** Something a user should look at before or after posting. With `reason` the document is posted only with a logged reason. */
export interface Warning extends Said {
  readonly code: string;
  readonly field: string;
  readonly row?: number;
  readonly reason?: 'needed';
}
