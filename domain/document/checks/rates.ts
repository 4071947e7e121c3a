import { addDays, dayInWords, isDay } from '../../base/dates.ts';
import { percentText } from '../../base/decimal.ts';
import { type Paise, sum } from '../../base/money.ts';
import { type Said, say } from '../../base/say.ts';
import { financialRatesOn, hasCess, hasChanged, hasEnded, isLawfulRate, ratesOn } from '../../tax/gst/rates/rates.ts';
import { ratedDays } from '../../tax/gst/rates/time-of-supply.ts';
import { isRegular } from '../../tax/gst/registration/registered.ts';
import { FIRST_DAY_OF_GST } from '../../tax/gst/returns/tax-period.ts';
import type { Day, Draft, PricingLine } from '../document.ts';
import { kindCalled } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { dayOfOriginal } from '../originals.ts';
import type { Facts } from '../resolve.ts';
import { isPricedFromSource, sourceIds } from '../sources.ts';
import type { CheckingPriced, Finding, PricedCheck, TypedCheck } from './check.ts';
import { isDeclared, mayBeZeroRated } from './supply.ts';

/**
 * The days whose rates a line may bear. A note bears the rate of its original, a supplier's document that of the supplier's
 * date; a supply of ours that of section 14, where somebody says when it was made and paid, or its delivery challan and the
 * advances for its order do. An advance that is less than the document leaves the rest unpaid: either reading is lawful.
 */
export function rateDays(
  kind: Kind,
  draft: Draft,
  { documents, booked }: Pick<Facts, 'documents' | 'booked'>,
  service: boolean,
  total: Paise,
): readonly Day[] {
  const { date, referenceDate, fields = {} } = draft;
  if (kind.paper.form === 'note') {
    const original = dayOfOriginal(draft);
    if (original !== undefined) return [original];
  }
  if (kind.paper.form === 'note' || kind.gst.tax === 'input')
    return [referenceDate !== undefined && isDay(referenceDate) ? referenceDate : date];
  if (!isDay(date) || !kind.fields.includes('suppliedOn')) return [date];
  const challans = sourceIds(draft)
    .flatMap((id) => documents?.get(id) ?? [])
    .filter((d) => kindCalled(d.kind)?.paper.form === 'challan');
  const sent = challans.map((d) => d.date).sort()[0];
  const typed = (name: 'suppliedOn' | 'paidOn'): Day | undefined =>
    isDay(fields[name] ?? '') ? fields[name] : undefined;
  const supplied = typed('suppliedOn') ?? sent ?? date;
  const by = (paid: Day | undefined): readonly Day[] => ratedDays({ supplied, invoiced: date, paid }, service);
  const paid = typed('paidOn');
  if (paid !== undefined || !mayBePaidBefore(kind, draft)) return by(paid);
  const advances = booked?.advances;
  // an editor has not looked: an advance may have come on any day
  if (!advances) return [...new Set([...by(undefined), ...by(EVER_BEFORE)])];
  const covered = sum(advances.map((each) => each.total)) >= total;
  return [...new Set([...advances.flatMap((each) => by(each.date)), ...(covered ? [] : by(undefined))])];
}

const EVER_BEFORE = '0001-01-01';
/** Goods sent on approval are invoiced within six months (section 31(7)): a change of rate before that is behind everybody. */
const LONGEST_AHEAD = 184;

/**
 * Whether the day of an advance may decide on the rate of a document: it is made from what an advance may have been received
 * for, and a rate has changed since it may have been supplied.
 */
export function mayBePaidBefore(kind: Kind, draft: Draft): boolean {
  const { date, fields = {}, order } = draft;
  if (!kind.fields.includes('paidOn') || !isDay(date) || (order === undefined && sourceIds(draft).length === 0))
    return false;
  const supplied = fields['suppliedOn'] ?? '';
  const from = addDays(date, -LONGEST_AHEAD);
  return hasChanged(isDay(supplied) && supplied < from ? supplied : from, date);
}

/** The days of supply and payment that somebody types are days, and payment has been made. */
export const supplyDays: TypedCheck = {
  code: 'supplyDays',
  weight: 'problem',
  source: 'CGST Act section 14',
  find: ({ kind, draft: { fields = {} }, today }) =>
    (['suppliedOn', 'paidOn'] as const).flatMap((name): Finding[] => {
      const day = fields[name]?.trim();
      if (!day || !kind.fields.includes(name)) return [];
      if (!isDay(day)) return [{ field: name, ...say('Enter a date') }];
      return name === 'paidOn' && day > today ? [{ field: name, ...say('This day is still to come') }] : [];
    }),
};

const notInForce = (rate: number, day: Day, hsn: string): Said => {
  const choices = ratesOn(day, hsn).map((each) => percentText(each));
  const values = { rate: percentText(rate as never), day: dayInWords(day), hsn, choices: choices.join(', ') };
  return hsn
    ? say('GST of {{rate}} % is not in force on {{day}} for HSN {{hsn}}: the rates are {{choices}}', values)
    : say('GST of {{rate}} % is not in force on {{day}}: the rates are {{choices}}', values);
};
/** What to do when the rate ended before: the supply may have been made, or paid, while it was in force. */
const orBeforeChange = (problem: Said, kind: Kind, rate: number, day: Day): Said =>
  kind.fields.includes('suppliedOn') && hasEnded(rate as never, day)
    ? say('{{problem}}. If it was supplied or paid before the rate changed, enter those days (section 14)', { problem })
    : problem;

const isRated = (checking: CheckingPriced): boolean => {
  const { kind, draft, facts } = checking;
  return (
    isDeclared(checking) &&
    !isPricedFromSource(kind, draft) &&
    draft.withoutTax !== true &&
    (kind.gst.tax === 'input' || isRegular(facts.own.kind))
  );
};

/** Each rate is in force at the time of supply; a line that corrects a line in the books has the rate of that line. */
export const rateInForce: PricedCheck = {
  code: 'gstRate',
  weight: 'law',
  source:
    'CGST Act sections 9 and 14; rates of notification 9/2025-CT(R) from 22-09-2025 and 19/2025-CT(R) from 01-02-2026',
  find: (checking) => {
    const { kind, draft, pricing, priced } = checking;
    if (!isRated(checking)) return [];
    if (kind.gst.tax === 'input' && !priced.taxCharged && !pricing.reverseCharge) return [];
    return pricing.lines.flatMap((line, index): Finding[] => {
      const { treatment, gstRate, hsn, charge, service } = line;
      const days = rateDays(kind, draft, checking.facts, service, priced.total);
      const [day = ''] = days;
      if (!isDay(day) || day < FIRST_DAY_OF_GST) return [];
      const corrects = kind.paper.form === 'note' && draft.lines[index]?.source !== undefined;
      if (isUntaxed(checking, line)) return [{ field: 'lines.gstRate', row: index, ...UNTAXED }];
      if (treatment !== 'taxable' || corrects || days.some((each) => isLawfulRate(gstRate, each, hsn))) return [];
      const at = charge
        ? { field: 'charges.gstRate', row: chargeRow(checking, index) }
        : { field: 'lines.gstRate', row: index };
      return [{ ...at, ...orBeforeChange(notInForce(gstRate, day, hsn), kind, gstRate, day) }];
    });
  },
};

/**
 * A taxable supply of ours within the country at 0 %, of an item that bears a rate. A note may be about a day on which it bore none.
 */
const isUntaxed = (checking: CheckingPriced, { treatment, gstRate, item }: PricingLine): boolean => {
  const { kind, facts } = checking;
  if (kind.gst.tax !== 'output' || kind.paper.form === 'note' || treatment !== 'taxable' || gstRate !== 0) return false;
  return (facts.items.get(item ?? '')?.gstRate ?? 0) > 0 && !mayBeZeroRated(checking);
};
const UNTAXED = say(
  'This item is taxable, and its rate is not 0 %: enter its rate. Items without tax by law have the treatment nil rated or exempt',
);

/** Compensation cess is charged on days on which it is levied; a line that corrects one in the books bears that of its source. */
export const cessInForce: PricedCheck = {
  code: 'cess',
  weight: 'law',
  source:
    'GST (Compensation to States) Act section 8; notifications 2/2025 and 3/2025-Compensation Cess (Rate): only pan ' +
    'masala and tobacco from 22-09-2025, nothing from 01-02-2026',
  find: (checking) => {
    const { kind, draft, facts, priced } = checking;
    if (!isRated(checking)) return [];
    return priced.lines.flatMap(({ cess, cessRate, hsn, service }, index): Finding[] => {
      const days = rateDays(kind, draft, facts, service, priced.total);
      const [day = ''] = days;
      if (cess === 0 || !isDay(day) || days.some((each) => hasCess(each, hsn))) return [];
      if (kind.paper.form === 'note' && draft.lines[index]?.source !== undefined) return [];
      const field = cessRate > 0 ? 'lines.cessRate' : 'lines.cessPerUnit';
      const message = hsn
        ? say('Compensation cess is not levied on {{day}} on HSN {{hsn}}: leave it out, here and on the item', {
            day: dayInWords(day),
            hsn,
          })
        : say('Compensation cess is not levied on {{day}}: leave it out, here and on the item', {
            day: dayInWords(day),
          });
      return [{ field, row: index, ...message }];
    });
  },
};

/** Tax on the charges of a bank has the rate of financial services. */
export const bankChargesRate: TypedCheck = {
  code: 'bankChargesRate',
  weight: 'reason',
  source: 'notification 11/2017-CT(R), entry 15: financial services',
  find: ({ kind, draft: { bankCharges = 0, bankChargesGstRate = 0, date } }) => {
    if (!kind.fields.includes('bankCharges') || bankCharges <= 0 || bankChargesGstRate <= 0) return [];
    if (!isDay(date) || date < FIRST_DAY_OF_GST) return [];
    const rates = financialRatesOn(date);
    if ((rates as readonly number[]).includes(bankChargesGstRate)) return [];
    const choices = rates.map((each) => percentText(each)).join(', ');
    return [
      {
        field: 'bankChargesGstRate',
        ...say('GST on the charges of a bank is {{choices}} % on {{date}}, and not {{bankChargesGstRate}} %', {
          choices,
          date: dayInWords(date),
          bankChargesGstRate: percentText(bankChargesGstRate as never),
        }),
      },
    ];
  },
};

/** Charges with a rate of their own stand after the lines, in their order among all charges. */
export const chargeRow = ({ draft }: CheckingPriced, index: number): number => {
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
      ? [{ field: 'advanceRate', ...notInForce(advanceRate, date, '') }]
      : [],
};
