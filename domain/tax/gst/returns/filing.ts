import { addDays, addMonths, financialYearOf, monthEnd, periodOf, quarterOf } from '../../../base/dates.ts';
import { type Said, say } from '../../../base/say.ts';
import type { Day, Id, RegistrationKind, StateCode } from '../../../document/document.ts';
import {
  dueTerms,
  earlyStates,
  FIRST_QUARTER,
  filedEvery,
  filedFirst,
  filedUnder,
  IFF_LIMIT,
  IN_ORDER_SINCE,
  type ReturnForm,
  returnForms,
} from '../../../facts/gst-returns.ts';
import { hasGst, isRegular, type Status, statusLabels, statusOn } from '../registration/registered.ts';
import type { ReturnDocument, SupplyTable } from './return-document.ts';

/** The statuses that a registration has in a period, each once, in the order of their days. */
export const statusesIn = (own: Status, { from, to }: { readonly from: Day; readonly to: Day }) => [
  ...new Set(
    [from, ...own.statuses.map((s) => s.from).filter((day) => from < day && day <= to)]
      .sort()
      .map((day) => statusOn(own, day)),
  ),
];

/** Days of which both ends count. */
export interface DaysOfReturn {
  readonly from: Day;
  readonly to: Day;
}

/** Whether the supplies of a day with this status stand in a return. */
const standsIn = (form: ReturnForm, kind: RegistrationKind): boolean =>
  filedUnder[form] === 'composition' ? kind === 'composition' : isRegular(kind);

/** The statuses whose days a return is about. */
export const statusesOf = (form: ReturnForm): readonly RegistrationKind[] =>
  (Object.keys(statusLabels) as RegistrationKind[]).filter((kind) => standsIn(form, kind));

/**
 * Why a registration does not file a return for a period, and what it files instead; undefined when one of its days is of that
 * return (sections 10, 37 and 39(2), rule 62).
 */
export function noReturnFor(
  form: ReturnForm,
  own: Status & { readonly gstin: string | null },
  days: DaysOfReturn,
): Said | undefined {
  const kinds = own.gstin === null ? [] : statusesIn(own, days);
  if (!kinds.some(hasGst)) return say('Without GST registration there is no {{form}}', { form });
  if (kinds.some((kind) => standsIn(form, kind))) return undefined;
  return filedUnder[form] === 'composition'
    ? say('{{form}} is for composition dealers: this registration files GSTR-1 and GSTR-3B for these days', { form })
    : say(
        'A composition dealer files no {{form}}: it pays with CMP-08 after each quarter and files GSTR-4 after the year',
        { form },
      );
}

/** The last day of a period whose supplies stand in a return: what it shows is locked up to there. */
export function lastDayOf(form: ReturnForm, own: Status, { from, to }: DaysOfReturn): Day {
  const ends = [to, ...own.statuses.map((change) => addDays(change.from, -1))].filter(
    (day) => from <= day && day <= to,
  );
  return ends.toSorted().findLast((day) => standsIn(form, statusOn(own, day))) ?? to;
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
export const filingPeriodProblems = (periods: readonly FilingPeriod[]): (Said & { readonly row: number })[] =>
  periods.flatMap(({ from }, row) => {
    if (quarterOf(from).start !== from)
      return [{ row, ...say('It begins with a quarter: April, July, October or January') }];
    if (from < FIRST_QUARTER) return [{ row, ...say('Quarterly returns of this kind began in January 2021') }];
    return periods.findIndex((each) => each.from === from) < row
      ? [{ row, ...say('This quarter is there twice') }]
      : [];
  });

/**
 * Which of the returns that are marked would be of other days under other filing periods; undefined when each stays what it was
 * filed as.
 */
export const markMoved = <M extends { readonly form: ReturnForm; readonly period: string }>(
  marks: readonly M[],
  before: readonly FilingPeriod[],
  after: readonly FilingPeriod[],
): M | undefined =>
  marks.find(({ form, period }) => {
    const [was, is] = [before, after].map((periods) => returnDays(form, period, periods));
    return is?.from !== was?.from || isFiledFor(form, period, before) !== isFiledFor(form, period, after);
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
export function isFiledFor(form: ReturnForm, month: string, periods: readonly FilingPeriod[]): boolean {
  const first = `${month}-01`;
  if (filedEvery[form] === 'year') return monthEnd(first) === financialYearOf(first).end;
  if (filedEvery[form] === 'quarter') return monthEnd(first) === quarterOf(first).end;
  return (form === 'IFF') === (outwardReturn(periodOf(first), periods).form === 'IFF');
}

/** The days that a return of a month ('2026-10') is about; that of a quarter or year goes by its last month. */
export function returnDays(form: ReturnForm, month: string, periods: readonly FilingPeriod[]): DaysOfReturn {
  const first = `${month}-01`;
  if (filedEvery[form] === 'year') {
    const { start, end } = financialYearOf(first);
    return { from: start, to: end };
  }
  const isQuarter = filedEvery[form] === 'quarter' || filesQuarterly(periods, first);
  return { from: isQuarter ? quarterOf(first).start : first, to: monthEnd(first) };
}

/** The name by which a return of a month is looked up among those that are marked. */
export const markName = (form: ReturnForm, month: string): string => `${form} ${month}`;

/** What a registration is asked about its returns: what it is, how often it files, and which returns are marked as filed. */
export interface Filer extends Status {
  readonly gstin: string | null;
  readonly filing: readonly FilingPeriod[];
  readonly marked: ReadonlySet<string>;
}

/** The months by which a registration files a return, of those that end between two days; the first one first. */
export function monthsOf(form: ReturnForm, own: Filer, { from, to }: DaysOfReturn): string[] {
  const count =
    (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7));
  return Array.from({ length: Math.max(0, count + 1) }, (_, n) =>
    addMonths(`${from.slice(0, 7)}-01`, n).slice(0, 7),
  ).filter(
    (month) =>
      isFiledFor(form, month, own.filing) &&
      noReturnFor(form, own, returnDays(form, month, own.filing)) === undefined &&
      from <= monthEnd(`${month}-01`) &&
      monthEnd(`${month}-01`) <= to,
  );
}

/**
 * The first return that has to be filed before another one that is filed on a day, and is not marked. `since` tells from which
 * day on the books have documents that a form shows; periods before them were filed elsewhere. A return of the very period is
 * asked for without documents too.
 */
export function missingBefore(
  own: Filer,
  { form, period, filedOn }: { readonly form: ReturnForm; readonly period: string; readonly filedOn: Day },
  since: (form: ReturnForm) => Day | undefined,
): { readonly form: ReturnForm; readonly month: string; readonly law: string } | undefined {
  if (filedOn < IN_ORDER_SINCE) return undefined;
  const days = returnDays(form, period, own.filing);
  for (const first of filedFirst[form]) {
    const began = since(first.form);
    const before = began === undefined ? [] : monthsOf(first.form, own, { from: began, to: addDays(days.from, -1) });
    const within = monthsOf(first.form, own, days).filter(
      (m) => m === period || (began ?? days.to) <= monthEnd(`${m}-01`),
    );
    const missing = (first.of === 'earlier' ? before : within).find((m) => !own.marked.has(markName(first.form, m)));
    if (missing !== undefined) return { form: first.form, month: missing, law: first.law };
  }
  return undefined;
}

/** The annual return that is marked over a return of its year: it is taken back first. */
export const annualOver = (own: Pick<Filer, 'marked'>, form: ReturnForm, month: string): ReturnForm | undefined => {
  const last = financialYearOf(`${month}-01`).end.slice(0, 7);
  return returnForms.find(
    (annual) =>
      filedEvery[annual] === 'year' &&
      filedFirst[annual].some((first) => first.form === form && first.of === 'same') &&
      own.marked.has(markName(annual, last)),
  );
};

/** Why an IFF is not marked any more: a later return has taken what it would hold. */
export function lateIff(own: Filer, period: string): Said | undefined {
  if (own.marked.has(markName('GSTR-1', quarterOf(`${period}-01`).end.slice(0, 7))))
    return say(
      'The GSTR-1 of its quarter is marked as filed, and may contain the documents of this IFF: take that mark back first',
    );
  const next = addMonths(`${period}-01`, 1).slice(0, 7);
  return own.marked.has(markName('IFF', next))
    ? say(
        'The IFF of the next month is marked as filed, and may contain the documents of this IFF: take that mark back first',
      )
    : undefined;
}

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
    // a credit note lowers the tax due, and takes no room
    const room = type === 'CRN' ? 0 : total;
    if (sum + room > IFF_LIMIT) continue;
    sum += room;
    taken.add(id);
  }
  return taken;
}
