// biome-ignore-all format: a table reads best with a row on a line
import { percent as ratePercent } from '../base/decimal.ts';
import type { Effect } from '../books/effects.ts';

/** From when until when a row of law holds; without an end it still does. */
export interface Dated { readonly from: string; readonly to?: string }

/** Rates in ten-thousandths of a percent, amounts in paise. */
export interface TdsTerms extends Dated {
  readonly rate: number;
  /** Individuals and Hindu undivided families, where the rate differs for them. */
  readonly individualRate?: number;
  readonly companyRate?: number;
  /** Without a PAN of the deductee. */
  readonly withoutPan: number;
  /** One bill above this is liable by itself. */
  readonly single?: number;
  readonly threshold?: number;
  /** The threshold is for individuals and Hindu undivided families with a PAN; others have none. */
  readonly individualsOnly?: true;
  readonly over: 'year' | 'month';
  /** Only what goes beyond the threshold is liable, not the whole of the period. */
  readonly excessOnly?: true;
}
export type OtherStatement = 'salary' | 'nonResidents';
/** How a payment is coded in challans and statements, from when, and where that is read: the notified form itself was not at hand. */
export interface PaymentCode extends Dated {
  /** Of individuals and Hindu undivided families, where theirs differs. */
  readonly individual?: string;
  readonly others: string;
  readonly sources: readonly string[];
}
/** The Income-tax Act 2025 is in force. */
export const newActFrom = '2026-04-01';
/** Other public lists contradict these: an earlier version of the terra-insight.com page has 1002 for contractors. */
const codeSources = {
  statement: 'Annexure 2 of the statement file format of Protean, versions 1.1 and 1.2, tax year 2026-27, as a public program quotes it (read on 25 September 2026)',
  tables: 'Code tables of taxroutine.com and palgou.com',
  terraInsight: 'Later code table of terra-insight.com',
  programs: 'Other public programs for the statements',
} as const;
/**
 * Whom a section is for: the fourth letter of a PAN says what its holder is (P individual, H Hindu undivided family, C company, F
 * firm or LLP).
 */
export interface SectionPersons extends Dated {
  readonly section: string;
  /** Letters of those who deduct under it. */
  readonly payers?: string;
  /** Letters of those from whom it is deducted. */
  readonly payees?: string;
  /** Its payees have no business with the payer, and send no bill as a registered supplier. */
  readonly employees?: true;
  readonly source: string;
}
/** What a service or expense with a code is paid under. */
export interface ImpliedSection extends Dated {
  readonly section: string;
  /** Beginnings of SACs, each of which leaves no choice. */
  readonly codes: readonly string[];
  readonly source: string;
}
export interface TdsSection {
  readonly section: string;
  /** Its place in the Income-tax Act 2025, in force from April 2026. */
  readonly newAct: string;
  readonly name: string;
  readonly effect: Effect;
  /** Its threshold counts all goods that were bought of the supplier in the year, whether a bill names the section or not. */
  readonly goods?: true;
  /** Its rate hangs on the treaty, or on the income of the employee: the amount is typed. */
  readonly typed?: true;
  /** The highest usual rate of such a section: surcharge and cess, and companies abroad, may go further. */
  readonly upTo?: number;
  /** The quarterly statement it stands in, where that is not the one of payments to residents. */
  readonly statement?: OtherStatement;
  /** Code of the payment under the Act of 2025. A section whose code no two sources agree on, nor the file of the statement names, has none. */
  readonly code?: PaymentCode;
  readonly terms: readonly TdsTerms[];
}

const lakh = 10_000_000;
const thousand = 100_000;
const percent = 10_000;
const rates = (rate: number, terms: Omit<Partial<TdsTerms>, 'rate'> = {}): readonly TdsTerms[] => [{ from: '2025-04-01', rate: rate * percent, withoutPan: 20 * percent, over: 'year', ...terms }];

/** Income-tax deducted, as the Finance Act 2025 set it and the Act of 2025 took it over. Cash withdrawn (194N) is left out: banks deduct it. */
export const tdsSections: readonly TdsSection[] = [
  { section: '194C', newAct: '393(1) Sl. 6(i)', name: 'Contractors', effect: 'tdsContractor', terms: rates(2, { individualRate: percent, single: 30 * thousand, threshold: lakh }), code: { from: newActFrom, individual: '1023', others: '1024', sources: [codeSources.statement, codeSources.tables] } },
  { section: '194M', newAct: '393(1) Sl. 6(ii)', name: 'Contracts, commission, fees paid by an individual or HUF without audit', effect: 'tdsOther', terms: rates(2, { threshold: 50 * lakh }) },
  { section: '194J(a)', newAct: '393(1) Sl. 6(iii) D(a)', name: 'Technical services, call centres', effect: 'tdsProfessional', terms: rates(2, { threshold: 50 * thousand }), code: { from: newActFrom, others: '1026', sources: [codeSources.statement, codeSources.tables] } },
  { section: '194J(b)', newAct: '393(1) Sl. 6(iii) D(b)', name: 'Professional fees, royalty', effect: 'tdsProfessional', terms: rates(10, { threshold: 50 * thousand }), code: { from: newActFrom, others: '1027', sources: [codeSources.statement, codeSources.terraInsight] } },
  { section: '194J(1)(ba)', newAct: '393(1) Sl. 6(iii)', name: "Directors' fees", effect: 'tdsProfessional', terms: rates(10), code: { from: newActFrom, others: '1028', sources: [codeSources.statement] } },
  { section: '194H', newAct: '393(1) Sl. 1(ii)', name: 'Commission and brokerage', effect: 'tdsCommission', terms: rates(2, { threshold: 20 * thousand }), code: { from: newActFrom, others: '1006', sources: [codeSources.statement, codeSources.tables, codeSources.terraInsight] } },
  { section: '194D', newAct: '393(1) Sl. 1(i)', name: 'Insurance commission', effect: 'tdsCommission', terms: rates(2, { companyRate: 10 * percent, threshold: 20 * thousand }), code: { from: newActFrom, others: '1005', sources: [codeSources.statement, codeSources.tables, codeSources.terraInsight] } },
  { section: '194-I(a)', newAct: '393(1) Sl. 2(ii) D(a)', name: 'Rent of plant and machinery', effect: 'tdsRent', terms: rates(2, { threshold: 50 * thousand, over: 'month' }), code: { from: newActFrom, others: '1008', sources: [codeSources.statement, codeSources.tables, codeSources.terraInsight] } },
  { section: '194-I(b)', newAct: '393(1) Sl. 2(ii) D(b)', name: 'Rent of land, building, furniture', effect: 'tdsRent', terms: rates(10, { threshold: 50 * thousand, over: 'month' }), code: { from: newActFrom, others: '1009', sources: [codeSources.statement, codeSources.tables, codeSources.terraInsight] } },
  { section: '194-IA', newAct: '393(1) Sl. 3(i)', name: 'Immovable property', effect: 'tdsOther', terms: rates(1, { threshold: 50 * lakh }) },
  { section: '194-IB', newAct: '393(1) Sl. 2(i)', name: 'Rent paid by an individual or HUF without audit', effect: 'tdsRent', terms: rates(2, { threshold: 50 * thousand, over: 'month' }) },
  { section: '194A', newAct: '393(1) Sl. 5(iii)', name: 'Interest other than of banks', effect: 'tdsOther', terms: rates(10, { threshold: 10 * thousand }), code: { from: newActFrom, others: '1022', sources: [codeSources.statement, codeSources.terraInsight] } },
  { section: '194Q', newAct: '393(1) Sl. 8(ii)', name: 'Purchase of goods', effect: 'tdsGoods', goods: true, terms: [{ from: '2025-04-01', rate: 1_000, withoutPan: 5 * percent, over: 'year', threshold: 50 * lakh, excessOnly: true }], code: { from: newActFrom, others: '1031', sources: [codeSources.statement, codeSources.programs] } },
  { section: '194-O', newAct: '393(1) Sl. 8(v)', name: 'Sales through an e-commerce operator', effect: 'tdsOther', terms: [{ from: '2025-04-01', rate: 1_000, withoutPan: 5 * percent, over: 'year', threshold: 5 * lakh, individualsOnly: true }], code: { from: newActFrom, others: '1035', sources: [codeSources.terraInsight, codeSources.programs] } },
  { section: '194R', newAct: '393(1) Sl. 8(iv)', name: 'Benefits and perquisites', effect: 'tdsOther', terms: rates(10, { threshold: 20 * thousand }) },
  { section: '194T', newAct: '393(3) Sl. 7', name: 'Payments of a firm to its partners', effect: 'tdsOther', terms: rates(10, { threshold: 20 * thousand }), code: { from: newActFrom, others: '1067', sources: [codeSources.statement, codeSources.programs] } },
  { section: '192', newAct: '392', name: 'Salaries', effect: 'tdsOther', typed: true, upTo: 30 * percent, statement: 'salary', terms: rates(0), code: { from: newActFrom, others: '1002', sources: [codeSources.statement, codeSources.tables] } },
  { section: '195', newAct: '393(2) Sl. 17', name: 'Sums paid to non-residents', effect: 'tdsOther', typed: true, upTo: 30 * percent, statement: 'nonResidents', terms: rates(0) },
];

/** A section that is not listed is for all persons; the rate of individuals and families under 194C is for them. */
export const sectionPersons: readonly SectionPersons[] = [
  { section: '194C-individual', payees: 'PH', from: '2009-10-01', source: 'Income-tax Act 1961 section 194C(1)(i), Act of 2025 section 393(1) Sl. 6(i)' },
  { section: '194M', payers: 'PH', from: '2019-09-01', source: 'Income-tax Act 1961 section 194M, Act of 2025 section 393(1) Sl. 6(ii): an individual or HUF' },
  { section: '194-IB', payers: 'PH', from: '2017-06-01', source: 'Income-tax Act 1961 section 194-IB, Act of 2025 section 393(1) Sl. 2(i): an individual or HUF' },
  { section: '194T', payers: 'F', from: '2025-04-01', source: 'Income-tax Act 1961 section 194T, Act of 2025 section 393(3) Sl. 7: a firm (an LLP is one, section 2(23)) to its partner' },
  { section: '194J(1)(ba)', payers: 'C', from: '2012-07-01', source: 'Income-tax Act 1961 section 194J(1)(ba): a director of a company' },
  { section: '192', payees: 'P', employees: true, from: '1962-04-01', source: 'Income-tax Act 1961 section 192, Act of 2025 section 392: salaries' },
];

/**
 * Codes that leave no choice of the section. Transport of goods (194C(6)), repairs and software are left out: they may be of more
 * than one section, or of none.
 */
export const impliedSections: readonly ImpliedSection[] = [
  { section: '194-I(b)', codes: ['997211', '997212'], from: '2017-07-01', source: 'Income-tax Act 1961 section 194-I, Explanation (i): use of land or building' },
  { section: '194-I(a)', codes: ['997311', '997312', '997313', '997314', '997315', '997316', '997319'], from: '2017-07-01', source: 'Income-tax Act 1961 section 194-I, Explanation (i): use of machinery, plant or equipment (leasing without operator)' },
  { section: '194J(b)', codes: ['9982', '99832', '99833'], from: '2017-07-01', source: 'Income-tax Act 1961 section 194J, Explanation (a): legal, accountancy, architectural and engineering profession' },
  { section: '194H', codes: ['996111', '996211', '997222'], from: '2017-07-01', source: 'Income-tax Act 1961 section 194H, Explanation (i): services on a fee or commission basis' },
  { section: '194C', codes: ['9954', '998361', '998363'], from: '2017-07-01', source: 'Income-tax Act 1961 section 194C, Explanation (iv)(a): contracts for work and advertising' },
];

/** Tax deducted under section 51 of the CGST Act: one percent each of the centre and the state. Since 2018-10-01; from the value without GST. */
export const gstTdsRate = ratePercent(2 * percent);

export interface TcsTerms extends Dated {
  readonly rate: number;
  /** A single sale above this. */
  readonly eachAbove?: number;
}
export interface TcsSection {
  readonly section: string;
  readonly newAct?: string;
  readonly name: string;
  /** Codes 1068 to 1092 are those of tax collected; no two sources agree which section has which, so that no row has one yet. */
  readonly code?: PaymentCode;
  /** It is collected on items that are marked as scrap. */
  readonly scrap?: true;
  readonly terms: readonly TcsTerms[];
}

const changed = (before: number, after: number, terms: Partial<TcsTerms> = {}): readonly TcsTerms[] => [
  { from: '2025-04-01', to: '2026-03-31', rate: before * percent, ...terms },
  { from: '2026-04-01', rate: after * percent, ...terms },
];

/** Income-tax collected on sales. The amount payable with GST is its basis. */
export const tcsSections: readonly TcsSection[] = [
  { section: '206C(1) liquor', newAct: '394(1) Sl. 1', name: 'Liquor for human use', terms: changed(1, 2) },
  { section: '206C(1) tendu', newAct: '394(1) Sl. 2', name: 'Tendu leaves', terms: changed(5, 2) },
  { section: '206C(1) timber', newAct: '394(1) Sl. 3', name: 'Timber and forest produce', terms: changed(2, 2) },
  { section: '206C(1) scrap', newAct: '394(1) Sl. 4', name: 'Scrap', scrap: true, terms: changed(1, 2) },
  { section: '206C(1) minerals', newAct: '394(1) Sl. 5', name: 'Coal, lignite, iron ore', terms: changed(1, 2) },
  { section: '206C(1F)', newAct: '394(1) Sl. 6', name: 'Motor vehicles and notified luxury goods', terms: changed(1, 1, { eachAbove: 10 * lakh }) },
  { section: '206C(1C)', newAct: '394(1) Sl. 9', name: 'Parking, toll, mine, quarry', terms: changed(2, 2) },
  { section: '206C(1H)', name: 'Sale of goods above 50 lakh', terms: [{ from: '2020-10-01', to: '2025-03-31', rate: 1_000 }] },
];
