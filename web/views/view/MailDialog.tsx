import { useState } from 'react';
import type { Kind } from '../../../domain/kinds/kind.ts';
import { Refused } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { api } from '../../kit/client.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { TextArea, TextField } from '../../kit/fields.tsx';
import { useSession } from '../../kit/session.ts';
import { toast } from '../../kit/toast.tsx';
import type { Shown } from '../DocumentView.tsx';

/** Mails the document with its PDF to one or several addresses. */
export function MailDialog({
  document,
  kind,
  onClose,
}: {
  readonly document: Shown;
  readonly kind: Kind;
  onClose(): void;
}) {
  const { organisation } = useSession();
  const [to, setTo] = useState('');
  const [subject, setSubject] = useState(`${kind.label} ${document.number} from ${organisation.name}`);
  const [message, setMessage] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const sendIt = async () => {
    const addresses = to.split(/[,;\s]+/).filter(Boolean);
    if (addresses.length === 0) return setError('Give an e-mail address');
    setBusy(true);
    setError(undefined);
    try {
      await api.SendInvoiceInMail({ TransactionId: document.id, to: addresses, subject, ...(message && { message }) });
      toast(`${document.number} will be mailed to ${addresses.join(', ')}`);
      onClose();
    } catch (refused) {
      setError(
        refused instanceof Refused
          ? [refused.message, ...refused.problems.map((problem) => problem.message)].join('. ')
          : 'Please try after some time',
      );
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      width={640}
      title={`Mail ${document.number}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" busy={busy} onClick={() => void sendIt()}>
            Mail document
          </Button>
        </>
      }
    >
      <div className="stack">
        <TextField
          label="To"
          required
          value={to}
          onChange={setTo}
          error={error}
          help="Several addresses are parted by commas"
          autoFocus
        />
        <TextField label="Subject" value={subject} onChange={setSubject} maxLength={200} />
        <TextArea label="Message" value={message} onChange={setMessage} maxLength={4000} />
      </div>
    </Dialog>
  );
}
