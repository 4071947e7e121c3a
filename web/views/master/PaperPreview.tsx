import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { blobOf } from '../../kit/dialog/download.ts';
import { ErrorPanel, Panel, Skeleton } from '../../kit/parts.tsx';
import { api } from '../../kit/server/client.ts';
import { t } from '../../kit/text.ts';
import type { PanelProps } from './MasterPanel.tsx';

/** Typing rests this long before the paper is drawn anew. */
const PAUSE = 600;

/** An invented invoice on the paper as the template is being typed. */
export function PaperPreview({ values }: PanelProps) {
  const typed = JSON.stringify(values);
  const [drawn, setDrawn] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setDrawn(typed), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data, error, refetch } = useQuery({
    queryKey: ['paper', 'preview', drawn],
    queryFn: () => api.PreviewPaper({ values: JSON.parse(drawn) }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const [url, setUrl] = useState('');
  useEffect(() => {
    if (!data) return;
    const made = URL.createObjectURL(blobOf(data.content, data.type));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  return (
    <Panel
      title={t('Preview')}
      actions={
        url && (
          <a className="link" href={url} target="_blank" rel="noopener">
            {t('Open in a tab')}
          </a>
        )
      }
    >
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : !url ? (
        <Skeleton rows={6} />
      ) : navigator.pdfViewerEnabled ? (
        <iframe className="paper" title={t('Sample invoice on this paper')} src={url} />
      ) : (
        <p className="muted">{t('This browser shows no PDF here: open it in a tab.')}</p>
      )}
    </Panel>
  );
}
