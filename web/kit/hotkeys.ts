import { useLayoutEffect, useRef } from 'react';
import { endTyping } from './fields/typing.ts';

/** Keys of one screen: 'ctrl+s', 'alt+n', '/', 'ctrl+enter', 'escape', '?'. Single letters rest while a field has focus. */
export type Hotkeys = Readonly<Record<string, () => void>>;

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/**
 * The name of a key as screens list it, 'alt+n'. With Ctrl or Alt a letter is that of the key, whatever the keyboard writes there:
 * Option N is "˜" on a Mac, and an Indian keyboard has no Latin letters.
 */
export const keyName = (event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey'>): string => {
  const held = [event.ctrlKey || event.metaKey ? 'ctrl' : '', event.altKey ? 'alt' : ''].filter(Boolean);
  const [, letter] = /^Key([A-Z])$/.exec(event.code) ?? [];
  const isLatin = /^[a-z]$/i.test(event.key);
  return [...held, held.length > 0 && letter && !isLatin ? letter.toLowerCase() : event.key.toLowerCase()].join('+');
};

/**
 * Listens on the window while the component is mounted, from its first frame on: no key goes by. A handled key does
 * not reach the browser.
 */
export const useKeys = (keys: Hotkeys): void => {
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const name = keyName(event);
      if (!latest.current[name] || (name.length === 1 && isField(event.target))) return;
      if (name !== 'ctrl+k' && document.querySelector('[role="dialog"][aria-modal="true"]')) return;
      event.preventDefault();
      // What is typed counts before the key does its work, which is that of the screen with it.
      endTyping();
      latest.current[name]?.();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
};
