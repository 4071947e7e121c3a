// biome-ignore-all format: a table reads best with a row on a line
import type { SmallBooks } from './books.ts';
import { because, type Plan } from './step.ts';

/** The year in which the machine begins, and its last day. */
export const YEAR = '2026-27';
export const YEAR_ENDS = '2027-03-31';

/** How the books stand, as far as a profit may differ by it. */
const standingOf = ({ docs, moves }: SmallBooks): string => `${docs.length}/${docs.filter((d) => d.cancelled).length}/${moves.length}`;

/** The year that has ended is looked at, closed with the profit that was seen, and opened again; nobody closes it twice, early or with another profit. */
export const years = {
  closeYear: (books, world, [a, b]) => {
    const { year } = books;
    const hasEnded = world.today > YEAR_ENDS;
    // a year in which nothing was booked is none
    if (!books.docs.some((d) => d.side && d.date <= YEAR_ENDS) || (!hasEnded && a % 4 > 0)) return undefined;
    const standing = standingOf(books);
    if (hasEnded && !year.closed && year.seen?.standing !== standing)
      return {
        call: 'PreviewYearEnd', input: { year: YEAR }, refused: [],
        apply: ({ profit, hindrances }) => { year.seen = { profit: String(profit), standing }; return JSON.stringify(hindrances) === '[]' ? undefined : `closing is hindered: ${JSON.stringify(hindrances)}`; },
      };
    const known = year.closed?.profit ?? year.seen?.profit ?? '0.00';
    const isOther = b % 5 === 0;
    return {
      call: 'CloseYear', input: { year: YEAR, profit: isOther ? (Number(known) + 1).toFixed(2) : known },
      refused: because({ cannotClose: !hasEnded || year.closed !== undefined, figuresChanged: hasEnded && !year.closed && isOther }),
      apply: ({ lockedThrough }) => {
        year.closed = { profit: known, lockedBefore: books.lockedThrough };
        year.ever = true;
        if (books.lockedThrough === undefined || books.lockedThrough < YEAR_ENDS) books.lockedThrough = YEAR_ENDS;
        return lockedThrough === books.lockedThrough ? undefined : `the books are locked up to ${lockedThrough}, not ${books.lockedThrough}`;
      },
    };
  },
  reopenYear: (books, world, [a, b]) => {
    const { year } = books;
    if (world.today <= YEAR_ENDS || (!year.closed && a % 6 > 0)) return undefined;
    const level = b % 4 === 0 ? 5002 : 5003;
    return {
      call: 'ReopenYear', input: { year: YEAR, reason: 'a bill came late' }, level,
      refused: level === 5002 ? ['noAccess'] : because({ cannotReopen: !year.closed }),
      apply: () => {
        const before = year.closed?.lockedBefore;
        books.lockedThrough = before !== undefined && before < YEAR_ENDS ? before : undefined;
        Object.assign(year, { closed: undefined, seen: undefined });
        return undefined;
      },
    };
  },
} as const satisfies Readonly<Record<string, Plan>>;
