import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { z } from 'zod';
import type { tillFigures } from '../../contract/till.ts';
import { moneyText, parseDecimal } from '../../domain/decimal.ts';
import { counted } from '../../domain/till.ts';
import { newKey } from '../kit/api.ts';
import { Button } from '../kit/Button.tsx';
import { api } from '../kit/client.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { money, rupees, showMoment } from '../kit/format.ts';
import { ErrorPanel, Skeleton } from '../kit/parts.tsx';
import { useDateFormat, useScreenKey } from '../kit/session.ts';
import { toast, toastError } from '../kit/toast.tsx';
import { CashCounting, type Counts, countOf, isCount } from './CashCounting.tsx';
import { modeName } from './receipt.ts';

type TillFigures = z.output<typeof tillFigures>;

const useFigures = (session: string) =>
  useQuery({
    queryKey: useScreenKey('till-figures', session),
    queryFn: () => api.GetTillSession({ session }),
    staleTime: 0,
  });

/** What a session has taken: X while it is open, Z once it is closed. */
export function Figures({ session, onClose }: { readonly session: string; onClose(): void }) {
  const { data, error, refetch } = useFigures(session);
  return (
    <Dialog
      open
      title={data ? `${data.till}: ${data.counted === null ? 'X figures' : 'Z figures'}` : 'Figures'}
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Sheet figures={data} />
      ) : (
        <Skeleton rows={6} />
      )}
    </Dialog>
  );
}

function Sheet({ figures: f }: { readonly figures: TillFigures }) {
  const { format } = useDateFormat();
  const rows: readonly (readonly [string, string])[] = [
    ['Opened', `${showMoment(f.session.opened, format)} · ${f.session.openedBy}`],
    ...(f.session.closed
      ? [['Closed', `${showMoment(f.session.closed, format)} · ${f.session.closedBy}`] as const]
      : []),
    ['Bills', String(f.bills)],
    ['Sold', money(f.total)],
    ...(f.cancelled ? [[`Cancelled here: ${f.cancelled}`, money(f.cancelledTotal)] as const] : []),
    ['Tax, without cancelled bills', money(f.tax)],
    ['Discount, without cancelled bills', money(f.discount)],
    ...f.modes.map(({ mode, amount }) => [modeName(mode), money(amount)] as const),
    ...(f.onAccount === '0.00' ? [] : [['On account', money(f.onAccount)] as const]),
    ['Cash at opening', money(f.opening)],
    ['Cash that should be there', money(f.expected)],
    ...(f.counted === null ? [] : [['Cash counted', money(f.counted)] as const]),
    ...(f.session.difference === null ? [] : [['Short (−) or over', money(f.session.difference)] as const]),
    ...(f.differenceNumber ? [['Posted by', f.differenceNumber] as const] : []),
  ];
  return (
    <dl className="sums">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="num">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Closing: first what the till says, then what is in the drawer. Bills that wait in this browser go first. */
export function CloseTill({
  session,
  name,
  waiting,
  onClosed,
  onClose,
}: {
  readonly session: string;
  readonly name: string;
  readonly waiting: number;
  onClosed(): void;
  onClose(): void;
}) {
  const cache = useQueryClient();
  const { data, error, refetch } = useFigures(session);
  const [counts, setCounts] = useState<Counts>({});
  const [busy, setBusy] = useState(false);
  const attempt = useRef({ text: '', key: '' });
  const held = counted(countOf(counts));
  const expected = data ? (parseDecimal(data.expected, 2) ?? 0) : 0;
  const isTyped = Object.keys(countOf(counts)).length > 0;
  const ready = data !== undefined && waiting === 0 && isCount(counts) && isTyped;
  const close = async () => {
    if (!data || !ready || busy) return;
    setBusy(true);
    const input = { session, count: countOf(counts), expected: data.expected };
    const text = JSON.stringify(input);
    if (attempt.current.text !== text) attempt.current = { text, key: newKey() };
    try {
      const done = await api.CloseTill(input, attempt.current.key);
      toast(
        done.TransactionNumber
          ? `${name} is closed: ${rupees(done.difference.replace('-', ''))} ${done.difference.startsWith('-') ? 'short' : 'over'} is posted as ${done.TransactionNumber}`
          : `${name} is closed: the cash is right`,
      );
      await cache.invalidateQueries({ queryKey: ['screen'] });
      onClosed();
    } catch (problem) {
      toastError(problem);
      await refetch();
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      width={640}
      title={`Close ${name}: what is in the drawer?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it open</Button>
          <Button look="primary" busy={busy} disabled={!ready} onClick={() => void close()}>
            Close {name}
          </Button>
        </>
      }
    >
      {waiting > 0 && (
        <p role="alert" className="till-note" data-tone="warn">
          {waiting === 1 ? 'One bill has' : `${waiting} bills have`} not reached the server, or{' '}
          {waiting === 1 ? 'was' : 'were'} refused: see to {waiting === 1 ? 'it' : 'them'} under Bills first.
        </p>
      )}
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={6} />
      ) : (
        <form
          className="closing"
          onSubmit={(event) => {
            event.preventDefault();
            void close();
          }}
        >
          <CashCounting counts={counts} onChange={setCounts} />
          <div>
            <Sheet figures={data} />
            <p role="status" className="till-note" data-tone={held === expected ? 'ok' : 'warn'} hidden={!isTyped}>
              {held === expected
                ? 'The cash is right'
                : `${rupees(moneyText(Math.abs(held - expected)))} ${held < expected ? 'short' : 'over'}`}
            </p>
          </div>
          <button type="submit" hidden />
        </form>
      )}
    </Dialog>
  );
}
