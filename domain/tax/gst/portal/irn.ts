import { financialYearOf } from '../../../base/dates.ts';
import type { Day, Priced, Treatment } from '../../../document/document.ts';

export type IrnType = 'INV' | 'CRN' | 'DBN';

/** The text whose SHA-256 in small hexadecimal is the IRN. Since June 2025 the number counts in capitals. */
export const irnText = (gstin: string, financialYear: string, type: IrnType, number: string): string =>
  `${gstin}${financialYear}${type}${number.toUpperCase()}`;

/** The same for a document of a day. */
export const irnTextOn = (gstin: string, date: Day, type: IrnType, number: string): string =>
  irnText(gstin, financialYearOf(date).label, type, number);

const reported: readonly string[] = ['B2B', 'SEZWP', 'SEZWOP', 'EXPWP', 'EXPWOP', 'DEXP'];

/**
 * Whether a document needs an IRN (rule 48(4)): an invoice or note of an e-invoicing supplier, to a registered buyer or
 * abroad, with something on it that is taxable or zero-rated, as all is that is exported or goes to a SEZ (IGST Act section 16(1)
 * and (2)). A financial note (`withoutTax`) corrects no supply and
 * has none. `supplier` is the GSTIN of one that has to, else null.
 */
export const needsIrn = (
  type: IrnType | undefined,
  supplier: string | null,
  buyer: string | null | undefined,
  priced: { readonly supplyType: Priced['supplyType']; readonly lines: readonly { readonly treatment: Treatment }[] },
  withoutTax = false,
): boolean =>
  type !== undefined &&
  !withoutTax &&
  supplier !== null &&
  buyer !== supplier &&
  reported.includes(priced.supplyType) &&
  (priced.supplyType.startsWith('EXP') ||
    priced.supplyType.startsWith('SEZ') ||
    priced.lines.some((line) => line.treatment === 'taxable' || line.treatment === 'zeroRated'));
