/** Runs `work` once for all calls of the same moment: a pasted sheet changes a thousand cells at a time. */
export const once = (work: () => void): (() => void) => {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    queueMicrotask(() => {
      waiting = false;
      work();
    });
  };
};
