import { addDays, financialYearOf, isDay, monthEnd, monthStart } from '../../domain/base/dates.ts';
import { t } from '../kit/text.ts';

export type PeriodName = 'day' | 'week' | 'month' | 'year' | 'custom';
export const periodNames = [
  { key: 'day', label: 'Day' },
  { key: 'week', label: 'Week' },
  { key: 'month', label: 'Month' },
  { key: 'year', label: 'Year' },
  { key: 'custom', label: 'Custom date' },
] as const satisfies readonly { key: PeriodName; label: string }[];

export interface Range {
  readonly StartDate: string;
  readonly EndDate: string;
}

/** First and last day of the period a day lies in. Weeks begin on Monday, years are April to March. */
export const rangeOf = (period: Exclude<PeriodName, 'custom'>, today: string): Range => {
  if (period === 'day') return { StartDate: today, EndDate: today };
  if (period === 'month') return { StartDate: monthStart(today), EndDate: monthEnd(today) };
  if (period === 'year') {
    const { start, end } = financialYearOf(today);
    return { StartDate: start, EndDate: end };
  }
  const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
  const monday = addDays(today, -weekday);
  return { StartDate: monday, EndDate: addDays(monday, 6) };
};

/** The range typed, or why it cannot be used. */
export const customRange = (from: string, to: string): Range | string => {
  if (!isDay(from) || !isDay(to)) return t('Give both dates');
  return to < from ? t('End Date should be greater than Start Date') : { StartDate: from, EndDate: to };
};

/** Every day of a range, at most `most`. */
export const daysOf = ({ StartDate, EndDate }: Range, most = 400): readonly string[] => {
  const days: string[] = [];
  for (let day = StartDate; day <= EndDate && days.length < most; day = addDays(day, 1)) days.push(day);
  return days;
};

export const labelOf: Readonly<Record<PeriodName, string>> = {
  day: 'Today',
  week: 'This week',
  month: 'This month',
  year: 'This financial year',
  custom: 'Custom date',
};
