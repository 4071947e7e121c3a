import { parseDecimal } from '../../domain/base/decimal.ts';
import { t } from '../kit/text.ts';
import { daysOf, type Range } from './period.ts';

export interface SkuRow {
  readonly itemSKU: string;
  readonly quantity: string;
}

/** Items by quantity sold: most first, least first, or as the server gave them. */
export const ranked = <T extends SkuRow>(rows: readonly T[], order: 'fast' | 'slow' | null): readonly T[] => {
  if (!order) return rows;
  const of = (row: T) => parseDecimal(row.quantity, 6) ?? 0;
  return [...rows].sort((a, b) => (order === 'fast' ? of(b) - of(a) : of(a) - of(b)));
};

/** The lines of Orders Overview by the server's type of order. */
export const lines = [
  { type: 'SaleOrder', name: 'Sale Orders' },
  { type: 'PurchaseOrder', name: 'Purchase Orders' },
  { type: 'Sale', name: 'Sale Invoices' },
  { type: 'Purchase', name: 'Purchase Bills' },
  { type: 'Purchasereturn', name: 'Purchase Returns' },
  { type: 'Salereturn', name: 'Sale Returns', dashed: true },
] as const;

export interface DayCount {
  readonly orderType: string;
  readonly orderDay: string;
  readonly orderCount: number;
}

/** One figure a day and type; days without orders are 0. Lines end today: days to come have no figure. */
export const seriesOf = (counts: readonly DayCount[], range: Range, today: string) => {
  const days = daysOf(range);
  const byKey = new Map<string, number>();
  for (const { orderType, orderDay, orderCount } of counts)
    byKey.set(`${orderType}/${orderDay}`, (byKey.get(`${orderType}/${orderDay}`) ?? 0) + orderCount);
  return {
    labels: days.map((day) => `${day.slice(8)}-${day.slice(5, 7)}`),
    series: lines.map((line) => ({
      name: t(line.name),
      ...('dashed' in line && { dashed: true }),
      values: days.filter((day) => day <= today).map((day) => byKey.get(`${line.type}/${day}`) ?? 0),
    })),
  };
};
