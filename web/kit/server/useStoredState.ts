import { useEffect, useRef, useState } from 'react';
import { toast } from '../dialog/toast.tsx';
import { t } from '../text.ts';

const kept = new Map<string, unknown>();

/**
 * What was typed into a form that was left without saving is there again when the form is, in this tab: nothing typed is
 * lost by a look at another screen. `hold` gets what is typed, `drop` forgets it when it is saved or given up.
 */
export function useStoredState<T>(key: string): {
  readonly first: T | undefined;
  hold(typed: T | undefined): void;
  drop(): void;
} {
  const [first] = useState(() => kept.get(key) as T | undefined);
  const now = useRef<{ typed: T | undefined; dropped: boolean }>({ typed: first, dropped: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was kept is taken once, when the form comes
  useEffect(() => {
    kept.delete(key);
    if (first !== undefined) toast(t('Your unsaved changes are open again'));
    return () => {
      const { typed, dropped } = now.current;
      if (typed !== undefined && !dropped) kept.set(key, typed);
    };
  }, [key]);
  return {
    first,
    // at once, not only when it is left: what comes in its place may ask before this one is gone
    hold: (typed) => {
      now.current.typed = typed;
      if (typed === undefined) kept.delete(key);
      else if (!now.current.dropped) kept.set(key, typed);
    },
    drop: () => {
      now.current.dropped = true;
      kept.delete(key);
    },
  };
}
