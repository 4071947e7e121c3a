import { percentage } from '../../domain/base/decimal.ts';
import type { Draft } from '../../domain/document/document.ts';
import type { Kind } from '../../domain/document/kinds/index.ts';
import { chargesUnionTerritoryTax } from '../../domain/tax/gst/registration/states.ts';
import { isZero } from './amounts.ts';
import type { Around, View } from './around.ts';

/** A document that is printed. */
export interface Printed {
  readonly view: View;
  readonly draft: Draft;
  readonly kind: Kind;
  readonly around: Around;
  readonly nature: Nature;
  /** A day as the organisation writes it. */
  readonly day: (text: string) => string;
}

/** What the law makes of a document, as far as its paper follows from it. */
export interface Nature {
  /** It has lines of goods or services. */
  readonly goods: boolean;
  readonly taxed: boolean;
  /** GST concerns us. */
  readonly registered: boolean;
  /** Without registration the paper is a plain invoice: no rates, codes, place of supply. */
  readonly plain: boolean;
  /** A supply of ours. */
  readonly supplied: boolean;
  readonly billOfSupply: boolean;
  /** It bears no GST: its lines have a value, not a taxable value. */
  readonly untaxed: boolean;
  /** Zero-rated under bond or letter of undertaking. */
  readonly withoutPayment: boolean;
  readonly advance: boolean;
  readonly foreign: boolean;
  readonly withinState: boolean;
  /** Which half of the tax within a state is not the centre's. */
  readonly stateTax: 'SGST' | 'UTGST';
  /** Of goods taxed on their retail price: what is charged for them, which is another figure than what their tax is on. */
  readonly charged: string | undefined;
}

/** Endorsements of rule 46 and the Act, by what the supply is. */
export const endorsements: Readonly<Record<string, string>> = {
  EXPWP: 'Supply meant for export on payment of integrated tax',
  EXPWOP: 'Supply meant for export under bond or letter of undertaking without payment of integrated tax',
  SEZWP: 'Supply to SEZ unit or developer for authorised operations on payment of integrated tax',
  SEZWOP:
    'Supply to SEZ unit or developer for authorised operations under bond or letter of undertaking without payment of integrated tax',
};

export function natureOf(view: View, draft: Draft, kind: Kind, { registered, composition, place }: Around): Nature {
  const p = view.priced;
  const goods = view.lines.length > 0 && kind.lines.of !== 'ledgers';
  const taxed = p !== null && [p.cgst, p.sgst, p.igst, p.cess].some((amount) => !isZero(amount));
  const supplied = kind.paper.form === 'taxInvoice' && kind.gst.tax === 'output';
  const plain = !registered && kind.gst.tax !== 'input';
  // rule 49: nothing but exempt supplies, or a seller who may not collect tax; exports and supplies to SEZ are zero-rated, not exempt
  const exempt =
    supplied &&
    registered &&
    goods &&
    !endorsements[p?.supplyType ?? ''] &&
    view.lines.every((line) => percentage(line.gstRate) === 0);
  const billOfSupply = exempt || (supplied && composition);
  return {
    goods,
    taxed,
    registered,
    plain,
    supplied,
    billOfSupply,
    // a financial note changes a price and no taxable value
    untaxed: kind.gst.tax === 'none' || billOfSupply || plain || draft.withoutTax === true,
    withoutPayment: p?.supplyType.endsWith('WOP') === true,
    advance: kind.gst.gstr1 === 'advance' || kind.gst.gstr1 === 'advanceRefunded',
    foreign: draft.currency !== undefined && draft.currency !== 'INR',
    withinState: p?.supply === 'intra',
    stateTax: chargesUnionTerritoryTax(place ?? view.registration.state) ? 'UTGST' : 'SGST',
    charged: taxed && goods ? p?.charged : undefined,
  };
}

const notes = { INV: undefined, CRN: 'Credit note', DBN: 'Debit note' } as const;
const vouchers: Readonly<Record<string, string>> = { advance: 'Receipt voucher', advanceRefunded: 'Refund voucher' };
/** What the law calls it: rules 46, 49, 50, 51, 53 and 55. Goods that go to another registration of one's own are a supply. */
export const titles: Readonly<
  Record<Kind['paper']['form'], (kind: Kind, nature: Pick<Nature, 'registered' | 'billOfSupply' | 'taxed'>) => string>
> = {
  taxInvoice: (_, { registered, billOfSupply }) =>
    !registered ? 'Invoice' : billOfSupply ? 'Bill of supply' : 'Tax invoice',
  billOfSupply: (_, { registered }) => (registered ? 'Bill of supply' : 'Invoice'),
  note: (k) => (k.gst.irp && notes[k.gst.irp]) ?? k.label,
  order: (k) => k.label,
  voucher: (k) => vouchers[k.gst.gstr1 ?? ''] ?? k.label,
  challan: (_, { taxed }) => (taxed ? 'Tax invoice' : 'Delivery challan'),
  none: (k) => k.label,
};
