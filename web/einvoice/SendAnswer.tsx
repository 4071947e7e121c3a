import { IconX } from '@tabler/icons-react';
import { IconButton } from '../kit/Button.tsx';
import { ErrorPanel } from '../kit/parts.tsx';
import type { Sent } from './send.ts';

const many = (count: number) => (count === 1 ? '1 document' : `${count} documents`);

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
                <p>{sent.queued > 0 ? `${many(sent.queued)} on the way to the portal.` : 'Nothing was sent.'}</p>
              )}
              {sent.skipped.length > 0 && (
                <ul>
                  {sent.skipped.map((each) => (
                    <li key={each.id}>
                      <b className="code">{each.number}</b> was left out: {each.why}
                    </li>
                  ))}
                </ul>
              )}
            </div>
            <IconButton label="Put this away" onClick={onClose}>
              <IconX size={16} />
            </IconButton>
          </>
        )}
      </div>
    </>
  );
}
