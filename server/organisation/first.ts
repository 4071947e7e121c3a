import type pg from 'pg';
import { z } from 'zod';
import { founding, inItsState } from '../../contract/founding.ts';
import { required } from '../../contract/wire.ts';
import { say } from '../../domain/base/say.ts';
import type { Problem } from '../../domain/document/document.ts';
import { businesses } from '../../domain/facts/businesses.ts';
import { holderOf, panOfGstin, stateOfGstin } from '../../domain/tax/gst/registration/gstin.ts';
import { stateName } from '../../domain/tax/gst/registration/states.ts';
import { readInput } from '../kit/input.ts';
import { newPasswordProblem } from '../kit/secrets/new-password.ts';
import { type Founded, foundOrganisation } from './found.ts';

/** What the first organisation of an installation is made of, as typed into its form. */
const shape = inItsState(
  founding.extend({
    // a form sends what is ticked, and nothing of what is not
    einvoice: z
      .string()
      .optional()
      .transform((t) => t !== undefined),
    person: required(100, 'Your name'),
    email: z
      .string()
      .default('')
      .transform((t) => t.trim())
      .pipe(z.email('This is not an e-mail address')),
    password: z.string().default(''),
    again: z.string().default(''),
  }),
);
export type First = z.output<typeof shape>;

/** Reads the form; each problem is named at its field. `asksPassword`: passwords are kept here, and one is chosen with it. */
export function readFirst(typed: unknown, asksPassword: boolean): First | readonly Problem[] {
  const read = readInput(shape, typed);
  const problems: Problem[] = 'problems' in read ? [...read.problems] : [];
  const raw = typed as Partial<Record<keyof First, string>>;
  const gstin = String(raw.gstin ?? '').trim();
  if (gstin === '' && stateName(String(raw.state ?? '')) === undefined)
    problems.push({ field: 'state', ...say('Choose the state, or enter the GSTIN') });
  if (asksPassword) {
    const wrong = newPasswordProblem(String(raw.password ?? ''), {
      email: String(raw.email ?? ''),
      names: [raw.person, raw.name, raw.code].map((name) => String(name ?? '')),
    });
    if (wrong) problems.push({ field: 'password', ...wrong });
    else if (raw.password !== raw.again) problems.push({ field: 'again', ...say('The two passwords differ') });
  }
  return 'data' in read && problems.length === 0 ? read.data : problems;
}

export type Typed = z.output<typeof founding>;

/** An organisation with its registration, its place and its owner, in an open transaction of the owner's role. */
async function foundAs(
  client: pg.ClientBase,
  typed: Typed,
  owner: { readonly name: string; readonly email: string; readonly passwordHash: string | null },
): Promise<Founded> {
  const address = { line1: typed.line1, city: typed.city, pincode: typed.pincode };
  const gstin = typed.gstin || null;
  const business = businesses[typed.business];
  const made = await foundOrganisation(client, {
    code: typed.code,
    name: typed.name,
    settings: { ...business.settings, ...(deductsTax(gstin) && { tdsadjustments: true }) },
    registrations: [
      {
        key: 'R',
        gstin,
        state: gstin ? stateOfGstin(gstin) : typed.state,
        legalName: typed.name,
        kind: gstin ? typed.kind : 'unregistered',
        einvoice: gstin !== null && typed.einvoice,
        address,
        mark: '',
      },
    ],
    locations: [
      { key: 'L', code: 'HO', name: 'Head office', registration: 'R', isTax: true, isPhysical: true, address },
    ],
    people: [{ email: owner.email, name: owner.name, passwordHash: owner.passwordHash, role: 'Owner' }],
  });
  await client.query('update organisations set body = $2 where organisation = $1', [
    made.organisation,
    { pan: gstin ? (panOfGstin(gstin) ?? '') : '', email: owner.email, businessType: business.label },
  ]);
  return made;
}

/** Companies and firms deduct tax from their first payment on (section 194C and others); persons and families above a turnover. */
const deductsTax = (gstin: string | null): boolean => ['company', 'firm'].includes(holderOf(gstin) ?? '');

interface Owner {
  readonly name: string;
  readonly email: string;
  /** Who founds for themselves is in at once; anybody else takes the place up by a link. */
  readonly accepted: boolean;
  /** For a person who has no password yet. */
  readonly passwordHash?: string | null;
  /** A link that is used up with it; when it is used already, nothing is made. */
  readonly link?: Buffer;
}

/** Makes a further organisation; undefined: its code is taken, or the link opens nothing any more. */
export async function foundAnother(
  pool: pg.Pool,
  typed: Typed,
  owner: Owner,
): Promise<{ readonly organisation: number; readonly user: string; readonly person: string } | undefined> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    if (owner.link) {
      const used = await client.query(
        `update sign_in_links set used_at = now() where digest = $1 and purpose = 'signUp' and used_at is null and expires_at > now()`,
        [owner.link],
      );
      if (used.rowCount !== 1) throw new NotMade();
    }
    if ((await client.query('select from organisations where upper(code) = $1', [typed.code])).rowCount)
      throw new NotMade();
    const { organisation, users } = await foundAs(client, typed, {
      ...owner,
      passwordHash: owner.passwordHash ?? null,
    });
    const user = users[owner.email] ?? '';
    if (!owner.accepted)
      await client.query('update users set accepted_at = null where organisation = $1 and id = $2', [
        organisation,
        user,
      ]);
    if (owner.passwordHash)
      await client.query(
        'update people set password_hash = $2 where lower(email) = lower($1) and password_hash is null',
        [owner.email, owner.passwordHash],
      );
    const { rows } = await client.query<{ person: string }>(
      'select person from users where organisation = $1 and id = $2',
      [organisation, user],
    );
    await client.query('commit');
    return { organisation, user, person: rows[0]?.person ?? '' };
  } catch (error) {
    await client.query('rollback');
    // of two who choose the same code at once, one comes second
    if (
      error instanceof NotMade ||
      (error as { code?: string; constraint?: string }).constraint === 'organisations_code_key'
    )
      return undefined;
    throw error;
  } finally {
    client.release();
  }
}

class NotMade extends Error {}

/**
 * Makes the first organisation with its registration, its place and its owner, who also is the operator of the installation.
 * Uses the one-time link up in the same transaction. False: the link is used or too old, or there is an organisation already.
 */
export async function foundFirst(
  owner: pg.Pool,
  link: Buffer,
  first: First,
  passwordHash: string | null,
): Promise<boolean> {
  const client = await owner.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(62616)');
    const used = await client.query(
      `
        update sign_in_links
        set used_at = now()
        where digest = $1
          and purpose = 'setup'
          and used_at is null
          and expires_at > now()
          and not exists (select from organisations)
      `,
      [link],
    );
    if (used.rowCount !== 1) {
      await client.query('rollback');
      return false;
    }
    await foundAs(client, first, { name: first.person, email: first.email, passwordHash });
    await client.query(
      `with made as (update people set operator = true where lower(email) = lower($1) returning id)
       select log_security_of(id, 'operatorGiven', '{"by": "the first start"}') from made`,
      [first.email],
    );
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
