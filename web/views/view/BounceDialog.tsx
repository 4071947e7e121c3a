import { useState } from 'react';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { toast } from '../../kit/dialog/toast.tsx';
import { useReasons } from '../../kit/dialog/useReasons.tsx';
import { DateField, MoneyField, TextField } from '../../kit/fields/fields.tsx';
import { saidWith } from '../../kit/saidWith.ts';
import { newKey } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useSession } from '../../kit/server/session.ts';

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
  const { dialog: reasons, reasoned } = useReasons('Take the receipt back');
  const [date, setDate] = useState(today);
  const [reason, setReason] = useState('');
  const [bankCharges, setCharges] = useState('');
  const bounce = async () => {
    const asked = { TransactionId: id, date, reason, ...(bankCharges && { bankCharges }) };
    const made = await reasoned((given) => api.BounceReceipt({ ...asked, ...given }, key));
    toast(saidWith(`${made.TransactionNumber} is posted: what ${number} settled is open again`, made.warnings));
    return made.TransactionId;
  };
  return (
    <>
      <FormDialog
        title={`The cheque of ${number} came back?`}
        holds={{ date, reason, bankCharges }}
        verb="Take the receipt back"
        keep="Keep as it is"
        look="danger-filled"
        save={bounce}
        onDone={onDone}
        onClose={onClose}
      >
        {(at) => (
          <>
            <p>
              The receipt stays in the books of its day. On this day all of it goes back, and its invoices are open
              again.
            </p>
            <DateField
              label="Came back on"
              required
              value={date}
              format={format}
              onChange={setDate}
              error={at('date')}
            />
            <TextField
              label="Reason"
              required
              value={reason}
              maxLength={200}
              placeholder="Funds insufficient"
              onChange={setReason}
              error={at('reason') ?? at('against') ?? at('amount')}
            />
            <MoneyField
              label="Charged by the bank (₹)"
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
