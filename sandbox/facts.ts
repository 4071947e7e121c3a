import currencies from './facts/currencies.json' with { type: 'json' };
import invoiceErrors from './facts/einvoice-errors.json' with { type: 'json' };
import wayErrors from './facts/ewaybill-errors.json' with { type: 'json' };
import taxpayers from './facts/gstin-master.json' with { type: 'json' };
import pincodes from './facts/pincode-state-ranges.json' with { type: 'json' };
import ports from './facts/ports.json' with { type: 'json' };
import rates from './facts/rates.json' with { type: 'json' };
import states from './facts/state-codes.json' with { type: 'json' };
import units from './facts/uqc.json' with { type: 'json' };

const invoiceMeanings = new Map(invoiceErrors.errors.map((error) => [error.code, error.meaning]));
const wayMeanings = new Map(wayErrors.errors.map((error) => [error.code, error.meaning]));

/** Texts that the portal is known to send; the list has paraphrases. */
const spoken: Readonly<Record<string, string>> = { '2150': 'Duplicate IRN' };

/** What the invoice portal says with a code; `n` fills the number in, where the sentence has one. */
export const invoiceMeaning = (code: string, n?: number): string =>
  (spoken[code] ?? invoiceMeanings.get(code) ?? 'Application error').replace('{n}', String(n ?? ''));

/** The e-way-bill portal answers codes without text; this is its own list of them. */
export const wayErrorList: readonly { readonly errorCode: string; readonly errorDesc: string }[] = [...wayMeanings].map(
  ([errorCode, errorDesc]) => ({ errorCode, errorDesc }),
);
export const isWayCode = (code: string): boolean => wayMeanings.has(code);
export const isInvoiceCode = (code: string): boolean => invoiceMeanings.has(code);

export const currencyCodes: ReadonlySet<string> = new Set(Object.keys(currencies));
export const portCodes: ReadonlySet<string> = new Set(Object.keys(ports.ports));
export const unitCodes: ReadonlySet<string> = new Set(units.map((unit) => unit.code));
/** Rates of the portal's master in percent; it takes each whatever the document's date. */
export const gstRates: ReadonlySet<number> = new Set(rates.irpMaster.rates);
export const knownTaxpayers = taxpayers.taxpayers;

const stateNames = new Map(states.filter((state) => state.active).map((state) => [state.code, state.name]));
export const stateName = (code: string): string | undefined => stateNames.get(code);
/** Other country (96), other territory (97) and the prefix of online suppliers (99) are codes, but no place on the map. */
const noPlace: ReadonlySet<string> = new Set(['96', '97', '99']);
export const isState = (code: string): boolean => stateNames.has(code) && !noPlace.has(code);
/** A place of supply is a state, other territory, or other country. 25 was withdrawn, 99 never was one. */
export const isPlaceOfSupply = (code: string): boolean => stateNames.has(code) && code !== '99' && code !== '25';

const prefixes = new Map(pincodes.ranges.map((range) => [range.stateCode, range.prefixRanges]));
const unranged: ReadonlySet<string> = new Set(pincodes.noRangePublished);
const lies = (pin: number, ranges: readonly (readonly number[])[]) => {
  const prefix = Math.trunc(pin / 1000);
  return ranges.some(([low = 0, high = 0]) => low <= prefix && prefix <= high);
};

/** Whether some state's range of the first three digits holds the PIN code. */
export const pinExists = (pin: number): boolean => [...prefixes.values()].some((ranges) => lies(pin, ranges));

/**
 * Whether the PIN code belongs to the state; 999999 is for other country and other territory. States without a
 * published range take any.
 */
export function pinFits(pin: number, state: string): boolean {
  if (pin === 999_999) return state === '96' || state === '97';
  const ranges = prefixes.get(state);
  return ranges ? lies(pin, ranges) : unranged.has(state);
}
