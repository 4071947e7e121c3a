import { sql } from 'kysely';
import type { bankingCalls } from '../../contract/banking.ts';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { zero } from '../../domain/base/money.ts';
import { say } from '../../domain/base/say.ts';
import type { Day, Draft, Id } from '../../domain/document/document.ts';
import { type KindName, kindFor, kindLabel, kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import type { Context } from '../context.ts';
import { type Poster, postedOnce, preparePosting, reasonsOf } from '../documents/index.ts';
import { Problems } from '../kit/problems.ts';

type Call = (typeof bankingCalls)['BounceReceipt'];

/** The kind that takes back a document of another kind whole, where there is one. */
const undoing = (name: string) => kindNames.find((kind) => kindOf(kind).source.reverses === name);

/**
 * A cheque that came back: the receipt was right on its day and stays; on the day of the return all of it goes the other way,
 * and what it settled is open again. The bank keeps its charge.
 */
export async function bounceReceipt(
  poster: Poster,
  { TransactionId, date, reason, bankCharges, accepted }: Input<Call>,
  context: Context,
): Promise<Answer<Call>> {
  const { organisation, today } = context;
  const { rows } = await context.inTransaction((trx) =>
    sql<{ kind: string; number: string; date: Day; location: Id; registration: Id; draft: Draft }>`
      select kind, number, date, location, registration, body -> 'draft' as draft
      from documents
      where organisation = ${organisation} and id = ${TransactionId}::uuid
    `.execute(trx),
  );
  const [receipt] = rows;
  if (!receipt) throw new Refusal('notFound');
  const kind = undoing(receipt.kind);
  if (!kind)
    throw new Refusal('cannotChange', {
      name: receipt.number,
      reason: say('only a receipt can be returned by the bank'),
    });
  if (date < receipt.date)
    throw new Problems([{ field: 'date', ...say('It cannot be returned before the day it was received') }]);
  if (date > today) throw new Problems([{ field: 'date', ...say('This day has not come') }]);
  const {
    party,
    moneyLedger,
    amount,
    tdsAmount,
    gstTdsAmount,
    discountAmount,
    writeOff,
    currency,
    exchangeRate,
    costCentre,
    reference,
    fields,
  } = receipt.draft;
  const same = {
    party,
    moneyLedger,
    amount,
    tdsAmount,
    gstTdsAmount,
    discountAmount,
    writeOff,
    costCentre,
    reference,
    fields,
    bankCharges,
  };
  const given = Object.fromEntries(Object.entries(same).filter(([, value]) => value !== undefined)) as Partial<Draft>;
  const draft: Draft = {
    ...given,
    kind,
    date,
    registration: receipt.registration,
    location: receipt.location,
    currency,
    exchangeRate,
    lines: [],
    against: TransactionId,
    reason,
    narration: reason,
    ...reasonsOf(context, accepted),
  };
  const posted = await postedOnce(context, context.key, async () =>
    poster.post(
      await preparePosting(context, draft, {
        skipsApproval: {
          // that the cheque came back is the bank's word; what it cost is typed
          amount: bankCharges ?? zero,
          kinds: [receipt.kind as KindName, kindFor('bankCharges')],
          name: 'Bank charges',
          instead: say('enter the return without them, enter them as a {{kind}}, and send that for approval', {
            kind: kindLabel(kindFor('bankCharges')).toLowerCase(),
          }),
        },
      }),
    ),
  );
  return { TransactionId: posted.id, TransactionNumber: posted.number, warnings: [...(posted.warnings ?? [])] };
}
