import { HUNDRED_PERCENT, type Millionths, millionths, ONE, type Percent } from '../base/decimal.ts';
import { divideRound } from '../base/money.ts';
import type { Day, Id } from '../document/document.ts';
import type { Kind } from '../document/kinds/kind.ts';
import type { ItemFacts } from '../document/resolve.ts';
import { inBase, itself, priceIn } from '../stock/units.ts';

/** What a price list says of an item from a quantity on: a price for one of its own unit, or so much off its own rate. */
export interface PriceStep {
  /** 0 is said of the item itself, 1 of its template, then of categories on the way up, last of everything. */
  readonly rank: number;
  /** In the item's own unit. */
  readonly from: Millionths;
  readonly rate?: Millionths;
  readonly discount?: Percent;
}

/** For whom a price list is: parties that name it, everybody, documents of some locations, or what is sold at tills. */
export const priceListScopes = ['parties', 'everybody', 'locations', 'tills'] as const;
export type PriceListScope = (typeof priceListScopes)[number];

/** A price list without its rows. */
export interface PriceList {
  readonly id: Id;
  readonly name: string;
  readonly appliesTo: PriceListScope;
  /** Of a list for locations. */
  readonly locations: readonly Id[];
  /** Where two lists have a price for one item, the one of the higher priority applies. */
  readonly priority: number;
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
  /** What it costs here without a list, with or without tax as the document has it; else the item's own rate. */
  readonly own?: Millionths | undefined;
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
  kind.lines.of === 'items' && kind.gst.tax !== 'none' && kind.party.side !== 'none' && !kind.source.givesPrice;

/** Where a price is asked for: by which party with which list, at which place, at a till or not. */
export interface PriceAt {
  readonly partyList?: Id | null | undefined;
  readonly location?: Id | null | undefined;
  readonly till: boolean;
}

const concerns = (list: PriceList, { partyList, location, till }: PriceAt): boolean =>
  list.appliesTo === 'everybody' ||
  (list.appliesTo === 'tills' && till) ||
  (list.appliesTo === 'locations' && location != null && list.locations.includes(location)) ||
  (list.appliesTo === 'parties' && list.id === partyList);

// of two of one priority the narrower one
const narrow: readonly PriceListScope[] = ['parties', 'tills', 'locations', 'everybody'];

/**
 * The lists that apply there, in this order: first the one that the party names, then by priority. The first with a price
 * for the item on the day and for the quantity decides; so an overlap is no mistake.
 */
export const listsThatApply = <T extends { readonly list: PriceList }>(all: readonly T[], at: PriceAt): readonly T[] =>
  all
    .filter(({ list }) => concerns(list, at))
    .toSorted(
      ({ list: a }, { list: b }) =>
        Number(b.appliesTo === 'parties') - Number(a.appliesTo === 'parties') ||
        b.priority - a.priority ||
        narrow.indexOf(a.appliesTo) - narrow.indexOf(b.appliesTo) ||
        (a.id < b.id ? -1 : 1),
    );

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
 * What a line of an item is proposed to cost: by the first of these lists that says so on the day and for the quantity, else by
 * the item's own rate, and where it has none by what it last went for with the party. The one place that knows: the editor asks
 * it at every key, the till at every scan, the server for lines that come without a rate.
 */
export function itemPrice(
  kind: Kind,
  item: ItemFacts | undefined,
  asked: PriceAsked,
  prices: readonly ItemPrices[] = [],
  last?: LastPrice,
): ItemPrice | undefined {
  const { unit = item?.unit, exchangeRate } = asked;
  const own = asked.own ?? usualRate(kind, item, unit, exchangeRate);
  const plain = own === undefined ? lastOf(last, asked, unit) : { rate: own };
  if (!item || prices.length === 0 || !takesPriceList(kind)) return plain;
  const ratio = item.units[unit ?? ''] ?? itself;
  const wanted = inBase(asked.quantity ?? ONE, ratio);
  const valid = prices.filter(({ list }) => isValid(list, asked.date));
  for (const one of valid) {
    const step = stepFor(fitting(one, asked.currency), wanted);
    const found = step && bySaid(one.list, step, { item, asked, ratio, own });
    if (found) return found;
  }
  // an item that is not on the party's list with the tax in it is proposed with its tax too
  const both = valid.some(({ list }) => list.appliesTo === 'parties' && list.taxInclusive) && asked.taxInclusive;
  const bare = own !== undefined && asked.own === undefined;
  return bare && both ? { rate: withTax(own, item, asked, ratio) } : plain;
}

interface Line {
  readonly item: ItemFacts;
  readonly asked: PriceAsked;
  readonly ratio: Ratio;
  readonly own: Millionths | undefined;
}
/** What a step comes to; nothing where it takes something off a price that there is not. */
function bySaid(list: PriceList, step: PriceStep, { item, asked, ratio, own }: Line): ItemPrice | undefined {
  const said = { list: list.name, ...(step.from > ONE && { from: step.from }) };
  if (step.rate !== undefined) {
    const each = priceIn(step.rate, ratio);
    const rate = list.currency === asked.currency ? millionths(each) : inCurrency(each, asked.exchangeRate);
    if (list.taxInclusive === asked.taxInclusive) return { rate, ...said };
    return { rate: (asked.taxInclusive ? withTax : withoutTax)(rate, item, asked, ratio), ...said };
  }
  if (own === undefined || step.discount === undefined) return undefined;
  const less = Number(divideRound(BigInt(own) * BigInt(HUNDRED_PERCENT - step.discount), BigInt(HUNDRED_PERCENT)));
  const rate = millionths(Number(divideRound(BigInt(less), BigInt(CENT))) * CENT);
  const both = asked.own === undefined && list.taxInclusive && asked.taxInclusive;
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
const taxes = (item: ItemFacts, { gstRate }: Pick<PriceAsked, 'gstRate'>, ratio: Ratio) => {
  const isTaxed = item.treatment === 'taxable';
  const percent = isTaxed ? (gstRate ?? item.gstRate) + item.cessRate : 0;
  // paise for one of the item's own unit, as millionths of a rupee for one of this unit
  const each = isTaxed ? priceIn(item.cessPerUnit * CENT, ratio) : 0;
  return { percent, each };
};
function withTax(rate: Millionths, item: ItemFacts, asked: Pick<PriceAsked, 'gstRate'>, ratio: Ratio): Millionths {
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

/** A rate of an item without tax, for one of the unit of its line, with the tax of the line in it. */
export const rateWithTax = (
  rate: Millionths,
  item: ItemFacts,
  { unit, gstRate }: Pick<PriceAsked, 'unit' | 'gstRate'>,
): Millionths => withTax(rate, item, { gstRate }, item.units[unit ?? ''] ?? itself);

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
  const each = kind.gst.tax === 'input' || kind.lines.of === 'stock' ? item?.purchaseRate : item?.saleRate;
  if (each == null) return undefined;
  return inCurrency(priceIn(each, item?.units[unit ?? ''] ?? itself), exchangeRate);
};
const CENT = ONE / 100;

/** A row of a price list, as the record keeps it: of an item, of a category, or of everything. */
export interface PriceRow extends Omit<PriceStep, 'rank'> {
  readonly item?: Id | undefined;
  readonly category?: Id | undefined;
}
/** The rows of a list by what they are said of. */
export interface PriceRows {
  readonly list: PriceList;
  readonly items: ReadonlyMap<Id, readonly PriceRow[]>;
  readonly categories: ReadonlyMap<Id, readonly PriceRow[]>;
  readonly everything: readonly PriceRow[];
}
export function priceRows(list: PriceList, rows: readonly PriceRow[]): PriceRows {
  const items = new Map<Id, PriceRow[]>();
  const categories = new Map<Id, PriceRow[]>();
  const everything: PriceRow[] = [];
  for (const row of rows) {
    const [of, key] = row.item ? [items, row.item] : [categories, row.category ?? ''];
    if (key === '') everything.push(row);
    else of.set(key, [...(of.get(key) ?? []), row]);
  }
  return { list, items, categories, everything };
}

/** So far up a tree of categories is looked; 99 is said of everything. */
const DEEPEST = 50;
const EVERYTHING = 99;

/** What a list says of one item, as `list_prices` of the database answers it: for a till, which has the rows here. */
export function stepsOf(
  { list, items, categories, everything }: PriceRows,
  { id, parent, category }: { readonly id: Id; readonly parent: Id | null; readonly category: Id | null },
  above: ReadonlyMap<Id, Id>,
): ItemPrices {
  const ranked = (rank: number, rows: readonly PriceRow[] = []): PriceStep[] =>
    rows.map(({ item: _item, category: _category, ...step }) => ({ ...step, rank }));
  const up: PriceStep[] = [];
  for (let at = category, rank = 2; at && rank <= DEEPEST; at = above.get(at) ?? null, rank += 1)
    up.push(...ranked(rank, categories.get(at)));
  const steps = [
    ...ranked(0, items.get(id)),
    ...(parent === null ? [] : ranked(1, items.get(parent))),
    ...up,
    ...ranked(EVERYTHING, everything),
  ];
  return { list, steps };
}
