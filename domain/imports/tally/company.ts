import { chart } from '../../facts/chart-of-accounts.ts';
import { placesOf, type Sort } from './groups.ts';
import { keyOf, listOf, type TallyFields, type TallyObject, textOf } from './object.ts';
import { amountOf } from './values.ts';

/** What of a file decides on more than its own line: it is read before the lines are made. */
export interface Company {
  /** Where a ledger goes; undefined: its group is not in the file. */
  placeOf(ledger: TallyObject): { readonly group: string; readonly sort: Sort } | undefined;
  /** The stock group of this name. */
  stockGroup(name: string): TallyObject | undefined;
  /** Items have values of their own: the ledgers of stock say the same once more. */
  readonly itemsHaveValues: boolean;
  /** The code under which a record of this sort and name is brought in: the same for every file, and of no two names. */
  codeOf(type: string, name: string): string;
}

/** Sorts of objects that are kept while the rest of a file is read. */
export const keptTypes: readonly string[] = ['GROUP', 'STOCKGROUP'];

export function companyOf(
  kept: readonly TallyObject[],
  itemsHaveValues: boolean,
  codeFrom: (name: string) => string,
): Company {
  const place = placesOf(kept.filter(({ type }) => type === 'GROUP'));
  const stock = new Map(kept.filter(({ type }) => type === 'STOCKGROUP').map((group) => [keyOf(group.name), group]));
  const codes = new Map<string, string>();
  const taken = new Set<string>();
  return {
    itemsHaveValues,
    placeOf: ({ fields }) => place(textOf(fields, 'PARENT')),
    stockGroup: (name) => stock.get(keyOf(name)),
    codeOf: (type, name) => {
      const key = `${type} ${keyOf(name)}`;
      const known = codes.get(key);
      if (known !== undefined) return known;
      const first = codeFrom(name);
      let code = first;
      for (let n = 2; taken.has(`${type} ${code}`); n += 1) code = `${first.slice(0, 28)}-${n}`;
      codes.set(key, code);
      taken.add(`${type} ${code}`);
      return code;
    },
  };
}

export const hasValue = ({ type, fields }: TallyObject): boolean =>
  type === 'STOCKITEM' && amountOf(textOf(fields, 'OPENINGVALUE')) !== undefined;

/** The accounts of tax, cash and profit that every chart has: they are ours already, under these codes. */
const byName: Readonly<Record<string, string>> = { cash: '1110', 'profit & loss a/c': '3230' };
const taxes: readonly (readonly [head: RegExp, input: string, output: string])[] = [
  [/^(central tax|cgst)$/i, '1411', '2211'],
  [/^(state tax|sgst\/utgst|sgst)$/i, '1412', '2212'],
  [/^(integrated tax|igst)$/i, '1413', '2213'],
  [/^(cess|state cess)$/i, '1414', '2214'],
];

/** A ledger that every chart begins with under this very name would be there twice. */
const ofChart = new Map(chart.filter(({ kind }) => kind === 'ledger').map(({ code, name }) => [keyOf(name), code]));

/** The ledger of our chart that this one is; undefined: it is brought in. Input and output follow its name, else its balance. */
export function ownLedger({ name, reserved, fields }: TallyObject): string | undefined {
  const own = byName[keyOf(reserved)] ?? byName[keyOf(name)] ?? ofChart.get(keyOf(name));
  if (own !== undefined) return own;
  if (textOf(fields, 'TAXTYPE').toUpperCase() !== 'GST') return undefined;
  const head = textOf(fields, 'GSTDUTYHEAD');
  const found = taxes.find(([words]) => words.test(head));
  if (!found) return undefined;
  const isInput = /\b(input|itc|purchase)\b/i.test(name);
  const isOutput = /\b(output|payable|sales?)\b/i.test(name);
  const isDebit = amountOf(textOf(fields, 'OPENINGBALANCE'))?.debit === true;
  return isInput || (!isOutput && isDebit) ? found[1] : found[2];
}

/** Bills of a party, and what of its balance is of none. */
export const billsOf = (fields: TallyFields): readonly TallyFields[] =>
  listOf(fields, 'BILLALLOCATIONS').filter((bill) => amountOf(textOf(bill, 'OPENINGBALANCE')) !== undefined);
