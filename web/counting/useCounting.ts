import { useMemo, useRef, useState } from 'react';
import { type Count, differs, isOpen, type Line, type LineFilter, listed, nextOpen, withEntered } from './counts.ts';

const none: ReadonlyMap<number, Line> = new Map();
const allLines: LineFilter = { shows: 'all', among: null, typed: '' };

/** The lines of a count: those listed, the one that is entered by hand, and those selected. */
export function useCounting(stored: Count) {
  const { round } = stored.sheet;
  const { lines, keep } = useEntered(stored);
  const [filter, setFilter] = useState(allLines);
  const [at, setAt] = useState<number | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const code = useRef<HTMLInputElement>(null);
  const narrow = (patch: Partial<LineFilter>) => setFilter((now) => ({ ...now, ...patch }));
  const rows = listed(lines, round, filter);
  /** Enters a line by hand; false when there is none. */
  const choose = (line: Line | undefined): boolean => {
    setAt(line?.line ?? null);
    return line !== undefined;
  };
  return {
    ...{ lines, rows, filter, narrow, selected, setSelected, keep, choose, code },
    open: lines.filter((line) => isOpen(line, round)),
    different: lines.filter(differs),
    seesBooks: lines.some((line) => line.books !== null),
    line: lines.find((line) => line.line === at),
    toCode: () => code.current?.focus(),
    /** A line was entered by hand: the next one follows, after the last one the field for codes. */
    done: (line: Line) => {
      keep(line);
      narrow({ typed: '', among: null });
      if (!choose(nextOpen(rows, line, round))) code.current?.focus();
    },
    /** A line was counted by a scan. */
    scanned: (line: Line) => {
      keep(line);
      setAt(null);
    },
    /** A scanned code means one of these lines; a single one is entered at once. */
    chooseAmong: (numbers: readonly number[]) => {
      narrow({ among: numbers, shows: 'all' });
      if (numbers.length === 1) setAt(numbers[0] ?? null);
    },
    added: (line: Line) => {
      keep(line);
      setAt(line.line);
    },
  };
}
export type Counting = ReturnType<typeof useCounting>;

/** What I entered shows at once; what others enter comes with the next reading. */
function useEntered(stored: Count) {
  const [entered, setEntered] = useState({ on: stored, lines: none });
  const since = entered.on === stored ? entered.lines : none;
  const lines = useMemo(() => withEntered(stored.lines, since), [stored, since]);
  const keep = (line: Line) =>
    setEntered((before) => ({
      on: stored,
      lines: new Map([...(before.on === stored ? before.lines : none), [line.line, line]]),
    }));
  return { lines, keep };
}
