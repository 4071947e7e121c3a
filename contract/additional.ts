import { z } from 'zod';
import { additionalTypes } from '../domain/document/additional.ts';
import { operation } from './contract.ts';
import { id, nothing, text } from './wire.ts';

const additionalField = z.object({
  key: z.string(),
  label: z.string(),
  type: z.enum(additionalTypes.map(([name]) => name)),
  required: z.boolean(),
  choices: z.array(z.string()).readonly(),
  inLists: z.boolean(),
  onPrint: z.boolean(),
  active: z.boolean(),
  appliesTo: z.array(z.string()).readonly(),
});

/** Calls about the fields that an organisation adds. */
export const additionalCalls = {
  GetAdditionalFields: operation({
    service: 'masters',
    method: 'GET',
    summary: 'The fields that the organisation has added to documents and masters, the retired ones too',
    input: nothing,
    details: z.array(additionalField),
  }),
  AddAddtionalFieldsContentDetails: operation({
    service: 'transactions',
    method: 'POST',
    changes: 'own',
    summary: 'Fills the additional fields of a draft',
    input: z.object({ TransactionId: id, version: z.int(), additional: z.record(z.string(), text(2000)) }),
    details: z.object({ TransactionId: id, version: z.int() }),
  }),
} as const;
