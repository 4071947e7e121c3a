import type { QueryClient } from '@tanstack/react-query';
import { invalidateAll } from '../kit/server/invalidateAll.ts';

/** What the server tells an open page. */
export interface Change {
  readonly changed?: true;
  readonly session?: true;
}

/** The server gives up a question after 15 s: an answer that has not come by now does not keep the next from being asked for. */
const PATIENCE = 20_000;

/**
 * Handles messages of the server to an open page, and reads again what may have changed; the session too: an ended one is shown as
 * soon as the message comes. Screens are read one time after the other: changes while they are being read, a hundred where many
 * work, is one more reading after it, and no page asks more of a slow server than it answers.
 */
export function listener(cache: QueryClient): (change: Change) => void {
  let reading = false;
  let more = false;
  const read = async () => {
    more = true;
    if (reading) return;
    reading = true;
    while (more) {
      more = false;
      await Promise.race([invalidateAll(cache), new Promise((waited) => setTimeout(waited, PATIENCE))]);
    }
    reading = false;
  };
  return ({ changed, session }) => {
    if (changed) void read();
    if (session) void cache.invalidateQueries({ queryKey: ['session'] });
    if (session && !changed) void cache.invalidateQueries({ queryKey: ['notifications'] });
  };
}
