import type { Page } from 'playwright-core';

/** What eyes miss, as the page itself reports it: one line each, the same words for the same flaw. */
export interface Flaws {
  /** Words or figures that are cut and shown whole nowhere. */
  readonly cut: readonly string[];
  /** Controls that something lies over. */
  readonly covered: readonly string[];
  /** Controls that are smaller than a finger needs, or a pointer. */
  readonly small: readonly string[];
}

/** Pixels that a control is high and wide at least: under a finger as high as a field, but links within words. */
const leastOf = (width: number): number => (width < 640 ? 40 : 24);

/** Looks over what is drawn now. The window should be so high that nothing lies under a bar that sticks. */
export const flawsOf = (page: Page): Promise<Flaws> =>
  page.evaluate(
    (least) => {
      const found = { cut: new Set<string>(), covered: new Set<string>(), small: new Set<string>() };
      const nameOf = (element: Element): string => {
        const own = typeof element.className === 'string' ? element.className.trim().split(/\s+/)[0] : '';
        const inside = element.closest('[class]:not(span, b, small)')?.className;
        return `${element.tagName.toLowerCase()}.${own || `in ${typeof inside === 'string' ? inside : ''}`}`;
      };
      const wordsOf = (element: Element): string =>
        (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 70);
      const isShown = (element: Element): boolean => {
        const { width, height } = element.getBoundingClientRect();
        return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      };
      const brush = document.createElement('canvas').getContext('2d');
      const widthOf = (text: string, element: Element): number => {
        if (!brush) return 0;
        brush.font = getComputedStyle(element).font;
        return brush.measureText(text).width;
      };

      for (const element of document.querySelectorAll<HTMLElement>('body *:not(svg *, script, style)')) {
        const hasWords = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
        if (!hasWords || element.closest('.hidden-text') || !isShown(element)) continue;
        let around: HTMLElement | null = element;
        while (around && getComputedStyle(around).overflowX === 'visible') around = around.parentElement;
        if (!around || ['auto', 'scroll'].includes(getComputedStyle(around).overflowX)) continue;
        // kept for those who listen
        if (getComputedStyle(around).clipPath !== 'none') continue;
        const range = document.createRange();
        range.selectNodeContents(element);
        const words = range.getBoundingClientRect();
        const box = around.getBoundingClientRect();
        const wide = words.right > box.right + 1 || around.scrollWidth > around.clientWidth + 1;
        const high = words.bottom > box.bottom + 2 && getComputedStyle(around).overflowY !== 'auto';
        if (!wide && !high) continue;
        // a cell of a list tells the whole under the pointer (DataTable), figures must never need that
        const isReported =
          element.closest('[title]') || (element.closest('.t-cell') && !element.closest('.num, .code'));
        if (!isReported) found.cut.add(`${nameOf(element)}: ${wordsOf(element)}`);
      }
      for (const field of document.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')) {
        if (!isShown(field) || field.title || ['checkbox', 'radio', 'file', 'color', 'range'].includes(field.type))
          continue;
        const style = getComputedStyle(field);
        const room =
          field.clientWidth -
          parseFloat(style.paddingLeft) -
          parseFloat(style.paddingRight) -
          (field.tagName === 'SELECT' ? 14 : 0);
        const text =
          field instanceof HTMLSelectElement
            ? (field.selectedOptions[0]?.text ?? '')
            : field.value || field.placeholder;
        if (widthOf(text, field) > room + 1)
          found.cut.add(`${nameOf(field)} ${field.labels?.[0]?.textContent ?? field.ariaLabel ?? ''}: ${text}`);
      }
      // behind a dialog all is covered, and what sticks covers what scrolls under it
      const scene = [...document.querySelectorAll('[role=dialog]')].filter(isShown).at(-1) ?? document;
      const bars = '.action-bar, .t-head, .t-foot';
      const controls =
        'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=tab], [role=menuitem]';
      for (const control of scene.querySelectorAll<HTMLElement>(controls)) {
        if (!isShown(control) || control.closest('.skip')) continue;
        const { left, top, width, height } = control.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) continue;
        const over = document.elementFromPoint(x, y);
        const isOwn =
          !over || control.contains(over) || over.contains(control) || over.closest('label')?.contains(control);
        if (!isOwn && !control.matches('[aria-hidden] *') && !over.closest(bars))
          found.covered.add(`${nameOf(control)} ${wordsOf(control)}: under ${nameOf(over)} ${wordsOf(over)}`);
        const label = control.closest('label')?.getBoundingClientRect();
        // what is small to look at may be larger to hit
        const touchArea = getComputedStyle(control, '::after');
        const around =
          touchArea.position === 'absolute' && touchArea.content !== 'none' ? -parseFloat(touchArea.top) * 2 : 0;
        const [wide, high] = around > 0 ? [width + around, height + around] : [width, height];
        const isInline = getComputedStyle(control).display === 'inline';
        if (!isInline && Math.min(Math.max(high, label?.height ?? 0), Math.max(wide, label?.width ?? 0)) < least - 0.5)
          found.small.add(`${nameOf(control)} ${wordsOf(control)}: ${Math.round(width)} × ${Math.round(height)}`);
      }
      return { cut: [...found.cut], covered: [...found.covered], small: [...found.small] };
    },
    leastOf(page.viewportSize()?.width ?? 1440),
  );
