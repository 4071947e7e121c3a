import { type Drill, type Filter, periodProblem, type Report } from '../../../contract/reports.ts';
import type { Session } from '../../../contract/session.ts';
import { addMonths, financialYearOf, isDay, monthStart, periodOf, quarterOf } from '../../../domain/base/dates.ts';
import { type FilingPeriod, filesQuarterly, outwardReturn } from '../../../domain/tax/gst/returns/filing.ts';
import { taxPeriodProblem } from '../../../domain/tax/gst/returns/tax-period.ts';
import { usualPlace } from '../../kit/server/session.ts';
import { t, translated } from '../../kit/text.ts';

export type Values = Readonly<Record<string, string>>;

/** What of the session tells where filters start. */
type Start = Pick<Session, 'today' | 'registrations' | 'locations' | 'taxLocation'> &
  Partial<Pick<Session, 'physicalLocation' | 'subject' | 'organisation'>>;

/** Where a filter starts when the address says nothing. */
export const initialValue = (filter: Filter, session: Start): string => {
  const { today, physicalLocation } = session;
  switch (filter.initial) {
    case undefined:
      return '';
    case 'today':
      return today;
    case 'monthStart':
      return monthStart(today);
    case 'yearStart':
      return financialYearOf(today).start;
    case 'thisPeriod':
      return periodOf(today);
    case 'location':
      return physicalLocation ?? '';
    case 'registration':
      // the same as of a new document
      return usualPlace(session).registration;
    default:
      return filter.initial;
  }
};

/** The filters as the address has them, the rest as they start. */
export const filterValues = (report: Report, address: Values, session: Start): Values =>
  Object.fromEntries(
    Object.entries(report.filters).map(([key, filter]) => [key, address[key] ?? initialValue(filter, session)]),
  );

/** What the server is asked: empty filters are left out. */
export const askedFilters = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

type Asking = Pick<Session, 'today' | 'registrations'>;
/** How often the registration that is asked about files its returns. */
export const filingOf = (registrations: Session['registrations'], { registration }: Values): readonly FilingPeriod[] =>
  registrations.find(({ id }) => id === registration)?.filing ?? [];

/** The first thing that keeps the report from running, by filter. */
export const filterProblems = (report: Report, values: Values, { today, registrations }: Asking): Values =>
  Object.fromEntries(
    Object.entries(report.filters).flatMap(([key, filter]) => {
      const value = values[key] ?? '';
      if (value === '') return filter.required ? [[key, t('{{label}} is required', { label: t(filter.label) })]] : [];
      if (filter.type === 'day' && !isDay(value)) return [[key, t('Give a date')]];
      const month =
        filter.type === 'period'
          ? taxPeriodProblem(value, today, filesQuarterly(filingOf(registrations, values), today))
          : undefined;
      if (month) return [[key, translated(month)]];
      const period = periodProblem(report, values);
      return period?.field === key ? [[key, translated(period)]] : [];
    }),
  );

export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** Which of its report's ways down a row has something for. */
export const drillOf = ({ drill }: Report, row: Row): Drill | undefined => {
  if (drill === undefined || drill === 'document') return undefined;
  const all: readonly Drill[] = 'report' in drill ? [drill] : drill;
  return all.find(({ filters }) => Object.values(filters).some((from) => row[from] != null));
};

/** The filters of the report a row leads to: from the row, else from the filters here. */
export const drillFilters = (wanted: Readonly<Record<string, string>>, row: Row, values: Values): Values =>
  Object.fromEntries(
    Object.entries(wanted).flatMap(([filter, from]) => {
      const value = row[from] ?? values[from];
      return value == null || value === '' ? [] : [[filter, String(value)]];
    }),
  );

const monthWords = (first: string, more: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-IN', { month: 'long', timeZone: 'UTC', ...more }).format(Date.parse(first));

/**
 * The periods that can be chosen, newest first, as the portals write them with their words: this month and the 35 before it, and for
 * who files quarterly the running quarter, by its last month.
 */
export const periods = (
  today: string,
  filing: readonly FilingPeriod[] = [],
): readonly { readonly value: string; readonly label: string }[] => {
  const first = monthStart(today);
  const months = Array.from({ length: 36 }, (_, back) => addMonths(first, -back));
  const last = monthStart(quarterOf(today).end);
  const all = filesQuarterly(filing, today) && last !== first ? [last, ...months] : months;
  return all.map((month) => {
    const { form, quarterly, from } = outwardReturn(periodOf(month), filing);
    const name = monthWords(month, { year: 'numeric' });
    const words = !quarterly
      ? name
      : form === 'IFF'
        ? `${name} (IFF)`
        : t('{{from}} to {{name}}', { from: monthWords(from, {}), name });
    return { value: periodOf(month), label: words };
  });
};
