import { dayInWords, isDay } from '../../base/dates.ts';
import { say } from '../../base/say.ts';
import { takesIn } from '../../stock/shelf-life.ts';
import type { TypedCheck } from './check.ts';

/** Goods that have expired may be received, to be sent back; nobody should do so without noticing. */
export const expiredBatch: TypedCheck = {
  code: 'expiredBatch',
  weight: 'warning',
  source: 'an expired batch cannot be sold',
  find: ({ kind, draft: { date, lines } }) =>
    kind.party.side === 'supplier' && takesIn(kind) && isDay(date)
      ? lines.flatMap(({ batches = [] }, row) =>
          batches.flatMap(({ batch, expiry }) =>
            expiry !== undefined && expiry < date
              ? [
                  {
                    field: 'lines.batches',
                    row,
                    ...say('Batch {{batch}} expired on {{expiry}}', { batch, expiry: dayInWords(expiry) }),
                  },
                ]
              : [],
          ),
        )
      : [],
};
