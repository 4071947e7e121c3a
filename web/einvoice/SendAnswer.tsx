import { IconX } from '@tabler/icons-react';
import { IconButton } from '../kit/Button.tsx';
import { ErrorPanel } from '../kit/parts.tsx';
import { Sentence } from '../kit/Sentence.tsx';
import { plural, t } from '../kit/text.ts';
import type { Sent } from './send.ts';

const many = (count: number) => plural(count, '1 document', '{{count}} documents');

/** What came of sending: how many are in line, and each left out with why. */
export function SendAnswer({ sent, onClose }: { readonly sent: Sent | null; onClose(): void }) {
  return (
    <>
      {sent?.refused !== undefined && <ErrorPanel error={sent.refused} />}
      <div role="status" className="send-answer" data-filled={sent ? true : undefined}>
        {sent && (
          <>
            <div>
              {(sent.queued > 0 || sent.refused === undefined) && (
                <p>
                  {sent.queued > 0
                    ? t('{{queued}} on the way to the portal.', { queued: many(sent.queued) })
                    : t('Nothing was sent.')}
                </p>
              )}
              {sent.skipped.length > 0 && (
                <ul>
                  {sent.skipped.map((each) => (
                    <li key={each.id}>
                      <Sentence
                        text="{{number}} was left out: {{why}}"
                        values={{ number: <b className="code">{each.number}</b>, why: each.why }}
                      />
                    </li>
                  ))}
                </ul>
              )}
            </div>
            <IconButton label={t('Put this away')} onClick={onClose}>
              <IconX size={16} />
            </IconButton>
          </>
        )}
      </div>
    </>
  );
}
