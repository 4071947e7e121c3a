import { expect, test } from 'vitest';
import { discountProblem } from './discount.ts';

test.each([
  [undefined, false],
  [{ percent: '10' }, false],
  [{ percent: '10.5' }, false],
  [{ percent: '100' }, false],
  [{ amount: '120.50' }, false],
  [{ percent: '100.5' }, true],
  [{ percent: '-1' }, true],
  [{ percent: 'ten' }, true],
  [{ percent: '' }, true],
  [{ amount: '10 percent' }, true],
  [{ amount: 'abc' }, true],
  [{ amount: '1.234' }, true],
])('the discount %j has a problem: %s', (typed, wrong) =>
  expect(discountProblem(typed)?.message !== undefined).toBe(wrong),
);
