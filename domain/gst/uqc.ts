import { uqcNames } from '../facts/uqc.ts';

export type Uqc = keyof typeof uqcNames;
export const isUqc = (code: string): code is Uqc => Object.hasOwn(uqcNames, code);
/** The unit code for the portals: an unknown unit is others. */
export const uqcOf = (unit: string): Uqc => (isUqc(unit) ? unit : 'OTH');
