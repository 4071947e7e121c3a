import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { wayCancelReasons } from '../../contract/eway.ts';
import { dayAfter } from '../einvoice/portalTime.ts';
import { problemAt, Refused } from '../kit/api.ts';
import { Button } from '../kit/Button.tsx';
import { api } from '../kit/client.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { focusFirstError, SelectField, TextField } from '../kit/fields.tsx';
import { showMoment } from '../kit/format.ts';
import { ErrorPanel } from '../kit/parts.tsx';
import { useDateFormat } from '../kit/session.ts';
import { toast } from '../kit/toast.tsx';
import { adviceOn, type WayBillFacts } from './states.ts';

type Reason = (typeof wayCancelReasons)[number][0];
const choices = wayCancelReasons.map(([value, label]) => ({ value, label }));
const isReason = (text: string): text is Reason => wayCancelReasons.some(([code]) => code === text);

/** Cancels an e-way bill at the portal: within 24 hours of its making, with a reason of the portal's list. */
export function CancelWayBill({
  id,
  bill,
  onClose,
}: {
  readonly id: string;
  readonly bill: WayBillFacts;
  onClose(): void;
}) {
  const cache = useQueryClient();
  const { format } = useDateFormat();
  const [reason, setReason] = useState('');
  const [remark, setRemark] = useState('');
  const [tried, setTried] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const problems = error instanceof Refused ? error.problems : [];
  const until = bill.madeAt ? dayAfter(bill.madeAt) : null;
  const run = async () => {
    setTried(true);
    if (!isReason(reason) || remark.trim() === '') return focusFirstError();
    setBusy(true);
    setError(null);
    try {
      await api.CancelEwayBills({ ids: [id], reason, remark: remark.trim() });
      toast(`E-way bill ${bill.number} is cancelled`);
      await cache.invalidateQueries({ queryKey: ['screen'] });
      onClose();
    } catch (refused) {
      setError(refused);
      await cache.invalidateQueries({ queryKey: ['screen'] });
    } finally {
      setBusy(false);
    }
  };
  const advice = error instanceof Refused ? adviceOn(/\b\d{3,4}\b/.exec(error.message)?.[0]) : undefined;
  return (
    <Dialog
      open
      title={`Cancel e-way bill ${bill.number}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger-filled" busy={busy} onClick={() => void run()}>
            Cancel e-way bill
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>
          The portal takes this only within 24 hours of its making{until ? `: until ${showMoment(until, format)}` : ''}.
          The goods may then not move with it; another one can be made.
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
          maxLength={50}
          error={tried && !remark.trim() ? 'Say what happened' : problemAt(problems, 'remark')}
        />
      </div>
    </Dialog>
  );
}
