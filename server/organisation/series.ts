import { isKind, kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { stateName } from '../../domain/tax/gst/registration/states.ts';

/**
 * The prefix of the numbers of a registration: a letter of its state if one is free, so that two registrations never
 * have the same numbers.
 */
export function markFor(state: string, taken: readonly string[]): string {
  const used = new Set(taken.map((prefix) => prefix.toUpperCase()));
  const isFree = (mark: string) => kindNames.every((kind) => !used.has(prefixOf(mark, kindOf(kind).numbering.prefix)));
  const single = [
    ...new Set([...(stateName(state) ?? '').toUpperCase().replace(/[^A-Z]/g, ''), ...letters, ...digits]),
  ];
  const pairs = letters.flatMap((first) => letters.map((second) => `${first}${second}`));
  const mark = ['', ...single, ...pairs].find(isFree);
  if (mark === undefined) throw new Error('no mark is free for the numbers of another registration');
  return mark;
}

/** Sixteen characters leave room for a second letter when the year is written without its dash. */
const prefixOf = (mark: string, prefix: string): string =>
  `${mark}${mark.length > 1 ? prefix.replace('{FY}', '{FY2}') : prefix}`;

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
// rule 46 and the portal: a number begins with no 0
const digits = [...'123456789'];

/** The mark that the first series of a registration have; undefined when the organisation has changed all of their prefixes. */
export const markOf = (series: readonly { readonly kind: string; readonly prefix: string }[]): string | undefined =>
  series
    .flatMap(({ kind, prefix }) => {
      if (!isKind(kind)) return [];
      const first = kindOf(kind).numbering.prefix;
      const ending = [first, first.replace('{FY}', '{FY2}')].find((text) => prefix.endsWith(text));
      const mark = ending === undefined ? undefined : prefix.slice(0, -ending.length);
      return mark !== undefined && prefixOf(mark, first) === prefix ? [mark] : [];
    })
    .at(0);

export interface FirstSeries {
  readonly kind: string;
  readonly name: string;
  readonly prefix: string;
  readonly padding: number;
}

/** The number series a registration starts with: one for each kind of document. */
export const firstSeries = (mark: string): FirstSeries[] =>
  kindNames.map((kind) => {
    const { label, numbering } = kindOf(kind);
    return {
      kind,
      name: label.replace(/[^A-Za-z0-9 ]+/g, ' ').trim(),
      prefix: prefixOf(mark, numbering.prefix),
      padding: 4,
    };
  });
