import { addDays } from '../kit/format.ts';

/** The same time a day later, of what the portal writes ("2026-11-21 10:05:00"); null when it is no such text. */
export const dayAfter = (moment: string): string | null => {
  const found = /^(\d{4}-\d{2}-\d{2})([ T]\d{2}:\d{2}.*)$/.exec(moment);
  return found?.[1] ? `${addDays(found[1], 1)}${found[2]}` : null;
};
