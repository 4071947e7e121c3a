import { type RefObject, useLayoutEffect } from 'react';

/** Controls right under a head that are pressed as its buttons are. */
const bars = '.filter-bar, .approval-bar';

/**
 * Tells the sheets where the head of the screen ends, with the bars under it (`--head-end`, pixels from the top of the window
 * of a screen that is not scrolled): toasts at the top right are placed below.
 */
export const useHeadEnd = (head: RefObject<HTMLElement | null>): void =>
  useLayoutEffect(() => {
    const { current } = head;
    const main = current?.closest('.shell-main');
    if (!current || !main) return;
    const { style } = document.documentElement;
    const tell = () => {
      let last: Element = current;
      while (last.nextElementSibling?.matches(bars)) last = last.nextElementSibling;
      style.setProperty('--head-end', `${Math.round(last.getBoundingClientRect().bottom + main.scrollTop)}px`);
    };
    // the head by itself, what it stands on (bars come and go), and the window
    const watch = new ResizeObserver(tell);
    for (const each of [current, current.parentElement, main]) if (each) watch.observe(each);
    tell();
    return () => {
      watch.disconnect();
      style.removeProperty('--head-end');
    };
  }, [head]);
