/**
 * Whether the last question came to the server. A browser knows of its own cable only: a router whose line is dead, or a page
 * that was loaded again without the network, looks to it like a network.
 */
let reached = true;
const listeners = new Set<() => void>();

/** Something came back from the server, whatever it says, or nothing did. */
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

/** A server that does not say anything for so long is not there. */
const PATIENCE = 5000;
let asking: Promise<void> | undefined;

const ask = async (): Promise<void> => {
  try {
    await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE) });
    noteReached(true);
  } catch {
    noteReached(false);
  }
};

/**
 * Asks whether the server is there, once for all who ask meanwhile, and tells those who listen. A call that got no answer asks
 * too: one call that a proxy drops again and again is no lost connection, and must not make every screen read its data again.
 */
export const tryToReach = (): Promise<void> => {
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
};
