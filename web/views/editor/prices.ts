import { isDay } from '../../../domain/base/dates.ts';
import {
  type Millionths,
  millionths,
  ONE,
  parseDecimal,
  percent,
  quantityText,
  rateText,
} from '../../../domain/base/decimal.ts';
import { type ItemPrice, itemPrice, type LastPrice } from '../../../domain/items/item-price.ts';
import { priceFrom, ratioText } from '../../../domain/stock/units.ts';
import { plainNumber } from '../../kit/format.ts';
import type { LineRow } from '../../kit/grid/rowStore.ts';
import type { KnownItem } from './facts.ts';
import type { HeadStore, Model } from './model.ts';
import type { Texts } from './wire.ts';

type Asking = Pick<Model, 'kind' | 'head' | 'session'>;

/** Rupees for one of the document's currency; undefined while a foreign one has no rate yet: no price is known in it then. */
const exchangeOf = (head: HeadStore): Millionths | undefined => {
  const { currency = 'INR', exchangeRate = '' } = head.get();
  if (currency === 'INR') return millionths(ONE);
  const rate = parseDecimal(exchangeRate, 6);
  return rate === undefined || rate <= 0 ? undefined : millionths(rate);
};

/** What a line is proposed to cost as it stands: by the list of the party, else by its item. */
export const offerOf = ({ kind, head, session }: Asking, item: KnownItem, row: Texts): ItemPrice | undefined => {
  const exchangeRate = exchangeOf(head);
  if (!exchangeRate) return undefined;
  const { party = '', location = '', date = '', currency = 'INR', taxInclusive } = head.get();
  const [quantity, gstRate] = [parseDecimal(row['quantity'] ?? '', 6), parseDecimal(row['gstRate'] ?? '', 4)];
  const asked = {
    ...{ date: isDay(date) ? date : session.today, unit: row['unit'] || item.unit, currency, exchangeRate },
    ...{ taxInclusive: taxInclusive === 'true', gstRate: gstRate === undefined ? undefined : percent(gstRate) },
    quantity: quantity === undefined ? undefined : millionths(quantity),
  };
  // while prices of another party or place are still here, their own are on their way
  const isFor = item.prices?.party === party && item.prices.location === location;
  return itemPrice(kind, item, asked, isFor ? item.prices?.lists : [], lastIn(item, asked.unit));
};

/** What the item last went for in a unit: a box has another price than a piece. */
const lastIn = ({ last }: KnownItem, unit: string): LastPrice | undefined => last.find((price) => price.unit === unit);

/** What is shown of it beside a line: in the unit of the line, else with the unit that it was in. */
export const lastShown = (item: KnownItem, row: Texts): Texts => {
  const unit = row['unit'] || item.unit;
  const price = lastIn(item, unit) ?? item.last[0];
  return { lastRate: price ? rateText(price.rate) : '', lastUnit: price && price.unit !== unit ? price.unit : '' };
};

/**
 * What a line is offered at, and its rate as long as nobody typed another: it follows the quantity, the unit, the party, the
 * day and the currency. A rate that was typed is only converted to the other unit when that changes.
 */
export const offered = (asking: Asking, item: KnownItem, row: LineRow): Texts => {
  const rate = row['rate'] ?? '';
  if (row['source']) return { ...unitsOf(item, row), ...(rate && { rate: inUnit(item, row, rate) }) };
  const offer = offerOf(asking, item, row);
  const text = offer ? rateText(offer.rate) : '';
  // a line that was offered nothing yet, and one that comes with this very rate, has no rate of its own
  const isOwn = row['offered'] === undefined ? rate === '' || rate === text : rate === row['offered'];
  const units = unitsOf(item, row);
  const rateOfRow = isOwn ? text : rate && inUnit(item, row, rate);
  const from = offer?.from === undefined ? '' : ` from ${plainNumber(quantityText(offer.from))}`;
  return {
    ...units,
    ...(rateOfRow && { rate: rateOfRow }),
    ...(text && { offered: text }),
    priceList: offer?.list !== undefined && (rateOfRow || rate) === text ? `${offer.list}${from}` : '',
  };
};

/** The units that a line may have. */
const unitsOf = (item: KnownItem, row: LineRow): Texts => {
  const unit = row['unit'] || item.unit;
  const ratio = item.units[unit];
  return {
    ...{ units: Object.keys(item.units).join(','), ownUnit: item.unit, ratio: ratio ? ratioText(ratio) : '' },
    ...(ratio && { unitSeen: unit }),
  };
};

/** The same price for the unit that was just chosen; as it stands for one that the item does not have. */
const inUnit = (item: KnownItem, row: LineRow, rate: string): string => {
  const [from, to] = [item.units[row['unitSeen'] || ''], item.units[row['unit'] || item.unit]];
  const each = parseDecimal(rate, 6);
  return !from || !to || row['unitSeen'] === (row['unit'] || item.unit) || each === undefined
    ? rate
    : rateText(priceFrom(each, from, to));
};

/** A party with a list that has the tax in its prices is billed so, once it is chosen; what follows from a source stays as that. */
export const inclusiveOf = ({ head, facts, kind }: Pick<Model, 'head' | 'facts' | 'kind'>): Texts => {
  const { party = '', against = '', _inclusiveFor = '', _inclusive } = head.get();
  const known = facts.parties.get(party);
  if (!known || _inclusiveFor === party || against || !kind.fields.includes('taxInclusive')) return {};
  if (known.priceList?.taxInclusive) return { taxInclusive: 'true', _inclusive: 'true', _inclusiveFor: party };
  return { _inclusiveFor: party, ...(_inclusive === 'true' && { taxInclusive: '', _inclusive: '' }) };
};
