import { addDays, addMonths, financialYearOf, monthStart, quarterOf } from '../base/dates.ts';
import { HUNDRED_PERCENT } from '../base/decimal.ts';
import { type Paise, paise, scale, zero } from '../base/money.ts';
import { type Said, say } from '../base/say.ts';
import type { Day, Id, Problem } from '../document/document.ts';
import {
  type DepositTerms,
  depositTerms,
  type MajorHead,
  type StatementTerms,
  statementTerms,
  type Withholding,
} from '../facts/deposits.ts';
import type { Dated, OtherStatement } from '../facts/withholding.ts';
import { deducteeOf, tcsNamed, tdsNamed } from './withheld.ts';

const onDay = <T extends Dated>(terms: readonly T[], day: Day): T | undefined =>
  terms.find(({ from, to }) => from <= day && (to === undefined || day <= to));
const termsOn = (tax: Withholding, day: Day): DepositTerms => {
  const terms = onDay(depositTerms[tax], day);
  if (!terms) throw new RangeError(`nothing is known of ${tax} on ${day}`);
  return terms;
};

/** Until when what was withheld on a day is paid to the government. */
export function dueDay(tax: Withholding, withheldOn: Day): Day {
  const { day, ofMarch } = termsOn(tax, withheldOn);
  const next = addMonths(monthStart(withheldOn), 1);
  return addDays(next, (withheldOn.slice(5, 7) === '03' ? (ofMarch ?? day) : day) - 1);
}

/**
 * Interest on what is paid late, for each month or part of one from the day it was withheld to the day it is paid, in whole
 * rupees; on the whole hundreds of rupees of each deduction (section 201(1A) with rule 119A).
 */
export function lateInterest(tax: Withholding, amount: Paise, withheldOn: Day, paidOn: Day): Paise {
  if (paidOn <= dueDay(tax, withheldOn)) return zero;
  const { interest, step } = termsOn(tax, withheldOn);
  const counted = paise(amount - (amount % step));
  const exact = scale(counted, interest * monthsTouched(withheldOn, paidOn), HUNDRED_PERCENT);
  return scale(scale(exact, 1, 100), 100, 1);
}

/** Calendar months that lie at least in part between two days, as TRACES counts them. */
const monthsTouched = (from: Day, to: Day): number =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7)) + 1;

/** A quarter of a tax year, with the papers that are made for it and when they are due. */
export interface TaxQuarter {
  readonly year: string;
  readonly number: 1 | 2 | 3 | 4;
  readonly start: Day;
  readonly end: Day;
  readonly terms: StatementTerms;
  readonly statementDue: Day;
  readonly certificateDue: Day;
  /** As the certificate names the year: 'Tax year 2026-27', or 'Assessment year 2026-27' of the year before. */
  readonly named: string;
}

/** The quarter that a day lies in. */
export function taxQuarterOf(tax: Withholding, day: Day): TaxQuarter {
  const { number, start, end } = quarterOf(day);
  const { label } = financialYearOf(day);
  const terms = onDay(statementTerms[tax], start);
  if (!terms) throw new RangeError(`nothing is known of ${tax} on ${day}`);
  const statementDue = `${addDays(end, 31).slice(0, 4)}-${terms.due[number - 1]}`;
  const assessed = financialYearOf(addMonths(start, 12)).label;
  const named = terms.year === 'tax' ? `Tax year ${label}` : `Assessment year ${assessed}`;
  return {
    year: label,
    number,
    start,
    end,
    terms,
    statementDue,
    certificateDue: addDays(statementDue, terms.after),
    named,
  };
}

/** The head that tax of a deductee with this PAN is paid under. */
export const headOf = (pan: string | null): MajorHead => (deducteeOf(pan) === 'company' ? '0020' : '0021');

/** A section by any name that documents carry: how the law calls it, now and in the Act of 2025, and what it is on. */
export function sectionOf(
  tax: Withholding,
  named: string,
): { readonly section: string; readonly newAct: string; readonly name: string } {
  const found = tax === 'tds' ? tdsNamed(named) : tcsNamed(named);
  return { section: found?.section ?? named, newAct: found?.newAct ?? '', name: found?.name ?? '' };
}

/** The statement that a deduction under a section stands in: that of payments to residents, or another. */
export const statementOf = (named: string): 'residents' | OtherStatement => tdsNamed(named)?.statement ?? 'residents';

/** The code of a payment under the Act of 2025, where one is agreed on. */
export function paymentCodeOf(tax: Withholding, named: string, pan: string | null, date: Day): string {
  const { code } = (tax === 'tds' ? tdsNamed(named) : tcsNamed(named)) ?? {};
  const now = code && onDay([code], date);
  if (!now) return '';
  return (deducteeOf(pan) === 'individual' ? now.individual : undefined) ?? now.others;
}

/** Tax that a document withheld, and how much of it is paid to the government. */
export interface Withheld {
  readonly document: Id;
  readonly number: string;
  readonly section: string;
  readonly date: Day;
  readonly withheld: Paise;
  /** What returns and notes gave back of it. */
  readonly back?: Paise;
  readonly paid: Paise;
  /** Of the deductee; the head is certain only with it. */
  readonly pan?: string | null;
}

/** A payment to the government as it is asked for: so much of what each document withheld. */
export interface ChallanAsked {
  readonly section: string;
  readonly head: MajorHead;
  readonly date: Day;
  readonly parts: readonly { readonly document: Id; readonly amount: Paise }[];
}

/** Why a challan cannot be: it pays what was withheld under its section, in one tax year, until its day, and never more than is left. */
export function challanProblems(
  { section, head, date, parts }: ChallanAsked,
  known: readonly Withheld[],
  today: Day,
): Problem[] {
  const by = new Map(known.map((one) => [one.document, one]));
  const problems: Problem[] = [];
  if (parts.length === 0) problems.push({ field: 'parts', ...say('Choose the dues that this challan pays') });
  if (date > today) problems.push({ field: 'date', ...say('This day has not come') });
  if (new Set(parts.map(({ document }) => document)).size < parts.length)
    problems.push({ field: 'parts', ...say('A document is named twice') });
  for (const [row, { document, amount }] of parts.entries()) {
    const one = by.get(document);
    const wrong = (message: Said) => problems.push({ field: 'parts', row, ...message });
    if (!one) wrong(say('This document withheld no tax of this kind'));
    else if (one.section !== section)
      wrong(
        say('{{number}} is under section {{section}}: a challan is for one section', {
          number: one.number,
          section: one.section,
        }),
      );
    else if (one.pan && headOf(one.pan) !== head)
      problems.push({
        field: 'head',
        ...(head === '0020'
          ? say(
              'The deductee of {{number}} is no company: the major head is {{pan}}, and other deductees have a challan of their own',
              { number: one.number, pan: headOf(one.pan) },
            )
          : say(
              'The deductee of {{number}} is a company: the major head is {{pan}}, and other deductees have a challan of their own',
              { number: one.number, pan: headOf(one.pan) },
            )),
      });
    else if (one.date > date) wrong(say('{{number}} is later than this challan', { number: one.number }));
    else if (amount <= 0) wrong(say('A part is greater than 0'));
    else if (amount > leftOf(one))
      wrong(say('Of {{number}} less than this is left to be paid', { number: one.number }));
  }
  const years = new Set(
    parts.flatMap(({ document }) => by.get(document)?.date ?? []).map((day) => financialYearOf(day).label),
  );
  if (years.size > 1) problems.push({ field: 'parts', ...say('A challan is for one tax year') });
  return problems;
}

type Owed = Pick<Withheld, 'withheld' | 'back' | 'paid'>;
/**
 * What the government is paid of what was withheld. What was given back is not owed; where it is deposited already, the
 * statement is corrected, and nothing is taken off here (section 206C(3)).
 */
export const dueOf = ({ withheld, back = zero, paid }: Owed): Paise =>
  back > 0 ? paise(Math.max(withheld - back, paid)) : withheld;
/** What is left to be paid of it; nothing of what was given back itself. */
export const leftOf = (one: Owed): Paise => paise(Math.max(0, dueOf(one) - one.paid));
