import type { Allocation } from './document.ts';
import { type Paise, paise, scale, zero } from './money.ts';

/** What is left of a document to settle: in its own currency, and the rupees that still stand on the account for that. */
export interface OpenWorth {
  readonly open: number;
  readonly worth: number;
}

/**
 * What each allocation takes off the account of the party, in rupees: its share of what still stands there. What settles the
 * last of a document takes all that is left, so that an account settled in its own currency is settled in rupees too.
 */
export function worthOf(
  allocations: readonly Pick<Allocation, 'amount'>[],
  openOf: (index: number) => { readonly name: string } & OpenWorth,
): Paise[] {
  const left = new Map<string, OpenWorth>();
  return allocations.map(({ amount }, index) => {
    const { name, ...whole } = openOf(index);
    const { open, worth } = left.get(name) ?? whole;
    const taken = open === amount ? paise(worth) : open === 0 ? zero : scale(worth, amount, open);
    left.set(name, { open: open - amount, worth: worth - taken });
    return taken;
  });
}
