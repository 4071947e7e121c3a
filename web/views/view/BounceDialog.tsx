import { useState } from 'react';
import { newKey, type Problem, problemAt, Refused } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { api } from '../../kit/client.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { DateField, focusFirstError, MoneyField, TextField } from '../../kit/fields.tsx';
import { ErrorPanel } from '../../kit/parts.tsx';
import { useDateFormat, useSession } from '../../kit/session.ts';
import { toast } from '../../kit/toast.tsx';

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
  const [date, setDate] = useState(today);
  const [reason, setReason] = useState('');
  const [bankCharges, setCharges] = useState('');
  const [refused, setRefused] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const problems: readonly Problem[] = refused instanceof Refused ? refused.problems : [];
  const run = async () => {
    if (busy) return;
    setBusy(true);
    setRefused(null);
    try {
      const asked = { TransactionId: id, date, reason, ...(bankCharges && { bankCharges }) };
      const made = await api.BounceReceipt(asked, key);
      toast(`${made.TransactionNumber} is posted: what ${number} settled is open again`);
      onDone(made.TransactionId);
    } catch (told) {
      setRefused(told);
      focusFirstError();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      title={`The cheque of ${number} came back?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep as it is</Button>
          <Button look="danger-filled" type="submit" form="bounce" busy={busy}>
            Take the receipt back
          </Button>
        </>
      }
    >
      <form
        id="bounce"
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        {refused != null && problems.length === 0 && <ErrorPanel error={refused} />}
        <p>
          The receipt stays in the books of its day. On this day all of it goes back, and its invoices are open again.
        </p>
        <DateField
          label="Came back on"
          required
          value={date}
          format={format}
          onChange={setDate}
          error={problemAt(problems, 'date')}
        />
        <TextField
          label="Reason"
          required
          value={reason}
          maxLength={200}
          placeholder="Funds insufficient"
          onChange={setReason}
          error={problemAt(problems, 'reason') ?? problemAt(problems, 'against') ?? problemAt(problems, 'amount')}
        />
        <MoneyField
          label="Charged by the bank (₹)"
          value={bankCharges}
          onChange={setCharges}
          error={problemAt(problems, 'bankCharges')}
        />
      </form>
    </Dialog>
  );
}
