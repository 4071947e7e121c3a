const dayMs = 86_400_000;
const pad = (n: number, width = 2): string => String(n).padStart(width, '0');
const fromMs = (ms: number): string => {
  const d = new Date(ms);
  return `${pad(d.getUTCFullYear(), 4)}-${pad(d.getUTCMonth() + 1)}-${pad(d.getUTCDate())}`;
};
const toMs = (day: string): number => {
  if (!isDay(day)) throw new RangeError(`not a day: ${day}`);
  return Date.parse(`${day}T00:00:00Z`);
};

/** Whether the text is a real day, 'YYYY-MM-DD'. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
  fromMs(Date.parse(`${text}T00:00:00Z`)) === text;

export const addDays = (day: string, days: number): string => fromMs(toMs(day) + days * dayMs);
/** Days from one day to another; negative when `to` is earlier. */
export const daysBetween = (from: string, to: string): number => (toMs(to) - toMs(from)) / dayMs;
export const compareDays = (a: string, b: string): -1 | 0 | 1 => (a < b ? -1 : a > b ? 1 : 0);

export const monthStart = (day: string): string => `${day.slice(0, 7)}-01`;
export const addMonths = (day: string, months: number): string => {
  const index = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months;
  const first = `${pad(Math.floor(index / 12), 4)}-${pad((index % 12) + 1)}-01`;
  const last = Number(fromMs(Date.UTC(Math.floor(index / 12), (index % 12) + 1, 0)).slice(8));
  return first.slice(0, 8) + pad(Math.min(Number(day.slice(8)), last));
};
export const monthEnd = (day: string): string => addDays(addMonths(monthStart(day), 1), -1);

export interface FinancialYear {
  readonly start: string;
  readonly end: string;
  readonly label: string;
  readonly short: string;
}
/** The financial year, April to March, a day falls in. */
export const financialYearOf = (day: string): FinancialYear => {
  const year = Number(day.slice(0, 4)) - (Number(day.slice(5, 7)) < 4 ? 1 : 0);
  const next = pad((year + 1) % 100);
  return {
    start: `${pad(year, 4)}-04-01`,
    end: `${pad(year + 1, 4)}-03-31`,
    label: `${pad(year, 4)}-${next}`,
    short: `${pad(year % 100)}-${next}`,
  };
};

/** Quarter of the financial year: 1 is April to June. */
export const quarterOf = (
  day: string,
): { readonly number: 1 | 2 | 3 | 4; readonly start: string; readonly end: string } => {
  const month = (Number(day.slice(5, 7)) + 8) % 12;
  const start = addMonths(monthStart(day), -(month % 3));
  return { number: (Math.floor(month / 3) + 1) as 1 | 2 | 3 | 4, start, end: monthEnd(addMonths(start, 2)) };
};

/** A return period as the portals write it, 'MMYYYY'. */
export const periodOf = (day: string): string => day.slice(5, 7) + day.slice(0, 4);
/** How an organisation writes days: MM-DD-YYYY (1) or DD-MM-YYYY (2). */
export type DateFormat = 1 | 2;
/** A day as an organisation writes it. */
export const shownDay = (day: string, format: DateFormat): string => {
  const [y, m, d] = day.split('-');
  return format === 1 ? `${m}-${d}-${y}` : `${d}-${m}-${y}`;
};
/** A day as the portals write it, 'DD-MM-YYYY'. */
export const portalDay = (day: string): string => shownDay(day, 2);

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** '2026-09' as 'Sep 2026'; of a day its month. */
export const monthInWords = (month: string): string =>
  `${months[Number(month.slice(5, 7)) - 1] ?? ''} ${month.slice(0, 4)}`;
/** A day inside a sentence, '5 Mar 2026': read in one way only, whichever way an organisation writes its days. */
export const dayInWords = (day: string): string => `${Number(day.slice(8))} ${monthInWords(day)}`;

/** The day in Kolkata (always five and a half hours ahead) at an instant in milliseconds since 1970. */
export const todayIn = (epochMs: number): string => fromMs(epochMs + 19_800_000);

/** A moment the portals write, 'YYYY-MM-DD HH:mm:ss' in Indian time, as milliseconds since 1970; undefined when it is none. */
export const indianMoment = (text: string): number | undefined => {
  const ms = Date.parse(`${text.trim().replace(' ', 'T')}+05:30`);
  return Number.isNaN(ms) ? undefined : ms;
};
