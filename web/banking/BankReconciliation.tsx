import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { allows } from '../../contract/levels.ts';
import { Button } from '../kit/Button.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { useReasons } from '../kit/dialog/useReasons.tsx';
import { DateField, SelectField } from '../kit/fields/fields.tsx';
import { inCurrency, money, rupees } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { useAddress, useGo } from '../kit/navigation.tsx';
import { Empty, ErrorPanel, Page, PageHead, Segments, Skeleton } from '../kit/parts.tsx';
import { saidWith } from '../kit/saidWith.ts';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey, useSession, usualPlace } from '../kit/server/session.ts';
import { type Column, DataTable } from '../kit/table/DataTable.tsx';
import { plural, t } from '../kit/text.ts';
import { BankRules } from './BankRules.tsx';
import { BookEntries } from './BookEntries.tsx';
import { ImportStatement } from './ImportStatement.tsx';
import { accept, isProposed, type Line, type Place, proposalOf, type Standing, unitOf } from './line.ts';
import { Matched } from './Matched.tsx';
import { SettleLine } from './SettleLine.tsx';
import '../views/views.css';

/** Statements of a bank against its ledger: what belongs together is matched, what the books lack is made, the rest is listed. */
export function BankReconciliation() {
  const go = useGo();
  const address = useAddress();
  const { data, error, refetch } = useQuery({ queryKey: useScreenKey('banks'), queryFn: () => api.GetBankLedgers({}) });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  const bank = data.find(({ ledger }) => ledger === address['ledger']) ?? data[0];
  if (!bank) return <Empty sentence={t('There is no ledger of a bank yet')} />;
  const choices = data.map(({ ledger, code, name, lines }) => ({
    value: ledger,
    label: `${code} ${name}${lines ? ` ${t('– {{lines}} open', { lines })}` : ''}`,
  }));
  return (
    <Reconciling
      key={bank.ledger}
      ledger={bank.ledger}
      currency={bank.currency ?? 'INR'}
      bank={
        <SelectField
          label={t('Bank')}
          span={2}
          value={bank.ledger}
          choices={choices}
          onChange={(ledger) => go('Bank Reconciliation', { ...address, ledger }, true)}
        />
      }
    />
  );
}

const segments = [
  ['', 'On the statement'],
  ['books', 'In the books'],
  ['matched', 'Matched'],
  ['rules', 'Rules'],
] as const;

/** Where documents of lines stand: where a new document begins. */
const usePlace = (): Place => {
  const session = useSession();
  const { location, registration } = usualPlace(session);
  return { registration, location };
};

function Reconciling({
  ledger,
  currency,
  bank,
}: {
  readonly ledger: string;
  readonly currency: string;
  readonly bank: React.ReactNode;
}) {
  const { grants, today } = useSession();
  const { format } = useDateFormat();
  const address = useAddress();
  const go = useGo();
  const [importing, setImporting] = useState(false);
  const asOf = address['asOf'] ?? today;
  const segment = address['show'] ?? '';
  const level = grants['CashBankList'] ?? 0;
  const mayWrite = allows(level, 'write');
  const { data, error, refetch } = useQuery({
    queryKey: useScreenKey('reconciliation', ledger, asOf),
    queryFn: () => api.GetReconciliation({ ledger, asOf }),
  });
  const change = (patch: Readonly<Record<string, string>>) => {
    const query = { ledger, asOf: address['asOf'] ?? '', show: segment, ...patch };
    go('Bank Reconciliation', Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')), true);
  };
  useKeys(mayWrite ? { 'alt+n': () => setImporting(true) } : {});
  const counts: Readonly<Record<string, number | undefined>> = { '': data?.lines.length, books: data?.entries.length };
  return (
    <Page fit>
      <PageHead
        title={t('Bank reconciliation')}
        actions={
          <>
            <Button onClick={() => go('CashBankList', { report: 'bankReconciliation', ledger, asOf })}>
              {t('Statement')}
            </Button>
            {mayWrite && (
              <Button look="primary" onClick={() => setImporting(true)} title={t('Alt N')}>
                {t('Import statement …')}
              </Button>
            )}
          </>
        }
      />
      <div className="fields">
        {bank}
        <DateField label={t('As on')} value={asOf} onChange={(day) => change({ asOf: day })} format={format} />
      </div>
      {error ? <ErrorPanel error={error} onRetry={() => void refetch()} /> : data ? <Figures standing={data} /> : null}
      <div className="filter-bar">
        <Segments
          label={t('What is shown')}
          choices={segments.map(([key, label]) => ({
            key,
            label: counts[key] === undefined ? t(label) : `${t(label)} ${counts[key]}`,
          }))}
          current={segment}
          onChange={(show) => change({ show })}
        />
      </div>
      {segment === 'rules' ? (
        <BankRules ledger={ledger} mayWrite={mayWrite} />
      ) : segment === 'matched' ? (
        <Matched ledger={ledger} currency={currency} mayWrite={mayWrite} />
      ) : !data ? (
        !error && <Skeleton />
      ) : segment === 'books' ? (
        <BookEntries ledger={ledger} currency={currency} entries={data.entries} mayWrite={mayWrite} />
      ) : (
        <Lines
          ledger={ledger}
          currency={currency}
          standing={data}
          mayWrite={mayWrite}
          onImport={() => setImporting(true)}
        />
      )}
      {importing && <ImportStatement ledger={ledger} currency={currency} onClose={() => setImporting(false)} />}
    </Page>
  );
}

/** From the books to the bank in one line; what differs is said. */
function Figures({ standing }: { readonly standing: Standing }) {
  const { books, bank, notShown, notBooked, statement, difference, more, worth } = standing;
  const currency = standing.currency ?? 'INR';
  const shown = (figure: string) => (currency === 'INR' ? money(figure) : inCurrency(figure, currency));
  const facts = [
    [t('Balance of the books'), books],
    [t('Not yet shown by the bank'), notShown],
    [t('Shown by the bank'), bank],
    [t('Not in the books'), notBooked],
    [t('Balance of the statement'), statement],
  ] as const;
  return (
    <>
      <dl className="bank-figures">
        {facts.map(([label, figure]) => (
          <div key={label}>
            <dt>{t(label)}</dt>
            <dd className="num">{figure === null ? '–' : shown(figure)}</dd>
          </div>
        ))}
      </dl>
      {worth !== null && (
        <p className="muted" role="status">
          {t('This account is kept in {{currency}}: the balance of the books is {{worth}}.', {
            currency,
            worth: rupees(worth),
          })}
        </p>
      )}
      {difference !== null && difference !== '0.00' && (
        <p className="note" data-tone="warn">
          {t(
            'The statement differs by {{difference}}. Under “In the books”, mark the entries that the bank had cleared before the ' +
              'first line of its statement.',
            { difference: inCurrency(difference, currency) },
          )}
        </p>
      )}
      {more && <p className="muted">{t('Only the oldest rows are listed; the figures count all.')}</p>}
    </>
  );
}

interface LinesProps {
  readonly ledger: string;
  readonly currency: string;
  readonly standing: Standing;
  readonly mayWrite: boolean;
  onImport(): void;
}

/** The lines of the statement that the books do not answer, with what each of them is likely to be. */
function Lines({ ledger, currency, standing, mayWrite, onImport }: LinesProps) {
  const { show } = useDateFormat();
  const place = usePlace();
  const { lines } = standing;
  const [settling, setSettling] = useState<Line | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const clear = () => setSelected(new Set());
  const chosen = lines.filter(({ id }) => selected.has(id));
  const proposed = (chosen.length > 0 ? chosen : lines).filter(isProposed);
  const { take, busy, reasons } = useTake(ledger, mayWrite, clear);
  useKeys({ 'ctrl+enter': () => void take(proposed) });
  const columns = useMemo(() => lineColumns(show, unitOf(currency)), [show, currency]);
  return (
    <>
      {mayWrite && proposed.length > 0 && (
        <Proposed
          count={proposed.length}
          isChosen={chosen.length > 0}
          busy={busy}
          onTake={() => void take(proposed)}
          onClear={clear}
        />
      )}
      <DataTable
        label={t('Lines of the statement that the books do not answer')}
        columns={columns}
        rows={lines}
        rowKey={({ id }) => id}
        {...(mayWrite
          ? {
              selected,
              onSelect: setSelected,
              onOpen: (line: Line) => setSettling(line),
              onAct: (line: Line) => void take(chosen.length > 0 ? proposed : [line].filter(isProposed)),
            }
          : {})}
        empty={
          <Empty
            sentence={
              standing.statement === null && standing.bank === '0.00'
                ? t('No statement is imported yet')
                : t('Every line of the statement is in the books')
            }
            {...(mayWrite ? { action: <Button onClick={onImport}>{t('Import statement …')}</Button> } : {})}
          />
        }
        card={(line) => ({
          title: line.text,
          meta: [show(line.date), line.reference, proposalOf(line)].filter(Boolean).join(' · '),
          amount: currency === 'INR' ? money(line.amount) : inCurrency(line.amount, currency),
        })}
      />
      {reasons}
      {settling && (
        <SettleLine
          ledger={ledger}
          currency={currency}
          line={settling}
          entries={standing.entries}
          place={place}
          onClose={() => setSettling(null)}
        />
      )}
    </>
  );
}

/** The amount of a line in the column of money that came in, or of money that went out. */
const amountOf = ({ amount }: Line, went: 'in' | 'out'): string =>
  amount.startsWith('-') === (went === 'out') ? money(amount.replace('-', '')) : '';

const lineColumns = (show: ReturnType<typeof useDateFormat>['show'], unit: string): readonly Column<Line>[] => [
  { key: 'date', label: t('Date'), width: 100, code: true, cell: (line) => show(line.date) },
  { key: 'text', label: t('Bank statement'), width: 330, cell: (line) => line.text },
  { key: 'reference', label: t('Reference'), width: 120, code: true, cell: (line) => line.reference },
  {
    key: 'in',
    label: t('In ({{currency}})', { currency: unit }),
    width: 110,
    numeric: true,
    cell: (line) => amountOf(line, 'in'),
  },
  {
    key: 'out',
    label: t('Out ({{currency}})', { currency: unit }),
    width: 110,
    numeric: true,
    cell: (line) => amountOf(line, 'out'),
  },
  { key: 'proposal', label: t('Likely'), width: 240, cell: proposalOf },
];

/** Takes what lines are likely to be: matched with entries, or posted as documents of their own. */
function useTake(ledger: string, mayWrite: boolean, done: () => void) {
  const cache = useQueryClient();
  const place = usePlace();
  const [busy, setBusy] = useState(false);
  const { dialog: reasons, reasoned } = useReasons(t('Post and match'));
  const rules = { queryKey: useScreenKey('bankRules'), queryFn: () => api.ListBankRules({}) };
  useQuery(rules);
  const take = async (which: readonly Line[]) => {
    if (busy || which.length === 0 || !mayWrite) return;
    setBusy(true);
    try {
      // who is quicker than the rules waits for them: without its rule a line would be passed over
      const taken = await accept(ledger, which, await cache.ensureQueryData(rules), place, reasoned);
      toast(saidWith(inWords(taken), taken.warnings));
      done();
    } catch (refused) {
      toastError(refused);
    } finally {
      setBusy(false);
      await cache.invalidateQueries({ queryKey: ['screen'] });
    }
  };
  return { take, busy, reasons };
}

const inWords = ({ matched, made, kept }: Awaited<ReturnType<typeof accept>>): string => {
  const waits = plural(
    kept,
    '{{count}} kept as a draft that needs approval',
    '{{count}} kept as drafts that need approval',
  );
  const said = [
    matched && t('{{matched}} matched', { matched }),
    made.length && t('{{made}} made', { made: made.join(', ') }),
    kept && waits,
  ];
  return said.filter(Boolean).join(', ');
};

interface ProposedProps {
  readonly count: number;
  /** Only lines that were selected count. */
  readonly isChosen: boolean;
  readonly busy: boolean;
  onTake(): void;
  onClear(): void;
}

/** How many lines are likely to be something, and the button that takes them all. */
function Proposed({ count, isChosen, busy, onTake, onClear }: ProposedProps) {
  return (
    <div className="filter-bar">
      <b role="status">
        {plural(count, 'One line is likely', '{{count}} lines are likely')} {isChosen && t('of those selected')}
      </b>
      <Button look="primary" busy={busy} onClick={onTake} title={t('Ctrl Enter')}>
        {t('Accept {{proposed}}', { proposed: count })}
      </Button>
      {isChosen && (
        <Button look="subtle" onClick={onClear}>
          {t('Clear')}
        </Button>
      )}
    </div>
  );
}
