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
  /**
   * Refuses unless the user's level on one of the kind's screens allows the action; for calls that learn the kind from a row.
   * What somebody made is theirs to view.
   */
  allow(action: Action, kind: string, author?: Id): void;
  /** On a few screens that everyone may open, somebody without a grant sees only his own rows. */
  sees(what: Shown): 'all' | 'own';
  /** One transaction that sees only this organisation and names this user in the edit log. */
  inTransaction<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
}
