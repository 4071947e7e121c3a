import { expect, test } from 'vitest';
import type { Level } from '../../contract/screens.ts';
import { mayOpen, screens } from '../../contract/screens.ts';
import { grantsOf, may, mayGrant } from './index.ts';

const levels: readonly Level[] = [0, 5000, 5001, 5002, 5003];

test('nobody grants more than they hold, and the middle level is no step above editing', () => {
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

test('grants of 5001 and of 5002 on one screen open what each of them opens, in whichever order they come', () => {
  const of = (...given: readonly number[]) =>
    grantsOf(given.map((level) => ({ screen: screens['Sale Invoice'].id, level })));
  for (const grants of [of(5001, 5002), of(5002, 5001), of(5002, 5000, 5001, 5002)]) {
    expect(may(grants, 'write', ['Sale Invoice'])).toBe(true);
    expect(may(grants, 'approve', ['Sale Invoice'])).toBe(true);
    expect(mayOpen(Object.fromEntries(grants), screens['Create Invoice'])).toBe(true);
    // together they are not full: what is for 5003 alone stays closed
    expect(grants.get('Sale Invoice')).not.toBe(5003);
    expect(levels.filter((level) => mayGrant(grants.get('Sale Invoice'), level))).toEqual([0, 5000, 5001, 5002]);
  }
  expect(of(5003, 5001, 5002).get('Sale Invoice')).toBe(5003);
  // who holds but one of the two takes nothing from somebody with both
  for (const level of [5001, 5002] as const)
    expect(mayGrant(level, of(5001, 5002).get('Sale Invoice') ?? 0)).toBe(false);
});
