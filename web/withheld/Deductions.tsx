import { useQuery } from '@tanstack/react-query';
import { monthInWords } from '../../domain/base/dates.ts';
import { kindLabel } from '../../domain/document/kinds/index.ts';
import type { Withholding } from '../../domain/facts/deposits.ts';
import { Button } from '../kit/Button.tsx';
import { Dialog } from '../kit/dialog/Dialog.tsx';
import { money } from '../kit/format.ts';
import { ErrorPanel, figures, ScrollX, Skeleton, TableHead } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { useGoTo, usePlaces } from '../views/places.ts';
import { type Month, words } from './tax.ts';

/** The documents that withheld tax under a section in a month. */
export const useDeductions = (tax: Withholding, { section, month }: Pick<Month, 'section' | 'month'>) =>
  useQuery({
    queryKey: useScreenKey('deductions', tax, section, month),
    queryFn: () => api.ListTaxDeductions({ tax, section, month }),
  });

/** A month of a section, document by document, each of which leads to its view. */
export function Deductions({ tax, row, onClose }: { readonly tax: Withholding; readonly row: Month; onClose(): void }) {
  const { show } = useDateFormat();
  const places = usePlaces();
  const goTo = useGoTo();
  const { data, error, refetch } = useDeductions(tax, row);
  return (
    <Dialog
      open
      width={880}
      title={`${row.section} ${row.name}, ${monthInWords(row.month)}`}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={4} />
      ) : (
        <ScrollX label={t('Documents')}>
          <table className="plain-table">
            <TableHead
              columns={[
                t('Document'),
                figures(t('Due (₹)')),
                figures(`${words[tax].did} (₹)`),
                figures(t('Paid (₹)')),
                figures(t('Amount (₹)')),
              ]}
            />
            <tbody>
              {data.map((one) => {
                const view = places(one.kind, 'documentView');
                return (
                  <tr key={one.document}>
                    <td className="wrap">
                      {view ? (
                        <button
                          type="button"
                          className="link one-line"
                          onClick={() => goTo(view, { id: one.document })}
                        >
                          {one.number}
                        </button>
                      ) : (
                        one.number
                      )}
                      <span className="sheet-note">
                        {t(kindLabel(one.kind))}, <span className="one-line">{show(one.date)}</span>
                      </span>
                      <span className="sheet-note">
                        {t('{{party}}, {{pan}}, head {{head}}', {
                          party: one.party,
                          pan: one.pan ? t('PAN {{pan}}', { pan: one.pan }) : t('PAN not known'),
                          head: one.head,
                        })}
                      </span>
                    </td>
                    <td className="num">{money(one.left)}</td>
                    <td className="num">{money(one.withheld)}</td>
                    <td className="num">{money(one.paid)}</td>
                    <td className="num">{money(one.amount)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </ScrollX>
      )}
    </Dialog>
  );
}
