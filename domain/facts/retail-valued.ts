import type { Dated } from './withholding.ts';

/**
 * Goods whose tax is inside the retail sale price that is printed on them: CGST rule 31D, inserted by notification 20/2025-CT from
 * 1 February 2026. The codes are those of pan masala and tobacco for which the invoice portal leaves out its comparison of tax
 * and taxable value. As of November 2026.
 */
export const retailValued: readonly (Dated & { readonly hsn: readonly string[] })[] = [
  { from: '2026-02-01', hsn: ['21069020', '2401', '2402', '2403', '24041100', '24041900'] },
];
