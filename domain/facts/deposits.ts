// biome-ignore-all format: a table reads best with a row on a line
import type { Dated, OtherStatement } from './withholding.ts';

/** Tax deducted at source, or collected. */
export const withholdings = ['tds', 'tcs'] as const;
export type Withholding = (typeof withholdings)[number];

/** When what was withheld in a month is paid to the government, and what it costs to be late. */
export interface DepositTerms extends Dated {
  /** Day of the next month. */
  readonly day: number;
  /** Of what was withheld in March. */
  readonly ofMarch?: number;
  /** For each month or part of one, in ten-thousandths of a percent. */
  readonly interest: number;
  /** On whole multiples of so many paise of what is late; what is left over is ignored. */
  readonly step: number;
}

const percent = 10_000;
/** Rule 119A(c): interest runs on whole hundreds of rupees; by its (b) a part of a month counts as a whole one. */
const hundred = 100_00;

/** Rule 30 and section 201(1A); rule 37CA and section 206C(7), whose interest the Finance (No. 2) Act 2024 raised. */
export const depositTerms: Readonly<Record<Withholding, readonly DepositTerms[]>> = {
  tds: [{ from: '2010-04-01', day: 7, ofMarch: 30, interest: 1.5 * percent, step: hundred }],
  tcs: [{ from: '2010-04-01', to: '2025-03-31', day: 7, interest: percent, step: hundred }, { from: '2025-04-01', day: 7, interest: 1.5 * percent, step: hundred }],
};

/** The quarterly statement and the certificate that follows from it, by the numbers of the rules of the day. */
export interface StatementTerms extends Dated {
  readonly statement: string;
  readonly certificate: string;
  /** The law that asks for the certificate. */
  readonly under: string;
  /** What the payee adds the year to: the assessment year, or the tax year itself. */
  readonly year: 'assessment' | 'tax';
  /** Month and day on which the statement of each quarter is due. */
  readonly due: readonly [string, string, string, string];
  /** So many days after that the certificate is due. */
  readonly after: number;
}

const deducted = { due: ['07-31', '10-31', '01-31', '05-31'], after: 15 } as const;
const collected = { due: ['07-15', '10-15', '01-15', '05-15'], after: 15 } as const;
const [old, now] = [{ from: '2010-04-01', to: '2026-03-31', year: 'assessment' }, { from: '2026-04-01', year: 'tax' }] as const;

/** Rules 31 and 31A, 31AA and 37D; from April 2026 rule 215 and section 395(4) of the Income-tax Act 2025. */
export const statementTerms: Readonly<Record<Withholding, readonly StatementTerms[]>> = {
  tds: [
    { ...old, ...deducted, statement: 'Form 26Q', certificate: 'Form 16A', under: 'section 203 of the Income-tax Act 1961' },
    { ...now, ...deducted, statement: 'Form 140', certificate: 'Form 131', under: 'section 395(4) of the Income-tax Act 2025' },
  ],
  tcs: [
    { ...old, ...collected, statement: 'Form 27EQ', certificate: 'Form 27D', under: 'section 206C(5) of the Income-tax Act 1961' },
    { ...now, ...collected, statement: 'Form 143', certificate: 'Form 133', under: 'section 395(4) of the Income-tax Act 2025' },
  ],
};

/** Quarterly statements of salaries and of payments to non-residents: the form until March 2026, and from then on. */
export const otherStatements: Readonly<Record<OtherStatement, { readonly before: string; readonly now: string }>> = {
  salary: { before: 'Form 24Q', now: 'Form 138' },
  nonResidents: { before: 'Form 27Q', now: 'Form 144' },
};

/** The head of account of a challan: income-tax of companies, or of others, by what the deductee is. */
export const majorHeads = [['0020', 'Companies'], ['0021', 'Other than companies']] as const;
export type MajorHead = (typeof majorHeads)[number][0];
