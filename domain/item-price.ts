import { HUNDRED_PERCENT, type Millionths, millionths, ONE, type Percent } from './decimal.ts';
import type { Day } from './document.ts';
import type { Kind } from './kinds/kind.ts';
import { divideRound } from './money.ts';
import type { ItemFacts } from './resolve.ts';
import { inBase, itself, priceIn } from './units.ts';

/** What a price list says of an item from a quantity on: a price for one of its own unit, or so much off its own rate. */
export interface PriceStep {
  /** 0 is said of the item itself, 1 of its template, then of categories on the way up, last of everything. */
  readonly rank: number;
  /** In the item's own unit. */
  readonly from: Millionths;
  readonly rate?: Millionths;
  readonly discount?: Percent;
}

/** The price list of a party. */
export interface PriceList {
  readonly name: string;
  readonly currency: string;
  /** Its prices have the tax in them. */
  readonly taxInclusive: boolean;
  readonly validFrom: Day | null;
  readonly validTo: Day | null;
}

/** A price list as far as it concerns one item. */
export interface ItemPrices {
  readonly list: PriceList;
  readonly steps: readonly PriceStep[];
}

/** The line of a document that a price is asked for. */
export interface PriceAsked {
  readonly date: Day;
  readonly unit?: string | undefined;
  /** So many of that unit; one where nothing is typed yet. */
  readonly quantity?: Millionths | undefined;
  readonly currency: string;
  /** Rupees for one of the currency. */
  readonly exchangeRate: Millionths;
  /** Rates of the document have the tax in them. */
  readonly taxInclusive: boolean;
  /** Tax in hundred of the price, and what is asked for each of the item's own unit besides. */
  readonly gstRate?: Percent | undefined;
}

/** What an item last went for with a party, in rupees. */
export interface LastPrice {
  readonly rate: Millionths;
  readonly unit: string;
  readonly taxInclusive: boolean;
}

export interface ItemPrice {
  readonly rate: Millionths;
  /** The name of the list that says so; without one it is the item's own rate. */
  readonly list?: string;
  /** The quantity from which the list says so, where that is not any. */
  readonly from?: Millionths;
}

/** Kinds whose lines are sold or bought at prices of their own: those that come from a source bear its prices. */
export const takesPriceList = (kind: Kind): boolean =>
  kind.lines === 'items' && kind.tax !== 'none' && kind.party.side !== 'none' && !kind.pricedFromSource;

const isValid = ({ validFrom, validTo }: PriceList, date: Day): boolean =>
  (validFrom === null || validFrom <= date) && (validTo === null || date <= validTo);

/** The narrowest step that a quantity has reached; of those the one that begins last. */
export const stepFor = (steps: readonly PriceStep[], base: number): PriceStep | undefined =>
  steps
    .filter(({ from }) => from <= base)
    .reduce<PriceStep | undefined>(
      (best, step) =>
        best && (best.rank < step.rank || (best.rank === step.rank && best.from >= step.from)) ? best : step,
      undefined,
    );

/**
 * What a line of an item is proposed to cost: by the list of the party on the day and for the quantity, else by the item's own
 * rate, and where it has none by what it last went for with the party. The one place that knows: the editor asks it at every key, the server for lines that come without a rate.
 */
export function itemPrice(
  kind: Kind,
  item: ItemFacts | undefined,
  asked: PriceAsked,
  prices?: ItemPrices,
  last?: LastPrice,
): ItemPrice | undefined {
  const { unit = item?.unit, exchangeRate } = asked;
  const own = usualRate(kind, item, unit, exchangeRate);
  const plain = own === undefined ? lastOf(last, asked, unit) : { rate: own };
  if (!item || !prices || !takesPriceList(kind) || !isValid(prices.list, asked.date)) return plain;
  const { list } = prices;
  const ratio = item.units[unit ?? ''] ?? itself;
  const step = stepFor(fitting(prices, asked.currency), inBase(asked.quantity ?? ONE, ratio));
  const both = list.taxInclusive && asked.taxInclusive;
  // an item that is not on a list with the tax in it is proposed with its tax too
  if (!step) return own !== undefined && plain && both ? { rate: withTax(plain.rate, item, asked, ratio) } : plain;
  const said = { list: list.name, ...(step.from > ONE && { from: step.from }) };
  if (step.rate !== undefined) {
    const each = priceIn(step.rate, ratio);
    const rate = list.currency === asked.currency ? millionths(each) : inCurrency(each, exchangeRate);
    if (list.taxInclusive === asked.taxInclusive) return { rate, ...said };
    return { rate: (asked.taxInclusive ? withTax : withoutTax)(rate, item, asked, ratio), ...said };
  }
  if (own === undefined || step.discount === undefined) return plain;
  const less = Number(divideRound(BigInt(own) * BigInt(HUNDRED_PERCENT - step.discount), BigInt(HUNDRED_PERCENT)));
  const rate = millionths(Number(divideRound(BigInt(less), BigInt(CENT))) * CENT);
  return { rate: both ? withTax(rate, item, asked, ratio) : rate, ...said };
}

/** Only as it was: for another unit, with or without tax, or in another currency it would be another price. */
const lastOf = (last: LastPrice | undefined, asked: PriceAsked, unit: string | undefined): ItemPrice | undefined =>
  last && last.unit === unit && asked.currency === 'INR' && last.taxInclusive === asked.taxInclusive
    ? { rate: last.rate }
    : undefined;

/** Prices in one currency say nothing in another; rupees do, by the rate of the day, and so does what is taken off. */
const fitting = ({ list, steps }: ItemPrices, currency: string): readonly PriceStep[] =>
  list.currency === currency || list.currency === 'INR' ? steps : steps.filter(({ rate }) => rate === undefined);

type Ratio = typeof itself;
const taxes = (item: ItemFacts, { gstRate }: PriceAsked, ratio: Ratio) => {
  const isTaxed = item.treatment === 'taxable';
  const percent = isTaxed ? (gstRate ?? item.gstRate) + item.cessRate : 0;
  // paise for one of the item's own unit, as millionths of a rupee for one of this unit
  const each = isTaxed ? priceIn(item.cessPerUnit * CENT, ratio) : 0;
  return { percent, each };
};
function withTax(rate: Millionths, item: ItemFacts, asked: PriceAsked, ratio: Ratio): Millionths {
  const { percent, each } = taxes(item, asked, ratio);
  return millionths(
    Number(divideRound(BigInt(rate) * BigInt(HUNDRED_PERCENT + percent), BigInt(HUNDRED_PERCENT))) + each,
  );
}
function withoutTax(rate: Millionths, item: ItemFacts, asked: PriceAsked, ratio: Ratio): Millionths {
  const { percent, each } = taxes(item, asked, ratio);
  const net = BigInt(Math.max(0, rate - each)) * BigInt(HUNDRED_PERCENT);
  return millionths(Number(divideRound(net, BigInt(HUNDRED_PERCENT + percent))));
}

/** Rupees in another currency, to the cent. */
const inCurrency = (rupees: number, exchangeRate: Millionths): Millionths =>
  exchangeRate === ONE || exchangeRate <= 0
    ? millionths(rupees)
    : millionths(Number(divideRound(BigInt(rupees) * 100n, BigInt(exchangeRate))) * CENT);

/**
 * What one of a unit of an item usually costs in documents of this kind; the item's own unit unless said. Items are priced
 * in rupees: at an exchange rate it is that price in the other currency, to the cent.
 */
export const usualRate = (
  kind: Kind,
  item: ItemFacts | undefined,
  unit = item?.unit,
  exchangeRate = millionths(ONE),
): Millionths | undefined => {
  const each = kind.tax === 'input' || kind.lines === 'stock' ? item?.purchaseRate : item?.saleRate;
  if (each == null) return undefined;
  return inCurrency(priceIn(each, item?.units[unit ?? ''] ?? itself), exchangeRate);
};
const CENT = ONE / 100;
