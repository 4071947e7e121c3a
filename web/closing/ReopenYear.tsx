import { useState } from 'react';
import { toast } from '../kit/dialog/toast.tsx';
import { newKey } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { t } from '../kit/text.ts';
import { CancelDialog } from '../views/view/CancelDialog.tsx';

/** Asks why a closed year is opened again. */
export function ReopenYear({ year, onClose }: { readonly year: string; onClose(): void }) {
  const [key] = useState(newKey);
  const reopen = async (reason: string) => {
    await api.ReopenYear({ year, reason }, key);
    toast(t('{{year}} is open again', { year }));
  };
  return (
    <CancelDialog
      names={[year]}
      what={t('years')}
      verb={t('Reopen')}
      says={t(
        'Its closing is reversed by an entry of the same day, and the year is unlocked. Close it again afterwards.',
      )}
      onCancel={reopen}
      onClose={onClose}
    />
  );
}
