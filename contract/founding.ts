import { z } from 'zod';
import { businessNames } from '../domain/facts/businesses.ts';
import { pincodeFits } from '../domain/tax/gst/portal/pincodes.ts';
import { gstinProblem, stateOfGstin } from '../domain/tax/gst/registration/gstin.ts';
import { ownStates, stateName } from '../domain/tax/gst/registration/states.ts';
import { operation } from './contract.ts';
import { id, nothing, required } from './wire.ts';

/** An organisation with its first registration, as typed. */
export const founding = z.object({
  name: required(200, 'The name of the business'),
  code: required(20, 'A short code')
    .transform((text) => text.toUpperCase())
    .refine(
      (text) => /^[A-Z][A-Z0-9]{1,19}$/.test(text),
      'A code has 2 to 20 letters and digits and begins with a letter',
    ),
  /** Its menu, first settings and steps of the set-up follow from it. */
  business: z.enum(businessNames).default('trader'),
  gstin: z
    .string()
    .default('')
    .transform((text) => text.trim().toUpperCase())
    .refine((text) => text === '' || gstinProblem(text) === undefined, {
      error: (issue) => gstinProblem(String(issue.input)) ?? '',
    }),
  kind: z.enum(['regular', 'composition', 'sez']).default('regular'),
  einvoice: z.boolean().default(false),
  /** With a GSTIN it follows. */
  state: z
    .string()
    .default('')
    .refine((text) => text === '' || ownStates.some(({ code }) => code === text), 'Choose a state'),
  line1: required(100, 'The first line of the address'),
  city: required(50, 'The city'),
  pincode: z
    .string()
    .default('')
    .transform((text) => text.trim())
    .refine((text) => /^[1-9]\d{5}$/.test(text), 'A PIN code has six digits'),
});

type Placed = Pick<z.output<typeof founding>, 'gstin' | 'state' | 'pincode'>;
const stateOf = ({ gstin, state }: Placed): string => (gstin ? stateOfGstin(gstin) : state);
/** Its PIN code is one of its state: rule 46(a) wants the supplier's address, and the invoice portal refuses another. */
export const inItsState = <S extends z.ZodType<Placed>>(shape: S): S =>
  shape.refine((typed) => stateName(stateOf(typed)) === undefined || pincodeFits(typed.pincode, stateOf(typed)), {
    path: ['pincode'],
    error: ({ input }) => {
      const typed = input as Placed;
      const where = stateName(stateOf(typed)) ?? 'this state';
      return `PIN code ${typed.pincode} is not in ${where}: correct it, or the ${typed.gstin ? 'GSTIN' : 'state'}`;
    },
  });

/** Somebody else whom the operator makes its owner. */
const owner = z.object({
  ownerName: z.string().max(100).default(''),
  ownerEmail: z
    .string()
    .default('')
    .transform((text) => text.trim())
    .pipe(z.union([z.literal(''), z.email('This is not an e-mail address')])),
});

export const foundingCalls = {
  FoundOrganisation: operation({
    service: 'organisation',
    method: 'POST',
    changes: 'own',
    summary:
      'Makes a further organisation with its first registration; its owner is the user who asks, unless an operator names another',
    input: inItsState(founding.extend(owner.shape)),
    details: z.object({
      code: z.string(),
      name: z.string(),
      /** For an owner who has no way in yet: a link to be handed over. */
      link: z.string().nullable(),
    }),
  }),
  ListOrganisations: operation({
    service: 'operator',
    method: 'GET',
    summary: 'Every organisation of this installation, for the operator',
    input: nothing,
    details: z.array(z.object({ code: z.string(), name: z.string(), users: z.int() })),
  }),
  ListOperators: operation({
    service: 'operator',
    method: 'GET',
    summary: 'Who runs this installation',
    input: nothing,
    details: z.array(z.object({ person: id, name: z.string(), email: z.string() })),
  }),
  GiveOperator: operation({
    service: 'operator',
    method: 'POST',
    changes: 'own',
    summary: 'Makes somebody who signs in here an operator',
    input: z.object({ email: required(254, 'The e-mail address') }),
    details: nothing,
  }),
  TakeOperator: operation({
    service: 'operator',
    method: 'POST',
    changes: 'own',
    summary: "Takes an operator's right; the last one stays",
    input: z.object({ person: id }),
    details: nothing,
  }),
} as const;
