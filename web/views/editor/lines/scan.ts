import { millionths, ONE, parseDecimal, quantityText } from '../../../../domain/base/decimal.ts';
import { scannedCode } from '../../../../domain/items/barcode.ts';
import { plainNumber } from '../../../kit/format.ts';
import { api } from '../../../kit/server/client.ts';
import { t } from '../../../kit/text.ts';
import { hasOneLine, type Model } from '../model.ts';

interface Scanned {
  readonly item: string;
  readonly name: string;
  readonly unit: string;
}

/** Stock is counted with the scanner, elsewhere a scan is one more of what is bought, sold or moved. */
const countsIn = ({ kind }: Pick<Model, 'kind'>): string => (kind.stock.effect === 'adjust' ? 'counted' : 'quantity');

const oneMore = (text: string | undefined): string =>
  quantityText(millionths((parseDecimal(text ?? '', 6) ?? 0) + ONE));

/**
 * Puts one of what was scanned on the lines: one more on the line that has it in this unit, else a line of its own before
 * the blank one, so that the cell a scanner types into stays where it is. Returns the new quantity.
 */
export const putScanned = ({ kind, lines }: Pick<Model, 'kind' | 'lines'>, { item, name, unit }: Scanned): string => {
  const field = countsIn({ kind });
  const rows = lines.rows();
  const same = rows.find((row) => row['itemId'] === item && row['unit'] === unit && !row['source']);
  if (same) {
    const count = oneMore(same[field]);
    lines.set(same.key, { [field]: count });
    return count;
  }
  const blank = rows.findIndex((row) => !row['itemId'] && !row['item']);
  lines.add({ item: name, itemId: item, unit, [field]: '1', filled: '' }, blank < 0 ? rows.length : blank);
  if (blank < 0) lines.add();
  return '1';
};

/** The item of a code; without one the item whose SKU this is: digits may be either. */
const find = async (text: string): Promise<Scanned | null> => {
  const code = scannedCode(text);
  const { found } = await api.FindBarcode({ code });
  if (found) return found;
  const { rows } = await api.GetItemListForTransactionsWithPagination({ search: code, LEnd: 50 });
  const named = rows.find((row) => row.code?.toLowerCase() === code.toLowerCase());
  return named ? { item: named.id, name: named.name, unit: '' } : null;
};

/** The outcome of a scan, for sound and screen. */
export interface ScanResult {
  readonly known: boolean;
  readonly says: string;
}

/** Takes codes one after the other, however fast they come, and tells what became of each. */
export const createScanner = (model: Model, tell: (result: ScanResult) => void): ((text: string) => void) => {
  let last: Promise<void> = Promise.resolve();
  const take = async (text: string) => {
    try {
      const found = await find(text);
      if (!found) return tell({ known: false, says: t('No item has the code {{text}}', { text: scannedCode(text) }) });
      const { lines } = model;
      if (hasOneLine(model) && lines.rows().some((row) => row['itemId'] && row['itemId'] !== found.item))
        return tell({
          known: false,
          says: t('{{name}} was not taken: this invoice has its one line', { name: found.name }),
        });
      const count = putScanned(model, found);
      tell({ known: true, says: `${found.name}: ${plainNumber(count)} ${found.unit}`.trim() });
    } catch (error) {
      tell({
        known: false,
        says: t('{{text}} was not taken: {{error}}', {
          text: scannedCode(text),
          error: error instanceof Error ? error.message : '',
        }),
      });
    }
  };
  return (text) => {
    last = last.then(() => take(text));
  };
};
