import { millionths, ONE, percentText, quantityText, rateText } from '../../../../domain/base/decimal.ts';
import { scale, sum, zero } from '../../../../domain/base/money.ts';
import { correctsSource } from '../../../../domain/document/kinds/index.ts';
import type { Kind } from '../../../../domain/document/kinds/kind.ts';
import { type SourceLine, sourceKey } from '../../../../domain/document/sources.ts';
import { readLine, type Texts } from '../wire.ts';

type Sources = ReadonlyMap<string, SourceLine>;

/** Charges of the documents that the lines come from, as far as something is left to give back and no line gives it. */
export function chargesLeft(kind: Kind, sources: Sources, rows: readonly Texts[]): readonly SourceLine[] {
  if (!correctsSource(kind)) return [];
  const named = new Set(rows.flatMap((row) => row['source'] ?? []));
  const documents = new Set([...named].map((source) => source.split('/')[0]));
  return [...sources.values()].filter(
    (line) =>
      line.charge !== undefined && line.leftQuantity > 0 && documents.has(line.document) && !named.has(sourceKey(line)),
  );
}

/** Units of charges are counted to a thousandth. */
const THOUSANDTH = 1000;

/** What part of a charge goes with the goods in the lines: the share of their value, and all that is left with the last of them. */
function shareOf(charge: SourceLine, sources: Sources, rows: readonly Texts[]) {
  const goods = [...sources.values()].filter((line) => line.document === charge.document && line.charge === undefined);
  const taken = (line: SourceLine): number =>
    rows.reduce((all, row) => all + (row['source'] === sourceKey(line) ? (readLine(row).quantity ?? 0) : 0), 0);
  const value = sum(goods.map(({ taxable }) => taxable));
  if (value <= 0 || goods.every((line) => taken(line) >= line.leftQuantity)) return charge.leftQuantity;
  const back = sum(goods.map((line) => (line.quantity > 0 ? scale(line.taxable, taken(line), line.quantity) : zero)));
  const part = Math.round(scale(back, charge.quantity, value) / THOUSANDTH) * THOUSANDTH;
  return millionths(Math.min(part, charge.leftQuantity));
}

/** The line that gives a charge back. A note reduces a price, which somebody types. */
export const lineOfCharge = (kind: Kind, sources: Sources, rows: readonly Texts[], charge: SourceLine): Texts => ({
  source: sourceKey(charge),
  description: charge.charge ?? '',
  unit: charge.unit,
  hsn: charge.hsn,
  ...{ gstRate: percentText(charge.gstRate), gstOwn: percentText(charge.gstRate) },
  ...(kind.source.givesPrice && { rate: rateText(charge.rate) }),
  quantity: quantityText(kind.source.givesPrice ? shareOf(charge, sources, rows) : millionths(ONE)),
});
