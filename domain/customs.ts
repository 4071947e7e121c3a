import { HUNDRED_PERCENT } from './decimal.ts';
import type { Day, PricedLine } from './document.ts';
import { surchargeRates } from './facts/customs.ts';
import { apportion, type Paise, scale, sum } from './money.ts';

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
