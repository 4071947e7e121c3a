import { because, type Plan } from './step.ts';

/** The year in which the machine begins, and its last day. */
export const YEAR = '2026-27';
export const YEAR_ENDS = '2027-03-31';

/**
 * The year that has ended is closed with the profit that was seen, and opened again; nobody closes it twice, early or
 * with another profit.
 */
export const years = {
  closeYear: (books, world, [a, b]) => {
    const { year } = books;
    const hasEnded = world.today > YEAR_ENDS;
    // a year in which nothing was booked is none
    if (!books.docs.some((d) => d.side && d.date <= YEAR_ENDS) || (!hasEnded && a % 4 > 0)) return undefined;
    const isOther = b % 4 === 0;
    return {
      // who closes looks first: this is by how much the profit is another than was shown
      call: 'CloseYear',
      input: { year: YEAR, profit: isOther ? '1.00' : '0.00' },
      refused: because({
        cannotClose: !hasEnded || year.closed !== undefined,
        figuresChanged: hasEnded && !year.closed && isOther,
      }),
      apply: ({ lockedThrough }) => {
        year.closed = { profit: year.shown, lockedBefore: books.lockedThrough };
        year.ever = true;
        if (books.lockedThrough === undefined || books.lockedThrough < YEAR_ENDS) books.lockedThrough = YEAR_ENDS;
        return lockedThrough === books.lockedThrough
          ? undefined
          : `the books are locked up to ${lockedThrough}, not ${books.lockedThrough}`;
      },
    };
  },
  reopenYear: (books, world, [a, b]) => {
    const { year } = books;
    if (world.today <= YEAR_ENDS || (!year.closed && a % 6 > 0)) return undefined;
    const level = b % 4 === 0 ? 5002 : 5003;
    return {
      call: 'ReopenYear',
      input: { year: YEAR, reason: 'a bill came late' },
      level,
      refused:
        level === 5002
          ? ['noAccess']
          : because({
              cannotReopen: !year.closed,
              periodLocked: year.closed !== undefined && (books.lockedThrough ?? '') > YEAR_ENDS,
            }),
      apply: () => {
        const before = year.closed?.lockedBefore;
        books.lockedThrough = before !== undefined && before < YEAR_ENDS ? before : undefined;
        year.closed = undefined;
        return undefined;
      },
    };
  },
} as const satisfies Readonly<Record<string, Plan>>;
