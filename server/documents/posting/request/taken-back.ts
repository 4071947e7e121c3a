import { sql } from 'kysely';
import { Refusal } from '../../../../contract/errors.ts';
import { rupeesText } from '../../../../domain/base/decimal.ts';
import { type Said, say } from '../../../../domain/base/say.ts';
import { moneySettled } from '../../../../domain/books/posting.ts';
import type { Draft, Id, Problem } from '../../../../domain/document/document.ts';
import { type KindName, kindLabel, kindOf } from '../../../../domain/document/kinds/index.ts';
import type { Executor } from '../../../kit/database/sql.ts';
import { Problems } from '../../../kit/problems.ts';
import { type Named, nameable } from '../../read/may-read.ts';
import { settledBy } from '../settling/settled-by.ts';
import type { ReleasedAllocation } from '../types.ts';
import { lookUpFor, type Requester } from './requester.ts';

/**
 * A document that takes another back whole (a returned cheque) frees all that the other settles: the allocations as they are
 * now, each credit with each due.
 */
export const takenBackWhole = (context: Requester, kind: KindName, draft: Draft): Promise<ReleasedAllocation[]> =>
  lookUpFor(context, 'what it takes back', async (trx) => {
    const original = await documentTakenBack(trx, context, kind, draft);
    refuseOtherParts(original, draft);
    const settlements = await settlementsOf(trx, context, kind, draft);
    refuseTakenBackBefore(original, settlements);
    refuseUnseen(context, original, settlements);
    return settlements.map((each) => released(draft, each));
  });

interface Original {
  readonly kind: string;
  readonly location: Id;
  readonly author: Id;
  readonly number: string;
  /** What it left to settle, in paise of its currency. */
  readonly original: string | null;
  readonly cancelled: boolean;
  readonly party: Id | null;
  readonly draft: Draft;
}

/** The document that the draft is against. It has to be of the kind that this kind takes back. */
async function documentTakenBack(trx: Executor, context: Requester, kind: KindName, draft: Draft): Promise<Original> {
  const { rows } = await sql<Original>`
    select
      d.kind, d.location, d.author, d.number, o.original, o.party, d.body -> 'draft' as draft,
      exists (
        select from cancellations c where c.organisation = d.organisation and c.document = d.id
      ) as cancelled
    from documents d
    left join open_items o on o.organisation = d.organisation and o.document = d.id and o.line = 0
    where d.organisation = ${context.organisation} and d.id = ${draft.against ?? null}::uuid
  `.execute(trx);
  const [found] = rows;
  const { label, source } = kindOf(kind);
  if (!found || !nameable(context)(found) || found.kind !== source.reverses)
    throw problem(
      'against',
      say('A {{label}} is made from a {{undoes}}', {
        label: label.toLowerCase(),
        undoes: kindLabel(source.reverses ?? '').toLowerCase(),
      }),
    );
  if (found.cancelled) throw new Refusal('alreadyCancelled', { number: found.number });
  return found;
}

/**
 * All of it comes back, each part at its own amount: a discount that was given is not money that the bank takes back.
 */
function refuseOtherParts(original: Original, draft: Draft): void {
  const { number } = original;
  if (original.party !== (draft.party ?? null))
    throw problem('party', say('{{number}} is of another party', { number }));
  if (moneySettled({ draft }) !== Number(original.original))
    throw problem('amount', say('{{number}} can only be returned in full', { number }));
  const others = parts
    .filter((field) => (draft[field] ?? 0) !== (original.draft[field] ?? 0))
    .map((field) => ({
      field,
      ...say('{{number}} has {{amount}} here: enter the same', {
        number,
        amount: rupeesText(original.draft[field] ?? 0),
      }),
    }));
  if (others.length > 0) throw new Problems(others);
}
const parts = ['amount', 'tdsAmount', 'gstTdsAmount', 'discountAmount', 'writeOff'] as const;

interface Settlement {
  readonly invoice: Id;
  readonly line: number;
  readonly amount: string;
  readonly invoice_worth: string | null;
  readonly credit_worth: string | null;
  /** Settled by a document of this kind: it was taken back before. */
  readonly undone: boolean;
  readonly settled: Named;
}

/** What the document settles now, by document and line. */
async function settlementsOf(
  trx: Executor,
  { organisation }: Requester,
  kind: KindName,
  { against }: Draft,
): Promise<readonly Settlement[]> {
  const { rows } = await sql<Settlement>`
    select
      a.invoice_document as invoice, a.invoice_line as line, sum(a.amount) as amount,
      sum(a.invoice_worth) as invoice_worth, sum(a.credit_worth) as credit_worth,
      i.kind = ${kind} as undone,
      jsonb_build_object(
        'number', i.number, 'kind', i.kind, 'location', i.location, 'toLocation', i.to_location, 'author', i.author
      ) as settled
    from allocations a
    join documents i on i.organisation = a.organisation and i.id = a.invoice_document
    where a.organisation = ${organisation} and a.credit_document = ${against ?? null}::uuid
    group by 1, 2, i.organisation, i.id
    having sum(a.amount) <> 0
    order by 1, 2
  `.execute(trx);
  return rows;
}

function refuseTakenBackBefore({ number }: Original, settlements: readonly Settlement[]): void {
  if (settlements.some(({ undone }) => undone))
    throw problem('against', say('{{number}} was taken back already', { number }));
}

/** A settlement with a document that the user may not see is not theirs to free. */
function refuseUnseen(context: Requester, { number }: Original, settlements: readonly Settlement[]): void {
  const mayName = nameable(context);
  if (settlements.every(({ settled }) => mayName(settled))) return;
  throw settledBy(
    settlements.map(({ invoice, amount, settled }) => ({ document: invoice, amount, ...settled })),
    { locations: context.locations, mayName },
    number,
  );
}

const released = ({ against }: Draft, settlement: Settlement): ReleasedAllocation => ({
  credit: against ?? '',
  creditLine: 0,
  invoice: settlement.invoice,
  invoiceLine: settlement.line,
  amount: Number(settlement.amount),
  ...(settlement.invoice_worth !== null && {
    invoiceWorth: Number(settlement.invoice_worth),
    creditWorth: Number(settlement.credit_worth),
  }),
});

const problem = (field: Problem['field'], said: Said): Problems => new Problems([{ field, ...said }]);
