import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allows } from '../../../contract/levels.ts';
import { Button } from '../../kit/Button.tsx';
import { toast } from '../../kit/dialog/toast.tsx';
import { ErrorPanel, Panel, ScrollX, Skeleton, TableHead } from '../../kit/parts.tsx';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useScreenKey, useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { CancelDialog } from '../view/CancelDialog.tsx';
import { FiledReturn } from './FiledReturn.tsx';
import { Marking, monthName } from './Marking.tsx';

type Filing = Awaited<ReturnType<typeof api.ListFilings>>[number];

/** The GST returns that were filed: each locks, for its registration, what it shows. */
export function Filings() {
  const { show } = useDateFormat();
  const { grants } = useSession();
  const key = useScreenKey('filings');
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.ListFilings({}) });
  const [marking, setMarking] = useState(false);
  const [looking, setLooking] = useState<Filing | null>(null);
  const [taking, setTaking] = useState<Filing | null>(null);
  const level = grants['General Configuration'];
  const mayMark = allows(level, 'write');
  const unmark = async ({ registration, form, period }: Filing, reason: string) => {
    await api.UnmarkFiled({ registration, form, period, reason });
    toast(t('{{form}} of {{period}} is not marked any more', { form, period: monthName(period) }));
  };
  return (
    <Panel
      title={t('GST returns filed')}
      actions={mayMark && <Button onClick={() => setMarking(true)}>{t('Mark a return as filed')}</Button>}
    >
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={2} />
      ) : data.length === 0 ? (
        <p className="muted">
          {t(
            'No return is marked as filed yet. Once a return is filed, its registration is locked up to the end of the period.',
          )}
        </p>
      ) : (
        <ScrollX label={t('GST returns filed')}>
          <table className="plain-table">
            <TableHead
              columns={[
                t('Period'),
                t('Return'),
                t('GSTIN'),
                t('Filed'),
                t('Due'),
                t('Acknowledgement'),
                t('Marked by'),
                mayMark && { label: t('As filed'), hidden: true },
                allows(level, 'full') && { label: t('Take back'), hidden: true },
              ]}
            />
            <tbody>
              {data.map((filing) => (
                <tr key={`${filing.registration}${filing.form}${filing.period}`}>
                  <td className="one-line">{monthName(filing.period)}</td>
                  <td className="one-line">{filing.form}</td>
                  <td className="code">{filing.gstin}</td>
                  <td className="one-line">{show(filing.filedOn)}</td>
                  <td className="one-line">{show(filing.due)}</td>
                  <td className="code">{filing.arn || '–'}</td>
                  <td>{filing.by}</td>
                  {mayMark && (
                    <td>
                      <Button look="subtle" onClick={() => setLooking(filing)}>
                        {t('As filed')}
                      </Button>
                    </td>
                  )}
                  {allows(level, 'full') && (
                    <td>
                      <Button look="subtle" onClick={() => setTaking(filing)}>
                        {t('Take back')}
                      </Button>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollX>
      )}
      {looking && (
        <FiledReturn
          asked={{ registration: looking.registration, form: looking.form, period: looking.period }}
          title={t('{{form}} of {{period}} as filed', { form: looking.form, period: monthName(looking.period) })}
          onClose={() => setLooking(null)}
        />
      )}
      {marking && <Marking onClose={() => setMarking(false)} />}
      {taking && (
        <CancelDialog
          names={[t('{{form}} of {{period}}', { form: taking.form, period: monthName(taking.period) })]}
          what={t('returns')}
          verb={t('Take back')}
          says={t('Its period is open again for this registration, unless another return or its own lock covers it.')}
          onCancel={(reason) => unmark(taking, reason)}
          onClose={() => setTaking(null)}
        />
      )}
    </Panel>
  );
}
