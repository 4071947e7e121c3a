import type { FastifyRateLimitOptions, FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type pg from 'pg';

/** Counts the requests for public pages by address, in the database: several processes count as one. */
export function knocksIn(pool: pg.Pool): FastifyRateLimitStoreCtor {
  return class Knocks implements FastifyRateLimitStore {
    private readonly page: string;
    constructor(options: FastifyRateLimitOptions) {
      const { routeInfo } = options as { readonly routeInfo?: { readonly url?: string } };
      this.page = routeInfo?.url ?? '';
    }
    child(options: FastifyRateLimitOptions): Knocks {
      return new Knocks(options);
    }
    /** `window` in milliseconds; answers how often it was in this window, and the milliseconds that are left of it. */
    incr(address: string, answer: Parameters<FastifyRateLimitStore['incr']>[1], window: number): void {
      pool
        .query<{ taken: number; left_over: number }>('select taken, left_over from count_knock($1, $2, $3)', [
          this.page,
          address,
          window,
        ])
        .then(
          ({ rows }) => answer(null, { current: rows[0]?.taken ?? 1, ttl: rows[0]?.left_over ?? window }),
          (error: Error) => answer(error),
        );
    }
  };
}
