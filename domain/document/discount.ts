import { HUNDRED_PERCENT, parseDecimal } from '../base/decimal.ts';
import { type Said, say } from '../base/say.ts';

/** A discount as it is typed: a percentage, or an amount. */
export type TypedDiscount = { readonly percent: string } | { readonly amount: string };

/** What is wrong with a typed discount that cannot be read; undefined for one that can, and for none. */
export function discountProblem(typed: TypedDiscount | undefined): Said | undefined {
  if (!typed) return undefined;
  const [text, shown, places] =
    'percent' in typed ? [typed.percent, `${typed.percent}%`, 4] : [typed.amount, typed.amount, 2];
  const value = parseDecimal(text, places);
  if (value === undefined)
    return say('“{{shown}}” is not a discount. Enter an amount, or a percentage such as 10%', { shown });
  return 'percent' in typed && (value < 0 || value > HUNDRED_PERCENT)
    ? say('A discount is from 0 % to 100 %')
    : undefined;
}
