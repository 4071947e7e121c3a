import { dayInWords, isDay } from '../../base/dates.ts';
import { type Percent, percentText, rupeesText } from '../../base/decimal.ts';
import { say } from '../../base/say.ts';
import { effectUses, fieldUses, unfit } from '../../books/ledger-uses.ts';
import { goesThroughBank } from '../../books/legs.ts';
import { chargesOf, moneyWorth } from '../../books/posting.ts';
import { isLawfulRate, serviceRatesOn } from '../../tax/gst/rates/rates.ts';
import { isRegular } from '../../tax/gst/registration/registered.ts';
import { FIRST_DAY_OF_GST } from '../../tax/gst/returns/tax-period.ts';
import type { CheckingPriced, Finding, PricedCheck, TypedCheck } from './check.ts';
import { isHandedOver } from './limits.ts';
import { chargeRow, rateDays } from './rates.ts';
import { mayBeZeroRated } from './supply.ts';

/** What a bank takes for a payment is seldom as much as the payment; of a receipt it cannot be more (a problem of its own). */
export const chargesAbovePayment: TypedCheck = {
  code: 'chargesAbovePayment',
  weight: 'warning',
  source: 'bank charges beside a payment leave the bank too; more than the payment is most likely a mistake',
  find: ({ kind, draft }) => {
    const charges = chargesOf(draft);
    const paid = moneyWorth({ draft });
    return goesThroughBank(kind) && charges > paid
      ? [
          {
            field: 'bankCharges',
            ...say('The bank takes {{charges}}, more than the {{paid}} that are paid', {
              charges: rupeesText(charges),
              paid: rupeesText(paid),
            }),
          },
        ]
      : [];
  },
};

/**
 * Charges of our own papers at a rate that neither the supply bears nor the service itself. None is borne where the lines bear
 * none, and where the supply is zero rated without payment of tax.
 */
function otherThanSupply(checking: CheckingPriced): Finding[] {
  const { kind, draft, facts, pricing, priced } = checking;
  if (kind.gst.tax !== 'output' || pricing.direction === 'none' || !isRegular(facts.own.kind) || pricing.withoutTax)
    return [];
  const lines = pricing.lines.filter(({ charge }) => !charge);
  const rates = [...new Set(lines.flatMap((line) => (line.treatment === 'taxable' ? [line.gstRate] : [])))];
  const bearsNone = mayBeZeroRated(checking) && !pricing.withPayment;
  return pricing.lines.flatMap((line, index): Finding[] => {
    const { charge, treatment, gstRate, hsn, service } = line;
    if (!charge || treatment !== 'taxable' || rates.includes(gstRate) || (bearsNone && gstRate === 0)) return [];
    const days = rateDays(kind, draft, facts, service, priced.total);
    const [day = ''] = days;
    if (!isDay(day) || day < FIRST_DAY_OF_GST) return [];
    // a rate that is not in force at all is a finding of its own
    if (!days.some((each) => isLawfulRate(gstRate, each, hsn))) return [];
    const own = days.flatMap((each) => serviceRatesOn(hsn, each) ?? []);
    if (own.includes(gstRate)) return [];
    const lawful = [...new Set<Percent>([...rates, ...own])].sort((a, b) => b - a).map((each) => percentText(each));
    const message = say(
      'A charge is part of the supply (sections 8 and 15(2)(c) of the CGST Act): on {{day}} its rate is one of its lines or that of ' +
        'its own SAC, {{choices}} %. A deposit or a donation is an adjustment after tax',
      { day: dayInWords(day), choices: lawful.join(', ') || '0' },
    );
    return [{ field: 'charges.gstRate', row: chargeRow(checking, index), ...message }];
  });
}
const chargeSource =
  'CGST Act sections 2(30), 8 and 15(2)(c): what is charged for a supply is in its value and bears its rate';

export const rateOfCharge: PricedCheck = {
  code: 'rateOfCharge',
  weight: 'law',
  source: chargeSource,
  find: (checking) => (isHandedOver(checking.draft) ? [] : otherThanSupply(checking)),
};
/** A bill of a till that is handed over: the buyer has it with this rate. */
export const tillRateOfCharge: PricedCheck = {
  code: 'tillRateOfCharge',
  weight: 'warning',
  source: chargeSource,
  find: (checking) => (isHandedOver(checking.draft) ? otherThanSupply(checking) : []),
};

/** What is charged for a supply is income, or takes an expense back; what is held for the buyer is an adjustment after tax. */
export const ledgerOfCharge: TypedCheck = {
  code: 'ledgerOfCharge',
  weight: 'problem',
  source: 'CGST Act section 15(2)(c); Companies Act 2013, Schedule III: revenue apart from liabilities',
  find: ({ kind, draft: { charges = [] }, facts: { natures, ledgerSeen, controlled } }) =>
    kind.gst.tax !== 'output' || kind.source.givesPrice
      ? []
      : charges.flatMap(({ ledger }, row): Finding[] => {
          const nature = ledger === undefined ? undefined : natures?.get(ledger);
          if (ledger === undefined || nature === undefined) return [];
          // one that no line takes has a finding of its own
          const seen = ledgerSeen?.(ledger);
          if (controlled?.has(ledger) || (seen && unfit(fieldUses.lineLedger, seen))) return [];
          if (effectUses.charges.natures?.includes(nature)) return [];
          const message = say(
            'A charge is income of the supply: choose a ledger of income or expenses. A deposit is an adjustment after tax',
          );
          return [{ field: 'charges.ledger', row, ...message }];
        }),
};
