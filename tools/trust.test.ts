import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../server/kit/database/migrate.ts';
import registers from './registers.json' with { type: 'json' };

const { faults, attacks } = registers;

const ids = (letter: string, ...spans: readonly (readonly [number, number])[]) =>
  spans.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, n) => `${letter}-${String(from + n).padStart(2, '0')}`),
  );

test('every fault and every attack has its row', () => {
  expect(Object.keys(faults)).toEqual(ids('F', [1, 7], [10, 12], [15, 18], [20, 27], [30, 38], [40, 45]));
  expect(Object.keys(attacks)).toEqual(ids('S', [1, 15], [20, 26], [30, 46], [50, 52], [60, 65]));
});

test('S-45: nothing of the product unpacks what somebody sends', () => {
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(root(), 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  expect(Object.keys(dependencies).filter((name) => /zip|xlsx|excel|tar|archive/.test(name))).toEqual([
    'write-excel-file',
  ]);
});
