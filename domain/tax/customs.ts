import { HUNDRED_PERCENT, type Millionths, millionths, quantityText } from '../base/decimal.ts';
import { apportion, type Paise, scale, sum } from '../base/money.ts';
import { type Said, say } from '../base/say.ts';
import type { Covers, Day, PricedLine, Problem } from '../document/document.ts';
import { surchargeRates } from '../facts/customs.ts';

export interface Assessed {
  readonly surcharge: Paise;
  readonly igst: Paise;
}

/**
 * What customs would ask for beside a basic duty: the surcharge on it, and integrated tax on the value with all duties, each
 * line of the bill with its share and rate (Customs Tariff Act, section 3(7)). What the bill of entry says wins.
 */
export function assess(
  date: Day,
  assessable: Paise,
  basic: Paise,
  lines: readonly Pick<PricedLine, 'taxable' | 'gstRate'>[],
): Assessed {
  const rate = surchargeRates.find(({ from, to }) => from <= date && (to === undefined || date <= to))?.rate ?? 0;
  const surcharge = scale(basic, rate, HUNDRED_PERCENT);
  const shares = apportion(
    sum([assessable, basic, surcharge]),
    lines.map((line) => line.taxable),
  );
  return { surcharge, igst: sum(shares.map((share, at) => scale(share, lines[at]?.gstRate ?? 0, HUNDRED_PERCENT))) };
}

/** A line of goods of a purchase abroad, with what no bill of entry covers yet. */
export interface EntryGoods {
  readonly line: number;
  readonly name: string;
  readonly unit: string;
  readonly quantity: Millionths;
  readonly left: Millionths;
}

/** How much of a line a bill of entry covers. */
export const coveredOf = (covers: Covers | undefined, line: number, quantity: Millionths): Millionths =>
  covers ? (covers[line] ?? millionths(0)) : quantity;

/** What a bill of entry says of the goods of its purchase that others have said already, or that nobody bought. */
export function coverProblems(covers: Covers | undefined, goods: readonly EntryGoods[]): Problem[] {
  if (!covers)
    return goods.some(({ quantity, left }) => left !== quantity)
      ? [
          {
            field: 'customs.covers',
            ...say('Another bill of entry covers some of these goods: give the reason for this one'),
          },
        ]
      : [];
  return Object.entries(covers).flatMap(([line, covered]): Problem[] => {
    const bought = goods.find((each) => String(each.line) === line);
    const wrong = (message: Said) => [{ field: `customs.covers.${line}`, ...message }];
    if (!bought) return wrong(say('There are no goods in this line of the purchase'));
    if (covered < 0) return wrong(say('A quantity is not negative'));
    return covered > bought.left
      ? wrong(say('Only {{left}} {{unit}} are left to cover', { left: quantityText(bought.left), unit: bought.unit }))
      : [];
  });
}

/** Lines of a purchase in the proportion in which a bill of entry covers them: duty lies on these; on all when it covers none. */
export function coveredLines<L extends { readonly line: number; readonly taxable: Paise }>(
  lines: readonly L[],
  covers: Covers | undefined,
  goods: readonly EntryGoods[],
): readonly L[] {
  if (!covers || Object.values(covers).every((covered) => covered === 0)) return lines;
  const bought = new Map(goods.map((each) => [each.line, each.quantity]));
  return lines.flatMap((line) => {
    const [quantity, covered] = [bought.get(line.line) ?? 0, covers[line.line] ?? 0];
    return quantity > 0 && covered > 0 ? [{ ...line, taxable: scale(line.taxable, covered, quantity) }] : [];
  });
}
