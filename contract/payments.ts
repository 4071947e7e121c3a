import { z } from 'zod';
import { paymentMethods } from '../domain/banking/payment-methods.ts';
import { operation } from './contract.ts';
import { chosen, decimalText, flag, id, required, text } from './wire.ts';

/**
 * What became of an event of the gateway: `waiting` for its receipt, `booked`, `stuck` it could not be booked as it stands,
 * `held` for somebody who books it, `noted` there was nothing to book.
 */
export const paymentStates = ['waiting', 'booked', 'stuck', 'held', 'noted'] as const;
const methods = z.array(z.enum(paymentMethods)).min(1, 'Choose at least one means of payment');
const paymentRow = z.object({
  id,
  at: z.string(),
  kind: z.enum(['paid', 'failed']),
  amount: decimalText,
  fee: decimalText,
  method: z.string(),
  payment: z.string(),
  state: z.enum(paymentStates),
  trouble: z.string(),
  document: z.object({ id, kind: z.string(), number: z.string() }),
  receipt: z.object({ id, number: z.string() }).nullable(),
});
const upi = z.object({ id: z.string(), link: z.string(), amount: decimalText });

/** The service `payments`: the gateway of an organisation, and money that comes through it. */
export const paymentCalls = {
  GetPaymentGateway: operation({
    service: 'payments',
    method: 'GET',
    summary: 'Which payment gateway is kept; its secrets are never returned',
    input: z.object(chosen),
    details: z.object({
      providers: z.array(z.object({ name: z.string(), label: z.string() })),
      webhook: z.string(),
      gateway: z
        .object({
          provider: z.string(),
          live: z.boolean(),
          keyId: z.string(),
          settlementLedger: id,
          ledgerName: z.string(),
          methods,
          /** A payment makes its receipt at once; else somebody books it. */ autoReceipt: z.boolean(),
          setAt: z.string(),
          lastOk: z.string().nullable(),
          lastError: z.string().nullable(),
          lastHeard: z.string().nullable(),
          /** How often each secret was set to another one. */ marks: z.record(z.string(), z.int()),
          version: z.int(),
        })
        .nullable(),
    }),
  }),
  SavePaymentGateway: operation({
    service: 'payments',
    method: 'POST',
    summary:
      'Keeps what the organisation signs in with at its payment gateway, encrypted; a secret left out stays as it is',
    input: z.object({
      ...chosen,
      provider: z.string(),
      live: flag.default(false),
      keyId: required(100, 'Key id'),
      secret: text(200).optional(),
      webhookSecret: text(200).optional(),
      settlementLedger: id,
      methods: methods.optional(),
      autoReceipt: flag.optional(),
      version: z.int().optional(),
    }),
    details: z.object({ version: z.int() }),
  }),
  TestPaymentGateway: operation({
    service: 'payments',
    method: 'POST',
    summary: 'Signs in at the payment gateway once',
    input: z.object(chosen),
    details: z.object({ ok: z.boolean(), message: z.string() }),
  }),
  GetPaymentsOfDocument: operation({
    service: 'payments',
    method: 'GET',
    summary: 'How a document can be paid (UPI, payment link) and what was paid through the gateway',
    input: z.object({ id }),
    details: z.object({
      upi: upi.nullable(),
      link: z.object({ url: z.string(), at: z.string(), by: z.string() }).nullable(),
      why: z.string(),
      payments: z.array(paymentRow),
    }),
  }),
  MakePaymentLink: operation({
    service: 'payments',
    method: 'POST',
    summary: 'Makes the link by which anyone who has it may pay the document, or answers the one there is',
    input: z.object({ id }),
    details: z.object({ url: z.string() }),
  }),
  EndPaymentLink: operation({
    service: 'payments',
    method: 'POST',
    summary: 'Takes the link of a document back: it opens nothing any more',
    input: z.object({ id }),
    details: z.object({ ended: z.boolean() }),
  }),
  ListPayments: operation({
    service: 'payments',
    method: 'GET',
    summary: 'The latest payments from the gateway, those that could not be booked first',
    input: z.object(chosen),
    details: z.array(paymentRow),
  }),
  BookPayment: operation({
    service: 'payments',
    method: 'POST',
    summary: 'Books a payment that waits for it, or again one that could not be booked',
    input: z.object({ id }),
    details: z.object({ queued: z.boolean() }),
  }),
} as const;
