import { useState } from 'react';
import { Refused } from '../kit/api.ts';
import { Button } from '../kit/Button.tsx';
import { api } from '../kit/client.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { SelectField, TextField } from '../kit/fields.tsx';
import { ErrorPanel } from '../kit/parts.tsx';
import { toast } from '../kit/toast.tsx';
import type { Invoice } from './Einvoices.tsx';

type Reason = '1' | '2' | '3' | '4';
/** The portal's reasons by its codes. */
const reasons = [
  { value: '1', label: 'Duplicate' },
  { value: '2', label: 'Data entry mistake' },
  { value: '3', label: 'Order cancelled' },
  { value: '4', label: 'Others' },
] as const;

/** Cancels an IRN at the portal: within 24 hours of its acknowledgement, with a reason of the portal's list. */
export function CancelIrn({
  invoice,
  onDone,
  onClose,
}: {
  readonly invoice: Invoice;
  onDone(): void;
  onClose(): void;
}) {
  const [reason, setReason] = useState<string>('2');
  const [remark, setRemark] = useState('');
  const [missing, setMissing] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const run = async () => {
    if (remark.trim() === '') return setMissing(true);
    setBusy(true);
    setError(null);
    try {
      await api.CancelIRNNumber({ id: invoice.id, reason: reason as Reason, remark: remark.trim() });
      toast(`The IRN of ${invoice.number} is cancelled`);
      onDone();
    } catch (refused) {
      setError(refused instanceof Refused ? refused : new Error('failed'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      title={`Cancel the IRN of ${invoice.number}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep as it is</Button>
          <Button look="danger-filled" busy={busy} onClick={() => void run()}>
            Cancel IRN
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>
          The portal takes this only within 24 hours of the acknowledgement. The invoice itself stays in the books until
          it is cancelled there.
        </p>
        {error != null && <ErrorPanel error={error} />}
        <SelectField label="Reason" required value={reason} onChange={setReason} choices={reasons} />
        <TextField
          label="Remark"
          required
          value={remark}
          onChange={setRemark}
          maxLength={100}
          error={missing && !remark.trim() ? 'Say what happened' : undefined}
        />
      </div>
    </Dialog>
  );
}
