import { z } from 'zod';
import { operation } from './contract.ts';
import { guideStepNames } from './guide.ts';
import { chosen, id, nothing } from './wire.ts';

// Apart from the steps, which pages fetch without the schemas.

const stepName = z.enum(guideStepNames);
/** Its mark is kept for the organisation: skipped, or done where the books keep no record of it. */
const mark = z.enum(['skipped', 'done']);

export const guideCalls = {
  GetSetUp: operation({
    service: 'organisation',
    method: 'GET',
    summary: 'The steps that set a new organisation up, and which of them are done or skipped',
    input: z.object(chosen),
    details: z.object({
      steps: z.array(z.object({ step: stepName, state: z.enum(['open', 'done', 'skipped']) })),
      /** The last sale, which is printed; null: nothing is sold yet. */
      sale: z.object({ id, kind: z.string() }).nullable(),
    }),
  }),
  MarkSetUpStep: operation({
    service: 'organisation',
    method: 'POST',
    summary:
      'Skips a step of the set-up, marks one as done that leaves no trace in the books, or takes the mark away (null)',
    input: z.object({ step: stepName, mark: mark.nullable() }),
    details: nothing,
  }),
} as const;
