import { createHash } from 'node:crypto';
import type pg from 'pg';
import { tellOfPerson } from '../kit/security-log.ts';

/** Wrong passwords of an account from one address, or wrong codes of a person, in fifteen minutes. */
export const FAILURES = 5;
/** Wrong passwords of an account from wherever: many who guess together are stopped too. */
const FROM_EVERYWHERE = 50;
const EVERYWHERE = 'everywhere';

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
/** What failures are counted for. */
export const accountOf = (email: string): Buffer => digestOf(`password ${email.trim().toLowerCase()}`);
export const codesOf = (person: string): Buffer => digestOf(`code ${person}`);

/** Whether the door is closed to an account from this address, for so long as fifteen minutes are not over. */
export async function isClosed(pool: pg.Pool, account: Buffer, address: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from sign_in_failures where account = $1 and until > now()
        and ((address = $2 and failed >= $3) or (address = '${EVERYWHERE}' and failed >= $4))`,
    [account, address, FAILURES, FROM_EVERYWHERE],
  );
  return rowCount !== 0;
}

/** Counts one more; told in the security log when somebody has this account. While the door is closed nothing counts. */
export async function countFailure(
  pool: pg.Pool,
  account: Buffer,
  address: string,
  { person, closed, of = 'address' }: { person: string | undefined; closed: boolean; of?: 'address' | 'person' },
): Promise<void> {
  const from = address || undefined;
  if (closed) {
    if (person) await tellOfPerson(pool, person, 'signInFailed', { from });
    return;
  }
  const count = async (place: string, most: number): Promise<boolean> =>
    (
      await pool.query<{ closes: boolean }>('select count_sign_in_failure($1, $2, $3) as closes', [
        account,
        place,
        most,
      ])
    ).rows[0]?.closes ?? false;
  const closes = await count(of === 'person' ? '' : address, FAILURES);
  const closesAll = of === 'address' && (await count(EVERYWHERE, FROM_EVERYWHERE));
  if (!person) return;
  await tellOfPerson(pool, person, 'signInFailed', { from });
  if (closes || closesAll) await tellOfPerson(pool, person, 'lockedOut', { from });
}

/** It was right: what was wrong before from this address is forgotten. What came from elsewhere is not his. */
export async function forgetFailures(pool: pg.Pool, account: Buffer, address: string): Promise<void> {
  await pool.query('delete from sign_in_failures where account = $1 and address = $2', [account, address]);
}
