import { type Percent, percent } from '../decimal.ts';
import { portalRates, slabs } from '../facts/gst-rates.ts';

/** Whether a total GST rate is lawful for a supply on that day; a note takes its original's rate and day. */
export const isLawfulRate = (rate: Percent, day: string): boolean =>
  slabs.some(
    (slab) => slab.rate === rate && (slab.from === null || slab.from <= day) && (slab.to === null || day <= slab.to),
  );

/** Rates to choose from on a day, ascending, each once. */
export const ratesOn = (day: string): Percent[] =>
  [...new Set(slabs.map((slab) => slab.rate))]
    .map(percent)
    .filter((rate) => isLawfulRate(rate, day))
    .sort((a, b) => a - b);

/** Whether the portals take the rate at all, whatever the day. */
export const isPortalRate = (rate: Percent): boolean => (portalRates as readonly number[]).includes(rate);
