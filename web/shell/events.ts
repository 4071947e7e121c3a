import type { QueryClient } from '@tanstack/react-query';
import { readAgain } from '../kit/readAgain.ts';

/** What the server tells an open page. */
export interface Told {
  readonly changed?: true;
  readonly session?: true;
}

/** The server gives up a question after 15 s: an answer that has not come by now does not keep the next from being asked for. */
const PATIENCE = 20_000;

/**
 * Hears what the server tells an open page, and reads again what may be another now; who one is, too: an ended session is shown as
 * soon as it is told. Screens are read one time after the other: what is told while they are being read, a hundred times where many
 * work, is one more reading after it, and no page asks more of a slow server than it answers.
 */
export function listener(cache: QueryClient): (told: Told) => void {
  let reading = false;
  let more = false;
  const read = async () => {
    more = true;
    if (reading) return;
    reading = true;
    while (more) {
      more = false;
      await Promise.race([readAgain(cache), new Promise((waited) => setTimeout(waited, PATIENCE))]);
    }
    reading = false;
  };
  return ({ changed, session }) => {
    if (changed) void read();
    if (session) void cache.invalidateQueries({ queryKey: ['session'] });
    if (session && !changed) void cache.invalidateQueries({ queryKey: ['notifications'] });
  };
}
