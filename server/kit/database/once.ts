import { sql, type Transaction } from 'kysely';
import { Refusal } from '../../../contract/errors.ts';
import type { Tables } from './sql.ts';

/** Whose key it is, and the digest of what was asked under it. */
interface Asked {
  readonly organisation: number;
  readonly user: string;
  readonly key: string | undefined;
  readonly digest: Buffer | undefined;
}

/**
 * Does the work of a call once for its Idempotency-Key, and answers a repeated key with the first answer. The same key in
 * flight waits here: its row is written first, in this transaction. So the answer must be known before the work.
 */
export async function once<A extends object>(
  trx: Transaction<Tables>,
  { organisation, user, key, digest }: Asked,
  answer: A,
  work: (answer: A) => Promise<void>,
): Promise<A> {
  if (!key || !digest) throw new Error('a call that works once is declared idempotent');
  const taken = await sql`
    insert into idempotency_keys (organisation, "user", key, digest, answer)
    values (${organisation}, ${user}, ${key}, ${digest}, ${JSON.stringify(answer)}) on conflict do nothing returning key`.execute(
    trx,
  );
  if (taken.rows.length > 0) {
    await work(answer);
    return answer;
  }
  const { rows } = await sql<{ digest: Buffer; answer: A }>`
    select digest, answer from idempotency_keys where organisation = ${organisation} and "user" = ${user} and key = ${key}`.execute(
    trx,
  );
  const [first] = rows;
  if (!first?.digest.equals(digest)) throw new Refusal('keyReused');
  return first.answer;
}
