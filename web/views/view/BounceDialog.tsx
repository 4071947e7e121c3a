import { useState } from 'react';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { toast } from '../../kit/dialog/toast.tsx';
import { useReasons } from '../../kit/dialog/useReasons.tsx';
import { DateField, MoneyField, TextField } from '../../kit/fields/fields.tsx';
import { saidWith } from '../../kit/saidWith.ts';
import { newKey } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';

/** A cheque came back: on which day, why, and what the bank takes for it. */
export function BounceDialog({
  id,
  number,
  onDone,
  onClose,
}: {
  readonly id: string;
  readonly number: string;
  onDone(made: string): void;
  onClose(): void;
}) {
  const { today } = useSession();
  const { format } = useDateFormat();
  const [key] = useState(newKey);
  const { dialog: reasons, reasoned } = useReasons(t('Take the receipt back'));
  const [date, setDate] = useState(today);
  const [reason, setReason] = useState('');
  const [bankCharges, setCharges] = useState('');
  const bounce = async () => {
    const asked = { TransactionId: id, date, reason, ...(bankCharges && { bankCharges }) };
    const made = await reasoned((given) => api.BounceReceipt({ ...asked, ...given }, key));
    toast(
      saidWith(
        t('{{number}} is posted: the documents settled by {{number2}} are open again', {
          number: made.TransactionNumber,
          number2: number,
        }),
        made.warnings,
      ),
    );
    return made.TransactionId;
  };
  return (
    <>
      <FormDialog
        title={t('The cheque of {{number}} came back?', { number })}
        holds={{ date, reason, bankCharges }}
        verb={t('Take the receipt back')}
        keep={t('Keep as it is')}
        look="danger-filled"
        save={bounce}
        onDone={onDone}
        onClose={onClose}
      >
        {(at) => (
          <>
            <p>
              {t(
                'The receipt stays in the books on its day. On this day it is reversed in full, and its invoices are open again.',
              )}
            </p>
            <DateField
              label={t('Came back on')}
              required
              value={date}
              format={format}
              onChange={setDate}
              error={at('date')}
            />
            <TextField
              label={t('Reason')}
              required
              value={reason}
              maxLength={200}
              placeholder={t('Funds insufficient')}
              onChange={setReason}
              error={at('reason') ?? at('against') ?? at('amount')}
            />
            <MoneyField
              label={t('Charged by the bank (₹)')}
              value={bankCharges}
              onChange={setCharges}
              error={at('bankCharges')}
            />
          </>
        )}
      </FormDialog>
      {reasons}
    </>
  );
}
