import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

/**
 * One thing at a time: busy while it runs, what it was refused with kept until the next try. Afterwards what the screens show
 * is read again, and only then `done` gets what was made: what it closes or opens never shows the state before.
 * `failed` takes the error instead, where it is shown elsewhere.
 */
export function useRun(failed?: (error: unknown) => void): {
  readonly busy: boolean;
  readonly error: unknown;
  run<T>(work: () => Promise<T>, done?: (made: T) => void): Promise<void>;
  /** What was refused is over: something else is begun. */
  forget(): void;
} {
  const cache = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  // a second press may come before the first one is drawn
  const running = useRef(false);
  const run = async <T>(work: () => Promise<T>, done?: (made: T) => void) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setError(null);
    try {
      const made = await work();
      await cache.invalidateQueries({ queryKey: ['screen'] });
      done?.(made);
    } catch (refused) {
      if (failed) failed(refused);
      else setError(refused);
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, error, run, forget: () => setError(null) };
}
