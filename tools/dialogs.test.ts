import { expect, test } from 'vitest';
import { filesOf, textOf, withoutComments } from './source.ts';

/** Each `<Dialog …>` of a file up to its children. */
const dialogsIn = (text: string): readonly string[] =>
  text
    .split(/<Dialog(?=\s)/)
    .slice(1)
    .map((rest) => {
      let depth = 0;
      for (let at = 0; at < rest.length; at += 1) {
        if (rest[at] === '{') depth += 1;
        else if (rest[at] === '}') depth -= 1;
        else if (rest[at] === '>' && depth === 0) return rest.slice(0, at);
      }
      return rest;
    });

const dialogs = filesOf('web')
  .filter((file) => file.endsWith('.tsx') && !file.includes('.test.'))
  .flatMap((file) => dialogsIn(withoutComments(textOf(file))).map((dialog) => ({ file, dialog })));

test('the keys that save do what the primary button of a dialog does', () => {
  expect(dialogs.length).toBeGreaterThan(20);
  const deaf = dialogs.filter(({ dialog }) => /look=\{?["'`]primary|look: 'primary'/.test(dialog));
  expect(deaf.length).toBeGreaterThan(8);
  expect(deaf.filter(({ dialog }) => !/\bonSave\b/.test(dialog)).map(({ file }) => file)).toEqual([]);
});
