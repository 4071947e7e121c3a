import type { Paise } from '../../../domain/base/money.ts';
import type { Ledgers } from '../../../domain/books/effects.ts';
import type { Locks } from '../../../domain/books/registers.ts';
import type { Checked } from '../../../domain/document/check.ts';
import type { Day, Draft, Entry, Id, Movement, Priced, Warning } from '../../../domain/document/document.ts';
import type { KindName } from '../../../domain/document/kinds/index.ts';
import type { Facts } from '../../../domain/document/resolve.ts';
import type { Span } from '../../../domain/stock/cost-spans.ts';
import type { ReceivedLine } from '../../../domain/stock/landing.ts';
import type { CostLayer, Gone, Method } from '../../../domain/stock/valuation.ts';

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

/** So much of a credit settles so much of a due, until it is freed. */
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

/** An amount that somebody typed in a call which makes its document by itself, and whose rules it comes under. */
export interface TypedBeside {
  readonly amount: Paise;
  readonly kinds: readonly KindName[];
  /** What it is, and what is done instead. */
  readonly name: string;
  readonly instead: string;
}

/** A document asked to be posted: what it refers to is looked up and checked in the transaction that posts it. */
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
  readonly today: Day;
  /** What the roles of who posts allow; left out, no person chose what is posted. */
  readonly limits?: Facts['limits'];
  /** Locations the user may use; empty: all of the organisation. */
  readonly locations: readonly Id[];
  /** Whether the user may see a document that the draft names: one that they may not see does not exist. */
  readonly mayName: (document: Nameable) => boolean;
  /** The lines of the bill whose goods a late cost makes dearer. */
  readonly landing?: readonly ReceivedLine[];
  /** Where the goods came in whose price a note changes. */
  readonly repriced?: readonly { readonly item: Id; readonly location: Id }[];
  /** What the price list of the party says of the items whose lines have no rate. */
  readonly prices?: Facts['prices'];
  /** What the document that this one takes back settles, or is settled by: it is freed. */
  readonly frees?: readonly ReleasedAllocation[];
  /** A draft that its author sent for approval, in the version that is approved: he stays the author of the document. */
  readonly approves?: { readonly author: Id; readonly version: number };
  /**
   * Made of the books' own figures, or of an answer from outside: no approval is needed. What a person typed beside
   * comes under the rules all the same.
   */
  readonly skipsApproval?: true | TypedBeside;
  /** A cancellation posts what its document posted, on the other side. */
  readonly mirrorOf?: {
    readonly document: Id;
    readonly kind: string;
    readonly reason: string;
    /** Its return of outward supplies shows it: on a later day a document of its own corrects it. */
    readonly isReturned: boolean;
    /** Its settlements are freed with it. */
    readonly frees: boolean;
    readonly entries: readonly Entry[];
    readonly movements: readonly (Movement & { readonly cost: number })[];
  };
}

/** A document was made from one that is cancelled, after its cancellation was prepared. */
export class MadeMeanwhile extends Error {}

/** Who stands in the books as the author of a document: who wrote it. */
export const authorOf = ({ approves, user }: Pick<PostingRequest, 'approves' | 'user'>): Id => approves?.author ?? user;

/** The same with all it refers to, checked: ready to be decided. */
export interface CheckedRequest extends PostingRequest {
  readonly facts: Facts;
  /** What it is posted with all the same. */
  readonly warnings: readonly Warning[];
  /** As the check added it up; counts as long as nothing more is known of its sources. */
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

/** What became of each document of a batch, by its id. */
export type Outcomes = ReadonlyMap<string, { readonly posted?: Posted; readonly error?: unknown }>;

/** Stock of an item at a location while a batch is decided. */
export interface StockBalance {
  readonly item: Id;
  readonly location: Id;
  quantity: number;
  value: number;
  layers: readonly CostLayer[];
  /** Paise for a whole unit when it last held goods: what leaves an empty stock balance costs that. */
  lastRate: number;
  /** Which goods left, as far as it was found for this batch. */
  gone?: Gone | undefined;
  lastDate: string | null;
  touched: boolean;
}

/** An entry of a cost revision has the day of what it revises. */
export type DatedEntry = Entry & { readonly date: string };

/** The system document that says what a cause has changed in the cost of others. */
export interface CostRevision {
  readonly id: Id;
  readonly date: string;
  readonly entries: readonly DatedEntry[];
  readonly moved: readonly MovedCost[];
}

/** A difference of cost whose own day is locked: it is booked on the first open day after it. */
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

/** Something left to settle: by a document as a whole (line 0), or by one of its lines. */
export interface OpenItem {
  readonly line: number;
  readonly party: Id;
  readonly side: 'receivable' | 'payable' | 'customerCredit' | 'supplierCredit';
  readonly date: string;
  readonly due: string | null;
  readonly currency: string;
  readonly original: number;
  /** The number of the bill that a line stands for; the document's own without it. */
  readonly reference?: string | undefined;
}

/** All that one document writes. */
export interface Decided {
  readonly request: CheckedRequest;
  readonly priced: Priced;
  /** As the user or the law puts it; undefined for documents without tax. */
  readonly placeOfSupply: string | undefined;
  readonly entries: readonly Entry[];
  readonly movements: readonly (Movement & { readonly cost: number })[];
  /** Lines whose goods go back at their own cost, with the customs duty on all goods of the line that they came in by, in paise. */
  readonly givenBack?: ReadonlyMap<number, Paise>;
  /** Lines that take their cost from the line of their source: which stretches of its goods they are. */
  readonly costSpans?: ReadonlyMap<number, readonly Span[]>;
  /** What a duty that came after its goods adds to them, by line of their bill; what a note on their price does, by its line. */
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
