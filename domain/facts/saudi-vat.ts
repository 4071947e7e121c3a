// biome-ignore-all format: a table reads best with a row on a line
import type { Dated } from './withholding.ts';

/** The standard rate of value added tax in Saudi Arabia, in ten-thousandths of a percent (Royal Decrees M/113 and A/638). */
export const saudiVatRates: readonly (Dated & { readonly rate: number })[] = [
  { from: '2018-01-01', to: '2020-06-30', rate: 50_000 },
  { from: '2020-07-01', rate: 150_000 },
];
