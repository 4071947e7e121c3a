import { useState } from 'react';
import { newKey } from '../kit/api.ts';
import { api } from '../kit/client.ts';
import { FormDialog } from '../kit/FormDialog.tsx';
import { TextField } from '../kit/fields.tsx';
import { toast } from '../kit/toast.tsx';

/** Asks why a closed year is opened again. */
export function ReopenYear({ year, onClose }: { readonly year: string; onClose(): void }) {
  const [key] = useState(newKey);
  const [reason, setReason] = useState('');
  const reopen = async () => {
    await api.ReopenYear({ year, reason: reason.trim() }, key);
    toast(`${year} is open again`);
  };
  return (
    <FormDialog
      title={`Reopen ${year}?`}
      verb={`Reopen ${year}`}
      keep="Keep it closed"
      look="danger-filled"
      check={() => (reason.trim() === '' ? [{ field: 'reason', message: 'Say why the year is opened again' }] : [])}
      save={reopen}
      onClose={onClose}
    >
      {(at) => (
        <>
          <p>
            Its closing is taken back by a mirror entry of the same day, and the year is unlocked. Close it again after.
          </p>
          <TextField
            label="Reason"
            required
            value={reason}
            onChange={setReason}
            maxLength={200}
            autoFocus
            error={at('reason')}
          />
        </>
      )}
    </FormDialog>
  );
}
