import { expect, test } from 'vitest';
import { newId } from './ids.ts';

test('ids are UUIDs of version 7 in the order in which they were made, also many in one millisecond', () => {
  const now = Date.now();
  const all = [...Array.from({ length: 10_000 }, () => newId(now)), newId(now + 5), newId(now - 5)];
  for (const id of all) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(all).size).toBe(all.length);
  expect(all.toSorted()).toEqual(all);
  expect(Number.parseInt(all[0]?.replaceAll('-', '').slice(0, 12) ?? '', 16)).toBe(now);
});
