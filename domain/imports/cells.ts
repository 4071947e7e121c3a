import { isDay } from '../base/dates.ts';
import { type Said, say } from '../base/say.ts';
import { stateRows } from '../facts/states.ts';
import { plain } from './recognise.ts';
import type { SheetField } from './sheet.ts';
import { choiceSynonyms } from './synonyms.ts';

/** What a cell says, as a form would send it, or why it cannot be read. What may be kept is checked where a form is. */
export type Cell = { readonly value: unknown } | { readonly problem: Said };

const YES = new Set(['yes', 'y', 'true', '1', 'x', 'हाँ', 'हां']);
const NO = new Set(['no', 'n', 'false', '0', 'नहीं']);
const TICKS: Readonly<Record<string, boolean>> = {
  '✓': true,
  '✔': true,
  '☑': true,
  '✗': false,
  '✘': false,
  '☐': false,
};

const flag = (text: string): Cell => {
  const word = plain(text);
  const is = TICKS[text] ?? (YES.has(word) ? true : NO.has(word) ? false : undefined);
  return is === undefined ? { problem: say('Write Yes or No') } : { value: is };
};

/** A number as people and spreadsheets write it: ₹1,00,000.00, 1,000, 18 %, (250.00), 12.50 Dr. */
const number = (text: string): Cell => {
  const bare = text
    .normalize('NFKC')
    .replace(/^(\(?)\s*(?:₹|rs\.?|inr)\s*/i, '$1')
    .replace(/\s*(?:%|\/-|₹|inr|dr\.?)$/i, '')
    .replace(/\u2212/g, '-')
    .replace(/\s/g, '');
  const isNegative = /^\(.*\)$/.test(bare);
  const digits = bare.replace(/^\((.*)\)$/, '$1');
  if (!/^[-+]?(\d+|\d{1,3}(,\d{2,3})+)?(\.\d*)?$/.test(digits) || !/\d/.test(digits))
    return { problem: say('“{{text}}” is not a number', { text }) };
  const [head = '', tail = ''] = digits.replaceAll(',', '').replace(/^\+/, '').split('.');
  const whole = head === '' || head === '-' ? `${head}0` : head;
  const kept = tail.replace(/0+$/, '');
  return { value: `${isNegative ? '-' : ''}${whole}${kept === '' ? '' : `.${kept}`}` };
};

const whole = (text: string): Cell => {
  const read = number(text);
  if ('problem' in read || /^-?\d{1,15}$/.test(String(read.value))) return read;
  return { problem: say('“{{text}}” is not a whole number', { text }) };
};

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const pad = (n: number): string => String(n).padStart(2, '0');
const century = (year: number): number => (year < 100 ? 2000 + year : year);

/** Days that a spreadsheet counts from the end of 1899, in the range of years that anybody means. */
const dayOfCount = (count: number): string | undefined =>
  count >= 20_000 && count < 80_000
    ? new Date(Date.UTC(1899, 11, 30) + count * 86_400_000).toISOString().slice(0, 10)
    : undefined;

/** A day: 31/03/2026, 31-3-26, 31 Mar 2026, 2026-03-31, or the count of a spreadsheet. In India the day comes first. */
export const readDay = (text: string): Cell => {
  const counted = /^\d{5}(\.0+)?$/.test(text) ? dayOfCount(Number(text)) : undefined;
  if (counted) return { value: counted };
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/.exec(text);
  const own = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{2}|\d{4})(?: .*)?$/.exec(text);
  const inWords = /^(\d{1,2})[-/. ]*([a-z]{3})[a-z]*[-/., ]*(\d{2}|\d{4})$/i.exec(text);
  const month = inWords ? MONTHS.indexOf((inWords[2] ?? '').toLowerCase()) + 1 : 0;
  const day = iso
    ? `${iso[1]}-${pad(Number(iso[2]))}-${pad(Number(iso[3]))}`
    : own
      ? `${century(Number(own[3]))}-${pad(Number(own[2]))}-${pad(Number(own[1]))}`
      : inWords
        ? `${century(Number(inWords[3]))}-${pad(month)}-${pad(Number(inWords[1]))}`
        : '';
  if (isDay(day)) return { value: day };
  return own && Number(own[2]) > 12
    ? { problem: say('“{{text}}” is not a day: write day/month/year, as 31/03/2026', { text }) }
    : { problem: say('“{{text}}” is not a day: write it as 31/03/2026', { text }) };
};

const choice = (text: string, { choices = [], initial, label }: SheetField): Cell => {
  const word = plain(text);
  const exact = choices.find(([value, name]) => value === text || plain(name) === word || plain(value) === word);
  if (exact) return { value: exact[0] };
  const called = choices.find(([value]) => choiceSynonyms[value]?.some((other) => plain(other) === word));
  if (called) return { value: called[0] };
  const alike = choices.filter(([, name]) => plain(name).includes(word));
  const found = alike.length === 1 ? alike[0] : alike.find(([value]) => value === initial);
  if (found && word !== '') return { value: found[0] };
  const offered = choices.length <= 12 ? choices.map(([, name]) => name).join(', ') : '';
  return {
    problem: offered
      ? say('“{{text}}” is not one of: {{offered}}', { text, offered })
      : say('“{{text}}” is not in the list of {{label}}', { text, label }),
  };
};

/** Letters that GST, vehicles and other programs use for a state, where its name does not begin so. */
const letters: Readonly<Record<string, string>> = {
  ...{ jk: '01', hp: '02', pb: '03', ch: '04', uk: '05', ua: '05', hr: '06', dl: '07', rj: '08', up: '09', br: '10' },
  ...{ sk: '11', ar: '12', nl: '13', mn: '14', mz: '15', tr: '16', ml: '17', as: '18', wb: '19', jh: '20', od: '21' },
  ...{ or: '21', orissa: '21', cg: '22', ct: '22', mp: '23', gj: '24', mh: '27', ka: '29', ga: '30', ld: '31' },
  ...{ kl: '32', tn: '33', py: '34', pondicherry: '34', an: '35', ts: '36', tg: '36', ap: '37', la: '38' },
  ...{ newdelhi: '07', uttaranchal: '05', bombay: '27', dnhdd: '26', dn: '26', dd: '26' },
};
const stateWord = (text: string): string => plain(text).replaceAll('and', '');

/** A state by its name, its code, `29-Karnataka` or its letters. */
const state = (text: string): Cell => {
  const code = /^(\d{1,2})(?:\s*[-–:. ].*)?$/.exec(text)?.[1]?.padStart(2, '0');
  const found =
    stateRows.find((row) => row.code === code) ??
    stateRows.find(({ name, active }) => active && stateWord(name) === stateWord(text)) ??
    stateRows.find((row) => row.code === letters[plain(text)]) ??
    stateRows.find(({ name }) => stateWord(name) === stateWord(text.replace(/\(.*\)|\b\d{2}\b/g, '')));
  return found
    ? { value: found.code }
    : { problem: say('“{{text}}” is not a state: write its name or its code', { text }) };
};

const verbatim = (text: string): Cell => ({ value: text });
const compact = (text: string): Cell => ({ value: text.replace(/\s/g, '') });

const readers: Readonly<Record<string, (text: string, field: SheetField) => Cell>> = {
  flag,
  money: number,
  quantity: number,
  rate: number,
  percent: number,
  whole,
  day: readDay,
  choice,
  state,
  gstin: (text) => ({ value: text.replace(/\s/g, '').toUpperCase() }),
  email: compact,
  code: (text) => ({ value: text.toUpperCase() }),
};

/** What other programs write where there is nothing. */
const NOTHING = new Set(['-', '--', '–', 'n/a', 'null', '#n/a']);

/** The text of a cell without what only spreadsheets need: spaces around it, and the apostrophe that keeps text from running. */
export const cellText = (text: string): string => {
  const trimmed = text.replace(/\u00a0/g, ' ').trim();
  const bare = /^'(?=[\s"';]*[=+@＝＋－＠-])/.test(trimmed) ? trimmed.slice(1) : trimmed;
  return NOTHING.has(bare.toLowerCase()) ? '' : bare;
};

/** What a cell of a field says; undefined: it is empty and says nothing. */
export function readCell(field: SheetField, text: string): Cell | undefined {
  const bare = cellText(text);
  return bare === '' ? undefined : (readers[field.type] ?? verbatim)(bare, field);
}
