import { fitOf } from '../../domain/base/finding.ts';

/** What the palette finds: its name, and the other words for it. */
export interface Findable {
  readonly label: string;
  readonly description: string;
  readonly words: readonly string[];
}

/** Digits mean a document or an amount: 12 is no part of F12, and no error in typing it. */
const isDigits = (asked: string): boolean => /^\d+$/.test(asked);

/** How well an entry is meant by what was typed: the smaller, the better; undefined when it is not. */
const rankOf = ({ label, description, words }: Findable, asked: string): number | undefined => {
  const name = label.toLowerCase();
  const isNumber = isDigits(asked);
  const tests = [
    () => name === asked,
    () => words.some((word) => word === asked),
    () => name.startsWith(asked),
    () => words.some((word) => word.startsWith(asked)),
    () => !isNumber && name.includes(asked),
    () => !isNumber && (words.some((word) => word.includes(asked)) || description.toLowerCase().includes(asked)),
  ];
  const rank = tests.findIndex((isSo) => isSo());
  return rank < 0 ? undefined : rank;
};

/** More than any fit of a name is: an entry that is near by its other words comes after those that are near by name. */
const BY_OTHER_WORDS = 100;

/** How well an entry is meant with typing errors. */
const nearness = ({ label, words }: Findable, asked: string): number | undefined => {
  const byName = fitOf(asked, [label]);
  if (byName !== undefined) return byName;
  const byWords = fitOf(asked, [label, ...words]);
  return byWords === undefined ? undefined : BY_OTHER_WORDS + byWords;
};

export interface Meant<T> {
  readonly entries: readonly T[];
  /** They are meant with typing errors only. */
  readonly isNear: boolean;
}

/**
 * The entries that are meant by what was typed, the best first: the exact name before other words for it, "Till" before "Till
 * bills". Where none is, those that are meant with typing errors.
 */
export const meantBy = <T extends Findable>(typed: string, all: readonly T[]): Meant<T> => {
  const asked = typed.trim().toLowerCase();
  if (asked === '') return { entries: all, isNear: false };
  const meant = ranked(all, (entry) => rankOf(entry, asked));
  if (meant.length > 0 || isDigits(asked)) return { entries: meant, isNear: false };
  return { entries: ranked(all, (entry) => nearness(entry, asked)), isNear: true };
};

const ranked = <T>(all: readonly T[], rankOf: (entry: T) => number | undefined): readonly T[] =>
  all
    .flatMap((entry) => {
      const rank = rankOf(entry);
      return rank === undefined ? [] : [{ entry, rank }];
    })
    .sort((one, other) => one.rank - other.rank)
    .map(({ entry }) => entry);
