import { CompiledQuery, sql } from 'kysely';
import { paise } from '../../../../domain/base/money.ts';
import { type AccountTraits, accountLedger } from '../../../../domain/books/accounts.ts';
import { firstOpenDay } from '../../../../domain/books/registers.ts';
import type { Day, Id } from '../../../../domain/document/document.ts';
import { kindFor } from '../../../../domain/document/kinds/index.ts';
import type { Context } from '../../../context.ts';
import { newId } from '../../../kit/ids.ts';
import { writeSystemDocument } from '../../stock/revision.ts';
import { snapshotNow } from '../snapshot.ts';
import type { DatedEntry } from '../types.ts';

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

/** Postings wait until the transaction ends: none may book on an account while it moves. Answers up to when the books are locked. */
export async function holdAccounts(trx: Trx, organisation: number): Promise<Day | null> {
  const { rows } = await sql<{
    day: Day | null;
  }>`select locked_through as day from locks where organisation = ${organisation} for update`.execute(trx);
  return rows[0]?.day ?? null;
}

interface Standing {
  readonly ledger: Id;
  readonly registration: Id;
  readonly location: Id;
  readonly cost_centre: Id | null;
  readonly amount: string;
}

/**
 * Moves the account of a party, with those that were merged into it, to the ledger on which it belongs by now: a journal of
 * the first open day moves the balance of another one over. So the whole account is on one ledger, and whatever settles
 * an item of it needs to know no other. The caller holds the books (`holdAccounts`).
 */
export async function moveAccount(
  trx: Trx,
  context: Pick<Context, 'organisation' | 'user' | 'today'>,
  party: Id,
  lockedThrough: Day | null,
): Promise<void> {
  const { organisation, today } = context;
  const found = await sql<AccountTraits & { readonly name: string }>`
    select name, category, coalesce((body ->> 'microSmall')::boolean, false) as "microSmall"
    from parties
    where organisation = ${organisation} and id = ${party}::uuid
  `.execute(trx);
  const [traits] = found.rows;
  if (!traits) return;
  const { rows } = await sql<Standing>`
    select e.ledger, e.registration, e.location, e.cost_centre, sum(e.debit - e.credit) as amount
    from entries e
    where e.organisation = ${organisation} and e.party = any(party_family(${organisation}, ${party}::uuid))
    group by 1, 2, 3, 4
    having sum(e.debit - e.credit) <> 0
    order by 1, 2, 3, 4
  `.execute(trx);
  const snapshot = await snapshotNow(trx, organisation);
  const date = firstOpenDay([kindFor('accountMove')], today, snapshot.locks, lockedThrough);
  const entries = rows.flatMap(({ ledger, registration, location, cost_centre, amount }): DatedEntry[] => {
    const to = accountLedger(snapshot.ledgers, ledger, traits);
    if (to === ledger) return [];
    const [size, owed] = [paise(Math.abs(Number(amount))), Number(amount) > 0];
    const at = { date, party, registration, location, ...(cost_centre && { costCentre: cost_centre }) };
    const [debit, credit] = owed ? [to, ledger] : [ledger, to];
    return [
      { ...at, ledger: debit, debit: size, credit: paise(0) },
      { ...at, ledger: credit, debit: paise(0), credit: size },
    ];
  });
  const [first] = entries;
  if (!first) return;
  await writeSystemDocument(
    (text, values) => trx.executeQuery<{ number: string }>(CompiledQuery.raw(text, values)),
    snapshot,
    context,
    {
      ...{ id: newId(), kind: kindFor('accountMove'), date, entries },
      ...{ registration: first.registration, location: first.location },
      narration: `The account of ${traits.name} stands on another ledger from now on`,
    },
  );
}
