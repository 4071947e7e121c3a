import { z } from 'zod';
import { operation } from './contract.ts';
import { importStates, MOST_CELLS, MOST_IMPORTED, PIECE, rowOutcomes } from './import-steps.ts';
import { id, required, said, whole } from './wire.ts';

const target = z.string().max(100).nullable();
const importView = z.object({
  id,
  master: z.string(),
  name: z.string(),
  pasted: z.boolean(),
  state: z.enum(importStates),
  version: z.int(),
  size: z.int(),
  headings: z.array(z.string()),
  /** The first values of each column. */
  samples: z.array(z.array(z.string())),
  /** The target of each column; null: it is not imported. */
  columns: z.array(target),
  remembered: z.boolean(),
  existing: z.enum(['keep', 'change']),
  rows: z.int(),
  /** Rows that are done in this state. */
  done: z.int(),
  counts: z.record(z.string(), z.int()),
  /** Rows that are imported only with a reason. */
  asks: z.int(),
  problem: z.object(said).nullable(),
  by: z.string(),
  at: z.string(),
  endedAt: z.string().nullable(),
});
const importRow = z.object({
  row: z.int(),
  cells: z.array(z.string()),
  mended: z.boolean(),
  outcome: z.enum(rowOutcomes).nullable(),
  problems: z.array(z.object({ target, ...said })),
});
const file = z.object({ name: z.string(), type: z.string(), content: z.string() });
const which = { master: z.string(), id };
const format = z.enum(['csv', 'xlsx']);

/** The service `imports`: records from files, in steps that can be left and taken up again. */
export const importCalls = {
  GetImportTemplate: operation({
    service: 'imports',
    method: 'GET',
    load: 'export',
    summary: 'An empty sheet for a master, with the headings of its fields and an example',
    input: z.object({ master: z.string(), format }),
    details: file,
  }),
  ExportMaster: operation({
    service: 'imports',
    method: 'GET',
    load: 'export',
    summary: 'Every record of a master, in the form that an import takes',
    input: z.object({ master: z.string(), format }),
    details: file,
  }),
  ListImports: operation({
    service: 'imports',
    method: 'GET',
    summary: 'A page of the imports that were begun, the latest first',
    input: z.object({ after: id.optional() }),
    details: z.object({ rows: z.array(importView), after: id.nullable() }),
  }),
  BeginImport: operation({
    service: 'imports',
    method: 'POST',
    changes: 'nothing',
    summary: 'Begins an import and answers its id; the file follows in pieces',
    input: z.object({
      master: z.string(),
      name: required(200, 'Name'),
      size: z.int().min(1, 'The file is empty').max(MOST_IMPORTED, 'The file is larger than 200 MB'),
      pasted: z.boolean().default(false),
    }),
    details: importView,
  }),
  SendImportPiece: operation({
    service: 'imports',
    method: 'POST',
    changes: 'nothing',
    load: 'file',
    summary: 'A piece of the file, in base64; the same piece again changes nothing',
    input: z.object({
      ...which,
      part: z
        .int()
        .min(1)
        .max(MOST_IMPORTED / 1024),
      content: z.base64().max(PIECE * 2),
    }),
    details: z.object({ received: z.int() }),
  }),
  ReadImport: operation({
    service: 'imports',
    method: 'POST',
    changes: 'nothing',
    summary: 'The file is complete: its rows are read and its columns recognised',
    input: z.object(which),
    details: importView,
  }),
  GetImport: operation({
    service: 'imports',
    method: 'GET',
    summary: 'An import, how far it is, and what has come of it',
    input: z.object(which),
    details: importView,
  }),
  MapImport: operation({
    service: 'imports',
    method: 'POST',
    changes: 'nothing',
    summary: 'Says what the columns mean, which is remembered for files with these headings, and checks every row',
    input: z.object({
      ...which,
      version: z.int(),
      columns: z.array(target).max(MOST_CELLS),
      existing: z.enum(['keep', 'change']),
    }),
    details: importView,
  }),
  ListImportRows: operation({
    service: 'imports',
    method: 'GET',
    summary: 'A page of the rows of an import, those of one outcome or all',
    input: z.object({ ...which, outcome: z.enum(rowOutcomes).optional(), after: whole.optional() }),
    details: z.object({ rows: z.array(importRow), after: z.int().nullable() }),
  }),
  MendImportRow: operation({
    service: 'imports',
    method: 'POST',
    changes: 'nothing',
    summary: 'Changes cells of a row before it is imported, and checks it again',
    input: z.object({ ...which, row: z.int().min(1), cells: z.array(z.string().max(10_000)).max(MOST_CELLS) }),
    details: z.object({ row: importRow, counts: z.record(z.string(), z.int()), asks: z.int() }),
  }),
  RunImport: operation({
    service: 'imports',
    method: 'POST',
    summary:
      'Imports the rows that were checked, or goes on where it was paused; one reason for all rows that need one',
    input: z.object({ ...which, reason: z.string().max(200).optional() }),
    details: importView,
  }),
  StopImport: operation({
    service: 'imports',
    method: 'POST',
    summary: 'Pauses an import after the piece it is at, or ends it: what it has imported stays',
    input: z.object({ ...which, how: z.enum(['pause', 'cancel']) }),
    details: importView,
  }),
  GetRefusedRows: operation({
    service: 'imports',
    method: 'GET',
    load: 'export',
    summary: 'The rows that were refused, with the reasons, as a file that can be mended and imported',
    input: z.object(which),
    details: file,
  }),
  UndoImport: operation({
    service: 'imports',
    method: 'POST',
    summary: 'Takes back what an import has added and changed, where nothing has used or changed it since',
    input: z.object(which),
    details: importView,
  }),
} as const;
