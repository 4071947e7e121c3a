import type pg from 'pg';
import { Refusal } from '../../../../contract/errors.ts';
import { rupeesText } from '../../../../domain/base/decimal.ts';
import { say } from '../../../../domain/base/say.ts';
import type { Id } from '../../../../domain/document/document.ts';
import { type Named, numberIf } from '../../read/may-read.ts';
import type { CheckedRequest, PostingRequest } from '../types.ts';

/** A document that settles another, or is settled by it, and for how much. */
export interface Settlement extends Named {
  readonly document: Id;
  readonly amount: string;
}

/** Documents named in a refusal. */
const MOST_NAMED = 5;
/** The refusal; a document that the user may not see is not named. */
export function settledBy(
  settlements: readonly Settlement[],
  at: Pick<PostingRequest, 'locations' | 'mayName'>,
  number: string,
): Refusal {
  const named = settlements
    .slice(0, MOST_NAMED)
    .map((s) => `${numberIf(at.mayName(s), at, s)} (${rupeesText(Number(s.amount))})`);
  const more = settlements.length - named.length;
  const seesAll = settlements.every((s) => at.mayName(s));
  // a code of its own: who may not see a settlement cannot free it either, and is not offered to
  return new Refusal(seesAll ? 'settled' : 'settledElsewhere', {
    number,
    list: [...named, ...(more > 0 ? [`${more} more`] : [])].join(', '),
    next: seesAll
      ? say('cancel it together with these settlements, or take the settlements back first')
      : say('you may not see some of these. Ask a user who may see all of them to take the settlements back first'),
  });
}

/**
 * A settlement that came since the cancellation was prepared is refused under the lock of its open items; where settlements are
 * freed, one with a document that the user may not see.
 */
export async function refuseSettled(client: pg.PoolClient, request: CheckedRequest): Promise<void> {
  const { organisation, mirrorOf, draft } = request;
  if (!mirrorOf) return;
  const { rows } = await client.query(
    `select s.document, s.location, s.number, s.amount, d.kind, d.to_location as "toLocation", d.author
       from settlements_of($1, $2) s
       join documents d
         on d.organisation = $1
        and d.id = s.document
      order by s.number`,
    [organisation, mirrorOf.document],
  );
  const barred = mirrorOf.frees ? rows.some((row) => !request.mayName(row)) : rows.length > 0;
  if (barred) throw settledBy(rows, request, draft.reference ?? '');
}
