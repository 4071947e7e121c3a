import { financialYearOf, todayIn } from '../../domain/base/dates.ts';

/** The day on which the tests run, and its financial year: for tests that post documents of today. */
export const dayNow: string = todayIn(Date.now());
const year = financialYearOf(dayNow);
export const daysOfYear: { readonly from: string; readonly to: string } = { from: year.start, to: year.end };
/** The month of today as returns name it, '112026'. */
export const periodNow: string = `${dayNow.slice(5, 7)}${dayNow.slice(0, 4)}`;
/** The financial year of today as numbers of documents carry it, '26-27'. */
export const yearNow: string = year.short;
