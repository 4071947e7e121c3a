import { useMemo, useState } from 'react';
import { importableOf } from '../../contract/importable.ts';
import { columnsOf, columnsToWrite, type SheetFields } from '../../domain/imports/sheet.ts';
import { Button } from '../kit/Button.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { Checkbox } from '../kit/fields/fields.tsx';
import { useOwnFields } from '../kit/fields/own-master.ts';
import { ErrorPanel, Panel, ScrollX } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { plural, t } from '../kit/text.ts';
import type { ImportView } from './steps.ts';

/** Targets that are offered: the fields, rows by their names, and of numbered rows the first ones and those that are chosen. */
const useTargets = (master: string, chosen: readonly (string | null)[]) => {
  const own = useOwnFields(master);
  return useMemo(() => {
    const fields = own as SheetFields;
    const first = new Set(columnsToWrite(fields, () => 2).map(({ target }) => target));
    return columnsOf(fields).filter(
      ({ target, row }) => first.has(target) || chosen.includes(target) || (row && !/^\d+$/.test(row.at)),
    );
  }, [own, chosen]);
};

/** What the columns mean: recognised, or remembered from the last file with these headings; confirmed before rows are checked. */
export function ImportColumns({ found, onDone }: { readonly found: ImportView; readonly onDone?: () => void }) {
  const [columns, setColumns] = useState<readonly (string | null)[]>(found.columns);
  const [changes, setChanges] = useState(found.existing === 'change');
  const targets = useTargets(found.master, columns);
  const { busy, error, run } = useRun();
  const choose = (at: number, target: string) =>
    setColumns((before) => before.map((one, n) => (n === at ? target || null : one)));
  const missing = targets.filter(
    ({ field, target }) => field.required && !field.initial && !target.includes('.') && !columns.includes(target),
  );
  const check = () =>
    void run(
      () =>
        api.MapImport({
          master: found.master,
          id: found.id,
          version: found.version,
          columns: [...columns],
          existing: changes ? 'change' : 'keep',
        }),
      onDone,
    );
  const twice = columns.filter((target, at) => target !== null && columns.indexOf(target) !== at);
  return (
    <Panel title={t('Columns')}>
      <div className="import-step">
        <p>
          {found.remembered
            ? t('These are the columns as they were chosen for a file with the same headings.')
            : t('Check what each column means. What is left empty is not imported.')}
        </p>
        <ScrollX label={t('Columns')}>
          <table className="plain-table import-columns">
            <thead>
              <tr>
                <th scope="col">{t('Column of the file')}</th>
                <th scope="col">{t('First values')}</th>
                <th scope="col">{t('Means')}</th>
              </tr>
            </thead>
            <tbody>
              {found.headings.map((heading, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                <tr key={at}>
                  <th scope="row">{heading || t('Column {{number}}', { number: at + 1 })}</th>
                  <td className="muted">{(found.samples[at] ?? []).filter((one) => one !== '').join(' · ')}</td>
                  <td>
                    <select
                      className="input"
                      aria-label={t('What {{heading}} means', { heading: heading || at + 1 })}
                      aria-invalid={twice.includes(columns[at] ?? null) || undefined}
                      value={columns[at] ?? ''}
                      onChange={(event) => choose(at, event.target.value)}
                    >
                      <option value="">{t('Not imported')}</option>
                      {targets.map(({ target, heading: name }) => (
                        <option key={target} value={target}>
                          {t(name)}
                        </option>
                      ))}
                    </select>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollX>
        {missing.length > 0 && (
          <p className="muted">
            {t('No column means: {{missing}}. What is added needs it.', {
              missing: missing.map(({ heading }) => t(heading)).join(', '),
            })}
          </p>
        )}
        {twice.length > 0 && <p role="alert">{t('Two columns mean the same: choose another for one of them.')}</p>}
        {!importableOf(found.master)?.kind && (
          <Checkbox
            label={t('Change records that are there already')}
            checked={changes}
            onChange={setChanges}
            help={t('Off: they stay as they are, and are listed. Empty cells never change anything.')}
          />
        )}
        {error !== null && <ErrorPanel error={error} />}
        <div className="import-actions">
          <Button look="primary" busy={busy} disabled={twice.length > 0} onClick={check}>
            {plural(found.rows, 'Check one row', 'Check {{count}} rows')}
          </Button>
        </div>
      </div>
    </Panel>
  );
}
