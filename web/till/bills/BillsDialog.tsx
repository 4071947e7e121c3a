import { useRef, useState } from 'react';
import { allows } from '../../../contract/levels.ts';
import { correctedBy, type KindName, kindOf } from '../../../domain/document/kinds/index.ts';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { toast, toastError } from '../../kit/dialog/toast.tsx';
import { rupees, showMoment } from '../../kit/format.ts';
import { Badge } from '../../kit/parts.tsx';
import { newKey } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { useOnline } from '../../kit/server/online.ts';
import { useDateFormat, useSession, usesGst } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { CancelDialog, type How } from '../../views/view/CancelDialog.tsx';
import { consequencesOfBill } from '../../views/view/cancelling.ts';
import type { TillView } from '../counter.ts';
import { browserBills, type KeptBill } from './billStore.ts';
import { sendAgain } from './numbering.ts';
import { sendLeftBills } from './sending.ts';
import { VoidNumber } from './VoidNumber.tsx';

const states = {
  waiting: ['Waiting to be sent', 'warn'],
  sent: ['Posted', 'ok'],
  refused: ['Refused', 'bad'],
  cancelled: ['Cancelled', 'neutral'],
  void: ['Void', 'neutral'],
} as const;

/** The bills made at this browser: printed again, cancelled; what was refused is mended, sent again or thrown away. */
export function BillsDialog({
  bills,
  till,
  session,
  onPrint,
  onReturn,
  onMend,
  onClose,
}: {
  readonly bills: readonly KeptBill[];
  readonly till: TillView;
  /** The session that is open now: a refused bill of an earlier one moves into it. */
  readonly session: string;
  onPrint(bill: KeptBill): void;
  onReturn(bill: KeptBill): void;
  onMend(bill: KeptBill): void;
  onClose(): void;
}) {
  const { format } = useDateFormat();
  const person = useSession();
  const online = useOnline();
  const mayCancel = allows(person.grants['PoS'], 'approve');
  const [discarding, setDiscarding] = useState<KeptBill | null>(null);
  const [cancelling, setCancelling] = useState<KeptBill | null>(null);
  const again = async (bill: KeptBill) => {
    try {
      await sendAgain(till, session, bill);
      await sendLeftBills(bill.owner);
    } catch (problem) {
      toastError(problem);
    }
  };
  return (
    <Dialog
      open
      width={640}
      title={t('Bills made in this browser')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      {bills.length === 0 && <p>{t('No bills were made here yet.')}</p>}
      <ul className="till-bills">
        {[...bills].reverse().map((bill) => {
          const [word, tone] = states[bill.state];
          return (
            <li key={bill.key} data-state={bill.state}>
              <div>
                <b>{bill.number}</b> <Badge word={word} tone={tone} />
                <span className="num">{rupees(bill.receipt.total)}</span>
              </div>
              <span className="muted">
                {showMoment(bill.at, format)}
                {bill.receipt.customer && ` · ${bill.receipt.customer}`}
              </span>
              {bill.why && <span className="field-error">{bill.why}</span>}
              {bill.problems?.map((problem) => (
                <span key={`${problem.field}${problem.row}`} className="field-error">
                  {problem.row === undefined ? '' : `${t('Line {{row}}:', { row: problem.row + 1 })} `}
                  {problem.message}
                </span>
              ))}
              <div className="buttons">
                <Button onClick={() => onPrint(bill)}>{t('Print')}</Button>
                {bill.state === 'refused' && (
                  <>
                    <Button onClick={() => onMend(bill)}>{t('Mend')}</Button>
                    <Button onClick={() => void again(bill)}>{againLabel(bill, session)}</Button>
                    {mayCancel ? (
                      <Button look="danger" onClick={() => setDiscarding(bill)}>
                        {t('Make void')}
                      </Button>
                    ) : (
                      <span className="muted">{t('A user who may approve bills can void it.')}</span>
                    )}
                  </>
                )}
                {bill.state === 'sent' && (
                  <Button
                    disabled={!online}
                    onClick={() => onReturn(bill)}
                    {...(!online && { title: t('Needs the network') })}
                  >
                    {t('Take goods back')}
                  </Button>
                )}
                {bill.state === 'sent' && mayCancel && (
                  <Button look="danger" onClick={() => setCancelling(bill)}>
                    {t('Cancel bill')}
                  </Button>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      {discarding && <VoidBill bill={discarding} onClose={() => setDiscarding(null)} />}
      {cancelling && <CancelBill bill={cancelling} session={session} onClose={() => setCancelling(null)} />}
    </Dialog>
  );
}

const againLabel = (bill: KeptBill, session: string): string => {
  if (bill.code === 'tillNumberTaken') return t('Give it the next number');
  return bill.session === session ? t('Send again') : t('Send in this session');
};

/** The number stays as a void one; of a number that is another bill's, only the copy here goes. */
function VoidBill({ bill, onClose }: { readonly bill: KeptBill; onClose(): void }) {
  const { series, period, counter } = bill;
  return (
    <VoidNumber
      number={bill.number}
      onVoid={async (reason) => {
        if (bill.code !== 'tillNumberTaken') await api.VoidTillNumber({ series, period, counter, reason });
        await browserBills.keep({ ...bill, state: 'void', why: reason });
      }}
      onClose={onClose}
    />
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
  // asked again in the same way, it is the same attempt
  const attempt = useRef({ asked: '', key: newKey() });
  const concerns = usesGst(useSession());
  const kind = kindOf(bill.body.kind as KindName);
  const cancel = async (reason: string, how: How) => {
    if (!bill.id) return;
    const asked = JSON.stringify([reason, how]);
    if (attempt.current.asked !== asked) attempt.current = { asked, key: newKey() };
    const { freed } = await api.CancelPosTransaction(
      { TransactionId: bill.id, session, reason, ...how },
      attempt.current.key,
    );
    await browserBills.keep({ ...bill, state: 'cancelled' });
    const open = freed.map(({ number, amount }) => `${number} ₹${amount}`);
    const back = t('{{number}} is cancelled: give back {{total}}', {
      number: bill.number,
      total: rupees(bill.receipt.total),
    });
    toast(open.length > 0 ? t('{{back}}. Open again: {{open}}', { back, open: open.join(', ') }) : back);
  };
  return (
    <CancelDialog
      names={[bill.number]}
      what={t('bills')}
      says={consequencesOfBill(bill.number, bill.body.date, kind, kind.gst.gstr1 !== undefined && concerns)}
      notes={correctedBy(bill.body.kind, true).length > 0 ? undefined : []}
      onCancel={cancel}
      onClose={onClose}
    />
  );
}
