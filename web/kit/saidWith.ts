import { type Saying, translated } from './text.ts';

/** What a call that posts says, with the warnings that came with it: they are shown in the same sentence. */
export const saidWith = (said: string, warnings: readonly Saying[]): string =>
  [said, ...warnings.map(translated)].join('. ');
