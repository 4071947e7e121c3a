import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { paymentCalls } from '../../contract/payments.ts';
import { Button } from '../kit/Button.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { rupees, showMoment } from '../kit/format.ts';
import { ScreenLink } from '../kit/navigation.tsx';
import { Badge, type Tone } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useMayOpen } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';

export type Payment = z.output<(typeof paymentCalls)['ListPayments']['details']>[number];

const words: Readonly<Record<Payment['state'], readonly [string, Tone]>> = {
  waiting: ['Being booked', 'info'],
  booked: ['Booked', 'ok'],
  stuck: ['Not booked', 'bad'],
  held: ['To be booked', 'warn'],
  noted: ['Declined', 'neutral'],
};

/** Events of the gateway, each with the receipt that it made or why there is none. */
export function PaymentList({
  payments,
  named = false,
}: {
  readonly payments: readonly Payment[];
  readonly named?: boolean;
}) {
  const { format } = useDateFormat();
  const mayOpen = useMayOpen();
  const cache = useQueryClient();
  const [busy, setBusy] = useState('');
  const again = async (id: string) => {
    setBusy(id);
    try {
      await api.BookPayment({ id });
      toast(t('The payment is being booked'));
      await cache.invalidateQueries({ queryKey: ['screen'] });
    } catch (error) {
      toastError(error);
    } finally {
      setBusy('');
    }
  };
  if (payments.length === 0) return null;
  return (
    <ul className="near-parties" aria-label={t('Payments')}>
      {payments.map((payment) => {
        const [word, tone] = words[payment.state];
        return (
          <li key={payment.id}>
            <span className="wrap">
              <strong>{rupees(payment.amount)}</strong>
              {named && ` ${t('for {{number}}', { number: payment.document.number })}`} {payment.method} ·{' '}
              {showMoment(payment.at, format)}
              {payment.receipt && mayOpen('Sale Receipt Preview') && (
                <>
                  {' · '}
                  <ScreenLink screen="Sale Receipt Preview" query={{ id: payment.receipt.id }}>
                    {payment.receipt.number}
                  </ScreenLink>
                </>
              )}
              {payment.trouble && <span className="muted"> · {payment.trouble}</span>}
            </span>
            <Badge word={word} tone={tone} />
            {(payment.state === 'stuck' || payment.state === 'held') && mayOpen('Sale Receipt New') && (
              <Button busy={busy === payment.id} onClick={() => void again(payment.id)}>
                {payment.state === 'held' ? t('Book receipt') : t('Book again')}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
