import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { newKey, type Problem, problemAt, Refused } from '../kit/api.ts';
import { Button } from '../kit/Button.tsx';
import { ComboboxField, type Option } from '../kit/Combobox.tsx';
import { api } from '../kit/client.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { focusFirstError, MoneyField, TextField } from '../kit/fields.tsx';
import { parseAmount, rupees } from '../kit/format.ts';
import { Segments } from '../kit/parts.tsx';
import { useTold } from '../kit/standing.ts';
import { toast, toastError } from '../kit/toast.tsx';
import { stopsAtUnchosen } from '../kit/typing.ts';
import { usePick } from '../views/editor/searches.ts';

const directions = [
  { key: 'out', label: 'Take out' },
  { key: 'in', label: 'Put in' },
] as const;

/** Cash into the drawer or out of it beside bills: it is posted, and stands in the figures of the session. */
export function MoveCash({ session, onClose }: { readonly session: string; onClose(): void }) {
  const cache = useQueryClient();
  const search = usePick('ledger');
  const [direction, setDirection] = useState<'in' | 'out'>('out');
  const [amount, setAmount] = useState('');
  const [ledger, setLedger] = useState<Option | null>(null);
  const [reason, setReason] = useState('');
  const [problems, setProblems] = useTold({ direction, amount, ledger, reason });
  const [busy, setBusy] = useState(false);
  const attempt = useRef({ text: '', key: '' });
  const move = async () => {
    if (busy || stopsAtUnchosen()) return;
    const typed = parseAmount(amount, 2);
    const wrong: Problem[] = [
      ...(typed && Number(typed) > 0 ? [] : [{ field: 'amount', message: 'Enter an amount above nothing' }]),
      ...(ledger ? [] : [{ field: 'ledger', message: 'Choose the ledger' }]),
      ...(reason.trim() ? [] : [{ field: 'reason', message: 'Say what for' }]),
    ];
    setProblems(wrong);
    if (wrong.length || !ledger || !typed) return focusFirstError();
    setBusy(true);
    const input = { session, direction, amount: typed, ledger: ledger.id, reason: reason.trim() };
    const text = JSON.stringify(input);
    if (attempt.current.text !== text) attempt.current = { text, key: newKey() };
    try {
      const { TransactionNumber } = await api.MoveTillCash(input, attempt.current.key);
      toast(`${rupees(typed)} ${direction === 'in' ? 'put in' : 'taken out'}: ${TransactionNumber}`);
      void cache.invalidateQueries({ queryKey: ['screen'] });
      onClose();
    } catch (problem) {
      if (problem instanceof Refused && problem.problems.length) setProblems(problem.problems);
      else toastError(problem);
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      title="Cash in or out"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} onClick={() => void move()}>
            {direction === 'in' ? 'Put in' : 'Take out'}
          </Button>
        </>
      }
    >
      <form
        className="till-form"
        onSubmit={(event) => {
          event.preventDefault();
          void move();
        }}
      >
        <Segments
          label="In or out"
          choices={directions}
          current={direction}
          onChange={(key) => setDirection(key === 'in' ? 'in' : 'out')}
        />
        <MoneyField
          label="Amount"
          name="amount"
          value={amount}
          error={problemAt(problems, 'amount')}
          onChange={setAmount}
        />
        <ComboboxField
          label={direction === 'in' ? 'From which ledger' : 'To which ledger'}
          value={ledger}
          search={search}
          help="Bank, petty expenses, the owner's account"
          error={problemAt(problems, 'ledger')}
          onChange={setLedger}
        />
        <TextField
          label="What for"
          name="reason"
          value={reason}
          maxLength={200}
          error={problemAt(problems, 'reason')}
          onChange={setReason}
        />
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
