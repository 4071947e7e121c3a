import type { Problem } from '../../domain/document/document.ts';

/** Input that cannot be kept or posted: each problem is shown at its field. */
export class Problems extends Error {
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]) {
    super('There are problems to mend');
    this.problems = problems;
  }
}
