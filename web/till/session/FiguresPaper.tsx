import { createPortal } from 'react-dom';
import { type CashCount, denominations } from '../../../domain/till/till.ts';
import { money, showMoment } from '../../kit/format.ts';
import { useDateFormat } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import type { FigureRow } from './Figures.tsx';

/** The X or Z report on the till's roll, with the notes and coins that were counted last. */
export function FiguresPaper({
  title,
  till,
  rows,
  counts,
  outside,
}: {
  readonly title: string;
  readonly till: string;
  readonly rows: readonly FigureRow[];
  readonly counts: CashCount;
  readonly outside: readonly (readonly [string, string])[];
}) {
  const { format } = useDateFormat();
  const counted = denominations.filter((rupee) => (counts[String(rupee)] ?? 0) > 0);
  return createPortal(
    <section className="receipt" data-width="80" aria-label={title}>
      <h2>{title}</h2>
      <p>{t('{{till}} · printed {{moment}}', { till, moment: showMoment(new Date().toISOString(), format) })}</p>
      <dl className="receipt-sums">
        {rows.map(([label, value, bold]) => (
          <div key={label} data-bold={bold}>
            <dt>{t(label)}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
      {counted.length > 0 && (
        <table>
          <tbody>
            {counted.map((rupee) => (
              <tr key={rupee}>
                <td>
                  ₹ {rupee} × {counts[String(rupee)]}
                </td>
                <td className="num">{money(`${rupee * (counts[String(rupee)] ?? 0)}.00`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {outside.length > 0 && (
        <>
          <p>{t('Numbers not in the books')}</p>
          <dl className="receipt-sums">
            {outside.map(([number, state]) => (
              <div key={number}>
                <dt>{number}</dt>
                <dd>{state}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>,
    document.body,
  );
}
