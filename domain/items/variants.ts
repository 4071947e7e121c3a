import type { Id } from '../document/document.ts';

/** At most so many attributes make the variants of one item, and at most so many variants are made of it. */
export const MOST_ATTRIBUTES = 3;
export const MOST_VARIANTS = 2000;

export interface AttributeValue {
  readonly value: string;
  /** Its code in an SKU; without one it is made from the value. */
  readonly code?: string | undefined;
}

export interface Attribute {
  readonly id: Id;
  readonly name: string;
  readonly values: readonly AttributeValue[];
}

/** One combination: a value of each attribute in their order, with the SKU and the name that are proposed for it. */
export interface Combination {
  readonly values: readonly string[];
  readonly sku: string;
  readonly name: string;
}

/** The part of an SKU for a value: its own code, else its letters and digits. */
export const valueCode = ({ value, code }: AttributeValue): string =>
  (code?.trim() || value).toUpperCase().replace(/[^A-Z0-9]+/g, '');

/** Names a combination whatever the order in which its attributes are asked for. */
export const combinationKey = (values: readonly string[]): string => JSON.stringify(values);

/** A code holds at most this much. */
const MOST_SKU = 32;

/**
 * Every combination of the attributes' values, the last attribute changing fastest. The SKU is the item's with the code
 * of each value; two combinations that would come to the same SKU get a number each.
 */
export function combinations(
  item: { readonly sku: string; readonly name: string },
  attributes: readonly Attribute[],
): Combination[] {
  if (attributes.length === 0) return [];
  let rows: readonly (readonly AttributeValue[])[] = [[]];
  for (const { values } of attributes) rows = rows.flatMap((row) => values.map((value) => [...row, value]));
  const taken = new Set<string>([item.sku.toUpperCase()]);
  return rows.map((row) => {
    const sku = freeSku([item.sku, ...row.map(valueCode).filter(Boolean)].join('-').toUpperCase(), taken);
    taken.add(sku);
    const values = row.map(({ value }) => value);
    return { values, sku, name: `${item.name} ${values.join(' ')}`.slice(0, 200) };
  });
}

function freeSku(wanted: string, taken: ReadonlySet<string>): string {
  const cut = wanted.slice(0, MOST_SKU);
  if (!taken.has(cut)) return cut;
  for (let n = 2; ; n += 1) {
    const numbered = `${wanted.slice(0, MOST_SKU - String(n).length - 1)}-${n}`;
    if (!taken.has(numbered)) return numbered;
  }
}
