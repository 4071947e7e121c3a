import { type Percent, percent } from '../base/decimal.ts';
import { type Paise, paise, taxInRupees, zero } from '../base/money.ts';
import type { Day } from '../document/document.ts';
import { type Dated, type TdsTerms, tcsSections, tdsSections } from '../facts/withholding.ts';

const onDay = <T extends Dated>(terms: readonly T[], date: Day): T | undefined =>
  terms.find(({ from, to }) => from <= date && (to === undefined || date <= to));

/** What a deduction depends on. Amounts without GST, where the bill shows GST apart. */
export interface TdsQuestion {
  readonly section: string;
  /** The earlier of credit and payment. */
  readonly date: Day;
  readonly amount: Paise;
  /** Paid or credited to the same party under the section before, in the tax year; for rent, in the month. */
  readonly before: Paise;
  /** So much of that has borne its deduction already. */
  readonly deductedOn: Paise;
  readonly deductee: 'individual' | 'company' | 'other';
  readonly pan: boolean;
  /** Of the same bill, beside the amount: what advances paid of it, and how much of that bore no deduction. */
  readonly paidAhead?: { readonly covered: Paise; readonly untaxed: Paise };
  /** A certificate for a lower rate, and how much of the amount it covers: what goes beyond bears the usual rate. */
  readonly certificate?: { readonly rate: Percent; readonly base: Paise };
}

export interface TdsAnswer {
  readonly rate: Percent;
  readonly base: Paise;
  /** Rounded to the rupee. */
  readonly tds: Paise;
}

/**
 * Income-tax to deduct from a payment. Once the threshold is crossed all of the period becomes liable, or only what
 * goes beyond, as the section says. Undefined when no rate of the section is known for the day.
 */
export function tdsOn(question: TdsQuestion): TdsAnswer | undefined {
  const terms = onDay(tdsSections.find((s) => s.section === question.section)?.terms ?? [], question.date);
  if (!terms) return undefined;
  const rate = rateOf(terms, question);
  const base = liable(terms, question);
  const { certificate } = question;
  const covered = certificate && question.pan && certificate.rate < rate ? Math.min(base, certificate.base) : 0;
  const tds = taxInRupees([
    [base - covered, rate],
    [covered, certificate?.rate ?? 0],
  ]);
  const whole = certificate && covered === base && base > 0 ? certificate.rate : rate;
  return { rate: whole, base, tds };
}

const rateOf = (terms: TdsTerms, { deductee, pan }: TdsQuestion): Percent => {
  const own = { individual: terms.individualRate, company: terms.companyRate, other: undefined }[deductee];
  const lawful = own ?? terms.rate;
  return percent(pan ? lawful : Math.max(lawful, terms.withoutPan));
};

const liable = (terms: TdsTerms, { amount, before, deductedOn, deductee, pan, paidAhead }: TdsQuestion): Paise => {
  const { single } = terms;
  const without = terms.individualsOnly && !(deductee === 'individual' && pan);
  const threshold = without ? 0 : (terms.threshold ?? 0);
  const total = before + amount;
  if (terms.excessOnly) return paise(Math.max(0, total - Math.max(threshold, before)));
  if (total > threshold) return paise(Math.max(0, total - deductedOn));
  const { covered = zero, untaxed = zero } = paidAhead ?? {};
  return single !== undefined && amount + covered > single ? paise(amount + untaxed) : zero;
};

/**
 * Rate of income-tax collected at source, and the value above which each of the goods bears it; undefined when the
 * section does not hold on that day.
 */
export const tcsTerms = (
  section: string,
  date: Day,
): { readonly rate: Percent; readonly eachAbove?: Paise } | undefined => {
  const terms = onDay(tcsSections.find((s) => s.section === section)?.terms ?? [], date);
  return (
    terms && {
      rate: percent(terms.rate),
      ...(terms.eachAbove !== undefined && { eachAbove: paise(terms.eachAbove) }),
    }
  );
};
/** The rate alone. */
export const tcsRate = (section: string, date: Day): Percent | undefined => tcsTerms(section, date)?.rate;
