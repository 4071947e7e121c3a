/** A row of a tree as it is drawn. */
export interface Placed<T> {
  readonly row: T;
  readonly level: number;
  /** Whether its children are shown; undefined: it has none. */
  readonly open: boolean | undefined;
}

/**
 * Rows in the order of their tree: each followed by its children, unless it is closed. A child of something
 * that is not among them is at the top; no row is ever left out, even in a circle.
 */
export function treeOf<T>(
  rows: readonly T[],
  idOf: (row: T) => string,
  parentOf: (row: T) => string,
  closed: ReadonlySet<string>,
): readonly Placed<T>[] {
  const ids = new Set(rows.map(idOf));
  const under = new Map<string, T[]>();
  for (const row of rows) {
    const parent = ids.has(parentOf(row)) ? parentOf(row) : '';
    under.set(parent, [...(under.get(parent) ?? []), row]);
  }
  const placed: Placed<T>[] = [];
  const seen = new Set<string>();
  const place = (row: T, level: number, shown: boolean): void => {
    const id = idOf(row);
    if (seen.has(id)) return;
    seen.add(id);
    const own = under.get(id) ?? [];
    const open = own.length === 0 ? undefined : !closed.has(id);
    if (shown) placed.push({ row, level, open });
    for (const each of own) place(each, level + 1, shown && open === true);
  };
  for (const row of under.get('') ?? []) place(row, 0, true);
  for (const row of rows) place(row, 0, true);
  return placed;
}
