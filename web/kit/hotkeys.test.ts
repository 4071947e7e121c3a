import { expect, test } from 'vitest';
import { keyName } from './hotkeys.ts';

const pressed = (key: string, code: string, held: object = {}) =>
  keyName({ key, code, ctrlKey: false, metaKey: false, altKey: false, ...held });

test('keys: with Alt or Ctrl a letter is that of the key, whatever the keyboard writes there', () => {
  expect(pressed('n', 'KeyN', { altKey: true })).toBe('alt+n');
  // Option N on a Mac, and the same key of an Indian keyboard
  expect(pressed('Dead', 'KeyN', { altKey: true })).toBe('alt+n');
  expect(pressed('म', 'KeyC', { altKey: true })).toBe('alt+c');
  expect(pressed('ल', 'KeyS', { ctrlKey: true })).toBe('ctrl+s');
  // a keyboard with its letters elsewhere means the letter that it writes
  expect(pressed('a', 'KeyQ', { ctrlKey: true })).toBe('ctrl+a');
  expect(pressed('Enter', 'Enter', { metaKey: true })).toBe('ctrl+enter');
  expect(pressed('?', 'Slash')).toBe('?');
  expect(pressed('म', 'KeyC')).toBe('म');
});
