import type { Millionths } from '../base/decimal.ts';

/** Whether stock that is put right becomes less: `delta` is the change of a line with its sign. Other lines have none. */
export const takesAway = (delta: Millionths | undefined): boolean => delta !== undefined && delta < 0;
