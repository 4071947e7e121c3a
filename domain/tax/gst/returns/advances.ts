import { groupBy } from '../../../base/group.ts';
import type { Day, Id, StateCode } from '../../../document/document.ts';
import type { ReturnLine } from './return-document.ts';

export type AdvanceLine = Pick<ReturnLine, 'rate' | 'taxable' | 'igst' | 'cgst' | 'sgst' | 'cess'>;

/** A voucher about an advance that bears tax: received (rule 50), set against its invoice, or given back (rule 51). */
export interface AdvanceVoucher {
  readonly id: Id;
  readonly number: string;
  readonly date: Day;
  readonly what: 'received' | 'adjusted' | 'refunded';
  /** Whether the advance it uses up was received in an earlier period, and reported then. */
  readonly ofEarlier: boolean;
  readonly placeOfSupply: StateCode;
  readonly inter: boolean;
  /** None for an advance for goods, which bears no tax (notification 66/2017). */
  readonly lines: readonly AdvanceLine[];
  readonly cancelled: boolean;
  readonly series: string;
  /** It takes a voucher of an earlier period back, which stays in the return of that period. */
  readonly reversal?: true;
}

/** The lines of one place of supply, with the sign they have in their table. */
export interface AdvancePlace {
  readonly placeOfSupply: StateCode;
  readonly inter: boolean;
  readonly lines: readonly { readonly voucher: Id; readonly sign: 1 | -1; readonly line: AdvanceLine }[];
}

export type AdvanceTable = '11A' | '11B';

/** Whether a voucher adds to the tax of advances or takes from it. */
export const advanceSign = ({ what, reversal }: Pick<AdvanceVoucher, 'what' | 'reversal'>): 1 | -1 =>
  (what === 'received') === (reversal === undefined) ? 1 : -1;

/**
 * Table 11A has what was received in the period and is not invoiced or given back in it: what of an earlier period is given
 * back is taken off there too, for 11B may not be negative. 11B has what of earlier periods was set against invoices. A reversal
 * of what an earlier return shows is on the other side of 11A: an advance that is open again is as if received now.
 */
const placeIn = (voucher: AdvanceVoucher): { readonly table: AdvanceTable; readonly sign: 1 | -1 } =>
  voucher.what === 'adjusted' && voucher.ofEarlier && !voucher.reversal
    ? { table: '11B', sign: 1 }
    : { table: '11A', sign: advanceSign(voucher) };

/** The places of supply of one table of advances, in their order. */
export function advancesIn(table: AdvanceTable, vouchers: readonly AdvanceVoucher[]): AdvancePlace[] {
  const lines = vouchers
    .filter((v) => !v.cancelled && placeIn(v).table === table)
    .flatMap((v) => v.lines.map((line) => ({ v, entry: { voucher: v.id, sign: placeIn(v).sign, line } })));
  return [...groupBy(lines, ({ v }) => `${v.placeOfSupply} ${v.inter}`)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, of]) => {
      const voucher = of[0]?.v;
      if (!voucher) return [];
      const { placeOfSupply, inter } = voucher;
      return [{ placeOfSupply, inter, lines: of.map((o) => o.entry) }];
    });
}
