import { expect, test } from 'vitest';
import { countryName } from './countries.ts';

test.each([
  ['US', 'United States'],
  ['SA', 'Saudi Arabia'],
  ['DE', 'Germany'],
  ['', undefined],
  ['de', undefined],
  ['QQ', undefined],
  ['ZZ', undefined],
])('%s is %s', (code, name) => expect(countryName(code)).toBe(name));
