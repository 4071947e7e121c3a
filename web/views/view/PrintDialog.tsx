import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Kind } from '../../../domain/kinds/kind.ts';
import { Button } from '../../kit/Button.tsx';
import { api } from '../../kit/client.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { blobOf, download } from '../../kit/download.ts';
import { usePhone } from '../../kit/media.ts';
import { ErrorPanel, Segments, Skeleton } from '../../kit/parts.tsx';
import type { Shown } from '../DocumentView.tsx';

const copies = [
  { key: 'original', label: 'Original' },
  { key: 'duplicate', label: 'Duplicate' },
  { key: 'triplicate', label: 'Triplicate' },
  { key: 'extra', label: 'Extra' },
] as const;
type Copy = (typeof copies)[number]['key'];

/** The server's PDF: shown here, on phones opened in a tab of its own. */
export function PrintDialog({
  document,
  kind,
  onClose,
}: {
  readonly document: Shown;
  readonly kind: Kind;
  onClose(): void;
}) {
  const phone = usePhone();
  const frame = useRef<HTMLIFrameElement>(null);
  // a browser without a viewer downloads the paper instead of showing it
  const shows = !phone && navigator.pdfViewerEnabled;
  const [copy, setCopy] = useState<Copy>('original');
  const [url, setUrl] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['print', document.id, copy],
    queryFn: () => api.PrintDocument({ id: document.id, copy }),
    staleTime: 60_000,
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
      title={`Print ${document.number}`}
      onClose={onClose}
      actions={
        <>
          <Button disabled={!url} onClick={() => url && window.open(url, '_blank', 'noopener')}>
            Open in a tab
          </Button>
          <Button
            {...(!shows && { look: 'primary' as const })}
            disabled={!data}
            onClick={() => data && download(data.name, blobOf(data.content, data.type))}
          >
            Download PDF
          </Button>
          {shows && (
            <Button look="primary" disabled={!url} onClick={() => frame.current?.contentWindow?.print()}>
              Print
            </Button>
          )}
        </>
      }
    >
      {(kind.paper === 'taxInvoice' || kind.paper === 'challan') && (
        <Segments label="Copy" choices={copies} current={copy} onChange={(key) => setCopy(key as Copy)} />
      )}
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : !url ? (
        <Skeleton />
      ) : !shows ? (
        <p>{phone ? 'The paper opens in a tab of its own.' : 'This browser shows no PDF: download it.'}</p>
      ) : (
        <iframe ref={frame} className="paper" title={`${kind.label} ${document.number}`} src={url} />
      )}
    </Dialog>
  );
}
