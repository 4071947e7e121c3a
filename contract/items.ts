import { z } from 'zod';
import { operation } from './contract.ts';
import { chosen, flag, id, required, text, unitRate, whole } from './wire.ts';

const sku = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9][A-Z0-9_./-]*$/, 'A code holds letters, digits and _ . / -')
  .max(32, 'At most 32 characters');
const rate = z.string().nullable();
const code = text(48);

/** A barcode as lists show it; an item without any has a row with neither id nor code. */
export const barcodeRow = z.object({
  item: id,
  sku: z.string(),
  name: z.string(),
  barcode: z.string(),
  id: id.nullable(),
  symbology: z.string(),
  unit: z.string(),
  /** The code of the item itself, which its form shows; others are added beside it. */
  main: z.boolean(),
  mrp: rate,
  saleRate: rate,
  onHand: z.string(),
});

const shown = z.object({
  /** A variant without pictures of its own shows those of its template. */ ofTemplate: z.boolean(),
  pictures: z.array(z.object({ id, name: z.string(), /** As a page can show it. */ picture: z.string() })),
});

/** Variants, pictures, barcodes and labels of the service `items`. */
export const itemCalls = {
  GetVariants: operation({
    service: 'items',
    method: 'GET',
    summary: 'The attributes of an item with their values, and the variants that are made of them',
    input: z.object({ ...chosen, item: id }),
    details: z.object({
      sku: z.string(),
      name: z.string(),
      unit: z.string(),
      stocked: z.boolean(),
      parts: z.boolean(),
      saleRate: rate,
      purchaseRate: rate,
      attributes: z.array(
        z.object({ id, name: z.string(), values: z.array(z.object({ value: z.string(), code: z.string() })) }),
      ),
      variants: z.array(
        z.object({
          id,
          version: z.int(),
          values: z.array(z.string()),
          sku: z.string(),
          name: z.string(),
          barcode: z.string(),
          saleRate: rate,
          onHand: z.string(),
          active: z.boolean(),
        }),
      ),
    }),
  }),
  SaveVariants: operation({
    service: 'items',
    method: 'POST',
    summary: 'Makes variants of an item and changes those it has: their codes, prices, and whether they are active',
    input: z.object({
      ...chosen,
      item: id,
      variants: z
        .array(
          z.object({
            /** Of a variant that is there already. */
            id: id.optional(),
            version: z.int().optional(),
            /** A value of each attribute of the item, in their order. */
            values: z.array(required(60, 'Value')).min(1).max(3),
            sku,
            name: required(200, 'Name').optional(),
            barcode: code.default(''),
            saleRate: unitRate.optional(),
            active: z.boolean().default(true),
          }),
        )
        .max(2000),
    }),
    details: z.object({ made: z.int(), changed: z.int(), variants: z.array(z.object({ id, sku: z.string() })) }),
  }),
  GetItemPictures: operation({
    service: 'items',
    method: 'GET',
    summary: 'The pictures of an item, the first one first',
    input: z.object({ ...chosen, item: id }),
    details: shown,
  }),
  SaveItemPicture: operation({
    service: 'items',
    method: 'POST',
    load: 'file',
    summary: 'Keeps a picture of an item (a plain PNG, base64), written anew from its pixels',
    input: z.object({
      ...chosen,
      item: id,
      name: text(100).default('picture'),
      content: z.string().max(1_500_000, 'A picture has at most 1 MB'),
    }),
    details: shown,
  }),
  GetPictureThumbnails: operation({
    service: 'items',
    method: 'POST',
    changes: 'nothing',
    load: 'search',
    summary: 'Small pictures for a list, all of one call',
    input: z.object({ ...chosen, ids: z.array(id).min(1).max(50) }),
    details: z.array(z.object({ id, /** As a page can show it. */ picture: z.string() })),
  }),
  ShowItemPictureFirst: operation({
    service: 'items',
    method: 'POST',
    summary: 'Puts a picture before all others of its item',
    input: z.object({ ...chosen, id }),
    details: shown,
  }),
  RemoveItemPicture: operation({
    service: 'items',
    method: 'POST',
    summary: 'Takes a picture off an item',
    input: z.object({ ...chosen, id }),
    details: shown,
  }),
  GetCategoryUsual: operation({
    service: 'items',
    method: 'GET',
    summary: 'What is usual for items of a category: its own values, else those of the category above it',
    input: z.object({ ...chosen, category: id }),
    details: z.object({ values: z.record(z.string(), z.string()), names: z.record(z.string(), z.string()) }),
  }),
  ListBarcodes: operation({
    service: 'items',
    method: 'GET',
    summary: 'Items with each of their barcodes; also those that have none',
    input: z.object({
      ...chosen,
      search: z.string().max(100).default(''),
      only: z.enum(['all', 'with', 'without']).default('all'),
      after: z.string().optional(),
      limit: whole.optional(),
    }),
    details: z.object({ rows: z.array(barcodeRow), after: z.string().nullable() }),
  }),
  FindBarcode: operation({
    service: 'items',
    method: 'GET',
    summary: 'The item and the unit that a barcode belongs to',
    input: z.object({ ...chosen, code: z.string().max(60) }),
    details: z.object({
      found: z
        .object({ item: id, sku: z.string(), name: z.string(), unit: z.string(), barcode: z.string() })
        .nullable(),
    }),
  }),
  SaveBarcode: operation({
    service: 'items',
    method: 'POST',
    summary: 'Gives an item another barcode, for one of its units',
    input: z.object({ ...chosen, item: id, barcode: required(48, 'Barcode'), unit: z.string().max(8).default('') }),
    details: barcodeRow,
  }),
  RemoveBarcode: operation({
    service: 'items',
    method: 'POST',
    summary: 'Takes a barcode off an item',
    input: z.object({ ...chosen, id }),
    details: z.object({ removed: z.boolean() }),
  }),
  GenerateBarcodes: operation({
    service: 'items',
    method: 'POST',
    summary:
      'Gives each of these items that has none a barcode of our own: an EAN-13 of the range for own use, or its SKU as Code 128',
    input: z.object({ ...chosen, items: z.array(id).min(1).max(1000) }),
    details: z.object({ made: z.int(), left: z.array(z.object({ sku: z.string(), reason: z.string() })) }),
  }),
  LabelsOfDocument: operation({
    service: 'items',
    method: 'GET',
    summary: 'The barcodes of what a document moved, with as many labels as there are pieces',
    input: z.object({ ...chosen, TransactionId: id }),
    details: z.object({ number: z.string(), rows: z.array(barcodeRow.extend({ count: z.int() })) }),
  }),
  PrintLabels: operation({
    service: 'items',
    method: 'POST',
    changes: 'nothing',
    load: 'paper',
    summary: 'Labels as PDF, base64: so many of each barcode, on sheets or on a roll',
    input: z.object({
      ...chosen,
      format: z.string().max(20),
      labels: z
        .array(z.object({ id, count: z.int().min(1).max(1000) }))
        .min(1)
        .max(500),
      /** Labels of the first sheet that are used up already. */
      skip: z.int().min(0).max(64).default(0),
      shows: z
        .object({
          name: flag.default(true),
          sku: flag.default(true),
          mrp: flag.default(true),
          rate: flag.default(false),
        })
        .prefault({}),
    }),
    details: z.object({ name: z.string(), type: z.string(), content: z.string() }),
  }),
} as const;
