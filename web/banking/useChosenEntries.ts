import { useState } from 'react';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { useRun } from '../kit/dialog/useRun.ts';

interface Entry {
  readonly document: string;
  readonly leg: number;
}
export const keyOf = ({ document, leg }: Entry): string => `${document}/${leg}`;

/** Entries of the books that are ticked, and what is done with all of them at once. */
export function useChosenEntries(rows: readonly Entry[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { busy, run } = useRun(toastError);
  const chosen = rows.filter((row) => selected.has(keyOf(row)));
  /** `work` says what it has done. */
  const doWith = (work: (entries: Entry[]) => Promise<string>) =>
    run(async () => {
      toast(await work(chosen.map(({ document, leg }) => ({ document, leg }))));
      setSelected(new Set());
    });
  return { selected, setSelected, count: chosen.length, busy, doWith };
}
