import { millionths } from '../base/decimal.ts';
import { divideRound, type Paise, paise, zero } from '../base/money.ts';
import type { SourceLeft } from '../document/document.ts';
import type { SourceLine } from '../document/sources.ts';

type Given = Pick<SourceLine, 'document' | 'line' | 'quantity' | 'taxable' | 'gstRate' | 'treatment'>;

/** A line of a posted document of which nothing was taken back yet, without tax where nothing else is given. */
export const sourceLine = (line: Given & Partial<SourceLine>): SourceLine => ({
  hsn: '847130',
  unit: 'NOS',
  leftQuantity: line.quantity,
  leftFree: millionths(0),
  leftBase: line.quantity,
  left: untaxed(line.taxable),
  // no rate is higher than a whole number can say: a property may ask for a crore of a millionth of a unit
  rate: millionths(
    Math.min(
      Number(divideRound(BigInt(line.taxable) * 10_000_000_000n, BigInt(line.quantity || 1))),
      Number.MAX_SAFE_INTEGER,
    ),
  ),
  cessRate: 0 as SourceLine['cessRate'],
  cessPerUnit: zero,
  ...line,
});

/** What is left of a line by its value alone. */
export const untaxed = (value: Paise, heads: Partial<SourceLeft> = {}): SourceLeft => ({
  taxable: value,
  value,
  foreign: value,
  ...{ cgst: zero, sgst: zero, igst: zero, cess: zero },
  ...heads,
});

/** The same line once so much of it was taken back. */
export const lessOf = (line: SourceLine, quantity: number, taken: SourceLeft): SourceLine => ({
  ...line,
  leftQuantity: millionths(line.leftQuantity - quantity),
  leftBase: millionths(line.leftBase - quantity),
  left: {
    taxable: paise(line.left.taxable - taken.taxable),
    value: paise(line.left.value - taken.value),
    foreign: paise(line.left.foreign - taken.foreign),
    cgst: paise(line.left.cgst - taken.cgst),
    sgst: paise(line.left.sgst - taken.sgst),
    igst: paise(line.left.igst - taken.igst),
    cess: paise(line.left.cess - taken.cess),
  },
});
