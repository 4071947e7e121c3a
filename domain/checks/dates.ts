import { compareDays, dayInWords, isDay } from '../dates.ts';
import type { TypedCheck } from './check.ts';

/** Vouchers without a GST number may be dated ahead; those with one may not (rule 46, a problem of its own). */
export const futureDate: TypedCheck = {
  code: 'futureDate',
  weight: 'warning',
  source: 'documents with a GST number are never in the future; other vouchers warn',
  find: ({ kind, draft, today }) =>
    !kind.gstNumber && kind.life === 'posted' && isDay(draft.date) && compareDays(draft.date, today) > 0
      ? [{ field: 'date', message: `This is dated in the future: ${dayInWords(draft.date)}` }]
      : [],
};
