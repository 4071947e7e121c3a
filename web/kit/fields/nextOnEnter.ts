import type { KeyboardEvent } from 'react';

const isShown = (control: HTMLElement): boolean => control.checkVisibility();

/**
 * Enter in a field goes on to the next control, from an empty last line to the fields below the lines, from the last
 * control to `last`. In notes Shift Enter makes a new line. Where there is nowhere to go the key stays the form's: it saves.
 */
export const nextOnEnter = (event: KeyboardEvent<HTMLFormElement>, last: () => HTMLElement | null): void => {
  const { target } = event;
  if (event.key !== 'Enter' || event.defaultPrevented || event.ctrlKey || event.metaKey) return;
  const isNotes = target instanceof HTMLTextAreaElement;
  if (isNotes && event.shiftKey) return;
  if (!(isNotes || target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
  // A dialog opened from here has keys of its own, though React hands them on.
  if (!event.currentTarget.contains(target)) return;
  const grid = target.dataset['row'] !== undefined ? target.closest('.line-grid') : null;
  const controls = [
    ...event.currentTarget.querySelectorAll<HTMLElement>(
      'input:not([disabled]):not([type=hidden]), select:not([disabled]), textarea:not([disabled])',
    ),
  ].filter((each) => each === target || (isShown(each) && !each.dataset['passed'] && !grid?.contains(each)));
  const next = controls[controls.indexOf(target) + (event.shiftKey ? -1 : 1)] ?? (event.shiftKey ? null : last());
  if (!next) return;
  event.preventDefault();
  next.focus();
};
