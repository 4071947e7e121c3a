import { type RawBuilder, sql } from 'kysely';
import { MOST_PAGE_ROWS } from '../../contract/pages.ts';
import type { Id } from '../../domain/document/document.ts';
import { type KindName, kindFor, kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { may, parentsOfKind } from '../access/index.ts';
import type { Context } from '../context.ts';

export type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
export type Row = Readonly<Record<string, string | number | null>>;
/** Rows of a part, one more than it shows where there are more; undefined: the part does not concern the record. */
export type PartQuery = (trx: Trx, context: Context, id: Id) => Promise<readonly Row[] | undefined>;

/** One row more than is shown says that there are more. */
export const LIMIT = MOST_PAGE_ROWS + 1;

/** A condition that a location is one of the person's. */
export const isHere = (column: string, { locations }: Context): RawBuilder<boolean> =>
  locations.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = any(${[...locations]}::uuid[])`;

type Side = ReturnType<typeof kindOf>['party']['side'];
/** Kinds of documents that the person may view, of parties of this side or of any. */
export const viewedKinds = (context: Context, side?: Side): KindName[] =>
  kindNames.filter(
    (kind) =>
      (side === undefined || kindOf(kind).party.side === side) &&
      // a cancelled document says so itself
      kind !== kindFor('reversal') &&
      may(context.grants, 'view', parentsOfKind(kind)) &&
      context.sees({ kind }) === 'all',
  );

/** Whether a document `d` is cancelled. */
export const isCancelled = sql<boolean>`exists (
  select from cancellations c where c.organisation = d.organisation and c.document = d.id
)`;
