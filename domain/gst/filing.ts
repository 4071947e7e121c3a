import { addDays, monthEnd, quarterOf } from '../dates.ts';
import type { Day, Id, StateCode } from '../document.ts';
import { dueTerms, earlyStates, FIRST_QUARTER, IFF_LIMIT, type ReturnForm } from '../facts/gst-returns.ts';
import { hasGst, isRegular, type Status, statusOn } from './registered.ts';
import type { ReturnDocument, SupplyTable } from './return-document.ts';

/** The statuses that a registration has in a period, each once, in the order of their days. */
export const statusesIn = (own: Status, { from, to }: { readonly from: Day; readonly to: Day }) => [
  ...new Set(
    [from, ...own.statuses.map((s) => s.from).filter((day) => from < day && day <= to)]
      .sort()
      .map((day) => statusOn(own, day)),
  ),
];

/**
 * Why a registration files no GSTR-1 for a period, and what it files instead; undefined when it charged tax on a day of it
 * (sections 10, 37 and 39(2)).
 */
export function noGstr1For(
  own: Status & { readonly gstin: string | null },
  days: { readonly from: Day; readonly to: Day },
): string | undefined {
  const kinds = own.gstin === null ? [] : statusesIn(own, days);
  if (!kinds.some(hasGst)) return 'Without GST registration there is no GSTR-1';
  return kinds.some(isRegular)
    ? undefined
    : 'A composition dealer files no GSTR-1: it pays with CMP-08 after each quarter and files GSTR-4 after the year';
}

/** From which quarter on a registration files every month or every quarter. Without any it files every month. */
export interface FilingPeriod {
  readonly from: Day;
  readonly every: 'month' | 'quarter';
}

/** Whether a registration files quarterly on a day. */
export const filesQuarterly = (periods: readonly FilingPeriod[], day: Day): boolean =>
  periods.filter(({ from }) => from <= day).toSorted((a, b) => (a.from < b.from ? 1 : -1))[0]?.every === 'quarter';

/** What is wrong with the filing periods of a registration, by row: a choice is made for whole quarters (rule 61A). */
export const filingPeriodProblems = (
  periods: readonly FilingPeriod[],
): { readonly row: number; readonly message: string }[] =>
  periods.flatMap(({ from }, row) => {
    if (quarterOf(from).start !== from)
      return [{ row, message: 'It begins with a quarter: April, July, October or January' }];
    if (from < FIRST_QUARTER) return [{ row, message: 'Quarterly returns of this kind began in January 2021' }];
    return periods.findIndex((each) => each.from === from) < row
      ? [{ row, message: 'This quarter is there twice' }]
      : [];
  });

/** What is furnished of outward supplies for a period 'MMYYYY', over which days, and until when. */
export interface OutwardReturn {
  readonly form: Extract<ReturnForm, 'GSTR-1' | 'IFF'>;
  readonly quarterly: boolean;
  readonly from: Day;
  readonly to: Day;
  readonly due: Day;
}

const firstOf = (period: string): Day => `${period.slice(2)}-${period.slice(0, 2)}-01`;

/**
 * Who files quarterly furnishes the quarter under its last month. In its first two months invoices to registered persons may be
 * furnished beforehand (IFF); each takes what the one before it left out, so that its days begin with the quarter.
 */
export function outwardReturn(period: string, periods: readonly FilingPeriod[]): OutwardReturn {
  const first = firstOf(period);
  const last = monthEnd(first);
  const quarterly = filesQuarterly(periods, first);
  const quarter = quarterOf(first);
  const form = quarterly && last !== quarter.end ? 'IFF' : 'GSTR-1';
  return { form, quarterly, from: quarterly ? quarter.start : first, to: last, due: dueOn(form, last, quarterly) };
}

/** Until when a return of the period that ends on a day is due; the state tells for the quarterly GSTR-3B. */
export function dueOn(form: ReturnForm, end: Day, quarterly: boolean, state?: StateCode): Day {
  const terms =
    dueTerms[form].find(({ from, to }) => from <= end && (to === undefined || end <= to)) ?? dueTerms[form][0];
  if (!terms) throw new RangeError(`nothing is known of ${form}`);
  const later = state !== undefined && !earlyStates.includes(state) ? terms.laterQuarter : undefined;
  return addDays(end, quarterly ? (later ?? terms.quarter) : terms.month);
}

/**
 * Whether a registration has such a return for a month ('2026-10'): a quarterly one goes by the last month of its quarter, an IFF
 * by one of the others, an annual one by March.
 */
export const isFiledFor = (form: ReturnForm, month: string, periods: readonly FilingPeriod[]): boolean =>
  form === 'GSTR-9'
    ? month.endsWith('-03')
    : (form === 'IFF') === (outwardReturn(month.slice(5) + month.slice(0, 4), periods).form === 'IFF');

/** Tables whose documents may be furnished before a quarterly return, and are then left out of it (rule 59(2)). */
export const beforehand: readonly SupplyTable[] = ['4A', '4B', '6B', '6C', '9B registered'];

/** What tells the file of a quarter, or what is furnished before it, from that of a month. */
export interface Furnishing {
  /** Documents that an earlier IFF of the quarter holds, with the month that it was for ('2026-10'). */
  readonly furnished?: ReadonlyMap<Id, string>;
  /** Only what may be furnished beforehand, as far as one IFF takes it. */
  readonly iff?: true;
}

/** What goes into an IFF of the invoices that could: the oldest, as far as it takes them; the rest waits for the next, or the return. */
export function withinIff(documents: readonly ReturnDocument[]): ReadonlySet<string> {
  const taken = new Set<string>();
  let sum = 0;
  for (const { id, type, total } of documents.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))) {
    // a credit note lowers what is owed, and takes no room
    const room = type === 'CRN' ? 0 : total;
    if (sum + room > IFF_LIMIT) continue;
    sum += room;
    taken.add(id);
  }
  return taken;
}
