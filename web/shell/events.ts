import type { QueryClient } from '@tanstack/react-query';
import { readAgain } from '../kit/readAgain.ts';

/** What the server tells an open page. */
export interface Told {
  readonly changed?: true;
  readonly session?: true;
}

/** Reads again what may be another now; who one is, too: an ended session is shown as soon as it is told. */
export async function heard(cache: QueryClient, { changed, session }: Told): Promise<void> {
  await Promise.all([
    changed && readAgain(cache),
    session && cache.invalidateQueries({ queryKey: ['session'] }),
    session && !changed && cache.invalidateQueries({ queryKey: ['notifications'] }),
  ]);
}
