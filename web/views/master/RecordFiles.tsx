import { useRef } from 'react';
import { Button } from '../../kit/Button.tsx';
import { blobOf, download } from '../../kit/dialog/download.ts';
import { attachable, contentOf, sizeText } from '../../kit/dialog/files.ts';
import { toast, toastError } from '../../kit/dialog/toast.tsx';
import { ErrorPanel, Panel } from '../../kit/parts.tsx';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../../kit/server/session.ts';
import { useKept } from '../../kit/server/useKept.ts';
import { t } from '../../kit/text.ts';

type Files = Awaited<ReturnType<typeof api.GetRecordFiles>>;

interface Props {
  readonly master: string;
  readonly id: string;
  readonly mayWrite: boolean;
}

/** Files of a customer, a supplier or an item: contracts, certificates, drawings. */
export function RecordFiles({ master, id, mayWrite }: Props) {
  const key = useScreenKey('files', master, id);
  const { data, error, refetch, busy, run } = useKept(key, () => api.GetRecordFiles({ master, id }));
  const { show } = useDateFormat();
  const chooser = useRef<HTMLInputElement>(null);
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data || (!mayWrite && data.length === 0)) return null;
  const open = async ({ record, number }: Files[number]) => {
    try {
      const { name, type, content } = await api.GetRecordFile({ master, id: record, number });
      download(name, blobOf(content, type));
    } catch (problem) {
      toastError(problem);
    }
  };
  const attach = async (files: FileList | null) => {
    for (const file of files ?? []) {
      const name = file.name.slice(0, 150);
      if (await run(async () => api.AttachToRecord({ master, id, name, content: await contentOf(file) })))
        toast(t('{{name}} is attached', { name }));
    }
    if (chooser.current) chooser.current.value = '';
  };
  return (
    <Panel
      title={t('Files')}
      actions={
        mayWrite && (
          <Button busy={busy} onClick={() => chooser.current?.click()}>
            {t('Attach file')}
          </Button>
        )
      }
    >
      {data.length === 0 ? (
        <p className="muted">{t('No files yet')}</p>
      ) : (
        <ul className="plain-list">
          {data.map((file) => (
            <li key={`${file.record}/${file.number}`}>
              <span>
                <button type="button" className="link" onClick={() => void open(file)}>
                  {file.name}
                </button>{' '}
                <span className="muted">
                  {sizeText(file.size)} · {file.by} · {show(file.at)}
                </span>
              </span>
              {mayWrite && (
                <Button
                  look="subtle"
                  aria-label={t('Take away {{name}}', { name: file.name })}
                  onClick={() => void run(() => api.RemoveRecordFile({ master, id: file.record, number: file.number }))}
                >
                  {t('Take away')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <input
        ref={chooser}
        type="file"
        hidden
        multiple
        aria-label={t('Files to attach')}
        accept={attachable}
        onChange={(event) => void attach(event.target.files)}
      />
    </Panel>
  );
}
