import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { moneyText } from '../../domain/base/decimal.ts';
import type { Withholding } from '../../domain/facts/deposits.ts';
import { Button } from '../kit/Button.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { TextField } from '../kit/fields/fields.tsx';
import { money } from '../kit/format.ts';
import { Badge, Empty, ErrorPanel, figures, Panel, ScrollX, Skeleton, TableHead } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../kit/server/session.ts';
import { plural, t } from '../kit/text.ts';
import { addMoney } from '../views/editor/wire.ts';
import { useGoTo, usePlaces } from '../views/places.ts';
import { type Challan, words } from './tax.ts';

/** The challans of a year, with the data of the bank for each, which can be added and corrected. */
export function Challans({
  tax,
  year,
  mayWrite,
}: {
  readonly tax: Withholding;
  readonly year: string;
  readonly mayWrite: boolean;
}) {
  const { show } = useDateFormat();
  const places = usePlaces();
  const goTo = useGoTo();
  const [mending, setMending] = useState<Challan | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: useScreenKey('challans', tax, year),
    queryFn: () => api.ListTaxChallans({ tax, year }),
    placeholderData: keepPreviousData,
  });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={4} />;
  if (data.length === 0)
    return <Empty sentence={t('No challan of {{short}} was paid in this year', { short: words[tax].short })} />;
  return (
    <Panel title={t('Challans')}>
      <ScrollX label={t('Challans')}>
        <table className="plain-table">
          <TableHead
            columns={[
              t('Challan'),
              figures(t('Paid (₹)')),
              { label: t('Change'), hidden: true },
              figures(t('Tax (₹)')),
              figures(t('Interest and fee (₹)')),
              t('Section'),
            ]}
          />
          <tbody>
            {data.map((row) => {
              const view = places(row.kind, 'documentView');
              return (
                <tr key={row.id}>
                  <td className="wrap">
                    {row.bsr ? (
                      <span className="code one-line">
                        {row.bsr} / {row.serial}
                      </span>
                    ) : (
                      <Badge word="To be named" tone="warn" />
                    )}{' '}
                    {row.cancelled && <Badge word="Cancelled" />}
                    <span className="sheet-note">
                      <span className="one-line">{show(row.date)}</span>,{' '}
                      {view ? (
                        <button type="button" className="link one-line" onClick={() => goTo(view, { id: row.id })}>
                          {row.number}
                        </button>
                      ) : (
                        row.number
                      )}
                    </span>
                  </td>
                  <td className="num">{money(row.total)}</td>
                  <td>
                    {mayWrite && !row.cancelled && (
                      <Button
                        aria-label={t('{{bsr}} BSR code and serial number of {{number}}', {
                          bsr: row.bsr ? t('Mend') : t('Name'),
                          number: row.number,
                        })}
                        onClick={() => setMending(row)}
                      >
                        {row.bsr ? t('Mend') : t('Name')}
                      </Button>
                    )}
                  </td>
                  <td className="num">{money(row.amount)}</td>
                  <td className="num">{money(moneyText(addMoney([row.interest, row.fee])))}</td>
                  <td>
                    <span className="code">{row.section}</span>
                    <span className="sheet-note">
                      {plural(
                        row.deductions,
                        'head {{head}}, {{count}} document',
                        'head {{head}}, {{count}} documents',
                        { head: row.head },
                      )}
                    </span>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollX>
      {mending && <ChallanDetails challan={mending} onClose={() => setMending(null)} />}
    </Panel>
  );
}

/** The data of the bank for a challan. What was paid is changed by cancelling its journal only. */
function ChallanDetails({ challan, onClose }: { readonly challan: Challan; onClose(): void }) {
  const [bsr, setBsr] = useState(challan.bsr);
  const [serial, setSerial] = useState(challan.serial);
  const save = async () => {
    await api.SaveChallanDetails({ id: challan.id, version: challan.version, bsr, serial });
    toast(t('Challan {{bsr}} / {{serial}} is kept', { bsr, serial }));
  };
  return (
    <FormDialog
      title={t('Challan {{number}}', { number: challan.number })}
      holds={{ bsr, serial }}
      verb={t('Keep')}
      save={save}
      onClose={onClose}
    >
      {(at) => (
        <div className="fields">
          <TextField
            label={t('BSR code')}
            span={2}
            maxLength={7}
            value={bsr}
            onChange={setBsr}
            error={at('bsr')}
            autoFocus
          />
          <TextField
            label={t('Challan serial')}
            span={2}
            maxLength={5}
            value={serial}
            onChange={setSerial}
            error={at('serial')}
          />
        </div>
      )}
    </FormDialog>
  );
}
