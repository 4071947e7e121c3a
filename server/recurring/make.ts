import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { Refusal } from '../../contract/errors.ts';
import { generalConfiguration } from '../../contract/session.ts';
import { dayInWords, todayIn } from '../../domain/base/dates.ts';
import { say } from '../../domain/base/say.ts';
import { dayFilled } from '../../domain/books/recurring.ts';
import type { Day, Draft, Id } from '../../domain/document/document.ts';
import { heldOf } from '../../domain/document/holds.ts';
import { kindCalled } from '../../domain/document/kinds/index.ts';
import { grantsOf, type LimitRow, limitRows, limitsOf } from '../access/index.ts';
import type { Context } from '../context.ts';
import { draftText, keyAt, type Poster, postedOnce, preparePosting } from '../documents/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { Books } from '../kit/database/sql.ts';
import { newId } from '../kit/ids.ts';
import { notify } from '../kit/notify.ts';
import { Problems } from '../kit/problems.ts';
import { advance, lockBill, type Row } from './rows.ts';

export interface RecurringWorks {
  readonly books: Books;
  readonly poster: Poster;
  readonly clock: Clock;
  readonly changed: (organisation: number) => void;
}

/** Puts into the outbox what is due on a day and not on its way; for the owner, over all organisations. */
export const dueRecurring = `
  insert into outbox (organisation, task, payload, key)
  select
    r.organisation, 'makeRecurring',
    jsonb_build_object('organisation', r.organisation, 'recurring', r.id), r.id::text
  from recurring_bills r
  where r.state = 'running'
    and r.next_on <= $1::date
    and not exists (
      select from outbox o
      where o.organisation = r.organisation
        and o.task = 'makeRecurring'
        and o.key = r.id::text
        and (o.handed_at is null or o.handed_at > now() - interval '1 minute')
    )
`;

const job = z.object({ organisation: z.int(), recurring: z.uuid() });

/**
 * Makes every turn of a bill that is due, in the order of their days. Each is made once, however often and by however many
 * processes this runs: a posting has a key of its turn, a draft is written in the transaction that ends the turn. What
 * cannot be posted is kept as a draft, and its author is notified why.
 */
export const makeRecurring =
  (works: RecurringWorks) =>
  async (payload: unknown): Promise<void> => {
    const { organisation, recurring } = job.parse(payload);
    const today = todayIn(works.clock.now());
    for (;;) {
      const due = await dueTurn(works.books, organisation, recurring, today);
      if (!due) return;
      await makeTurn(works, due);
      works.changed(organisation);
    }
  };

interface Due extends Row {
  readonly day: Day;
  readonly code: string;
  readonly settings: unknown;
  readonly at_work: boolean;
  readonly limits: LimitRow[] | null;
  readonly grants: { readonly screen: number; readonly level: number }[] | null;
}

async function dueTurn(books: Books, organisation: number, recurring: Id, today: Day): Promise<Due | undefined> {
  return books.inTransaction({ organisation, user: '' }, async (trx) => {
    const { rows } = await sql<Due>`
      select
        r.*, r.first::text as first, r.until::text as until, r.next_on::text as day, o.code, o.settings,
        u.active as at_work, ${limitRows(sql`u.organisation`, sql`u.id`)} as limits,
        (
          select jsonb_agg(jsonb_build_object('screen', g.screen, 'level', g.level))
          from user_grants g
          where g.organisation = u.organisation and g."user" = u.id
        ) as grants
      from recurring_bills r
      join organisations o on o.organisation = r.organisation
      join users u on u.organisation = r.organisation and u.id = r.author
      where r.organisation = ${organisation}
        and r.id = ${recurring}::uuid
        and r.state = 'running'
        and r.next_on <= ${today}::date
    `.execute(trx);
    return rows[0];
  });
}

/** What is made of a turn: posted as asked and possible, else a draft with the reason. */
type Made =
  | { readonly what: 'posted'; readonly document: Id }
  | { readonly what: 'drafted'; readonly problem: string | null };

async function makeTurn(works: RecurringWorks, due: Due): Promise<void> {
  const draft = draftOf(due, due.day);
  const context = contextOf(works, due);
  const made: Made = due.posts ? await tryPosting(works, context, due, draft) : { what: 'drafted', problem: null };
  await context.inTransaction(async (trx) => {
    const row = await lockBill(trx, due.organisation, due.id);
    // another process was first, or somebody has skipped the turn meanwhile
    if (!row || row.turn !== due.turn) return;
    const document = made.what === 'posted' ? made.document : newId();
    const problem = made.what === 'drafted' ? made.problem : null;
    if (made.what === 'drafted')
      await sql`
        insert into drafts (organisation, id, kind, body, author)
        values (${due.organisation}, ${document}, ${due.kind}, ${JSON.stringify(draftText(draft))}, ${due.author})
      `.execute(trx);
    await advance(trx, row, { what: made.what, day: due.day, document, problem });
    if (problem === null) return;
    await notify(trx, {
      organisation: due.organisation,
      to: due.author,
      says: say('{{name}} of {{day}} is kept as a draft: {{problem}}', {
        ...{ name: due.name, day: dayInWords(due.day), problem },
      }),
      link: '/layout/Purchase%20Template%20New',
    });
  });
}

async function tryPosting({ poster }: RecurringWorks, context: Context, { at_work }: Due, draft: Draft): Promise<Made> {
  if (!at_work) return { what: 'drafted', problem: 'who made it recurring does not work here any more' };
  try {
    const { id } = await postedOnce(context, context.key, async () =>
      poster.post(await preparePosting(context, draft)),
    );
    return { what: 'posted', document: id };
  } catch (error) {
    if (error instanceof Problems) return { what: 'drafted', problem: error.problems[0]?.message ?? error.message };
    if (error instanceof Refusal) return { what: 'drafted', problem: error.message };
    throw error;
  }
}

/** The bill as it is on its day: what belongs to one document only is left out. */
export function draftOf({ template }: Pick<Row, 'template'>, day: Day): Draft {
  const {
    id: _id,
    version: _version,
    dueDate: _due,
    accepted: _accepted,
    allocations: _allocations,
    against: _against,
    tenders: _tenders,
    lines,
    reference,
    referenceDate,
    narration,
    terms,
    fields: typed,
    ...kept
  } = template;
  const { suppliedOn: _supplied, paidOn: _paid, ...fields } = typed ?? {};
  const filled = {
    ...(reference && { reference: dayFilled(reference, day) }),
    ...(narration && { narration: dayFilled(narration, day) }),
    ...(terms && { terms: dayFilled(terms, day) }),
  };
  const made = {
    ...kept,
    ...(typed && { fields }),
    ...filled,
    ...(referenceDate && { referenceDate: day }),
    date: day,
    lines: lines.map(({ source: _source, batches: _batches, serials: _serials, ...line }) => line),
  };
  const kind = kindCalled(kept.kind);
  return kind ? heldOf(kind, made) : made;
}

/** In the name of who made it recurring; a turn has a key of its own. */
const contextOf = (
  { books, clock }: RecurringWorks,
  { organisation, code, settings, author, id, turn, limits, grants }: Due,
): Context => ({
  books,
  organisation,
  organisationCode: code,
  person: author,
  user: author,
  name: '',
  grants: new Map(),
  limits: limitsOf(limits, grantsOf(grants ?? [])),
  locations: [],
  settings: generalConfiguration.parse(settings),
  today: todayIn(clock.now()),
  now: clock.now(),
  // place 0 is the key itself, which is the bill's own id
  key: keyAt(id, turn + 1),
  digest: createHash('sha256').update(`recurring/${id}/${turn}`).digest(),
  session: Buffer.alloc(0),
  may: () => true,
  still: () => undefined,
  require: () => undefined,
  sees: () => 'all',
  inTransaction: (work) => books.inTransaction({ organisation, user: author }, work),
});
