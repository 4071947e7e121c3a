import { expect, it } from 'vitest';
import { browserName } from './browserName.ts';

it.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0', 'Firefox 141 on Windows'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/147.0.0.0 Safari/537.36',
    'Chrome 147 on Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36 Edg/146.0',
    'Edge 146 on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 ' +
      'Safari/604.1',
    'Safari 19 on iOS',
  ],
  ['node', 'node'],
  ['', 'Unknown browser'],
])('%s', (agent, name) => {
  expect(browserName(agent)).toBe(name);
});
