// biome-ignore-all format: a table reads best with a row on a line
import type { Dated } from './withholding.ts';

/** Social welfare surcharge on the duties of customs, in ten-thousandths of a percent (Finance Act 2018, section 110). */
export const surchargeRates: readonly (Dated & { readonly rate: number })[] = [{ from: '2018-02-02', rate: 100_000 }];
