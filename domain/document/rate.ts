import { parseDecimal } from '../base/decimal.ts';

/** What is said of a rate of exchange of 0 that somebody typed: nothing is worth nothing. */
export const rateOfNothing = 'The exchange rate is more than 0: enter it, or leave it empty';

/** Whether a typed rate is 0; one that is left out is that of the day, or of what is corrected. */
export const isRateOfNothing = (typed: string | undefined): boolean => parseDecimal(typed ?? '', 6) === 0;
