import { formatDecimal, parseDecimal } from '../../../domain/base/decimal.ts';
import { money, plainNumber, rupees } from '../../kit/format.ts';
import { figures, ScrollX, TableHead } from '../../kit/parts.tsx';
import { t } from '../../kit/text.ts';
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
      <ScrollX label={t('Lines')}>
        <table className="plain-table sheet-lines">
          <TableHead columns={['#', t('Description'), figures(t('Change')), figures(t('Value'))]} />
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
                  <td className="num" data-label={t('Change')}>
                    {plainNumber(
                      sumOf(
                        moved.map(({ quantity }) => quantity),
                        6,
                      ),
                    )}
                    <span className="sheet-note">{line.unit}</span>
                  </td>
                  <td className="num" data-label={t('Value')}>
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
            <dt>{t('Change in value')}</dt>
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
