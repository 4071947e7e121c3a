// biome-ignore-all format: a table reads best with a row on a line
import { z } from 'zod';
import { denominations, priceSources } from '../domain/till.ts';
import { operation } from './contract.ts';
import { chosen, day, decimalText, id, money, text, whole } from './wire.ts';

const known = new Set(denominations.map(String));
/** How many there are of each note and coin, by its value in rupees. */
const count = z.record(z.string(), whole.refine((n) => n >= 0 && n <= 1_000_000, 'A count is not negative')).refine((all) => Object.keys(all).every((key) => known.has(key)), 'There is no such note or coin');

/** A session as lists show it. */
const session = z.object({ id, opened: z.string(), openedBy: z.string(), closed: z.string().nullable(), closedBy: z.string().nullable(), bills: z.int(), total: decimalText, difference: decimalText.nullable() });
export const tillView = z.object({
  id, code: z.string(), name: z.string(), location: id, locationName: z.string(), registration: id, session: session.nullable(),
  seller: z.object({ legalName: z.string(), lines: z.array(z.string()) }), prices: z.enum(priceSources), discountLimit: z.string().nullable(), printWidth: z.enum(['80', '58']), upiId: z.string(), ledgers: z.object({ cash: id, card: id, upi: id }),
});
/** An item as a till sells it: its facts, with barcode and printed price. */
const tillItem = z.record(z.string(), z.unknown());

/** What a session has taken so far (X), or had taken when it was closed (Z). */
export const tillFigures = z.object({
  session, till: z.string(), bills: z.int(), total: decimalText, tax: decimalText, discount: decimalText, cancelled: z.int(), cancelledTotal: decimalText,
  modes: z.array(z.object({ mode: z.string(), amount: decimalText })), onAccount: decimalText, opening: decimalText, expected: decimalText, counted: decimalText.nullable(),
  openingCount: z.record(z.string(), z.int()), closingCount: z.record(z.string(), z.int()).nullable(), differenceNumber: z.string().nullable(),
});

/** Tills, in the service `transactions`: a bill is posted by PostTransactionCalls like any document. */
export const tillCalls = {
  ListTills: operation({ service: 'transactions', method: 'GET', summary: 'The tills of the places the user may use, each with the session that is open', input: z.object(chosen), details: z.array(tillView) }),
  ListTillSessions: operation({
    service: 'transactions', method: 'GET', summary: 'Sessions of tills, the latest first', input: z.object({ ...chosen, FromDate: day.optional(), ToDate: day.optional() }),
    details: z.array(session.extend({ till: z.string() })),
  }),
  OpenTill: operation({ service: 'transactions', method: 'POST', summary: 'Opens a till with the cash that is in it', input: z.object({ till: id, count }), details: z.object({ session: id }) }),
  GetTillSession: operation({ service: 'transactions', method: 'GET', summary: 'What a session of a till has taken', input: z.object({ session: id }), details: tillFigures }),
  CloseTill: operation({
    service: 'transactions', method: 'POST', idempotent: true, summary: 'Closes a till with the cash that was counted; what is short or over is posted. `expected` is the figure that was seen',
    input: z.object({ session: id, count, expected: money }), details: z.object({ difference: decimalText, TransactionId: id.nullable(), TransactionNumber: z.string().nullable() }),
  }),
  ListTillItems: operation({
    service: 'transactions', method: 'GET', summary: 'Active items with their prices and barcodes, for scanning without the network', input: z.object({ ...chosen, after: z.string().max(300).optional() }),
    details: z.object({ items: z.array(tillItem), after: z.string().nullable() }),
  }),
  CancelPosTransaction: operation({
    service: 'transactions', method: 'GET', changesByGet: true, idempotent: true, summary: 'Cancels a bill of a till by its mirror; in a session, its cash comes out of that till',
    input: z.object({ ...chosen, TransactionId: id, session: id.optional(), reason: text(200).default('') }), details: z.object({ TransactionId: id, reversal: id }),
  }),
} as const;
