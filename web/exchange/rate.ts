import type { z } from 'zod';
import type { exchangeCalls } from '../../contract/exchange.ts';
import { ratePurposes } from '../../domain/books/exchange.ts';

export type Rate = z.output<typeof exchangeCalls.ListExchangeRates.details>['rows'][number];

/** What a rate is for, as choices. */
export const purposes = ratePurposes.map(([value, label]) => ({ value, label }));
export const purposeWord = (name: string): string => purposes.find(({ value }) => value === name)?.label ?? name;
