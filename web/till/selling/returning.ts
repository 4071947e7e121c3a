import type { DraftBody } from '../../../contract/documents.ts';
import { millionths, parseDecimal, quantityText } from '../../../domain/base/decimal.ts';
import { firstExpiryFirstOut } from '../../../domain/stock/parts.ts';
import type { TillItem } from '../../../domain/till/till.ts';
import type { Problem } from '../../kit/server/api.ts';
import { t } from '../../kit/text.ts';

/** What was typed for a line of the bill. */
export interface Back {
  readonly quantity: string;
  readonly serials: string;
}
type Lines = DraftBody['lines'];

const serialsOf = (typed: string): string[] =>
  typed
    .split(/[,;\s]+/)
    .map((serial) => serial.trim())
    .filter(Boolean);
const quantityOf = (back: Back | undefined): number => parseDecimal(back?.quantity || '0', 6) ?? 0;

/** The lines that come back, each with what was typed; of batches those that expire first. */
export const linesBack = (lines: Lines, typed: Readonly<Record<number, Back>>): Lines =>
  lines.flatMap((line, row) => {
    const quantity = quantityOf(typed[row]);
    if (quantity <= 0) return [];
    const held = (line.batches ?? []).map(({ batch, quantity: part, expiry }) => ({
      ...{ batch, quantity: millionths(parseDecimal(part, 6) ?? 0) },
      ...(expiry && { expiry }),
    }));
    const batches = firstExpiryFirstOut(held, quantity).map((b) => ({ ...b, quantity: quantityText(b.quantity) }));
    const serials = serialsOf(typed[row]?.serials ?? '');
    const { batches: _batches, ...same } = line;
    return [
      {
        ...same,
        quantity: quantityText(quantity),
        ...(batches.length > 0 && { batches }),
        ...(serials.length > 0 && { serials }),
      },
    ];
  });

/** All of the bill comes back; serial numbers stay as they were typed. */
export const allBack = (lines: Lines, typed: Readonly<Record<number, Back>>): Readonly<Record<number, Back>> =>
  Object.fromEntries(lines.map((line, row) => [row, { serials: '', ...typed[row], quantity: line.quantity ?? '' }]));

/** What was typed that cannot come back. */
export const wrongBack = (
  lines: Lines,
  typed: Readonly<Record<number, Back>>,
  items: ReadonlyMap<string, TillItem>,
): Problem[] => {
  const wrong = lines.flatMap((line, row): Problem[] => {
    const text = typed[row]?.quantity ?? '';
    const quantity = parseDecimal(text || '0', 6);
    if (quantity === undefined || quantity < 0)
      return [{ field: 'lines.quantity', row, message: t('Enter a quantity') }];
    if (quantity > (parseDecimal(line.quantity ?? '0', 6) ?? 0))
      return [
        {
          field: 'lines.quantity',
          row,
          message: t('At most {{quantity}} can be returned', { quantity: line.quantity }),
        },
      ];
    const serials = serialsOf(typed[row]?.serials ?? '');
    if (items.get(line.item ?? '')?.serialised && serials.length * 1_000_000 !== quantity)
      return [{ field: 'lines.serials', row, message: t('Enter the serial number of each') }];
    return [];
  });
  if (wrong.length === 0 && !lines.some((_, row) => quantityOf(typed[row]) > 0))
    return [{ field: 'lines', message: t('Enter the quantity returned') }];
  return wrong;
};
