import type { Draft } from '../document.ts';
import { hsnProblem } from '../gst/hsn.ts';
import { isPricedFromSource } from '../sources.ts';
import type { Finding, PricedCheck } from './check.ts';
import { isDeclared } from './supply.ts';

/** Codes of our own supplies exist, fit goods or service, and have as many digits as the turnover asks for. */
export const hsnOfSupply: PricedCheck = {
  code: 'hsn',
  weight: 'problem',
  source: 'notification 12/2017-CT as amended by 78/2020-CT; portal codes 2176, 3047 and 3048',
  find: (checking) => {
    const { kind, draft, facts, pricing } = checking;
    if (
      kind.tax !== 'output' ||
      !isDeclared(checking) ||
      isPricedFromSource(kind, draft) ||
      facts.own.kind === 'unregistered'
    )
      return [];
    const digits = hsnDigits(facts);
    return pricing.lines.flatMap(({ hsn, service, charge, treatment, source }, row): Finding[] => {
      if (treatment === 'nonGst' || source || draft.lines[row]?.source) return [];
      // of a charge the code alone says whether it is a service
      const message = hsnProblem(hsn, charge ? undefined : service, digits);
      if (!message) return [];
      return [
        charge ? { field: 'charges.hsn', row: chargeAt(draft, row), message } : { field: 'lines.hsn', row, message },
      ];
    });
  },
};

const chargeAt = ({ lines, charges = [] }: Draft, index: number): number =>
  charges.flatMap(({ gstRate }, row) => (gstRate === undefined ? [] : [row]))[index - lines.length] ?? 0;

/** E-invoices need six digits: who has to make them is above five crore. */
const hsnDigits = ({
  einvoice,
  own,
}: {
  readonly einvoice?: string | null;
  readonly own: { readonly hsnDigits?: 4 | 6 };
}) => (einvoice ? 6 : (own.hsnDigits ?? 4));
