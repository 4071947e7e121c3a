import { sql } from 'kysely';
import type { z } from 'zod';
import type { documentView } from '../../../contract/documents.ts';
import type { Id } from '../../../domain/document/document.ts';
import type { Context } from '../../context.ts';
import { whoByToken } from '../../kit/by-token.ts';
import type { Head } from './posted-rows.ts';

type Timeline = z.input<typeof documentView>['timeline'];
type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

/** What happened to a posted document, from its submission to its cancellation. */
export const timelineOf = async (trx: Trx, organisation: number, head: Head): Promise<Timeline> => [
  ...submissionOf(head),
  {
    at: head.posted_at.toISOString(),
    who: whoByToken(head.approver_name ?? head.author_name ?? '', head.body.token),
    what: head.approver_name === null ? 'Posted' : 'Approved and posted',
  },
  ...(await acceptedIn(trx, organisation, head)),
  ...(await closings(trx, organisation, head.id)),
  ...cancellationOf(head),
];

const submissionOf = ({ submitted_at: at, author_name: author }: Head): Timeline =>
  at ? [{ at: at.toISOString(), who: author ?? '', what: 'Sent for approval' }] : [];

const cancellationOf = ({
  cancelled_at: at,
  cancelled_by: by,
  cancelled_token,
  cancel_reason: reason,
}: Head): Timeline =>
  at ? [{ at: at.toISOString(), who: whoByToken(by ?? '', cancelled_token), what: `Cancelled: ${reason}` }] : [];

/** Warnings that the document was posted with for a reason: who gave it, and what it is. */
async function acceptedIn(
  trx: Trx,
  org: number,
  { body: { warnings = [] }, author, posted_at }: Head,
): Promise<Timeline> {
  const given = warnings.flatMap(({ message, reason, by }) => (reason ? [{ message, reason, by: by ?? author }] : []));
  if (given.length === 0) return [];
  const { rows } = await sql<{ id: Id; name: string }>`
    select id, name
      from users
     where organisation = ${org}
       and id = any(${given.map(({ by }) => by)}::uuid[])`.execute(trx);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return given.map(({ message, reason, by }) => ({
    at: posted_at.toISOString(),
    who: names.get(by) ?? '',
    what: `Warning accepted: ${message}. Reason: ${reason}`,
  }));
}

/** When the remainder of an order was given up, or asked for again, and why. */
async function closings(trx: Trx, org: number, id: Id): Promise<Timeline> {
  const { rows } = await sql<{
    at: Date;
    name: string | null;
    fact: 'closed' | 'reopened';
    lines: number[] | null;
    reason: string;
  }>`
    select f.at, u.name, f.fact, f.body -> 'lines' as lines, f.body ->> 'reason' as reason
    from later_facts f
    left join users u on u.organisation = f.organisation and u.id = f.by
    where f.organisation = ${org} and f.document = ${id} and f.fact in ('closed', 'reopened')
    order by f.number
  `.execute(trx);
  return rows.map(({ at, name, fact, lines, reason }) => {
    const which = lines
      ? `${lines.length === 1 ? 'Line' : 'Lines'} ${lines.join(', ')} ${fact}`
      : fact === 'closed'
        ? 'Closed'
        : 'Reopened';
    return { at: at.toISOString(), who: name ?? '', what: reason ? `${which}: ${reason}` : which };
  });
}
