import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '../../kit/Button.tsx';
import { api } from '../../kit/client.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { blobOf } from '../../kit/download.ts';
import { inSentence } from '../../kit/format.ts';
import { usePhone } from '../../kit/media.ts';
import { ErrorPanel, Skeleton } from '../../kit/parts.tsx';

/** The whole report as its PDF, to print from: the list on the screen holds only the rows that were looked at. */
export function PrintReport({
  name,
  title,
  filters,
  onClose,
}: {
  readonly name: string;
  readonly title: string;
  readonly filters: Readonly<Record<string, string>>;
  onClose(): void;
}) {
  const phone = usePhone();
  const [url, setUrl] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['print report', name, filters],
    queryFn: () => api.ExportReport({ report: name, filters: { ...filters }, format: 'pdf' }),
    gcTime: 0,
  });
  useEffect(() => {
    if (!data) return;
    const made = URL.createObjectURL(blobOf(data.content, data.type));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  return (
    <Dialog
      open
      width={880}
      title={`Print ${inSentence(title)}`}
      onClose={onClose}
      actions={
        <Button look="primary" disabled={!url} onClick={() => url && window.open(url, '_blank', 'noopener')}>
          Open in a tab
        </Button>
      }
    >
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : !url ? (
        <Skeleton />
      ) : phone ? (
        <p>The paper opens in a tab of its own.</p>
      ) : (
        <iframe className="paper" title={title} src={url} />
      )}
    </Dialog>
  );
}
