import { z } from 'zod';
import { gstinProblem } from '../domain/tax/gst/registration/gstin.ts';
import { operation } from './contract.ts';
import { chosen, day, flag, id } from './wire.ts';
import { asMessage } from './wording.ts';

const gstin = z
  .string()
  .trim()
  .toUpperCase()
  .superRefine((text, context) => {
    const problem = gstinProblem(text);
    if (problem) context.addIssue({ code: 'custom', message: asMessage(problem) });
  });
const address = z.object({
  line1: z.string(),
  line2: z.string(),
  city: z.string(),
  state: z.string(),
  pincode: z.string(),
  country: z.string(),
});

/** A registration as the portal's register has it, and when it said so. */
export const taxpayerView = z.object({
  gstin: z.string(),
  legalName: z.string(),
  tradeName: z.string(),
  state: z.string(),
  pan: z.string(),
  category: z.string(),
  kind: z.string(),
  status: z.string(),
  cancelledOn: day.nullable(),
  address,
  warnings: z.array(z.string()),
  askedOn: day,
  /** The portal does not answer now: this is what it said on that day. */
  portalAway: z.boolean(),
});

/** A party that may be the same as another, and by what. */
const why = z.array(z.enum(['gstin', 'pan', 'phone', 'name']));
const nearParty = z.object({
  id,
  code: z.string(),
  name: z.string(),
  side: z.string(),
  gstin: z.string().nullable(),
  phone: z.string(),
  city: z.string(),
  active: z.boolean(),
  version: z.int(),
  why,
});

/** The service `parties`, but for what the specification names. */
export const partyCalls = {
  GetTaxpayer: operation({
    service: 'parties',
    method: 'POST',
    changes: 'nothing',
    summary:
      'What the portal knows of a GSTIN: names, address, type and status; asked again after a day, or at once when fresh',
    input: z.object({ ...chosen, gstin, fresh: flag.default(false) }),
    details: taxpayerView,
  }),
  FindDuplicates: operation({
    service: 'parties',
    method: 'GET',
    summary: 'Parties that may be the one that is typed: same GSTIN, PAN or telephone, or nearly the same name',
    input: z.object({
      ...chosen,
      id: id.optional(),
      name: z.string().max(200).default(''),
      gstin: z.string().max(15).default(''),
      pan: z.string().max(10).default(''),
      phone: z.string().max(20).default(''),
    }),
    details: z.array(nearParty),
  }),
  ListDuplicates: operation({
    service: 'parties',
    method: 'GET',
    summary: 'Pairs of parties that may be one, some thousand parties at a time',
    input: z.object({ ...chosen, after: z.string().max(300).optional() }),
    details: z.object({
      pairs: z.array(z.object({ one: nearParty, other: nearParty, why })),
      after: z.string().nullable(),
    }),
  }),
  MergeParties: operation({
    service: 'parties',
    method: 'POST',
    summary:
      'Makes one party of two: what is open, drafts, addresses and contacts come to the one that stays; posted ' +
      'documents keep what was printed',
    input: z.object({ ...chosen, stays: id, staysVersion: z.int(), goes: id, goesVersion: z.int() }),
    details: z.object({ id, name: z.string() }),
  }),
} as const;
