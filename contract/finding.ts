import { z } from 'zod';
import { operation } from './contract.ts';
import { chosen, day, decimalText, id } from './wire.ts';

/** What of a document the text means. */
const meant = z.enum(['number', 'reference', 'amount', 'buyer', 'party']);

/** The service `search`: one text, and all that it may mean. */
export const findCalls = {
  FindAnything: operation({
    service: 'search',
    method: 'GET',
    load: 'search',
    summary:
      'Documents by number, reference, amount and party, parties by name, code, GSTIN, PAN and telephone, items by name, SKU and ' +
      'barcode: the best and newest of each, also with typing errors',
    input: z.object({ ...chosen, search: z.string().max(100).default('') }),
    details: z.object({
      documents: z.array(
        z.object({
          id,
          kind: z.string(),
          number: z.string(),
          date: day,
          party: z.string(),
          reference: z.string().nullable(),
          /** In rupees; null where it would say what goods cost to somebody who may not see that. */
          total: decimalText.nullable(),
          /** Of a document in another currency, the total in it. */
          foreignTotal: decimalText.nullable(),
          currency: z.string(),
          cancelled: z.boolean(),
          meant,
        }),
      ),
      parties: z.array(
        z.object({
          id,
          /** The master in which the person may open it. */
          master: z.string(),
          code: z.string(),
          name: z.string(),
          gstin: z.string().nullable(),
          phone: z.string(),
          city: z.string(),
          active: z.boolean(),
        }),
      ),
      items: z.array(z.object({ id, sku: z.string(), name: z.string(), barcode: z.string(), active: z.boolean() })),
    }),
  }),
} as const;
