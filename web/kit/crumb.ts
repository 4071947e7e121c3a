import { useEffect, useSyncExternalStore } from 'react';

let shown = '';
const listeners = new Set<() => void>();
const say = (text: string) => {
  shown = text;
  for (const listener of listeners) listener();
};

/** Names what the screen shows in the breadcrumb, as long as it shows it. */
export const useCrumb = (text: string): void => {
  useEffect(() => {
    say(text);
    return () => say('');
  }, [text]);
};

/** What the screen has named; empty: nothing. */
export const useShownCrumb = (): string =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
