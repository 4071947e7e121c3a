import { useState } from 'react';
import { newKey } from '../kit/api.ts';
import { api } from '../kit/client.ts';
import { toast } from '../kit/toast.tsx';
import { CancelDialog } from '../views/view/CancelDialog.tsx';

/** Asks why a closed year is opened again. */
export function ReopenYear({ year, onClose }: { readonly year: string; onClose(): void }) {
  const [key] = useState(newKey);
  const reopen = async (reason: string) => {
    await api.ReopenYear({ year, reason }, key);
    toast(`${year} is open again`);
  };
  return (
    <CancelDialog
      names={[year]}
      what="years"
      verb="Reopen"
      says="Its closing is reversed by an entry of the same day, and the year is unlocked. Close it again afterwards."
      onCancel={reopen}
      onClose={onClose}
    />
  );
}
