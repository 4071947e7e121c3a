import { formatDecimal, parseDecimal } from '../../../domain/base/decimal.ts';
import { money, plainNumber, rupees } from '../../kit/format.ts';
import { figures, ScrollX, TableHead } from '../../kit/parts.tsx';
import type { Shown } from '../DocumentView.tsx';
import { Revalued } from './Revalued.tsx';

const sumOf = (texts: readonly (string | null)[], places: number): string =>
  formatDecimal(
    texts.reduce((sum, text) => sum + (parseDecimal(text ?? '', places) ?? 0), 0),
    places,
  );

/** How stock was changed, line by line: so much more or less, at what it costs in the books and not at a price. */
export function Changes({
  document: { lines, movements, priced },
}: {
  readonly document: Pick<Shown, 'lines' | 'movements' | 'priced'>;
}) {
  return (
    <>
      <ScrollX label="Lines">
        <table className="plain-table sheet-lines">
          <TableHead columns={['#', 'Description', figures('Change'), figures('Value')]} />
          <tbody>
            {lines.map((line) => {
              const moved = movements.filter((movement) => movement.line === line.number);
              return (
                <tr key={line.number}>
                  <td className="sheet-number">{line.number}</td>
                  <td>
                    {line.description}
                    <span className="sheet-note code">{line.sku}</span>
                  </td>
                  <td className="num" data-label="Change">
                    {plainNumber(
                      sumOf(
                        moved.map(({ quantity }) => quantity),
                        6,
                      ),
                    )}
                    <span className="sheet-note">{line.unit}</span>
                  </td>
                  <td className="num" data-label="Value">
                    {money(
                      sumOf(
                        moved.map(({ cost }) => cost),
                        2,
                      ),
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollX>
      <footer className="sheet-foot">
        <dl className="sums">
          <div data-grand>
            <dt>Change in value</dt>
            <dd className="num">
              {rupees(
                sumOf(
                  movements.map(({ cost }) => cost),
                  2,
                ),
              )}
            </dd>
          </div>
          <Revalued priced={priced} />
        </dl>
      </footer>
    </>
  );
}
