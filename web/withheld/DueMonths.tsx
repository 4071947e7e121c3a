import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { monthInWords } from '../../domain/base/dates.ts';
import { kindFor } from '../../domain/document/kinds/index.ts';
import type { Withholding } from '../../domain/facts/deposits.ts';
import { Button } from '../kit/Button.tsx';
import { money, rupees } from '../kit/format.ts';
import { Badge, Empty, ErrorPanel, figures, Panel, ScrollX, Skeleton, TableHead } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { useMayDo } from '../views/places.ts';
import { ChallanDialog } from './ChallanDialog.tsx';
import { Deductions } from './Deductions.tsx';
import { type Month, words } from './tax.ts';

/** What was withheld, paid and is still due, by section and month; each is drilled down to its documents and paid by a challan. */
export function DueMonths({
  tax,
  year,
  mayWrite,
}: {
  readonly tax: Withholding;
  readonly year: string;
  readonly mayWrite: boolean;
}) {
  const { show } = useDateFormat();
  const mayPay = useMayDo()(kindFor('taxPayment'), 'write') && mayWrite;
  const [open, setOpen] = useState<{ readonly what: 'deductions' | 'challan'; readonly row: Month } | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: useScreenKey('withheld', tax, year),
    queryFn: () => api.GetTaxWithheld({ tax, year }),
    placeholderData: keepPreviousData,
  });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={4} />;
  if (data.rows.length === 0) return <Empty sentence={t(words[tax].none)} />;
  return (
    <Panel title={t('{{did}} and paid', { did: words[tax].did })}>
      {data.late !== '0.00' && (
        <p className="note" data-tone="warn">
          {t('{{late}} should be with the government already: interest runs for each month or part of one.', {
            late: rupees(data.late),
          })}
        </p>
      )}
      {data.rows.some(({ month }) => month < `${year.slice(0, 4)}-04`) && (
        <p className="muted">{t('Unpaid dues of years before {{year}} are also shown here.', { year })}</p>
      )}
      <ScrollX label={t('{{did}} and paid', { did: words[tax].did })}>
        <table className="plain-table">
          <TableHead
            columns={[
              t('Section and month'),
              figures(t('Due (₹)')),
              { label: t('Pay'), hidden: true },
              figures(`${words[tax].did} (₹)`),
              figures(t('Paid (₹)')),
            ]}
          />
          <tbody>
            {data.rows.map((row) => (
              <tr key={`${row.month}/${row.section}`}>
                <td className="wrap">
                  <button
                    type="button"
                    className="link one-line"
                    aria-label={t('Documents of {{section}}, {{month}}', {
                      section: row.section,
                      month: monthInWords(row.month),
                    })}
                    onClick={() => setOpen({ what: 'deductions', row })}
                  >
                    {row.section}, {monthInWords(row.month)}
                  </button>
                  <span className="sheet-note">{[row.name, row.newAct].filter(Boolean).join(', ')}</span>
                </td>
                <td className="num">
                  {row.left === '0.00' ? <Badge word="Paid" tone="ok" /> : money(row.left)}
                  {row.left !== '0.00' && (
                    <span className="sheet-note one-line">
                      {t('by {{due}}', { due: show(row.due) })} {row.late && <Badge word="Late" tone="bad" />}
                    </span>
                  )}
                </td>
                <td>
                  {mayPay && row.left !== '0.00' && (
                    <Button
                      aria-label={t('Pay {{section}}, {{month}}', {
                        section: row.section,
                        month: monthInWords(row.month),
                      })}
                      onClick={() => setOpen({ what: 'challan', row })}
                    >
                      {t('Pay')}
                    </Button>
                  )}
                </td>
                <td className="num">{money(row.withheld)}</td>
                <td className="num">{money(row.paid)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td>{t('Total')}</td>
              <td className="num">{money(data.left)}</td>
              <td />
              <td className="num">{money(data.withheld)}</td>
              <td className="num">{money(data.paid)}</td>
            </tr>
          </tfoot>
        </table>
      </ScrollX>
      {open?.what === 'deductions' && <Deductions tax={tax} row={open.row} onClose={() => setOpen(null)} />}
      {open?.what === 'challan' && <ChallanDialog tax={tax} row={open.row} onClose={() => setOpen(null)} />}
    </Panel>
  );
}
