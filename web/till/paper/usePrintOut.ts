import { useEffect, useState } from 'react';

/** The printed content is on the page for as long as the printer's dialog is open. `slow`: a picture on it is drawn a moment later. */
export function usePrintOut<T>(isSlow: (what: T) => boolean = () => false) {
  const [printing, print] = useState<T | null>(null);
  const slow = printing !== null && isSlow(printing);
  useEffect(() => {
    if (printing === null) return;
    const timer = setTimeout(() => window.print(), slow ? 600 : 50);
    const done = () => print(null);
    window.addEventListener('afterprint', done);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('afterprint', done);
    };
  }, [printing, slow]);
  return { printing, print };
}
