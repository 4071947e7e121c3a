import type { Rule } from '../../books/posting.ts';
import type { IssuedNature } from '../../tax/gst/documents-issued.ts';
import type { SubSupply } from '../../tax/gst/portal-codes.ts';
import type { FlowFamily } from '../../workflow/families.ts';
import type { GstCategory } from '../document.ts';
import type { FieldName } from '../fields.ts';

/** The names of head fields that a kind may list; `fields.ts` has their rows. */
export type { FieldName };

/**
 * How goods of a document travel with an e-way bill: out of our place or into it, on which paper, and as what (sub-supply
 * types, the usual one first). On a bill of entry come the goods of the purchase that it is against, from the port.
 */
export interface Travels {
  readonly way: 'out' | 'in';
  readonly on: 'invoice' | 'challan' | 'entry';
  readonly as: readonly SubSupply[];
  /** What is reported to the portal of goods that travel as something else, where nobody says otherwise; at most 20 characters. */
  readonly says?: string;
  /** Between two registrations of ours it is a supply on an invoice. */
  readonly between?: readonly SubSupply[];
}

/** The nature of a document in table 13 of GSTR-1, which counts the numbers issued. */
export interface Issuing {
  readonly nature: IssuedNature;
  /** Within one registration of ours it is no supply. */
  readonly inside?: IssuedNature;
  /** The reasons that it may have, where they tell the nature; without one it is the usual. */
  readonly byReason?: Readonly<Record<string, IssuedNature>>;
}

/**
 * What a kind is for, where the product makes it by itself or gives it a screen of its own. Each role has one kind; a kind may
 * have several.
 */
export type Role =
  /** A bill of a till, what comes back there, and the difference of a counted drawer. */
  | 'tillBill'
  | 'tillReturn'
  | 'tillDifference'
  /** What a back-dated document changed in the cost of others. */
  | 'costRevision'
  /** The mirror of a cancelled document. */
  | 'reversal'
  /** The closing of a year. */
  | 'yearEnd'
  /** Open foreign balances at the rate of a day. */
  | 'revaluation'
  /** The account of a party on another ledger. */
  | 'accountMove'
  /** Tax withheld, paid to the government. */
  | 'taxPayment'
  /** What a bank takes, booked with its statement. */
  | 'bankCharges'
  /** Stock that is counted, thrown away or found. */
  | 'stockAdjustment'
  /** Stock that was there when the books opened. */
  | 'openingStock';

/** What kinds of document do, as rules of approval see it. */
export type ApprovalGroup =
  | 'invoice'
  | 'creditNote'
  | 'order'
  | 'receipt'
  | 'refund'
  | 'payment'
  | 'bill'
  | 'supplierNote'
  | 'journal'
  | 'stock';

/** A family of ledgers of the posting map. */
export type LineEffect =
  | 'sales'
  | 'retailSales'
  | 'salesReturn'
  | 'salesDiscount'
  | 'purchase'
  | 'purchaseReturn'
  | 'purchaseDiscount'
  | 'importPurchase'
  | 'none';

/** Everything that makes one type of document differ from another. Engines read it; screens read it. */
export interface Kind {
  /** The wire's code (TransactionType). */
  readonly code: string;
  /** Codes of other editors of the same record. */
  readonly otherCodes?: readonly string[];
  readonly roles?: readonly Role[];
  readonly label: string;
  readonly plural: string;
  /** `from`: only parties abroad, or of that country. */
  readonly party: {
    readonly side: 'customer' | 'supplier' | 'none';
    readonly required: boolean;
    readonly from?: 'abroad' | 'SA';
  };
  /** What its lines are made of: the grid's columns and the checks follow from it. */
  readonly lines: 'items' | 'expenses' | 'ledgers' | 'stock' | 'none';
  readonly tax: 'output' | 'input' | 'none';
  readonly books: {
    readonly posting: Rule;
    /** Perpetual books add these legs (cost of goods, stock). */
    readonly perpetual?: Rule;
    /** Where the value of lines goes, by effect of the posting map; the engine picks within the family by line and party. */
    readonly lineEffect: LineEffect;
    /** Which side of the party's account this kind opens, and whether it can be settled by or settles others. */
    readonly opens?: 'receivable' | 'payable' | 'customerCredit' | 'supplierCredit';
    /** Each line on the account of a party leaves something to settle by itself: `bills` have their own number and dates. */
    readonly opensByLine?: 'bills' | 'entries';
  };
  /** `worth`: moves no goods, changes what those of the document it is against are worth. */
  readonly stock: 'out' | 'in' | 'transferOut' | 'transferIn' | 'adjust' | 'reserve' | 'worth' | 'none';
  /**
   * Its goods have no price where they are no supply: it is worth what they cost. `books`: what they cost in the books by now,
   * also when a back-dated movement has changed that; `declared`: its paper went out with them, and keeps saying what they cost
   * when it was posted.
   */
  readonly valued?: 'books' | 'declared';
  /** Family of numbers (INV, CRN ...): numbers are unique in it per registration and year. */
  readonly numbering: string;
  /** Numbers of these are limited to 16 characters (rule 46) and the date may not lie in the future. */
  readonly gstNumber: boolean;
  readonly prefix: string;
  readonly paper: 'taxInvoice' | 'billOfSupply' | 'note' | 'order' | 'voucher' | 'challan' | 'none';
  readonly gst: {
    readonly irp?: 'INV' | 'CRN' | 'DBN';
    /** It never goes to the portal: what is made in its place where an IRN is needed, for a buyer here and for one abroad. */
    readonly insteadFor?: { readonly registered: string; readonly abroad: string };
    readonly eway?: Travels;
    readonly gstr1?: 'invoice' | 'creditNote' | 'debitNote' | 'advance' | 'advanceAdjusted' | 'advanceRefunded';
    /** Its numbers are counted in table 13. */
    readonly issued?: Issuing;
  };
  /** Ordered: asks for what others carry out. Sent: is in the books, and what arrives is carried on from it. */
  readonly life: 'posted' | 'ordered' | 'sent';
  /** Kinds it can be made from; lines carry over with the quantities still open. */
  readonly from: readonly string[];
  /** Of such a kind, only what is of a party of these categories. */
  readonly fromOf?: Readonly<Record<string, readonly GstCategory[]>>;
  /** A return or note is priced from the lines of its source. */
  readonly pricedFromSource?: boolean;
  /**
   * Goods may come back, or go back, without a document in the books: with full access and a reason. Its lines are
   * priced then as typed.
   */
  readonly withoutSource?: true;
  readonly fields: readonly FieldName[];
  /** Series the order dashboard counts it in. */
  readonly counts?: 'Sale' | 'Purchase' | 'SaleOrder' | 'PurchaseOrder' | 'Salereturn' | 'Purchasereturn';
  /** An invoice of ours to a customer, as it is written in an editor: the configuration may leave it one line. */
  readonly invoice?: true;
  /** Made at a till: belongs to one of its sessions, and a part may stay on the account of the customer. */
  readonly till?: true;
  /** The register it is locked with, where that is not its family's. */
  readonly register?: 'purchases' | 'money';
  /** Takes back a document of this kind whole, on a later day: made from it, never typed, and the document stays as it was. */
  readonly undoes?: string;
  /** It may name an earlier document of this kind that it takes back on a later day; it is typed like any other. */
  readonly takesBack?: string;
  /** Its lines set tax credit off against tax: what they debit and credit follows the order of set-off (section 49). */
  readonly setsOff?: true;
  /** Every line of it stands on a ledger of cash or bank. */
  readonly onlyMoney?: true;
  /** Its paper speaks this language too, beside English. */
  readonly alsoIn?: 'ar';
  /** Kinds that do the same have one: a rule of approval for one of them binds each that has no rule of its own. */
  readonly approvedWith?: ApprovalGroup;
  /** The orders whose stages it goes through, where the organisation has published any. */
  readonly flow?: FlowFamily;
  /** Made by the product itself, never typed: no editor. */
  readonly system?: true;
}
