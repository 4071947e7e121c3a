/** How often the window got the focus again: what was read before it may have changed in another window since. */
let times = 0;
const listeners = new Set<() => void>();
if (typeof window !== 'undefined')
  window.addEventListener('focus', () => {
    times += 1;
    for (const tell of listeners) tell();
  });

export const timesReturned = (): number => times;
export const onReturn = (tell: () => void): (() => void) => {
  listeners.add(tell);
  return () => void listeners.delete(tell);
};
/** For what need not know now: it reads the number when it is next drawn. */
export const untold = (): (() => void) => () => undefined;
