/** A moment as either portal writes it, as 'YYYY-MM-DD HH:mm:ss' in Indian time; null when there is none. */
export function portalMoment(given: unknown): string | null {
  const text = String(given ?? '').trim();
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d/.test(text)) return text;
  const found = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d):(\d\d):(\d\d) ?(AM|PM)?$/i.exec(text);
  if (!found) return null;
  const [, day, month, year, hour = '', minute, second, half] = found;
  const hours = half ? (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0) : Number(hour);
  return `${year}-${month}-${day} ${String(hours).padStart(2, '0')}:${minute}:${second}`;
}

/** The kilometres that a portal names in a sentence or as a number; undefined when it names none. */
export function kilometresIn(given: unknown): number | undefined {
  const found = /\d+/.exec(String(given ?? ''));
  return found ? Number(found[0]) : undefined;
}

/** This moment in the portals' writing. */
export const momentNow = (now: number): string =>
  new Date(now + 19_800_000).toISOString().slice(0, 19).replace('T', ' ');
