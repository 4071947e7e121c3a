import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../kit/Button.tsx';
import { download } from '../../kit/dialog/download.ts';
import { toast, toastError } from '../../kit/dialog/toast.tsx';
import { plainNumber } from '../../kit/format.ts';
import { ScreenLink } from '../../kit/navigation.tsx';
import { Panel } from '../../kit/parts.tsx';
import { api } from '../../kit/server/client.ts';
import { useScreenKey } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { editLogLines } from './editLog.ts';
import verifier from './verify-edit-log.mjs?raw';

/** The edit log taken away and verified without the product: every change of every record, sealed into a chain. */
export function EditLog({ code }: { readonly code: string }) {
  const [busy, setBusy] = useState(false);
  const key = useScreenKey('editLog');
  // nothing is shown to those who may not export it
  const { data } = useQuery({ queryKey: key, queryFn: () => api.GetEditLogEnd({}), retry: false });
  if (!data?.end) return null;
  const save = async () => {
    setBusy(true);
    try {
      const lines = await editLogLines(code, (input) => api.ExportEditLog(input));
      download(
        `${code}-edit-log.ndjson`,
        new Blob(
          lines.map((line) => `${line}\n`),
          { type: 'application/x-ndjson' },
        ),
      );
      toast(
        t('The edit log is exported: {{lines}} rows', {
          lines: lines.filter((line) => line.startsWith('{"sequence"')).length,
        }),
      );
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Panel title={t('Edit log')}>
      <div className="stack">
        <p className="muted">
          {t(
            'Every change of every record is logged with user, time, old and new values, and sealed into a chain. The verifier is ' +
              'one small script that only needs Node; it finds any row that was changed, removed or added. Once a day the chain is ' +
              'signed outside the database; the signatures are exported with it. Write down the last seal in a place that Bahi cannot ' +
              'reach: every later export must still contain it.',
          )}
        </p>
        <dl className="facts">
          <div>
            <dt>{t('Rows sealed')}</dt>
            <dd>{plainNumber(String(data.end.sequence))}</dd>
          </div>
          <div>
            <dt>{t('Last seal')}</dt>
            <dd className="code seal">{`${data.end.sequence}:${data.end.seal}`}</dd>
          </div>
        </dl>
        <div className="button-row">
          <Button icon={<IconDownload size={16} aria-hidden />} busy={busy} onClick={() => void save()}>
            {t('Export edit log')}
          </Button>
          <Button
            icon={<IconDownload size={16} aria-hidden />}
            onClick={() => download('verify-edit-log.mjs', new Blob([verifier], { type: 'text/javascript' }))}
          >
            {t('Download verifier')}
          </Button>
          <ScreenLink screen="ClientUsers" query={{ report: 'securityLog' }}>
            {t('Security log: sign-ins, refusals, exports, rights')}
          </ScreenLink>
          <ScreenLink screen="Journal Reports" query={{ report: 'acceptedWarnings' }}>
            {t('Warnings posted with a reason')}
          </ScreenLink>
        </div>
      </div>
    </Panel>
  );
}
