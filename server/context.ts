import type { Transaction } from 'kysely';
import type { Action } from '../contract/contract.ts';
import type { Held } from '../contract/levels.ts';
import type { ModuleName } from '../contract/modules.ts';
import type { ScreenName } from '../contract/screens.ts';
import type { GeneralConfiguration } from '../contract/session.ts';
import type { Limits } from '../domain/document/checks/limits.ts';
import type { Day, Id } from '../domain/document/document.ts';
import type { Books, Tables } from './kit/database/sql.ts';

/** What a screen shows: a kind, a master, a report; or the screen itself. */
export type Shown =
  | { readonly kind: string }
  | { readonly master: string }
  | { readonly report: string }
  | { readonly screen: ScreenName };

/** Where a person sees what goods cost: everywhere, in documents at cost that their grants open, or nowhere. */
export type Cost = 'none' | 'own' | 'all';
/** What the roles of a person allow them beside levels. */
export interface RoleLimits extends Limits {
  readonly cost: Cost;
}

/** How the engine of rights finds a row that decides (`server/access/rows.ts`). */
export type RowName =
  | 'document'
  | 'paper'
  | 'documentOrDraft'
  | 'draft'
  | 'documentNumber'
  | 'orderNumber'
  | 'einvoice'
  | 'wayBill'
  | 'recurringBill'
  | 'bankLine';

/** What of a row decides who may do something with it. */
export interface Row {
  readonly kind: string;
  /** Null: a draft that names none yet. Undefined: no place decides. */
  readonly location?: Id | null | undefined;
  /** Where goods arrive, for what is open to the people of both ends. */
  readonly toLocation?: Id | null | undefined;
  readonly author?: Id | undefined;
  readonly draft?: 'kept' | 'submitted' | undefined;
}

/** What a draft is wanted for: it decides to whom besides its author it is open (`server/access/drafts.ts`). */
export type DraftUse = 'edit' | 'read' | 'decide' | 'delete' | 'post';

/** A case that only a handler can tell, and for which the rule of its call asks for more. */
export type Case = 'unlock' | 'theme' | 'otherUser' | 'differences' | 'numberedBill';

/** Who asks, in which organisation, with what rights: handed to every handler after the rule of the call has allowed it. */
export interface Context {
  readonly books: Books;
  readonly organisation: number;
  readonly organisationCode: string;
  readonly person: Id;
  readonly user: Id;
  readonly name: string;
  /** What the user holds, by parent screen: all grants together. */
  readonly grants: ReadonlyMap<string, Held>;
  /** What their roles allow beside levels. */
  readonly limits: RoleLimits;
  /** Locations the user may use; empty: all of the organisation. */
  readonly locations: readonly Id[];
  readonly settings: GeneralConfiguration;
  /** Modules that are on and have ended: their records are read, not written. */
  readonly lapsed?: readonly ModuleName[];
  readonly today: Day;
  /** The server's clock, in milliseconds since 1970. */
  readonly now: number;
  /** The Idempotency-Key, with the digest of call and body. */
  readonly key: string | undefined;
  readonly digest: Buffer | undefined;
  /** The session's own digest, for calls about the session itself. */
  readonly session: Buffer;
  /** Whether the person may do this with documents of a kind: for what an answer shows. It is the engine that refuses. */
  may(action: Action, kind: string): boolean;
  /** Refuses what the rule of the call does not allow with a row as it is now: for rows that change between check and work. */
  still(name: RowName, row: Row): void;
  /** Refuses who may not do what the rule of the call asks for in this case. */
  require(name: Case): void;
  /** On a few screens that everyone may open, a user without a grant sees only their own rows. */
  sees(what: Shown): 'all' | 'own';
  /** The name of the access token, when a program makes the call. */
  readonly token?: string | undefined;
  /** One transaction that sees only this organisation and names this user in the edit log. */
  inTransaction<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
}
