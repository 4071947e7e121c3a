import { useEffect, useRef } from 'react';

/** The browser asks before a tab with unsaved fields is closed. */
export const useWarning = (dirty: boolean): void => {
  const now = useRef(dirty);
  now.current = dirty;
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (now.current) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
};
