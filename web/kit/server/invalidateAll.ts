import type { QueryClient } from '@tanstack/react-query';

/**
 * Something changed for the organisation: every screen's data is read again. What is being read for the first time just now
 * may have been read before the change, and the library lets such a reading stand: it is read once more when it is there.
 */
export async function invalidateAll(cache: QueryClient): Promise<void> {
  const first = cache
    .getQueryCache()
    .findAll({ queryKey: ['screen'], fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined });
  void cache.invalidateQueries({ queryKey: ['notifications'] });
  await cache.invalidateQueries({ queryKey: ['screen'] });
  const read = first.filter(({ state }) => state.data !== undefined);
  await Promise.all(read.map(({ queryKey }) => cache.invalidateQueries({ queryKey, exact: true })));
}
