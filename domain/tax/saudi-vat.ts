import { type Percent, percent } from '../base/decimal.ts';
import type { Day } from '../document/document.ts';
import { saudiVatRates } from '../facts/saudi-vat.ts';

/** The currency in which value added tax is stated there. */
export const RIYAL = 'SAR';

/** The standard rate on a day, or undefined before there was such a tax. */
export const saudiVatRate = (date: Day): Percent | undefined => {
  const found = saudiVatRates.find(({ from, to }) => from <= date && (to === undefined || date <= to));
  return found && percent(found.rate);
};

/** Fifteen digits, the first and the last of which are 3. */
export const isVatNumber = (text: string): boolean => /^3\d{13}3$/.test(text);

/** What the QR code of a tax invoice says (ZATCA, simplified tags 1 to 5). Amounts are decimal text in riyals. */
export interface VatQr {
  readonly seller: string;
  readonly vatNumber: string;
  /** '2026-11-02T09:15:00Z' */
  readonly at: string;
  readonly total: string;
  readonly vat: string;
}

/** Each part as its number, its length in bytes and its text in UTF-8, all of it in base64. */
export function vatQr({ seller, vatNumber, at, total, vat }: VatQr): string {
  const bytes = [seller, vatNumber, at, total, vat].flatMap((text, index) => {
    const value = utf8(text, MOST);
    return [index + 1, value.length, ...value];
  });
  return base64(bytes);
}
/** A length is one byte. */
const MOST = 255;

/** The bytes of a text, as many whole characters as fit. */
function utf8(text: string, most: number): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const own = encoded(character.codePointAt(0) ?? 0);
    if (bytes.length + own.length > most) break;
    bytes.push(...own);
  }
  return bytes;
}
const follow = (code: number, shift: number): number => 0x80 | ((code >> shift) & 0x3f);
const encoded = (code: number): number[] => {
  if (code < 0x80) return [code];
  if (code < 0x800) return [0xc0 | (code >> 6), follow(code, 0)];
  if (code < 0x10000) return [0xe0 | (code >> 12), follow(code, 6), follow(code, 0)];
  return [0xf0 | (code >> 18), follow(code, 12), follow(code, 6), follow(code, 0)];
};

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
function base64(bytes: readonly number[]): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = bytes.slice(at, at + 3);
    const whole = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    const four = [18, 12, 6, 0].map((shift) => letters[(whole >> shift) & 63] ?? '');
    text +=
      four.slice(0, b === undefined ? 2 : c === undefined ? 3 : 4).join('') +
      (b === undefined ? '==' : c === undefined ? '=' : '');
  }
  return text;
}
