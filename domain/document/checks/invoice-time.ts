import { addDays, dayInWords, isDay } from '../../base/dates.ts';
import { say } from '../../base/say.ts';
import { isUnder } from '../../tax/gst/rates/rates.ts';
import { hasGst } from '../../tax/gst/registration/registered.ts';
import type { Day } from '../document.ts';
import type { CheckingPriced, Finding, PricedCheck, TypedCheck } from './check.ts';
import { daysOfBooks } from './dates.ts';
import { isDeclared } from './supply.ts';

/** An invoice of a service is made within so many days of the supply (rule 47); banks, insurers and financiers have more. */
const SERVICE_DAYS = 30;
const FINANCE_DAYS = 45;
const FINANCE = '9971';

const day = ({ draft }: Pick<CheckingPriced, 'draft'>): Day | undefined => {
  const typed = draft.fields?.['suppliedOn']?.trim() ?? '';
  return isDay(typed) ? typed : undefined;
};

/** Goods are invoiced when they leave, services within thirty days: tax is due from the day on which that was over (sections 12, 13). */
export const invoicedLate: PricedCheck = {
  code: 'invoicedLate',
  weight: 'warning',
  source: 'CGST Act sections 31(1), 31(2), 12(2) and 13(2); rule 47',
  find: (checking) => {
    const { kind, draft, facts, priced } = checking;
    const supplied = day(checking);
    const isOurs = kind.fields.includes('suppliedOn') && isDeclared(checking) && hasGst(facts.own.kind);
    if (supplied === undefined || !isOurs || priced.lines.length === 0) return [];
    const isService = priced.lines.every(({ service }) => service);
    const isFinance = priced.lines.every(({ hsn }) => isUnder(hsn, FINANCE));
    const until = isService ? addDays(supplied, isFinance ? FINANCE_DAYS : SERVICE_DAYS) : supplied;
    if (draft.date <= until) return [];
    const values = { until: dayInWords(until) };
    const message = isService
      ? say(
          'The invoice of this service was due by {{until}} (rule 47): its tax is due for the month of the supply',
          values,
        )
      : say(
          'The invoice of these goods was due by {{until}} (section 31): their tax is due for the month of that day',
          values,
        );
    return [{ field: 'suppliedOn', ...message }];
  },
};

/** Nobody knows the day of a supply more than a year ahead. */
export const suppliedFarAhead: TypedCheck = {
  code: 'suppliedFarAhead',
  weight: 'problem',
  source: 'CGST Act section 31(2); as the date of a document, a year ahead at most',
  find: ({ kind, draft, today }): Finding[] => {
    const supplied = day({ draft });
    const { last } = daysOfBooks(today);
    if (supplied === undefined || !kind.fields.includes('suppliedOn') || supplied <= last) return [];
    return [
      { field: 'suppliedOn', ...say('A supply is dated up to {{last}}: correct the day', { last: dayInWords(last) }) },
    ];
  },
};
