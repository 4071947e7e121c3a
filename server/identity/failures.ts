import { createHash } from 'node:crypto';
import type pg from 'pg';
import { tellOfPerson } from '../kit/security-log.ts';

/** Wrong passwords of an account from one address, or wrong codes of a person, in fifteen minutes. */
export const FAILURES = 5;
/** Wrong passwords of an account from wherever: many who guess together are stopped too, where its owner never was. */
const FROM_EVERYWHERE = 50;
const EVERYWHERE = 'everywhere';
/** Wrong passwords from one address for whatever accounts: who tries one password on many is stopped too. An office behind one address signs in there every day. */
const FROM_PLACE = 100;
const EVERYONE = Buffer.alloc(0);

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
/** What failures are counted for. */
export const accountOf = (email: string): Buffer => digestOf(`password ${email.trim().toLowerCase()}`);
export const codesOf = (person: string): Buffer => digestOf(`code ${person}`);

/** Whether a person's codes wait, for so long as fifteen minutes are not over. */
export async function isClosed(pool: pg.Pool, account: Buffer): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from sign_in_failures where account = $1 and address = '' and until > now() and failed >= $2`,
    [account, FAILURES],
  );
  return rowCount !== 0;
}

export interface Try {
  /** Whether the password may be looked at. */
  readonly open: boolean;
  /** Nothing of it is told any more: a storm must not fill the log. */
  readonly silent: boolean;
  readonly last: boolean;
}

/** Takes a try for an account from an address, before its password is looked at. */
export async function takeTry(
  pool: pg.Pool,
  account: Buffer,
  address: string,
  person: string | undefined,
): Promise<Try> {
  const { rows } = await pool.query<{ taken: number }>('select take_sign_in_try($1, $2, $3, $4, $5) as taken', [
    account,
    address,
    person ?? null,
    FROM_EVERYWHERE,
    FROM_PLACE,
  ]);
  const taken = rows[0]?.taken ?? 0;
  return { open: taken > 0 && taken <= FAILURES, silent: taken > FAILURES + 1, last: taken === FAILURES };
}

/** The password was wrong, or was not looked at; told in the security log when somebody has this account. */
export async function wasWrong(
  pool: pg.Pool,
  account: Buffer,
  address: string,
  { open, silent, last }: Try,
  person: string | undefined,
): Promise<void> {
  if (silent) return;
  const from = address || undefined;
  const closesAll = open && address !== '' && (await count(pool, account, EVERYWHERE, FROM_EVERYWHERE));
  if (open && address !== '') await count(pool, EVERYONE, address, FROM_PLACE);
  // the quarter of an hour begins with the last one
  if (last)
    await pool.query(
      `update sign_in_failures set until = now() + interval '15 minutes' where account = $1 and address = $2`,
      [account, address],
    );
  if (!person) return;
  await tellOfPerson(pool, person, 'signInFailed', { from });
  if (last || closesAll) await tellOfPerson(pool, person, 'lockedOut', { from });
}

const count = async (pool: pg.Pool, account: Buffer, place: string, most: number): Promise<boolean> =>
  (await pool.query<{ closes: boolean }>('select count_sign_in_failure($1, $2, $3) as closes', [account, place, most]))
    .rows[0]?.closes ?? false;

/** Counts one more wrong code, wherever it came from; while codes wait nothing is asked. */
export async function countWrongCode(pool: pg.Pool, account: Buffer, person: string, address: string): Promise<void> {
  const from = address || undefined;
  const closes = await count(pool, account, '', FAILURES);
  await tellOfPerson(pool, person, 'signInFailed', { from });
  if (closes) await tellOfPerson(pool, person, 'lockedOut', { from });
}

/** It was right: what was wrong before from this address is forgotten. What came from elsewhere is not theirs. */
export async function forgetFailures(pool: pg.Pool, account: Buffer, address: string): Promise<void> {
  await pool.query('delete from sign_in_failures where account = $1 and address = $2', [account, address]);
}

/** A person has signed in from here: what others guess elsewhere keeps nobody out here. */
export async function rememberPlace(pool: pg.Pool, person: string, address: string): Promise<void> {
  if (address === '') return;
  await pool.query(
    `insert into sign_in_places (person, address) values ($1, $2) on conflict (person, address) do update set at = now()`,
    [person, address],
  );
}
