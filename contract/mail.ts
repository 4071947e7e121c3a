import { z } from 'zod';
import { operation } from './contract.ts';
import { chosen, id, required, text } from './wire.ts';

/** Most addresses in each of To and Cc, and most documents of one mail. */
export const MOST_ADDRESSES = 20;

const address = z
  .email({
    error: ({ input }) =>
      input === '' ? 'Give an e-mail address' : `${String(input).slice(0, 100)} is not an e-mail address`,
  })
  .max(254, 'An e-mail address has at most 254 characters');
export const addresses = z.array(address).max(MOST_ADDRESSES, `At most ${MOST_ADDRESSES} addresses`);
/** A header of a mail is one line. */
export const subject = required(200, 'A subject').refine((t) => !t.includes('\n'), 'A subject is one line');

const mail = z.object({
  id,
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  message: z.string(),
  state: z.enum(['queued', 'sent', 'failed']),
  attempts: z.int(),
  error: z.string().nullable(),
  at: z.string(),
  by: z.string(),
  sentAt: z.string().nullable(),
  replaced: z.boolean(),
  papers: z.array(z.object({ document: id, name: z.string(), kept: z.boolean() })),
});

/** Mails of documents, in the service `transactions`. */
export const mailCalls = {
  SendInvoiceInMail: operation({
    service: 'transactions',
    method: 'POST',
    idempotent: true,
    summary: 'Mails documents with their PDFs; `again` names the mail that this one replaces or repeats',
    input: z.object({
      ...chosen,
      TransactionIds: z.array(id).min(1, 'Choose a document').max(MOST_ADDRESSES),
      to: addresses.min(1, 'Give an e-mail address'),
      cc: addresses.default([]),
      subject,
      message: text(10_000).default(''),
      again: id.optional(),
    }),
    details: z.object({ mail: id }),
  }),
  ListMails: operation({
    service: 'transactions',
    method: 'GET',
    summary: 'The mails of a document, newest first; whom it would go to, and whether this installation can mail',
    input: z.object({ document: id }),
    details: z.object({
      possible: z.boolean(),
      to: z.array(z.string()),
      mails: z.array(mail),
      /** Everybody of the party who has an address, the party itself first; the first one is proposed. */
      contacts: z.array(z.object({ name: z.string(), role: z.string(), email: z.string() })),
    }),
  }),
  GetMailedPaper: operation({
    service: 'transactions',
    method: 'GET',
    summary: 'The PDF of a document as it was mailed, base64',
    input: z.object({ mail: id, document: id }),
    details: z.object({ name: z.string(), type: z.string(), content: z.string() }),
  }),
} as const;
