import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { exchangeCalls } from '../../contract/exchange.ts';
import { allows } from '../../contract/levels.ts';
import { financialYearOf } from '../../domain/base/dates.ts';
import { kindLabel } from '../../domain/document/kinds/index.ts';
import { Button } from '../kit/Button.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { useReasons } from '../kit/dialog/useReasons.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { DateField } from '../kit/fields/fields.tsx';
import { money } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { useAddress, useGo } from '../kit/navigation.tsx';
import {
  Badge,
  Empty,
  ErrorPanel,
  figures,
  Page,
  PageHead,
  Panel,
  ScrollX,
  Skeleton,
  TableHead,
} from '../kit/parts.tsx';
import { newKey } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { useGoTo, usePlaces } from '../views/places.ts';
import { CancelDialog, type How } from '../views/view/CancelDialog.tsx';
import { MoneyHeld, RestatedFigures, signed, Together } from './MoneyHeld.tsx';
import { RateDialog } from './RateDialog.tsx';
import '../views/views.css';

type Preview = z.output<typeof exchangeCalls.PreviewRevaluation.details>;
type Done = z.output<typeof exchangeCalls.ListRevaluations.details>[number];

const mayPost = (level: number): boolean => allows(level, 'write');

/** Open balances in other currencies at the rate of a day: seen document by document, then posted, and taken back on the next day. */
export function Restatement() {
  const { today, grants } = useSession();
  const { format } = useDateFormat();
  const address = useAddress();
  const go = useGo();
  const asOf = address['asOf'] ?? lastYearEnd(today);
  const level = grants['JournalVouchers'] ?? 0;
  return (
    <Page>
      <PageHead
        title={t('Foreign balances')}
        actions={<Button onClick={() => go('Exchange Rates', {})}>{t('Exchange rates')}</Button>}
      />
      <div className="fields">
        <DateField
          label={t('At the rates of')}
          value={asOf}
          format={format}
          onChange={(day) => go('Restatement', { asOf: day }, true)}
        />
      </div>
      {mayPost(level) ? (
        <Previewed key={asOf} asOf={asOf} />
      ) : (
        <Empty sentence={t('Users who may write journals see the gain or loss on open balances here')} />
      )}
      <Restated mayTakeBack={allows(level, 'approve')} />
    </Page>
  );
}

/** The day before this financial year began: balances are restated for its balance sheet. */
const lastYearEnd = (today: string): string => `${financialYearOf(today).start.slice(0, 4)}-03-31`;

function Previewed({ asOf }: { readonly asOf: string }) {
  const [key, setKey] = useState(newKey);
  const { busy, error: refused, run } = useRun();
  const { dialog: reasons, reasoned } = useReasons(t('Post'));
  const [entering, setEntering] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: useScreenKey('restatement', asOf),
    queryFn: () => api.PreviewRevaluation({ asOf }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isFree = data !== undefined && data.hindrances.length === 0 && data.entries.length > 0;
  const post = async () => {
    if (!isFree) return;
    await run(async () => {
      // what was refused may have changed under us: it is shown as it now is
      const asked = { asOf, difference: data.difference };
      const { journals } = await reasoned((given) => api.PostRevaluation({ ...asked, ...given }, key)).catch(
        async (refusal) => {
          await refetch();
          throw refusal;
        },
      );
      toast(
        t('{{journals}} posted', { journals: journals.map(({ TransactionNumber }) => TransactionNumber).join(', ') }),
      );
      setKey(newKey());
    });
  };
  useKeys({ 'ctrl+enter': () => void post() });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={4} />;
  return (
    <>
      {refused != null && <ErrorPanel error={refused} />}
      {data.hindrances.length > 0 && (
        <div className="note" data-tone="warn">
          <ul>
            {data.hindrances.map((sentence) => (
              <li key={sentence}>{t(sentence)}</li>
            ))}
          </ul>
          {data.missing.length > 0 && (
            <div className="button-row">
              {data.missing.map((currency) => (
                <Button key={currency} onClick={() => setEntering(currency)}>
                  {t('Enter the rate of {{currency}}', { currency })}
                </Button>
              ))}
            </div>
          )}
        </div>
      )}
      <Balances data={data} />
      {data.money.length > 0 && <MoneyHeld data={data} />}
      {data.entries.length > 0 && <Posting data={data} />}
      {(data.balances.length > 0 || data.money.length > 0) && (
        <div className="button-row">
          <Button look="primary" busy={busy} disabled={!isFree} title={t('Ctrl Enter')} onClick={() => void post()}>
            {data.balances.length > 0 ? t('Post and take back on the next day') : t('Post')}
          </Button>
        </div>
      )}
      {reasons}
      {entering && <RateDialog given={{ currency: entering, date: asOf }} onClose={() => setEntering(null)} />}
    </>
  );
}

function Balances({ data }: { readonly data: Preview }) {
  const { show } = useDateFormat();
  const places = usePlaces();
  const goTo = useGoTo();
  if (data.balances.length === 0)
    return data.money.length > 0 ? null : <Empty sentence={t('Nothing was open in another currency on this day')} />;
  return (
    <Panel title={t('Open balances')}>
      <ScrollX label={t('Open balances')}>
        <table className="plain-table">
          <TableHead
            columns={[
              t('Document'),
              t('Party'),
              figures(t('Open')),
              figures(t('In the books (₹)')),
              figures(t('Rate')),
              figures(t('At this rate (₹)')),
              figures(t('Gain or loss (₹)')),
            ]}
          />
          <tbody>
            {data.balances.map((row) => {
              const view = places(row.kind, 'documentView');
              return (
                <tr key={`${row.document}/${row.line}`}>
                  <td>
                    {view ? (
                      <button type="button" className="link one-line" onClick={() => goTo(view, { id: row.document })}>
                        {row.number}
                      </button>
                    ) : (
                      row.number
                    )}
                    <div className="muted">
                      {t(kindLabel(row.kind))}, {show(row.date)}
                    </div>
                  </td>
                  <td className="wrap">{row.party}</td>
                  <RestatedFigures foreign={row.open} row={row} />
                </tr>
              );
            })}
          </tbody>
          <tfoot>
            <Together rows={data.balances} span={6} />
          </tfoot>
        </table>
      </ScrollX>
    </Panel>
  );
}

function Posting({ data }: { readonly data: Preview }) {
  return (
    <Panel title={t('What is posted')}>
      <ScrollX label={t('What is posted')}>
        <table className="plain-table">
          <TableHead columns={[t('Ledger'), t('Location'), figures(t('Debit (₹)')), figures(t('Credit (₹)'))]} />
          <tbody>
            {data.entries.map((entry, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: gains and losses may have the same ledger, and the rows never move
              <tr key={at}>
                <td>
                  <span className="code">{entry.code}</span> {entry.name}
                </td>
                <td>{entry.location}</td>
                <td className="num">{entry.debit === '0.00' ? '' : money(entry.debit)}</td>
                <td className="num">{entry.credit === '0.00' ? '' : money(entry.credit)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
      <p className="muted">
        {t(
          'The accounts of the parties do not change. Their part is reversed on the next day, so that each settlement gains or loses ' +
            'against the booked rate.',
        )}
      </p>
    </Panel>
  );
}

/** The journal of a day, and the one that takes it back where there is one. */
const journalsOf = ({
  journal,
  journalNumber,
  reversal,
  reversalNumber,
}: Done): readonly (readonly [string, string])[] => [
  [journal, journalNumber],
  ...(reversal && reversalNumber ? [[reversal, reversalNumber] as const] : []),
];

/** Takes the journals of a day back. */
const takeBack = async (done: Done, reason: string, { today }: How): Promise<void> => {
  await api.TakeBackRevaluation({ id: done.id, reason, ...(today && { today }) }, newKey());
  const numbers = journalsOf(done).map(([, number]) => number);
  toast(
    t('{{numbers}} {{numbers2}} cancelled', {
      numbers: numbers.join(' and '),
      numbers2: numbers.length > 1 ? t('are') : t('is'),
    }),
  );
};

/** Days that were restated, and the way back. */
function Restated({ mayTakeBack }: { readonly mayTakeBack: boolean }) {
  const [asking, setAsking] = useState<Done | null>(null);
  const { data } = useQuery({ queryKey: useScreenKey('restated'), queryFn: () => api.ListRevaluations({}) });
  if (!data?.length) return null;
  return (
    <Panel title={t('Restated days')}>
      <Stale rows={data} mayTakeBack={mayTakeBack} />
      <Days rows={data} {...(mayTakeBack && { onTakeBack: setAsking })} />
      {asking && (
        <CancelDialog
          names={journalsOf(asking).map(([, number]) => number)}
          what={t('journals')}
          says={t('Each journal is reversed on its own day. The numbers stay used, and are shown as cancelled.')}
          notes={[]}
          onCancel={(reason, how) => takeBack(asking, reason, how)}
          onClose={() => setAsking(null)}
        />
      )}
    </Panel>
  );
}

/** The days whose figures have changed since, each to be restated again. */
function Stale({ rows, mayTakeBack }: { readonly rows: readonly Done[]; readonly mayTakeBack: boolean }) {
  const { show } = useDateFormat();
  const go = useGo();
  const { busy, error, run } = useRun();
  /** All of the day goes, and the day is shown as it is now, to be posted. */
  const restateAgain = (day: string) =>
    run(
      async () => {
        for (const { id, asOf, cancelled } of rows)
          if (asOf === day && !cancelled)
            await api.TakeBackRevaluation({ id, reason: t('The figures of its day have changed') }, newKey());
      },
      () => go('Restatement', { asOf: day }),
    );
  const stale = [...new Set(rows.flatMap((row) => (row.stale ? [row.asOf] : [])))];
  return (
    <>
      {error != null && <ErrorPanel error={error} />}
      {stale.map((day) => (
        <div key={day} className="note" data-tone="warn">
          <p>
            {t(
              'The figures of {{day}} have changed since they were restated: a document or a rate of that day or before was entered, ' +
                'changed or cancelled. Take back its journals and restate it again.',
              { day: show(day) },
            )}
          </p>
          {mayTakeBack && (
            <div className="button-row">
              <Button busy={busy} onClick={() => void restateAgain(day)}>
                {t('Restate {{day}} again', { day: show(day) })}
              </Button>
            </div>
          )}
        </div>
      ))}
    </>
  );
}

interface DaysProps {
  readonly rows: readonly Done[];
  /** Left out for who may not. */
  onTakeBack?(row: Done): void;
}

function Days({ rows, onTakeBack }: DaysProps) {
  const { show } = useDateFormat();
  return (
    <ScrollX label={t('Restated days')}>
      <table className="plain-table">
        <TableHead
          columns={[
            t('Day'),
            t('Location'),
            t('Journals'),
            figures(t('Gain or loss (₹)')),
            t('By'),
            { label: t('Take back'), hidden: true },
          ]}
        />
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td className="one-line">{show(row.asOf)}</td>
              <td>{row.location}</td>
              <td>
                <Journals row={row} />
              </td>
              <td className="num">{signed(row.difference)}</td>
              <td>{row.by}</td>
              <td>
                {row.cancelled ? (
                  <Badge word="Cancelled" />
                ) : (
                  onTakeBack && (
                    <Button look="subtle" onClick={() => onTakeBack(row)}>
                      {t('Take back')}
                    </Button>
                  )
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}

function Journals({ row }: { readonly row: Done }) {
  const go = useGo();
  return journalsOf(row).map(([id, number]) => (
    <button key={id} type="button" className="link" onClick={() => go('JournalVouchers', { show: 'documentView', id })}>
      {number}
    </button>
  ));
}
