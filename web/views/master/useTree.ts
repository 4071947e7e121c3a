import { useMemo, useState } from 'react';
import type { Tree } from '../../kit/table/TableTree.tsx';
import { t } from '../../kit/text.ts';
import { treeOf } from './tree.ts';
import { textOf, type Values } from './values.ts';

interface Rec {
  readonly id: string;
  readonly values: Values;
}

/** The records of a master as a tree, by the field that says under which one stands; as they are without such a field. */
export const useTree = <T extends Rec>(
  under: string | undefined,
  found: readonly T[],
): {
  readonly rows: readonly T[];
  readonly tree: Tree<T> | undefined;
  /** Opens or closes everything, where anything stands under anything. */
  readonly folds: { readonly label: string; run(): void } | undefined;
} => {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  return useMemo(() => {
    if (under === undefined) return { rows: found, tree: undefined, folds: undefined };
    const placed = treeOf(
      found,
      ({ id }) => id,
      ({ values }) => textOf(values[under]),
      closed,
    );
    const places = new Map(placed.map((each) => [each.row.id, each]));
    const tree: Tree<T> = {
      level: ({ id }) => places.get(id)?.level ?? 0,
      isOpen: ({ id }) => places.get(id)?.open,
      onFold: ({ id }, open) => {
        const next = new Set(closed);
        if (open) next.delete(id);
        else next.add(id);
        setClosed(next);
      },
    };
    const parents = new Set(found.map(({ values }) => textOf(values[under])).filter(Boolean));
    const folds = {
      label: closed.size > 0 ? t('Show all') : t('Close all'),
      run: () => setClosed(closed.size > 0 ? new Set() : parents),
    };
    return { rows: placed.map(({ row }) => row), tree, folds: parents.size > 0 ? folds : undefined };
  }, [under, found, closed]);
};
