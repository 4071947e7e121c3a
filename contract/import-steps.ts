/** Bytes that a file of an import may have, and that it may have unpacked. */
export const MOST_IMPORTED = 200 * 1024 * 1024;
/** Bytes of a file that go over in one call: in base64 they fit into the body of one. */
export const PIECE = 4 * 1024 * 1024;
/** Cells that a row may have, and rows that one import may have. */
export const MOST_CELLS = 300;
export const MOST_IMPORT_ROWS = 200_000;

/** Where an import is. In `reading`, `checking`, `importing` and `undoing` a job works on it. */
export const importStates = [
  'receiving',
  'reading',
  'mapping',
  'checking',
  'checked',
  'importing',
  'paused',
  'done',
  'cancelled',
  'failed',
  'undoing',
  'undone',
] as const;
export type ImportState = (typeof importStates)[number];
export const worksOn = (state: ImportState): boolean =>
  (['reading', 'checking', 'importing', 'undoing'] as readonly ImportState[]).includes(state);

/**
 * What becomes of a row. Before: `add`, `change`. After: `added`, `changed`, and `undone` or `stays` when the import was undone.
 * `same`: it is there as in the file; `kept`: it is there with other values and was not to be changed; `refused`: it has problems.
 */
export const rowOutcomes = ['add', 'change', 'same', 'kept', 'refused', 'added', 'changed', 'undone', 'stays'] as const;
export type RowOutcome = (typeof rowOutcomes)[number];
