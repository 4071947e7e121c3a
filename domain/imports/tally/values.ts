import { addDays, isDay } from '../../base/dates.ts';
import type { Day } from '../../document/document.ts';

/** A number as text with a point, without its sign: `1234.50`; empty where there is none. */
interface Amount {
  readonly debit: boolean;
  /** Without a sign. */
  readonly amount: string;
}

const number = /-?\(?-?\)?\s*[^\d.-]*([\d,]*\.?\d+)/;

/**
 * An amount: below zero it is a debit. Of foreign money the part in rupees counts, behind the last `=`; `Dr` and `Cr` win
 * over the sign. Undefined: nothing, or 0.
 */
export function amountOf(text: string): Amount | undefined {
  const own = text.slice(text.lastIndexOf('=') + 1).trim();
  const figure = number.exec(own)?.[1]?.replaceAll(',', '') ?? '';
  if (figure === '' || Number(figure) === 0) return undefined;
  const side = /\b(dr|cr)\.?$/i.exec(own)?.[1]?.toLowerCase();
  return { debit: side === undefined ? /^[^\d.]*-/.test(own) : side === 'dr', amount: figure };
}

/** The figure of a quantity or rate, ` 10 Nos` or `1500.00/Nos`, with its sign; empty where there is none or it is 0. */
export function figureOf(text: string): string {
  const found = number.exec(text);
  const figure = found?.[1]?.replaceAll(',', '') ?? '';
  if (figure === '' || Number(figure) === 0) return '';
  return /-/.test(found?.[0] ?? '') ? `-${figure}` : figure;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** A day written `20260401` or `1-Apr-26`; undefined where it is none. */
export function dayOf(text: string): Day | undefined {
  const digits = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (digits) return ifDay(`${digits[1]}-${digits[2]}-${digits[3]}`);
  const words = /^(\d{1,2})-([A-Za-z]{3})-(\d{2}|\d{4})$/.exec(text);
  const month = months.indexOf(words?.[2]?.toLowerCase() ?? '') + 1;
  if (!words || month === 0) return undefined;
  const year = words[3]?.length === 2 ? `20${words[3]}` : words[3];
  return ifDay(`${year}-${String(month).padStart(2, '0')}-${words[1]?.padStart(2, '0')}`);
}
const ifDay = (day: string): Day | undefined => (isDay(day) ? day : undefined);

/** When a bill is due: its credit is so many days from its date, or a day. */
export function dueOf(billed: Day | undefined, credit: string): Day | undefined {
  const days = /^(\d+)\s*days?$/i.exec(credit.trim())?.[1];
  if (days === undefined) return dayOf(credit.trim());
  return billed === undefined ? undefined : addDays(billed, Number(days));
}

/** Days of credit, of `30 Days`. */
export const creditDays = (text: string): string => /^(\d+)\s*days?$/i.exec(text.trim())?.[1] ?? '';
