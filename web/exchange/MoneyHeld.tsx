import type { z } from 'zod';
import type { exchangeCalls } from '../../contract/exchange.ts';
import { moneyText } from '../../domain/base/decimal.ts';
import { inCurrency, money, plainNumber } from '../kit/format.ts';
import { figures, Panel, ScrollX, TableHead } from '../kit/parts.tsx';
import { t } from '../kit/text.ts';
import { addMoney } from '../views/editor/wire.ts';

type Preview = z.output<typeof exchangeCalls.PreviewRevaluation.details>;

/** A gain stands with a plus, a loss with a minus, nothing with neither. */
export const signed = (amount: string): string => `${/^[0.]*$|^-/.test(amount) ? '' : '+'}${money(amount)}`;

/** What rows with a rate win or lose together. */
export function Together({
  rows,
  span,
}: {
  readonly rows: readonly { difference: string | null }[];
  readonly span: number;
}) {
  const sum = addMoney(rows.map(({ difference }) => difference ?? '0'));
  return (
    <tr>
      <th scope="row" colSpan={span}>
        {t('Total')}
      </th>
      <td className="num">{signed(moneyText(sum))}</td>
    </tr>
  );
}

/** What an amount abroad stands at in the books, and what a rate makes of it. */
export function RestatedFigures({
  foreign,
  row,
}: {
  readonly foreign: string;
  readonly row: Pick<Preview['money'][number], 'currency' | 'booked' | 'rate' | 'now' | 'difference'>;
}) {
  return (
    <>
      <td className="num">{inCurrency(foreign, row.currency)}</td>
      <td className="num">{money(row.booked)}</td>
      <td className="num">{row.rate === null ? '–' : plainNumber(row.rate, 2)}</td>
      <td className="num">{row.now === null ? '–' : money(row.now)}</td>
      <td className="num">{row.difference === null ? '–' : signed(row.difference)}</td>
    </>
  );
}

/** Banks and cash in other currencies, each at a location. */
export function MoneyHeld({ data }: { readonly data: Preview }) {
  return (
    <Panel title={t('Banks and cash in other currencies')}>
      <ScrollX label={t('Banks and cash in other currencies')}>
        <table className="plain-table">
          <TableHead
            columns={[
              t('Ledger'),
              t('Location'),
              ...[t('Balance'), t('In the books (₹)'), t('Rate'), t('At this rate (₹)'), t('Gain or loss (₹)')].map(
                figures,
              ),
            ]}
          />
          <tbody>
            {data.money.map((row) => (
              <tr key={`${row.code} ${row.location}`}>
                <td className="wrap">
                  <span className="code">{row.code}</span> {row.name}
                </td>
                <td>{row.location}</td>
                <RestatedFigures foreign={row.balance} row={row} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <Together rows={data.money} span={6} />
          </tfoot>
        </table>
      </ScrollX>
      <p className="muted">{t('This restatement stays: the ledger of the money is at the rate of this day.')}</p>
    </Panel>
  );
}
