import { type Millionths, millionths, ONE } from '../base/decimal.ts';
import { divideRound, minus, type Paise, scale, sum, zero } from '../base/money.ts';
import { takesAway } from '../document/adjusting.ts';
import type { Draft, Id, Priced, PricedLine } from '../document/document.ts';
import type { Kind } from '../document/kinds/kind.ts';
import { takesFromStock, worthByLine } from './stock.ts';

/**
 * A document of this kind says what goods cost: it is worth what they cost, or its amounts are made of that. What is bought says what
 * was agreed with a supplier.
 */
export const saysCost = ({ stock, lines, life, party }: Kind): boolean =>
  stock.valued !== undefined || lines.of === 'stock' || (life.system === true && party.side === 'none');

/** Goods that move and are no supply to anybody have no price: what they cost is what their document is worth. */
export const isAtCost = ({ stock }: Kind, { supply }: Pick<Priced, 'supply'>): boolean =>
  stock.valued !== undefined && supply === 'none';

/**
 * The document at what its movements cost, in paise of rupees; as it was where it has a price, or where nothing moved (an
 * organisation that keeps no stock). `costs` have the signs of the movements, and their order.
 */
export const atCost = (
  kind: Kind,
  priced: Priced,
  movements: readonly { readonly line: number }[],
  costs: readonly number[],
): Priced =>
  isAtCost(kind, priced) && movements.length > 0
    ? worthing(priced, worthByLine(kind, movements, costs), 'cost')
    : priced;

/** The stock of an item at a location, in the item's own unit. */
export interface Held {
  readonly quantity: Millionths;
  readonly value: Paise;
}

/**
 * What a draft will come to, as far as anybody knows before it is posted: what leaves stock at the average that lies there
 * now (where nothing does, at its rate), what comes in at what its line or its source says.
 */
export function estimated(kind: Kind, draft: Draft, priced: Priced, held: (item: Id) => Held | undefined): Priced {
  const moving = priced.lines.filter((line) => line.stocked && line.baseQuantity !== 0);
  if (!isAtCost(kind, priced) || moving.length === 0) return priced;
  const worth = moving.map((line): readonly [number, Paise] => {
    const { delta } = draft.lines[line.number - 1] ?? {};
    const stockBalance = line.item !== undefined && takesFromStock(kind, delta) ? held(line.item) : undefined;
    const cost =
      stockBalance && stockBalance.quantity > 0
        ? scale(stockBalance.value, line.baseQuantity, stockBalance.quantity)
        : line.value;
    return [line.number, takesAway(delta) ? minus(cost) : cost];
  });
  return worthing(priced, new Map(worth), 'estimated');
}

function worthing(priced: Priced, worth: ReadonlyMap<number, Paise>, how: NonNullable<Priced['atCost']>): Priced {
  const lines = priced.lines.map((line): PricedLine => {
    const value = worth.get(line.number) ?? zero;
    const none = { discountAmount: zero, documentDiscount: zero, chargeShare: zero };
    const amounts = { gross: value, taxable: value, value, foreignValue: value, total: value };
    return { ...line, ...none, ...amounts, rate: rateAt(line, value) };
  });
  const total = sum(lines.map(({ value }) => value));
  const none = { charges: [], discount: zero, chargeTotal: zero, roundOff: zero };
  const amounts = { gross: total, taxable: total, value: total, total, payable: total, foreignTotal: total };
  return { ...priced, ...none, ...amounts, lines, atCost: how };
}

/** What one costs when so many cost so much (paise): the rate that was typed where it says the same. */
export function rateAt({ quantity, rate }: Pick<PricedLine, 'quantity' | 'rate'>, value: number): Millionths {
  const size = Math.abs(value);
  if (quantity === 0 || scale(quantity, rate, ONE * 10_000) === size) return rate;
  const each = divideRound(BigInt(size) * BigInt(ONE * 10_000), BigInt(quantity));
  // a grain that took all that was left of a stock balance has no rate that anybody could read
  return each > BigInt(Number.MAX_SAFE_INTEGER) ? rate : millionths(Number(each));
}
