import type { z } from 'zod';
import type { documentView } from '../../../contract/documents.ts';

type View = z.input<typeof documentView>;
type Line = Readonly<Record<string, unknown>>;

/** Fields of a line as it was typed that say what its goods cost. */
const typed = ['rate', 'discount', 'taxable', 'value', 'total'];

const bodyWithout = (body: View['body']): View['body'] => ({
  ...body,
  ...(Array.isArray(body['lines']) && {
    lines: (body['lines'] as readonly Line[]).map((line) =>
      Object.fromEntries(Object.entries(line).filter(([key]) => !typed.includes(key))),
    ),
  }),
});

/**
 * A document whose amounts are what goods cost, without them: quantities, parties and places stay. `own`: a draft that the reader has
 * typed keeps what they typed.
 */
export const viewWithoutCost = (view: View, own = false): View => ({
  ...view,
  body: own ? view.body : bodyWithout(view.body),
  priced: null,
  open: null,
  lines: view.lines.map((line) => ({
    ...line,
    rate: null,
    taxable: null,
    total: null,
    cgst: '0.00',
    sgst: '0.00',
    igst: '0.00',
    cess: '0.00',
  })),
  movements: view.movements.map((movement) => ({ ...movement, cost: null })),
});
