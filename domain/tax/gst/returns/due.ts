import { addMonths, financialYearOf, quarterOf } from '../../../base/dates.ts';
import type { Day, StateCode } from '../../../document/document.ts';
import { filedEvery, type ReturnForm, returnForms } from '../../../facts/gst-returns.ts';
import { dueOn, type Filer, filesQuarterly, markName, monthsOf, returnDays } from './filing.ts';

/** A return that is not marked as filed. */
export interface DueReturn {
  readonly form: ReturnForm;
  /** The last month of its period: '2026-10'. */
  readonly period: string;
  readonly due: Day;
  /** Its period is over, so that it can be filed. */
  readonly over: boolean;
}

/** So far back is looked for returns that were never marked. */
const MONTHS_BACK = 24;

/** Nobody has to furnish invoices before the return of their quarter (rule 59(2)). */
const isVoluntary = (form: ReturnForm): boolean => form === 'IFF';

const periodEnd = (form: ReturnForm, today: Day): Day =>
  filedEvery[form] === 'year' ? financialYearOf(today).end : quarterOf(today).end;

/**
 * The returns that a registration has to file, the first one due first: those whose period is over, and of each form the next one.
 * `since` tells from which day on the books have documents of a form: what was before was filed elsewhere.
 */
export function returnsDue(
  own: Filer & { readonly state: StateCode },
  since: (form: ReturnForm) => Day | undefined,
  today: Day,
): DueReturn[] {
  const earliest = addMonths(`${today.slice(0, 7)}-01`, -MONTHS_BACK);
  const found = returnForms.flatMap((form): DueReturn[] => {
    if (isVoluntary(form)) return [];
    const began = since(form) ?? today;
    const days = { from: began < earliest ? earliest : began, to: periodEnd(form, today) };
    const open = monthsOf(form, own, days)
      .filter((month) => !own.marked.has(markName(form, month)))
      .map((period): DueReturn => {
        const { to } = returnDays(form, period, own.filing);
        return {
          ...{ form, period, over: to < today },
          due: dueOn(form, to, filedEvery[form] === 'chosen' && filesQuarterly(own.filing, to), own.state),
        };
      });
    const next = open.find(({ over }) => !over);
    return [...open.filter(({ over }) => over), ...(next ? [next] : [])];
  });
  return found.toSorted((a, b) =>
    a.due === b.due ? returnForms.indexOf(a.form) - returnForms.indexOf(b.form) : a.due < b.due ? -1 : 1,
  );
}
