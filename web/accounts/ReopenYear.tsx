import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { newKey } from '../kit/api.ts';
import { Button } from '../kit/Button.tsx';
import { api } from '../kit/client.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { TextField } from '../kit/fields.tsx';
import { ErrorPanel } from '../kit/parts.tsx';
import { toast } from '../kit/toast.tsx';

/** Asks why a closed year is opened again. */
export function ReopenYear({ year, onClose }: { readonly year: string; onClose(): void }) {
  const cache = useQueryClient();
  const [key] = useState(newKey);
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const missing = asked && reason.trim() === '';
  const run = async () => {
    setAsked(true);
    if (reason.trim() === '' || busy) return;
    setBusy(true);
    try {
      await api.ReopenYear({ year, reason: reason.trim() }, key);
      toast(`${year} is open again`);
      await cache.invalidateQueries({ queryKey: ['screen'] });
      onClose();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      title={`Reopen ${year}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it closed</Button>
          <Button look="danger-filled" busy={busy} onClick={() => void run()}>
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
