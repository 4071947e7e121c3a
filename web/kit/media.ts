import { useSyncExternalStore } from 'react';

const queries = new Map<string, MediaQueryList>();
const queryOf = (text: string): MediaQueryList => {
  const known = queries.get(text) ?? window.matchMedia(text);
  queries.set(text, known);
  return known;
};

/** Whether a media query holds now; re-renders when that changes. */
export const useMedia = (text: string): boolean =>
  useSyncExternalStore(
    (changed) => {
      const query = queryOf(text);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => queryOf(text).matches,
  );

/** Narrower than 640 px: lists and lines become cards. */
export const usePhone = (): boolean => useMedia('(max-width: 639.98px)');
