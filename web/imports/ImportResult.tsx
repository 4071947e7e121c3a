import { useState } from 'react';
import { type RowOutcome, worksOn } from '../../contract/import-steps.ts';
import { importableOf } from '../../contract/importable.ts';
import { Button } from '../kit/Button.tsx';
import { Confirm } from '../kit/dialog/Dialog.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { TextField } from '../kit/fields/fields.tsx';
import { useGo } from '../kit/navigation.tsx';
import { ErrorPanel, Panel, Segments } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { plural, t } from '../kit/text.ts';
import { ImportRows } from './ImportRows.tsx';
import { keepFile } from './MasterFiles.tsx';
import { type ImportView, outcomeWords } from './steps.ts';
import { listOf } from './useImportable.ts';

const numberOf = ({ counts }: ImportView, ...outcomes: readonly RowOutcome[]): number =>
  outcomes.reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0);

interface Props {
  readonly found: ImportView;
  /** Goes back to what the columns mean. */
  onColumns(): void;
}

/** What is planned or done of the rows, with what can be done next. */
export function ImportResult({ found, onColumns }: Props) {
  const [outcome, setOutcome] = useState<RowOutcome | '' | null>(null);
  const there = outcomeWords.filter(([name]) => (found.counts[name] ?? 0) > 0);
  // before rows are imported, those with problems come first: they are what there is to do
  const usual = found.state === 'checked' ? 'refused' : '';
  const wanted = outcome ?? usual;
  const shown = there.some(([name]) => name === wanted) ? wanted : '';
  const choices = [
    { key: '', label: t('All {{count}}', { count: found.rows }) },
    ...there.map(([name, word]) => ({ key: name, label: `${t(word)} ${found.counts[name]}` })),
  ];
  const isChecked = !worksOn(found.state);
  return (
    <>
      <Progress found={found} />
      <Steps found={found} onColumns={onColumns} />
      {isChecked && (
        <Panel title={t('Rows')}>
          <div className="import-step">
            <Segments
              label={t('Rows')}
              choices={choices}
              current={shown}
              onChange={(key) => setOutcome(key as RowOutcome | '')}
            />
            <ImportRows key={shown} found={found} outcome={shown} />
          </div>
        </Panel>
      )}
    </>
  );
}

/** How far a job is. */
function Progress({ found }: { readonly found: ImportView }) {
  if (!worksOn(found.state) && found.state !== 'paused') return null;
  const said = t('{{done}} of {{rows}} rows', { done: found.done, rows: found.rows });
  return (
    <p role="status" className="import-progress">
      <progress aria-label={said} value={found.done} max={Math.max(1, found.rows)} /> {said}
    </p>
  );
}

/** What can be done with an import where it is. */
function Steps({ found, onColumns }: Props) {
  const go = useGo();
  const [asks, setAsks] = useState<'cancel' | 'undo' | null>(null);
  const [reason, setReason] = useState('');
  const { busy, error, run } = useRun();
  const which = { master: found.master, id: found.id };
  const ready = numberOf(found, 'add', 'change');
  const list = listOf(found.master);
  const refused = numberOf(found, 'refused', 'kept', 'stays');
  const is = (...states: readonly ImportView['state'][]): boolean => states.includes(found.state);
  const hasWritten = numberOf(found, 'added', 'changed') > 0;
  return (
    <>
      {error !== null && <ErrorPanel error={error} />}
      {is('checked') && found.asks > 0 && (
        <TextField
          label={plural(found.asks, 'Reason for the row that needs one', 'Reason for the {{count}} rows that need one')}
          value={reason}
          onChange={setReason}
        />
      )}
      <div className="import-actions">
        {is('checked') && (
          <Button
            look="primary"
            busy={busy}
            disabled={ready === 0 || (found.asks > 0 && reason.trim() === '')}
            onClick={() => void run(() => api.RunImport({ ...which, ...(reason.trim() && { reason }) }))}
          >
            {plural(ready, 'Import one row', 'Import {{count}} rows')}
          </Button>
        )}
        {is('checked') && <Button onClick={onColumns}>{t('Change columns')}</Button>}
        {is('paused') && (
          <Button look="primary" busy={busy} onClick={() => void run(() => api.RunImport(which))}>
            {t('Go on')}
          </Button>
        )}
        {is('importing') && (
          <Button busy={busy} onClick={() => void run(() => api.StopImport({ ...which, how: 'pause' }))}>
            {t('Pause')}
          </Button>
        )}
        {is('checking', 'checked', 'importing', 'paused') && (
          <Button look="danger" onClick={() => setAsks('cancel')}>
            {t('Cancel import')}
          </Button>
        )}
        {refused > 0 && is('checked', 'done', 'cancelled', 'undone') && (
          <Button busy={busy} onClick={() => void run(() => api.GetRefusedRows(which), keepFile)}>
            {plural(refused, 'Download the row with its reason', 'Download {{count}} rows with reasons')}
          </Button>
        )}
        {is('done', 'cancelled') && list && (
          <Button onClick={() => go(list)}>
            {t('Open {{list}}', { list: t(importableOf(found.master)?.plural) })}
          </Button>
        )}
        {hasWritten && is('done', 'cancelled', 'paused') && (
          <Button look="danger" onClick={() => setAsks('undo')}>
            {t('Undo import')}
          </Button>
        )}
      </div>
      {is('checked') && ready === 0 && <p role="status">{t('Nothing of this file would be added or changed.')}</p>}
      <Confirm
        open={asks === 'cancel'}
        question={t('Cancel this import?')}
        consequence={t('What it has imported stays, and can be undone.')}
        verb={t('Cancel import')}
        onConfirm={() => run(() => api.StopImport({ ...which, how: 'cancel' }))}
        onClose={() => setAsks(null)}
      />
      <Confirm
        open={asks === 'undo'}
        question={t('Undo this import?')}
        consequence={
          importableOf(found.master)?.kind
            ? t('Its documents are cancelled. Those that cannot be cancelled stay, and are listed with the reason.')
            : t(
                'What it added is deleted or deactivated, and what it changed is set back. What was used or changed since stays, and is ' +
                  'listed.',
              )
        }
        verb={t('Undo import')}
        onConfirm={() => run(() => api.UndoImport(which))}
        onClose={() => setAsks(null)}
      />
    </>
  );
}
