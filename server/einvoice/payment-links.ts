import { sql } from 'kysely';
import type { Id } from '../../domain/document/document.ts';
import type { Executor } from '../kit/database/sql.ts';

/** Nobody pays an invoice whose IRN is cancelled: its payment links end with the IRN. */
export const endPaymentLinks = (run: Executor, organisation: number, document: Id): Promise<unknown> =>
  sql`
    update payment_links l
    set ended_at = now()
    from einvoices e
    where e.organisation = ${organisation}
      and e.document = ${document}::uuid
      and e.state = 'cancelled'
      and l.organisation = e.organisation
      and l.document = e.document
      and l.ended_at is null
  `.execute(run);
