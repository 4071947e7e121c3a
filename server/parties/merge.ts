import { sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { partyCalls } from '../../contract/parties.ts';
import { say } from '../../domain/base/say.ts';
import { type MergingParty, merged, mergeProblem } from '../../domain/parties/parties.ts';
import { allow, parentsOfMaster } from '../access/index.ts';
import type { Context } from '../context.ts';
import { holdAccounts, moveAccount } from '../documents/index.ts';
import { staleOf } from '../kit/database/stale.ts';

type Call = (typeof partyCalls)['MergeParties'];
type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
interface Row {
  id: string;
  code: string;
  name: string;
  side: MergingParty['side'];
  category: string;
  gstin: string | null;
  pan: string | null;
  state: string;
  currency: string;
  credit_limit: string | null;
  body: Record<string, unknown>;
  version: number;
  mergedInto: string | null;
}

const partyOf = (row: Row): MergingParty => ({
  name: row.name,
  code: row.code,
  side: row.side,
  category: row.category,
  gstin: row.gstin,
  pan: row.pan,
  state: row.state,
  currency: row.currency,
  creditLimit: row.credit_limit === null ? null : Number(row.credit_limit),
  more: row.body,
});
/** Words that the search of parties finds them by, as saving the form writes them. */
const searched = (p: MergingParty): string =>
  [p.code, p.name, p.more['tradeName'], p.gstin, p.more['phone'], p.more['formerly']]
    .map((text) => text ?? '')
    .join(' ')
    .toLowerCase();

/**
 * Makes one party of two, whole or not at all. What is open, drafts and records that name the one that goes come to the
 * one that stays; posted documents keep what was printed, and its account is read together with theirs from now on.
 * Refuses: `notFound`, `stale`, `cannotMerge`, `noAccess` without the right on each side they are on.
 */
export const mergeParties = (
  { stays, staysVersion, goes, goesVersion }: Input<Call>,
  context: Context,
): Promise<Answer<Call>> =>
  context.inTransaction(async (trx) => {
    const org = context.organisation;
    // none may open an item on the party that goes once its items were moved
    const lockedThrough = await holdAccounts(trx, org);
    const { rows } = await sql<Row>`
      select id, code, name, side, category, gstin, pan, state, currency, credit_limit, body, version,
        merged_into as "mergedInto"
      from parties
      where organisation = ${org} and id = any(${[stays, goes]}::uuid[])
      order by id
      for update
    `.execute(trx);
    const [to, from] = [rows.find(({ id }) => id === stays), rows.find(({ id }) => id === goes)];
    if (!to || !from) throw new Refusal('notFound');
    for (const { side } of [to, from])
      for (const master of side === 'both' ? ['customer', 'supplier'] : [side])
        allow(context.grants, 'settings', parentsOfMaster(master));
    if (stays === goes)
      throw new Refusal('cannotMerge', { name: to.name, reason: say('a party is not merged with itself') });
    for (const { mergedInto, name } of [to, from])
      if (mergedInto) throw new Refusal('cannotMerge', { name, reason: say('it was merged already') });
    const moved = to.version !== staysVersion ? stays : from.version !== goesVersion ? goes : undefined;
    if (moved !== undefined) throw await staleOf(trx, org, 'parties', moved);
    const reason = mergeProblem(partyOf(to), partyOf(from));
    if (reason) throw new Refusal('cannotMerge', { name: from.name, reason });
    const whole = merged(partyOf(to), partyOf(from));
    await sql`update open_items set party = ${stays}::uuid where organisation = ${org} and party = ${goes}::uuid`.execute(
      trx,
    );
    // those merged into it before now point to the same party: there is never a second step
    await sql`
      update parties
      set merged_into = ${stays}::uuid, active = false, version = version + 1
      where organisation = ${org} and (id = ${goes}::uuid or merged_into = ${goes}::uuid)
    `.execute(trx);
    await sql`
      update parties
      set
        side = ${whole.side}, category = ${whole.category}, gstin = ${whole.gstin}, pan = ${whole.pan},
        state = ${whole.state}, credit_limit = ${whole.creditLimit},
        body = ${JSON.stringify(whole.more)}::jsonb, search = ${searched(whole)}, active = true,
        version = version + 1
      where organisation = ${org} and id = ${stays}::uuid
    `.execute(trx);
    await moveAccount(trx, context, stays, lockedThrough);
    await renamed(trx, org, 'drafts', goes, stays);
    await renamed(trx, org, 'masters', goes, stays);
    return { id: stays, name: to.name };
  });

/** What may still change and names the party by its id names the other one. An id is the same nowhere else. */
const renamed = (trx: Trx, org: number, table: 'drafts' | 'masters', from: string, to: string) =>
  sql`
    update ${sql.table(table)}
    set body = replace(body::text, ${`"${from}"`}, ${`"${to}"`})::jsonb, version = version + 1
    where organisation = ${org} and body::text like ${`%"${from}"%`}
  `.execute(trx);
