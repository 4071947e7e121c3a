import { afterEach, expect, test, vi } from 'vitest';
import { MOST_BYTES } from '../../../contract/size.ts';
import { send } from './api.ts';

afterEach(() => vi.unstubAllGlobals());

test('what is more than one request may hold is refused before it is sent', async () => {
  const sent = vi.fn();
  vi.stubGlobal('fetch', sent);
  // a letter of Devanagari has three bytes
  for (const content of ['a'.repeat(MOST_BYTES), 'अ'.repeat(MOST_BYTES / 3)])
    await expect(send('POST', '/api/x/Y', { content })).rejects.toMatchObject({ status: 413, code: 'tooLarge' });
  expect(sent).not.toHaveBeenCalled();
});
