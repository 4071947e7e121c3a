import { z } from 'zod';
import { operation } from './contract.ts';
import { id, nothing, required, text } from './wire.ts';

/** What people wrote and put beside a document. */
export const beside = z.object({
  comments: z.array(z.object({ number: z.int(), text: z.string(), by: z.string(), at: z.string() })),
  files: z.array(
    z.object({ number: z.int(), name: z.string(), type: z.string(), size: z.int(), by: z.string(), at: z.string() }),
  ),
});
/** Files of a customer, a supplier or an item; `record` has the file, another one where parties were merged. */
export const recordFiles = z.array(
  z.object({
    record: id,
    number: z.int(),
    name: z.string(),
    type: z.string(),
    size: z.int(),
    by: z.string(),
    at: z.string(),
  }),
);
const record = { master: z.string(), id: z.string() };
const list = z.string().max(100);
const views = z.array(z.object({ name: z.string(), query: z.record(z.string(), z.string()) }));

/** Comments and files beside a document, of the service `transactions`; views of lists, of the service `session`. */
export const besideCalls = {
  GetBeside: operation({
    service: 'transactions',
    method: 'GET',
    summary: 'Comments and attachments of a document',
    input: z.object({ id }),
    details: beside,
  }),
  AddComment: operation({
    service: 'transactions',
    method: 'POST',
    summary: 'Adds a comment to a document; it cannot be removed',
    input: z.object({ id, text: text(2000).refine((t) => t.length > 0, 'Write something') }),
    details: beside,
  }),
  AttachFile: operation({
    service: 'transactions',
    method: 'POST',
    load: 'file',
    summary: 'Attaches a file to a document: PDF, picture, spreadsheet, document or plain text, base64',
    input: z.object({ id, name: required(150, 'Name'), content: z.string().max(11_500_000) }),
    details: beside,
  }),
  GetAttachment: operation({
    service: 'transactions',
    method: 'GET',
    summary: 'An attachment of a document, base64',
    input: z.object({ id, number: z.coerce.number().pipe(z.int()) }),
    details: z.object({ name: z.string(), type: z.string(), content: z.string() }),
  }),
  RemoveAttachment: operation({
    service: 'transactions',
    method: 'POST',
    summary: 'Takes a file away from a document; the edit log keeps who did',
    input: z.object({ id, number: z.int() }),
    details: beside,
  }),
  GetRecordFiles: operation({
    service: 'masters',
    method: 'GET',
    summary: 'The files of a customer, a supplier or an item',
    input: z.object(record),
    details: recordFiles,
  }),
  AttachToRecord: operation({
    service: 'masters',
    method: 'POST',
    load: 'file',
    summary: 'Attaches a file to a customer, a supplier or an item: of the types that documents take, base64',
    input: z.object({ ...record, name: required(150, 'Name'), content: z.string().max(11_500_000) }),
    details: recordFiles,
  }),
  GetRecordFile: operation({
    service: 'masters',
    method: 'GET',
    summary: 'A file of a record, base64',
    input: z.object({ ...record, number: z.coerce.number().pipe(z.int()) }),
    details: z.object({ name: z.string(), type: z.string(), content: z.string() }),
  }),
  RemoveRecordFile: operation({
    service: 'masters',
    method: 'POST',
    summary: 'Takes a file away from a record; the edit log keeps who did',
    input: z.object({ ...record, number: z.int() }),
    details: recordFiles,
  }),
  GetSavedViews: operation({
    service: 'session',
    method: 'GET',
    summary: 'The views of a list that the user has saved, by name',
    input: z.object({ list }),
    details: views,
  }),
  SaveView: operation({
    service: 'session',
    method: 'POST',
    changes: 'own',
    summary: 'Keeps what a list is set to under a name',
    input: z.object({ list, name: required(60, 'Name'), query: z.record(z.string().max(40), z.string().max(200)) }),
    details: views,
  }),
  RemoveView: operation({
    service: 'session',
    method: 'POST',
    changes: 'own',
    summary: 'Forgets a view of a list',
    input: z.object({ list, name: z.string() }),
    details: nothing,
  }),
} as const;
