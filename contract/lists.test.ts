import { expect, test } from 'vitest';
import { kindNames, kindOf } from '../domain/document/kinds/index.ts';
import { screenOf } from './screens.ts';

test('every kind that people post is found in a list', () => {
  const unseen = kindNames.filter((kind) => !kindOf(kind).system && !screenOf({ kind }, 'documentList'));
  expect(unseen).toEqual([]);
});
