/**
 * Whether the last question came to the server. A browser knows of its own cable only: a router whose line is dead, or a page
 * that was loaded again without the network, looks to it like a network.
 */
let reached = true;
const listeners = new Set<() => void>();

/** Told by who asks the server: something came back, whatever it says, or nothing did. */
export const noteReached = (now: boolean): void => {
  if (now === reached) return;
  reached = now;
  for (const tell of listeners) tell();
};

export const isReached = (): boolean => reached;
export const onReach = (tell: () => void): (() => void) => {
  listeners.add(tell);
  return () => void listeners.delete(tell);
};

/** Asks whether the server is there, and tells those who listen. */
export const tryToReach = async (): Promise<void> => {
  try {
    await fetch('/healthz', { cache: 'no-store' });
    noteReached(true);
  } catch {
    noteReached(false);
  }
};
