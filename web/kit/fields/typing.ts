import { flushSync } from 'react-dom';

/**
 * Lets the field that has the focus take what is typed in it, as it does when it is left, and keeps the focus and the caret
 * where they are. Call it before a key does something with the form: the key does not move the focus, a click does.
 */
export const endTyping = (): void => {
  const field = document.activeElement;
  if (!(field instanceof HTMLElement) || !/^(INPUT|TEXTAREA|SELECT)$/.test(field.tagName)) return;
  const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  const before = isText ? { value: field.value, from: field.selectionStart, to: field.selectionEnd } : null;
  const tell = (type: 'focusout' | 'focusin') =>
    flushSync(() => void field.dispatchEvent(new FocusEvent(type, { bubbles: true, relatedTarget: field })));
  tell('focusout');
  tell('focusin');
  if (before && isText && field.value === before.value && before.from !== null)
    field.setSelectionRange(before.from, before.to);
};

/** The first field in which text stands for which nothing is chosen. */
export const unchosenIn = (root: ParentNode = document): HTMLElement | null =>
  root.querySelector<HTMLElement>('[data-unchosen]');

/** Whether a form must not be saved because of such a field, which then gets the focus. */
export const stopsAtUnchosen = (root?: ParentNode): boolean => {
  const field = unchosenIn(root);
  field?.focus();
  return field !== null;
};
