import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Refused } from '../../kit/api.ts';
import { focusFirstError } from '../../kit/fields.tsx';

/**
 * A form over secrets that can be set and never read, saved over the version that the typing began with, so that who saves
 * meanwhile elsewhere is not overwritten unseen; and what the other side says of them when they are tried.
 */
export function useSecrets<Tested>(version: number | undefined) {
  const cache = useQueryClient();
  const panel = useRef<HTMLDivElement>(null);
  const begun = useRef<number | undefined>(undefined);
  const [failed, setFailed] = useState<unknown>(null);
  const [tested, setTested] = useState<Tested | null>(null);
  const [busy, setBusy] = useState<'save' | 'test' | null>(null);
  const showProblem = () => panel.current && focusFirstError(panel.current);
  const run = async (what: 'save' | 'test', work: () => Promise<void>) => {
    setBusy(what);
    setFailed(null);
    setTested(null);
    try {
      await work();
    } catch (refused) {
      setFailed(refused);
      showProblem();
      await cache.invalidateQueries({ queryKey: ['screen'] });
      // what is stored now has been read again: the next save is a decision over it
      if (refused instanceof Refused && refused.code === 'stale') begun.current = undefined;
    } finally {
      setBusy(null);
    }
  };
  return {
    panel,
    failed,
    tested,
    busy,
    showProblem,
    /** Something is typed. */
    begin: () => {
      begun.current ??= version;
    },
    save: (keep: (over: number | undefined) => Promise<void>) =>
      run('save', async () => {
        await keep(begun.current ?? version);
        begun.current = undefined;
        await cache.invalidateQueries({ queryKey: ['screen'] });
      }),
    test: (ask: () => Promise<Tested>) =>
      run('test', async () => {
        const answer = await ask();
        // the test is kept with what was tested, under a new version: it is read before anything is typed
        await cache.invalidateQueries({ queryKey: ['screen'] });
        setTested(answer);
      }),
  };
}
