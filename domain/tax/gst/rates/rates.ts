import { type Percent, percent } from '../../../base/decimal.ts';
import { compensationCess } from '../../../facts/compensation-cess.ts';
import { financialServiceRates, portalRates, slabs } from '../../../facts/gst-rates.ts';
import { serviceRates } from '../../../facts/service-rates.ts';

/** A supply to a merchant exporter: 0.1 %, notifications 40/2017-CT(R) and 41/2017-IT(R). */
export const TO_MERCHANT_EXPORTER = percent(1000);

/**
 * Whether a total GST rate is lawful for a supply on that day; a note takes its original's rate and day. A rate that is left
 * to some goods only is lawful for their codes; without a code, for nobody.
 */
export const isLawfulRate = (rate: Percent, day: string, hsn = ''): boolean =>
  slabs.some(
    (slab) =>
      slab.rate === rate &&
      (slab.from === null || slab.from <= day) &&
      (slab.to === null || day <= slab.to) &&
      (slab.hsn === undefined || slab.hsn.some((code) => isUnder(hsn, code))),
  );

/** Whether a code is one of services (SAC). */
export const isServiceCode = (hsn = ''): boolean => hsn.startsWith('99');

/** A code typed short stands for all that begins with it: 2402 may be 24022010, and 2106 may be 21069020. */
export const isUnder = (hsn: string, code: string): boolean =>
  hsn.length >= 4 && (hsn.startsWith(code) || code.startsWith(hsn));

/** Rates to choose from on a day, ascending, each once. */
export const ratesOn = (day: string, hsn = ''): Percent[] =>
  [...new Set(slabs.map((slab) => slab.rate))]
    .map(percent)
    .filter((rate) => isLawfulRate(rate, day, hsn))
    .sort((a, b) => a - b);

/** Whether the portals take the rate at all, whatever the day. */
export const isPortalRate = (rate: Percent): boolean => (portalRates as readonly number[]).includes(rate);

/** Whether a rate was in force and has ended before a day, for some goods or services at least. */
export const hasEnded = (rate: Percent, day: string): boolean =>
  slabs.some((slab) => slab.rate === rate && slab.to !== null && slab.to < day);

/** Whether a rate began after one day and up to another, for some goods or services at least. */
export const hasChanged = (after: string, until: string): boolean =>
  slabs.some(({ from }) => from !== null && after < from && from <= until);

/** Whether compensation cess may be charged on a day, on goods of this code. */
export const hasCess = (day: string, hsn: string): boolean =>
  compensationCess.some(
    ({ from, to, hsn: codes }) =>
      from <= day &&
      (to === undefined || day <= to) &&
      (codes === undefined || codes.some((code) => isUnder(hsn, code))),
  );

/** The rates of financial services on a day. */
export const financialRatesOn = (day: string): Percent[] =>
  financialServiceRates
    .filter(({ from, to }) => from <= day && (to === null || day <= to))
    .map(({ rate }) => percent(rate));

/** The rates of a service on a day, by its SAC; undefined where the table does not know it. */
export function serviceRatesOn(hsn: string, day: string): Percent[] | undefined {
  const found = serviceRates
    .filter(({ from, to }) => from <= day && (to === undefined || day <= to))
    .flatMap(({ hsn: codes, rates }) => codes.filter((code) => hsn.startsWith(code)).map((code) => ({ code, rates })))
    .sort((a, b) => b.code.length - a.code.length)[0];
  return found?.rates.map(percent);
}
