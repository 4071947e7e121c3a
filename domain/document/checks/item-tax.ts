import { dayInWords, isDay } from '../../base/dates.ts';
import { percentText } from '../../base/decimal.ts';
import { say } from '../../base/say.ts';
import { hasChanged, hasEnded, isLawfulRate, TO_MERCHANT_EXPORTER } from '../../tax/gst/rates/rates.ts';
import { isRetailValued, mayHaveRetailPrice } from '../../tax/gst/rates/retail-valued.ts';
import { hasGst, isRegular } from '../../tax/gst/registration/registered.ts';
import { FIRST_DAY_OF_GST } from '../../tax/gst/returns/tax-period.ts';
import type { Treatment } from '../document.ts';
import { correctsSource } from '../kinds/index.ts';
import { isWithoutSource } from '../originals.ts';
import { isPricedFromSource, sourceKey } from '../sources.ts';
import type { CheckingPriced, Finding, PricedCheck, TypedCheck } from './check.ts';
import { isHandedOver } from './limits.ts';
import { rateDays } from './rates.ts';
import { mayBeZeroRated } from './supply.ts';

const treatmentNames: Readonly<Record<Treatment, string>> = {
  taxable: 'taxable',
  nil: 'nil rated',
  exempt: 'exempt',
  nonGst: 'not under GST',
  zeroRated: 'zero rated',
};
const bearsRate = (treatment: Treatment): boolean => treatment === 'taxable' || treatment === 'zeroRated';

/**
 * What an item bears is said on the item: a line does not say otherwise. The line may where the law of the supply does: zero rated
 * supplies, those to merchant exporters, and days before a change of rates, of which the item has only the rate of today. What
 * comes from an earlier document keeps what that one says, and a note what its original does.
 */
function otherThanItem(checking: CheckingPriced): Finding[] {
  const { kind, draft, facts, pricing, priced, today } = checking;
  if (kind.gst.tax === 'none' || pricing.direction === 'none') return [];
  if (isPricedFromSource(kind, draft) || draft.withoutTax) return [];
  if (kind.gst.tax === 'output' ? !isRegular(facts.own.kind) : !priced.taxCharged && !pricing.reverseCharge) return [];
  return draft.lines.flatMap((line, row): Finding[] => {
    const item = facts.items.get(line.item ?? '');
    const made = pricing.lines[row];
    if (!item || !made) return [];
    const source = line.source && facts.sources.get(sourceKey(line.source));
    const { treatment, gstRate } = made;
    const where =
      item.treatment === 'taxable'
        ? say('{{sku}} is {{treatmentNames}} at {{gstRate}} %: change the tax of an item on the item', {
            sku: item.sku,
            treatmentNames: treatmentNames[item.treatment],
            gstRate: percentText(item.gstRate),
          })
        : say('{{sku}} is {{treatmentNames}}: change the tax of an item on the item', {
            sku: item.sku,
            treatmentNames: treatmentNames[item.treatment],
          });
    const isZeroRated = treatment === 'zeroRated' && (item.treatment === 'taxable' || mayBeZeroRated(checking));
    if (line.treatment !== undefined && treatment !== item.treatment && treatment !== source?.treatment && !isZeroRated)
      return [{ field: 'lines.treatment', row, ...where }];
    // what bears no rate has a finding of its own, as has what bears 0 %
    if (line.gstRate === undefined || !bearsRate(treatment) || gstRate === item.gstRate || gstRate === 0) return [];
    if (gstRate === source?.gstRate || (gstRate === TO_MERCHANT_EXPORTER && !made.service && facts.party?.gstin))
      return [];
    const days = rateDays(kind, draft, facts, made.service, priced.total).filter(
      (day) => isDay(day) && day >= FIRST_DAY_OF_GST,
    );
    const wasOther = (day: string): boolean =>
      hasChanged(day, today) || !isLawfulRate(item.gstRate, day, made.hsn) || hasEnded(gstRate, today);
    if (days.length === 0 || days.some(wasOther)) return [];
    if (!days.some((day) => isLawfulRate(gstRate, day, made.hsn))) return [];
    return [{ field: 'lines.gstRate', row, ...where }];
  });
}
/** Tax under composition is on the turnover that the status of its items makes taxable: a line does not say otherwise either. */
function otherUnderComposition({ kind, draft, facts }: CheckingPriced): Finding[] {
  if (kind.gst.tax !== 'output' || facts.own.kind !== 'composition' || isPricedFromSource(kind, draft)) return [];
  return draft.lines.flatMap(({ item: id = '', treatment, source }, row): Finding[] => {
    const item = facts.items.get(id);
    if (!item || source || treatment === undefined || treatment === item.treatment) return [];
    const message = say('{{sku}} is {{treatmentNames}}: change the tax of an item on the item', {
      sku: item.sku,
      treatmentNames: treatmentNames[item.treatment],
    });
    return [{ field: 'lines.treatment', row, ...message }];
  });
}

const itemSource = 'CGST Act sections 9(1) and 11: rate and exemption follow the goods or services, not the document';

const followsOriginal = ({ kind }: Pick<CheckingPriced, 'kind'>): boolean =>
  kind.paper.form === 'note' || correctsSource(kind);

export const taxOfItem: PricedCheck = {
  code: 'taxOfItem',
  weight: 'law',
  source: itemSource,
  find: (checking) =>
    isHandedOver(checking.draft) || followsOriginal(checking)
      ? []
      : [...otherThanItem(checking), ...otherUnderComposition(checking)],
};
/** A note about an original that is not in the books has its tax: another one than that of the item is what somebody has seen on it. */
export const taxOfOriginal: PricedCheck = {
  code: 'taxOfOriginal',
  weight: 'reason',
  source: 'CGST Act section 34: a note changes the tax charged in its invoice',
  find: (checking) =>
    followsOriginal(checking) && isWithoutSource(checking.draft) && checking.kind.life.cycle !== 'ordered'
      ? otherThanItem(checking)
      : [],
};
/** A bill of a till that is handed over: the buyer has it, with the rate that the item had at the till. */
export const tillTaxOfItem: PricedCheck = {
  code: 'tillTaxOfItem',
  weight: 'warning',
  source: itemSource,
  find: (checking) => (isHandedOver(checking.draft) ? otherThanItem(checking) : []),
};

/** A rate that is typed on a line that bears none would be left out without a word. */
export const rateOfNothing: TypedCheck = {
  code: 'rateOfNothing',
  weight: 'problem',
  source: 'CGST Act sections 11 and 2(47): what is exempt, nil rated or not under GST bears no tax',
  find: ({ kind, draft, facts }) =>
    kind.gst.tax === 'none' || correctsSource(kind) || !hasGst(facts.own.kind)
      ? []
      : draft.lines.flatMap((line, row): Finding[] => {
          const item = facts.items.get(line.item ?? '');
          const treatment = line.treatment ?? item?.treatment ?? 'taxable';
          if (line.source || bearsRate(treatment) || !line.gstRate) return [];
          // an item that bears none may have a rate on record, and an editor sends it
          if (treatment === item?.treatment && line.gstRate === item.gstRate) return [];
          const message = say(
            'An item that is {{treatmentNames}} has no rate: clear {{gstRate}} %, or choose taxable',
            {
              treatmentNames: treatmentNames[treatment],
              gstRate: percentText(line.gstRate),
            },
          );
          return [{ field: 'lines.gstRate', row, ...message }];
        }),
};

/** Only goods that the law names are taxed on their retail price. */
export const retailPriceOfGoods: TypedCheck = {
  code: 'retailPrice',
  weight: 'problem',
  source: 'CGST rule 31D, by notification 20/2025-CT',
  find: ({ kind, draft, facts }) =>
    kind.gst.tax === 'none' || correctsSource(kind) || (kind.gst.tax === 'output' && !isRegular(facts.own.kind))
      ? []
      : draft.lines.flatMap((line, row): Finding[] => {
          const item = facts.items.get(line.item ?? '');
          const hsn = line.hsn ?? item?.hsn ?? '';
          const typed = line.retailPrice !== undefined;
          if (line.source || !(line.retailPrice ?? item?.retailPrice)) return [];
          // what we buy is taxed as the supplier's paper says, whatever price our item has on record
          if (typed ? isRetailValued(hsn, draft.date) : kind.gst.tax === 'input' || mayHaveRetailPrice(hsn)) return [];
          const why = say('goods of HSN {{hsn}} are not taxed on the retail price on {{date}} (rule 31D)', {
            hsn: hsn || '(none)',
            date: dayInWords(draft.date),
          });
          return typed
            ? [{ field: 'lines.retailPrice', row, ...say('Leave the retail price out: {{why}}', { why }) }]
            : [
                {
                  field: 'lines.item',
                  row,
                  ...say('Take the retail price out of {{sku}}: {{why}}', { sku: item?.sku, why }),
                },
              ];
        }),
};

/** The rate of goods that the buyer exports: the conditions are the buyer's, and somebody has seen them. */
export const toMerchantExporter: PricedCheck = {
  code: 'toMerchantExporter',
  weight: 'reason',
  source: 'notifications 40/2017-CT(R) and 41/2017-IT(R): order of the exporter, export within 90 days',
  find: (checking) => {
    const { kind, draft, pricing } = checking;
    if (kind.gst.tax === 'none' || kind.life.cycle === 'ordered' || kind.paper.form === 'note') return [];
    if (pricing.direction === 'none' || isPricedFromSource(kind, draft)) return [];
    return pricing.lines.flatMap(({ gstRate, treatment, charge, service }, row): Finding[] => {
      if (charge || service || treatment !== 'taxable' || gstRate !== TO_MERCHANT_EXPORTER) return [];
      const message = say(
        '0.1 % is for goods that a merchant exporter exports within 90 days (notifications 40 and 41/2017): choose the rate of the ' +
          'item, or enter the order and the registration of the exporter as the reason',
      );
      return [{ field: 'lines.gstRate', row, ...message }];
    });
  },
};
