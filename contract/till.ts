import { z } from 'zod';
import { priceListScopes } from '../domain/items/item-price.ts';
import { denominations, priceSources } from '../domain/till/till.ts';
import { operation } from './contract.ts';
import { acceptedWarnings, cancelling, freed, warningView } from './documents.ts';
import { chosen, day, decimalText, id, money, required, text, whole, withPeriod } from './wire.ts';

const known = new Set(denominations.map(String));
/** How many there are of each note and coin, by its value in rupees. */
const count = z
  .record(
    z.string(),
    whole.refine((n) => n >= 0 && n <= 1_000_000, 'A count is not negative'),
  )
  .refine((all) => Object.keys(all).every((key) => known.has(key)), 'There is no such note or coin');

/** A session as lists show it. */
/** Numbers that were given at a till and whose bill is not in the books. */
const setDown = z.object({
  series: id,
  period: z.string(),
  counter: z.int(),
  number: z.string(),
  date: z.string(),
  state: z.enum(['awaited', 'refused', 'void']),
  reason: z.string(),
  at: z.string(),
  by: z.string(),
});
const session = z.object({
  id,
  opened: z.string(),
  openedBy: z.string(),
  closed: z.string().nullable(),
  closedBy: z.string().nullable(),
  bills: z.int(),
  total: decimalText,
  difference: decimalText.nullable(),
});
export const tillView = z.object({
  id,
  code: z.string(),
  name: z.string(),
  location: id,
  locationName: z.string(),
  registration: id,
  /** `here`: held by the browser that asks. `held`: by some browser, which gives the numbers. */
  session: session.extend({ here: z.boolean(), held: z.boolean() }).nullable(),
  /** What the browser that holds the till goes on with: the pattern, and where its counters stand. */
  numbers: z
    .object({
      series: id,
      prefix: z.string(),
      suffix: z.string(),
      padding: z.int(),
      start: z.int(),
      reset: z.enum(['year', 'month', 'never']),
      location: z.string(),
      counters: z.array(z.object({ period: z.string(), next: z.int() })),
    })
    .nullable(),
  /** E-invoicing applies here: an invoice to a registered customer needs its IRN before it is given away. */
  einvoice: z.boolean(),
  /** The server's clock: that of the device may be wrong. */
  now: z.string(),
  seller: z.object({ legalName: z.string(), lines: z.array(z.string()) }),
  prices: z.enum(priceSources),
  discountLimit: z.string().nullable(),
  printWidth: z.enum(['80', '58']),
  upiId: z.string(),
  ledgers: z.object({ cash: id, card: id, upi: id }),
});
/** An item as a till sells it: its facts, with barcode and printed price. */
const tillItem = z.record(z.string(), z.unknown());

/** A price list without its rows, and a row of it: of an item, of a category, or of everything; from so many of the item's own unit on. */
const priceList = z.object({
  id,
  name: z.string(),
  appliesTo: z.enum(priceListScopes),
  locations: z.array(id),
  priority: z.int(),
  currency: z.string(),
  taxInclusive: z.boolean(),
  validFrom: z.string().nullable(),
  validTo: z.string().nullable(),
});
const priceRow = z.object({
  item: z.string().optional(),
  category: z.string().optional(),
  from: z.string().optional(),
  rate: z.string().optional(),
  discount: z.string().optional(),
});

/** What a session has taken so far (X), or had taken when it was closed (Z). */
export const tillFigures = z.object({
  session,
  till: z.string(),
  bills: z.int(),
  total: decimalText,
  tax: decimalText,
  discount: decimalText,
  cancelled: z.int(),
  cancelledTotal: decimalText,
  modes: z.array(z.object({ mode: z.string(), amount: decimalText })),
  onAccount: decimalText,
  opening: decimalText,
  expected: decimalText,
  counted: decimalText.nullable(),
  numbers: z.array(setDown),
  /** The first and the last bill, by their numbers. */
  first: z.string().nullable(),
  last: z.string().nullable(),
  /** What came back, and how the money went back. */
  returns: z.int(),
  returned: decimalText,
  returnedTax: decimalText,
  refunds: z.array(z.object({ mode: z.string(), amount: decimalText })),
  /** Cash that was put in or taken out beside bills, with what for. */
  cash: z.array(
    z.object({
      number: z.string(),
      direction: z.enum(['in', 'out']),
      amount: decimalText,
      reason: z.string(),
      at: z.string(),
      by: z.string(),
    }),
  ),
  cashIn: decimalText,
  cashOut: decimalText,
  openingCount: z.record(z.string(), z.int()),
  closingCount: z.record(z.string(), z.int()).nullable(),
  differenceNumber: z.string().nullable(),
});

/** Tills, in the service `transactions`: a bill is posted by PostTransactionCalls like any document. */
export const tillCalls = {
  ListTills: operation({
    service: 'transactions',
    method: 'GET',
    summary: 'The tills of the places the user may use, each with the session that is open',
    input: z.object({ ...chosen, device: id.optional() }),
    details: z.array(tillView),
  }),
  ListTillSessions: operation({
    service: 'transactions',
    method: 'GET',
    summary: 'Sessions of tills, the latest first',
    input: withPeriod({ ...chosen, FromDate: day.optional(), ToDate: day.optional() }, 'FromDate', 'ToDate'),
    details: z.array(session.extend({ till: z.string() })),
  }),
  OpenTill: operation({
    service: 'transactions',
    method: 'POST',
    summary:
      'Opens a till with the cash that is in it. A browser names itself: it then holds the till and gives the numbers of its series',
    input: z.object({ till: id, count, device: id.optional() }),
    details: z.object({ session: id }),
  }),
  TakeTill: operation({
    service: 'transactions',
    method: 'POST',
    summary:
      'Another browser takes an open till over. `last` is the last number that the one before has put on paper: ' +
      'what of it has not come in is set down as not yet received',
    input: z.object({ session: id, device: id, last: whole.optional() }),
    details: z.object({ next: z.string() }),
  }),
  AwaitTillNumbers: operation({
    service: 'transactions',
    method: 'POST',
    summary:
      'Sets the numbers before this one down as not yet received: their bills wait under another name, or are lost',
    input: z.object({ session: id, device: id, date: day, before: z.int().min(1) }),
    details: z.object({ next: z.int() }),
  }),
  VoidTillNumber: operation({
    service: 'transactions',
    method: 'POST',
    summary: 'A number whose bill will not come into the books is void, with the reason',
    input: z.object({ series: id, period: text(10), counter: z.int().min(1), reason: required(200, 'Reason') }),
    details: z.object({ number: z.string() }),
  }),
  GetTillSession: operation({
    service: 'transactions',
    method: 'GET',
    summary: 'What a session of a till has taken',
    input: z.object({ session: id }),
    details: tillFigures,
  }),
  MoveTillCash: operation({
    service: 'transactions',
    method: 'POST',
    idempotent: true,
    summary:
      'Cash is put into an open till or taken out of it, with the ledger it comes from or goes to and the reason',
    input: z.object({
      session: id,
      direction: z.enum(['in', 'out']),
      amount: money,
      ledger: id,
      reason: required(200, 'Reason'),
      accepted: acceptedWarnings.optional(),
    }),
    details: z.object({ TransactionId: id, TransactionNumber: z.string(), warnings: z.array(warningView) }),
  }),
  CloseTill: operation({
    service: 'transactions',
    method: 'POST',
    idempotent: true,
    summary:
      'Closes a till with the cash that was counted; what is short or over is posted. `expected` is the figure that was seen',
    input: z.object({ session: id, count, expected: money, accepted: acceptedWarnings.optional() }),
    details: z.object({
      difference: decimalText,
      TransactionId: id.nullable(),
      TransactionNumber: z.string().nullable(),
      warnings: z.array(warningView),
    }),
  }),
  ListTillItems: operation({
    service: 'transactions',
    method: 'GET',
    summary:
      'Active items with their prices and barcodes, for scanning without the network; with the batches and serial ' +
      'numbers that are at a place',
    input: z.object({ ...chosen, location: id.optional(), after: z.string().max(300).optional() }),
    details: z.object({ items: z.array(tillItem), after: z.string().nullable() }),
  }),
  ListTillPrices: operation({
    service: 'transactions',
    method: 'GET',
    summary:
      'The price lists of sales that apply at the tills of a place, each with its rows, for pricing without the network',
    input: z.object({ ...chosen, location: id }),
    details: z.object({
      lists: z.array(z.object({ list: priceList, rows: z.array(priceRow) })),
      categories: z.array(z.object({ id, parent: id })),
      /** Not all of them went over. */ cut: z.boolean(),
    }),
  }),
  CancelPosTransaction: operation({
    service: 'transactions',
    method: 'GET',
    changesByGet: true,
    idempotent: true,
    summary: 'Cancels a bill of a till by its mirror; in a session, its cash comes out of that till',
    input: z.object({ ...chosen, TransactionId: id, session: id.optional(), ...cancelling }),
    details: z.object({ TransactionId: id, reversal: id, freed }),
  }),
} as const;
