import { z } from 'zod';
import { operation } from './contract.ts';
import { flag, whole } from './wire.ts';

const record = z.object({
  id: z.string(),
  version: z.int(),
  active: z.boolean(),
  values: z.record(z.string(), z.unknown()),
  names: z.record(z.string(), z.string()),
});
/** With the fields that can no longer change, each with its reason. */
export const opened = record.extend({ fixed: z.record(z.string(), z.string()), notices: z.array(z.string()) });

/** The service `masters`: one family of calls for every master. */
export const masterCalls = {
  ListMasters: operation({
    service: 'masters',
    method: 'GET',
    summary: 'A page of a master, by name',
    input: z.object({
      master: z.string(),
      search: z.string().max(100).optional(),
      after: z.string().optional(),
      limit: whole.optional(),
      retired: flag.optional(),
    }),
    details: z.object({ rows: z.array(record), after: z.string().nullable(), total: z.int().nullable() }),
  }),
  GetMaster: operation({
    service: 'masters',
    method: 'GET',
    summary: 'One record of a master',
    input: z.object({ master: z.string(), id: z.string() }),
    details: opened,
  }),
  SaveMaster: operation({
    service: 'masters',
    method: 'POST',
    summary: 'Adds or changes a record',
    input: z.object({
      master: z.string(),
      id: z.string().optional(),
      version: z.int().optional(),
      values: z.record(z.string(), z.unknown()),
    }),
    details: opened,
  }),
  RetireMaster: operation({
    service: 'masters',
    method: 'POST',
    summary: 'Deactivates, reactivates or deletes a record',
    input: z.object({ master: z.string(), id: z.string(), version: z.int(), active: z.boolean().default(false) }),
    details: z.object({ retired: z.boolean() }),
  }),
  GetHistory: operation({
    service: 'masters',
    method: 'GET',
    summary: 'Who changed a record, when, before and after',
    input: z.object({ master: z.string(), id: z.string() }),
    details: z.array(
      z.object({
        at: z.string(),
        who: z.string(),
        action: z.string(),
        changes: z.array(z.object({ field: z.string(), label: z.string(), before: z.string(), after: z.string() })),
      }),
    ),
  }),
} as const;

const cell = z.union([z.string(), z.number(), z.null()]);

/** What the page of a record shows (`contract/pages.ts`), in one call. */
export const pageCalls = {
  GetRecordPage: operation({
    service: 'masters',
    method: 'GET',
    summary: 'One record with what its page shows: figures, what is open, its last documents, its stock',
    input: z.object({ master: z.string(), id: z.string() }),
    details: z.object({
      record: opened,
      parts: z.array(z.object({ name: z.string(), rows: z.array(z.record(z.string(), cell)), more: z.boolean() })),
    }),
  }),
} as const;
