import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { irnReasons } from '../../contract/einvoice.ts';
import { problemAt, Refused } from '../kit/api.ts';
import { Button } from '../kit/Button.tsx';
import { api } from '../kit/client.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { SelectField, TextField } from '../kit/fields.tsx';
import { showMoment } from '../kit/format.ts';
import { ErrorPanel } from '../kit/parts.tsx';
import { useDateFormat } from '../kit/session.ts';
import { toast } from '../kit/toast.tsx';
import { adviceOn } from './advice.ts';
import { dayAfter } from './portalTime.ts';

type Reason = (typeof irnReasons)[number][0];
const choices = irnReasons.map(([value, label]) => ({ value, label }));
const isReason = (text: string): text is Reason => irnReasons.some(([code]) => code === text);

interface Props {
  readonly id: string;
  readonly number: string;
  readonly ackDate: string | null;
  onClose(): void;
}

/** Cancels an IRN at the portal: within 24 hours of its acknowledgement, with a reason of the portal's list. */
export function CancelIrn({ id, number, ackDate, onClose }: Props) {
  const cache = useQueryClient();
  const { format } = useDateFormat();
  const [reason, setReason] = useState<string>('');
  const [remark, setRemark] = useState('');
  const [tried, setTried] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const problems = error instanceof Refused ? error.problems : [];
  const until = ackDate ? dayAfter(ackDate) : null;
  const run = async () => {
    setTried(true);
    if (!isReason(reason) || remark.trim() === '') return;
    setBusy(true);
    setError(null);
    try {
      await api.CancelIRNNumber({ id, reason, remark: remark.trim() });
      toast(`The IRN of ${number} is cancelled`);
      await cache.invalidateQueries({ queryKey: ['screen'] });
      onClose();
    } catch (refused) {
      setError(refused);
      await cache.invalidateQueries({ queryKey: ['screen'] });
    } finally {
      setBusy(false);
    }
  };
  const advice = error instanceof Refused ? adviceOn(/\b\d{4}\b/.exec(error.message)?.[0]) : undefined;
  return (
    <Dialog
      open
      title={`Cancel the IRN of ${number}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep the IRN</Button>
          <Button look="danger-filled" busy={busy} onClick={() => void run()}>
            Cancel IRN
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>
          The portal takes this only within 24 hours of the acknowledgement
          {until ? `: until ${showMoment(until, format)}` : ''}. The number can never be registered again. In the books
          the document stays until it is cancelled there.
        </p>
        {error != null && <ErrorPanel error={error} />}
        {advice && <p>{advice.says}</p>}
        <SelectField
          label="Reason"
          required
          value={reason}
          onChange={setReason}
          choices={choices}
          empty="Choose"
          error={tried && !reason ? 'Choose a reason' : problemAt(problems, 'reason')}
        />
        <TextField
          label="Remark"
          required
          value={remark}
          onChange={setRemark}
          maxLength={100}
          error={tried && !remark.trim() ? 'Say what happened' : problemAt(problems, 'remark')}
        />
      </div>
    </Dialog>
  );
}
