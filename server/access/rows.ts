import { type RawBuilder, sql } from 'kysely';
import { type WayName, ways, wayTaken } from '../../domain/banking/bank-matching.ts';
import type { Id } from '../../domain/document/document.ts';
import type { KindName } from '../../domain/document/kinds/index.ts';
import type { Context, Row, RowName } from '../context.ts';

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

/** What each sort of row is found by. */
export interface RowKeys {
  readonly document: Id;
  readonly paper: Id;
  readonly documentOrDraft: Id;
  readonly draft: Id;
  readonly documentNumber: { readonly number: string; readonly kind?: string };
  readonly orderNumber: { readonly number: string; readonly kinds: readonly KindName[] };
  readonly einvoice: string;
  readonly wayBill: string;
  readonly recurringBill: Id;
  readonly bankLine: { readonly ledger: Id; readonly line: Id; readonly way: WayName };
}

type Finder<K> = (trx: Trx, context: Context, key: K) => Promise<readonly Row[]>;

/** Runs one query for rows; row-level security and the condition leave those of the organisation. */
const rowsOf = async (trx: Trx, query: RawBuilder<Row>): Promise<readonly Row[]> => (await query.execute(trx)).rows;

/** A row that is in the books: it always has a place. */
interface PostedRow extends Row {
  readonly location: Id;
}

const posted = ({ organisation }: Context, id: Id) => sql<PostedRow>`
  select kind, location, author from documents where organisation = ${organisation} and id = ${id}::uuid
`;
/** Posted documents, open to the people of both ends where goods are sent. */
const postedAtBothEnds = ({ organisation }: Context, id: Id) => sql<PostedRow>`
  select kind, location, to_location as "toLocation", author
  from documents
  where organisation = ${organisation} and id = ${id}::uuid
`;
const numberedAtBothEnds = ({ organisation }: Context, { number, kind }: RowKeys['documentNumber']) => sql<PostedRow>`
  select kind, location, to_location as "toLocation", author
  from documents
  where organisation = ${organisation}
    and upper(number) = upper(${number})
    and ${kind ? sql`kind = ${kind}` : sql`true`}
  limit 1
`;
const drafted = ({ organisation }: Context, id: Id) => sql<Row>`
  select
    kind, body ->> 'location' as location, author,
    case when submitted_at is null then 'kept' else 'submitted' end as draft
  from drafts
  where organisation = ${organisation} and id = ${id}::uuid
`;

/** A draft keeps its id when it is posted: what is posted is looked for first. */
const firstOf = async (trx: Trx, ...queries: readonly RawBuilder<Row>[]): Promise<readonly Row[]> => {
  for (const query of queries) {
    const rows = await rowsOf(trx, query);
    if (rows.length > 0) return rows;
  }
  return [];
};

/** How rows that decide about a call are found, each by one query. */
export const rowFinders: { readonly [R in RowName]: Finder<RowKeys[R]> } = {
  /** A posted document, for the people of its location. */
  document: (trx, context, id) => rowsOf(trx, posted(context, id)),

  /** What has a view and a paper: a posted document, for the people of both ends, or a draft. */
  paper: (trx, context, id) => firstOf(trx, postedAtBothEnds(context, id), drafted(context, id)),

  /** A posted document, for the people of its location, or a draft: what has comments and files. */
  documentOrDraft: (trx, context, id) => firstOf(trx, posted(context, id), drafted(context, id)),

  draft: (trx, context, id) => rowsOf(trx, drafted(context, id)),

  documentNumber: (trx, context, key) => rowsOf(trx, numberedAtBothEnds(context, key)),

  /** Orders by number: several kinds may have the same one. */
  orderNumber: (trx, { organisation }, { number, kinds }) =>
    rowsOf(
      trx,
      sql<PostedRow>`
        select kind, location, author
        from documents
        where organisation = ${organisation}
          and reverses is null
          and upper(number) = upper(${number})
          and kind = any(${[...kinds]}::text[])
        order by posted_at desc
        limit 20
      `,
    ),

  /** The document of an IRN. */
  einvoice: (trx, { organisation }, irn) =>
    rowsOf(
      trx,
      sql<PostedRow>`
        select d.kind, d.location, d.author
        from einvoices e
        join documents d on d.organisation = e.organisation and d.id = e.document
        where e.organisation = ${organisation} and e.irn = lower(${irn}) and e.ack_no is not null
      `,
    ),

  /** The document of an e-way bill, by the number of the bill. */
  wayBill: (trx, { organisation }, number) =>
    rowsOf(
      trx,
      sql<PostedRow>`
        select d.kind, d.location, d.author
        from eway_bills w
        join documents d on d.organisation = w.organisation and d.id = w.document
        where w.organisation = ${organisation} and w.number = ${number}
      `,
    ),

  recurringBill: (trx, { organisation }, id) =>
    rowsOf(
      trx,
      sql<PostedRow>`select kind, location from recurring_bills where organisation = ${organisation} and id = ${id}::uuid`,
    ),

  /** What a line of a bank statement is posted as: that follows from the way asked for, the amount and the currency. */
  bankLine: async (trx, { organisation, settings }, { ledger, line, way }) => {
    const { rows } = await sql<{ amount: string; currency: string | null }>`
      select b.amount, l.currency
      from bank_lines b
      join ledgers l on l.organisation = b.organisation and l.id = b.ledger
      where b.organisation = ${organisation} and b.ledger = ${ledger}::uuid and b.id = ${line}::uuid
    `.execute(trx);
    return rows.map(({ amount, currency }) => ({
      kind: ways[wayTaken(way, Number(amount), settings.autoRoundOffTotals, currency)].kind,
    }));
  },
};
