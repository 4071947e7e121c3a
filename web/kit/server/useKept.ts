import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toastError } from '../dialog/toast.tsx';

/** What is kept at the server under a key. `run` changes it, one change at a time, and answers whether it was done. */
export function useKept<T>(queryKey: QueryKey, read: () => Promise<T>) {
  const cache = useQueryClient();
  const { data, error, refetch } = useQuery({ queryKey, queryFn: read });
  const [busy, setBusy] = useState(false);
  const run = async (change: () => Promise<T>): Promise<boolean> => {
    setBusy(true);
    try {
      cache.setQueryData(queryKey, await change());
      return true;
    } catch (problem) {
      toastError(problem);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { data, error, refetch, busy, run };
}
