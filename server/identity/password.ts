// biome-ignore-all format: texts and rows
import { hash, verify } from '@node-rs/argon2';
import type pg from 'pg';
import { tellOfPerson } from '../kit/security-log.ts';

export const FAILURES = 5;
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, options);

/** An unknown person costs the same work as a known one, so that time tells nothing. */
let nobody: Promise<string> | undefined;

/** One sentence for a wrong password, a locked person and an e-mail that nobody has: it tells nothing of who exists. */
const WRONG = `Email or password is wrong. After ${FAILURES} wrong passwords an account waits 15 minutes.`;

/** One more wrong password or code: told in the security log, and the fifth locks the person for fifteen minutes. */
export async function countFailure(pool: pg.Pool, person: string, isLocked: boolean, from?: string): Promise<void> {
  const { rows } = isLocked ? { rows: [] } : await pool.query<{ locked: boolean }>(`update people set failed_count = case when failed_count + 1 >= $2 then 0 else failed_count + 1 end, locked_until = case when failed_count + 1 >= $2 then now() + interval '15 minutes' else locked_until end where id = $1 returning coalesce(locked_until > now(), false) as locked`, [person, FAILURES]);
  await tellOfPerson(pool, person, 'signInFailed', { from });
  if (rows[0]?.locked) await tellOfPerson(pool, person, 'lockedOut', { from });
}

export type SignIn = { readonly person: string } | { readonly wrong: string };

/** Checks a password; five failures lock the person for fifteen minutes. */
export async function checkPassword(pool: pg.Pool, email: string, password: string, from?: string): Promise<SignIn> {
  const { rows } = await pool.query<{ id: string; password_hash: string | null; locked: boolean }>('select id, password_hash, coalesce(locked_until > now(), false) as locked from people where lower(email) = lower($1)', [email]);
  const [person] = rows;
  nobody ??= hashPassword('nobody knows this');
  const right = await verify(person?.password_hash ?? (await nobody), password).catch(() => false);
  if (person?.password_hash && right && !person.locked) {
    // where a code follows, only that ends the counting: else whoever knows the password could try codes without end
    await pool.query('update people set failed_count = 0, locked_until = null where id = $1 and totp_secret is null and (failed_count > 0 or locked_until is not null)', [person.id]);
    return { person: person.id };
  }
  if (person) await countFailure(pool, person.id, person.locked, from);
  return { wrong: WRONG };
}
