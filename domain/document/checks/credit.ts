import { say } from '../../base/say.ts';
import type { Priced } from '../document.ts';
import { correctsSource } from '../kinds/index.ts';
import { chargesGst } from '../resolve.ts';
import { isPricedFromSource } from '../sources.ts';
import { type CheckingPriced, type Finding, hasSuppliersNumber, type PricedCheck } from './check.ts';

/**
 * The supplier's own tax is on the document: neither ours under reverse charge, nor that of an import. What is priced from
 * its source bears the tax of that; a return without one is typed like a bill.
 */
const hasSuppliersTax = ({ kind, draft, pricing }: CheckingPriced): boolean =>
  kind.gst.tax === 'input' &&
  !isPricedFromSource(kind, draft) &&
  !draft.withoutTax &&
  !pricing.reverseCharge &&
  pricing.direction === 'input' &&
  pricing.party.category !== 'overseas';

const rates = ['gstRate', 'cessRate', 'cessPerUnit'] as const;

/** Who is not registered charges no tax, so a rate that somebody types is not left out in silence. */
export const supplierWithoutGst: PricedCheck = {
  code: 'supplierWithoutGst',
  weight: 'problem',
  source: 'CGST Act sections 10(4), 16(2)(a) and 32(1); rule 36',
  find: (checking) => {
    const { kind, draft, facts, priced } = checking;
    if (!hasSuppliersTax(checking) || priced.taxCharged) return [];
    const name = facts.party?.name ?? say('This supplier');
    const message = say(
      '{{name}} charges no GST: enter the amount with its tax and no GST rate, or choose the supplier with their GSTIN',
      { name },
    );
    const lines = draft.lines.flatMap((line, row): Finding[] => {
      if (line.source && correctsSource(kind)) return [];
      // the editor proposes the rate of the item, which bears no tax here
      const item = line.item === undefined ? undefined : facts.items.get(line.item);
      return rates
        .filter((rate) => (line[rate] ?? 0) > 0 && line[rate] !== item?.[rate])
        .map((rate) => ({ field: `lines.${rate}`, row, ...message }));
    });
    const charges = (draft.charges ?? []).flatMap(({ gstRate = 0 }, row): Finding[] =>
      gstRate > 0 ? [{ field: 'charges.gstRate', row, ...message }] : [],
    );
    return [...lines, ...charges];
  },
};

export const takesCredit = ({ lines }: Priced): boolean =>
  lines.some((line) => !line.creditBlocked && line.cgst + line.sgst + line.igst + line.cess > 0);

/** Credit is taken on the supplier's document: where it is taken, its number is known, and the same one is not booked twice. */
export const documentOfCredit: PricedCheck = {
  code: 'documentOfCredit',
  weight: 'problem',
  source: 'CGST Act section 16(2)(a); rule 36(1) and (2)',
  find: ({ kind, draft, facts: { party }, priced }) => {
    if (!hasSuppliersNumber(kind) || draft.reference?.trim() || !party || !chargesGst(party)) return [];
    if (!takesCredit(priced)) return [];
    const message = say(
      'Enter the number of the supplier’s document: input tax is credited on it (rule 36). Without it, enter the amount with its tax ' +
        'and no GST rate',
    );
    return [{ field: 'reference', ...message }];
  },
};

/** A number of more characters is none of a tax invoice: the return of the supplier will show another one. */
const LONGEST_NUMBER = 16;

/** GSTR-2B has the number as the supplier filed it, which has at most sixteen characters. */
export const suppliersNumberLong: PricedCheck = {
  code: 'suppliersNumberLong',
  weight: 'warning',
  source: 'CGST rules 46(b) and 53(1)(d)',
  find: ({ kind, draft, facts: { party }, priced }) => {
    const number = draft.reference?.trim() ?? '';
    if (number.length <= LONGEST_NUMBER || !hasSuppliersNumber(kind) || !party?.gstin || !chargesGst(party)) return [];
    if (!takesCredit(priced)) return [];
    const message = say(
      'The number of a tax invoice has at most {{most}} characters (rule 46): compare it with the document',
      {
        most: LONGEST_NUMBER,
      },
    );
    return [{ field: 'reference', ...message }];
  },
};
