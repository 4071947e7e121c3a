import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pastedRows } from './paste.ts';

test.each([
  ['', []],
  ['a', [['a']]],
  [
    'a\tb\nc\td',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a\tb\r\nc\td\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a\t', [['a', '']]],
  ['\ta', [['', 'a']]],
  ['a\n\nb', [['a'], [''], ['b']]],
  ['"two\nlines"\t5', [['two\nlines', '5']]],
  ['"a ""b"" c"', [['a "b" c']]],
  ['5" pipe\t3', [['5" pipe', '3']]],
  ['"Bolt" M10\t3', [['"Bolt" M10', '3']]],
  ['"never ends\t3', [['"never ends', '3']]],
] as const)('%j', (text, rows) => expect(pastedRows(text)).toEqual(rows));

test('what a spreadsheet writes is read back', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ' ', '1', '"', '\t', '\n', ',') });
  const write = (text: string) => (/["\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 }), (rows) => {
      const text = rows.map((row) => row.map(write).join('\t')).join('\n');
      expect(pastedRows(text)).toEqual(rows);
    }),
  );
});
