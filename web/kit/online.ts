import { useEffect, useSyncExternalStore } from 'react';
import { isReached, onReach, tryToReach } from './reach.ts';

/** Between two tries. */
const AGAIN = 5000;

/**
 * Whether the last question came to the server; asked again while it did not, and whenever the browser gains or loses a network.
 * What the browser says of its network does not count: a server on the same machine is there without any.
 */
export function useOnline(): boolean {
  const online = useSyncExternalStore(onReach, isReached);
  useEffect(() => {
    const ask = () => void tryToReach();
    const timer = online ? undefined : setInterval(ask, AGAIN);
    window.addEventListener('online', ask);
    window.addEventListener('offline', ask);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', ask);
      window.removeEventListener('offline', ask);
    };
  }, [online]);
  return online;
}
