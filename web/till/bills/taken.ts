import { ONE, parseDecimal } from '../../../domain/base/decimal.ts';
import { partKey, type Taken } from '../../../domain/till/till.ts';
import type { KeptBill } from './billStore.ts';

/**
 * Batches and serial numbers of bills made here that the items here do not know of: what waits, and what was sent
 * since they were fetched.
 */
export function takenBy(bills: readonly KeptBill[], fetched: string): Taken {
  const taken = new Map<string, number>();
  const take = (item: string, part: string, quantity: number) => {
    const key = partKey(item, part);
    taken.set(key, (taken.get(key) ?? 0) + quantity);
  };
  for (const { state, at, body } of bills) {
    if (state !== 'waiting' && !(state === 'sent' && at > fetched)) continue;
    for (const { item = '', batches = [], serials = [] } of body.lines) {
      for (const { batch, quantity } of batches) take(item, batch, parseDecimal(quantity, 6) ?? 0);
      for (const serial of serials) take(item, serial, ONE);
    }
  }
  return taken;
}
