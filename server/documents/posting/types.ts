import type { Paise } from '../../../domain/base/money.ts';
import type { Said } from '../../../domain/base/say.ts';
import type { Ledgers } from '../../../domain/books/effects.ts';
import type { Locks } from '../../../domain/books/registers.ts';
import type { Checked } from '../../../domain/document/check.ts';
import type { Day, Draft, Entry, Id, Movement, Priced, Warning } from '../../../domain/document/document.ts';
import type { KindName } from '../../../domain/document/kinds/index.ts';
import type { Facts } from '../../../domain/document/resolve.ts';
import type { Span } from '../../../domain/stock/cost-spans.ts';
import type { ReceivedLine } from '../../../domain/stock/landing.ts';
import type { CostLayer, IssuedGoods, Method } from '../../../domain/stock/valuation.ts';

/** What an organisation has settled about its books; read with the facts. */
export interface BookSettings {
  readonly perpetual: boolean;
  readonly method: Method;
  readonly allowNegative: boolean;
  readonly trackInventory: boolean;
}

/** Where the number comes from; a given number (import, till offline) takes none. */
export interface SeriesChoice {
  readonly id: Id;
  readonly prefix: string;
  readonly suffix: string;
  readonly padding: number;
  readonly start: number;
  readonly period: string;
}

/** An amount of a credit that settles a due, and that a posting frees. */
export interface ReleasedAllocation {
  readonly credit: Id;
  readonly creditLine: number;
  readonly invoice: Id;
  readonly invoiceLine: number;
  readonly amount: number;
  readonly invoiceWorth?: number;
  readonly creditWorth?: number;
}

/** What of a document decides who may see it. */
export interface Nameable {
  readonly kind: string;
  readonly location: Id;
  readonly toLocation?: Id | null;
  readonly author: Id;
}

/** An amount that a person typed in a call that makes a document of its own (interest on a challan). Rules of approval apply to it. */
export interface TypedBeside {
  readonly amount: Paise;
  /** The kinds whose rules of approval apply. */
  readonly kinds: readonly KindName[];
  /** For the refusal: what the amount is, and what the user can do instead. */
  readonly name: string;
  readonly instead: Said;
}

/** A request to post a document. What it refers to is looked up and checked in the transaction that posts it. */
export interface PostingRequest {
  readonly organisation: number;
  readonly user: Id;
  readonly key: string | undefined;
  readonly digest: Buffer | undefined;
  readonly id: Id;
  readonly kind: KindName;
  readonly draft: Draft;
  /** The version of the draft that is posted: the draft is deleted with it. Null: there must be no draft of this id. */
  readonly draftVersion?: number | null;
  readonly number: string | undefined;
  /** The name of the access token, when a program posts it: the document keeps it. */
  readonly token?: string | undefined;
  readonly today: Day;
  /** Limits of the roles of whoever posts; absent where no person chose what is posted. */
  readonly limits?: Facts['limits'];
  /** Locations the user may use; empty: all of the organisation. */
  readonly locations: readonly Id[];
  /** Whether the user may see a document that the draft names: one that they may not see does not exist. */
  readonly mayName: (document: Nameable) => boolean;
  /** The lines of a bill whose goods cost more by this document: a duty of customs that was paid after they came in. */
  readonly landing?: readonly ReceivedLine[];
  /** Items and locations at which goods came in whose price this note changes. */
  readonly repriced?: readonly { readonly item: Id; readonly location: Id }[];
  /** Prices of price lists, for lines without a rate. */
  readonly prices?: Facts['prices'];
  /** Settlements of the document that this one takes back whole: this posting frees them. */
  readonly frees?: readonly ReleasedAllocation[];
  /** The draft was sent for approval: its author, who becomes the author of the document, and the version that is approved. */
  readonly approves?: { readonly author: Id; readonly version: number };
  /**
   * No approval is needed, because the document is made from figures of the books or from an answer of a portal. An amount
   * that a person typed with it needs the approval that its rules ask for.
   */
  readonly skipsApproval?: true | TypedBeside;
  /** This is the cancellation of a document: it posts the same entries and movements the other way. */
  readonly mirrorOf?: {
    readonly document: Id;
    readonly kind: string;
    readonly reason: string;
    /** GSTR-1 shows the document: where it cannot be cancelled on its own day, another document corrects it. */
    readonly isReturned: boolean;
    /** The settlements of the document are freed. */
    readonly frees: boolean;
    readonly entries: readonly Entry[];
    readonly movements: readonly (Movement & { readonly cost: number })[];
  };
}

/** A document was made from one that is cancelled, after its cancellation was prepared. */
export class MadeMeanwhile extends Error {}

/** The author of a document in the books: who wrote the draft. */
export const authorOf = ({ approves, user }: Pick<PostingRequest, 'approves' | 'user'>): Id => approves?.author ?? user;

/** A request that was checked, with all that it refers to. */
export interface CheckedRequest extends PostingRequest {
  readonly facts: Facts;
  /** Warnings with which it is posted. */
  readonly warnings: readonly Warning[];
  /** The prices and totals that the check worked out. They are used again where the document has no sources. */
  readonly added?: Checked['added'];
  readonly ledgers: Ledgers;
  readonly locks: Locks;
  readonly settings: BookSettings;
  readonly series: SeriesChoice | undefined;
  readonly financialYear: string;
  readonly transit: Id | undefined;
  /** GSTIN of a registration that e-invoicing applies to on this date; null where it does not. */
  readonly einvoice: string | null;
  /** Names for the sentences of refusals. */
  readonly names: { readonly item: (id: Id) => string; readonly location: (id: Id) => string };
}

export interface Posted {
  readonly id: Id;
  readonly number: string;
  readonly total: number;
  /** Left out where there are none. */
  readonly warnings?: readonly Warning[];
}

/** The result for each document of a batch, by its id. */
export type Outcomes = ReadonlyMap<string, { readonly posted?: Posted; readonly error?: unknown }>;

/** Stock of an item at a location while a batch is decided. */
export interface StockBalance {
  readonly item: Id;
  readonly location: Id;
  quantity: number;
  value: number;
  layers: readonly CostLayer[];
  /** Paise per unit when it last held goods. Goods that leave while it holds none have this cost. */
  lastRate: number;
  /** Which goods left, where this batch needs to know. */
  issued?: IssuedGoods | undefined;
  lastDate: string | null;
  touched: boolean;
}

/** An entry of a cost revision has the day of what it revises. */
export type DatedEntry = Entry & { readonly date: string };

/** The document of the product itself that books what a posting changed in the cost of other documents. */
export interface CostRevision {
  readonly id: Id;
  readonly date: string;
  readonly entries: readonly DatedEntry[];
  readonly moved: readonly MovedCost[];
}

/** A difference of cost on a day that is locked: it is booked on the first open day after it. */
export interface MovedCost {
  readonly from: string;
  readonly to: string;
  readonly amount: number;
}

export interface Revision {
  readonly document: Id;
  readonly number: number;
  readonly revision: number;
  readonly cost: number;
}

/** An amount of a document as a whole (line 0), or of one of its lines, that is to be settled. */
export interface OpenItem {
  readonly line: number;
  readonly party: Id;
  readonly side: 'receivable' | 'payable' | 'customerCredit' | 'supplierCredit';
  readonly date: string;
  readonly due: string | null;
  readonly currency: string;
  readonly original: number;
  /** The number of the bill that a line brings in; without it the number of the document. */
  readonly reference?: string | undefined;
}

/** All that one document writes. */
export interface Decided {
  readonly request: CheckedRequest;
  readonly priced: Priced;
  /** The state that the user chose or that follows from the law; undefined for documents without tax. */
  readonly placeOfSupply: string | undefined;
  readonly entries: readonly Entry[];
  readonly movements: readonly (Movement & { readonly cost: number })[];
  /** Lines whose goods go back at their own cost: the customs duty on all goods of the line that brought them in, in paise. */
  readonly givenBack?: ReadonlyMap<number, Paise>;
  /** Lines that have the cost of the line they come from: which of its goods they are, as ranges of quantity. */
  readonly costSpans?: ReadonlyMap<number, readonly Span[]>;
  /** What a later duty adds to the cost of goods, by line of their bill; what a note on their price changes, by line of the note. */
  readonly landed?: ReadonlyMap<number, Paise>;
  readonly revisions: readonly Revision[];
  readonly costRevision: CostRevision | undefined;
  readonly opens: readonly OpenItem[];
  readonly allocations: readonly {
    readonly credit: Id;
    readonly creditLine: number;
    readonly invoice: Id;
    readonly invoiceLine: number;
    readonly amount: number;
    /** In a foreign currency: the rupees taken off the account on either side. */
    readonly invoiceWorth?: number;
    readonly creditWorth?: number;
  }[];
  readonly links: readonly { readonly source: Id; readonly role: string }[];
}
