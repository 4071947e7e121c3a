import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { folders, longLines, measure } from './measure.ts';

const source = `export interface Wide {
  a: number;
  b: { c: string };
}
const short = () => 1;
export function long(x: number) {
  const inner = () => {
    return x;
  };
  return [x].map((y) => y + inner());
}
class Till {
  close() {
    return { open: function () {} };
  }
}
`;

test('functions by their lines and types by their members, each with its name and place', () => {
  const { functions, types } = measure('a.ts', parseSync('a.ts', source).program, source);
  expect(functions.map(({ name, line, size }) => [name, line, size])).toEqual([
    ['short', 5, 1],
    ['long', 6, 6],
    ['inner', 7, 3],
    ['long', 10, 1],
    ['close', 13, 3],
    ['open', 14, 1],
  ]);
  expect(types.map(({ name, line, size }) => [name, line, size])).toEqual([
    ['Wide', 1, 2],
    ['b', 3, 1],
  ]);
});

test('long lines, and folders by the files that are in them', () => {
  expect(longLines('a.ts', 'short\n  a line that is longer', 10)).toEqual([
    { name: 'a line that is longer', file: 'a.ts', line: 2, size: 23 },
  ]);
  expect(folders(['a/b.ts', 'a/c.ts', 'a/d/e.ts']).map(({ file, size }) => [file, size])).toEqual([
    ['a', 2],
    ['a/d', 1],
  ]);
});
