import { HUNDRED_PERCENT, percentText, rupeesText } from '../../base/decimal.ts';
import { paise, scale } from '../../base/money.ts';
import { say } from '../../base/say.ts';
import { irpLineProblems } from '../../tax/gst/portal/irp.ts';
import { isRetailValued } from '../../tax/gst/rates/retail-valued.ts';
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
    return irpLineProblems({ supplyType: priced.supplyType, lines }).map((problem) => ({
      ...problem,
      field: `lines.${problem.field}`,
    }));
  },
};

/** Tax of an invoice that is not its rate of its value; the portal tolerates a rupee, and compares none of notes. */
export const portalTax: PricedCheck = {
  code: 'portalTax',
  weight: 'problem',
  source: 'portal codes 2234 and 2235; suppressed for the goods of rule 31D',
  find: (checking) => {
    const { kind, draft, priced } = checking;
    if (!goesToPortal(checking) || kind.gst.irp !== 'INV' || !priced.taxCharged) return [];
    return priced.lines.flatMap(({ treatment, gstRate, hsn, value, cgst, sgst, igst }, row) => {
      if (treatment !== 'taxable' || isRetailValued(hsn, draft.date)) return [];
      const whole = scale(value, gstRate, HUNDRED_PERCENT);
      const heads = igst > 0 ? [[igst, whole] as const] : [cgst, sgst].map((each) => [each, whole / 2] as const);
      if (heads.every(([is, should]) => Math.abs(is - should) <= A_RUPEE)) return [];
      const tax = rupeesText(paise(cgst + sgst + igst));
      const message = say(
        'The tax of this line, {{tax}}, is not {{gstRate}} % of {{rupees}}: the invoice portal refuses it',
        { tax, gstRate: percentText(gstRate), rupees: rupeesText(value) },
      );
      return [{ field: row < draft.lines.length ? 'lines.gstRate' : 'lines', row, ...message }];
    });
  },
};
const A_RUPEE = 100;
