import { useQuery } from '@tanstack/react-query';
import { Button } from '../../kit/Button.tsx';
import { blobOf, download } from '../../kit/dialog/download.ts';
import { toastError } from '../../kit/dialog/toast.tsx';
import { showMoment } from '../../kit/format.ts';
import { Badge, Panel } from '../../kit/parts.tsx';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import type { Mail } from './letter.ts';

/** The mails of a posted document; while one waits it is asked for again, should no event tell. */
export const useMails = (document: { readonly id: string; readonly draft: boolean }) =>
  useQuery({
    queryKey: useScreenKey('mails', document.id),
    queryFn: () => api.ListMails({ document: document.id }),
    enabled: !document.draft,
    refetchInterval: ({ state }) => (state.data?.mails.some((mail) => mail.state === 'queued') ? 3000 : false),
  });

const words = { queued: 'Queued', sent: 'Sent', failed: 'Failed' } as const;

/** What was mailed: to whom, when, whether it went out, and why not. `onAgain` is left out for who may not mail. */
export function MailsPanel({
  document,
  mails,
  onAgain,
}: {
  readonly document: string;
  readonly mails: readonly Mail[];
  readonly onAgain: ((mail: Mail) => void) | undefined;
}) {
  const { format } = useDateFormat();
  const open = async (mail: string) => {
    try {
      const { name, type, content } = await api.GetMailedPaper({ mail, document });
      download(name, blobOf(content, type));
    } catch (error) {
      toastError(error);
    }
  };
  if (mails.length === 0) return null;
  return (
    <Panel title={t('Mails')}>
      <ul className="mails" aria-live="polite">
        {mails.map((mail) => (
          <li key={mail.id}>
            <div className="mail-head">
              <Badge word={words[mail.state]} />
              <span className="muted">{showMoment(mail.sentAt ?? mail.at, format)}</span>
            </div>
            <span className="wrap">{[...mail.to, ...mail.cc].join(', ')}</span>
            <span className="muted">{t('by {{by}}', { by: mail.by })}</span>
            {mail.error && <span className="field-error wrap">{mail.error}</span>}
            {mail.state === 'failed' && (
              <span className="muted">
                {mail.replaced
                  ? t('Sent again by a later mail')
                  : mail.attempts > 1
                    ? t('Tried {{attempts}} times', { attempts: mail.attempts })
                    : ''}
              </span>
            )}
            <div className="button-row">
              {mail.papers.some((paper) => paper.document === document && paper.kept) && (
                <Button onClick={() => void open(mail.id)}>{t('PDF as sent')}</Button>
              )}
              {onAgain && mail.state !== 'queued' && !mail.replaced && (
                <Button onClick={() => onAgain(mail)}>{t('Send again')}</Button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
