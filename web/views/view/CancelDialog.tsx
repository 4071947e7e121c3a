import { useState } from 'react';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { TextField } from '../../kit/fields.tsx';

/** Names what is cancelled, or ended by another `verb`, and asks why; the mirror entries of a document stay in the books. */
export function CancelDialog({
  names,
  what,
  says = 'Every entry and movement is undone by a mirror entry of today. The number stays used.',
  verb = 'Cancel',
  onCancel,
  onDone,
  onClose,
}: {
  readonly names: readonly string[];
  readonly what: string;
  readonly says?: string;
  readonly verb?: string;
  /** What it refuses is said in the dialog. */
  onCancel(reason: string): Promise<void>;
  /** The dialog is closed when this is left out. */
  onDone?(): void;
  onClose(): void;
}) {
  const [reason, setReason] = useState('');
  const title = names.length === 1 ? `${verb} ${names[0]}?` : `${verb} ${names.length} ${what}?`;
  return (
    <FormDialog
      title={title}
      holds={{ reason }}
      verb={names.length === 1 ? `${verb} ${names[0]}` : `${verb} ${names.length}`}
      keep="Keep as it is"
      look="danger-filled"
      check={() =>
        reason.trim() === ''
          ? [{ field: 'reason', message: `Say why${verb === 'Cancel' ? ' it is cancelled' : ''}` }]
          : []
      }
      save={() => onCancel(reason.trim())}
      {...(onDone && { onDone })}
      onClose={onClose}
    >
      {(at) => (
        <>
          <p>{says}</p>
          {names.length > 1 && <p className="code">{names.slice(0, 20).join(', ')}</p>}
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
