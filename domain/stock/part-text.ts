import { formatDecimal, parseDecimal } from '../base/decimal.ts';

/** A batch as it is typed: its quantity is text, for what cannot be read is named by the server. */
export interface TypedBatch {
  readonly batch: string;
  readonly quantity: string;
  readonly expiry?: string;
  readonly manufactured?: string;
}

const pieces = (typed: string): string[] =>
  typed
    .split(/[;,\n]/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');

const dayIn = (words: string, mark: string): string | undefined =>
  new RegExp(`\\b${mark}\\s+(\\d{4}-\\d{2}-\\d{2})\\b`, 'i').exec(words)?.[1];

/** 'B1 = 10 exp 2027-03-31; B2 = 5': batches as one types them in a cell. A name alone takes the whole line. */
export const batchesFrom = (typed: string, whole: string): TypedBatch[] =>
  pieces(typed).map((piece) => {
    const [name = '', ...rest] = piece.split('=');
    const words = rest.join('=').trim();
    const days = rest.length > 0 ? words : name;
    const [expiry, manufactured] = [dayIn(days, 'exp'), dayIn(days, 'mfg')];
    const batch = (rest.length > 0 ? name : name.replace(/\b(exp|mfg)\s+\S+/gi, '')).trim();
    const quantity = rest.length > 0 ? words.replace(/\b(exp|mfg)\s+\d{4}-\d{2}-\d{2}\b/gi, '').trim() : whole;
    return { batch, quantity, ...(expiry && { expiry }), ...(manufactured && { manufactured }) };
  });

/** The same back as text. */
export const batchesText = (batches: readonly TypedBatch[]): string =>
  batches
    .map(({ batch, quantity, expiry, manufactured }) =>
      [`${batch} = ${quantity}`, expiry && `exp ${expiry}`, manufactured && `mfg ${manufactured}`]
        .filter(Boolean)
        .join(' '),
    )
    .join('; ');

/** Most numbers that one range stands for. */
const MOST = 1000;

/** 'A001..A050, B7': serial numbers as one types or pastes them. A range that cannot be counted stays as it was typed. */
export const serialsFrom = (typed: string): string[] =>
  pieces(typed).flatMap((piece) => {
    const range = /^(.*?)(\d+)\s*\.\.\s*(.*?)(\d+)$/.exec(piece);
    if (!range) return [piece];
    const [, before = '', first = '', other = '', last = ''] = range;
    const count = Number(last) - Number(first) + 1;
    if ((other !== '' && other !== before) || first.length > 15 || last.length > 15 || count < 1 || count > MOST)
      return [piece];
    return Array.from({ length: count }, (_, n) => `${before}${String(Number(first) + n).padStart(first.length, '0')}`);
  });

export const serialsText = (serials: readonly string[]): string => serials.join(', ');

/** All of a line as decimal text: quantity with what is free, or the size of a change. */
export const wholeText = (row: Readonly<Record<string, string>>): string => {
  const of = (name: string): number => parseDecimal(row[name] ?? '', 6) ?? 0;
  return formatDecimal(row.delta ? Math.abs(of('delta')) : of('quantity') + of('freeQuantity'), 6, 0);
};
