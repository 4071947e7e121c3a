/** What is one line long and may be cut: cells of lists and grids, crumbs, fields. */
const cuttable = '.t-cell > span, .t-cell .link, .crumbs li > *, .input, .grid input, .grid select';
/** A list's mark at the right of a select. */
const ARROW = 18;

const brush = document.createElement('canvas').getContext('2d');
const isCut = (element: HTMLElement, text: string): boolean => {
  if (!(element instanceof HTMLSelectElement)) return element.scrollWidth > element.clientWidth;
  // a select does not say how wide its words are
  if (!brush) return false;
  const { font, paddingLeft, paddingRight } = getComputedStyle(element);
  brush.font = font;
  const pixels = (length: string) => Number(length.replace('px', ''));
  const room = element.clientWidth - pixels(paddingLeft) - pixels(paddingRight) - ARROW;
  return brush.measureText(text).width > room;
};

const wordsOf = (element: HTMLElement): string => {
  if (element instanceof HTMLSelectElement) return element.selectedOptions[0]?.text ?? '';
  if (element instanceof HTMLInputElement)
    return element.type === 'password' ? '' : element.value || element.placeholder;
  if (element instanceof HTMLTextAreaElement) return '';
  return element.textContent ?? '';
};

/** Titles that were put here; one that a screen gives itself stays. */
const titled = new WeakSet<Element>();

const tell = ({ target }: PointerEvent): void => {
  const element = target instanceof Element ? target.closest<HTMLElement>(cuttable) : null;
  if (!element || (element.title && !titled.has(element))) return;
  const words = wordsOf(element);
  const title = words && isCut(element, words) ? words : '';
  if (!title && !titled.has(element)) return;
  titled.add(element);
  element.title = title;
};

/** Words that their place cuts show whole under the pointer, wherever they stand. */
export const titleOnOverflow = (): void => document.addEventListener('pointerover', tell);
