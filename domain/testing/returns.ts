import { money, percentage, quantity } from '../base/decimal.ts';
import { zero } from '../base/money.ts';
import type { ReturnLine } from '../tax/gst/returns/return-document.ts';

/** GSTINs of the one whose return it is, and of a customer elsewhere. */
export const own = '27AAPFU0939F1ZV';
export const buyer = '29AAPFU0939F1ZR';
/** A line of ₹100 at 18 % within the state. */
export const line = (part: Partial<ReturnLine> = {}): ReturnLine => ({
  hsn: '8471',
  description: 'Keyboard',
  unit: 'Nos',
  uqc: 'NOS',
  quantity: quantity('1'),
  treatment: 'taxable',
  rate: percentage('18'),
  taxable: money('100'),
  igst: zero,
  cgst: money('9'),
  sgst: money('9'),
  cess: zero,
  ...part,
});
/** The same to another state. */
export const interLine = (part: Partial<ReturnLine> = {}) =>
  line({ igst: money('18'), cgst: zero, sgst: zero, ...part });
