import { money } from '../../domain/base/decimal.ts';

export const isZero = (text: string): boolean => money(text) === 0;
