import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Button } from '../kit/Button.tsx';
import { Sentence } from '../kit/Sentence.tsx';
import { tryToReach } from '../kit/server/connectivity.ts';
import { invalidateAll } from '../kit/server/invalidateAll.ts';
import { useOnline } from '../kit/server/online.ts';
import { t } from '../kit/text.ts';

/** Says on every screen that the server cannot be reached and what becomes of what is typed; what is shown is read again when it can. */
export function Offline({ keepsBills }: { readonly keepsBills: boolean }) {
  const online = useOnline();
  const cache = useQueryClient();
  const lost = useRef(false);
  useEffect(() => {
    if (online && lost.current) void invalidateAll(cache);
    lost.current = !online;
  }, [online, cache]);
  if (online) return null;
  return (
    <div className="offline" role="status">
      <span>
        <Sentence
          text="<b>The connection is lost.</b> {{keepsBills}} Trying again every five seconds."
          values={{
            b: (text) => <b>{text}</b>,
            keepsBills: keepsBills
              ? t('Bills are finished and kept in this browser, and posted when the connection is back.')
              : t(
                  'Changes in a document are kept in this browser and saved when the connection is back. Nothing is posted until then.',
                ),
          }}
        />
      </span>
      <Button onClick={() => void tryToReach()}>{t('Try now')}</Button>
    </div>
  );
}
