import { type Said, say } from '../../base/say.ts';
import { hsnProblem, isListed } from '../../tax/gst/rates/hsn.ts';
import type { Draft, PricingLine } from '../document.ts';
import { isPricedFromSource } from '../sources.ts';
import type { CheckingPriced, Finding, PricedCheck } from './check.ts';
import { isDeclared } from './supply.ts';

/** Codes of our own supplies exist, fit goods or service, and have as many digits as the turnover asks for. */
export const hsnOfSupply: PricedCheck = {
  code: 'hsn',
  weight: 'problem',
  source: 'notification 12/2017-CT as amended by 78/2020-CT; portal codes 2176, 3047 and 3048',
  find: (checking) => {
    const digits = hsnDigits(checking.facts);
    // of a charge the code alone says whether it is a service
    return codesOf(checking, ({ hsn, service, charge }) => hsnProblem(hsn, charge ? undefined : service, digits));
  },
};

/** The list has headings only, and nobody promises that it follows each change of the tariff on its day: a warning. */
export const hsnUnlisted: PricedCheck = {
  code: 'hsnUnlisted',
  weight: 'warning',
  source: 'First Schedule to the Customs Tariff Act; notification 11/2017-CT(R), annexure; table 12 of GSTR-1',
  find: (checking) =>
    codesOf(checking, ({ hsn, service, charge }) =>
      hsnProblem(hsn, charge ? undefined : service) || isListed(hsn, checking.draft.date)
        ? undefined
        : say(
            'The heading {{heading}} of {{hsn}} is not in the list of HSN and SAC: look the code up, or the return may be refused',
            { heading: hsn.slice(0, 4), hsn },
          ),
    ),
};

/** What is wrong with the codes of our own supplies, at their fields. Lines from a source have its codes. */
function codesOf(checking: CheckingPriced, wrong: (line: PricingLine) => Said | undefined): Finding[] {
  const { kind, draft, facts, pricing } = checking;
  const isChecked = kind.gst.tax === 'output' && isDeclared(checking) && !isPricedFromSource(kind, draft);
  if (!isChecked || facts.own.kind === 'unregistered') return [];
  return pricing.lines.flatMap((line, row): Finding[] => {
    if (line.treatment === 'nonGst' || line.source || draft.lines[row]?.source) return [];
    const message = wrong(line);
    if (!message) return [];
    return [
      line.charge
        ? { field: 'charges.hsn', row: chargeAt(draft, row), ...message }
        : { field: 'lines.hsn', row, ...message },
    ];
  });
}

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
