import { money, quantity } from '../base/decimal.ts';
import type { Draft, DraftLine } from '../document/document.ts';
import { type KindName, kindOf } from '../document/kinds/index.ts';
import type { CaseItem, CaseStep, WorkedCase } from '../facts/cases.ts';

export const goods: CaseItem = {
  sku: 'widget',
  service: false,
  stocked: true,
  gstRate: '18',
  treatment: 'taxable',
  cessRate: '0',
  cessPerUnit: '0',
};
const repair: CaseItem = { ...goods, sku: 'repair', service: true, stocked: false, expenseLedger: '6415' };

const world: Omit<WorkedCase, 'steps'> = {
  own: { state: '29', kind: 'regular' },
  other: { state: '33', kind: 'regular' },
  party: { category: 'registered', state: '29', country: 'IN' },
  items: [goods, repair],
  roundTotal: true,
  valuation: 'fifo',
};
export const abroad = { category: 'overseas', state: '96', country: 'US' } as const;
export const consumer = { category: 'unregistered', state: '29', country: 'IN' } as const;
export const dollars = { currency: 'USD', exchangeRate: quantity('80') } as const;

export const step = (key: string, kind: KindName, draft: Partial<Draft> = {}): CaseStep => ({
  key,
  kind,
  vouchers: [],
  draft: {
    kind,
    date: '2026-11-02',
    registration: 'own',
    location: 'here',
    currency: 'INR',
    exchangeRate: quantity('1'),
    lines: [],
    ...(kindOf(kind).party.required && { party: 'party' }),
    ...draft,
  },
});
export const widgets = (count: string, rate: string): DraftLine[] => [
  { item: 'widget', quantity: quantity(count), rate: quantity(rate) },
];
export const back = (document: string, count: string): DraftLine[] => [
  { item: 'widget', quantity: quantity(count), source: { document, line: 1 } },
];
/** What customs wrote on a bill of entry. */
export const assessed = {
  customs: { assessable: money('885'), basic: money('88.50'), surcharge: money('8.85'), igst: money('176.82') },
};
export const dr = (ledger: string, amount: string): DraftLine => ({ ledger, debit: money(amount) });
export const cr = (ledger: string, amount: string): DraftLine => ({ ledger, credit: money(amount) });

// five hundred rupees a widget in stock, whenever an example needs some
export const goodsInStock = step('goods in stock', 'openingStock', { lines: widgets('10', '500') });
export const sale = step('invoice', 'saleInvoice', { lines: widgets('1', '1000.05') });
export const bill = step('bill', 'purchaseBill', { lines: widgets('2', '500.25') });

export interface Example {
  readonly world: WorkedCase;
  /** The document shown; what comes before it is only taken for granted. */
  readonly shown: CaseStep;
  readonly note: string;
}
export const example = (
  shown: CaseStep,
  before: readonly CaseStep[] = [],
  note = '',
  more: Partial<WorkedCase> = {},
): Example => ({ world: { ...world, ...more, steps: [...before, shown] }, shown, note });
