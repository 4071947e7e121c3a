import { expect, test } from 'vitest';
import { type AdditionalField, additionalProblems } from './additional.ts';

const field = (more: Partial<AdditionalField>): AdditionalField => ({
  key: 'F',
  label: 'Field',
  type: 'text',
  required: false,
  choices: [],
  inLists: false,
  onPrint: false,
  active: true,
  appliesTo: [],
  ...more,
});
const wrong = (more: Partial<AdditionalField>, text: string) =>
  additionalProblems([field(more)], text === '' ? {} : { F: text }).map(({ message }) => message);

test('an additional value is of its type, and there when it is required', () => {
  expect(wrong({}, '')).toEqual([]);
  expect(wrong({ required: true }, ' ')).toEqual(['Field is required']);
  expect(wrong({}, 'x'.repeat(201))).toEqual(['At most 200 characters']);
  expect(wrong({ type: 'number' }, '-12.5')).toEqual([]);
  expect(wrong({ type: 'number' }, '12,5x')).toEqual(['A number with at most 6 decimals']);
  expect(wrong({ type: 'date' }, '2026-02-30')).toEqual(['Enter a date']);
  expect(wrong({ type: 'choice', choices: ['Road', 'Rail'] }, 'Rail')).toEqual([]);
  expect(wrong({ type: 'choice', choices: ['Road', 'Rail'] }, 'rail')).toEqual(['Choose one of the list']);
  expect(wrong({ type: 'yesNo' }, 'maybe')).toEqual(['Yes or no']);
});

test('a retired field is asked for no more and its old value stays; a field nobody defined is named', () => {
  expect(wrong({ active: false, required: true, type: 'date' }, '')).toEqual([]);
  expect(wrong({ active: false, type: 'date' }, 'long ago')).toEqual([]);
  expect(additionalProblems([], { OTHER: '1' })).toEqual([
    { field: 'additional.OTHER', message: 'There is no additional field OTHER here' },
  ]);
});
