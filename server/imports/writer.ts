import type { RowOutcome } from '../../contract/import-steps.ts';
import type { RowProblem } from '../../domain/imports/record.ts';
import type { Context } from '../context.ts';
import type { Trx, Values } from '../masters/index.ts';
import type { ImportRow, KeptRow } from './rows.ts';

/** A row of a file with what its columns mean. */
export interface GivenRow {
  readonly row: number;
  readonly cells: readonly string[];
}
/** What came of a row. */
export interface RowResult {
  readonly row: number;
  readonly outcome: RowOutcome;
  /** Why it is refused, or stays; of a row that is added, what a reason is asked for. */
  readonly problems: readonly RowProblem[];
  readonly record?: string;
  readonly version?: number;
  /** What the record was, when the row has changed it. */
  readonly before?: Values;
}
/** What an import is of, what its columns mean, and what was decided about it. */
export interface Mapping {
  readonly id: string;
  readonly name: string;
  readonly master: string;
  readonly columns: readonly (string | null)[];
  readonly existing: 'keep' | 'change';
  /** The reason that the person gives for what is posted only with one. */
  readonly reason: string | null;
}

/** How rows of a sort are written and taken back; everything else of an import is the same for all. */
export interface Writer {
  /** Rows of one transaction: what a kill or a pause has to wait for. */
  readonly together: number;
  /** Writes rows in a transaction; one that is refused leaves no trace, and the others go on. */
  write(trx: Trx, context: Context, mapping: Mapping, given: readonly GivenRow[]): Promise<readonly RowResult[]>;
  /** Takes rows back that were added or changed; those that belong with them may be in the answer too. */
  undo(trx: Trx, context: Context, found: ImportRow, rows: readonly KeptRow[]): Promise<readonly RowResult[]>;
}
