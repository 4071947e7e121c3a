import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { peopleCalls } from '../../contract/people.ts';
import { type Said, say } from '../../domain/base/say.ts';
import type { Context } from '../context.ts';
import { Problems } from '../kit/problems.ts';
import type { Vault } from '../kit/secrets/secrets.ts';
import { codesOf, FAILURES, forgetFailures, rememberPlace, takeTry, waitFor, wasWrong } from './failures.ts';
import { base32, newSecret, secretAddress, stepOf } from './totp.ts';

const CODES = 10;
const MINUTES = 5;
/** A secret opens for its own person only: a row copied to another opens nothing. */
const purpose = (person: string): string => `second factor of ${person}`;
const digestOf = (code: string): Buffer =>
  createHash('sha256').update(code.replace(/[\s-]/g, '').toUpperCase()).digest();
const WRONG = say(
  'This code is wrong or was used already. After {{failures}} wrong codes from one internet address, the account is closed to that ' +
    'address for at least 15 minutes.',
  { failures: FAILURES },
);

export interface SecondFactors {
  readonly books: { readonly pool: pg.Pool };
  readonly vault: Vault;
  readonly now: () => number;
}

/** Whether the person is asked for a code. */
export const hasSecondFactor = async (pool: pg.Pool, person: string): Promise<boolean> =>
  (await pool.query('select from people where id = $1 and totp_secret is not null', [person])).rowCount === 1;

/** The hidden field of the form between password and code: proof that the password was right, for a few minutes and this sign-in only. */
export const proofOf = ({ vault, now }: SecondFactors, person: string, sign: string): string =>
  vault
    .seal(JSON.stringify({ person, sign, until: now() + MINUTES * 60_000 }), 'password was right')
    .toString('base64url');

/** Whose password was right; undefined when the proof is forged, too old, or of another sign-in. */
export function personOfProof({ vault, now }: SecondFactors, proof: string, sign: string): string | undefined {
  try {
    const read = JSON.parse(vault.open(Buffer.from(proof, 'base64url'), 'password was right')) as {
      person: string;
      sign: string;
      until: number;
    };
    return read.sign === sign && read.until > now() ? read.person : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Takes a code of the authenticator or a recovery code: each counts once. Answers what is wrong, or nothing. Failures
 * close the address that they come from, as wrong passwords do.
 */
export async function takeCode(
  { books: { pool }, vault, now }: SecondFactors,
  person: string,
  code: string,
  from = '',
): Promise<Said | undefined> {
  const { rows } = await pool.query<{ totp_secret: Buffer | null }>('select totp_secret from people where id = $1', [
    person,
  ]);
  const [own] = rows;
  if (!own?.totp_secret) return WRONG;
  const codes = codesOf(person);
  const tried = await takeTry(pool, codes, from, person);
  await waitFor(tried);
  const step = stepOf(Buffer.from(vault.open(own.totp_secret, purpose(person)), 'base64'), code, now());
  // in one statement each: of two who bring the same code at once, one is too late
  const taken = !tried.open
    ? { rowCount: 0 }
    : step === undefined
      ? await pool.query(
          'update recovery_codes set used_at = now() where person = $1 and digest = $2 and used_at is null',
          [person, digestOf(code)],
        )
      : await pool.query('update people set totp_last_step = $2 where id = $1 and coalesce(totp_last_step, 0) < $2', [
          person,
          step,
        ]);
  if (taken.rowCount === 1) {
    await forgetFailures(pool, codes, from);
    await rememberPlace(pool, person, from);
    return undefined;
  }
  await wasWrong(pool, codes, from, tried, person);
  return WRONG;
}

/** New codes for the day the telephone is lost; those from before open nothing any more. */
async function newRecoveryCodes(pool: pg.Pool, person: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () =>
    base32(randomBytes(7))
      .slice(0, 10)
      .replace(/^(.{5})/, '$1-'),
  );
  await pool.query(
    `
      with gone as (delete from recovery_codes where person = $1)
      insert into recovery_codes (person, digest)
      select $1, unnest($2::bytea[])
    `,
    [person, codes.map(digestOf)],
  );
  return codes;
}

export interface State {
  readonly on: boolean;
  readonly required: boolean;
}
type Calls = Pick<
  typeof peopleCalls,
  'GetSecondFactor' | 'BeginSecondFactor' | 'ConfirmSecondFactor' | 'RenewRecoveryCodes' | 'EndSecondFactor'
>;

/** The person's own second factor. */
export const secondFactorHandlers = (
  factors: SecondFactors,
  embedded: boolean,
  stateOf: (context: Context) => Promise<State>,
): Handlers<Calls, Context> => {
  const {
    books: { pool },
    vault,
  } = factors;
  const emailOf = async (person: string): Promise<string> =>
    (await pool.query<{ email: string }>('select email from people where id = $1', [person])).rows[0]?.email ?? '';
  const ours = async (person: string): Promise<string> => {
    const email = await emailOf(person);
    if (!embedded) throw new Refusal('signInElsewhere', { email });
    return email;
  };
  const prove = async (person: string, code: string): Promise<void> => {
    const wrong = await takeCode(factors, person, code);
    if (wrong) throw new Problems([{ field: 'code', ...wrong }]);
  };
  return {
    GetSecondFactor: async (_, context) => {
      const { person } = context;
      const { rows } = await pool.query<{ left: number }>(
        'select count(*)::int as left from recovery_codes where person = $1 and used_at is null',
        [person],
      );
      return { ...(await stateOf(context)), codesLeft: rows[0]?.left ?? 0 };
    },
    BeginSecondFactor: async (_, { person }) => {
      const email = await ours(person);
      if (await hasSecondFactor(pool, person))
        throw new Refusal('cannotChange', { name: say('The second factor'), reason: say('it is on: end it first') });
      const secret = newSecret();
      await pool.query('update people set totp_pending = $2 where id = $1', [
        person,
        vault.seal(secret.toString('base64'), purpose(person)),
      ]);
      return { secret: base32(secret), address: secretAddress(secret, email) };
    },
    ConfirmSecondFactor: async ({ code }, context) => {
      const { person } = context;
      await ours(person);
      const { rows } = await pool.query<{ totp_pending: Buffer | null }>(
        'select totp_pending from people where id = $1 and totp_secret is null',
        [person],
      );
      const pending = rows[0]?.totp_pending;
      if (!pending) throw new Refusal('notFound');
      const step = stepOf(Buffer.from(vault.open(pending, purpose(person)), 'base64'), code, factors.now());
      if (step === undefined)
        throw new Problems([{ field: 'code', ...say('This is not the code that the authenticator shows now') }]);
      await pool.query(
        'update people set totp_secret = totp_pending, totp_pending = null, totp_last_step = $2 where id = $1 and totp_pending is not null',
        [person, step],
      );
      // from now on, not in two seconds: what was refused for want of it opens
      await stateOf(context);
      return { codes: await newRecoveryCodes(pool, person) };
    },
    RenewRecoveryCodes: async ({ code }, { person }) => {
      await prove(person, code);
      return { codes: await newRecoveryCodes(pool, person) };
    },
    EndSecondFactor: async ({ code }, context) => {
      const { person } = context;
      if ((await stateOf(context)).required)
        throw new Refusal('cannotChange', {
          name: say('The second factor'),
          reason: say('a role or the organisation asks for it'),
        });
      await prove(person, code);
      await forgetSecondFactor(pool, person);
      return {};
    },
  };
};

/** As if there had never been one. */
export async function forgetSecondFactor(pool: pg.Pool, person: string): Promise<void> {
  await pool.query(
    `
      with gone as (delete from recovery_codes where person = $1)
      update people
      set totp_secret = null, totp_pending = null, totp_last_step = null
      where id = $1
    `,
    [person],
  );
}
