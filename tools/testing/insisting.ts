import { expect } from 'vitest';
import type { Shop } from '../../e2e/kit/shop.ts';
import { brokenInvariants } from '../../server/kit/database/invariants.ts';
import { sealAll } from './books.ts';
import type { TestDatabase } from './database.ts';
import type { Answered } from './server.ts';

export type Posted = { readonly TransactionId: string; readonly TransactionNumber: string };

/** One who sells, whatever happens to the database. */
export interface Insisting {
  /** Asks once; status 0: there was no answer. */
  sale(key: string): Promise<Answered>;
  /** Asks until it is posted; any other answer than "try again" is unexpected. */
  insist(key: string, odd?: Answered[]): Promise<Posted>;
  /** The running numbers that sales have got. */
  numbers(of?: Pick<TestDatabase, 'owner'>): Promise<number[]>;
  /** No invariant is broken, no number is missing or there twice. */
  whole(of?: TestDatabase): Promise<void>;
}

/** Sells one item in so many lines, in a database that may be killed, filled and broken meanwhile. */
export async function insisting(shop: Shop, database: TestDatabase, lines = 1): Promise<Insisting> {
  const { today: date } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const line = { item: shop.item, quantity: '1', rate: '95' };
  const document = {
    ...{ kind: 'saleInvoice', date, ...shop.place, party: shop.customer },
    lines: Array.from({ length: lines }, () => line),
  };
  const sale: Insisting['sale'] = (key) =>
    shop.owner
      .call('PostTransactionCalls', { document } as never, key)
      .catch(() => ({ status: 0, details: {}, message: '' }));
  const numbers: Insisting['numbers'] = async ({ owner } = database) => {
    const text = `select number from documents where kind = 'saleInvoice' order by number`;
    return (await owner.query<{ number: string }>(text)).rows.map(({ number }) => Number(number.split('/').at(-1)));
  };
  return {
    sale,
    numbers,
    insist: async (key, odd = []) => {
      for (const patience = performance.now() + 30_000; ; ) {
        const answer = await sale(key);
        if (answer.status === 200) return answer.details as Posted;
        if (![0, 503].includes(answer.status)) odd.push(answer);
        if (performance.now() > patience) throw new Error(`never posted: ${JSON.stringify(odd)}`);
        await new Promise((then) => setTimeout(then, 50));
      }
    },
    whole: async (of = database) => {
      await sealAll(of);
      expect(await brokenInvariants(of.owner)).toEqual([]);
      const given = await numbers(of);
      expect(given).toEqual(Array.from({ length: given.length }, (_, n) => n + 1));
    },
  };
}
