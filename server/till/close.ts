import { sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { tillCalls } from '../../contract/till.ts';
import { type Millionths, millionths, moneyText, ONE, rupeesText } from '../../domain/base/decimal.ts';
import { paise } from '../../domain/base/money.ts';
import { say } from '../../domain/base/say.ts';
import { fieldUses, unfit } from '../../domain/books/ledger-uses.ts';
import { needsApproval } from '../../domain/document/approval.ts';
import type { Draft, Id } from '../../domain/document/document.ts';
import { kindFor, kindOf } from '../../domain/document/kinds/index.ts';
import { counted } from '../../domain/till/till.ts';
import type { Context } from '../context.ts';
import { isHere, type Poster, postedOnce, preparePosting, reasonsOf, seenIn, snapshotNow } from '../documents/index.ts';
import { once } from '../kit/database/once.ts';
import { Problems } from '../kit/problems.ts';
import type { Trx } from './tills.ts';

type Call = (typeof tillCalls)['CloseTill'];

interface Open {
  till: string;
  location: Id;
  cash_ledger: Id;
  closed: boolean;
}

/**
 * Closes a session on the figure that was seen. What was counted and that figure may differ: then a journal says so and closes
 * the session in the transaction that posts it; without a difference there is nothing to post, and the session is closed alone.
 */
export async function closeTill(
  poster: Poster,
  { session, count, expected, accepted }: Input<Call>,
  context: Context,
): Promise<Answer<Call>> {
  const held = counted(count);
  const difference = paise(held - expected);
  const answer = { difference: moneyText(difference), TransactionId: null, TransactionNumber: null, warnings: [] };
  if (difference === 0)
    return context.inTransaction((trx) =>
      once(trx, context, answer, async () => {
        await openSession(context, trx, session);
        await sql`
          select close_till(
            ${context.organisation}, ${session}, ${context.user}, ${held}, ${expected},
            ${JSON.stringify(count)}::jsonb, null
          )
        `
          .execute(trx)
          .catch(inWords);
      }),
    );
  const posted = await postedOnce(context, context.key, async () =>
    poster.post(
      await preparePosting(
        context,
        { ...(await differenceOf(context, session, { held, expected, count })), ...reasonsOf(context, accepted) },
        { skipsApproval: true },
      ),
    ),
  );
  return {
    ...answer,
    TransactionId: posted.id,
    TransactionNumber: posted.number,
    warnings: [...(posted.warnings ?? [])],
  };
}

/**
 * Whether somebody approves a difference of a session: they approve its journals, and the drawer was never theirs. The cash is
 * missing whether or not somebody says so, so a difference waits for no one else: who closes the session counts it.
 */
async function mayApprove(trx: Trx, context: Context, session: Id): Promise<boolean> {
  if (!context.may('approve', kindFor('tillDifference'))) return false;
  const { organisation, user } = context;
  const { rows } = await sql`
    select from till_sessions s
    where s.organisation = ${organisation} and s.id = ${session}::uuid and s.opened_by = ${user}
    union all
    select from till_documents t
    join documents d on d.organisation = t.organisation and d.id = t.document
    where t.organisation = ${organisation} and t.session = ${session}::uuid and d.author = ${user}
    limit 1
  `.execute(trx);
  return rows.length === 0;
}

/** What the books say of a count that differs: cash that is missing is a loss, cash that is over a gain. */
async function differenceOf(
  context: Context,
  session: Id,
  {
    held,
    expected,
    count,
  }: { readonly held: number; readonly expected: number; readonly count: Readonly<Record<string, number>> },
): Promise<Draft> {
  return context.inTransaction(async (trx) => {
    const { till, location, cash_ledger: cash } = await openSession(context, trx, session);
    const snapshot = await snapshotNow(trx, context.organisation);
    const amount = paise(Math.abs(held - expected));
    if (
      needsApproval(snapshot.approvals, kindFor('tillDifference'), amount) &&
      !(await mayApprove(trx, context, session))
    )
      throw new Refusal('tillDifferenceNeedsApproval', {
        till,
        total: moneyText(amount),
        documents: kindOf(kindFor('tillDifference')).plural.toLowerCase(),
      });
    const [debit, credit] =
      held < expected ? [snapshot.ledgers.cashDifference, cash] : [cash, snapshot.ledgers.cashDifference];
    return {
      kind: kindFor('tillDifference'),
      date: context.today,
      registration: snapshot.locations.get(location)?.registration ?? '',
      location,
      currency: 'INR',
      exchangeRate: millionths(ONE) as Millionths,
      lines: [
        { ledger: debit, debit: amount },
        { ledger: credit, credit: amount },
      ],
      narration: `${till}: cash ${held < expected ? 'short' : 'over'} when it was closed`,
      till: { session, counted: paise(held), expected: paise(expected), count },
    };
  });
}

/**
 * Cash that goes in or out beside bills is a journal in the session: it stands in its figures, and in what should be there.
 * It comes under the rules of approval like every journal.
 */
export async function moveCash(
  poster: Poster,
  { session, direction, amount, ledger, reason, accepted }: Input<(typeof tillCalls)['MoveTillCash']>,
  context: Context,
): Promise<Answer<(typeof tillCalls)['MoveTillCash']>> {
  if (amount <= 0) throw new Problems([{ field: 'amount', ...say('Enter an amount greater than 0') }]);
  const posted = await postedOnce(context, context.key, async () => {
    const draft = await context.inTransaction(async (trx): Promise<Draft> => {
      const { till, location, cash_ledger: cash } = await openSession(context, trx, session);
      if (ledger === cash) throw new Problems([{ field: 'ledger', ...say('This is the ledger of the till itself') }]);
      if (direction === 'out') await enough(trx, context, session, amount);
      const snapshot = await snapshotNow(trx, context.organisation);
      const message = unfit(fieldUses.cashMovedLedger, seenIn(snapshot, ledger));
      if (message !== undefined) throw new Problems([{ field: 'ledger', ...message }]);
      const [debit, credit] = direction === 'in' ? [cash, ledger] : [ledger, cash];
      return {
        kind: kindFor('tillDifference'),
        date: context.today,
        registration: snapshot.locations.get(location)?.registration ?? '',
        location,
        currency: 'INR',
        exchangeRate: millionths(ONE) as Millionths,
        lines: [
          { ledger: debit, debit: amount },
          { ledger: credit, credit: amount },
        ],
        narration: `${till}: cash ${direction === 'in' ? 'put in' : 'taken out'}, ${reason}`,
        reason,
        till: { session, cash: direction },
        ...reasonsOf(context, accepted),
      };
    });
    return poster.post(await preparePosting(context, draft)).catch((error: unknown) => {
      if (!(error instanceof Refusal && error.code === 'needsApproval')) throw error;
      const document = kindOf(kindFor('tillDifference')).label.toLowerCase();
      throw new Refusal('tillNeedsApproval', { ...error.details, document });
    });
  });
  return { TransactionId: posted.id, TransactionNumber: posted.number, warnings: [...(posted.warnings ?? [])] };
}

/** Nobody takes out what is not there. */
async function enough(trx: Trx, context: Context, session: Id, amount: number): Promise<void> {
  const { rows } = await sql<{
    held: string;
  }>`select till_expected(${context.organisation}, ${session}::uuid) as held`.execute(trx);
  const held = Number(rows[0]?.held ?? 0);
  if (amount > held)
    throw new Problems([
      { field: 'amount', ...say('There should be {{held}} in the drawer', { held: rupeesText(paise(held)) }) },
    ]);
}

async function openSession(context: Context, trx: Trx, session: Id): Promise<Open> {
  const { rows } = await sql<Open>`
    select m.name as till, s.location, s.cash_ledger, s.closed_at is not null as closed
    from till_sessions s
    join masters m on m.organisation = s.organisation and m.id = s.till
    where s.organisation = ${context.organisation} and s.id = ${session}
  `.execute(trx);
  const [found] = rows;
  if (!found || !isHere(context, found.location)) throw new Refusal('notFound');
  if (found.closed) throw new Refusal('tillClosed');
  return found;
}

const said: Readonly<Record<string, 'tillClosed' | 'tillMoved' | 'notFound'>> = {
  BR047: 'tillClosed',
  BR048: 'tillMoved',
  BR049: 'notFound',
};
function inWords(error: unknown): never {
  const known = said[(error as { code?: string }).code ?? ''];
  throw known ? new Refusal(known) : error;
}
