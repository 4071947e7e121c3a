import type { Day } from '../../../document/document.ts';

/**
 * From this day on a credit note reduces the tax of a supply to a registered recipient only where the recipient has reversed the
 * credit that they took of it (proviso to section 34(2) of the CGST Act as amended by the Finance Act 2025, in force by
 * notification 16/2025-CT).
 */
export const REVERSED_FROM: Day = '2025-10-01';

/** What is declared of the credit of the recipient, as it is kept and printed. */
export const creditReversals = ['Reversed by the recipient', 'Not taken by the recipient'] as const;

export const isCreditReversal = (text: string): boolean => (creditReversals as readonly string[]).includes(text);
