import { type Said, say } from '../../../base/say.ts';
import { stateName } from './states.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The check digit (mod 36) that belongs behind the first fourteen characters of a GSTIN, or undefined for other characters. */
export const gstinCheckDigit = (text: string): string | undefined => {
  if (!/^[0-9A-Z]{14}/.test(text)) return undefined;
  let total = 0;
  for (let i = 0; i < 14; i++) {
    const product = digits.indexOf(text.charAt(i)) * (i % 2 === 0 ? 1 : 2);
    total += Math.floor(product / 36) + (product % 36);
  }
  return digits.charAt((36 - (total % 36)) % 36);
};

const forms = {
  // the fourteenth character is Z for most; other letters and digits are given as well (C and D have rows of their own)
  taxpayer: /^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z][Z1-9ABE-J][0-9A-Z]$/,
  government: /^[0-9]{2}[A-Z]{4}[0-9]{5}[A-Z][0-9]Z[0-9A-Z]$/,
  taxDeductor: /^[0-9]{2}[A-Z]{4}[A-Z0-9][0-9]{4}[A-Z][1-9A-Z]D[0-9A-Z]$/,
  taxCollector: /^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z]C[0-9A-Z]$/,
  uinHolder: /^[0-9]{4}[A-Z]{3}[0-9]{5}[UO]N[0-9A-Z]$/,
  nonResident: /^[0-9]{4}[A-Z]{3}[0-9]{5}N[RS][0-9A-Z]$/,
  onlineService: /^99[0-9]{2}[A-Z]{3}[0-9]{5}OS[0-9A-Z]$/,
} as const;
export type GstinForm = keyof typeof forms;

/** Which form of registration number this is, by its shape alone. */
export const gstinForm = (text: string): GstinForm | undefined =>
  (Object.keys(forms) as GstinForm[]).find((form) => forms[form].test(text));

/** What is wrong with a GSTIN, or undefined when shape, state and check digit are right. */
export const gstinProblem = (text: string): Said | undefined => {
  const form = gstinForm(text);
  if (form === undefined) return say('This is not a GSTIN');
  if (form !== 'onlineService' && stateName(text.slice(0, 2)) === undefined)
    return say('GSTIN does not start with a state code');
  if (gstinCheckDigit(text) !== text.charAt(14)) return say('The check digit of this GSTIN is wrong');
  return undefined;
};

export const stateOfGstin = (gstin: string): string => gstin.slice(0, 2);

/** The PAN inside a taxpayer's GSTIN; other forms hold none. */
export const panOfGstin = (gstin: string): string | undefined =>
  forms.taxpayer.test(gstin) || forms.taxCollector.test(gstin) ? gstin.slice(2, 12) : undefined;

export const isPan = (text: string): boolean => /^[A-Z]{5}[0-9]{4}[A-Z]$/.test(text);

const holders: Readonly<Record<string, 'company' | 'firm' | 'government'>> = {
  C: 'company',
  F: 'firm',
  G: 'government',
};

/** What the PAN in a GSTIN says of its holder: the fourth character. Undefined without a GSTIN. */
export const holderOf = (gstin: string | null): 'company' | 'firm' | 'government' | 'other' | undefined =>
  gstin === null ? undefined : (holders[gstin[5] ?? ''] ?? 'other');
