import type { QueryExecutorProvider } from 'kysely';
import type { Day } from '../../domain/document.ts';

export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

/** What a query gets: the organisation, the filters as text (checked against the report's row), where to go on. */
export interface Asked {
  readonly organisation: number;
  readonly filters: Readonly<Record<string, string>>;
  readonly after: string | undefined;
  readonly today: Day;
  /** Locations the user may see; empty: all. */
  readonly locations: readonly string[];
  /** Rows a page; an export asks for all. */
  readonly limit: number;
}

export interface Answer {
  readonly rows: readonly Row[];
  readonly totals: Readonly<Record<string, string>>;
  readonly after: string | null;
  readonly notes: readonly string[];
}

export type Query = (db: QueryExecutorProvider, asked: Asked) => Promise<Answer>;
