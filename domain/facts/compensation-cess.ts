import type { Dated } from './withholding.ts';

/**
 * When compensation cess is levied, and on what: the GST (Compensation to States) Act 2017, section 8. Notification
 * 2/2025-Compensation Cess (Rate) left it to pan masala and tobacco from 22 September 2025, and 3/2025-Compensation Cess (Rate)
 * made it nil on everything from 1 February 2026. As of November 2026.
 */
export const compensationCess: readonly (Dated & {
  /** Only goods under these codes. */
  readonly hsn?: readonly string[];
})[] = [
  { from: '2017-07-01', to: '2025-09-21' },
  { from: '2025-09-22', to: '2026-01-31', hsn: ['21069020', '2401', '2402', '2403', '2404'] },
];
