import { useEffect, useSyncExternalStore } from 'react';
import { isReached, onReach, tryToReach } from './connectivity.ts';

/** Between two tries. */
const AGAIN = 5000;

/**
 * A browser that had no network when it got this page from the server knows nothing of the way there: the server is on the same
 * machine. One that had a network and loses it is believed at once.
 */
const believed = typeof navigator === 'undefined' || navigator.onLine;

const onNetwork = (tell: () => void): (() => void) => {
  const stop = onReach(tell);
  window.addEventListener('online', tell);
  window.addEventListener('offline', tell);
  return () => {
    stop();
    window.removeEventListener('online', tell);
    window.removeEventListener('offline', tell);
  };
};

/** Whether there is a way to the server, by the last question and by the browser; asked again as long as there is none. */
export function useOnline(): boolean {
  const online = useSyncExternalStore(onNetwork, () => isReached() && (navigator.onLine || !believed));
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
