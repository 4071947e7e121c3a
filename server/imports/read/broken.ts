import type { Said } from '../../../domain/base/say.ts';

/** A file that cannot be read, with what to do about it. */
export class BrokenFile extends Error {
  readonly said: Said;
  constructor(said: Said) {
    super(said.message);
    this.said = said;
  }
}

/** A row of a file by its number there. */
export interface FileRow {
  readonly row: number;
  readonly cells: readonly string[];
}
