import { uqcNames } from '../../../facts/uqc.ts';

export type Uqc = keyof typeof uqcNames;
export const isUqc = (code: string): code is Uqc => Object.hasOwn(uqcNames, code);
/** The unit code for the portals: an unknown unit is others. */
export const uqcOf = (unit: string): Uqc => (isUqc(unit) ? unit : 'OTH');
/** The codes with their names, to choose from. */
export const uqcChoices = Object.entries(uqcNames).map(([code, name]) => [code, `${code} – ${name}`] as const);
