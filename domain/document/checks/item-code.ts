import { ONE, rupeesText } from '../../base/decimal.ts';
import { paise, scale } from '../../base/money.ts';
import { say } from '../../base/say.ts';
import { itself, priceIn } from '../../stock/units.ts';
import { isRetailValued } from '../../tax/gst/rates/retail-valued.ts';
import { isRegular } from '../../tax/gst/registration/registered.ts';
import type { Draft, PricedLine } from '../document.ts';
import { correctsSource } from '../kinds/index.ts';
import { type Facts, isTransfer } from '../resolve.ts';
import { isPricedFromSource, sourceKey } from '../sources.ts';
import type { CheckingPriced, Finding, PricedCheck } from './check.ts';
import { isHandedOver } from './limits.ts';
import { isDeclared } from './supply.ts';

/** A document that names goods or services by itself: what corrects another one, or is priced from it, follows that. */
const namesItems = (checking: CheckingPriced): boolean =>
  checking.kind.gst.tax !== 'none' &&
  checking.pricing.direction !== 'none' &&
  checking.kind.paper.form !== 'note' &&
  !correctsSource(checking.kind) &&
  !isPricedFromSource(checking.kind, checking.draft) &&
  !isHandedOver(checking.draft);

/** A code may be written with fewer digits than another one that it holds. */
const isSameCode = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one);

/**
 * Rate and reverse charge follow the code of what is supplied, which is said on the item: a line that says another one would be
 * taxed as something else. A supplier classifies by their own books.
 */
export const hsnOfItem: PricedCheck = {
  code: 'hsnOfItem',
  weight: 'problem',
  source: 'CGST Act sections 9(1) and 9(3); rule 46(g): the code is that of the goods or services supplied',
  find: (checking) =>
    namesItems(checking) && checking.kind.gst.tax === 'output'
      ? checking.draft.lines.flatMap(({ item: id = '', hsn, source }, row): Finding[] => {
          const item = checking.facts.items.get(id);
          // what an order or challan says was asked there, or was the code of the item then
          const earlier = source && checking.facts.sources.get(sourceKey(source))?.hsn;
          if (!item?.hsn || !hsn || hsn === earlier || isSameCode(hsn, item.hsn)) return [];
          const message = say('{{sku}} has HSN/SAC {{code}}: change the code of an item on the item', {
            sku: item.sku,
            code: item.hsn,
          });
          return [{ field: 'lines.hsn', row, ...message }];
        })
      : [],
};

/** So much may rounding make of a line. */
const ROUNDED = 100;

/**
 * Nobody may charge more than the retail price, which has all taxes inside (Legal Metrology rules): a retail price below what is
 * charged even before tax would take tax away.
 */
export const retailPriceAbove: PricedCheck = {
  code: 'retailPriceAbove',
  weight: 'law',
  source: 'CGST rule 31D; Legal Metrology (Packaged Commodities) Rules 2011, rules 2(m) and 18(2)',
  find: (checking) =>
    namesItems(checking)
      ? checking.pricing.lines.flatMap(({ retailPrice, quantity, freeQuantity }, row): Finding[] => {
          const line = checking.priced.lines[row];
          if (retailPrice === undefined || !line || checking.pricing.currency !== 'INR') return [];
          const most = scale(retailPrice, quantity + freeQuantity, ONE);
          // who is registered has the tax as credit; who is not pays it
          const isConsumer = checking.kind.gst.tax === 'output' && !checking.facts.party?.gstin;
          const charged = isConsumer ? line.total : line.value;
          if (charged <= most + ROUNDED) return [];
          const values = { charged: rupeesText(charged), most: rupeesText(most) };
          const message = isConsumer
            ? say(
                '{{charged}} is charged with tax for goods whose retail price with all taxes is {{most}}: correct the retail price or ' +
                  'the rate',
                values,
              )
            : say(
                '{{charged}} is charged before tax for goods whose retail price with all taxes is {{most}}: correct the retail price or ' +
                  'the rate',
                values,
              );
          return [{ field: 'lines.retailPrice', row, ...message }];
        })
      : [],
};

/** Each lot may have its own price printed on it; one that the item does not have is read from the goods. */
export const retailPriceOther: PricedCheck = {
  code: 'retailPriceOther',
  weight: 'reason',
  source: 'CGST rule 31D: the tax is inside the retail price that is printed on the goods',
  find: (checking) =>
    namesItems(checking)
      ? checking.draft.lines.flatMap(({ item: id = '', unit, retailPrice, source }, row): Finding[] => {
          const item = checking.facts.items.get(id);
          const earlier = source && checking.facts.sources.get(sourceKey(source))?.retailPrice;
          if (!item || !retailPrice || retailPrice === earlier) return [];
          const ratio = unit === undefined ? itself : (item.units[unit] ?? itself);
          const onRecord = item.retailPrice ? paise(priceIn(item.retailPrice, ratio)) : undefined;
          if (retailPrice === onRecord) return [];
          const message = onRecord
            ? say('{{sku}} has the retail price {{price}}: correct this one, or say where the other one is printed', {
                sku: item.sku,
                price: rupeesText(onRecord),
              })
            : say('{{sku}} has no retail price: enter it on the item, or say where this one is printed', {
                sku: item.sku,
              });
          return [{ field: 'lines.retailPrice', row, ...message }];
        })
      : [],
};

/** Goods that are taxed on their retail price have one: without it their value would be what is charged, which is less. */
export const retailPriceMissing: PricedCheck = {
  code: 'retailPriceMissing',
  weight: 'reason',
  source: 'CGST rule 31D: the value is the retail price that is printed on the goods, less the tax in it',
  find: (checking) => {
    const { kind, draft, facts, pricing } = checking;
    if (!namesItems(checking) || kind.gst.tax !== 'output' || !isRegular(facts.own.kind)) return [];
    return pricing.lines.flatMap(({ hsn, treatment, retailPrice, charge, service }, row): Finding[] => {
      if (charge || service || treatment !== 'taxable' || retailPrice !== undefined) return [];
      if (draft.lines[row]?.source || !isRetailValued(hsn, draft.date)) return [];
      const message = say(
        'Goods of HSN {{hsn}} are taxed on their retail price (rule 31D): enter the price that is printed on them, here or on the ' +
          'item, or say why none is',
        { hsn },
      );
      return [{ field: 'lines.retailPrice', row, ...message }];
    });
  },
};

/**
 * Goods that are given away keep no input credit; what goes with goods that are paid for is one supply with them. A stock adjustment
 * gives the credit back.
 */
/** Of the gross amount, or of the price on record, less than so much is left: a discount that leaves a paisa gives goods away too. */
const NEXT_TO_NOTHING = 100n;
function isNextToNothing(draft: Draft, row: number, line: PricedLine | undefined, { items }: Facts): boolean {
  const { item: id = '', quantity = 0, rate = 0 } = draft.lines[row] ?? {};
  if (!line || line.value <= 0 || draft.currency !== 'INR' || quantity <= 0) return false;
  const price = Math.max(rate, items.get(id)?.saleRate ?? 0);
  // rate and quantity are millionths, the value is paise
  return BigInt(line.value) * 10_000_000_000n * NEXT_TO_NOTHING < BigInt(price) * BigInt(quantity);
}

export const goodsForNothing: PricedCheck = {
  code: 'goodsForNothing',
  weight: 'reason',
  source: 'CGST Act section 17(5)(h); circular 92/11/2019-GST: free samples and gifts, buy one and get one',
  find: (checking) => {
    const { draft, facts, pricing, priced } = checking;
    if (!namesItems(checking) || checking.kind.gst.tax !== 'output' || !isDeclared(checking)) return [];
    // goods that move between own places have a check of their own
    if (!isRegular(facts.own.kind) || draft.withoutTax || isTransfer(checking.kind)) return [];
    return pricing.lines.flatMap(({ charge, service, quantity, freeQuantity, sku }, row): Finding[] => {
      const line = priced.lines[row];
      // an amount of another currency may be nothing in rupees by a wrong rate, which is a problem of its own
      const isFree =
        quantity + freeQuantity > 0 &&
        ((line?.value === 0 && line.foreignValue === 0) || isNextToNothing(draft, row, line, facts));
      if (charge || service || !sku || !(isFree || freeQuantity > quantity)) return [];
      const field = isFree ? 'lines.rate' : 'lines.freeQuantity';
      const message = say(
        '{{sku}} is given for nothing: give samples and gifts away by a stock adjustment, which gives their input credit back, or ' +
          'name the offer that they are part of',
        { sku },
      );
      return [{ field, row, ...message }];
    });
  },
};
