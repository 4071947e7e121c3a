import type { SheetColumn } from './sheet.ts';
import { addressSynonyms, headingSynonyms } from './synonyms.ts';

/** A heading or a word as it is compared: case, spaces, signs and a mark of what is required do not count. */
export const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\((₹|rs\.?|inr)\)/g, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '');

const headingsOf = (subject: string, { target, heading, field, row }: SheetColumn): readonly string[] => {
  if (row === undefined)
    return [
      heading,
      target,
      field.label,
      ...(headingSynonyms[`${subject}.${target}`] ?? []),
      ...(headingSynonyms[target] ?? []),
    ];
  const words = addressSynonyms[row.column] ?? [];
  // a heading without any word for the row means the first one
  if (row.of === 'addresses' && row.at === '1') return [heading, target, field.label, ...words];
  return /^\d+$/.test(row.at) ? [heading, target] : [heading, target, ...words.map((word) => `${row.at} ${word}`)];
};

/**
 * What each heading means: the target of a column, or null. A heading means the first column that has it, and a column is meant
 * once, by the heading nearest to its own: `State` is that of the party before it is that of its address.
 */
export function recognise(
  subject: string,
  columns: readonly SheetColumn[],
  headings: readonly string[],
): readonly (string | null)[] {
  const meaning = new Map<string, string[]>();
  const learn = (own: readonly SheetColumn[]): void => {
    // the more a word is a column's own, the earlier it is looked at
    const words = own.map((column) => headingsOf(subject, column).map(plain));
    const depth = Math.max(0, ...words.map((all) => all.length));
    for (let rank = 0; rank < depth; rank += 1)
      own.forEach(({ target }, at) => {
        const word = words[at]?.[rank];
        if (word) meaning.set(word, [...new Set([...(meaning.get(word) ?? []), target])]);
      });
  };
  learn(columns.filter(({ row }) => !row));
  learn(columns.filter(({ row }) => row));
  const taken = new Set<string>();
  const take = (target: string | undefined): string | null => {
    if (target === undefined) return null;
    taken.add(target);
    return target;
  };
  return headings.map((heading) => take(meaning.get(plain(heading))?.find((target) => !taken.has(target))));
}

/** How many rows at the top of a sheet are looked at for its headings: other programs put titles above them. */
export const HEADING_ROWS = 20;

/** The row of a sheet that has the headings: the one of which most are recognised, else the first that has most cells. */
export function headingRow(
  subject: string,
  columns: readonly SheetColumn[],
  rows: readonly (readonly string[])[],
): number {
  const worth = (cells: readonly string[]): number =>
    recognise(subject, columns, cells).filter((target) => target !== null).length * 1000 +
    cells.filter((cell) => cell.trim() !== '').length;
  let best = 0;
  rows.slice(0, HEADING_ROWS).forEach((cells, at) => {
    if (worth(cells) > worth(rows[best] ?? [])) best = at;
  });
  return best;
}
