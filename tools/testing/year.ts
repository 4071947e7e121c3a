import { financialYearOf, todayIn } from '../../domain/base/dates.ts';

/** The financial year of today as numbers of documents carry it, '26-27'. */
export const yearNow: string = financialYearOf(todayIn(Date.now())).short;
