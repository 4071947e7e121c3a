import { z } from 'zod';
import { headFields, lineFields } from '../domain/document/fields.ts';
import { stageTones } from '../domain/workflow/definition.ts';
import { approvalView } from './approval.ts';
import { operation } from './contract.ts';
import { shapeOf } from './document-fields.ts';
import { registrationKind } from './session.ts';
import { chosen, day, decimalText, flag, id, position, said, stateCode, text, withPeriod } from './wire.ts';

const money2 = decimalText;

/** The versions of drafts that were seen, one for each id in its order; as text, joined by commas. */
export const versionsSeen = z.union([
  z.array(z.int()),
  z
    .string()
    .transform((t) => t.split(',').map(Number))
    .pipe(z.array(z.int())),
]);

/** That it is a cancellation: what was cancelled stays so. */
export const cancels = flag.refine(
  (is) => is,
  'A cancellation is not taken back: make the document again, from a copy of it',
);
/** How documents are cancelled, by every call that does so. */
export const cancelling = {
  reason: text(200).default(''),
  /**
   * Settlements are freed with it; without this a document with settlements is refused. A discount or write-off is never freed:
   * its receipt or payment is cancelled first.
   */
  frees: flag.optional(),
  /** A document whose own day is not open is reversed today. */
  today: flag.optional(),
};
/** What its settlements were: each document that has so much open again, to be settled anew. */
export const freed = z.array(z.object({ id, number: z.string(), amount: money2 }));
export const cancelled = z.array(z.object({ TransactionId: id, reversal: id, freed }));

export const draftLine = z.object(shapeOf(lineFields));

/** A document as typed. The server checks what its kind requires; the shape is one for all. */
export const draftBody = z.object(shapeOf(headFields));
export type DraftBody = z.input<typeof draftBody>;

/** Why a document is posted in spite of a warning that needs a reason, by the code of the warning: every call that posts takes it. */
export const acceptedWarnings = draftBody.shape.accepted.unwrap();
export type AcceptedWarnings = z.input<typeof acceptedWarnings>;

/** What a draft is kept with: its total is what lists show. */
export const keptBody = draftBody.extend({ total: z.string().optional() });

/** A draft in the making may lack anything; only its sizes are checked. */
export const looseDraft = z.object({
  kind: z.string(),
  id: id.optional(),
  version: z.int().optional(),
  body: z.record(z.string(), z.unknown()),
});

export const pricedView = z.object({
  supply: z.enum(['intra', 'inter', 'none']),
  supplyType: z.string(),
  taxable: money2,
  cgst: money2,
  sgst: money2,
  igst: money2,
  cess: money2,
  tcs: money2,
  tds: money2,
  roundOff: money2,
  total: money2,
  payable: money2,
  foreignTotal: money2,
  discount: money2,
  chargeTotal: money2,
  gross: money2,
  adjustments: z.array(z.object({ name: z.string(), /** Below nothing: it came off. */ amount: money2 })).optional(),
  /** Its goods have no price: the amounts are what they cost, or are thought to cost before it is posted. */
  atCost: z.enum(['cost', 'estimated']).optional(),
  /** What is charged for goods whose tax is inside their retail price (rule 31D): less or more than the taxable value. */
  charged: money2.optional(),
  /** What the goods cost in the books by now, where the paper that went out with them says something else. */
  inBooks: money2.optional(),
  /** What the goods cost when it was posted, where a back-dated movement has changed that since. */
  asPosted: money2.optional(),
  /** Value added tax abroad: rate, in rupees, and in the document's currency. */
  vat: z.object({ rate: decimalText, amount: money2, foreign: money2 }).optional(),
  lines: z.array(
    z.object({
      number: z.int(),
      taxable: money2,
      value: money2,
      cgst: money2,
      sgst: money2,
      igst: money2,
      cess: money2,
      total: money2,
    }),
  ),
});

/** Something to look at: what is posted all the same, or, where a reason is needed, once the document carries it in `accepted`. */
export const warningView = z.object({
  code: z.string(),
  field: z.string(),
  row: z.int().optional(),
  ...said,
  reason: z.literal('needed').optional(),
});

/** One row of a list: what the list shows and no more. */
export const listRow = z.object({
  id,
  kind: z.string(),
  number: z.string(),
  date: day,
  dueDate: day.nullable(),
  party: z.string(),
  status: z.string(),
  /** Null: goods without a price in a draft, which cost what they cost when they move; and where costs are hidden. */ total:
    money2.nullable(),
  open: money2.nullable(),
  /** Where goods go to that stay our own. */
  destination: z.string().nullable(),
  /** Where an order stands that goes through stages. */
  stage: z.object({ name: z.string(), colour: z.enum(stageTones) }).nullable(),
  currency: z.string(),
  einvoice: z.string().nullable(),
  reference: z.string().nullable(),
  draft: z.boolean(),
  /** Of a draft: deleting it compares it. */ version: z.int().optional(),
  additional: z.record(z.string(), z.string()),
});

/** A document with everything its view shows. */
export const documentView = z.object({
  id,
  kind: z.string(),
  number: z.string(),
  date: day,
  dueDate: day.nullable(),
  status: z.string(),
  draft: z.boolean(),
  version: z.int(),
  party: z.object({ id, name: z.string(), gstin: z.string().nullable() }).nullable(),
  location: z.object({ id, name: z.string() }),
  destination: z.object({ id, name: z.string() }).nullable(),
  registration: z.object({ id, gstin: z.string().nullable(), state: stateCode }),
  body: z.record(z.string(), z.unknown()),
  priced: pricedView.nullable(),
  /** Names of the cost centres that its head and lines name, by id. */
  costCentres: z.record(z.string(), z.string()),
  lines: z.array(
    z.object({
      number: z.int(),
      item: id.nullable(),
      sku: z.string().nullable(),
      description: z.string(),
      hsn: z.string(),
      unit: z.string(),
      quantity: decimalText,
      /** Null: hidden from who may not see costs; so are taxable and total. */ rate: decimalText.nullable(),
      gstRate: decimalText,
      taxable: money2.nullable(),
      cgst: money2,
      sgst: money2,
      igst: money2,
      cess: money2,
      total: money2.nullable(),
      openQuantity: decimalText,
      /** The stock room that its goods moved in. */
      room: z.string().nullable(),
      /** Days on which its batches are known to expire, from where they came in. */
      expiries: z.array(z.object({ batch: z.string(), expiry: day })),
      /** Why the remainder of an order's line was given up; null while it is waited for. */
      closed: z.string().nullable(),
    }),
  ),
  entries: z.array(
    z.object({
      leg: z.int(),
      ledger: id,
      code: z.string(),
      name: z.string(),
      debit: money2,
      credit: money2,
      party: z.string().nullable(),
      costCentre: z.string().nullable(),
      /** What this line left to settle by itself: the bill it stands for. */
      due: z.object({ number: z.string(), date: day, dueDate: day.nullable(), open: money2 }).nullable(),
    }),
  ),
  movements: z.array(
    z.object({
      /** Of the document. */ line: z.int(),
      item: z.string(),
      location: z.string(),
      quantity: decimalText,
      cost: money2.nullable(),
    }),
  ),
  links: z.array(
    z.object({
      id,
      kind: z.string(),
      number: z.string(),
      role: z.enum([
        'source',
        'followUp',
        'reversal',
        'allocation',
        'revision',
        'cause',
        'revises',
        'revisedBy',
        'taxOf',
        'taxPaid',
      ]),
      amount: money2.nullable(),
      /** Of a receipt or payment: its discount or write-off that would be on nothing, so that cancelling is refused. */
      allowance: money2.optional(),
    }),
  ),
  einvoice: z
    .object({
      state: z.string(),
      irn: z.string().nullable(),
      ackNo: z.string().nullable(),
      ackDate: z.string().nullable(),
      signedQr: z.string().nullable(),
      /** The stand-in has signed it, and no portal. */ pretended: z.boolean(),
      error: z.string().nullable(),
    })
    .nullable(),
  timeline: z.array(z.object({ at: z.string(), who: z.string(), what: z.string() })),
  approval: approvalView.nullable(),
  open: money2.nullable(),
  next: z.array(z.object({ action: z.string(), label: z.string(), kind: z.string().nullable() })),
  cancelled: z.object({ at: z.string(), by: z.string(), reason: z.string() }).nullable(),
  /** The ledger that the money of a draft which waits for approval moves on, by name; a posted document has entries. */
  money: z.string().nullable(),
  /** The text of the QR code that the tax abroad asks for. */
  vatQr: z.string().nullable(),
});

const one = { TransactionId: id.optional(), TransactionNumber: z.string().optional(), ...chosen };

/** The service `transactions`. */
export const documents = {
  GetTransationsList: operation({
    service: 'transactions',
    method: 'GET',
    summary: 'A page of the documents of a kind, newest first',
    input: withPeriod(
      {
        ...chosen,
        Type: z.string(),
        FromDate: day.optional(),
        ToDate: day.optional(),
        Search: z.string().max(100).optional(),
        Status: z.string().optional(),
        Stage: z.string().max(40).optional(),
        party: id.optional(),
        after: text(60)
          .refine(
            (at) => /^(\d{4}-\d{2}-\d{2}\|[0-9a-f-]{36})?$/.test(at),
            'Send what the page before has answered as after',
          )
          .optional(),
        start: position.optional(),
        end: position.optional(),
        pageNo: position.optional(),
        pagesize: position.optional(),
      },
      'FromDate',
      'ToDate',
    ).refine(({ start = 1, end }) => end === undefined || end >= start, {
      path: ['end'],
      message: 'The last row comes before the first',
    }),
    details: z.object({ rows: z.array(listRow), after: z.string().nullable() }),
  }),
  GetTransactionDetails: operation({
    service: 'transactions',
    method: 'GET',
    summary: 'A document by its number',
    input: z.object({ ...chosen, InvoiceNo: z.string(), TransactionType: z.string() }),
    details: documentView,
  }),
  GetTransactionDetailForInvoice: operation({
    service: 'transactions',
    method: 'GET',
    summary: 'A document or draft by its id, or a document by its number; both together agree',
    input: z
      .object(one)
      .refine(
        ({ TransactionId, TransactionNumber }) => TransactionId !== undefined || TransactionNumber !== undefined,
        { path: ['TransactionId'], message: 'Send the id of a document, or its number' },
      ),
    details: documentView,
  }),
  GetTaxCalculation: operation({
    service: 'transactions',
    method: 'POST',
    changes: 'nothing',
    summary: 'What a draft adds up to, with its problems; nothing is kept',
    input: z.object({
      ...chosen,
      /** Has to agree with the kind of the draft. */ isTransactionTyepIsPurchase: flag.optional(),
      /** Has to be the status of the registration on the draft's day. */ RegistrationStatus:
        registrationKind.optional(),
      draft: draftBody,
    }),
    details: z.object({
      priced: pricedView,
      problems: z.array(z.object({ field: z.string(), row: z.int().optional(), ...said })),
      warnings: z.array(warningView),
    }),
  }),
  AddTransactionDetails: operation({
    service: 'transactions',
    method: 'POST',
    changes: 'own',
    summary: 'Keeps a draft, whole or only its head',
    input: looseDraft.extend({
      /**
       * The key under which this text was sent to be posted, when no answer came: refused when it was posted, and not
       * posted any more when it was not.
       */
      attempt: z.uuid().optional(),
    }),
    details: z.object({ TransactionId: id, version: z.int() }),
  }),
  PostTransactionCalls: operation({
    service: 'transactions',
    method: 'POST',
    idempotent: true,
    summary: 'Posts a draft by its id and the version that was seen, or a whole document',
    input: z
      .object({
        TransactionId: id.optional(),
        version: z.int().optional(),
        document: draftBody.optional(),
        /** Beside those that the document has: who posts a kept draft gives them here. */
        accepted: acceptedWarnings.optional(),
      })
      .refine(({ TransactionId, document }) => TransactionId !== undefined || document !== undefined, {
        path: ['TransactionId'],
        message: 'Send the id of a draft, or a whole document',
      }),
    details: z.object({
      TransactionId: id,
      TransactionNumber: z.string(),
      /** Null: hidden from who may not see costs. */ total: money2.nullable(),
      warnings: z.array(warningView),
    }),
  }),
  CancelTransaction: operation({
    service: 'transactions',
    method: 'GET',
    changesByGet: true,
    idempotent: true,
    summary:
      'Cancels posted documents by their mirror on their own day; `frees` frees what settles them, `today` ' +
      'reverses what is on a day that is not open',
    input: z.object({
      ...chosen,
      TransactionIds: z.union([z.array(id), z.string().transform((t) => t.split(','))]),
      TransactionType: z.string(),
      IsCancel: cancels.optional(),
      ...cancelling,
    }),
    details: z.object({ cancelled }),
  }),
  DeleteMultipleTransaction: operation({
    service: 'transactions',
    method: 'GET',
    changesByGet: true,
    summary: 'Deletes drafts, all or none; `versions` are those that were seen, one for each draft in its order',
    input: z
      .object({
        ...chosen,
        TransactionIds: z.union([z.array(id), z.string().transform((t) => t.split(','))]),
        versions: versionsSeen.default([]),
      })
      .refine(({ TransactionIds, versions }) => versions.length === TransactionIds.length, {
        path: ['versions'],
        message: 'Send the version that was seen of each draft',
      }),
    details: z.object({ deleted: z.int() }),
  }),
  GetConversion: operation({
    service: 'transactions',
    method: 'GET',
    summary: 'The draft that continues or copies a document, with the quantities still open',
    input: z.object({ from: id, kind: z.string(), copy: flag.optional() }),
    details: z.object({ draft: z.record(z.string(), z.unknown()), facts: z.record(z.string(), z.unknown()) }),
  }),
  GetEditorFacts: operation({
    service: 'transactions',
    method: 'POST',
    changes: 'nothing',
    summary: 'What the editor needs of the parties, items, ledgers and cost centres that a draft names',
    input: z.object({
      parties: z.array(id).max(50),
      items: z.array(id).max(1000),
      ledgers: z.array(id).max(200),
      costCentres: z.array(id).max(200).optional(),
      location: id.optional(),
      /** With the location it says from which series the number comes. */
      registration: id.optional(),
      date: day,
      /** The kind and party say which last price and which side of the account are meant; `documents` are those that the draft names. */
      kind: z.string().optional(),
      party: id.optional(),
      documents: z.array(id).max(50).default([]),
    }),
    details: z.object({
      parties: z.array(z.record(z.string(), z.unknown())),
      items: z.array(z.record(z.string(), z.unknown())),
      ledgers: z.array(z.record(z.string(), z.unknown())),
      costCentres: z.array(z.object({ id, code: z.string(), name: z.string(), active: z.boolean() })),
      sources: z.array(z.record(z.string(), z.unknown())),
      /** Those of the documents that exist and may be seen, with what a draft has to agree with. */
      documents: z.array(z.record(z.string(), z.unknown())),
      /** Advances that the draft uses: how they were taxed, and what is left of them. */
      advances: z.array(z.record(z.string(), z.unknown())).optional(),
      /** The latest document of the series that a draft of before today takes its number from. */
      lastInSeries: z.object({ number: z.string(), date: day }).optional(),
      /** The terms printed on documents of this kind, unless others are typed. */
      terms: z.string().optional(),
      /** Charges and adjustments that have a name, with what is usual of each. */
      named: z
        .array(
          z.object({
            code: z.string(),
            name: z.string(),
            sort: z.enum(['charge', 'add', 'less']),
            ledger: id,
            ledgerName: z.string(),
            amount: z.string(),
            gstRate: z.string(),
            hsn: z.string(),
          }),
        )
        .optional(),
    }),
  }),
  GetOpenItems: operation({
    service: 'transactions',
    method: 'GET',
    summary: 'The open items of a party, receivable or payable, oldest first',
    input: z.object({ party: id, side: z.enum(['receivable', 'payable', 'customerCredit', 'supplierCredit']) }),
    details: z.array(
      z.object({
        document: id,
        line: z.int(),
        kind: z.string(),
        registration: id,
        number: z.string(),
        date: day,
        dueDate: day.nullable(),
        currency: z.string(),
        original: money2,
        open: money2,
        /** The rupees that stand on the account of the party for what is open. */
        worth: money2,
      }),
    ),
  }),
  PrintDocument: operation({
    service: 'transactions',
    method: 'GET',
    load: 'paper',
    summary: 'The document as PDF, base64',
    input: z.object({
      id,
      copy: z.enum(['original', 'duplicate', 'triplicate', 'extra']).default('original'),
      template: id.optional(),
    }),
    details: z.object({ name: z.string(), type: z.string(), content: z.string() }),
  }),
  PreviewPaper: operation({
    service: 'transactions',
    method: 'POST',
    changes: 'nothing',
    load: 'paper',
    summary: 'An invented invoice on the paper of a template as it is being typed, base64',
    input: z.object({ values: z.record(z.string(), z.unknown()) }),
    details: z.object({ name: z.string(), type: z.string(), content: z.string() }),
  }),
  DocSeriesValidations: operation({
    service: 'transactions',
    method: 'GET',
    summary: 'The number a document of this kind would get next',
    input: z.object({ ...chosen, Type: z.string(), registration: id.optional(), date: day.optional() }),
    details: z.object({ next: z.string().nullable(), problems: z.array(z.string()) }),
  }),
} as const;
