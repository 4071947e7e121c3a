import { type PostingCache, postingCache, withoutCache } from '../../server/documents/posting/cache.ts';

/** The cache that tests post with: on as in the product, or off with `BAHI_POSTING_CACHE=0`. */
export const testedCache = (): PostingCache =>
  process.env['BAHI_POSTING_CACHE'] === '0' ? withoutCache : postingCache();
