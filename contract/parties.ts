// biome-ignore-all format: a table reads best with a row on a line
import { z } from 'zod';
import { gstinProblem } from '../domain/gst/gstin.ts';
import { operation } from './contract.ts';
import { chosen, day, flag } from './wire.ts';

const gstin = z.string().trim().toUpperCase().superRefine((text, context) => {
  const problem = gstinProblem(text);
  if (problem) context.addIssue({ code: 'custom', message: problem });
});
const address = z.object({ line1: z.string(), line2: z.string(), city: z.string(), state: z.string(), pincode: z.string(), country: z.string() });

/** A registration as the portal's register has it, and when it said so. */
export const taxpayerView = z.object({
  gstin: z.string(), legalName: z.string(), tradeName: z.string(), state: z.string(), pan: z.string(), category: z.string(), kind: z.string(), status: z.string(), cancelledOn: day.nullable(), address,
  warnings: z.array(z.string()), askedOn: day,
  /** The portal does not answer now: this is what it said on that day. */
  portalAway: z.boolean(),
});

/** The service `parties`, but for what the specification names. */
export const partyCalls = {
  GetTaxpayer: operation({
    service: 'parties', method: 'POST', changes: 'nothing', summary: 'What the portal knows of a GSTIN: names, address, type and status; asked again after a day, or at once when fresh',
    input: z.object({ ...chosen, gstin, fresh: flag.default(false) }), details: taxpayerView,
  }),
} as const;
