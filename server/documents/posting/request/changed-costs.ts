import { sql } from 'kysely';
import { millionths } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import { say } from '../../../../domain/base/say.ts';
import type { Draft, Id } from '../../../../domain/document/document.ts';
import { type KindName, kindLabel, kindOf } from '../../../../domain/document/kinds/index.ts';
import { sourceIds } from '../../../../domain/document/sources.ts';
import type { ReceivedLine } from '../../../../domain/stock/landing.ts';
import { coveredLines, coverProblems, type EntryGoods } from '../../../../domain/tax/customs.ts';
import type { Executor } from '../../../kit/database/sql.ts';
import { decimalsProblems } from '../../../kit/measures.ts';
import { Problems } from '../../../kit/problems.ts';
import { nameable } from '../../read/may-read.ts';
import { movementKey } from '../../stock/balances.ts';
import { itemsIn } from '../facts/facts.ts';
import type { PostingRequest } from '../types.ts';
import { entryGoods } from './assessed.ts';
import { lookUpFor, type Requester } from './requester.ts';

/**
 * Which goods get another cost by this document, though they came in before: by a duty of customs on the goods of a bill
 * (`landing`), or by a note on the price of a bill (`repriced`). Their stock balances are locked with those of the document.
 */
export async function changedCosts(
  context: Requester,
  kind: KindName,
  draft: Draft,
): Promise<Pick<PostingRequest, 'landing' | 'repriced'>> {
  const { stock, lines } = kindOf(kind);
  // a note without GST is a discount that was received: the goods keep their cost (ADR 72)
  if (stock.effect !== 'worth' || sourceIds(draft).length === 0 || draft.withoutTax) return {};
  if (lines.of === 'items') return { repriced: await placesOfGoods(context, draft) };
  const { against, customs } = draft;
  return against ? { landing: await goodsOfBill(context, kind, against, customs) } : {};
}

/**
 * Items and locations at which goods came in by the documents that a draft corrects in the end. A document that the user may
 * not see is refused when the draft is checked.
 */
const placesOfGoods = (context: Requester, draft: Draft): Promise<NonNullable<PostingRequest['repriced']>> =>
  lookUpFor(context, 'its bill', async (trx) => {
    const { rows } = await sql<{ item: Id; location: Id }>`
      select distinct m.item, m.location
      from document_lines l
      cross join lateral note_root(l.organisation, l.document, l.line) r
      join movements m on m.organisation = l.organisation and m.document = r.document and m.line = r.line
      where l.organisation = ${context.organisation}
        and l.document = any(${sourceIds(draft)}::uuid[])
        and m.item = any(${itemsIn(draft)}::uuid[])
        and m.quantity > 0
    `.execute(trx);
    return rows;
  });

/**
 * What came in by a bill, line by line, as far as a bill of entry covers it. The bill is posted, so it does not change until
 * this document is. A bill that the user may not see does not exist for them.
 */
const goodsOfBill = (
  context: Requester,
  kind: KindName,
  bill: Id,
  customs: Draft['customs'],
): Promise<readonly ReceivedLine[]> =>
  lookUpFor(context, 'its bill', async (trx) => {
    const rows = await linesOfBill(trx, context, bill);
    refuseBill(context, kind, rows[0]);
    const goods = await entryGoods(trx, context.organisation, bill);
    const problems = await problemsOfCover(trx, context, goods, customs);
    if (problems.length > 0) throw new Problems(problems);
    const received = rows.flatMap((row) => receivedLine(bill, row));
    return coveredLines(received, customs?.covers, goods);
  });

interface BillLine {
  readonly kind: string;
  readonly location: Id;
  readonly author: Id;
  readonly line: number | null;
  readonly taxable: string | null;
  readonly item: Id | null;
  readonly receivedAt: Id | null;
  readonly quantity: string | null;
  readonly number: number | null;
}

/** The bill with each of its lines and what that brought in; one row without a line, where it has none. */
async function linesOfBill(trx: Executor, { organisation }: Requester, bill: Id): Promise<readonly BillLine[]> {
  const { rows } = await sql<BillLine>`
    -- what is paid for it: under rule 31D its tax is on something else
    select
      d.kind, d.location, d.author, l.line, l.value as taxable, m.item, m.location as "receivedAt", m.quantity, m.number
    from documents d
    left join document_lines l on l.organisation = d.organisation and l.document = d.id
    left join movements m
      on m.organisation = l.organisation and m.document = l.document and m.line = l.line and m.quantity > 0
    where d.organisation = ${organisation} and d.id = ${bill}
    order by l.line
  `.execute(trx);
  return rows;
}

function refuseBill(context: Requester, kind: KindName, bill: BillLine | undefined): void {
  if (!bill || !nameable(context)(bill))
    throw new Problems([{ field: 'against', ...say('This document does not exist any more') }]);
  if (!kindOf(kind).source.kinds.includes(bill.kind))
    throw new Problems([
      {
        field: 'against',
        ...say('A {{kind}} is not made from this document', { kind: kindLabel(kind).toLowerCase() }),
      },
    ]);
}

/** Quantities that a bill of entry covers: no more than is there, with the decimals of their unit. */
async function problemsOfCover(
  trx: Executor,
  { organisation }: Requester,
  goods: readonly EntryGoods[],
  customs: Draft['customs'],
): Promise<ConstructorParameters<typeof Problems>[0]> {
  if (!customs) return [];
  const units = new Map(goods.map(({ line, unit }) => [line, unit]));
  const covered = Object.entries(customs.covers ?? {}).map(([line, quantity]) => ({
    quantity,
    unit: units.get(Number(line)),
    at: { field: `customs.covers.${line}` },
  }));
  return [...coverProblems(customs.covers, goods), ...(await decimalsProblems(trx, organisation, covered))];
}

/** A line of the bill with the movement that it made, where it brought goods in. */
function receivedLine(
  bill: Id,
  { line, taxable, item, receivedAt, quantity, number }: BillLine,
): readonly ReceivedLine[] {
  if (line === null) return [];
  const received = item &&
    receivedAt &&
    number !== null && {
      received: { item, location: receivedAt, quantity: millionths(Number(quantity)), of: movementKey(bill, number) },
    };
  return [{ line, taxable: paise(Number(taxable)), ...received }];
}
