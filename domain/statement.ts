import { scheduleLines } from './facts/chart-of-accounts.ts';
import { type Paise, paise, sum } from './money.ts';

/** A ledger's balance for a statement: debit less credit, in paise, this year and the one before. */
export interface StatementBalance {
  readonly ledger: string;
  readonly code: string;
  readonly name: string;
  readonly nature: 'asset' | 'liability' | 'equity' | 'income' | 'expense';
  readonly schedule3: string | null;
  readonly amount: Paise;
  readonly previous: Paise;
}

export interface StatementRow {
  readonly name: string;
  readonly depth: number;
  readonly amount: Paise;
  readonly previous: Paise;
  readonly heading?: true;
  readonly total?: true;
  readonly ledger?: string;
}

interface Section {
  readonly title: string;
  readonly natures: readonly StatementBalance['nature'][];
  /** The side on which its balances usually stand: they are shown positive there. */
  readonly normal: 'debit' | 'credit';
}

/** Financial statements as lists of sections (Schedule III, Division I); what differs between them is only this data. */
export const statements = {
  profitAndLoss: {
    sections: [
      { title: 'Income', natures: ['income'], normal: 'credit' },
      { title: 'Expenses', natures: ['expense'], normal: 'debit' },
    ],
    result: 'Profit for the period',
  },
  balanceSheet: {
    sections: [
      { title: 'Equity and liabilities', natures: ['equity', 'liability'], normal: 'credit' },
      { title: 'Assets', natures: ['asset'], normal: 'debit' },
    ],
    result: undefined,
  },
} as const satisfies Record<string, { readonly sections: readonly Section[]; readonly result: string | undefined }>;

export type StatementName = keyof typeof statements;

/** Profit of a set of balances: what income exceeds expense by. */
export const profitOf = (balances: readonly StatementBalance[], which: 'amount' | 'previous'): Paise =>
  sum(balances.filter((b) => inProfit[b.nature]).map((b) => paise(-b[which])));

const inProfit: Readonly<Record<StatementBalance['nature'], boolean>> = {
  asset: false,
  liability: false,
  equity: false,
  income: true,
  expense: true,
};

/** The rows of a statement: sections, their Schedule III lines, the ledgers under them, totals; the year's profit joins equity. */
export function drawStatement(name: StatementName, balances: readonly StatementBalance[]): StatementRow[] {
  const { sections, result } = statements[name];
  const profit = { amount: profitOf(balances, 'amount'), previous: profitOf(balances, 'previous') };
  const rows = sections.flatMap((section: Section): StatementRow[] => {
    const sign = section.normal === 'debit' ? 1 : -1;
    const own = balances
      .filter((b) => section.natures.includes(b.nature) && (b.amount !== 0 || b.previous !== 0))
      .map((b) => ({ ...b, amount: paise(sign * b.amount), previous: paise(sign * b.previous) }));
    const lines = [...new Set(own.map((b) => b.schedule3 ?? ''))].sort();
    const extra = section.natures.includes('equity')
      ? [{ name: 'Profit for the year', depth: 2, ...profit } as StatementRow]
      : [];
    const body = lines.flatMap((line): StatementRow[] => {
      const under = own.filter((b) => (b.schedule3 ?? '') === line);
      return [
        {
          name: scheduleLines[line] ?? 'Other',
          depth: 1,
          heading: true,
          amount: sum(under.map((b) => b.amount)),
          previous: sum(under.map((b) => b.previous)),
        },
        ...under.map(
          (b): StatementRow => ({
            name: `${b.code} ${b.name}`,
            depth: 2,
            amount: b.amount,
            previous: b.previous,
            ledger: b.ledger,
          }),
        ),
      ];
    });
    const total = {
      amount: sum([...own, ...extra].map((b) => b.amount)),
      previous: sum([...own, ...extra].map((b) => b.previous)),
    };
    return [
      { name: section.title, depth: 0, heading: true, ...total },
      ...body,
      ...extra,
      { name: `Total ${section.title.toLowerCase()}`, depth: 0, total: true, ...total },
    ];
  });
  return result ? [...rows, { name: result, depth: 0, total: true, ...profit }] : rows;
}
