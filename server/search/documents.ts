import { sql, type Transaction } from 'kysely';
import type { Answer } from '../../contract/contract.ts';
import type { findCalls } from '../../contract/finding.ts';
import { moneyText } from '../../domain/base/decimal.ts';
import type { Amount } from '../../domain/base/finding.ts';
import type { Id } from '../../domain/document/document.ts';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { totalShown } from '../access/index.ts';
import type { Context } from '../context.ts';
import { nameableRows } from '../documents/index.ts';
import type { Tables } from '../kit/database/sql.ts';

type Found = Answer<(typeof findCalls)['FindAnything']>['documents'][number];

/** Documents that are answered, and how many of each way of meaning them come before all others. */
const SHOWN = 10;
const OF_EACH = 4;
/**
 * Documents that are looked through for each way of meaning them, the newest. Somebody who may see only some of them has more
 * looked through; the time stays bounded in books of any size.
 */
const PROPOSED = { whole: 40, limited: 2000 } as const;

/** What each rank of `found_documents` means. */
const meant: readonly Found['meant'][] = [
  'number',
  'number',
  'reference',
  'number',
  'amount',
  'number',
  'reference',
  'amount',
  'buyer',
  'party',
];

interface Row {
  readonly id: Id;
  readonly kind: string;
  readonly number: string;
  readonly date: string;
  readonly party_name: string;
  readonly reference: string | null;
  readonly total: string;
  readonly foreign_total: string;
  readonly currency: string;
  readonly cancelled: boolean;
  readonly rank: number;
}

export interface MeantDocuments {
  readonly text: string;
  readonly amount: Amount | undefined;
  readonly parties: readonly Id[];
}

/** Whether somebody may open every document of a kind. */
const seesAll = (context: Context, kind: string): boolean =>
  context.may('view', kind) && context.sees({ kind }) === 'all';

/** Documents that the text means and the person may open, those that they list; the best and newest first. */
export async function findDocuments(
  trx: Transaction<Tables>,
  context: Context,
  { text, amount, parties }: MeantDocuments,
): Promise<Found[]> {
  const listed = kindNames.filter((kind) => context.may('read', kind));
  if (listed.length === 0) return [];
  // who finds a document by an amount has been told the amount
  const priced = listed.filter(
    (kind) => kindOf(kind).stock.valued === undefined && totalShown(context, kind, '') !== null,
  );
  const isWhole = context.locations.length === 0 && listed.every((kind) => seesAll(context, kind));
  const { rows } = await sql<Row>`
    with asked as (
      select f.id, min(f.rank) as rank
      from found_documents(
        ${amount?.isSure ? '' : text},
        ${amount?.least ?? null}::bigint,
        ${amount?.most ?? null}::bigint,
        ${/\p{L}/u.test(text) ? text : ''},
        ${[...parties]}::uuid[],
        ${isWhole ? PROPOSED.whole : PROPOSED.limited}
      ) f
      join documents d on d.organisation = ${context.organisation} and d.id = f.id
      where d.kind = any(${listed}::text[])
        and (f.rank not in (4, 7) or d.kind = any(${priced}::text[]))
        and ${nameableRows(context)}
      group by f.id
    )
    select
      d.id, d.kind, d.number, d.date, d.party_name, d.reference, d.total, d.foreign_total, d.currency, asked.rank,
      exists (
        select from cancellations c where c.organisation = d.organisation and c.document = d.id
      ) as cancelled
    from asked
    join documents d on d.organisation = ${context.organisation} and d.id = asked.id
    order by
      row_number() over (partition by asked.rank order by d.date desc, d.id desc) > ${OF_EACH},
      asked.rank,
      d.date desc,
      d.id desc
    limit ${SHOWN}
  `.execute(trx);
  return rows.map((row) => ({
    ...{ id: row.id, kind: row.kind, number: row.number, date: row.date, party: row.party_name },
    ...{ reference: row.reference, currency: row.currency, cancelled: row.cancelled },
    total: priced.some((kind) => kind === row.kind) ? moneyText(Number(row.total)) : null,
    foreignTotal: row.currency === 'INR' ? null : moneyText(Number(row.foreign_total)),
    meant: meant[row.rank] ?? 'party',
  }));
}
