import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { DraftBody } from '../../../contract/documents.ts';
import { kindFor } from '../../../domain/document/kinds/index.ts';
import { type TenderMode, tenderModes } from '../../../domain/till/till.ts';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { toast, toastError } from '../../kit/dialog/toast.tsx';
import { SelectField, TextField } from '../../kit/fields/fields.tsx';
import { nextOnEnter } from '../../kit/fields/nextOnEnter.ts';
import { plainNumber, rupees, showDate } from '../../kit/format.ts';
import { Skeleton } from '../../kit/parts.tsx';
import { newKey, type Problem, problemAt, Refused } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import type { Counter } from '../counter.ts';
import { dayOf } from '../counter.ts';
import { modeName, type ReceiptFacts, returnReceipt } from '../paper/receipt.ts';
import { allBack, type Back, linesBack, wrongBack } from './returning.ts';

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
      setMissing(problem instanceof Refused && problem.status === 404 ? t('There is no such bill') : String(problem));
    }
  };
  if (bill) return <Returning counter={counter} bill={bill} onPrint={onPrint} onClose={onClose} />;
  return (
    <Dialog
      open
      title={t('Which bill brought the goods?')}
      onClose={onClose}
      onSave={() => void find()}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="primary" disabled={number.trim() === ''} onClick={() => void find()}>
            {t('Find the bill')}
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
          label={t('Number of the bill')}
          value={number}
          maxLength={32}
          help={t('As it is printed on the document; then Enter')}
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

type Returned = Omit<Parameters<typeof ReturnDialog>[0], 'from'> & { readonly bill: string };

function Returning({ counter, bill, onPrint, onClose }: Returned) {
  const { source, sold } = useSoldBill(bill, onClose);
  const [typed, setTyped] = useState<Readonly<Record<number, Back>>>({});
  const [mode, setMode] = useState<TenderMode>('cash');
  const [reason, setReason] = useState(t('Sales return'));
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const { document, priced } = useReturned(counter, bill, source, typed, reason);
  const payable = priced?.payable;
  const { busy, post } = usePostReturn({
    ...{ counter, source, sold, document, priced, mode },
    check: () => {
      const wrong = source ? wrongBack(source.lines, typed, counter.items) : [];
      setProblems(wrong);
      return wrong.length === 0;
    },
    onProblems: setProblems,
    onPrint,
    onClose,
  });
  const change = (row: number, patch: Partial<Back>) => {
    setProblems([]);
    setTyped({ ...typed, [row]: { quantity: '', serials: '', ...typed[row], ...patch } });
  };
  return (
    <Dialog
      open
      width={640}
      title={sold ? t('What of {{number}} is returned?', { number: sold.number }) : t('What is returned?')}
      onClose={onClose}
      onSave={post}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button onClick={() => source && setTyped(allBack(source.lines, typed))} disabled={!source}>
            {t('All of it')}
          </Button>
          <Button
            look="primary"
            data-give-back
            busy={busy}
            disabled={payable === undefined}
            title={t('Ctrl Enter')}
            onClick={post}
          >
            {payable === undefined ? t('Give back') : t('Give back {{payable}}', { payable: rupees(payable) })}
          </Button>
        </>
      }
    >
      {!source ? (
        <Skeleton rows={4} />
      ) : (
        <form
          className="till-form"
          // money goes back by the button or Ctrl Enter alone: Enter comes to the button behind the last field
          onKeyDown={(event) => nextOnEnter(event, toButton)}
          onSubmit={(event) => event.preventDefault()}
        >
          <LinesBack lines={source.lines} items={counter.items} typed={typed} problems={problems} onChange={change} />
          <div className="fields fields-two">
            <SelectField label={t('Reason')} value={reason} choices={reasons} onChange={setReason} />
            <SelectField
              label={t('Refund by')}
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
          <p className="muted">{t('The goods go back into stock. The credit note is numbered by the server.')}</p>
        </form>
      )}
    </Dialog>
  );
}

/** The bill, and what of it can come back; a bill that nothing can come back of closes the dialog. */
function useSoldBill(bill: string, onClose: () => void) {
  const source = useQuery({
    queryKey: useScreenKey('till-return', bill),
    queryFn: () => api.GetConversion({ from: bill, kind: kindFor('tillReturn') }),
    ...{ retry: false, staleTime: 0, gcTime: 0 },
  });
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    if (!source.error) return;
    toastError(source.error);
    close.current();
  }, [source.error]);
  const sold = useQuery({
    queryKey: useScreenKey('till-returned', bill),
    queryFn: () => api.GetTransactionDetailForInvoice({ TransactionId: bill }),
    retry: false,
  });
  return { source: source.data?.draft as DraftBody | undefined, sold: sold.data };
}
type SoldBill = ReturnType<typeof useSoldBill>;

/** The return as it is typed, with what the server makes of its prices once something comes back. */
function useReturned(
  { session, till }: Counter,
  bill: string,
  source: DraftBody | undefined,
  typed: Readonly<Record<number, Back>>,
  reason: string,
) {
  const lines = source ? linesBack(source.lines, typed) : [];
  const document: DraftBody | undefined = source && {
    ...source,
    ...{ kind: kindFor('tillReturn'), date: dayOf(session), location: till.location, against: bill, reason, lines },
    till: { session: till.session?.id ?? '' },
  };
  const { data: sums } = useQuery({
    queryKey: useScreenKey('till-return-sums', JSON.stringify(lines)),
    queryFn: () => api.GetTaxCalculation({ draft: document as DraftBody }),
    enabled: document !== undefined && lines.length > 0,
    ...{ retry: false, staleTime: Number.POSITIVE_INFINITY },
  });
  return { document, priced: lines.length > 0 ? sums?.priced : undefined };
}

/** Posts the return and prints its paper. A second attempt of the same return is the same posting. */
function usePostReturn({
  counter,
  source,
  sold,
  document,
  priced,
  mode,
  check,
  onProblems,
  onPrint,
  onClose,
}: SoldBill &
  ReturnType<typeof useReturned> &
  Pick<Returned, 'counter' | 'onPrint' | 'onClose'> & {
    readonly mode: TenderMode;
    /** Whether what is typed can come back. */
    check(): boolean;
    onProblems(problems: readonly Problem[]): void;
  }) {
  const { till } = counter;
  const { format } = useDateFormat();
  const cache = useQueryClient();
  const [busy, setBusy] = useState(false);
  const attempt = useRef({ text: '', key: '' });
  const post = async () => {
    if (busy || !source || !document || !sold || !check() || !priced) return;
    const { payable } = priced;
    setBusy(true);
    const whole = { ...document, tenders: [{ ledger: till.ledgers[mode], mode, amount: payable }] };
    const text = JSON.stringify(whole);
    if (attempt.current.text !== text) attempt.current = { text, key: newKey() };
    try {
      const { TransactionNumber } = await api.PostTransactionCalls({ document: whole }, attempt.current.key);
      const by = mode === 'cash' ? 'in cash' : `by ${modeName(mode)}`;
      toast(t('{{number}}: give back {{payable}} {{by}}', { number: TransactionNumber, payable: rupees(payable), by }));
      void cache.invalidateQueries({ queryKey: ['screen'] });
      onPrint({
        facts: returnReceipt(counter, {
          ...{ lines: document.lines, priced },
          against: t('Against {{number}} of {{date}}', { number: sold.number, date: showDate(sold.date, format) }),
          paid: { label: t('Given back: {{mode}}', { mode: modeName(mode) }), amount: payable },
          customer: sold.party?.name ?? source.partyName ?? '',
        }),
        number: TransactionNumber,
        at: new Date().toISOString(),
      });
      onClose();
    } catch (problem) {
      if (problem instanceof Refused && problem.problems.length) onProblems(problem.problems);
      else toastError(problem);
      setBusy(false);
    }
  };
  return { busy, post: () => void post() };
}

/** The lines of the bill, each with a field for how many come back. */
function LinesBack({
  lines,
  items,
  typed,
  problems,
  onChange,
}: {
  readonly lines: DraftBody['lines'];
  readonly items: Counter['items'];
  readonly typed: Readonly<Record<number, Back>>;
  readonly problems: readonly Problem[];
  onChange(row: number, patch: Partial<Back>): void;
}) {
  return (
    <ul className="till-back">
      {lines.map((line, row) => {
        const item = items.get(line.item ?? '');
        const name = item?.name ?? line.description ?? t('An item');
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a bill do not move
          <li key={row}>
            <span>
              <b>{name}</b>
              <small className="muted">
                {t('{{quantity}} can be returned', { quantity: plainNumber(line.quantity ?? '0') })}
              </small>
            </span>
            <TextField
              label={t('Line {{row}}: how many', { row: row + 1 })}
              value={typed[row]?.quantity ?? ''}
              placeholder="0"
              error={problemAt(problems, 'lines.quantity', row)}
              onChange={(quantity) => onChange(row, { quantity: quantity.trim() })}
            />
            {item?.serialised && (
              <TextField
                label={t('Line {{row}}: serial numbers', { row: row + 1 })}
                value={typed[row]?.serials ?? ''}
                placeholder="A01, A02"
                error={problemAt(problems, 'lines.serials', row)}
                onChange={(serials) => onChange(row, { serials })}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}
