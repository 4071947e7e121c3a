import { retailValued } from '../../../facts/retail-valued.ts';
import { isUnder } from './rates.ts';

/** A code typed short may be any of its goods: it is left out only where all of it is. */
const isOf = (code: string, { hsn, without }: (typeof retailValued)[number]): boolean =>
  hsn.some((each) => isUnder(code, each)) && !without.some((each) => code.startsWith(each));

/** Whether goods of this code are ever taxed on their retail price. */
export const mayHaveRetailPrice = (hsn: string): boolean => retailValued.some((row) => isOf(hsn, row));

/** Whether they are on a day. */
export const isRetailValued = (hsn: string, day: string): boolean =>
  retailValued.some((row) => row.from <= day && (row.to === undefined || day <= row.to) && isOf(hsn, row));
