import { financialYearOf } from '../dates.ts';
import type { Day } from '../document.ts';

export type IrnType = 'INV' | 'CRN' | 'DBN';

/** The text whose SHA-256 in small hexadecimal is the IRN. Since June 2025 the number counts in capitals. */
export const irnText = (gstin: string, financialYear: string, type: IrnType, number: string): string =>
  `${gstin}${financialYear}${type}${number.toUpperCase()}`;

/** The same for a document of a day. */
export const irnTextOn = (gstin: string, date: Day, type: IrnType, number: string): string =>
  irnText(gstin, financialYearOf(date).label, type, number);
