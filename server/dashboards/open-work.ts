import { sql } from 'kysely';
import type { Answer } from '../../contract/contract.ts';
import type { dashboardCalls } from '../../contract/report-calls.ts';
import { kindNames } from '../../domain/document/kinds/index.ts';
import type { Context } from '../context.ts';

type OpenWork = Answer<(typeof dashboardCalls)['GetOpenWork']>;

/** What waits for this user, of kinds and at places that are open to them. */
export const openWork = (context: Context): Promise<OpenWork> =>
  context.inTransaction(async (trx) => {
    const { organisation, user, locations } = context;
    const places = [...locations];
    const approved = kindNames.filter((kind) => context.may('approve', kind));
    const seen = kindNames.filter((kind) => context.may('view', kind));
    const within = locations.length === 0 ? sql`true` : sql`d.location = any(${places}::uuid[])`;
    const { rows } = await sql<OpenWork>`
      select
        (
          select count(*)::int
          from drafts d
          where d.organisation = ${organisation}
            and d.submitted_at is not null
            and d.author <> ${user}
            and d.kind = any(${approved}::text[])
            and (${locations.length === 0} or d.body ->> 'location' = any(${places}::text[]))
        ) as approvals,
        (
          select count(*)::int
          from einvoices e
          join documents d on d.organisation = e.organisation and d.id = e.document
          where e.organisation = ${organisation}
            and (e.state in ('failed', 'unclear') or (e.state = 'registered' and e.signed_qr is null))
            and d.kind = any(${seen}::text[])
            and ${within}
        ) as einvoices,
        (
          select count(*)::int
          from eway_bills w
          join documents d on d.organisation = w.organisation and d.id = w.document
          where w.organisation = ${organisation}
            and w.state in ('failed', 'unclear', 'partA')
            and not exists (
              select from eway_bills l
              where l.organisation = w.organisation and l.document = w.document and l.bill > w.bill
            )
            and d.kind = any(${seen}::text[])
            and ${within}
        ) as "wayBills"
    `.execute(trx);
    const [found] = rows;
    if (!found) throw new Error('counts always have a row');
    return found;
  });
