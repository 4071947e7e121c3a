import type pg from 'pg';
import { type Said, say } from '../../domain/base/say.ts';
import { accountOf, FAILURES, forgetFailures, rememberPlace, takeTry, waitFor, wasWrong } from './failures.ts';

const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Native code, loaded with the first password: most processes at rest have seen none. */
const argon = () => import('@node-rs/argon2');

export const hashPassword = async (password: string): Promise<string> => (await argon()).hash(password, options);

/** Whether this is the password of which the hash was made. */
export const isPassword = async (hash: string, password: string): Promise<boolean> =>
  (await argon()).verify(hash, password).catch(() => false);

/** An unknown person costs the same work as a known one, so that time tells nothing. */
let nobody: Promise<string> | undefined;

/** One sentence for a wrong password, a locked person and an e-mail that nobody has: it tells nothing of who exists. */
const WRONG = say(
  'Email or password is wrong. After {{failures}} wrong passwords from one internet address, the account is closed to that address ' +
    'for at least 15 minutes.',
  { failures: FAILURES },
);

export type SignIn = { readonly person: string } | { readonly wrong: Said };

/**
 * Checks a password that comes from an address; five failures from there close that address to the account for fifteen
 * minutes. Behind a closed door no password is looked at: that costs work.
 */
export async function checkPassword(pool: pg.Pool, email: string, password: string, address = ''): Promise<SignIn> {
  const account = accountOf(email);
  const { rows } = await pool.query<{ id: string; password_hash: string | null; asked: boolean }>(
    'select id, password_hash, totp_secret is not null as asked from people where lower(email) = lower($1)',
    [email],
  );
  const [person] = rows;
  const taken = await takeTry(pool, account, address, person?.id);
  await waitFor(taken);
  nobody ??= hashPassword('nobody knows this');
  const hash = person?.password_hash ?? (await nobody);
  const right = taken.open && (await isPassword(hash, password));
  if (person?.password_hash && right) {
    await forgetFailures(pool, account, address);
    // whom a code is asked of has signed in when the code was right
    if (!person.asked) await rememberPlace(pool, person.id, address);
    return { person: person.id };
  }
  await wasWrong(pool, account, address, taken, person?.id);
  return { wrong: WRONG };
}
