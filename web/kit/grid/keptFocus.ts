import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react';

export const cellAt = (root: HTMLElement | null, row: number, column: number) =>
  root?.querySelector<HTMLInputElement>(`[data-row="${row}"][data-column="${column}"]`);

/**
 * Keeps the focus in its cell when the lines are drawn anew, as cards or as a table (`phone`); what was being typed goes on at its
 * end. The browser tells nobody that a field with the focus is taken away, so the cell that has it is remembered.
 */
export const useKeptFocus = (root: RefObject<HTMLElement | null>, phone: boolean) => {
  const focused = useRef<HTMLElement | null>(null);
  const isTyping = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cells are other elements after it has changed
  useLayoutEffect(() => {
    const { current: gone } = focused;
    if (!gone || gone.isConnected || document.activeElement !== document.body) return;
    const goesOn = isTyping.current;
    const cell = cellAt(root.current, Number(gone.dataset['row']), Number(gone.dataset['column']));
    cell?.focus();
    // a field selects its text when it gets the focus, and typing on would replace it
    if (goesOn) requestAnimationFrame(() => cell?.setSelectionRange?.(cell.value.length, cell.value.length));
  }, [phone]);
  return {
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      focused.current = target.dataset['row'] === undefined ? null : target;
      isTyping.current = false;
    },
    onInput: () => {
      isTyping.current = true;
    },
    onBlur: () => {
      focused.current = null;
    },
  };
};
