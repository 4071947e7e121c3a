import { useSyncExternalStore } from 'react';

/** A line as text by field; `key` is its own and never changes. Ids of picked records are fields too. */
export type LineRow = Readonly<Record<string, string>> & { readonly key: string };
export type LinePatch = Readonly<Record<string, string>>;

/**
 * The lines of a grid, kept outside React so that a key re-renders one row. `subscribe` reports every change
 * (for totals and saving), `subscribeRow` one line's, `subscribeKeys` only lines added, removed or replaced.
 */
export interface RowStore {
  keys(): readonly string[];
  row(key: string): LineRow | undefined;
  rows(): readonly LineRow[];
  set(key: string, patch: LinePatch): void;
  /** Adds a blank line at the end (or at `index`) and answers its key. */
  add(patch?: LinePatch, index?: number): string;
  remove(key: string): void;
  replace(rows: readonly LinePatch[]): void;
  /** Replaces the lines, each by the one at its place: a cell that has the focus keeps it. */
  refill(rows: readonly LinePatch[]): void;
  subscribe(tell: () => void): () => void;
  subscribeRow(key: string, tell: () => void): () => void;
  subscribeKeys(tell: () => void): () => void;
}

let made = 0;

export const createRowStore = (initial: readonly LinePatch[], blank: LinePatch = {}): RowStore => {
  const fresh = (patch: LinePatch): LineRow => ({ ...blank, ...patch, key: `line-${++made}` });
  let order: readonly LineRow[] = initial.map(fresh);
  let byKey = new Map(order.map((row) => [row.key, row]));
  let keys: readonly string[] = order.map((row) => row.key);
  const all = new Set<() => void>();
  const structure = new Set<() => void>();
  const single = new Map<string, Set<() => void>>();
  const restructure = (rows: readonly LineRow[]) => {
    order = rows;
    byKey = new Map(rows.map((row) => [row.key, row]));
    keys = rows.map((row) => row.key);
    for (const tell of [...structure, ...all]) tell();
  };
  return {
    keys: () => keys,
    row: (key) => byKey.get(key),
    rows: () => order,
    set: (key, patch) => {
      const old = byKey.get(key);
      if (!old || Object.entries(patch).every(([field, value]) => old[field] === value)) return;
      const row: LineRow = { ...old, ...patch, key };
      byKey.set(key, row);
      order = order.map((each) => (each.key === key ? row : each));
      for (const tell of [...(single.get(key) ?? []), ...all]) tell();
    },
    add: (patch = {}, index = order.length) => {
      const row = fresh(patch);
      restructure([...order.slice(0, index), row, ...order.slice(index)]);
      return row.key;
    },
    remove: (key) => restructure(order.filter((row) => row.key !== key)),
    replace: (rows) => restructure(rows.map(fresh)),
    refill: (rows) => {
      restructure(rows.map((patch, at) => ({ ...fresh(patch), ...(order[at] && { key: order[at].key }) })));
      for (const key of keys) for (const tell of single.get(key) ?? []) tell();
    },
    subscribe: (tell) => listen(all, tell),
    subscribeKeys: (tell) => listen(structure, tell),
    subscribeRow: (key, tell) => {
      const set = single.get(key) ?? new Set();
      single.set(key, set);
      return listen(set, tell);
    },
  };
};

const listen = (set: Set<() => void>, tell: () => void) => {
  set.add(tell);
  return () => {
    set.delete(tell);
  };
};

export const useRow = (store: RowStore, key: string): LineRow | undefined =>
  useSyncExternalStore(
    (tell) => store.subscribeRow(key, tell),
    () => store.row(key),
  );
export const useRowKeys = (store: RowStore): readonly string[] => useSyncExternalStore(store.subscribeKeys, store.keys);
/** All lines, re-rendering at every change: for totals, never for the grid. */
export const useRows = (store: RowStore): readonly LineRow[] => useSyncExternalStore(store.subscribe, store.rows);
