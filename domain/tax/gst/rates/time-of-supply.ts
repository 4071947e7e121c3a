import type { Day } from '../../../document/document.ts';

/** The three days on which the rate of a supply depends when it changes around them; unpaid: no day of payment. */
export interface SupplyDays {
  readonly supplied: Day;
  readonly invoiced: Day;
  readonly paid?: Day | undefined;
}

const NEVER = '9999-12-31';

/**
 * The days whose rates a supply may bear (section 14 of the CGST Act). Two of the three events on one side of a change decide,
 * so it is the middle one of the three days. Goods bear no tax on payment (notification 66/2017-CT): it is not settled whether
 * the payment counts for them in section 14, so that the earlier of supply and invoice is lawful for them too.
 */
export function ratedDays({ supplied, invoiced, paid = NEVER }: SupplyDays, service: boolean): readonly Day[] {
  const [, middle = invoiced] = [supplied, invoiced, paid].sort();
  const earlier = supplied < invoiced ? supplied : invoiced;
  return service || earlier === middle ? [middle] : [middle, earlier];
}
