import { z } from 'zod';
import { subSupplies } from '../domain/tax/gst/portal/portal-codes.ts';
import { operation } from './contract.ts';
import { chosen, day, decimalText, flag, id, required, text, whole } from './wire.ts';

/**
 * Where an e-way bill stands: `queued` to `failed` as an e-invoice; `partA` made, but the goods may not move before a vehicle is named;
 * `active`; `cancelled` at the portal; `void` its document was cancelled before it was made. Whether it has run out
 * follows from `validUntil`.
 */
export const wayStates = ['queued', 'sending', 'unclear', 'failed', 'partA', 'active', 'cancelled', 'void'] as const;

const mode = z.enum(['1', '2', '3', '4']);
/** Part B: what the goods travel with. */
const partB = {
  mode: mode.optional(),
  vehicle: text(20).optional(),
  oversized: flag.optional(),
  documentNumber: text(15).optional(),
  documentDate: day.optional(),
};
export const transport = z.object({
  distance: whole,
  transporterId: text(15).optional(),
  transporterName: text(100).optional(),
  as: z.enum(subSupplies.map(([code]) => code)).optional(),
  says: text(20).optional(),
  ...partB,
});

const shownTransport = z.object({
  distance: z.int(),
  transporterId: z.string(),
  transporterName: z.string(),
  mode: z.string(),
  vehicle: z.string(),
  oversized: z.boolean(),
  documentNumber: z.string(),
  documentDate: z.string(),
  as: z.string(),
  says: z.string(),
});
export const wayBill = z.object({
  bill: z.int(),
  route: z.enum(['irn', 'direct']),
  state: z.enum(wayStates),
  number: z.string().nullable(),
  madeAt: z.string().nullable(),
  validUntil: z.string().nullable(),
  expired: z.boolean(),
  distance: z.int().nullable(),
  transport: shownTransport,
  errorCode: z.string().nullable(),
  error: z.string().nullable(),
  attempts: z.int(),
  asked: z.string().nullable(),
  cancelReason: z.string().nullable(),
});
export const wayRow = z.object({
  id,
  kind: z.string(),
  number: z.string(),
  date: day,
  party: z.string(),
  /** Null: hidden from who may not see costs. */ total: decimalText.nullable(),
  state: z.enum(wayStates),
  bill: z.string().nullable(),
  validUntil: z.string().nullable(),
  expired: z.boolean(),
  vehicle: z.string(),
  errorCode: z.string().nullable(),
  error: z.string().nullable(),
});

const file = z.object({ name: z.string(), type: z.string(), content: z.string() });
const asked = z.object({ id, transport });
const queued = z.object({ queued: z.literal(true) });
const byNumber = z.object({ ...chosen, EWayBillNo: z.string() });

/** E-way bills, of the service `einvoice`. */
export const wayCalls = {
  GetEWayBillList: operation({
    service: 'einvoice',
    method: 'GET',
    summary: 'E-way bills, those that need action first, then the newest; and how many are in each state',
    input: z.object({
      ...chosen,
      state: z.enum(wayStates).optional(),
      search: z.string().max(100).optional(),
      after: z.string().optional(),
    }),
    details: z.object({
      rows: z.array(wayRow),
      after: z.string().nullable(),
      counts: z.partialRecord(z.enum(wayStates), z.int()),
    }),
  }),
  GetEWayBill: operation({
    service: 'einvoice',
    method: 'GET',
    summary: 'The e-way bill of a document: whether it needs one, what prevents it, and its state',
    input: z.object({ id }),
    details: z
      .object({
        needed: z.enum(['no', 'recommended', 'required']),
        reason: z.string(),
        route: z.enum(['irn', 'direct']),
        obstacle: z.string().nullable(),
        suggested: shownTransport,
        leaves: z.object({ place: z.string(), state: z.string() }),
        ways: z.array(z.object({ code: z.string(), label: z.string() })),
        bill: wayBill.nullable(),
        former: z.array(z.string()),
      })
      .nullable(),
  }),
  GetEWayBillAttempts: operation({
    service: 'einvoice',
    method: 'GET',
    summary: 'Every exchange with the portals about the e-way bills of a document, oldest first',
    input: z.object({ id }),
    details: z.array(
      z.object({
        at: z.string(),
        what: z.enum(['make', 'ask', 'vehicle', 'cancel']),
        outcome: z.enum(['accepted', 'found', 'missing', 'refused', 'unclear']),
        code: z.string().nullable(),
        message: z.string().nullable(),
        request: z.string().nullable(),
        response: z.string().nullable(),
      }),
    ),
  }),
  GenerateEWayBill: operation({
    service: 'einvoice',
    method: 'POST',
    load: 'portal',
    summary: 'Makes the e-way bill of a document from its IRN, or again with another transport',
    input: asked,
    details: queued,
  }),
  GenerateEwayBillOnly: operation({
    service: 'einvoice',
    method: 'POST',
    load: 'portal',
    summary: 'Makes the e-way bill of a document that has no IRN, or again with another transport',
    input: asked,
    details: queued,
  }),
  UpdateEWayBillVehicle: operation({
    service: 'einvoice',
    method: 'POST',
    load: 'portal',
    summary: 'Part B: names the vehicle or the transport document, for the first time or a new one',
    input: z.object({
      id,
      ...partB,
      place: required(50, 'The place'),
      state: z.string().regex(/^\d{2}$/),
      reason: z.enum(['1', '2', '3', '4']),
      remark: text(50).optional(),
    }),
    details: z.object({ validUntil: z.string().nullable() }),
  }),
  CancelEwayBills: operation({
    service: 'einvoice',
    method: 'POST',
    load: 'portal',
    summary: 'Cancels e-way bills at the portal, within 24 hours',
    input: z.object({ ids: z.array(id).min(1).max(20), reason: mode, remark: required(50, 'A remark') }),
    details: z.object({ cancelled: z.int(), left: z.array(z.object({ id, number: z.string(), why: z.string() })) }),
  }),
  GetEWayBillByteCode: operation({
    service: 'einvoice',
    method: 'GET',
    load: 'paper',
    summary: 'An e-way bill as PDF, with its goods',
    input: byNumber,
    details: file,
  }),
  GetEWayBillOnlyByteCode: operation({
    service: 'einvoice',
    method: 'GET',
    load: 'paper',
    summary: 'An e-way bill as PDF on one page, without the list of goods',
    input: byNumber,
    details: file,
  }),
} as const;
