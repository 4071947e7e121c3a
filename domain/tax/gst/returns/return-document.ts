import type { Millionths, Percent } from '../../../base/decimal.ts';
import type { Paise } from '../../../base/money.ts';
import type { Day, GstCategory, Id, StateCode, SupplyType, Treatment } from '../../../document/document.ts';
import type { IssuedNature } from './documents-issued.ts';

export interface ReturnLine {
  readonly hsn: string;
  readonly description: string;
  readonly unit: string;
  readonly uqc: string;
  readonly quantity: Millionths;
  readonly treatment: Treatment;
  readonly rate: Percent;
  readonly taxable: Paise;
  readonly igst: Paise;
  readonly cgst: Paise;
  readonly sgst: Paise;
  readonly cess: Paise;
}

/** An outward document as GSTR-1 sees it. Amounts are in rupees and never negative, on credit notes too. */
export interface ReturnDocument {
  readonly id: Id;
  readonly number: string;
  readonly date: Day;
  readonly type: 'INV' | 'CRN' | 'DBN' | 'BOS';
  readonly party: { readonly gstin?: string; readonly category: GstCategory; readonly name: string };
  readonly supplierState: StateCode;
  readonly placeOfSupply: StateCode;
  readonly supplyType: SupplyType;
  /** Bears integrated tax, as it was priced: the status of both sides on its day decides, not the places alone. */
  readonly inter: boolean;
  readonly reverseCharge: boolean;
  /** A financial note (no GST): it corrects no supply, so it is counted among the numbers issued and stands nowhere else. */
  readonly withoutTax?: boolean;
  readonly total: Paise;
  readonly lines: readonly ReturnLine[];
  readonly against?: { readonly number: string; readonly date: Day; readonly total?: Paise };
  readonly shippingBill?: { readonly number: string; readonly date: Day };
  readonly port?: string;
  /** GSTIN of the e-commerce operator of the sale; under reverse charge the operator pays the tax (section 9(5)). */
  readonly ecommerceOperator?: string;
  readonly cancelled: boolean;
  /** Its IRN is cancelled, the document itself is not: without an IRN it is no invoice (rule 48(5)). */
  readonly withoutIrn?: boolean;
  /** What tells the number series apart. */
  readonly series: string;
  /** Nature in table 13 where the type does not tell it: challans, vouchers. */
  readonly nature?: IssuedNature;
}

/** The tables of the return that one supply can stand in. */
export type SupplyTable = '4A' | '4B' | '5' | '6A' | '6B' | '6C' | '7' | '9B registered' | '9B unregistered';

// Notification 12/2024-CT lowered the value above which inter-state invoices to consumers are listed one by one.
const largeLimits: readonly { readonly from: string; readonly limit: number }[] = [
  { from: '2024-08', limit: 10_000_000 },
  { from: '2017-07', limit: 25_000_000 },
];
/** The value in paise above which an inter-state invoice to a consumer is large, in a period 'MMYYYY'. */
export const largeLimit = (period: string): number =>
  largeLimits.find(({ from }) => from <= `${period.slice(2)}-${period.slice(0, 2)}`)?.limit ?? 25_000_000;

export const isNote = (d: ReturnDocument): boolean => d.type === 'CRN' || d.type === 'DBN';
/** Credit notes reduce what is summed up. */
export const signOf = (d: ReturnDocument): 1 | -1 => (d.type === 'CRN' ? -1 : 1);
export const isExported = (d: ReturnDocument): boolean => d.supplyType === 'EXPWP' || d.supplyType === 'EXPWOP';
const isSez = (d: ReturnDocument): boolean => d.supplyType === 'SEZWP' || d.supplyType === 'SEZWOP';
/** Supplies on which the operator pays the tax: they stand in table 14 and in no table of supplies before it. */
export const isPaidByOperator = (d: ReturnDocument): boolean => d.ecommerceOperator !== undefined && d.reverseCharge;
export const isRegistered = (d: ReturnDocument): boolean => d.party.gstin !== undefined && !isExported(d);

/** Whether a document is a supply, or corrects one, that the return shows in its tables. */
export const isSupply = (d: ReturnDocument): boolean => !d.cancelled && d.supplyType !== 'NONE' && !d.withoutTax;

/** Lines of table 8: without tax by law, and not zero rated, as what is exempt is too (IGST Act section 16(1) and (2)). */
export const isUntaxed = (d: ReturnDocument, line: ReturnLine): boolean =>
  !isExported(d) &&
  !isSez(d) &&
  (line.treatment === 'nil' || line.treatment === 'exempt' || line.treatment === 'nonGst');

/** Where the taxed lines of a document stand; the first rule that fits decides. */
export function tableOf(d: ReturnDocument, period: string): SupplyTable {
  // a SEZ supplies its own state between states, but table 5 takes other places of supply only
  const elsewhere = d.placeOfSupply !== d.supplierState;
  const large = Math.max(d.total, isNote(d) ? (d.against?.total ?? 0) : 0) > largeLimit(period);
  if (isNote(d)) {
    if (isRegistered(d)) return '9B registered';
    return isExported(d) || (elsewhere && large) ? '9B unregistered' : '7';
  }
  if (isExported(d)) return '6A';
  if (!isRegistered(d)) return elsewhere && large ? '5' : '7';
  if (isSez(d)) return '6B';
  if (d.supplyType === 'DEXP') return '6C';
  return d.reverseCharge ? '4B' : '4A';
}
