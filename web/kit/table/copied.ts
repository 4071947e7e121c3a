import { MINUS } from '../format.ts';

/** A minus before a figure as spreadsheets and other programs read it. */
export const plainMinus = (text: string): string => text.replaceAll(new RegExp(`${MINUS}(?=\\d)`, 'g'), '-');

/** What is selected as a piece of HTML, within the tables that it is a part of: rows alone are no table to whom they are given. */
const markupOf = (selection: Selection): string => {
  const whole = document.createElement('div');
  for (let at = 0; at < selection.rangeCount; at += 1) {
    const range = selection.getRangeAt(at);
    let piece: Node = range.cloneContents();
    let around = range.commonAncestorContainer as Node | null;
    while (around && (around instanceof Element ? around : around.parentElement)?.closest('table')) {
      if (around instanceof Element) {
        const copy = around.cloneNode(false);
        copy.appendChild(piece);
        piece = copy;
      }
      around = around.parentNode;
    }
    whole.append(piece);
  }
  return plainMinus(whole.innerHTML);
};

/**
 * Amounts are shown with a minus sign (U+2212), which a spreadsheet takes for text: −1,234.50 would be added up as nothing.
 * So what is copied from a screen bears the hyphen instead, as text and as HTML. Fields have hyphens anyway; they, and what
 * holds no such figure, are left to the browser.
 */
export const copyPlainly = (): void =>
  document.addEventListener('copy', (event) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
    const selection = document.getSelection();
    const text = selection?.toString() ?? '';
    if (!selection || event.defaultPrevented || plainMinus(text) === text) return;
    event.clipboardData?.setData('text/plain', plainMinus(text));
    event.clipboardData?.setData('text/html', markupOf(selection));
    event.preventDefault();
  });
