import { useState } from 'react';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { TextField } from '../../kit/fields.tsx';

/** Names what is cancelled, or ended by another `verb`, and asks why; the mirror entries of a document stay in the books. */
export function CancelDialog({
  names,
  what,
  says = 'Every entry and movement is undone by a mirror entry of today. The number stays used.',
  verb = 'Cancel',
  onCancel,
  onClose,
}: {
  readonly names: readonly string[];
  readonly what: string;
  readonly says?: string;
  readonly verb?: string;
  onCancel(reason: string): Promise<void>;
  onClose(): void;
}) {
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const title = names.length === 1 ? `${verb} ${names[0]}?` : `${verb} ${names.length} ${what}?`;
  const run = async () => {
    if (reason.trim() === '') return setMissing(true);
    setBusy(true);
    try {
      await onCancel(reason.trim());
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep as it is</Button>
          <Button look="danger-filled" busy={busy} onClick={() => void run()}>
            {names.length === 1 ? `${verb} ${names[0]}` : `${verb} ${names.length}`}
          </Button>
        </>
      }
    >
      <p>{says}</p>
      {names.length > 1 && <p className="code">{names.slice(0, 20).join(', ')}</p>}
      <TextField
        label="Reason"
        required
        value={reason}
        onChange={setReason}
        maxLength={200}
        autoFocus
        error={missing && reason.trim() === '' ? `Say why${verb === 'Cancel' ? ' it is cancelled' : ''}` : undefined}
      />
    </Dialog>
  );
}
