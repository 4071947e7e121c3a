import { useRef, useState } from 'react';
import { newKey } from '../kit/api.ts';
import { Button } from '../kit/Button.tsx';
import { api } from '../kit/client.ts';
import { Confirm, Dialog } from '../kit/Dialog.tsx';
import { TextField } from '../kit/fields.tsx';
import { rupees, showMoment } from '../kit/format.ts';
import { Badge } from '../kit/parts.tsx';
import { useDateFormat, useSession } from '../kit/session.ts';
import { toast, toastError } from '../kit/toast.tsx';
import { browserBills, type KeptBill } from './billStore.ts';
import { sendLeftBills } from './sending.ts';

const states = {
  waiting: ['Waiting to be sent', 'warn'],
  sent: ['Posted', 'ok'],
  refused: ['Refused', 'bad'],
  cancelled: ['Cancelled', 'neutral'],
} as const;

/** The bills made at this browser: printed again, cancelled; what was refused is mended, sent again or thrown away. */
export function BillsDialog({
  bills,
  session,
  onPrint,
  onMend,
  onClose,
}: {
  readonly bills: readonly KeptBill[];
  /** The session that is open now: a refused bill of an earlier one moves into it. */
  readonly session: string;
  onPrint(bill: KeptBill): void;
  onMend(bill: KeptBill): void;
  onClose(): void;
}) {
  const { format } = useDateFormat();
  const person = useSession();
  const mayCancel = [5002, 5003].includes(person.grants['PoS'] ?? 0);
  const [discarding, setDiscarding] = useState<KeptBill | null>(null);
  const [cancelling, setCancelling] = useState<KeptBill | null>(null);
  const again = async (bill: KeptBill) => {
    // refused under its key, it was not posted: in another session it is another bill
    const elsewhere = bill.session !== session;
    const moved = { ...bill, key: newKey(), session, body: { ...bill.body, till: { session } } };
    try {
      await browserBills.keep({ ...(elsewhere ? moved : bill), state: 'waiting' }, bill.key);
      await sendLeftBills(bill.owner);
    } catch (problem) {
      toastError(problem);
    }
  };
  return (
    <Dialog
      open
      width={640}
      title="Bills made in this browser"
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      {bills.length === 0 && <p>No bills were made here yet.</p>}
      <ul className="till-bills">
        {[...bills].reverse().map((bill) => {
          const [word, tone] = states[bill.state];
          return (
            <li key={bill.key} data-state={bill.state}>
              <div>
                <b>{bill.number ?? bill.provisional}</b> <Badge word={word} tone={tone} />
                <span className="num">{rupees(bill.receipt.total)}</span>
              </div>
              <span className="muted">
                {showMoment(bill.at, format)}
                {!bill.number && ' · provisional number'}
                {bill.receipt.customer && ` · ${bill.receipt.customer}`}
              </span>
              {bill.why && <span className="field-error">{bill.why}</span>}
              {bill.problems?.map((problem) => (
                <span key={`${problem.field}${problem.row}`} className="field-error">
                  {problem.row === undefined ? '' : `Line ${problem.row + 1}: `}
                  {problem.message}
                </span>
              ))}
              <div className="buttons">
                <Button onClick={() => onPrint(bill)}>Print</Button>
                {bill.state === 'refused' && (
                  <>
                    <Button onClick={() => onMend(bill)}>Mend</Button>
                    <Button onClick={() => void again(bill)}>
                      {bill.session === session ? 'Send again' : 'Send in this session'}
                    </Button>
                    <Button look="danger" onClick={() => setDiscarding(bill)}>
                      Throw away
                    </Button>
                  </>
                )}
                {bill.state === 'sent' && mayCancel && (
                  <Button look="danger" onClick={() => setCancelling(bill)}>
                    Cancel bill
                  </Button>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      <Confirm
        open={discarding !== null}
        question={`Throw away ${discarding?.provisional ?? ''}?`}
        consequence="It is not in the books, and nothing of it stays. Do this only when the goods and the money went back."
        verb="Throw away"
        onConfirm={async () => {
          if (discarding) await browserBills.drop(discarding.key);
          setDiscarding(null);
        }}
        onClose={() => setDiscarding(null)}
      />
      {cancelling && <CancelBill bill={cancelling} session={session} onClose={() => setCancelling(null)} />}
    </Dialog>
  );
}

/** The cash of a cancelled bill comes out of the till where it is cancelled. */
function CancelBill({
  bill,
  session,
  onClose,
}: {
  readonly bill: KeptBill;
  readonly session: string;
  onClose(): void;
}) {
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const attempt = useRef({ reason, key: newKey() });
  const cancel = async () => {
    if (!bill.id || busy) return;
    setBusy(true);
    if (attempt.current.reason !== reason) attempt.current = { reason, key: newKey() };
    try {
      await api.CancelPosTransaction({ TransactionId: bill.id, session, reason }, attempt.current.key);
      await browserBills.keep({ ...bill, state: 'cancelled' });
      toast(`${bill.number} is cancelled: give back ${rupees(bill.receipt.total)}`);
      onClose();
    } catch (problem) {
      toastError(problem);
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      title={`Cancel ${bill.number}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger-filled" busy={busy} onClick={() => void cancel()}>
            Cancel bill
          </Button>
        </>
      }
    >
      <p>The goods go back on the shelf, and what was paid comes out of this till.</p>
      <TextField label="Reason" value={reason} maxLength={200} onChange={setReason} />
    </Dialog>
  );
}
