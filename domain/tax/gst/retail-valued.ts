import { retailValued } from '../../facts/retail-valued.ts';
import { isUnder } from './rates.ts';

/** Whether goods of this code are ever taxed on their retail price. */
export const mayHaveRetailPrice = (hsn: string): boolean =>
  retailValued.some(({ hsn: codes }) => codes.some((code) => isUnder(hsn, code)));

/** Whether they are on a day. */
export const isRetailValued = (hsn: string, day: string): boolean =>
  retailValued.some(
    ({ from, to, hsn: codes }) =>
      from <= day && (to === undefined || day <= to) && codes.some((code) => isUnder(hsn, code)),
  );
