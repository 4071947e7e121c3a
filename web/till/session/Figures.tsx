import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { z } from 'zod';
import { allows } from '../../../contract/levels.ts';
import type { tillFigures } from '../../../contract/till.ts';
import { moneyText, parseDecimal } from '../../../domain/base/decimal.ts';
import { counted } from '../../../domain/till/till.ts';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { toast } from '../../kit/dialog/toast.tsx';
import { useReasons } from '../../kit/dialog/useReasons.tsx';
import { type DateFormat, money, rupees, showMoment } from '../../kit/format.ts';
import { Badge, ErrorPanel, Skeleton } from '../../kit/parts.tsx';
import { saidWith } from '../../kit/saidWith.ts';
import { newKey } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useScreenKey, useSession } from '../../kit/server/session.ts';
import { plural, t } from '../../kit/text.ts';
import { ownerOf } from '../../views/editor/saving/handOver.ts';
import { browserBills } from '../bills/billStore.ts';
import { VoidNumber } from '../bills/VoidNumber.tsx';
import { modeName } from '../paper/receipt.ts';
import { usePrintOut } from '../paper/usePrintOut.ts';
import { CashCounting, type Counts, countOf, isCount } from './CashCounting.tsx';
import { FiguresPaper } from './FiguresPaper.tsx';

type TillFigures = z.output<typeof tillFigures>;

const useFigures = (session: string) =>
  useQuery({
    queryKey: useScreenKey('till-figures', session),
    queryFn: () => api.GetTillSession({ session }),
    staleTime: 0,
  });

/** What a session has taken: X while it is open, Z once it is closed. */
export function Figures({ session, onClose }: { readonly session: string; onClose(): void }) {
  const { format } = useDateFormat();
  const { data, error, refetch } = useFigures(session);
  const { printing, print } = usePrintOut<TillFigures>();
  return (
    <Dialog
      open
      title={data ? `${data.till}: ${data.counted === null ? t('X figures') : t('Z figures')}` : t('Figures')}
      onClose={onClose}
      onSave={() => data && print(data)}
      actions={
        <>
          <Button onClick={onClose}>{t('Close')}</Button>
          <Button look="primary" disabled={!data} onClick={() => data && print(data)}>
            {t('Print')}
          </Button>
        </>
      }
    >
      {printing && (
        <FiguresPaper
          title={printing.counted === null ? t('X report') : t('Z report')}
          till={printing.till}
          rows={rowsOf(printing, format)}
          counts={printing.closingCount ?? printing.openingCount}
          outside={printing.numbers.map((one) => [one.number, stateWords[one.state]] as const)}
        />
      )}
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

/** The rows of the figures, in their order; `bold` begins a part. */
export type FigureRow = readonly [label: string, value: string, bold?: true];

const rowsOf = (f: TillFigures, format: DateFormat): readonly FigureRow[] => [
  [t('Opened'), `${showMoment(f.session.opened, format)} · ${f.session.openedBy}`],
  ...(f.session.closed
    ? [[t('Closed'), `${showMoment(f.session.closed, format)} · ${f.session.closedBy}`] as const]
    : []),
  [
    t('Bills'),
    f.first === null ? String(f.bills) : `${f.bills}: ${f.first}${f.last === f.first ? '' : ` … ${f.last}`}`,
  ],
  [t('Sold'), money(f.total), true],
  ...(f.cancelled
    ? [[t('Cancelled here: {{cancelled}}', { cancelled: f.cancelled }), money(f.cancelledTotal)] as const]
    : []),
  [t('Tax, without cancelled bills'), money(f.tax)],
  [t('Discount, without cancelled bills'), money(f.discount)],
  ...f.modes.map(({ mode, amount }) => [modeName(mode), money(amount)] as const),
  ...(f.onAccount === '0.00' ? [] : [[t('On account'), money(f.onAccount)] as const]),
  ...(f.returns
    ? [
        [t('Came back: {{returns}}', { returns: f.returns }), money(f.returned), true] as const,
        [t('Tax in it'), money(f.returnedTax)] as const,
        ...f.refunds.map(
          ({ mode, amount }) => [t('Given back: {{mode}}', { mode: modeName(mode) }), money(amount)] as const,
        ),
      ]
    : []),
  [t('Cash at opening'), money(f.opening), true],
  ...f.cash.map(
    ({ direction, amount, reason, number }) =>
      [`${direction === 'in' ? 'Put in' : 'Taken out'}: ${reason} (${number})`, money(amount)] as const,
  ),
  ...(f.cash.length > 1 ? [[t('Put in'), money(f.cashIn)] as const, [t('Taken out'), money(f.cashOut)] as const] : []),
  [t('Cash that should be there'), money(f.expected), true],
  ...(f.counted === null ? [] : [[t('Cash counted'), money(f.counted)] as const]),
  ...(f.session.difference === null ? [] : [[t('Short (−) or over'), money(f.session.difference)] as const]),
  ...(f.differenceNumber ? [[t('Posted by'), f.differenceNumber] as const] : []),
];

const stateWords = { awaited: 'Not yet received', refused: 'Refused', void: 'Void' } as const;

function Sheet({ figures }: { readonly figures: TillFigures }) {
  const { format } = useDateFormat();
  return (
    <>
      <dl className="sums">
        {rowsOf(figures, format).map(([label, value, bold]) => (
          <div key={label} data-bold={bold}>
            <dt>{t(label)}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
      {figures.numbers.length > 0 && <SetDown figures={figures} />}
    </>
  );
}

/** Numbers that stand on papers and whose bills are not in the books. Who approves bills makes them void. */
function SetDown({ figures }: { readonly figures: TillFigures }) {
  const cache = useQueryClient();
  const { grants } = useSession();
  const [asked, setAsked] = useState<TillFigures['numbers'][number] | null>(null);
  const mayVoid = allows(grants['PoS'], 'approve');
  return (
    <section className="till-outside" aria-label={t('Numbers not in the books')}>
      <h3>{t('Numbers not in the books')}</h3>
      <ul className="till-bills">
        {figures.numbers.map((one) => (
          <li key={`${one.series}/${one.period}/${one.counter}`}>
            <div>
              <b>{one.number}</b> <Badge word={stateWords[one.state]} tone={one.state === 'void' ? 'neutral' : 'bad'} />
            </div>
            {one.reason && <span className="muted">{one.reason}</span>}
            {mayVoid && one.state !== 'void' && (
              <div className="buttons">
                <Button look="danger" onClick={() => setAsked(one)}>
                  {t('Make void')}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {asked && (
        <VoidNumber
          number={asked.number}
          onVoid={async (reason) => {
            const { series, period, counter } = asked;
            await api.VoidTillNumber({ series, period, counter, reason });
            await cache.invalidateQueries({ queryKey: ['screen'] });
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
}

/** Bills of this browser that the server does not have yet. */
const UnsentBills = ({ waiting, others }: { readonly waiting: number; readonly others: number }) => (
  <>
    {waiting > 0 && (
      <p role="alert" className="till-note" data-tone="warn">
        {plural(
          waiting,
          'One bill has not reached the server, or was refused: see to it under Bills first.',
          '{{count}} bills have not reached the server, or were refused: see to them under Bills first.',
        )}
      </p>
    )}
    {others > 0 && (
      <p role="alert" className="till-note" data-tone="warn">
        {plural(
          others,
          'One bill of somebody else waits in this browser: who made it signs in here to send it. Until then the cash is over by ' +
            'so much.',
          '{{count}} bills of somebody else wait in this browser: who made them signs in here to send them. Until then the cash ' +
            'is over by so much.',
        )}
      </p>
    )}
  </>
);

interface DifferenceProps {
  readonly held: number;
  readonly expected: number;
  readonly hidden: boolean;
}
/** By how much the cash that was counted is short or over. */
const Difference = ({ held, expected, hidden }: DifferenceProps) => (
  <p role="status" className="till-note" data-tone={held === expected ? 'ok' : 'warn'} hidden={hidden}>
    {held === expected
      ? t('The cash is right')
      : `${rupees(moneyText(Math.abs(held - expected)))} ${held < expected ? t('short') : t('over')}`}
  </p>
);

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
  const { data, error, refetch } = useFigures(session);
  const [counts, setCounts] = useState<Counts>({});
  const { dialog: reasons, reasoned } = useReasons(`Close ${name}`);
  const attempt = useRef({ text: '', key: '' });
  const owner = ownerOf(useSession());
  const { data: others = 0 } = useQuery({
    queryKey: useScreenKey('till-others', session),
    queryFn: () => browserBills.ofOthers(owner, session).catch(() => 0),
    networkMode: 'always',
  });
  const held = counted(countOf(counts));
  const expected = data ? (parseDecimal(data.expected, 2) ?? 0) : 0;
  const isTyped = Object.keys(countOf(counts)).length > 0;
  const ready = data !== undefined && waiting === 0 && isCount(counts) && isTyped;
  const close = () => {
    const input = { session, count: countOf(counts), expected: data?.expected ?? '' };
    const text = JSON.stringify(input);
    if (attempt.current.text !== text) attempt.current = { text, key: newKey() };
    const { key } = attempt.current;
    return reasoned((given) => api.CloseTill({ ...input, ...given }, key));
  };
  const done = ({ TransactionNumber, difference, warnings }: Awaited<ReturnType<typeof close>>) => {
    toast(
      saidWith(
        TransactionNumber
          ? t('{{name}} is closed: {{difference}} {{difference2}} is posted as {{number}}', {
              name,
              difference: rupees(difference.replace('-', '')),
              difference2: difference.startsWith('-') ? t('short') : t('over'),
              number: TransactionNumber,
            })
          : t('{{name}} is closed: the cash is right', { name }),
        warnings,
      ),
    );
    onClosed();
  };
  return (
    <>
      <FormDialog
        width={640}
        title={t('Close {{name}}: how much cash is in the drawer?', { name })}
        holds={counts}
        verb={t('Close {{name}}', { name })}
        keep={t('Keep it open')}
        ready={ready}
        save={close}
        // a bill may have come in meanwhile
        onRefused={() => void refetch()}
        onDone={done}
        onClose={onClose}
      >
        <UnsentBills waiting={waiting} others={others} />
        {error ? (
          <ErrorPanel error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Skeleton rows={6} />
        ) : (
          <div className="closing">
            <CashCounting counts={counts} onChange={setCounts} />
            <div>
              <Sheet figures={data} />
              <Difference held={held} expected={expected} hidden={!isTyped} />
            </div>
          </div>
        )}
      </FormDialog>
      {reasons}
    </>
  );
}
