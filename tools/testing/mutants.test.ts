import fs from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { equivalents, isAbout } from './equivalents.ts';
import { mutantsOf } from './mutants.ts';

const changed = (source: string): string[] =>
  mutantsOf(parseSync('a.ts', source, { lang: 'ts' }).program, source).map(
    ({ start, end, by }) => source.slice(0, start) + by + source.slice(end),
  );

test('operators, numbers, truth values and conditions are changed one at a time', () => {
  expect(changed('const a = b + c;')).toEqual(['const a = b - c;']);
  expect(changed('const a = b < 1;').sort()).toEqual(['const a = b < 2;', 'const a = b <= 1;']);
  expect(changed('let a = !b ? c : d;').sort()).toEqual([
    ...['let a = b ? c : d;', 'let a = false ? c : d;', 'let a = true ? c : d;'],
  ]);
  expect(changed('a = b.some(f) ?? true;').sort()).toEqual([
    ...['a = b.every(f) ?? true;', 'a = b.some(f) && true;', 'a = b.some(f) ?? false;'],
  ]);
  expect(changed('if (a) b -= c;').sort()).toEqual(['if (a) b += c;', 'if (false) b -= c;', 'if (true) b -= c;']);
});

test('a method that every object has is not taken for one of the table', () => {
  expect(changed('a.toString();')).toEqual([]);
});

test('types and imports are left alone', () => {
  expect(changed("import a from 'b';\ntype A = 1 | true;\nconst a: A = b as 1;")).toEqual([]);
});

test('a mutant says on which line it is, what stood there and what takes its place', () => {
  expect(mutantsOf(parseSync('a.ts', '\nf(1);', { lang: 'ts' }).program, '\nf(1);')).toEqual([
    { start: 3, end: 4, line: 2, text: '1', by: '2' },
  ]);
});

test('each row of equivalents is about one change of its file', () => {
  for (const row of equivalents) {
    const source = fs.readFileSync(path.join(import.meta.dirname, '../..', row.file), 'utf8');
    const all = mutantsOf(parseSync(row.file, source, { lang: 'ts' }).program, source);
    expect([row, all.filter((mutant) => isAbout(row, mutant, source)).length]).toEqual([row, 1]);
  }
});
