import { useCallback } from 'react';
import type { Found, Search } from '../../kit/fields/Combobox.tsx';
import { api } from '../../kit/server/client.ts';

const nothing: Found = { rows: [], total: 0 };

/** Pickers ask the server by text; each is stable for its side, location or master. */
export const usePartySearch = (side: 'customer' | 'supplier' | 'both'): Search =>
  useCallback((search) => api.GetPartyListForTransactions({ search, side, LEnd: 50 }), [side]);

export const useItemSearch = (location: string): Search =>
  useCallback(
    (search) => api.GetItemListForTransactionsWithPagination({ search, LEnd: 50, ...(location && { location }) }),
    [location],
  );

export const usePick = (master: string, use?: string): Search =>
  useCallback((search) => api.Pick({ master, search, ...(use && { use }) }), [master, use]);

/** Posted documents of these kinds, by number or party: what a note or return is made against. */
export const useDocumentSearch = (kinds: readonly string[], party: string): Search => {
  const names = kinds.join(',');
  return useCallback(
    async (text) => {
      if (names === '') return nothing;
      const pages = await Promise.all(
        names.split(',').map((Type) => api.GetTransationsList({ Type, Search: text, ...(party && { party }) })),
      );
      const rows = pages
        .flatMap((page) => page.rows)
        .filter((row) => !row.draft)
        .map((row) => ({
          id: row.id,
          name: row.number,
          code: row.party,
          note: [row.date, row.total].filter(Boolean).join(' · '),
        }));
      return { rows: rows.slice(0, 50), total: rows.length };
    },
    [names, party],
  );
};
