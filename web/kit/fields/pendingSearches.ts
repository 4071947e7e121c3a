/** Answers on their way that will fill in what was typed: searches that someone did not wait for, and those of a paste. */
let count = 0;
const listeners = new Set<() => void>();
const change = (by: 1 | -1): void => {
  count += by;
  for (const tell of listeners) tell();
};

/** Counts an answer as on its way until the function it gives is called. */
export const expectAnswer = (): (() => void) => {
  change(1);
  let here = false;
  return () => {
    if (here) return;
    here = true;
    change(-1);
  };
};

export const answersComing = (): boolean => count > 0;
export const onAnswers = (tell: () => void): (() => void) => {
  listeners.add(tell);
  return () => void listeners.delete(tell);
};
