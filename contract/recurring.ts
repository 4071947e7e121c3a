import { z } from 'zod';
import { rhythmUnits } from '../domain/books/recurring.ts';
import { operation } from './contract.ts';
import { chosen, day, id, required, whole } from './wire.ts';

const unit = z.enum(rhythmUnits.map(([name]) => name) as [string, ...string[]]);

/** A bill that comes again, with the next days and what became of the last ones. */
export const recurringBill = z.object({
  id,
  version: z.int(),
  name: z.string(),
  kind: z.string(),
  party: z.string(),
  location: z.string(),
  total: z.string(),
  currency: z.string(),
  first: day,
  every: z.int(),
  unit,
  monthEnd: z.boolean(),
  until: day.nullable(),
  times: z.int().nullable(),
  posts: z.boolean(),
  state: z.enum(['running', 'paused', 'stopped', 'ended']),
  made: z.int(),
  turn: z.int(),
  coming: z.array(day),
  turns: z.array(
    z.object({
      turn: z.int(),
      day,
      what: z.enum(['posted', 'drafted', 'skipped']),
      document: id.nullable(),
      number: z.string().nullable(),
      problem: z.string().nullable(),
    }),
  ),
});

/** Bills that come again, in the service `transactions`. */
export const recurringCalls = {
  ListRecurringBills: operation({
    service: 'transactions',
    method: 'GET',
    summary: 'The bills that come again, the next one first',
    input: z.object(chosen),
    details: z.array(recurringBill),
  }),
  SaveRecurringBill: operation({
    service: 'transactions',
    method: 'POST',
    summary: 'Makes a posted document come again, or changes how often',
    details: recurringBill,
    input: z.object({
      ...chosen,
      id: id.optional(),
      version: z.int().optional(),
      source: id.optional(),
      name: required(100, 'Name'),
      first: day,
      every: whole,
      unit,
      monthEnd: z.boolean().default(false),
      until: day.optional(),
      times: whole.optional(),
      posts: z.boolean().default(false),
    }),
  }),
  SetRecurringBill: operation({
    service: 'transactions',
    method: 'POST',
    summary: 'Pauses, continues or stops a bill that comes again, or skips its next turn',
    details: recurringBill,
    input: z.object({ ...chosen, id, version: z.int(), to: z.enum(['paused', 'running', 'stopped', 'skipped']) }),
  }),
} as const;
