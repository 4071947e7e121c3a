// biome-ignore-all format: a table reads best with a row on a line
import type { Register } from '../registers.ts';
import type { Dated } from './withholding.ts';

/** Returns and what is furnished of them beforehand; by these names they are marked as filed. */
export const returnForms = ['GSTR-1', 'IFF', 'GSTR-3B', 'GSTR-9'] as const;
export type ReturnForm = (typeof returnForms)[number];

/** The register that a return locks for its registration once it is filed. An IFF locks none: what it held is kept by document. Nor does the annual return: the returns of its months have locked its days. */
export const lockedByForm = { 'GSTR-1': 'outward', 'GSTR-3B': 'gst' } as const satisfies Partial<Record<ReturnForm, Register>>;

/** Since when a quarterly return goes with monthly payment, and invoices of its first months may be furnished before it (rule 61A, notification 84/2020-CT). */
export const FIRST_QUARTER = '2021-01-01';

/** Days of the month after its period by which a return is due (rules 59 and 61). */
export interface DueTerms extends Dated {
  readonly month: number;
  readonly quarter: number;
  /** Where the states of the north and east have longer. */
  readonly laterQuarter?: number;
}

export const dueTerms: Readonly<Record<ReturnForm, readonly DueTerms[]>> = {
  'GSTR-1': [{ from: FIRST_QUARTER, month: 11, quarter: 13 }],
  IFF: [{ from: FIRST_QUARTER, month: 13, quarter: 13 }],
  'GSTR-3B': [{ from: FIRST_QUARTER, month: 20, quarter: 22, laterQuarter: 24 }],
  // 31 December (section 44, rule 80)
  'GSTR-9': [{ from: '2017-07-01', month: 275, quarter: 275 }],
};

/** States whose quarterly GSTR-3B is due first (rule 61(1)(ii)); that of all others is due later. */
export const earlyStates: readonly string[] = ['22', '23', '24', '25', '26', '27', '28', '29', '30', '31', '32', '33', '34', '35', '36', '37'];

/** What the invoices of one IFF may come to, in paise: ₹50 lakh (rule 59(2)). */
export const IFF_LIMIT = 5_000_000_00;
