import { isYes, keyOf, type TallyObject, textOf } from './object.ts';

/** Who or what the ledgers of a group are. */
export type Sort = 'customer' | 'supplier' | 'bank' | 'stock' | 'tax' | 'other';

interface Place {
  /** The group of our chart that its ledgers go to. */
  readonly group: string;
  readonly sort: Sort;
}
const other = (group: string): Place => ({ group, sort: 'other' });

/** The groups that every company has, in the spelling of TallyPrime, with their place in our chart of accounts. */
export const reservedGroups: Readonly<Record<string, Place>> = {
  'capital account': other('3100'),
  'reserves & surplus': other('3200'),
  'loans (liability)': other('2400'),
  'bank od a/c': { group: '2400', sort: 'bank' },
  'secured loans': other('2400'),
  'unsecured loans': other('2400'),
  'current liabilities': other('2300'),
  'duties & taxes': { group: '2200', sort: 'tax' },
  provisions: other('2300'),
  'sundry creditors': { group: '2100', sort: 'supplier' },
  'fixed assets': other('1700'),
  investments: other('1600'),
  'current assets': other('1500'),
  'bank accounts': { group: '1100', sort: 'bank' },
  'cash-in-hand': { group: '1100', sort: 'bank' },
  'deposits (asset)': other('1500'),
  'loans & advances (asset)': other('1500'),
  'stock-in-hand': { group: '1300', sort: 'stock' },
  'sundry debtors': { group: '1200', sort: 'customer' },
  'misc. expenses (asset)': other('1500'),
  'branch / divisions': other('1500'),
  'suspense a/c': other('2300'),
  'sales accounts': other('4100'),
  'direct incomes': other('4100'),
  'indirect incomes': other('4200'),
  'purchase accounts': other('5100'),
  'direct expenses': other('5200'),
  'indirect expenses': other('6400'),
};
const aliases: Readonly<Record<string, string>> = {
  'retained earnings': 'reserves & surplus',
  'bank occ a/c': 'bank od a/c',
  'income (direct)': 'direct incomes',
  'income (indirect)': 'indirect incomes',
  'expenses (direct)': 'direct expenses',
  'expenses (indirect)': 'indirect expenses',
};
const reservedOf = (name: string): Place | undefined => reservedGroups[aliases[keyOf(name)] ?? keyOf(name)];

/** A primary group that somebody made says only whether it is a debit, and whether it is income or expense. */
const bySides = ({ fields }: TallyObject): Place => {
  const [isDebit, isRevenue] = [isYes(textOf(fields, 'ISDEEMEDPOSITIVE')), isYes(textOf(fields, 'ISREVENUE'))];
  if (isRevenue) return other(isDebit ? '6400' : '4200');
  return other(isDebit ? '1500' : '2300');
};

/** Where the ledgers of each group go, by the nearest group above it that the program gave; also under another name. */
export function placesOf(groups: readonly TallyObject[]): (group: string) => Place | undefined {
  const byName = new Map(groups.map((group) => [keyOf(group.name), group]));
  const found = (name: string, above: readonly string[]): Place | undefined => {
    const key = keyOf(name);
    const group = byName.get(key);
    const own = reservedOf(group?.reserved || name);
    if (own || !group || above.includes(key)) return own;
    const parent = textOf(group.fields, 'PARENT');
    return parent === '' ? bySides(group) : found(parent, [...above, key]);
  };
  return (name) => found(name, []);
}
