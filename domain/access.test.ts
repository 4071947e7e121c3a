import { describe, expect, test } from 'vitest';
import { grantsOf, highest, type Level, mayGrant, mayOpen } from './access.ts';

const levels: readonly Level[] = [0, 5000, 5001, 5002, 5003];
const opened = (granted: Level | undefined) => levels.filter((needed) => mayOpen(granted, needed));

describe('mayOpen', () => {
  test.each([
    [undefined, [0]],
    [0, [0]],
    [5000, [0, 5000]],
    [5001, [0, 5000, 5001]],
    [5002, [0, 5000, 5002]],
    [5003, [0, 5000, 5001, 5002, 5003]],
  ] as const)('a grant of %s opens %j', (granted, expected) => expect(opened(granted)).toEqual(expected));
});

test('the highest of several grants counts', () => {
  expect(highest([5000, 5002, 5001])).toBe(5002);
  expect(highest([])).toBeUndefined();
  expect(highest([0])).toBe(0);
});

test('grants are by parent, the highest each; parent 17 and level 0 grant nothing', () => {
  const grants = grantsOf([
    { parent: 28, level: 5000 },
    { parent: 28, level: 5003 },
    { parent: 28, level: 5001 },
    { parent: 17, level: 5003 },
    { parent: 40, level: 0 },
  ]);
  expect([...grants]).toEqual([[28, 5003]]);
});

test('nobody grants more than he holds', () => {
  const table = levels.map((own) => levels.filter((granted) => mayGrant(own, granted)));
  expect(table).toEqual([[0], [0, 5000], [0, 5000, 5001], [0, 5000, 5002], [0, 5000, 5001, 5002, 5003]]);
  expect(mayGrant(undefined, 5000)).toBe(false);
});
