import { useState } from 'react';
import { importableOf } from '../../contract/importable.ts';
import { Button } from '../kit/Button.tsx';
import { useAddress, useGo } from '../kit/navigation.tsx';
import { Empty, ErrorPanel, Page, PageHead, Skeleton } from '../kit/parts.tsx';
import { t, translated } from '../kit/text.ts';
import { NextFromTally } from './FromTally.tsx';
import { ImportColumns } from './ImportColumns.tsx';
import { ImportFile } from './ImportFile.tsx';
import { ImportResult } from './ImportResult.tsx';
import { ImportState } from './Imports.tsx';
import { type ImportView, useImport } from './steps.ts';
import '../views/views.css';
import './imports.css';

/** An import from the file to its end. Each step is a state of the import, so it can be left and opened again. */
export function ImportWizard() {
  const { master = '', id = '' } = useAddress();
  const go = useGo();
  const label = t(importableOf(master)?.plural);
  const begin = (chosen: string) => go('FileImportNew', { master: chosen });
  const { data, error, refetch } = useImport(master, id);
  const title = label ? t('Import {{label}}', { label }) : t('Import a file');
  if (id === '')
    return (
      <Page narrow>
        <PageHead title={title} />
        <ImportFile
          master={master}
          onBegun={(chosen, made) => go('FileImportNew', { master: chosen, id: made }, true)}
        />
      </Page>
    );
  return (
    <Page narrow>
      <PageHead
        title={title}
        beside={data && <ImportState state={data.state} />}
        actions={
          <>
            {data && <NextFromTally found={data} />}
            <Button onClick={() => begin(master)}>{t('Another file')}</Button>
          </>
        }
      />
      {error && !data && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton rows={6} />}
      {data && (
        <>
          <p className="muted">{t('{{name}}, {{rows}} rows', { name: data.name, rows: data.rows })}</p>
          <Step key={data.state === 'mapping' ? 'mapping' : 'rows'} found={data} onAgain={() => begin(master)} />
        </>
      )}
    </Page>
  );
}

function Step({ found, onAgain }: { readonly found: ImportView; onAgain(): void }) {
  const [maps, setMaps] = useState(false);
  if (maps && found.state === 'checked') return <ImportColumns found={found} onDone={() => setMaps(false)} />;
  switch (found.state) {
    case 'receiving':
      return (
        <Empty
          sentence={t('The file did not arrive as a whole')}
          action={<Button onClick={onAgain}>{t('Send it again')}</Button>}
        />
      );
    case 'reading':
      return <p role="status">{t('The file is being read …')}</p>;
    case 'mapping':
      return <ImportColumns found={found} />;
    case 'failed':
      return (
        <Empty
          sentence={found.problem ? translated(found.problem) : t('The file could not be read')}
          action={<Button onClick={onAgain}>{t('Choose another file')}</Button>}
        />
      );
    default:
      return <ImportResult found={found} onColumns={() => setMaps(true)} />;
  }
}
