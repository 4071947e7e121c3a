import type { z } from 'zod';
import type { countAnswer, countSheet } from '../../contract/counting.ts';
import { moneyText, parseDecimal } from '../../domain/base/decimal.ts';
import { scale } from '../../domain/base/money.ts';
import type { Tone } from '../kit/parts.tsx';
import { t } from '../kit/text.ts';

export type Sheet = z.output<typeof countSheet>;
export type Count = z.output<typeof countAnswer>;
export type Line = Count['lines'][number];

export const states: Readonly<Record<Sheet['state'], readonly [word: string, tone: Tone]>> = {
  counting: ['Counting', 'info'],
  posting: ['Being posted', 'warn'],
  posted: ['Posted', 'ok'],
  dropped: ['Given up', 'neutral'],
};

/** Where a sheet counts. */
export const placeOf = ({ locationName, roomName, categoryName }: Sheet): string =>
  [locationName, roomName, categoryName].filter(Boolean).join(' · ');

const isZero = (text: string): boolean => parseDecimal(text, 6) === 0;

/** Whether the books and the count of a line disagree. */
export const differs = ({ books }: Line): boolean =>
  books?.difference != null && (!isZero(books.difference) || books.missing.length > 0 || books.found.length > 0);

/** Counted in the round that asks for it. */
export const isCounted = (line: Line, round: number): boolean =>
  line.counted !== null && (!line.asked || line.counts.some((count) => count.round === round));

/** A line that waits to be counted in this round. */
export const isOpen = (line: Line, round: number): boolean => line.asked && !isCounted(line, round);

/** The lines of a count, with what was entered here since they were read. */
export const withEntered = (read: readonly Line[], entered: ReadonlyMap<number, Line>): readonly Line[] => [
  ...read.map((line) => entered.get(line.line) ?? line),
  ...[...entered.values()].filter((line) => !read.some((each) => each.line === line.line)),
];

/** Which lines are listed. */
export interface LineFilter {
  readonly shows: 'all' | 'open' | 'differ';
  /** The lines that a scanned code may mean. */
  readonly among: readonly number[] | null;
  /** As it is typed in the field for codes; a quantity before it (3*code) is no part of the search. */
  readonly typed: string;
}
export const wordsIn = (typed: string): string =>
  typed
    .replace(/^[\d.]+\*/, '')
    .trim()
    .toLowerCase();
export const listed = (lines: readonly Line[], round: number, { shows, among, typed }: LineFilter): readonly Line[] => {
  const words = wordsIn(typed);
  return lines.filter(
    (line) =>
      (among === null || among.includes(line.line)) &&
      (shows === 'all' || (shows === 'open' ? isOpen(line, round) : differs(line))) &&
      (words === '' || `${line.sku} ${line.name} ${line.batch}`.toLowerCase().includes(words)),
  );
};
/** The next line to be counted, below one of those listed. */
export const nextOpen = (rows: readonly Line[], { line: number }: Line, round: number): Line | undefined =>
  rows.slice(rows.findIndex(({ line }) => line === number) + 1).find((line) => isOpen(line, round));

/** Remarks at a difference for the person who decides on it. */
export const remarksOn = ({ books }: Line): readonly string[] =>
  !books
    ? []
    : [
        ...(books.missing.length > 0 ? [`Missing ${books.missing.join(', ')}`] : []),
        ...(books.found.length > 0 ? [t('Not in the books {{found}}', { found: books.found.join(', ') })] : []),
        ...(books.moved ? [t('Moved while it was counted: count again')] : []),
        ...(isZero(books.late)
          ? []
          : [t('{{late}} entered since, for days before the count: count again', { late: books.late })]),
      ];

/** What posting the sheet comes to, in rupees: of lines that nobody counted all is gone when they count as nothing. */
export const comesTo = ({ lines }: Count, uncounted: 'leave' | 'none'): string =>
  moneyText(
    lines.reduce((total, line) => {
      const { books } = line;
      if (!books) return total;
      if (books.value !== null) return differs(line) ? total + (parseDecimal(books.value, 2) ?? 0) : total;
      if (uncounted === 'leave') return total;
      return total + scale(-(parseDecimal(books.now, 6) ?? 0), parseDecimal(books.rate ?? '', 6) ?? 0, 10_000_000_000);
    }, 0),
  );
