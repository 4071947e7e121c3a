import { z } from 'zod';
import { operation } from './contract.ts';
import { acceptedWarnings, warningView } from './documents.ts';
import { chosen, day, flag, id, money, quantity, required, text, unitRate } from './wire.ts';

/** Where a count stands: `posting` is approved, and the last of its adjustments is still to be posted. */
export const countStates = ['counting', 'posting', 'posted', 'dropped'] as const;

export const countSheet = z.object({
  id,
  version: z.int(),
  number: z.string(),
  name: z.string(),
  location: id,
  locationName: z.string(),
  room: id.nullable(),
  roomName: z.string().nullable(),
  categoryName: z.string().nullable(),
  blind: z.boolean(),
  state: z.enum(countStates),
  round: z.int(),
  lines: z.int(),
  counted: z.int(),
  author: z.string(),
  createdAt: z.string(),
  endedBy: z.string().nullable(),
  endedAt: z.string().nullable(),
  remark: z.string(),
  /** What it posted, by reason. */
  documents: z.array(z.object({ id, kind: z.string(), number: z.string(), reason: z.string() })),
});

const countLine = z.object({
  line: z.int(),
  item: id,
  sku: z.string(),
  name: z.string(),
  unit: z.string(),
  room: id.nullable(),
  roomName: z.string().nullable(),
  batch: z.string(),
  expiry: day.nullable(),
  batched: z.boolean(),
  serialised: z.boolean(),
  /** It is asked for in the round that runs. */
  asked: z.boolean(),
  /** Who counted how much in which round. */
  counts: z.array(
    z.object({
      by: z.string(),
      mine: z.boolean(),
      round: z.int(),
      quantity: z.string(),
      serials: z.array(z.string()),
      at: z.string(),
    }),
  ),
  counted: z.string().nullable(),
  /** What the books say and what follows from it: kept from those who count blindly. */
  books: z
    .object({
      /** When the sheet was made; when it was counted last; and by now. */
      book: z.string(),
      expected: z.string().nullable(),
      now: z.string(),
      difference: z.string().nullable(),
      missing: z.array(z.string()),
      found: z.array(z.string()),
      serials: z.array(z.string()),
      moved: z.boolean(),
      /** Entered after it was counted, with a day before: it lay there, or was gone, when it was counted. */
      late: z.string(),
      reason: z.string(),
      /** Null: hidden from who may not see costs; so is value. */ rate: z.string().nullable(),
      value: z.string().nullable(),
    })
    .nullable(),
});
export const countAnswer = z.object({
  sheet: countSheet,
  lines: z.array(countLine),
  mayEnd: z.boolean(),
  value: z.string().nullable(),
});

const which = { ...chosen, id };
const file = z.object({ name: z.string(), type: z.string(), content: z.string() });

/** Counts of the stock at a place, of the service `inventory`. */
export const countCalls = {
  ListCountSheets: operation({
    service: 'inventory',
    method: 'GET',
    summary: 'The counts, the last one first',
    input: z.object({ ...chosen, state: z.enum(countStates).optional(), search: text(100).optional() }),
    details: z.array(countSheet),
  }),
  MakeCountSheet: operation({
    service: 'inventory',
    method: 'POST',
    summary: 'Makes a count sheet of a place, or of one stock room or category of it, with what the books have by now',
    input: z.object({
      ...chosen,
      name: text(100).default(''),
      location: id,
      room: id.optional(),
      category: id.optional(),
      blind: flag.default(true),
      empty: flag.default(false),
    }),
    details: z.object({ id }),
  }),
  GetCountSheet: operation({
    service: 'inventory',
    method: 'GET',
    summary: 'A count with its lines: who counted what, and for who may end it what differs from the books',
    input: z.object(which),
    details: countAnswer,
  }),
  EnterCount: operation({
    service: 'inventory',
    method: 'POST',
    summary:
      'What I counted of a line, in one of the units of its item; `add` puts it on top of what I counted before, null takes mine back',
    input: z.object({
      ...which,
      line: z.int().positive(),
      quantity: quantity.nullable(),
      unit: text(8).optional(),
      add: flag.default(false),
      serials: z.array(required(50, 'Serial number')).max(1000).optional(),
    }),
    details: countLine,
  }),
  ScanCount: operation({
    service: 'inventory',
    method: 'POST',
    summary:
      'Counts what was scanned: a barcode, an SKU or a serial number. Where more than one line is meant it answers them and counts nothing',
    input: z.object({ ...which, code: required(100, 'Code'), quantity: quantity.optional(), room: id.optional() }),
    details: z.object({
      line: countLine.nullable(),
      choose: z.array(z.int()),
      item: z.object({ id, name: z.string(), batched: z.boolean() }).nullable(),
    }),
  }),
  AddCountLine: operation({
    service: 'inventory',
    method: 'POST',
    summary: 'Puts an item on a count that is not on it, in a room and of a batch',
    input: z.object({ ...which, item: id, room: id.optional(), batch: text(30).default(''), expiry: day.optional() }),
    details: countLine,
  }),
  CountAgain: operation({
    service: 'inventory',
    method: 'POST',
    summary: 'Has lines counted again: what is entered from now on counts alone',
    input: z.object({ ...which, version: z.int(), lines: z.array(z.int().positive()).min(1) }),
    details: countSheet,
  }),
  NoteCountLines: operation({
    service: 'inventory',
    method: 'POST',
    summary: 'Why lines differ, and what one is worth of what was found',
    input: z.object({
      ...which,
      lines: z.array(z.object({ line: z.int().positive(), reason: text(100), rate: unitRate.optional() })).max(5000),
    }),
    details: z.object({ kept: z.int() }),
  }),
  PostCountSheet: operation({
    service: 'inventory',
    method: 'POST',
    idempotent: true,
    summary:
      'Brings the books to what was counted: one adjustment for each reason. `uncounted` says what becomes of ' +
      'lines that nobody counted; `value` is what was shown before, null for who is not shown it',
    input: z.object({
      ...which,
      version: z.int(),
      date: day,
      reason: required(100, 'Reason'),
      uncounted: z.enum(['leave', 'none']),
      value: money.nullable(),
      accepted: acceptedWarnings.optional(),
    }),
    details: z.object({ documents: z.array(z.object({ id, number: z.string() })), warnings: z.array(warningView) }),
  }),
  DropCountSheet: operation({
    service: 'inventory',
    method: 'POST',
    summary: 'Gives a count up; the books stay as they are',
    input: z.object({ ...which, version: z.int(), reason: required(200, 'Reason') }),
    details: countSheet,
  }),
  PrintCountSheet: operation({
    service: 'inventory',
    method: 'GET',
    load: 'export',
    summary: 'A count as PDF: the sheet to write on, or the list of differences',
    input: z.object({ ...which, what: z.enum(['sheet', 'differences']) }),
    details: file,
  }),
} as const;
