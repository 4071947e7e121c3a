import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type { closingCalls } from '../../contract/closing.ts';
import { Button } from '../kit/Button.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { ComboboxField, type Option } from '../kit/fields/Combobox.tsx';
import { focusFirstError, NumberField } from '../kit/fields/fields.tsx';
import { stopsAtUnchosen } from '../kit/fields/typing.ts';
import { money } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { Empty, ErrorPanel, figures, Panel, ScrollX, Skeleton, TableHead } from '../kit/parts.tsx';
import { Sentence } from '../kit/Sentence.tsx';
import { newKey, type Problem, problemsIn } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useScreenKey } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { usePick } from '../views/editor/searches.ts';

type Shown = z.output<typeof closingCalls.PreviewYearEnd.details>;

interface Owner {
  readonly key: string;
  readonly ledger: Option | null;
  readonly share: string;
}
const nobody = (): Owner => ({ key: newKey(), ledger: null, share: '' });

/** What closing a year will post, and who takes the profit; nothing is posted before it was seen. */
export function CloseYear({ year, onDone }: { readonly year: string; onDone(): void }) {
  const [key] = useState(newKey);
  const [owners, setOwners] = useState<readonly Owner[]>([]);
  const { busy, error: refused, run } = useRun();
  const head = useRef<HTMLDivElement>(null);
  const complete = owners.every(({ ledger, share }) => ledger && share !== '');
  const shares = owners.map(({ ledger, share }) => ({ ledger: ledger?.id ?? '', share }));
  const { data, error, refetch } = useQuery({
    queryKey: useScreenKey('yearEnd', year, shares),
    queryFn: () => api.PreviewYearEnd({ year, shares }),
    placeholderData: keepPreviousData,
    enabled: complete,
    retry: false,
  });
  const problems = problemsIn(error);
  const isShown = complete && !error && data !== undefined;
  const isFree = isShown && data.obstacles.length === 0;
  // in braces: newer browsers answer with a promise, which is no way to take an effect back
  useEffect(() => {
    head.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const close = async () => {
    if (stopsAtUnchosen(head.current ?? undefined)) return;
    if (!complete || error) return focusFirstError();
    if (!isFree) return;
    await run(async () => {
      await api.CloseYear({ year, shares, profit: data.profit }, key).catch(async (refusal) => {
        await refetch();
        throw refusal;
      });
      toast(t('{{year}} is closed', { year }));
    }, onDone);
  };
  useKeys({ 'ctrl+enter': () => void close(), escape: onDone });
  return (
    <div ref={head} className="stack">
      <Panel title={t('Closing of {{year}}', { year })}>
        <div className="stack">
          {refused != null && <ErrorPanel error={refused} />}
          {error && problems.length === 0 ? <ErrorPanel error={error} onRetry={() => void refetch()} /> : null}
          <Owners owners={owners} problems={problems} onChange={setOwners} />
          {data ? <Posting shown={data} /> : !error && <Skeleton rows={4} />}
          <div className="button-row">
            <Button
              look="primary"
              busy={busy}
              disabled={data !== undefined && data.obstacles.length > 0}
              onClick={() => void close()}
              title={t('Ctrl Enter')}
            >
              {t('Close {{year}}', { year })}
            </Button>
            <Button onClick={onDone}>{t('Not now')}</Button>
          </div>
        </div>
      </Panel>
    </div>
  );
}

/** A company keeps its profit in reserves; partners and proprietors have it shared out to their capital. */
function Owners({
  owners,
  problems,
  onChange,
}: {
  readonly owners: readonly Owner[];
  readonly problems: readonly Problem[];
  onChange(owners: readonly Owner[]): void;
}) {
  const search = usePick('ownerLedger');
  const set = (key: string, patch: Partial<Owner>) =>
    onChange(owners.map((owner) => (owner.key === key ? { ...owner, ...patch } : owner)));
  const problemAt = (field: string, row: number) =>
    problems.find((problem) => problem.field === field && problem.row === row)?.message;
  return (
    <div className="stack">
      {owners.length === 0 && <p>{t('All of the profit goes to retained earnings.')}</p>}
      {owners.map((owner, row) => (
        <div key={owner.key} className="fields">
          <ComboboxField
            label={t("Owner's ledger {{row}}", { row: row + 1 })}
            span={2}
            required
            value={owner.ledger}
            search={search}
            onChange={(ledger) => set(owner.key, { ledger })}
            error={problemAt('shares.ledger', row)}
          />
          <NumberField
            label={t('Share {{row}} (%)', { row: row + 1 })}
            required
            places={4}
            value={owner.share}
            onChange={(share) => set(owner.key, { share })}
            error={problemAt('shares.share', row)}
          />
        </div>
      ))}
      <div className="button-row">
        <Button onClick={() => onChange([...owners, nobody()])}>
          {owners.length === 0 ? t('Share among owners …') : t('One more owner')}
        </Button>
        {owners.length > 0 && (
          <Button look="subtle" onClick={() => onChange([])}>
            {t('All to retained earnings')}
          </Button>
        )}
      </div>
    </div>
  );
}

function Posting({ shown }: { readonly shown: Shown }) {
  const isLoss = shown.profit.startsWith('-');
  return (
    <>
      {shown.obstacles.map((sentence) => (
        <p key={sentence} className="note" data-tone="bad">
          {t('{{year}} cannot be closed: {{sentence}}.', { year: shown.year, sentence: t(sentence) })}
        </p>
      ))}
      {shown.notes.map((sentence) => (
        <p key={sentence} className="note" data-tone="warn">
          {t(sentence)}.
        </p>
      ))}
      <p role="status">
        <Sentence
          text="{{isLoss}} of {{year}}: {{profit}}. Closing locks the books up to the end of the year."
          values={{
            isLoss: isLoss ? t('Loss') : t('Profit'),
            year: shown.year,
            profit: <b>₹ {money(shown.profit.replace('-', ''))}</b>,
          }}
        />
      </p>
      {shown.entries.length === 0 ? (
        <Empty sentence={t('There is neither income nor expense: no entry is posted, and the year is locked')} />
      ) : (
        <ScrollX label={t('What is posted')}>
          <table className="plain-table">
            <TableHead columns={[t('Location'), t('Ledger'), figures(t('Debit (₹)')), figures(t('Credit (₹)'))]} />
            <tbody>
              {shown.entries.map((entry, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the same ledger may stand twice, and rows are never moved
                <tr key={at}>
                  <td>{entry.location}</td>
                  <td>
                    <span className="code">{entry.code}</span> {entry.name}
                  </td>
                  <td className="num">{entry.debit === '0.00' ? '' : money(entry.debit)}</td>
                  <td className="num">{entry.credit === '0.00' ? '' : money(entry.credit)}</td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <td colSpan={2}>{t('Total')}</td>
                <td className="num">{money(shown.total)}</td>
                <td className="num">{money(shown.total)}</td>
              </tr>
            </tfoot>
          </table>
        </ScrollX>
      )}
    </>
  );
}
