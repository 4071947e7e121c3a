import { addDays } from '../base/dates.ts';
import type { Day, Id } from '../document/document.ts';
import { familyOf, kindCalled } from '../document/kinds/index.ts';
import { booksCustomsTax } from './legs.ts';

/** Parts of the books that can be locked by themselves, with the words before "locked up to". */
export const registers = {
  sales: ['Sales', 'Sales are'],
  purchases: ['Purchases and expenses', 'Purchases and expenses are'],
  money: ['Receipts, payments and contras', 'Receipts and payments are'],
  journals: ['Journals', 'Journals are'],
  stock: ['Stock', 'Stock is'],
  outward: ['GSTR-1 filed', 'GSTR-1 is filed, and outward documents are'],
  gst: ['GST returns filed', 'GST returns are filed, and what they show is'],
  cmp08: ['CMP-08 filed', 'CMP-08 is filed, and what it shows is'],
  gstr4: ['GSTR-4 filed', 'GSTR-4 is filed, and what it shows is'],
} as const satisfies Record<string, readonly [label: string, are: string]>;

export type Register = keyof typeof registers;
export const registerNames = Object.keys(registers) as readonly Register[];

/** Registers that are locked for one registration alone too: each files its own returns. */
export const perRegistration: readonly Register[] = ['outward', 'gst', 'cmp08', 'gstr4'];

/** A register, as a whole or of one registration. */
export type LockName = Register | `${Register}/${Id}`;
export const lockName = (register: Register, registration?: Id): LockName =>
  registration === undefined ? register : `${register}/${registration}`;

/** Up to which day each register is locked. */
export type Locks = ReadonlyMap<LockName, Day>;

/** The registers that a kind is kept in: its own, and those of the GST returns that show it. */
export const registersOf = (name: string): readonly Register[] => {
  const kind = kindCalled(name);
  if (!kind) return [];
  const bearsTax = kind.gst.tax !== 'none' || kind.gst.gstr1 !== undefined || booksCustomsTax(kind);
  // an order is no supply yet; goods that are sent to another registration are one
  const inReturns = kind.life.cycle !== 'ordered' && bearsTax;
  // table 13 counts the numbers of challans, vouchers and self-invoices too
  const inOutward = kind.gst.gstr1 !== undefined || kind.gst.issued !== undefined;
  return [
    kind.books.register ?? familyOf(name),
    ...(inOutward ? (['outward'] as const) : []),
    ...(inReturns && kind.gst.gstr1 !== undefined ? (['cmp08'] as const) : []),
    ...(inReturns ? (['gst', 'gstr4'] as const) : []),
  ];
};

/** The lock that a document of a kind meets on a day: the latest of those of its registers, and of theirs for its registration. */
export const lockMet = (
  name: string,
  date: Day,
  locks: Locks,
  registration?: Id,
): { readonly register: Register; readonly through: Day } | undefined => {
  if (locks.size === 0) return undefined;
  return registersOf(name)
    .flatMap((register) => [
      { register, through: locks.get(register) ?? '' },
      ...(registration === undefined ? [] : [{ register, through: locks.get(lockName(register, registration)) ?? '' }]),
    ])
    .filter(({ through }) => date <= through)
    .toSorted((a, b) => (a.through < b.through ? 1 : -1))[0];
};

/** The first day, from one on, that no lock binds: neither that of the books nor those of the registers of any of the kinds. */
export function firstOpenDay(
  kinds: readonly string[],
  from: Day,
  locks: Locks,
  lockedThrough: Day | null,
  registration?: Id,
): Day {
  const later = [
    lockedThrough ?? '',
    ...kinds.map((kind) => lockMet(kind, from, locks, registration)?.through ?? ''),
  ].reduce((a, b) => (b > a ? b : a));
  return later < from ? from : addDays(later, 1);
}
