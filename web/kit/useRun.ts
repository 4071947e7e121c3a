import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * One thing at a time: busy while it runs, what it was refused with kept until the next try, and afterwards what the screens
 * show is read again. `failed` takes the error instead, where it is shown elsewhere.
 */
export function useRun(failed?: (error: unknown) => void): {
  readonly busy: boolean;
  readonly error: unknown;
  run(work: () => Promise<void>): Promise<void>;
} {
  const cache = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (work: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      await work();
      await cache.invalidateQueries({ queryKey: ['screen'] });
    } catch (refused) {
      if (failed) failed(refused);
      else setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, run };
}
