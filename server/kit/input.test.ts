import { expect, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../contract/calls.ts';
import { flag, whole } from '../../contract/wire.ts';
import { readInput } from './input.ts';

const said = (schema: z.ZodType, value: unknown): readonly string[] => {
  const read = readInput(z.object({ field: schema }), { field: value });
  return 'problems' in read ? read.problems.map(({ message }) => message) : [];
};

test.each([
  [z.string(), undefined, 'field is required'],
  [z.string(), 7, 'field must be text'],
  [z.uuid(), 'x', 'field must be the id of a record'],
  [z.union([z.literal(1), z.literal(3), z.literal(6)]), 2, 'field must be 1, 3 or 6'],
  [z.enum(['csv', 'pdf']), 'doc', 'field must be csv or pdf'],
  [whole, 'abc', 'field must be a whole number'],
  [flag, 'maybe', 'field must be true or false'],
  [z.array(z.string()), 'x', 'field must be a list'],
  [z.string().max(3), 'abcd', 'field has at most 3 characters'],
  [z.string().regex(/^a$/, 'Only the letter a'), 'b', 'Only the letter a'],
] as const)('%# the problem of a wrong value names its field and what is expected', (schema, value, sentence) => {
  expect(said(schema, value)).toEqual([sentence]);
});

/** Wording of the validation library. */
const library = /invalid |: expected|received|unrecognized|too (small|big):|input:/i;

test('no call answers in the wording of the validation library, whatever it is sent', () => {
  const wrong = [undefined, null, 7, 'x', true, [], [7], {}, { x: 1 }, '', -1, 1e21, 'x'.repeat(5000)];
  const leaked: string[] = [];
  for (const [name, { input }] of Object.entries(calls)) {
    const fields = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
    for (const value of wrong)
      for (const raw of [value, ...fields.map((field) => ({ [field]: value }))]) {
        const read = readInput(input as z.ZodType, raw);
        for (const { message } of 'problems' in read ? read.problems : [])
          if (library.test(message) || message.includes('\u0000')) leaked.push(`${name}: ${message}`);
      }
  }
  expect(leaked).toEqual([]);
});
