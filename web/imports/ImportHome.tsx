import { importableOf } from '../../contract/importable.ts';
import { Button } from '../kit/Button.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { useGo } from '../kit/navigation.tsx';
import { Empty, Page, PageHead, Panel } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { t } from '../kit/text.ts';
import { FromTally } from './FromTally.tsx';
import { keepFile } from './MasterFiles.tsx';
import { notImported, useImportable } from './useImportable.ts';
import '../views/views.css';
import './imports.css';

/** What can be imported, with an empty sheet for each. */
export function ImportHome() {
  const go = useGo();
  const importable = useImportable();
  const { busy, run } = useRun((error) => toast(String((error as Error).message)));
  const template = (master: string, format: 'csv' | 'xlsx') =>
    void run(() => api.GetImportTemplate({ master, format }), keepFile);
  return (
    <Page narrow>
      <PageHead
        title={t('Import')}
        actions={
          <>
            <Button onClick={() => go('Data Import')}>{t('Imports so far')}</Button>
            {importable.length > 0 && (
              <Button look="primary" onClick={() => go('FileImportNew')}>
                {t('Import a file')}
              </Button>
            )}
          </>
        }
      />
      <p className="muted">
        {t(
          'CSV, XLSX or pasted cells, also as other programs export them: columns are recognised by their headings, every row is ' +
            'checked before anything is written, and an import can be undone.',
        )}
      </p>
      <FromTally />
      {importable.length === 0 ? (
        <Empty sentence={t('Importing is for people who may write masters and have the right to import')} />
      ) : (
        <Panel title={t('What can be imported')}>
          <ul className="import-masters">
            {importable.map((name) => {
              const label = t(importableOf(name)?.plural) ?? name;
              return (
                <li key={name}>
                  <strong>{label}</strong>
                  <span className="import-actions">
                    <Button
                      busy={busy}
                      aria-label={t('CSV template of {{label}}', { label })}
                      onClick={() => template(name, 'csv')}
                    >
                      {t('CSV template')}
                    </Button>
                    <Button
                      busy={busy}
                      aria-label={t('XLSX template of {{label}}', { label })}
                      onClick={() => template(name, 'xlsx')}
                    >
                      {t('XLSX template')}
                    </Button>
                    <Button
                      aria-label={t('Import {{label}}', { label })}
                      onClick={() => go('FileImportNew', { master: name })}
                    >
                      {t('Import')}
                    </Button>
                  </span>
                </li>
              );
            })}
          </ul>
        </Panel>
      )}
      <Panel title={t('What is not imported')}>
        <ul>
          {notImported.map(([label, why]) => (
            <li key={label}>{t('{{label}}: {{why}}', { label: t(label), why: t(why) })}</li>
          ))}
        </ul>
      </Panel>
    </Page>
  );
}
