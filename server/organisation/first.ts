// biome-ignore-all format: rows
import type pg from 'pg';
import { z } from 'zod';
import { required } from '../../contract/wire.ts';
import type { Problem } from '../../domain/document.ts';
import { gstinProblem, panOfGstin, stateOfGstin } from '../../domain/gst/gstin.ts';
import { stateName } from '../../domain/gst/states.ts';
import { passwordProblem } from '../../domain/password.ts';
import { foundOrganisation } from './found.ts';

/** What the first organisation of an installation is made of, as typed into its form. */
const shape = z.object({
  name: required(200, 'The name of the business'),
  code: required(20, 'A short code').transform((t) => t.toUpperCase()).refine((t) => /^[A-Z][A-Z0-9]{1,19}$/.test(t), 'A code has 2 to 20 letters and digits and begins with a letter'),
  gstin: z.string().default('').transform((t) => t.trim().toUpperCase()).refine((t) => t === '' || gstinProblem(t) === undefined, { error: (issue) => gstinProblem(String(issue.input)) ?? '' }),
  kind: z.enum(['regular', 'composition', 'sez']).default('regular'),
  einvoice: z.string().optional().transform((t) => t !== undefined),
  state: z.string().default(''),
  line1: required(100, 'The first line of the address'), city: required(50, 'The city'),
  pincode: z.string().default('').transform((t) => t.trim()).refine((t) => /^[1-9]\d{5}$/.test(t), 'A PIN code has six digits'),
  person: required(100, 'Your name'),
  email: z.string().default('').transform((t) => t.trim()).pipe(z.email('This is not an e-mail address')),
  password: z.string().default(''), again: z.string().default(''),
});
export type First = z.output<typeof shape>;

/** Reads the form; each problem is named at its field. `asksPassword`: passwords are kept here, and one is chosen with it. */
export function readFirst(typed: unknown, asksPassword: boolean): First | readonly Problem[] {
  const parsed = shape.safeParse(typed);
  const problems: Problem[] = parsed.success ? [] : parsed.error.issues.map((i) => ({ field: i.path.join('.'), message: i.message }));
  const raw = typed as Partial<Record<keyof First, string>>;
  const gstin = String(raw.gstin ?? '').trim();
  if (gstin === '' && stateName(String(raw.state ?? '')) === undefined) problems.push({ field: 'state', message: 'Choose the state, or enter the GSTIN' });
  if (asksPassword) {
    const wrong = passwordProblem(String(raw.password ?? ''), String(raw.email ?? ''));
    if (wrong) problems.push({ field: 'password', message: wrong });
    else if (raw.password !== raw.again) problems.push({ field: 'again', message: 'The two passwords differ' });
  }
  return parsed.success && problems.length === 0 ? parsed.data : problems;
}

/**
 * Makes the first organisation with its registration, its place and its owner, who also is the operator of the installation.
 * Uses the one-time link up in the same transaction. False: the link is used or too old, or there is an organisation already.
 */
export async function foundFirst(owner: pg.Pool, link: Buffer, first: First, passwordHash: string | null): Promise<boolean> {
  const client = await owner.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(62616)');
    const used = await client.query(`update sign_in_links set used_at = now() where digest = $1 and purpose = 'setup' and used_at is null and expires_at > now() and not exists (select from organisations)`, [link]);
    if (used.rowCount !== 1) {
      await client.query('rollback');
      return false;
    }
    const address = { line1: first.line1, city: first.city, pincode: first.pincode };
    const gstin = first.gstin || null;
    const { organisation } = await foundOrganisation(client, {
      code: first.code, name: first.name, settings: {},
      registrations: [{ key: 'R', gstin, state: gstin ? stateOfGstin(gstin) : first.state, legalName: first.name, kind: gstin ? first.kind : 'unregistered', einvoice: gstin !== null && first.einvoice, address, mark: '' }],
      locations: [{ key: 'L', code: 'HO', name: 'Head office', registration: 'R', isTax: true, isPhysical: true, address }],
      people: [{ email: first.email, name: first.person, passwordHash, role: 'Owner' }],
    });
    await client.query('update organisations set body = $2 where organisation = $1', [organisation, { pan: gstin ? (panOfGstin(gstin) ?? '') : '', email: first.email }]);
    await client.query('update people set operator = true where lower(email) = lower($1)', [first.email]);
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
