import { CompiledQuery } from 'kysely';
import type pg from 'pg';
import type { Draft, Id } from '../../../domain/document/document.ts';
import type { Context } from '../../context.ts';
import type { Executor } from '../../kit/database/sql.ts';
import { prepareCancel } from './cancelling/cancel.ts';
import { postInside } from './post.ts';
import { requestFor } from './request/request-for.ts';
import { snapshotNow } from './snapshot.ts';
import type { Posted, PostingRequest } from './types.ts';

/** The connection of a transaction that a query builder began, as posting asks it. Its statements are few: none is prepared by name. */
const clientOf = (trx: Executor): pg.PoolClient =>
  ({
    query: async (asked: string | pg.QueryConfig, values: unknown[] = []) => {
      const { text, values: given = [] } = typeof asked === 'string' ? { text: asked, values } : asked;
      const { rows, numAffectedRows } = await trx.executeQuery(CompiledQuery.raw(text, given));
      return { rows, rowCount: Number(numAffectedRows ?? rows.length) };
    },
  }) as unknown as pg.PoolClient;

const write = (trx: Executor, request: PostingRequest): Promise<Posted> =>
  postInside(clientOf(trx), request, () => snapshotNow(trx, request.organisation));

/** Everything that is looked up for a posting sees what its transaction has written so far. */
const within = (context: Context, trx: Parameters<Parameters<Context['inTransaction']>[0]>[0]): Context => ({
  ...context,
  key: undefined,
  digest: undefined,
  inTransaction: (work) => work(trx),
});
type Trx = Parameters<typeof within>[1];

/** Posts a document in a transaction that is open, with all the checks of one that comes from the editor. */
export async function postWithin(trx: Trx, context: Context, draft: Draft): Promise<Posted> {
  const own = within(context, trx);
  return write(trx, await requestFor(own, draft));
}

/** Cancels a document in a transaction that is open, where the rule of cancellations allows it. */
export async function cancelWithin(trx: Trx, context: Context, id: Id, reason: string): Promise<Posted> {
  return write(trx, await prepareCancel(within(context, trx), id, reason));
}
