import { useState } from 'react';
import { newKey } from '../kit/api.ts';
import { Button } from '../kit/Button.tsx';
import { api } from '../kit/client.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { TextField } from '../kit/fields.tsx';
import { ErrorPanel } from '../kit/parts.tsx';
import { toast } from '../kit/toast.tsx';
import { useRun } from '../kit/useRun.ts';

/** Asks why a closed year is opened again. */
export function ReopenYear({ year, onClose }: { readonly year: string; onClose(): void }) {
  const [key] = useState(newKey);
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const { busy, error, run } = useRun();
  const missing = asked && reason.trim() === '';
  const reopen = () => {
    setAsked(true);
    if (reason.trim() === '') return;
    void run(async () => {
      await api.ReopenYear({ year, reason: reason.trim() }, key);
      toast(`${year} is open again`);
      onClose();
    });
  };
  return (
    <Dialog
      open
      title={`Reopen ${year}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it closed</Button>
          <Button look="danger-filled" busy={busy} onClick={reopen}>
            Reopen {year}
          </Button>
        </>
      }
    >
      <p>
        Its closing is taken back by a mirror entry of the same day, and the year is unlocked. Close it again after.
      </p>
      {error != null && <ErrorPanel error={error} />}
      <TextField
        label="Reason"
        required
        value={reason}
        onChange={setReason}
        maxLength={200}
        autoFocus
        error={missing ? 'Say why the year is opened again' : undefined}
      />
    </Dialog>
  );
}
