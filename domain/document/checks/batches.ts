import { dayInWords, isDay } from '../../base/dates.ts';
import { say } from '../../base/say.ts';
import { partName } from '../../stock/parts.ts';
import { takesIn } from '../../stock/shelf-life.ts';
import type { Draft, Id } from '../document.ts';
import type { Kind } from '../kinds/kind.ts';
import type { TypedCheck } from './check.ts';

const isBought = (kind: Kind): boolean => kind.party.side === 'supplier' && takesIn(kind);

export const batchKey = (item: Id, batch: string): string => `${item}/${partName(batch)}`;

/** Batches that are bought without the day on which they expire: the books may know it. */
export const undatedBatches = (
  kind: Kind,
  { lines }: Draft,
): readonly { readonly item: Id; readonly batch: string }[] =>
  isBought(kind)
    ? lines.flatMap(({ item, batches = [] }) =>
        item === undefined
          ? []
          : batches.filter(({ expiry }) => expiry === undefined).map(({ batch }) => ({ item, batch: partName(batch) })),
      )
    : [];

/** Goods that have expired may be received, to be sent back; nobody should do so without noticing. */
export const expiredBatch: TypedCheck = {
  code: 'expiredBatch',
  weight: 'warning',
  source: 'an expired batch cannot be sold',
  find: ({ kind, draft: { date, lines }, facts: { booked } }) =>
    isBought(kind) && isDay(date)
      ? lines.flatMap(({ item = '', batches = [] }, row) =>
          batches.flatMap(({ batch, expiry = booked?.expiries?.get(batchKey(item, batch)) }) =>
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
