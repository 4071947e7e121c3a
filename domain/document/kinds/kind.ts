import type { Rule } from '../../books/posting.ts';
import type { SubSupply } from '../../tax/gst/portal/portal-codes.ts';
import type { IssuedNature } from '../../tax/gst/returns/documents-issued.ts';
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
  /** Money that a customer has paid online, through the payment gateway. */
  | 'onlinePayment'
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

/** Whom a document is of. */
export interface KindParty {
  /** Whether its party is a customer or a supplier; `none`: it has no party. */
  readonly side: 'customer' | 'supplier' | 'none';
  /** Whether it must name a party of the masters. Without, a name may be typed: a sale over the counter. */
  readonly required: boolean;
  /** Only parties abroad, or of that country (ISO 3166). */
  readonly from?: 'abroad' | 'SA';
}

/** What its lines are. */
export interface KindLines {
  /** What a line names: the columns of the grid and the checks follow from it. `none`: an amount in the head, and no lines. */
  readonly of: 'items' | 'expenses' | 'ledgers' | 'stock' | 'none';
  /** Every line names a ledger of cash or bank. */
  readonly onlyMoney?: true;
  /** An invoice to a customer that is written in an editor: a setting of the organisation may limit it to one line. */
  readonly mayBeLimited?: true;
}

/** What it does to goods, and what they are worth on it. */
export interface KindStock {
  /**
   * Which way quantities move when it is posted. `adjust`: either way, by the sign of the line; `reserve`: nothing moves, the
   * quantity is kept for the customer; `worth`: nothing moves, it changes what the goods of the document it is against are worth.
   */
  readonly effect: 'out' | 'in' | 'transferOut' | 'transferIn' | 'adjust' | 'reserve' | 'worth' | 'none';
  /**
   * Its goods have no price where they are no supply: their value is their cost. `books`: the cost in the books as it is now,
   * also when a back-dated movement has changed it; `declared`: its paper went out with the goods, and keeps saying the cost of
   * the day it was posted.
   */
  readonly valued?: 'books' | 'declared';
}

/** What it does to the ledgers. */
export interface KindBooks {
  /** The legs of its entry, in the order in which an accountant writes them; none: it posts nothing. */
  readonly posting: Rule;
  /** Perpetual books add these legs (cost of goods, stock). */
  readonly perpetual?: Rule;
  /** Where the value of lines goes, by effect of the posting map; the engine picks within the family by line and party. */
  readonly lineEffect: LineEffect;
  /** Which side of the party's account this kind opens, and whether it can be settled by or settles others. */
  readonly opens?: 'receivable' | 'payable' | 'customerCredit' | 'supplierCredit';
  /** Each line on the account of a party leaves something to settle by itself: `bills` have their own number and dates. */
  readonly opensByLine?: 'bills' | 'entries';
  /** The register it is locked with, where that is not its family's. */
  readonly register?: 'purchases' | 'money';
}

/** How its documents are numbered. */
export interface KindNumbering {
  /** Family of numbers (INV, CRN ...): a number is given once in it per registration and financial year. */
  readonly family: string;
  /** How its first series begins; `{FY}` is the financial year, as in 2026-27. */
  readonly prefix: string;
  /** The GST rules hold for its numbers: at most 16 characters (rule 46), and the date may not lie in the future. */
  readonly gst: boolean;
}

/** What is printed of it. */
export interface KindPaper {
  /** Which template and title its paper has; `none`: it is not printed. */
  readonly form: 'taxInvoice' | 'billOfSupply' | 'note' | 'order' | 'voucher' | 'challan' | 'none';
  /** The language that its paper has beside English (ISO 639-1). */
  readonly secondLanguage?: 'ar';
}

/** What it is for GST. */
export interface KindGst {
  /** Tax that it charges (output) or is charged (input). */
  readonly tax: 'output' | 'input' | 'none';
  /** Its type at the invoice registration portal: it needs an IRN where the organisation registers invoices. */
  readonly irp?: 'INV' | 'CRN' | 'DBN';
  /** It never goes to the portal: what is made in its place where an IRN is needed, for a buyer here and for one abroad. */
  readonly insteadFor?: { readonly registered: string; readonly abroad: string };
  /** Its goods travel with an e-way bill. */
  readonly eway?: Travels;
  /** As what GSTR-1 reports it. */
  readonly gstr1?: 'invoice' | 'creditNote' | 'debitNote' | 'advance' | 'advanceAdjusted' | 'advanceRefunded';
  /** Its numbers are counted in table 13 of GSTR-1. */
  readonly issued?: Issuing;
  /** Its lines set tax credit off against tax: what they debit and credit follows the order of set-off (section 49). */
  readonly setsOff?: true;
}

/** Which documents it comes from, and what it takes from them. */
export interface KindSource {
  /** Kinds it can be made from; lines carry over with the quantities still open. */
  readonly kinds: readonly string[];
  /** Of such a kind, only documents of a party of these GST categories. */
  readonly categories?: Readonly<Record<string, readonly GstCategory[]>>;
  /** Its lines have the price of the lines of its source: a return. */
  readonly givesPrice?: boolean;
  /**
   * Goods may come back, or go back, without a document in the books: with full access and a reason. Its lines are
   * priced then as typed.
   */
  readonly mayBeOutsideBooks?: true;
  /** Reverses a document of this kind whole, on a later day: made from it, never typed, and the document stays as it was. */
  readonly reverses?: string;
  /** It may name an earlier document of this kind that it reverses on a later day; it is typed like any other. */
  readonly mayReverse?: string;
}

/** How it comes about, and what becomes of it. */
export interface KindLife {
  /**
   * `posted`: is in the books and stays; `ordered`: asks for what other documents carry out; `sent`: is in the books, and what
   * arrives is carried on from it.
   */
  readonly cycle: 'posted' | 'ordered' | 'sent';
  /** Made by the product itself, never typed: no editor. */
  readonly system?: true;
  /** Made at a till: belongs to one of its sessions, and a part may stay on the account of the customer. */
  readonly till?: true;
  /** Kinds that do the same have one: a rule of approval for one of them binds each that has no rule of its own. */
  readonly approvedWith?: ApprovalGroup;
  /** The orders whose stages it goes through, where the organisation has published any. */
  readonly flow?: FlowFamily;
  /** The series of the order dashboard that it is counted in. */
  readonly countedAs?: 'Sale' | 'Purchase' | 'SaleOrder' | 'PurchaseOrder' | 'Salereturn' | 'Purchasereturn';
}

/** Everything that makes one type of document differ from another, by subject. Engines read it; screens read it. */
export interface Kind {
  /** The code of its editor in the interface (TransactionType). */
  readonly code: string;
  /** Codes of other editors of the same record. */
  readonly otherCodes?: readonly string[];
  /** What it is called in text, in English: one document, and a list of them. */
  readonly label: string;
  readonly plural: string;
  /** What the product makes of it by itself, or has a screen of its own for. */
  readonly roles?: readonly Role[];
  readonly party: KindParty;
  readonly lines: KindLines;
  readonly stock: KindStock;
  readonly books: KindBooks;
  readonly numbering: KindNumbering;
  readonly paper: KindPaper;
  readonly gst: KindGst;
  readonly source: KindSource;
  readonly life: KindLife;
  /** The fields of the head that it has beside those of every kind. */
  readonly fields: readonly FieldName[];
}
