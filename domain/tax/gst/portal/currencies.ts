import { currencyNames } from '../../../facts/currencies.ts';

export const currencyName = (code: string): string | undefined =>
  Object.hasOwn(currencyNames, code) ? currencyNames[code] : undefined;
