import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../kit/Button.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { rupees, showMoment } from '../kit/format.ts';
import { ErrorPanel, Panel } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../kit/server/session.ts';
import { Copy } from '../kit/table/Copy.tsx';
import { t } from '../kit/text.ts';
import { useMayDo } from '../views/places.ts';
import { PaymentList } from './PaymentList.tsx';

const QrCode = lazy(() => import('../einvoice/QrCode.tsx').then((module) => ({ default: module.QrCode })));

/** How a customer can pay a document: the link, the UPI code of what is open, and what has come through the gateway. */
export function PaymentPanel({
  id,
  kind,
  number,
}: {
  readonly id: string;
  readonly kind: string;
  readonly number: string;
}) {
  const key = useScreenKey('payments', id);
  const cache = useQueryClient();
  const { format } = useDateFormat();
  const may = useMayDo();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<unknown>(null);
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.GetPaymentsOfDocument({ id }) });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  // nothing to pay, and nothing was
  if (!data || (data.why && !data.upi && !data.link && data.payments.length === 0)) return null;
  const run = async (work: () => Promise<string>) => {
    setBusy(true);
    setFailed(null);
    try {
      toast(await work());
      await cache.invalidateQueries({ queryKey: key });
    } catch (refused) {
      setFailed(refused);
    } finally {
      setBusy(false);
    }
  };
  const make = () =>
    run(async () => {
      await api.MakePaymentLink({ id });
      return t('The payment link of {{number}} is ready', { number });
    });
  const end = () =>
    run(async () => {
      await api.EndPaymentLink({ id });
      return t('The payment link of {{number}} no longer works', { number });
    });
  return (
    <Panel title={t('Payment')}>
      <div className="stack">
        {failed != null && <ErrorPanel error={failed} />}
        {data.link && (
          <div>
            <p className="code copied">
              <span className="wrap">{data.link.url}</span>
              <Copy text={data.link.url} what={t('payment link')} />
            </p>
            <p className="muted">
              {t('Anyone with the link sees the number and the amount and can pay. Made by {{by}}, {{at}}.', {
                by: data.link.by,
                at: showMoment(data.link.at, format),
              })}
            </p>
          </div>
        )}
        {may(kind, 'write') && (
          <div className="side-actions">
            {!data.link && !data.why && (
              <Button busy={busy} onClick={() => void make()}>
                {t('Make payment link')}
              </Button>
            )}
            {data.link && (
              <Button busy={busy} onClick={() => void end()}>
                {t('Take link back')}
              </Button>
            )}
          </div>
        )}
        {data.upi && (
          <details className="fold">
            <summary>{t('UPI code for {{amount}}', { amount: rupees(data.upi.amount) })}</summary>
            <Suspense fallback={<span className="qr" />}>
              <QrCode
                text={data.upi.link}
                label={t('UPI code to pay {{number}}: {{amount}} to {{id}}', {
                  number,
                  amount: rupees(data.upi.amount),
                  id: data.upi.id,
                })}
              />
            </Suspense>
            <p className="code wrap">{data.upi.id}</p>
          </details>
        )}
        <PaymentList payments={data.payments} />
      </div>
    </Panel>
  );
}
