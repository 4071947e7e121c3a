const INDIA = 330 * 60_000;
const two = (value: number) => String(value).padStart(2, '0');
const india = (moment: Date) => new Date(moment.getTime() + INDIA);

/** The calendar day in India, YYYY-MM-DD. */
export const dayOf = (moment: Date): string => india(moment).toISOString().slice(0, 10);

/** The invoice portal's time: yyyy-MM-dd HH:mm:ss in India, no zone. */
export const portalTime = (moment: Date): string => india(moment).toISOString().slice(0, 19).replace('T', ' ');

/** The e-way-bill portal's time: dd/MM/yyyy hh:mm:ss AM or PM in India. */
export function wayTime(moment: Date): string {
  const local = india(moment);
  const hour = local.getUTCHours();
  const [year, month, day] = dayOf(moment).split('-');
  const time = [hour % 12 || 12, local.getUTCMinutes(), local.getUTCSeconds()].map(two).join(':');
  return `${day}/${month}/${year} ${time} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** dd/MM/yyyy of the payloads as YYYY-MM-DD; undefined when the calendar has no such day. */
export function isoDay(text: string): string | undefined {
  const found = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text);
  if (!found) return undefined;
  const iso = `${found[3]}-${found[2]}-${found[1]}`;
  const moment = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(moment) || new Date(moment).toISOString().slice(0, 10) !== iso ? undefined : iso;
}

/** YYYY-MM-DD as the payloads write it. */
export const payloadDay = (iso: string): string => iso.split('-').reverse().join('/');

/** Whole days from one calendar day to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);

/** The end of the day that many days later: 23:59:00 in India. */
export const endOfDay = (moment: Date, daysLater: number): Date =>
  new Date(Date.parse(`${dayOf(moment)}T23:59:00Z`) + daysLater * 86_400_000 - INDIA);

export const later = (moment: Date, hours: number): Date => new Date(moment.getTime() + hours * 3_600_000);

/** Financial year of a day, April to March: 2026-27. */
export function financialYear(iso: string): string {
  const start = Number(iso.slice(0, 4)) - (Number(iso.slice(5, 7)) < 4 ? 1 : 0);
  return `${start}-${two((start + 1) % 100)}`;
}
