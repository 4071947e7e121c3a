import { useEffect, useSyncExternalStore } from 'react';
import { isReached, onReach, tryToReach } from './reach.ts';

/** Between two tries. */
const AGAIN = 5000;

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

/** Whether there is a way to the server, as far as the browser knows and by the last question; asked again as long as there is none. */
export function useOnline(): boolean {
  const online = useSyncExternalStore(onNetwork, () => navigator.onLine && isReached());
  useEffect(() => {
    if (online) return;
    const ask = () => void tryToReach();
    const timer = setInterval(ask, AGAIN);
    window.addEventListener('online', ask);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', ask);
    };
  }, [online]);
  return online;
}
