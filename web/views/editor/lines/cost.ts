import { parseDecimal } from '../../../../domain/base/decimal.ts';
import { minus, type Paise, scale } from '../../../../domain/base/money.ts';
import { takesAway } from '../../../../domain/document/adjusting.ts';
import type { Kind } from '../../../../domain/document/kinds/kind.ts';
import { takesFromStock } from '../../../../domain/stock/stock.ts';
import { inBase, ratioFrom } from '../../../../domain/stock/units.ts';
import { lineAmount, readLine, sourceShare, type Texts } from '../wire.ts';

/**
 * What a line's goods are thought to cost by what lies at the place now, in paise, negative where stock is taken away;
 * where nothing lies there, or they come in, what the line or its source says.
 */
export const costOfLine = (kind: Kind, row: Texts): Paise => {
  const { quantity, delta } = readLine(row);
  const [onHand, worth] = [parseDecimal(row['onHand'] ?? '', 6) ?? 0, parseDecimal(row['onHandWorth'] ?? '', 2)];
  const asked = inBase(Math.abs(delta ?? quantity ?? 0), ratioFrom(row['ratio'] ?? ''));
  const known = worth !== undefined && onHand > 0 && takesFromStock(kind, delta);
  const cost = known ? scale(worth, asked, onHand) : kind.source.givesPrice ? sourceShare(row) : lineAmount(row);
  return takesAway(delta) ? minus(cost) : cost;
};
