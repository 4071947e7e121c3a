import { sql } from 'kysely';
import type { bankingCalls } from '../../contract/banking.ts';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { type BankRule, type WayName, ways } from '../../domain/banking/bank-matching.ts';
import { say } from '../../domain/base/say.ts';
import { fieldUses, type LedgerSeen, unfit } from '../../domain/books/ledger-uses.ts';
import type { Id, Problem } from '../../domain/document/document.ts';
import { kindOf } from '../../domain/document/kinds/index.ts';
import type { Context } from '../context.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';
import type { Trx } from './statements.ts';

export interface KeptRule extends BankRule {
  readonly bank: string | null;
  readonly party: Id | null;
  readonly counter: Id | null;
  readonly other: string;
  readonly narration: string;
  readonly version: number;
}

/** The rules with the names of what they lead to, in the order in which they are asked. */
export async function rulesOf(trx: Trx, organisation: number): Promise<readonly KeptRule[]> {
  return (
    await sql<KeptRule>`
      select
        r.id, r.ledger, b.name as bank, r.holds, r.way, r.party, r.counter,
        coalesce(p.name, l.name, '') as other, r.narration, r.version, r.place
      from bank_rules r
      left join ledgers b on b.organisation = r.organisation and b.id = r.ledger
      left join ledgers l on l.organisation = r.organisation and l.id = r.counter
      left join parties p on p.organisation = r.organisation and p.id = r.party
      where r.organisation = ${organisation}
      order by r.place, r.id
    `.execute(trx)
  ).rows;
}

export interface Other {
  readonly party?: Id | undefined;
  readonly counter?: Id | undefined;
}

/** The other side is what the kind of match asks for, and exists. */
export async function otherProblems(
  trx: Trx,
  organisation: number,
  way: WayName,
  { party, counter }: Other,
): Promise<Problem[]> {
  const { other, money } = ways[way];
  if (other === 'party') {
    if (!party) return [{ field: 'party', ...say('Choose a party') }];
    const sides = money === 'in' ? ['customer', 'both'] : ['supplier', 'both'];
    const { rows } = await sql`
      select from parties
      where organisation = ${organisation} and id = ${party}::uuid and active and side = any(${sides}::text[])
    `.execute(trx);
    return rows.length > 0
      ? []
      : [{ field: 'party', ...(money === 'in' ? say('This is no customer') : say('This is no supplier')) }];
  }
  if (!counter) return [{ field: 'counter', ...say('Choose a ledger') }];
  const { rows } = await sql<LedgerSeen>`
    select
      is_money(is_bank, role) as money,
      array(
        select m.effect from posting_map m where m.organisation = ledgers.organisation and m.ledger = ledgers.id
      ) as effects
    from ledgers
    where organisation = ${organisation}
      and id = ${counter}::uuid
      and active
      and not is_group
      and not is_computed(role)
  `.execute(trx);
  if (!rows[0]) return [{ field: 'counter', ...say('This ledger takes no entries') }];
  const message = kindOf(ways[way].kind).lines.of === 'expenses' ? unfit(fieldUses.lineLedger, rows[0]) : undefined;
  if (message !== undefined) return [{ field: 'counter', ...message }];
  return other === 'money' && !rows[0].money ? [{ field: 'counter', ...say('Choose the cash or bank ledger') }] : [];
}

/**
 * A rule that comes in between moves those after it: who adds or orders at the same moment would find the same place,
 * or wait for each other's rows.
 */
const alone = (trx: Trx, organisation: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended('bank rules', ${organisation}))`.execute(trx);

type SaveCall = (typeof bankingCalls)['SaveBankRule'];
export const saveBankRule = (
  { id, version, ledger, holds, way, narration, ...other }: Input<SaveCall>,
  context: Context,
): Promise<Answer<SaveCall>> =>
  context.inTransaction(async (trx) => {
    const { organisation, user } = context;
    const problems = await otherProblems(trx, organisation, way, other);
    if (!/[a-z0-9]/i.test(holds)) problems.push({ field: 'holds', ...say('Enter letters or figures of the text') });
    if (
      ledger &&
      (await sql`select from ledgers where organisation = ${organisation} and id = ${ledger}::uuid`.execute(trx)).rows
        .length === 0
    )
      problems.push({ field: 'ledger', ...say('There is no such bank') });
    if (problems.length > 0) throw new Problems(problems);
    const [party, counter] = ways[way].other === 'party' ? [other.party ?? null, null] : [null, other.counter ?? null];
    if (!id) {
      await alone(trx, organisation);
      const made = newId();
      // what says more is asked first, until somebody orders them otherwise
      const place = sql`
        (
          select coalesce(min(place) filter (where length(holds) < ${holds.length}), max(place) + 1, 1)
          from bank_rules
          where organisation = ${organisation}
        )
      `;
      const { rows } = await sql<{ place: number }>`select ${place} as place`.execute(trx);
      await sql`update bank_rules set place = place + 1 where organisation = ${organisation} and place >= ${rows[0]?.place ?? 1}`.execute(
        trx,
      );
      await sql`
        insert into bank_rules (organisation, id, ledger, holds, way, party, counter, narration, place, by)
        values (
          ${organisation}, ${made}, ${ledger}::uuid, ${holds}, ${way}, ${party}::uuid, ${counter}::uuid,
          ${narration}, ${rows[0]?.place ?? 1}, ${user}
        )
      `.execute(trx);
      return { id: made, version: 1 };
    }
    const { rows } = await sql<{
      version: number;
    }>`
      update bank_rules
      set
        ledger = ${ledger}::uuid, holds = ${holds}, way = ${way}, party = ${party}::uuid,
        counter = ${counter}::uuid, narration = ${narration}, by = ${user}, at = now(),
        version = version + 1
      where organisation = ${organisation} and id = ${id}::uuid and version = ${version ?? 0}
      returning version
    `.execute(trx);
    if (!rows[0]) throw await whyNot(trx, organisation, id);
    return { id, version: rows[0].version };
  });

type OrderCall = (typeof bankingCalls)['OrderBankRules'];
/** Puts the rules named in this order; what somebody has added meanwhile comes after them. */
export const orderBankRules = (
  { ids }: Input<OrderCall>,
  { organisation, inTransaction }: Context,
): Promise<Answer<OrderCall>> =>
  inTransaction(async (trx) => {
    await alone(trx, organisation);
    const { rows } = await sql<{
      id: Id;
    }>`select id from bank_rules where organisation = ${organisation} order by place, id for update`.execute(trx);
    const known = new Set(rows.map((row) => row.id));
    if (new Set(ids).size !== ids.length || ids.some((id) => !known.has(id))) throw new Refusal('notFound');
    const order = [...ids, ...rows.map((row) => row.id).filter((id) => !ids.includes(id))];
    await sql`
      update bank_rules r
      set place = n.place
      from unnest(${order}::uuid[]) with ordinality n(id, place)
      where r.organisation = ${organisation} and r.id = n.id and r.place <> n.place
    `.execute(trx);
    return { ordered: order.length };
  });

type DeleteCall = (typeof bankingCalls)['DeleteBankRule'];
export const deleteBankRule = ({ id, version }: Input<DeleteCall>, context: Context): Promise<Answer<DeleteCall>> =>
  context.inTransaction(async (trx) => {
    const { numAffectedRows } =
      await sql`delete from bank_rules where organisation = ${context.organisation} and id = ${id}::uuid and version = ${version}`.execute(
        trx,
      );
    if (numAffectedRows !== 1n) throw await whyNot(trx, context.organisation, id);
    return { deleted: 1 };
  });

/** Gone, or changed by somebody else meanwhile. */
async function whyNot(trx: Trx, organisation: number, id: Id): Promise<Refusal> {
  const { rows } = await sql<{
    who: string;
  }>`
    select u.name as who
    from bank_rules r
    join users u on u.organisation = r.organisation and u.id = r.by
    where r.organisation = ${organisation} and r.id = ${id}::uuid
  `.execute(trx);
  return rows[0] ? new Refusal('stale', { who: rows[0].who }) : new Refusal('notFound');
}
