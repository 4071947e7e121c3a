import { createHash } from 'node:crypto';
import type pg from 'pg';
import { tellOfPerson } from '../kit/secrets/security-log.ts';

/** Wrong passwords, or wrong codes, of an account from one address, in fifteen minutes. */
export const FAILURES = 5;
/** What is left of them to an address that is new to the account while many guess together. */
const GUESSED = 2;
/** How long such an address is closed once its tries are over: guessing from many addresses gets through a few a day of each. */
const CLOSED_FOR = { alone: '15 minutes', together: '1 day' } as const;
/** Milliseconds that a try waits for each time that many were wrong together, and at most. */
const WAIT = 2000;
const LONGEST_WAIT = 16_000;
/**
 * Wrong passwords from one address for whatever accounts: who tries one password on many is stopped too. An office
 * behind one address signs in there every day.
 */
const FROM_PLACE = 100;
const EVERYWHERE = 'everywhere';
const EVERYONE = Buffer.alloc(0);

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** What tries are counted for, and how many wrong ones from everywhere in fifteen minutes say that many guess together. */
export interface Account {
  readonly digest: Buffer;
  readonly many: number;
}
export const accountOf = (email: string): Account => ({
  digest: digestOf(`password ${email.trim().toLowerCase()}`),
  many: 50,
});
/** Who tries codes knows the password: far fewer are many. */
export const codesOf = (person: string): Account => ({ digest: digestOf(`code ${person}`), many: 10 });

export interface Try {
  /** Whether the password or code may be looked at. */
  readonly open: boolean;
  /** No more of them are logged: a storm must not fill the log. */
  readonly silent: boolean;
  readonly last: boolean;
  readonly closedFor: string;
  /** Milliseconds to wait before it is looked at. */
  readonly wait: number;
}

/**
 * Takes a try for an account from an address, before its password or code is looked at. Others' wrong ones close no door: they
 * make tries from addresses that are new to the account fewer, and slow.
 */
export async function takeTry(pool: pg.Pool, account: Account, address: string, person?: string): Promise<Try> {
  const { rows } = await pool.query<{ taken: number; elsewhere: number }>(
    'select taken, elsewhere from take_sign_in_try($1, $2, $3, $4)',
    [account.digest, address, person ?? null, FROM_PLACE],
  );
  const { taken = 0, elsewhere = 0 } = rows[0] ?? {};
  const times = Math.floor(elsewhere / account.many);
  const most = times > 0 ? GUESSED : FAILURES;
  const open = taken > 0 && taken <= most;
  return {
    open,
    silent: taken > most + 1,
    last: taken === most,
    closedFor: times > 0 ? CLOSED_FOR.together : CLOSED_FOR.alone,
    wait: open ? Math.min(times * WAIT, LONGEST_WAIT) : 0,
  };
}

/** Waits as a try has to. */
export const waitFor = ({ wait }: Try): Promise<void> => new Promise((over) => setTimeout(over, wait));

/** The password or code was wrong, or was not looked at; written to the security log when somebody has this account. */
export async function wasWrong(
  pool: pg.Pool,
  { digest, many }: Account,
  address: string,
  { open, silent, last, closedFor }: Try,
  person: string | undefined,
): Promise<void> {
  if (silent) return;
  const from = address || undefined;
  const areMany = open && address !== '' && (await countOfAll(pool, digest)) % many === 0;
  if (open && address !== '')
    await pool.query('select count_sign_in_failure($1, $2, $3)', [EVERYONE, address, FROM_PLACE]);
  // the time begins with the last one
  if (last)
    await pool.query('update sign_in_failures set until = now() + $3::interval where account = $1 and address = $2', [
      digest,
      address,
      closedFor,
    ]);
  if (!person) return;
  await tellOfPerson(pool, person, 'signInFailed', { from });
  if (last) await tellOfPerson(pool, person, 'lockedOut', { from });
  if (areMany) await tellOfPerson(pool, person, 'guessed', { from });
}

/** Counts a wrong one of an account from wherever it came; answers how many there were in these fifteen minutes. */
async function countOfAll(pool: pg.Pool, account: Buffer): Promise<number> {
  const { rows } = await pool.query<{ failed: number }>(
    `insert into sign_in_failures as f (account, address, failed, until)
     values ($1, $2, 1, now() + interval '15 minutes')
     on conflict (account, address) do update set
       failed = case when f.until < now() then 1 else f.failed + 1 end,
       until = case when f.until < now() then now() + interval '15 minutes' else f.until end
     returning failed`,
    [account, EVERYWHERE],
  );
  return rows[0]?.failed ?? 0;
}

/** It was right: what was wrong before from this address is forgotten. What came from elsewhere is not theirs. */
export async function forgetFailures(pool: pg.Pool, { digest }: Account, address: string): Promise<void> {
  await pool.query('delete from sign_in_failures where account = $1 and address = $2', [digest, address]);
}

/** A person has signed in from here, with the second factor where there is one: what others guess elsewhere is no matter here. */
export async function rememberPlace(pool: pg.Pool, person: string, address: string): Promise<void> {
  if (address === '') return;
  await pool.query(
    `insert into sign_in_places (person, address) values ($1, $2) on conflict (person, address) do update set at = now()`,
    [person, address],
  );
}
