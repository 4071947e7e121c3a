import { z } from 'zod';
import { operation } from './contract.ts';
import { acceptedWarnings, cancelled, cancelling, cancels, draftLine, versionsSeen, warningView } from './documents.ts';
import { chosen, day, id, quantity, required, text } from './wire.ts';

/** What is on hand, what orders hold of it and what is free, in the item's own unit. */
const standing = z.object({
  item: id,
  sku: z.string(),
  onHand: z.string(),
  reserved: z.string(),
  available: z.string(),
});
const ids = z.union([z.array(id), z.string().transform((t) => t.split(','))]);
const part = z.object({ batch: z.string(), expiry: day.nullable(), expired: z.boolean(), quantity: z.string() });

/** The service `inventory`: stock as the books have it. Nothing here tells what goods cost. */
export const inventoryCalls = {
  CUDInventory: operation({
    service: 'inventory',
    method: 'POST',
    idempotent: true,
    summary: 'Adjusts stock: posts an inventory adjustment with its reason',
    input: z.object({
      ...chosen,
      date: day,
      registration: id,
      location: id,
      reason: required(100, 'Reason'),
      narration: text(2000).optional(),
      lines: z
        .array(
          draftLine
            .pick({ rate: true, unit: true, room: true, batches: true, serials: true })
            .extend({ item: id, delta: quantity }),
        )
        .min(1)
        .max(500),
      accepted: acceptedWarnings.optional(),
    }),
    details: z.object({ TransactionId: id, TransactionNumber: z.string(), warnings: z.array(warningView) }),
  }),
  GetInventoryQtyForTransactions: operation({
    service: 'inventory',
    method: 'GET',
    summary: 'What is on hand and free of an item, at a location or all',
    input: z.object({ ...chosen, item: id, location: id.optional() }),
    details: standing,
  }),
  GetInventoryQtyListForTransactionsSP: operation({
    service: 'inventory',
    method: 'POST',
    changes: 'nothing',
    summary: 'The same of many items',
    input: z.object({ ...chosen, items: z.array(id).max(1000), location: id.optional() }),
    details: z.array(standing),
  }),
  CheckUpdatedInventoryForItemSKU: operation({
    service: 'inventory',
    method: 'POST',
    changes: 'nothing',
    summary: 'Whether so much of each SKU is on hand',
    input: z.object({
      ...chosen,
      location: id.optional(),
      lines: z.array(z.object({ sku: z.string(), quantity })).max(1000),
    }),
    details: z.array(z.object({ sku: z.string(), item: id.nullable(), onHand: z.string(), enough: z.boolean() })),
  }),
  ReleaseInventory: operation({
    service: 'inventory',
    method: 'POST',
    summary: 'Frees what an order holds for others; the order stays',
    input: z.object({ ...chosen, TransactionId: id }),
    details: z.array(z.object({ item: id, quantity: z.string() })),
  }),
  CancelOrDeleteTransactionInventory: operation({
    service: 'inventory',
    method: 'GET',
    changesByGet: true,
    idempotent: true,
    summary:
      'Takes back what documents moved: a posted one is cancelled by its mirror, a draft is deleted in the version that was seen',
    input: z
      .object({
        ...chosen,
        TransactionIds: ids,
        /** One for each id in its order, 0 for a posted document. Drafts need theirs. */ versions:
          versionsSeen.optional(),
        ...cancelling,
      })
      .refine(({ TransactionIds, versions }) => versions === undefined || versions.length === TransactionIds.length, {
        path: ['versions'],
        message: 'Send a version for each id, 0 for a posted document',
      }),
    details: z.object({ cancelled, deleted: z.int() }),
  }),
  CancelInvoiceListScreen: operation({
    service: 'inventory',
    method: 'GET',
    changesByGet: true,
    idempotent: true,
    summary: 'Cancels documents of one kind, as their list does',
    input: z.object({
      ...chosen,
      TransactionIds: ids,
      TransactionType: z.string(),
      IsCancel: cancels.optional(),
      ...cancelling,
    }),
    details: z.object({ cancelled }),
  }),
  GetItemBatchSerial: operation({
    service: 'inventory',
    method: 'GET',
    summary: 'Batches and serial numbers of an item in stock, the earliest expiry first',
    input: z.object({ ...chosen, item: id, location: id.optional() }),
    details: z.object({ batches: z.array(part), serials: z.array(z.string()) }),
  }),
  PhysicalLocationInventory: operation({
    service: 'inventory',
    method: 'GET',
    summary: 'Quantities of all items at a location',
    input: z.object({ ...chosen, location: id, after: z.string().optional() }),
    details: z.object({
      rows: z.array(z.object({ item: id, sku: z.string(), name: z.string(), unit: z.string(), quantity: z.string() })),
      after: z.string().nullable(),
    }),
  }),
  GetItemQtyForStockRoom: operation({
    service: 'inventory',
    method: 'GET',
    summary: 'How much of an item is in a stock room',
    input: z.object({ ...chosen, item: id, room: id }),
    details: z.object({ quantity: z.string() }),
  }),
  GetPhysicalLocationIdForStockRoom: operation({
    service: 'inventory',
    method: 'GET',
    summary: 'Where a stock room is',
    input: z.object({ ...chosen, room: id }),
    details: z.object({ location: id }),
  }),
  IsInventoryAllocated: operation({
    service: 'inventory',
    method: 'GET',
    summary: 'Whether orders hold some of an item',
    input: z.object({ ...chosen, item: id, location: id.optional() }),
    details: z.object({ allocated: z.boolean(), reserved: z.string() }),
  }),
  GetStockRoomWiseNewQtyForInvoiceReturns: operation({
    service: 'inventory',
    method: 'GET',
    summary: 'What can still come back of each line of a document, with the stock room it left from',
    input: z.object({ ...chosen, TransactionId: id }),
    details: z.array(
      z.object({
        line: z.int(),
        item: id.nullable(),
        room: id.nullable(),
        roomName: z.string().nullable(),
        quantity: z.string(),
        left: z.string(),
      }),
    ),
  }),
  VerifylotSeriesNo: operation({
    service: 'transactions',
    method: 'GET',
    summary: 'Whether batches or serial numbers of an item are known, and how many are in stock',
    input: z.object({ ...chosen, item: id, lots: z.string().max(2000), location: id.optional() }),
    details: z.array(z.object({ lot: z.string(), known: z.boolean(), quantity: z.string(), expiry: day.nullable() })),
  }),
} as const;
