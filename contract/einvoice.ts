import { z } from 'zod';
import { operation } from './contract.ts';
import { chosen, day, decimalText, id, required, text } from './wire.ts';

/**
 * Where an e-invoice stands: `queued` not sent yet, `sending` on its way, `unclear` sent and no answer (asked for before it is sent again),
 * `failed` refused by the portal, `registered`, `cancelled` at the portal, `void` its document was cancelled before it was sent.
 */
export const einvoiceStates = ['queued', 'sending', 'unclear', 'failed', 'registered', 'cancelled', 'void'] as const;

export const einvoiceRow = z.object({
  id,
  kind: z.string(),
  number: z.string(),
  date: day,
  party: z.string(),
  /** Null: hidden from who may not see costs. */ total: decimalText.nullable(),
  state: z.enum(einvoiceStates),
  irn: z.string().nullable(),
  ackNo: z.string().nullable(),
  ackDate: z.string().nullable(),
  errorCode: z.string().nullable(),
  error: z.string().nullable(),
  attempts: z.int(),
  /** False when it is registered and its signed copy was never received. */ signed: z.boolean(),
});

const file = z.object({ name: z.string(), type: z.string(), content: z.string() });

/** The services `einvoice`, and what of `transactions` speaks to the portal. */
export const einvoiceCalls = {
  GetEInvoiceList: operation({
    service: 'einvoice',
    method: 'GET',
    summary:
      'E-invoices, newest first, and how many are in each state; without a state, failed and unclear ones come first',
    input: z.object({
      ...chosen,
      state: z.enum(einvoiceStates).optional(),
      search: z.string().max(100).optional(),
      after: z.string().optional(),
    }),
    details: z.object({
      rows: z.array(einvoiceRow),
      after: z.string().nullable(),
      counts: z.partialRecord(z.enum(einvoiceStates), z.int()),
    }),
  }),
  GetEInvoiceAttempts: operation({
    service: 'einvoice',
    method: 'GET',
    summary: 'Every attempt at the portal for one document, oldest first',
    input: z.object({ id }),
    details: z.array(
      z.object({
        at: z.string(),
        what: z.enum(['register', 'ask', 'cancel']),
        outcome: z.enum(['accepted', 'found', 'missing', 'refused', 'unclear']),
        code: z.string().nullable(),
        message: z.string().nullable(),
        request: z.string().nullable(),
        response: z.string().nullable(),
      }),
    ),
  }),
  GetEInvoiceByteCode: operation({
    service: 'einvoice',
    method: 'GET',
    load: 'paper',
    summary: 'The invoice of an IRN as PDF',
    input: z.object({ ...chosen, IrnNumber: z.string() }),
    details: file,
  }),
  GenerateIRNNumber: operation({
    service: 'transactions',
    method: 'POST',
    load: 'portal',
    summary: 'Sends documents to the portal, or again',
    input: z.object({ ids: z.array(id).min(1).max(100) }),
    details: z.object({ queued: z.int(), skipped: z.array(z.object({ id, number: z.string(), why: z.string() })) }),
  }),
  CancelIRNNumber: operation({
    service: 'transactions',
    method: 'POST',
    load: 'portal',
    summary: 'Cancels an IRN at the portal, within 24 hours',
    input: z.object({ id, reason: z.enum(['1', '2', '3', '4']), remark: required(100, 'A remark') }),
    details: z.object({ cancelledOn: z.string() }),
  }),
  AddUpdateEInvoiceCredentials: operation({
    service: 'einvoice',
    method: 'POST',
    summary: 'Keeps the portal credentials of a registration, encrypted; a secret left out stays as it is',
    input: z.object({
      registration: id,
      clientId: required(100, 'Client id'),
      clientSecret: text(200).optional(),
      userName: required(100, 'User name'),
      password: text(200).optional(),
      version: z.int().optional(),
    }),
    details: z.object({ version: z.int() }),
  }),
  GetEInvoiceClientCredentails: operation({
    service: 'einvoice',
    method: 'GET',
    summary: 'Which credentials are kept; secrets are never returned',
    input: z.object(chosen),
    details: z.array(
      z.object({
        registration: id,
        gstin: z.string(),
        legalName: z.string(),
        einvoice: z.boolean(),
        clientId: z.string(),
        userName: z.string(),
        setAt: z.string().nullable(),
        lastOk: z.string().nullable(),
        lastError: z.string().nullable(),
        version: z.int(),
        /** How often each secret was set to another one. */ marks: z.record(z.string(), z.int()),
      }),
    ),
  }),
  TestEInvoiceCredentials: operation({
    service: 'einvoice',
    method: 'POST',
    load: 'portal',
    summary: 'Signs in at the portal once',
    input: z.object({ registration: id }),
    details: z.object({ ok: z.boolean(), message: z.string() }),
  }),
} as const;
