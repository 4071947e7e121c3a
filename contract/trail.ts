import { z } from 'zod';
import { operation } from './contract.ts';
import { whole } from './wire.ts';

/** The newest row there is. */
const end = z.object({ sequence: z.int(), seal: z.string(), at: z.string() }).nullable();

/** The edit log as its customer takes it away. */
export const trailCalls = {
  GetEditLogEnd: operation({
    service: 'organisation',
    method: 'GET',
    summary: 'The newest seal of the edit log, to be noted elsewhere',
    input: z.object({}),
    details: z.object({ end }),
  }),
  ExportEditLog: operation({
    service: 'organisation',
    method: 'GET',
    load: 'export',
    securityEvent: 'exported',
    summary: 'The sealed edit log from a sequence on: the text of each row as it was digested, with its seal',
    input: z.object({ after: whole.default(0), limit: whole.default(500) }),
    details: z.object({
      /** The seal that the first row continues; empty at the beginning. */
      previous: z.string(),
      rows: z.array(
        z.object({ sequence: z.int(), log: z.string(), document: z.string().nullable(), seal: z.string() }),
      ),
      end,
      /** With the first page: what was signed of the chain outside the database, and the key that opens the signatures. */
      checkpoints: z.object({ publicKey: z.string(), lines: z.array(z.string()) }).nullable(),
    }),
  }),
} as const;
