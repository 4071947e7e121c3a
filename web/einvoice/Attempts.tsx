import { useQuery } from '@tanstack/react-query';
import { showMoment } from '../kit/format.ts';
import { Badge, ErrorPanel, Skeleton } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { type AnyAttempt, attemptWords, outcomes } from './states.ts';

/** The attempts of one document, oldest first. */
export const useAttempts = (id: string, enabled = true) => {
  const key = useScreenKey('attempts', id);
  return useQuery({ queryKey: key, queryFn: () => api.GetEInvoiceAttempts({ id }), enabled });
};

/** Every exchange with the portal about a document: when, what, how it went, what was said; the texts themselves on demand. */
export function Attempts({ id }: { readonly id: string }) {
  const { data, error, refetch } = useAttempts(id);
  return <AttemptList attempts={data} error={error} onRetry={() => void refetch()} />;
}

interface ListProps {
  readonly attempts: readonly AnyAttempt[] | undefined;
  readonly error: unknown;
  onRetry(): void;
}

/** Attempts at either portal. */
export function AttemptList({ attempts, error, onRetry }: ListProps) {
  if (error) return <ErrorPanel error={error} onRetry={onRetry} />;
  if (!attempts) return <Skeleton rows={2} />;
  if (attempts.length === 0) return <p className="muted">{t('Nothing was sent yet.')}</p>;
  return (
    <ol className="attempts">
      {attempts.map((attempt, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: attempts are only ever added at the end
        <One key={at} attempt={attempt} />
      ))}
    </ol>
  );
}

function One({ attempt }: { readonly attempt: AnyAttempt }) {
  const { format } = useDateFormat();
  const { word, tone } = outcomes[attempt.outcome];
  return (
    <li>
      <div className="attempt">
        <time dateTime={attempt.at}>{showMoment(attempt.at, format)}</time>
        <span>{t(attemptWords[attempt.what])}</span>
        <Badge word={word} tone={tone} />
        {(attempt.code || attempt.message) && (
          <span className="wrap">
            {attempt.code && <b className="code">{attempt.code}</b>} {attempt.message}
          </span>
        )}
      </div>
      <Wire label={t('Request')} text={attempt.request} />
      <Wire label={t('Response')} text={attempt.response} />
    </li>
  );
}

/** JSON set out over lines; anything else as it came. */
export const setOut = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

function Wire({ label, text }: { readonly label: string; readonly text: string | null }) {
  if (text === null) return null;
  return (
    <details className="fold">
      <summary>{label}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className="wire" tabIndex={0} aria-label={label}>
        <pre>{setOut(text)}</pre>
      </section>
    </details>
  );
}
