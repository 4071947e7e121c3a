import { dayInWords } from '../../base/dates.ts';
import { ONE } from '../../base/decimal.ts';
import { say } from '../../base/say.ts';
import { partName } from '../../stock/parts.ts';
import { itself } from '../../stock/units.ts';
import { takesAway } from '../adjusting.ts';
import type { Draft, Id } from '../document.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Finding, TypedCheck } from './check.ts';

const bringsInStock = (kind: Kind): boolean => kind.roles?.includes('openingStock') === true;

/** Whether a draft adds goods to stock that nobody billed, at a rate that somebody typed. */
export const findsGoods = (kind: Kind, { lines }: Pick<Draft, 'lines'>): boolean =>
  bringsInStock(kind) ||
  (kind.stock.effect === 'adjust' && lines.some(({ delta }) => delta !== undefined && !takesAway(delta)));

/** Found goods are worth so many times their cost at most, or its part, without a question. */
const TIMES = 2n;
const TEN_THOUSAND = 10_000 * ONE;

/** Found goods come in at what such goods cost: a rate far from it makes a profit, or hides one. The cost itself is not said. */
export const foundRateFar: TypedCheck = {
  code: 'foundRateFar',
  weight: 'reason',
  source: 'AS 2, paragraphs 6 and 16: inventories are at what they cost',
  find: ({ kind, draft, facts: { booked, items } }) => {
    if (!findsGoods(kind, draft)) return [];
    return draft.lines.flatMap(({ item: id = '', delta, quantity = 0, rate, unit }, row): Finding[] => {
      const item = items.get(id);
      if (!item || rate === undefined || (delta ?? quantity) <= 0) return [];
      const of = unit === undefined ? itself : (item.units[unit] ?? itself);
      const held = booked?.held?.get(id);
      // ten thousand of it in paise are the rate in millionths of a rupee
      // the first stock of an item is opened at what it cost then, which its purchase rate of today does not say
      const known = held ?? { quantity: TEN_THOUSAND, value: bringsInStock(kind) ? 0 : (item.purchaseRate ?? 0) };
      if (known.quantity <= 0 || known.value <= 0) return [];
      const typed = BigInt(rate) * BigInt(known.quantity) * BigInt(of.per);
      const cost = BigInt(known.value) * BigInt(TEN_THOUSAND) * BigInt(of.base);
      if (typed <= cost * TIMES && typed * TIMES >= cost) return [];
      const message = say('This rate is far from the cost of {{item}} in the books: correct it, or give the reason', {
        item: item.name,
      });
      return [{ field: 'lines.rate', row, ...message }];
    });
  },
};

/** Serial numbers of goods that a draft adds to stock though nobody delivered them, as `[row, item, number]`. */
export const serialsFound = (kind: Kind, draft: Draft): readonly (readonly [number, Id, string])[] =>
  findsGoods(kind, draft)
    ? draft.lines.flatMap(({ item, delta, serials = [] }, row) =>
        item === undefined || (delta !== undefined && takesAway(delta))
          ? []
          : serials.map((serial) => [row, item, partName(serial)] as const),
      )
    : [];

/** What was sold comes back by a return, which takes back revenue, tax and cost: found, it would be ours and paid for. */
export const foundSold: TypedCheck = {
  code: 'foundSold',
  weight: 'reason',
  source: 'CGST Act section 34(1): goods that come back are returned with a credit note',
  find: ({ facts: { booked } }) =>
    (booked?.sold ?? []).map(({ row, serial, number, date }): Finding => {
      const message = number
        ? say(
            'Serial number {{serial}} was sold with {{number}} of {{date}}: return it to that document, or give the reason',
            {
              serial,
              number,
              date: dayInWords(date),
            },
          )
        : say(
            'Serial number {{serial}} was sold with a document that you may not see: have it returned, or give the reason',
            {
              serial,
            },
          );
      return { field: 'lines.serials', row, ...message };
    }),
};
