import { dayInWords, isDay } from '../dates.ts';
import { percentText } from '../decimal.ts';
import type { Day, Draft } from '../document.ts';
import { isLawfulRate, ratesOn } from '../gst/rates.ts';
import { isRegular } from '../gst/registered.ts';
import { FIRST_DAY_OF_GST } from '../gst/tax-period.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Facts } from '../resolve.ts';
import type { CheckingPriced, Finding, PricedCheck, TypedCheck } from './check.ts';
import { isDeclared } from './supply.ts';

/**
 * The day whose rates bind a document (CGST Act section 14). A note bears the rate of its original; a supplier's document
 * that of the supplier's date.
 */
export const rateDay = (kind: Kind, { date, referenceDate }: Pick<Draft, 'date' | 'referenceDate'>): Day =>
  (kind.paper === 'note' || kind.tax === 'input') && referenceDate !== undefined && isDay(referenceDate)
    ? referenceDate
    : date;

const said = (rate: number, day: Day, hsn: string): string => {
  const choices = ratesOn(day, hsn).map((each) => percentText(each));
  const where = hsn ? ` for HSN ${hsn}` : '';
  return `GST of ${percentText(rate as never)} % is not in force on ${dayInWords(day)}${where}: the rates are ${choices.join(', ')}`;
};

const isRated = ({ kind, draft, facts }: { kind: Kind; draft: Draft; facts: Facts }): boolean =>
  isDeclared(kind) &&
  kind.pricedFromSource !== true &&
  draft.withoutTax !== true &&
  (kind.tax === 'input' || isRegular(facts.own.kind));

/** Each rate is in force at the time of supply; a line that corrects a line in the books has the rate of that line. */
export const rateInForce: PricedCheck = {
  code: 'gstRate',
  weight: 'law',
  source:
    'CGST Act sections 9 and 14; rates of notification 9/2025-CT(R) from 22-09-2025 and 19/2025-CT(R) from 01-02-2026',
  find: (checking) => {
    const { kind, draft, pricing, priced } = checking;
    const day = rateDay(kind, draft);
    if (!isRated(checking) || !isDay(day) || day < FIRST_DAY_OF_GST) return [];
    if (kind.tax === 'input' && !priced.taxCharged && !pricing.reverseCharge) return [];
    return pricing.lines.flatMap(({ treatment, gstRate, hsn, charge }, index): Finding[] => {
      const corrects = kind.paper === 'note' && draft.lines[index]?.source !== undefined;
      if (treatment !== 'taxable' || corrects || isLawfulRate(gstRate, day, hsn)) return [];
      const at = charge
        ? { field: 'charges.gstRate', row: chargeRow(checking, index) }
        : { field: 'lines.gstRate', row: index };
      return [{ ...at, message: said(gstRate, day, hsn) }];
    });
  },
};

/** Charges with a rate of their own stand behind the lines, in their order among all charges. */
const chargeRow = ({ draft }: CheckingPriced, index: number): number => {
  const rows = (draft.charges ?? []).flatMap(({ gstRate }, row) => (gstRate === undefined ? [] : [row]));
  return rows[index - draft.lines.length] ?? 0;
};

/** An advance for a service is taxed at the rate of the day on which it is received (section 13(2)). */
export const advanceRateInForce: TypedCheck = {
  code: 'advanceRate',
  weight: 'problem',
  source: 'CGST Act sections 9 and 13(2)',
  find: ({ kind, draft: { advanceRate, date } }) =>
    kind.gst.gstr1 === 'advance' && advanceRate !== undefined && isDay(date) && !isLawfulRate(advanceRate, date)
      ? [{ field: 'advanceRate', message: said(advanceRate, date, '') }]
      : [],
};
