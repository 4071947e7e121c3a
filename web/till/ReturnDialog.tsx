import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { DraftBody } from '../../contract/documents.ts';
import { kindFor } from '../../domain/document/kinds/index.ts';
import { type TenderMode, tenderModes } from '../../domain/till/till.ts';
import { Button } from '../kit/Button.tsx';
import { Dialog } from '../kit/dialog/Dialog.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { SelectField, TextField } from '../kit/fields/fields.tsx';
import { nextOnEnter } from '../kit/fields/nextOnEnter.ts';
import { plainNumber, rupees, showDate } from '../kit/format.ts';
import { Skeleton } from '../kit/parts.tsx';
import { newKey, type Problem, problemAt, Refused } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../kit/server/session.ts';
import type { Counter } from './counter.ts';
import { dayOf } from './counter.ts';
import { modeName, type ReceiptFacts, returnReceipt } from './receipt.ts';
import { type Back, linesBack, wrongBack } from './returning.ts';

const reasons = ['Sales return', 'Deficiency in service', 'Correction in invoice', 'Others'].map((value) => ({
  value,
  label: value,
}));

const toButton = () => document.querySelector<HTMLElement>('[data-give-back]:not([disabled])');

/** Goods of a bill come back, all or a part of them, and the money goes back on the spot. What is left of a bill only the server knows. */
export function ReturnDialog({
  counter,
  from,
  onPrint,
  onClose,
}: {
  readonly counter: Counter;
  /** The bill, when it is known already. */
  readonly from: string | null;
  onPrint(paper: { readonly facts: ReceiptFacts; readonly number: string; readonly at: string }): void;
  onClose(): void;
}) {
  const [bill, setBill] = useState(from);
  const [number, setNumber] = useState('');
  const [missing, setMissing] = useState<string | null>(null);
  const find = async () => {
    if (number.trim() === '') return;
    try {
      const { id } = await api.GetTransactionDetails({
        InvoiceNo: number.trim(),
        TransactionType: kindFor('tillBill'),
      });
      setBill(id);
    } catch (problem) {
      setMissing(problem instanceof Refused && problem.status === 404 ? 'There is no such bill' : String(problem));
    }
  };
  if (bill) return <Returning counter={counter} bill={bill} onPrint={onPrint} onClose={onClose} />;
  return (
    <Dialog
      open
      title="Which bill do the goods come from?"
      onClose={onClose}
      onSave={() => void find()}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={number.trim() === ''} onClick={() => void find()}>
            Find the bill
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void find();
        }}
      >
        <TextField
          label="Number of the bill"
          value={number}
          maxLength={32}
          help="As it stands on the paper; then Enter"
          error={missing ?? undefined}
          onChange={(text) => {
            setMissing(null);
            setNumber(text);
          }}
        />
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

function Returning({
  counter,
  bill,
  onPrint,
  onClose,
}: Omit<Parameters<typeof ReturnDialog>[0], 'from'> & { readonly bill: string }) {
  const { session, till, items } = counter;
  const { format } = useDateFormat();
  const cache = useQueryClient();
  const [typed, setTyped] = useState<Readonly<Record<number, Back>>>({});
  const [mode, setMode] = useState<TenderMode>('cash');
  const [reason, setReason] = useState('Sales return');
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [busy, setBusy] = useState(false);
  const attempt = useRef({ text: '', key: '' });
  const source = useQuery({
    queryKey: useScreenKey('till-return', bill),
    queryFn: () => api.GetConversion({ from: bill, kind: kindFor('tillReturn') }),
    ...{ retry: false, staleTime: 0, gcTime: 0 },
  });
  const told = useRef({ onClose });
  told.current = { onClose };
  useEffect(() => {
    if (!source.error) return;
    toastError(source.error);
    told.current.onClose();
  }, [source.error]);
  const sold = useQuery({
    queryKey: useScreenKey('till-returned', bill),
    queryFn: () => api.GetTransactionDetailForInvoice({ TransactionId: bill }),
    retry: false,
  });
  const draft = source.data?.draft as DraftBody | undefined;
  const lines = draft ? linesBack(draft.lines, typed) : [];
  const document = draft && {
    ...draft,
    ...{ kind: kindFor('tillReturn'), date: dayOf(session), location: till.location, against: bill, reason, lines },
    till: { session: till.session?.id ?? '' },
  };
  const { data: sums } = useQuery({
    queryKey: useScreenKey('till-return-sums', JSON.stringify(lines)),
    queryFn: () => api.GetTaxCalculation({ draft: document as DraftBody }),
    enabled: document !== undefined && lines.length > 0,
    ...{ retry: false, staleTime: Number.POSITIVE_INFINITY },
  });
  const payable = lines.length > 0 ? sums?.priced.payable : undefined;
  const post = async () => {
    if (busy || !draft || !document || !sold.data) return;
    const wrong = wrongBack(draft.lines, typed, items);
    setProblems(wrong);
    if (wrong.length || payable === undefined) return;
    setBusy(true);
    const whole = { ...document, tenders: [{ ledger: till.ledgers[mode], mode, amount: payable }] };
    const text = JSON.stringify(whole);
    if (attempt.current.text !== text) attempt.current = { text, key: newKey() };
    try {
      const { TransactionNumber } = await api.PostTransactionCalls({ document: whole }, attempt.current.key);
      toast(
        `${TransactionNumber}: give back ${rupees(payable)} ${mode === 'cash' ? 'in cash' : `by ${modeName(mode)}`}`,
      );
      void cache.invalidateQueries({ queryKey: ['screen'] });
      const against = `Against ${sold.data.number} of ${showDate(sold.data.date, format)}`;
      const paid = { label: `Given back: ${modeName(mode)}`, amount: payable };
      if (sums)
        onPrint({
          facts: returnReceipt(counter, {
            lines,
            priced: sums.priced,
            against,
            paid,
            customer: sold.data.party?.name ?? draft.partyName ?? '',
          }),
          number: TransactionNumber,
          at: new Date().toISOString(),
        });
      onClose();
    } catch (problem) {
      if (problem instanceof Refused && problem.problems.length) setProblems(problem.problems);
      else toastError(problem);
      setBusy(false);
    }
  };
  const change = (row: number, patch: Partial<Back>) => {
    setProblems([]);
    setTyped({ ...typed, [row]: { quantity: '', serials: '', ...typed[row], ...patch } });
  };
  const all = () =>
    setTyped(
      Object.fromEntries(
        (draft?.lines ?? []).map((line, row) => [row, { serials: '', ...typed[row], quantity: line.quantity ?? '' }]),
      ),
    );
  return (
    <Dialog
      open
      width={640}
      title={sold.data ? `What of ${sold.data.number} comes back?` : 'What comes back?'}
      onClose={onClose}
      onSave={() => void post()}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button onClick={all} disabled={!draft}>
            All of it
          </Button>
          <Button
            look="primary"
            data-give-back
            busy={busy}
            disabled={payable === undefined}
            title="Ctrl Enter"
            onClick={() => void post()}
          >
            {payable === undefined ? 'Give back' : `Give back ${rupees(payable)}`}
          </Button>
        </>
      }
    >
      {!draft ? (
        <Skeleton rows={4} />
      ) : (
        <form
          className="till-form"
          // money goes back by the button or Ctrl Enter alone: Enter comes to the button behind the last field
          onKeyDown={(event) => nextOnEnter(event, toButton)}
          onSubmit={(event) => event.preventDefault()}
        >
          <ul className="till-back">
            {draft.lines.map((line, row) => {
              const item = items.get(line.item ?? '');
              const name = item?.name ?? line.description ?? 'An item';
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a bill do not move
                <li key={row}>
                  <span>
                    <b>{name}</b>
                    <small className="muted">{plainNumber(line.quantity ?? '0')} can come back</small>
                  </span>
                  <TextField
                    label={`Line ${row + 1}: how many`}
                    value={typed[row]?.quantity ?? ''}
                    placeholder="0"
                    error={problemAt(problems, 'lines.quantity', row)}
                    onChange={(quantity) => change(row, { quantity: quantity.trim() })}
                  />
                  {item?.serialised && (
                    <TextField
                      label={`Line ${row + 1}: serial numbers`}
                      value={typed[row]?.serials ?? ''}
                      placeholder="A01, A02"
                      error={problemAt(problems, 'lines.serials', row)}
                      onChange={(serials) => change(row, { serials })}
                    />
                  )}
                </li>
              );
            })}
          </ul>
          <div className="fields fields-two">
            <SelectField label="Reason" value={reason} choices={reasons} onChange={setReason} />
            <SelectField
              label="Money goes back by"
              value={mode}
              choices={tenderModes.map((value) => ({ value, label: modeName(value) }))}
              onChange={(value) => setMode(value as TenderMode)}
            />
          </div>
          {problems
            .filter(({ row }) => row === undefined)
            .map(({ message }) => (
              <p key={message} role="alert" className="field-error">
                {message}
              </p>
            ))}
          <p className="muted">The goods go back on the shelf. The credit note is numbered by the server.</p>
        </form>
      )}
    </Dialog>
  );
}
