import type { Dated } from './withholding.ts';

/**
 * Goods whose tax is inside the retail sale price that is printed on them: CGST rule 31D, inserted by notification 20/2025-CT from
 * 1 February 2026: pan masala, and tobacco of headings 2401 to 2403 without biris, and of 2404 11 and 2404 19. Read in public pages about
 * the rule (gstpress.com, taxo.online, January 2026), as the notification itself was not at hand; the invoice portal leaves out its
 * comparison of tax and taxable value for the same codes. Biris are 2403 19 21 and 2403 19 29 of the tariff. As of November 2026.
 */
export const retailValued: readonly (Dated & {
  readonly hsn: readonly string[];
  readonly without: readonly string[];
})[] = [
  {
    from: '2026-02-01',
    hsn: ['21069020', '2401', '2402', '2403', '24041100', '24041900'],
    without: ['24031921', '24031929'],
  },
];
