import { millionths, ONE, parseDecimal, quantityText, rateText } from '../../../domain/base/decimal.ts';
import { kindFor, kindOf } from '../../../domain/document/kinds/index.ts';
import { listsThatApply, type PriceList, priceRows, stepsOf } from '../../../domain/items/item-price.ts';
import { listedAtTill, type TillItem, tillPrice } from '../../../domain/till/till.ts';
import { stepFrom } from '../../views/editor/facts.ts';
import { type Counter, dayOf, mayTax, type TillPrices } from '../counter.ts';

type Row = Readonly<Record<string, string | undefined>>;
/** As the server tells it, and as this browser keeps it. */
export interface TillPricesText {
  readonly lists: readonly { readonly list: PriceList; readonly rows: readonly Row[] }[];
  readonly categories: readonly { readonly id: string; readonly parent: string }[];
  readonly cut: boolean;
}
export const pricesFrom = ({ lists, categories, cut }: TillPricesText): TillPrices => ({
  lists: lists.map(({ list, rows }) =>
    priceRows(
      list,
      rows.map((row) => ({ item: row['item'], category: row['category'], ...stepFrom(row) })),
    ),
  ),
  above: new Map(categories.map(({ id, parent }) => [id, parent])),
  cut,
});

/** What a line goes for, as decimal text, with the list that says so and the quantity from which it does. */
export interface LinePrice {
  readonly rate: string;
  readonly list?: string | undefined;
  readonly from?: string | undefined;
}

/** What an item costs at this till, rupees with the tax in it as decimal text, lists aside. */
export function ownPrice(counter: Counter, item: TillItem): string | undefined {
  const rate = tillPrice(item, counter.till.prices, mayTax(counter));
  return rate === undefined ? undefined : rateText(rate);
}

/**
 * What an item goes for here at a quantity: by the list of the customer, or one for tills, this place or everybody, as in the
 * editors; else at `own`, the price it was scanned at. Undefined for an item that has no price.
 */
export function priceAt(
  counter: Counter,
  item: TillItem,
  quantity: string,
  own = ownPrice(counter, item),
): LinePrice | undefined {
  const { till, party, prices } = counter;
  const applicable = listsThatApply(prices.lists, {
    partyList: party?.priceList?.id,
    location: till.location,
    till: true,
  });
  const typed = parseDecimal(quantity, 6) ?? ONE;
  const ownRate = own === undefined ? undefined : millionths(parseDecimal(own, 6) ?? 0);
  const at = { kind: kindOf(kindFor('tillBill')), date: dayOf(counter.session), taxed: mayTax(counter), own: ownRate };
  const found = listedAtTill(
    item,
    { ...at, quantity: millionths(typed) },
    applicable.map((rows) => stepsOf(rows, item, prices.above)),
  );
  if (!found) return undefined;
  return { rate: rateText(found.rate), list: found.list, from: found.from && quantityText(found.from) };
}

/** What each line of a bill goes for now: it follows the quantity and the customer; without a list it stays as it was scanned. */
export const linePrices = (
  lines: readonly { readonly item: string; readonly quantity: string; readonly rate: string }[],
  counter: Counter,
): readonly LinePrice[] =>
  lines.map(({ item: id, quantity, rate }) => {
    const item = counter.items.get(id);
    return (item && priceAt(counter, item, quantity, rate)) ?? { rate };
  });
