import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../Button.tsx';
import { usePhone } from '../media.ts';
import { ErrorPanel, Skeleton } from '../parts.tsx';
import { t } from '../text.ts';
import { Dialog } from './Dialog.tsx';
import { blobOf, download } from './download.ts';

interface PaperFile {
  readonly name: string;
  readonly type: string;
  /** Base64. */
  readonly content: string;
}

/** A PDF of the server's, to be printed or kept: shown here, on phones opened in a tab of its own. */
export function PaperDialog({
  title,
  what,
  paper,
  fetch,
  staleTime = 0,
  children,
  onClose,
}: {
  readonly title: string;
  /** Names the paper to who cannot see it. */
  readonly what: string;
  /** Which paper it is: another one is fetched anew. */
  readonly paper: readonly unknown[];
  fetch(): Promise<PaperFile>;
  readonly staleTime?: number;
  /** Choices above the paper. */
  readonly children?: ReactNode;
  onClose(): void;
}) {
  const phone = usePhone();
  const frame = useRef<HTMLIFrameElement>(null);
  // a browser without a viewer downloads the paper instead of showing it
  const shows = !phone && navigator.pdfViewerEnabled;
  const [url, setUrl] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['paper', ...paper],
    queryFn: fetch,
    staleTime,
    ...(staleTime === 0 && { gcTime: 0 }),
  });
  useEffect(() => {
    if (!data) return;
    const made = URL.createObjectURL(blobOf(data.content, data.type));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  const keep = () => data && download(data.name, blobOf(data.content, data.type));
  const print = () => url && frame.current?.contentWindow?.print();
  return (
    <Dialog
      open
      width={880}
      title={title}
      onClose={onClose}
      onSave={shows ? print : keep}
      actions={
        <>
          <Button disabled={!url} onClick={() => url && window.open(url, '_blank', 'noopener')}>
            {t('Open in a tab')}
          </Button>
          <Button {...(!shows && { look: 'primary' as const })} disabled={!data} onClick={keep}>
            {t('Download PDF')}
          </Button>
          {shows && (
            <Button look="primary" disabled={!url} onClick={print}>
              {t('Print')}
            </Button>
          )}
        </>
      }
    >
      {children}
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : !url ? (
        <Skeleton />
      ) : !shows ? (
        <p>{phone ? t('The paper opens in a tab of its own.') : t('This browser shows no PDF: download it.')}</p>
      ) : (
        <iframe ref={frame} className="paper" title={what} src={url} />
      )}
    </Dialog>
  );
}
