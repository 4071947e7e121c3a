import { sql } from 'kysely';
import { say } from '../../../domain/base/say.ts';
import type { Draft, Id, Problem } from '../../../domain/document/document.ts';
import { kindOf } from '../../../domain/document/kinds/index.ts';
import type { Context } from '../../context.ts';
import { Problems } from '../../kit/problems.ts';
import { kindAsked } from '../posting/kinds.ts';

/**
 * At a till, cash goes to and comes from the ledger of its drawer, and nothing else does: the drawer is counted by that ledger, and
 * the report of the session by the ways of paying. Both have to say the same, and each tender one of these ways.
 */
export async function checkTenders(context: Context, draft: Draft): Promise<void> {
  const { till, tenders = [] } = draft;
  if (!till || tenders.length === 0 || kindOf(kindAsked(draft.kind)).life.till !== true) return;
  const { rows } = await context.inTransaction((trx) =>
    sql<{ cash: Id }>`
      select cash_ledger as cash
      from till_sessions
      where organisation = ${context.organisation} and id = ${till.session}
    `.execute(trx),
  );
  const [session] = rows;
  const problems = session ? tenderProblems(tenders, session.cash) : [];
  if (problems.length > 0) throw new Problems(problems);
}

/** What of the tenders contradicts the drawer. */
export const tenderProblems = (tenders: NonNullable<Draft['tenders']>, drawer: Id): Problem[] =>
  tenders.flatMap(({ ledger, mode }, row): Problem[] => {
    if (mode === undefined) return [{ field: 'tenders.mode', row, ...say('Say how this was paid') }];
    if (mode === 'cash' && ledger !== drawer)
      return [{ field: 'tenders.ledger', row, ...say('Cash is booked on the ledger of the drawer of this till') }];
    if (mode !== 'cash' && ledger === drawer)
      return [{ field: 'tenders.ledger', row, ...say('This is the cash ledger of the drawer: choose another ledger') }];
    return [];
  });
