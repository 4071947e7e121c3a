import { type Said, say } from '../base/say.ts';
/** How a code is drawn. The first three have a check digit that is part of the code (GS1 General Specifications 7.9). */
export const symbologies = [
  ['ean13', 'EAN-13'],
  ['ean8', 'EAN-8'],
  ['upca', 'UPC-A'],
  ['code128', 'Code 128'],
] as const;
export type Symbology = (typeof symbologies)[number][0];

const lengths: Readonly<Record<number, Symbology>> = { 8: 'ean8', 12: 'upca', 13: 'ean13' };

/** The check digit of a GS1 number without it: weights of 3 and 1 in turn from the right. */
export function checkDigit(digits: string): string {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) sum += Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 3 : 1);
  return String((10 - (sum % 10)) % 10);
}

const isChecked = (code: string): boolean => checkDigit(code.slice(0, -1)) === code.slice(-1);

/** How a code is drawn: digits of a GS1 length with a right check digit as such, all else as Code 128. */
export const symbologyOf = (code: string): Symbology => {
  const gs1 = /^\d+$/.test(code) ? lengths[code.length] : undefined;
  return gs1 && isChecked(code) ? gs1 : 'code128';
};

/** What is wrong with a code that is typed; nothing where it can be printed and read again. */
export function barcodeProblem(code: string): Said | undefined {
  if (code.length < 3 || code.length > 48) return say('A barcode has 3 to 48 characters');
  if (!/^[\x21-\x7e]+$/.test(code))
    return say('A barcode has letters, digits and signs of the keyboard, without spaces');
  // thirteen digits are meant as an EAN: one that is mistyped must not become a Code 128 that no till knows
  if (/^\d{13}$/.test(code) && !isChecked(code))
    return say('The check digit is not right: {{code}} ends with {{digit}}', {
      code: code.slice(0, 12),
      digit: checkDigit(code.slice(0, 12)),
    });
  return undefined;
}

/** GS1 leaves numbers that begin with 20 to 29 to each business for its own use. */
export const ownPrefixes: readonly string[] = Array.from({ length: 10 }, (_, n) => String(20 + n));

/** The EAN-13 of our own range with this running number. */
export function ownEan(prefix: string, running: number): string {
  const digits = `${prefix}${String(running).padStart(12 - prefix.length, '0')}`;
  return digits + checkDigit(digits);
}

/** What a scanner has sent, as it is kept: without the blanks and the code identifier that some put around it. */
export const scannedCode = (text: string): string => text.trim().replace(/^\][A-Za-z]\d/, '');

/** Whether text that was typed into the field of an item can only be a code: nobody types so many digits as a name. */
export const looksScanned = (text: string): boolean => /^\d{8,14}$/.test(scannedCode(text));
