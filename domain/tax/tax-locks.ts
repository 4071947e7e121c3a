import { type Effect, effectNames, type Ledgers } from '../books/effects.ts';
import { type Locks, lockName, type Register } from '../books/registers.ts';
import type { Day, Entry, Id } from '../document/document.ts';

/** The returns that report the balance of a ledger of tax, by the first word of its effect. */
const returnsOf: Readonly<Record<string, readonly Register[]>> = {
  output: ['outward', 'gst', 'cmp08', 'gstr4'],
  input: ['gst', 'gstr4'],
  // who pays under composition pays it with CMP-08
  reverse: ['gst', 'cmp08', 'gstr4'],
};
const registersOf = (effect: Effect): readonly Register[] =>
  returnsOf[/^([a-z]+)(Cgst|Sgst|Igst|Cess)$/.exec(effect)?.[1] ?? ''] ?? [];

/** The effects whose ledgers hold tax that GST returns state. */
export const taxEffects: readonly Effect[] = effectNames.filter((effect) => registersOf(effect).length > 0);

/** Which of them entries move. */
export const taxEffectsOf = (entries: readonly Pick<Entry, 'ledger'>[], ledgers: Ledgers): readonly Effect[] =>
  taxEffects.filter((effect) => entries.some(({ ledger }) => ledger === ledgers[effect]));

/** The lock that a document meets on a day because its entries move the tax of a filed return, whatever its kind; the latest. */
export const taxLockMet = (
  effects: readonly Effect[],
  date: Day,
  locks: Locks,
  registration: Id,
): { readonly register: Register; readonly through: Day } | undefined =>
  effects
    .flatMap(registersOf)
    .flatMap((register) =>
      [register, lockName(register, registration)].map((name) => ({ register, through: locks.get(name) ?? '' })),
    )
    .filter(({ through }) => date <= through)
    .toSorted((a, b) => (a.through < b.through ? 1 : -1))[0];
