import { sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { partyCalls } from '../../contract/parties.ts';
import { todayIn } from '../../domain/base/dates.ts';
import { type Said, say, verbatim } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import { readTaxpayer, type Taxpayer, taxpayerWarnings } from '../../domain/tax/gst/registration/taxpayer.ts';
import type { Context } from '../context.ts';
import { type Credentials, credentialsOf, credentialTrouble, type Portal, Unclear } from '../einvoice/index.ts';
import type { Vault } from '../kit/secrets/secrets.ts';

/** Who asks the portal about taxpayers, and what the time is. */
export interface TaxpayerDesk {
  readonly vault: Vault;
  readonly portal: Portal;
  readonly now: () => number;
}

type Call = (typeof partyCalls)['GetTaxpayer'];
/** What the portal has said is believed for a day. */
const BELIEVED = 86_400_000;
/** The portal has no registration of this number; its own copy may lag behind the register. */
const UNKNOWN = '3028';

interface Kept {
  readonly facts: Taxpayer;
  readonly askedAt: number;
}

/**
 * What the portal knows of a GSTIN. An answer of the last day is given again unless a fresh one is asked for; while it is away
 * the last answer is given, with its day. Refuses: `noCredentials`, `gstinUnknown`, `registerAway`.
 */
export async function taxpayerOf(
  desk: TaxpayerDesk,
  { gstin, fresh }: Input<Call>,
  context: Context,
): Promise<Answer<Call>> {
  const kept = await keptOf(context, gstin);
  if (kept && !fresh && desk.now() - kept.askedAt < BELIEVED) return shown(kept, false);
  const as = await anyCredentials(desk, context);
  const answer = as && (await ask(desk.portal, as, gstin));
  if (answer === undefined || 'away' in answer) {
    if (kept) return shown(kept, true);
    if (!as) throw new Refusal('noCredentials', { gstin: say('any registration') });
    throw new Refusal('registerAway', { reason: answer?.away ?? say('') });
  }
  const heard = { facts: answer, askedAt: desk.now() };
  await keep(context, heard);
  return shown(heard, false);
}

/** Asks the portal; when its copy does not know the number, has it fetch that from the register. */
async function ask(portal: Portal, as: Credentials, gstin: string): Promise<Taxpayer | { readonly away: Said }> {
  try {
    const first = await portal.taxpayer(as, gstin);
    const isUnknown = !first.ok && first.errors.some(({ code }) => code === UNKNOWN);
    const reply = isUnknown ? await portal.syncTaxpayer(as, gstin) : first;
    if (reply.ok) return readTaxpayer(gstin, reply.facts) ?? { away: say('The portal answered about something else') };
    if (reply.errors.some(({ code }) => code === UNKNOWN)) throw new Refusal('gstinUnknown', { gstin });
    const [error] = reply.errors;
    const ours = error !== undefined && credentialTrouble.includes(error.code);
    const reason = error ? verbatim(error.message) : say('it gave no reason');
    return { away: ours ? say('The portal refuses our sign-in: {{reason}}', { reason }) : reason };
  } catch (error) {
    if (error instanceof Unclear) return { away: verbatim(error.message) };
    throw error;
  }
}

/** Any registration of ours may ask about anybody: the one that was let in last is asked for. */
const anyCredentials = ({ vault }: TaxpayerDesk, { organisation, inTransaction }: Context) =>
  inTransaction(async (trx) => {
    const { rows } = await sql<{
      registration: Id;
    }>`select c.registration from credentials c join registrations r on r.organisation = c.organisation and r.id = c.registration
        where c.organisation = ${organisation} and r.active order by c.last_ok desc nulls last, r.gstin limit 1`.execute(
      trx,
    );
    return rows[0] && credentialsOf(trx, vault, organisation, rows[0].registration);
  });

const keptOf = ({ organisation, inTransaction }: Context, gstin: string): Promise<Kept | undefined> =>
  inTransaction(async (trx) => {
    const { rows } = await sql<{
      facts: Taxpayer;
      asked_at: Date;
    }>`select facts, asked_at from taxpayers where organisation = ${organisation} and gstin = ${gstin}`.execute(trx);
    return rows[0] && { facts: rows[0].facts, askedAt: rows[0].asked_at.getTime() };
  });

const keep = ({ organisation, inTransaction }: Context, { facts, askedAt }: Kept) =>
  inTransaction((trx) =>
    sql`
      insert into taxpayers (organisation, gstin, facts, asked_at)
      values (${organisation}, ${facts.gstin}, ${JSON.stringify(facts)}, to_timestamp(${askedAt}::float8 / 1000))
      on conflict (organisation, gstin) do update
      set facts = excluded.facts, asked_at = excluded.asked_at
    `.execute(trx),
  );

const shown = ({ facts, askedAt }: Kept, portalAway: boolean): Answer<Call> => ({
  ...facts,
  address: { ...facts.address, line2: facts.address.line2 ?? '' },
  warnings: [...taxpayerWarnings(facts)],
  askedOn: todayIn(askedAt),
  portalAway,
});
