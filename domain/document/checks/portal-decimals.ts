import { irpLineProblems } from '../../tax/gst/irp.ts';
import type { PricedCheck } from './check.ts';
import { goesToPortal } from './portal.ts';

/** The portal has three decimals for prices and quantities: what it would round to zero is a problem before a number is taken. */
export const portalDecimals: PricedCheck = {
  code: 'portalDecimals',
  weight: 'problem',
  source: 'INV-01: UnitPrice and Qty have three decimals',
  find: (checking) => {
    if (!goesToPortal(checking)) return [];
    const { priced } = checking;
    const lines = priced.lines.map((line) => ({ ...line, discount: line.discountAmount }));
    return irpLineProblems({ supplyType: priced.supplyType, lines }).map(({ row, field, message }) => ({
      ...{ row, message, field: `lines.${field}` },
    }));
  },
};
