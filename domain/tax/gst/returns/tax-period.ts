import { monthStart, quarterOf } from '../../../base/dates.ts';
import { type Said, say } from '../../../base/say.ts';
import type { Day } from '../../../document/document.ts';

/** The Acts came into force (notification 9/2017 – Central Tax). */
export const FIRST_DAY_OF_GST: Day = '2017-07-01';

/**
 * What is wrong with a tax period as the portals write it, MMYYYY: it is a month since GST began that has begun itself (sections
 * 2(106) and 39); a return for a quarter goes by the last month of it, and may be looked at as soon as the quarter has begun.
 */
export function taxPeriodProblem(period: string, today: Day, quarterly = false): Said | undefined {
  if (!/^(0[1-9]|1[0-2])[1-9]\d{3}$/.test(period)) return say('A month is written MMYYYY');
  const first = `${period.slice(2)}-${period.slice(0, 2)}-01`;
  if (first < FIRST_DAY_OF_GST) return say('GST began in July 2017');
  return first > (quarterly ? quarterOf(today).end : monthStart(today)) ? say('This month has not begun') : undefined;
}
