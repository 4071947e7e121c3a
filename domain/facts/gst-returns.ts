// biome-ignore-all format: a table reads best with a row on a line
import type { Register } from '../books/registers.ts';
import type { Dated } from './withholding.ts';

/** Returns and what is furnished of them beforehand; by these names they are marked as filed. */
export const returnForms = ['GSTR-1', 'IFF', 'GSTR-3B', 'GSTR-9', 'CMP-08', 'GSTR-4'] as const;
export type ReturnForm = (typeof returnForms)[number];

/** The register that a return locks for its registration once it is filed. An IFF locks none: what it held is kept by document. Nor does the annual return: the returns of its months have locked its days. */
export const lockedByForm = { 'GSTR-1': 'outward', 'GSTR-3B': 'gst', 'CMP-08': 'cmp08', 'GSTR-4': 'gstr4' } as const satisfies Partial<Record<ReturnForm, Register>>;

/** Whether a return is of days on which tax is charged, or of days under composition (sections 37, 39(2) and 44, rule 62). */
export const filedUnder: Readonly<Record<ReturnForm, 'regular' | 'composition'>> = { 'GSTR-1': 'regular', IFF: 'regular', 'GSTR-3B': 'regular', 'GSTR-9': 'regular', 'CMP-08': 'composition', 'GSTR-4': 'composition' };

/** How often a return is filed: as its registration chose, each quarter, or each financial year. */
export const filedEvery: Readonly<Record<ReturnForm, 'chosen' | 'quarter' | 'year'>> = { 'GSTR-1': 'chosen', IFF: 'chosen', 'GSTR-3B': 'chosen', 'GSTR-9': 'year', 'CMP-08': 'quarter', 'GSTR-4': 'year' };

/** Since when composition dealers pay with CMP-08 each quarter and file GSTR-4 for the year; before, GSTR-4 was of a quarter (notifications 20 and 21/2019-CT). */
export const FIRST_COMPOSITION_STATEMENT = '2019-04-01';

/** Since when returns are filed in the order of their periods, GSTR-1 before GSTR-3B (sections 37(4) and 39(10) as amended by the Finance Act 2022, notification 18/2022-CT). */
export const IN_ORDER_SINCE = '2022-10-01';

/** What has to be filed before a return: a form of all earlier periods, or of the periods within its own. */
export interface FiledFirst { readonly form: ReturnForm; readonly of: 'earlier' | 'same'; readonly law: string }
export const filedFirst: Readonly<Record<ReturnForm, readonly FiledFirst[]>> = {
  'GSTR-1': [{ form: 'GSTR-1', of: 'earlier', law: 'section 37(4)' }],
  IFF: [{ form: 'GSTR-1', of: 'earlier', law: 'section 37(4)' }],
  'GSTR-3B': [{ form: 'GSTR-3B', of: 'earlier', law: 'section 39(10)' }, { form: 'GSTR-1', of: 'same', law: 'section 39(10)' }],
  // the portal opens the annual return once all returns of its year are filed
  'GSTR-9': [{ form: 'GSTR-1', of: 'same', law: 'section 44 with rule 80' }, { form: 'GSTR-3B', of: 'same', law: 'section 44 with rule 80' }],
  'CMP-08': [{ form: 'CMP-08', of: 'earlier', law: 'the GST portal asks for it' }],
  'GSTR-4': [{ form: 'CMP-08', of: 'same', law: 'the GST portal asks for it' }],
};

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
  // the 18th after the quarter (rule 62)
  'CMP-08': [{ from: FIRST_COMPOSITION_STATEMENT, month: 18, quarter: 18 }],
  // 30 June, until the year 2023-24 30 April (rule 62, notification 12/2024-CT)
  'GSTR-4': [{ from: '2024-04-01', month: 91, quarter: 91 }, { from: FIRST_COMPOSITION_STATEMENT, to: '2024-03-31', month: 30, quarter: 30 }],
};

/** States whose quarterly GSTR-3B is due first (rule 61(1)(ii)); that of all others is due later. */
export const earlyStates: readonly string[] = ['22', '23', '24', '25', '26', '27', '28', '29', '30', '31', '32', '33', '34', '35', '36', '37'];

/** What the invoices of one IFF may come to, in paise: ₹50 lakh (rule 59(2)). */
export const IFF_LIMIT = 5_000_000_00;
