import { IconFileImport } from '@tabler/icons-react';
import { masterOf } from '../../contract/masters.ts';
import { Button } from '../kit/Button.tsx';
import { blobOf, download } from '../kit/dialog/download.ts';
import { toast } from '../kit/dialog/toast.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { useGo } from '../kit/navigation.tsx';
import { api } from '../kit/server/client.ts';
import { t } from '../kit/text.ts';
import { useImportable } from './useImportable.ts';

interface File {
  readonly name: string;
  readonly type: string;
  readonly content: string;
}
/** Gives the person a file that the server made. */
export const keepFile = ({ name, type, content }: File): void => download(name, blobOf(content, type));

/** On the list of a master: to import records, and to have all of them in the form that the import takes. */
export function MasterFiles({ master }: { readonly master: string }) {
  const go = useGo();
  const importable = useImportable();
  const { busy, run } = useRun((error) => toast(String((error as Error).message)));
  if (masterOf(master)?.notImported || !importable.some((name) => name === master)) return null;
  const save = (format: 'csv' | 'xlsx') => void run(() => api.ExportMaster({ master, format }), keepFile);
  return (
    <>
      <Button icon={<IconFileImport size={16} aria-hidden />} onClick={() => go('FileImportNew', { master })}>
        {t('Import …')}
      </Button>
      <Button busy={busy} title={t('All records, in the form that the import takes')} onClick={() => save('csv')}>
        {t('CSV')}
      </Button>
      <Button busy={busy} title={t('All records, in the form that the import takes')} onClick={() => save('xlsx')}>
        {t('Excel')}
      </Button>
    </>
  );
}
