import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../kit/Button.tsx';
import { ErrorPanel, Panel, Skeleton } from '../../kit/parts.tsx';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';

/** Who changed the record, when, from what to what; fetched when it is opened. */
export function History({ name, id }: { readonly name: string; readonly id: string }) {
  const [open, setOpen] = useState(false);
  const { show } = useDateFormat();
  const key = useScreenKey('history', name, id);
  const { data, error, isPending } = useQuery({
    queryKey: key,
    queryFn: () => api.GetHistory({ master: name, id }),
    enabled: open,
  });
  return (
    <Panel
      title={t('History')}
      actions={
        <Button look="subtle" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t('Hide history') : t('Show history')}
        </Button>
      }
    >
      {open && error && <ErrorPanel error={error} />}
      {open && isPending && <Skeleton rows={3} />}
      {open && data && (
        <ol className="plain-list">
          {data.map((entry) => (
            <li key={entry.at + entry.action}>
              <span>
                <b>{entry.who}</b> {entry.action}
                {entry.changes.map((change) => (
                  <span key={change.field} className="change">
                    {t(change.label)}: <s>{change.before || t('empty')}</s> {change.after || t('empty')}
                  </span>
                ))}
              </span>
              <span className="muted">
                {show(entry.at)} {entry.at.slice(11, 16)}
              </span>
            </li>
          ))}
          {data.length === 0 && <li>{t('No changes yet')}</li>}
        </ol>
      )}
    </Panel>
  );
}
