import { expect, test } from 'vitest';
import type { Level } from '../../contract/screens.ts';
import { grantsOf, may, mayGrant } from './index.ts';

const levels: readonly Level[] = [0, 5000, 5001, 5002, 5003];

test('nobody grants more than he holds, and the middle level is no step above editing', () => {
  const table = levels.map((own) => levels.filter((granted) => mayGrant(own, granted)));
  expect(table).toEqual([[0], [0, 5000], [0, 5000, 5001], [0, 5000, 5002], [0, 5000, 5001, 5002, 5003]]);
  expect(mayGrant(undefined, 5000)).toBe(false);
});

test('the highest of several grants on a parent counts; parent 17 and level 0 grant nothing', () => {
  const rows = [5000, 5003, 5001].map((level) => ({ screen: 28, level }));
  const grants = grantsOf([...rows, { screen: 17, level: 5003 }, { screen: 40, level: 0 }]);
  expect([...grants.values()]).toEqual([5003]);
  expect(may(grants, 'write', [...grants.keys()])).toBe(true);
});
