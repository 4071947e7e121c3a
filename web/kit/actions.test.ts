import { expect, test } from 'vitest';
import { keysOf, keyTitle } from './actions.tsx';

test('title of a key: each part with a capital letter', () => {
  expect([keyTitle('alt+b'), keyTitle('ctrl+enter'), keyTitle('alt+2')]).toEqual(['Alt B', 'Ctrl Enter', 'Alt 2']);
});

test('keys of actions: none of an action that is not offered, an idle one of a disabled action', () => {
  const done: string[] = [];
  const action = (label: string, more = {}) => ({
    label,
    hotkey: `alt+${label}`,
    run: () => done.push(label),
    ...more,
  });
  const keys = keysOf([
    action('p'),
    action('n', { offered: false }),
    action('h', { disabled: true }),
    { label: 'no key', run: () => undefined },
  ]);
  expect(Object.keys(keys)).toEqual(['alt+p', 'alt+h']);
  for (const press of Object.values(keys)) press();
  expect(done).toEqual(['p']);
});
