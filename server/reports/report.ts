import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import type { GeneralConfiguration } from '../../contract/session.ts';
import type { Said } from '../../domain/base/say.ts';
import type { Day, Id } from '../../domain/document/document.ts';

export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

/** What a query gets: the organisation, the filters as text (checked against the report's row), where to go on. */
export interface Asked {
  readonly organisation: number;
  readonly filters: Readonly<Record<string, string>>;
  readonly after: string | undefined;
  readonly today: Day;
  /** The location asked for, or all that the user may see; empty: every one. */
  readonly places: readonly string[];
  /** All locations that the user may see; empty: every one. What another location settles is not named. */
  readonly locations?: readonly string[];
  /** The user sees only their own postings. */
  readonly author?: Id;
  /** Kinds whose entries may say what goods cost, where the user does not see all costs; left out: they do. */
  readonly tells?: readonly string[];
  readonly settings: GeneralConfiguration;
  /** Rows a page; an export asks for all. */
  readonly limit: number;
}

export interface Answer {
  readonly rows: readonly Row[];
  readonly totals: Readonly<Record<string, string>>;
  readonly after: string | null;
  readonly notes: readonly string[];
  /** Whom or what it is about: stands over its files. */
  readonly about?: string;
  /** Why there is no such report, where there is none: it cannot be exported either. */
  readonly none?: Said;
}

/** A condition that a column of locations is among those asked for. */
export const among = (column: string, places: readonly string[]): RawBuilder<boolean> =>
  places.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = any(${[...places]}::uuid[])`;

export type Query = (db: QueryExecutorProvider, asked: Asked) => Promise<Answer>;
