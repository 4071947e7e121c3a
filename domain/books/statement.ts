import { type Paise, paise } from '../base/money.ts';
import type { Id } from '../document/document.ts';
import { scheduleLines } from '../facts/chart-of-accounts.ts';

export type StatementName = 'profitAndLoss' | 'balanceSheet';

/** A ledger as it stands at the end of the period and of the period before; a debit is more than nothing. */
export interface StatementBalance {
  readonly ledger: Id;
  readonly code: string;
  readonly name: string;
  readonly nature: 'asset' | 'liability' | 'equity' | 'income' | 'expense';
  readonly schedule3: string | null;
  readonly amount: Paise;
  readonly previous: Paise;
}

/** Under periodic books nobody posts what the stock is worth: the statements take it from the stock balances. */
export interface ClosingStock {
  /** The ledger of stock, which holds only what was posted to it by opening or closing entries. */
  readonly ledger: Id;
  readonly code: string;
  readonly name: string;
  /** What the stock is worth at the end of each period. */
  readonly amount: Paise;
  readonly previous: Paise;
  /** What the profit of each period bears: what the ledger grew by less what the stock grew by. */
  readonly change: Paise;
  readonly previousChange: Paise;
}

export interface StatementRow {
  readonly name: string;
  readonly depth: number;
  readonly amount: Paise;
  readonly previous: Paise;
  readonly heading?: true;
  readonly total?: true;
  readonly ledger?: Id;
  /** The group that it stands for, of which `groupOf` tells the ledgers. */
  readonly group?: string;
}

type Side = 'debit' | 'credit';

/** A place of a statement: a line of Schedule III, a heading over lines, or a total of lines; the side that counts as more. */
export interface StatementPart {
  readonly part: 'line' | 'heading' | 'total';
  readonly depth: number;
  readonly side: Side;
  readonly lines: readonly string[];
  /** Without a name the line has its name of Schedule III. */
  readonly name?: string;
}

const heading = (depth: number, side: Side, name: string, lines: readonly string[]): StatementPart => ({
  part: 'heading',
  depth,
  side,
  name,
  lines,
});
const total = (side: Side, name: string, lines: readonly string[]): StatementPart => ({
  part: 'total',
  depth: 0,
  side,
  name,
  lines,
});
const each = (depth: number, side: Side, lines: readonly string[]): StatementPart[] =>
  lines.map((line) => ({ part: 'line', depth, side, lines: [line] }));
const section = (side: Side, name: string, lines: readonly string[]): StatementPart[] => [
  heading(1, side, name, lines),
  ...each(2, side, lines),
];

const income = ['PL.I', 'PL.II'];
const expenses = ['PL.IV.a', 'PL.IV.b', 'PL.IV.c', 'PL.IV.d', 'PL.IV.e', 'PL.IV.f', 'PL.IV.g'];
const tax = ['PL.X.1', 'PL.X.2'];
const ordinary = [...income, ...expenses];
const untaxed = [...ordinary, 'PL.VI', 'PL.VIII'];
const wholeProfit = [...untaxed, ...tax];

/** The year's profit is no ledger before the year is closed; it stands with reserves and surplus. */
const PROFIT = 'profit';
/** The words a line stands under. */
function wordsOf(line: string): string {
  return line === PROFIT ? 'Profit for the period' : (scheduleLines[line] ?? line);
}
const funds = ['EL.1a', 'EL.1b', 'EL.1c'];
const longTerm = ['EL.3a', 'EL.3b', 'EL.3c', 'EL.3d'];
const currentDebts = ['EL.4a', 'EL.4b.A', 'EL.4b.B', 'EL.4b', 'EL.4c', 'EL.4d'];
const fixed = ['A.1a.i', 'A.1a.ii', 'A.1a.iii', 'A.1a.iv', 'A.1b', 'A.1c', 'A.1d', 'A.1e'];
const current = ['A.2a', 'A.2b', 'A.2c', 'A.2d', 'A.2e', 'A.2f'];
const liabilities = [...funds, PROFIT, 'EL.2', ...longTerm, ...currentDebts];

/** Both statements after Schedule III, division I, of the Companies Act. */
export const statements: Readonly<Record<StatementName, readonly StatementPart[]>> = {
  profitAndLoss: [
    ...each(0, 'credit', income),
    total('credit', 'Total income', income),
    heading(0, 'debit', 'Expenses', expenses),
    ...each(1, 'debit', expenses),
    total('debit', 'Total expenses', expenses),
    total('credit', 'Profit before exceptional and extraordinary items and tax', ordinary),
    ...each(0, 'debit', ['PL.VI']),
    total('credit', 'Profit before extraordinary items and tax', [...ordinary, 'PL.VI']),
    ...each(0, 'debit', ['PL.VIII']),
    total('credit', 'Profit before tax', untaxed),
    heading(0, 'debit', 'Tax expense', tax),
    ...each(1, 'debit', tax),
    total('credit', 'Profit for the period', wholeProfit),
  ],
  balanceSheet: [
    heading(0, 'credit', 'Equity and liabilities', liabilities),
    ...section('credit', "Shareholders' funds", funds.concat(PROFIT)),
    ...each(1, 'credit', ['EL.2']),
    ...section('credit', 'Non-current liabilities', longTerm),
    ...section('credit', 'Current liabilities', currentDebts),
    total('credit', 'Total equity and liabilities', liabilities),
    heading(0, 'debit', 'Assets', [...fixed, ...current]),
    ...section('debit', 'Non-current assets', fixed),
    ...section('debit', 'Current assets', current),
    total('debit', 'Total assets', [...fixed, ...current]),
  ],
};

const homeless = {
  asset: 'A.2f',
  liability: 'EL.4c',
  equity: 'EL.1b',
  income: 'PL.II',
  expense: 'PL.IV.g',
} as const satisfies Record<StatementBalance['nature'], string>;

/** Where a balance on the wrong side is shown: an overdrawn bank is a borrowing, a debtor in credit a liability. */
const moved: readonly { readonly from: RegExp; readonly when: Side; readonly to: string }[] = [
  { from: /^A\.2d$/, when: 'credit', to: 'EL.4a' },
  { from: /^A\.2c$/, when: 'credit', to: 'EL.4c' },
  { from: /^EL\.4b/, when: 'debit', to: 'A.2e' },
];

const known = new Set([...liabilities, ...fixed, ...current, ...wholeProfit]);

const lineOf = (balance: StatementBalance, amount: number): string => {
  const own = balance.schedule3 !== null && known.has(balance.schedule3) ? balance.schedule3 : homeless[balance.nature];
  const side: Side = amount < 0 ? 'credit' : 'debit';
  return (amount !== 0 && moved.find((m) => m.from.test(own) && m.when === side)?.to) || own;
};

/** One name under one line, both columns debit less credit. */
interface Slice {
  readonly line: string;
  readonly code: string;
  readonly name: string;
  readonly ledger?: Id;
  readonly amount: number;
  readonly previous: number;
}

const slicesOf = (balance: StatementBalance): Slice[] => {
  const { ledger, code, name, amount, previous } = balance;
  const [now, before] = [lineOf(balance, amount), lineOf(balance, previous)];
  const slices =
    now === before || previous === 0 || amount === 0
      ? [{ line: amount === 0 ? before : now, code, name, ledger, amount, previous }]
      : [
          { line: now, code, name, ledger, amount, previous: 0 },
          { line: before, code, name, ledger, amount: 0, previous },
        ];
  return slices.filter((slice) => slice.amount !== 0 || slice.previous !== 0);
};

/**
 * Stock balances take the place of the stock ledger. What that adds is the period's change in inventories, and of earlier
 * years part of what they kept back. None of it is drawn from a ledger, so nothing leads to one.
 */
const withClosingStock = (
  balances: readonly StatementBalance[],
  stock: ClosingStock | undefined,
): StatementBalance[] => {
  if (!stock) return [...balances];
  const held = balances.find((b) => b.ledger === stock.ledger);
  const { code, amount, previous, change, previousChange } = stock;
  const own = { ledger: '', code };
  return [
    ...balances.filter((b) => b !== held),
    { ...own, name: stock.name, nature: 'asset', schedule3: 'A.2b', amount, previous },
    {
      ...own,
      name: 'Opening stock less closing stock',
      nature: 'expense',
      schedule3: 'PL.IV.c',
      amount: change,
      previous: previousChange,
    },
    {
      ...own,
      name: 'Stock of earlier years',
      nature: 'equity',
      schedule3: 'EL.1b',
      amount: paise((held?.amount ?? 0) - amount - change),
      previous: paise((held?.previous ?? 0) - previous - previousChange),
    },
  ];
};

const columns = (slices: readonly Slice[], side: Side): { readonly amount: Paise; readonly previous: Paise } => {
  const sign = side === 'debit' ? 1 : -1;
  return {
    amount: paise(sign * slices.reduce((t, s) => t + s.amount, 0)),
    previous: paise(sign * slices.reduce((t, s) => t + s.previous, 0)),
  };
};

/**
 * A statement of Schedule III from balances of ledgers, with the ledgers under their lines. Lines without balances are
 * left out. On the balance sheet what income and expense ledgers hold is the profit, so both sides agree when books do.
 */
export function drawStatement(
  name: StatementName,
  balances: readonly StatementBalance[],
  closingStock?: ClosingStock,
): StatementRow[] {
  const all = allSlices(name, balances, closingStock);
  const rows = statements[name].flatMap((part) => rowsOf(part, all));
  return name === 'balanceSheet' ? rows : rows.map(({ group: _, ...row }) => row);
}

/** Every ledger under its line; on the balance sheet those of income and expense under the profit. */
function allSlices(
  name: StatementName,
  balances: readonly StatementBalance[],
  closingStock: ClosingStock | undefined,
): Slice[] {
  const ledgers = withClosingStock(balances, closingStock).toSorted((a, b) => (a.code < b.code ? -1 : 1));
  const slices = ledgers.flatMap(slicesOf);
  const profit = slices.filter((s) => s.line.startsWith('PL.')).map((s) => ({ ...s, line: PROFIT }));
  return name === 'balanceSheet' ? [...slices, ...profit] : slices;
}

/** What a line or a heading of a statement is asked for by: its code of Schedule III, or its name. */
const groupName = ({ part, lines, name }: StatementPart): string => (part === 'line' ? lines[0] : name) ?? '';

/** The groups of the balance sheet that can be looked into, with the words they stand under. */
export const balanceGroups: readonly (readonly [group: string, label: string])[] = statements.balanceSheet
  .filter(({ part, depth }) => part !== 'total' && depth > 0)
  .map((part) => [groupName(part), part.name ?? wordsOf(groupName(part))]);

export interface GroupRow {
  readonly code: string;
  readonly name: string;
  readonly ledger?: Id;
  /** The side that counts as more in this group. */
  readonly side: Side;
  readonly amount: Paise;
  readonly previous: Paise;
}

/** What one group of the balance sheet is made of, ledger by ledger, as the statement itself counts them. */
export function groupOf(
  group: string,
  balances: readonly StatementBalance[],
  closingStock?: ClosingStock,
): readonly GroupRow[] {
  const part = statements.balanceSheet.find((p) => p.part !== 'total' && p.depth > 0 && groupName(p) === group);
  if (!part) return [];
  return allSlices('balanceSheet', balances, closingStock)
    .filter(({ line }) => part.lines.includes(line))
    .map((slice) => ({
      code: slice.code,
      name: slice.name,
      side: part.side,
      ...columns([slice], part.side),
      ...(slice.ledger && { ledger: slice.ledger }),
    }));
}

function rowsOf(part: StatementPart, all: readonly Slice[]): StatementRow[] {
  const { depth, side } = part;
  const own = all.filter((slice) => part.lines.includes(slice.line));
  if (part.part !== 'line')
    return [
      {
        name: part.name ?? '',
        depth,
        ...columns(own, side),
        [part.part]: true,
        ...(depth > 0 && { group: groupName(part) }),
      } satisfies StatementRow,
    ];
  const line = part.lines[0] ?? '';
  if (own.length === 0) return [];
  const group = groupName(part);
  if (line === PROFIT) return [{ name: wordsOf(line), depth, ...columns(own, side), group }];
  const under = own.map((slice) => ({
    name: slice.name,
    depth: depth + 1,
    ...columns([slice], side),
    ...(slice.ledger && { ledger: slice.ledger }),
  }));
  return [{ name: wordsOf(line), depth, ...columns(own, side), group }, ...under];
}
