import type { Entry, GstCategory, Id } from '../document/document.ts';
import type { Effect, Ledgers } from './effects.ts';

/** What of a party says on which ledger its account stands. */
export interface AccountTraits {
  readonly category: GstCategory;
  readonly microSmall: boolean;
}
type Side = 'customer' | 'supplier';

/** The ledger on which the whole account of such a party stands, as a customer or as a supplier. */
export const accountEffect = (side: Side, { category, microSmall }: AccountTraits): Effect => {
  if (side === 'supplier')
    return category === 'overseas' ? 'payableOverseas' : microSmall ? 'payableMicroSmall' : 'payable';
  if (category === 'overseas') return 'receivableOverseas';
  return category === 'unregistered' ? 'receivableRetail' : 'receivable';
};

/** The effects whose ledgers hold accounts of parties; advances stand on ledgers of their own. */
const accounts = {
  receivable: 'customer',
  receivableOverseas: 'customer',
  receivableRetail: 'customer',
  payable: 'supplier',
  payableMicroSmall: 'supplier',
  payableOverseas: 'supplier',
} as const satisfies Partial<Record<Effect, Side>>;

/** Whose accounts a ledger holds; undefined for a ledger that holds none. */
export const accountSide = (ledgers: Ledgers, ledger: Id): Side | undefined =>
  (Object.keys(accounts) as (keyof typeof accounts)[]).flatMap((effect) =>
    ledgers[effect] === ledger ? [accounts[effect]] : [],
  )[0];

/** Where an amount on the account of such a party stands today, whichever ledger of accounts it was booked on. */
export const accountLedger = (ledgers: Ledgers, ledger: Id, traits: AccountTraits): Id => {
  const side = accountSide(ledgers, ledger);
  return side === undefined ? ledger : ledgers[accountEffect(side, traits)];
};

/** Entries of an earlier day as they are booked today: an account that has moved meanwhile is met where it stands now. */
export const onAccountsOfToday = (
  entries: readonly Entry[],
  ledgers: Ledgers,
  parties: ReadonlyMap<Id, AccountTraits>,
): Entry[] =>
  entries.map((entry) => {
    const traits = entry.party === undefined ? undefined : parties.get(entry.party);
    return traits ? { ...entry, ledger: accountLedger(ledgers, entry.ledger, traits) } : entry;
  });
