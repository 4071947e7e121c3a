import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { Refusal } from '../../../contract/errors.ts';
import type { Id, Warning } from '../../../domain/document/document.ts';
import type { Context } from '../../context.ts';
import type { Loaded } from './load.ts';
import type { Posted, PostingRequest } from './types.ts';

/**
 * Posts once for a key. What was posted under it already cannot be prepared a second time (its draft is gone, its source is
 * used up): then the first answer is given. It is asked for only when something goes wrong, so that it costs a posting nothing.
 */
export async function postedOnce(
  context: Context,
  key: string | undefined,
  post: () => Promise<Posted>,
): Promise<Posted> {
  try {
    return await post();
  } catch (error) {
    const known = key ? await answerOf(context, key) : undefined;
    if (!known) throw error;
    if (!context.digest?.equals(known.digest)) throw new Refusal('keyReused');
    return known.answer;
  }
}

/** Runs a check ahead of a posting; what was posted under its key before need not pass it again. */
export async function checkedAhead(
  context: Context,
  key: string | undefined,
  check: () => Promise<unknown>,
): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!key || !(await answerOf(context, key))) throw error;
  }
}

const answerOf = (context: Context, key: string): Promise<{ digest: Buffer; answer: Posted } | undefined> =>
  context.inTransaction(async (trx) => {
    const { rows } = await sql<{ digest: Buffer; answer: Posted; warnings: readonly KeptWarning[] | null }>`
      select k.digest, k.answer, d.body -> 'warnings' as warnings
      from idempotency_keys k
      left join documents d on d.organisation = k.organisation and d.id = (k.answer ->> 'id')::uuid
      where k.organisation = ${context.organisation} and k."user" = ${context.user} and k.key = ${key}::uuid`.execute(
      trx,
    );
    const [known] = rows;
    return known && { digest: known.digest, answer: answeredWith(known.answer, known.warnings) };
  });

/** The warnings kept with a document, as its posting answered them; none where there were none. */
export const answeredWith = (posted: Posted, kept: readonly KeptWarning[] | null | undefined): Posted =>
  kept?.length
    ? {
        ...posted,
        warnings: kept.map(({ reason, by: _by, ...warning }) => ({ ...warning, ...(reason && { reason: 'needed' }) })),
      }
    : posted;
export type KeptWarning = Omit<Warning, 'reason'> & { readonly reason?: string; readonly by?: Id };

/** The key of each document when one call posts several: the first has the key itself, the others what follows from it. */
export function keyAt(key: string | undefined, place: number): string | undefined {
  if (key === undefined || place === 0) return key;
  const hex = createHash('sha256').update(`${key}/${place}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The first answer to the key of a request, when the same was asked; another request under the key is refused. */
export async function firstAnswer(
  client: pg.PoolClient,
  request: PostingRequest,
  { keys }: Loaded,
): Promise<Posted | undefined> {
  const known = request.key ? keys.find((k) => k.key === request.key) : undefined;
  if (!known) return undefined;
  if (known.digest !== request.digest?.toString('hex')) throw new Refusal('keyReused');
  return withWarnings(client, request.organisation, known.answer);
}

/** A first answer that is given again has the warnings that are kept with its document. */
async function withWarnings(client: pg.PoolClient, organisation: number, posted: Posted): Promise<Posted> {
  const { rows } = await client.query<{ warnings: readonly KeptWarning[] | null }>(
    `select body -> 'warnings' as warnings from documents where organisation = $1 and id = $2`,
    [organisation, posted.id],
  );
  return answeredWith(posted, rows[0]?.warnings);
}
