import { useState } from 'react';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { toast, toastError } from '../../kit/dialog/toast.tsx';
import { TextField } from '../../kit/fields/fields.tsx';
import { t } from '../../kit/text.ts';

/** Makes a number void whose bill will not come into the books; the reason stays with it. */
export function VoidNumber({
  number,
  onVoid,
  onClose,
}: {
  readonly number: string;
  onVoid(reason: string): Promise<void>;
  onClose(): void;
}) {
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const make = async () => {
    if (busy || reason.trim() === '') return;
    setBusy(true);
    try {
      await onVoid(reason.trim());
      toast(t('{{number}} is void', { number }));
      onClose();
    } catch (problem) {
      toastError(problem);
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      title={t('Make {{number}} void?', { number })}
      onClose={onClose}
      onSave={() => void make()}
      actions={
        <>
          <Button onClick={onClose}>{t('Keep it')}</Button>
          <Button look="danger-filled" busy={busy} disabled={reason.trim() === ''} onClick={() => void make()}>
            {t('Make void')}
          </Button>
        </>
      }
    >
      <form
        className="till-form"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <p>
          {t(
            'Its bill will never be in the books. Do this only when the goods and the money went back: the number stays as a void ' +
              'one, with the reason, and counts as cancelled in GSTR-1.',
          )}
        </p>
        <TextField label={t('Reason')} value={reason} maxLength={200} onChange={setReason} />
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
