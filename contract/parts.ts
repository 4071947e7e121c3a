import { z } from 'zod';
import { operation } from './contract.ts';
import { draftBody, draftLine, pricedView } from './documents.ts';
import { chosen, id, money, required, said, text } from './wire.ts';

/** A draft in the making, as it was answered last. */
const which = { ...chosen, TransactionId: id, version: z.int() };
const kept = z.object({ TransactionId: id, version: z.int() });

/** Who the draft is for; a field that is left out is emptied. */
export const partyPart = draftBody.pick({
  party: true,
  partyName: true,
  billTo: true,
  shipTo: true,
  placeOfSupply: true,
});

/** The summary under the lines; a field that is left out is emptied. */
export const summaryPart = draftBody.pick({
  discount: true,
  charges: true,
  adjustments: true,
  tenders: true,
  tdsSection: true,
  tcsSection: true,
  narration: true,
  terms: true,
});

export const partyFields: readonly string[] = Object.keys(partyPart.shape);
export const summaryFields: readonly string[] = Object.keys(summaryPart.shape);
/** What the parts of a draft hold; all else belongs to its head. */
export const partFields: readonly string[] = ['lines', ...partyFields, ...summaryFields];

/** The figures that the caller has added up, each compared with the server's. */
export const summaryFigures = z
  .object({
    gross: money,
    discount: money,
    chargeTotal: money,
    taxable: money,
    cgst: money,
    sgst: money,
    igst: money,
    cess: money,
    tcs: money,
    tds: money,
    roundOff: money,
    total: money,
    payable: money,
  })
  .partial();

/** What became of an order: its quantities in the items' own units. */
const carriedOut = z.object({
  OrderId: id,
  number: z.string(),
  status: z.string(),
  fulfilled: z.boolean(),
  ordered: z.string(),
  carriedOut: z.string(),
  closed: z.string(),
  left: z.string(),
});
const closing = { ...chosen, TransactionId: id, lines: z.array(z.int().positive()).min(1).max(1000).optional() };

/** The specification's split of a transaction into parts, and what follows an order; all of the service `transactions`. */
export const partCalls = {
  AddtransactionItemDetails: operation({
    service: 'transactions',
    method: 'POST',
    changes: 'own',
    summary: 'Replaces the lines of a draft; only PostTransactionCalls posts it',
    input: z.object({ ...which, lines: z.array(draftLine).max(1000, 'At most 1,000 lines') }),
    details: kept,
  }),
  AddInvoicePartyMappingDetails: operation({
    service: 'transactions',
    method: 'POST',
    changes: 'own',
    summary:
      'Replaces the party of a draft with its addresses and the place of supply; only PostTransactionCalls posts it',
    input: z.object({ ...which, ...partyPart.shape }),
    details: kept,
  }),
  AddInvoiceSummaryDetails: operation({
    service: 'transactions',
    method: 'POST',
    changes: 'own',
    summary:
      'Replaces the summary of a draft, and compares its figures with those of the server: where they differ nothing is kept',
    input: z.object({ ...which, ...summaryPart.shape, figures: summaryFigures.default({}) }),
    details: kept.extend({ priced: pricedView.nullable() }),
  }),
  UpdateOrderStatus: operation({
    service: 'transactions',
    method: 'POST',
    summary:
      'Says that an order was carried out by a document posted without naming it; the state of the order follows ' +
      'from the quantities of both',
    input: z.object({
      ...chosen,
      OrderId: id,
      InvoiceId: id.optional(),
      TransactionId: id.optional(),
      Type: z.string().optional(),
    }),
    details: carriedOut,
  }),
  UpdateQuotationOnInvoiceGeneration: operation({
    service: 'transactions',
    method: 'GET',
    changesByGet: true,
    summary: 'The same for a quotation and the invoice that it led to',
    input: z.object({ ...chosen, QuoteId: id, InvoiceId: id }),
    details: carriedOut,
  }),
  VerifyOrderFulfiled: operation({
    service: 'transactions',
    method: 'GET',
    summary: 'Whether an order is carried out, and what is left of it; changes nothing',
    input: z.object({ ...chosen, OrderId: id }),
    details: carriedOut,
  }),
  CloseOrder: operation({
    service: 'transactions',
    method: 'POST',
    summary: 'Gives up what is left of an order, or of some of its lines: nothing is waited for or held any more',
    input: z.object({ ...closing, reason: required(200, 'Reason') }),
    details: carriedOut,
  }),
  ReopenOrder: operation({
    service: 'transactions',
    method: 'POST',
    summary: 'Waits again for what was given up of an order, or of some of its lines',
    input: z.object({ ...closing, reason: text(200).default('') }),
    details: carriedOut,
  }),
  TaxCalculationForOMS: operation({
    service: 'transactions',
    method: 'POST',
    changes: 'nothing',
    summary:
      'What an order adds up to with its tax: of a draft, or what is left of a posted one if it were continued today; nothing is kept',
    input: z.object({ ...chosen, OrderId: id.optional(), Type: z.string().optional(), draft: draftBody.optional() }),
    details: z.object({
      priced: pricedView,
      problems: z.array(z.object({ field: z.string(), row: z.int().optional(), ...said })),
    }),
  }),
} as const;
