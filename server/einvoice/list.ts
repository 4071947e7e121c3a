import { sql } from 'kysely';
import type { z } from 'zod';
import type { Input } from '../../contract/contract.ts';
import type { einvoiceCalls, einvoiceRow } from '../../contract/einvoice.ts';
import { Refusal } from '../../contract/errors.ts';
import { moneyText } from '../../domain/base/decimal.ts';
import type { Id } from '../../domain/document/document.ts';
import { isKind, kindLabel, kindOf } from '../../domain/document/kinds/index.ts';
import { UNSIGNED } from '../../domain/tax/gst/portal/irp-answer.ts';
import { allowCost, totalShown } from '../access/index.ts';
import type { Context } from '../context.ts';
import { likeText } from '../kit/database/sql.ts';
import type { EinvoiceState } from './states.ts';
import { sendable } from './states.ts';

const PAGE = 50;

interface Row {
  id: Id;
  kind: string;
  number: string;
  date: string;
  party_name: string;
  total: string;
  state: EinvoiceState;
  irn: string | null;
  ack_no: string | null;
  ack_date: string | null;
  error_code: string | null;
  error: string | null;
  signed: boolean;
  attempts: number;
  trouble: boolean;
}

/** Whether the user's locations allow a document; alias d. */
const within = (context: Context) =>
  context.locations.length === 0 ? sql`true` : sql`d.location = any(${[...context.locations]}::uuid[])`;

/** Registered, but what the portal has signed was never received; alias e. */
const unsigned = sql<boolean>`(e.state = 'registered' and e.signed_qr is null)`;

const shown = (context: Context, r: Row): z.input<typeof einvoiceRow> => ({
  // until the portal has answered, the IRN is only worked out by ourselves
  id: r.id,
  kind: r.kind,
  number: r.number,
  date: r.date,
  party: r.party_name,
  total: totalShown(context, r.kind, moneyText(Number(r.total))),
  state: r.state,
  irn: r.ack_no === null ? null : r.irn,
  ackNo: r.ack_no,
  ackDate: r.ack_date,
  errorCode: r.error_code,
  error: r.error ?? (r.signed ? null : UNSIGNED),
  attempts: r.attempts,
  signed: r.signed,
});

/** A page of e-invoices by keyset: trouble first, then the newest. */
export async function listEinvoices(
  { state, search, after }: Input<(typeof einvoiceCalls)['GetEInvoiceList']>,
  context: Context,
) {
  return context.inTransaction(async (trx) => {
    const [troubled, date, id] = (after ?? '').split('|');
    const trouble = sql`(e.state in ('failed', 'unclear') or ${unsigned})`;
    const { rows } = await sql<Row>`
      select
        d.id, d.kind, d.number, d.date,
        coalesce(
          nullif(d.party_name, ''),
          (select t.name from locations t where t.organisation = d.organisation and t.id = d.to_location),
          ''
        ) as party_name,
        d.total, e.state, e.irn, e.ack_no, e.ack_date, e.error_code, e.error, not ${unsigned} as signed,
        e.attempts, ${trouble} as trouble
      from einvoices e
      join documents d on d.organisation = e.organisation and d.id = e.document
      where e.organisation = ${context.organisation}
        and ${within(context)}
        and ${state ? sql`e.state = ${state}` : sql`true`}
        and ${
          search
            ? sql`
          (
            d.number ilike ${`%${likeText(search)}%`}
              or d.party_name ilike ${`%${likeText(search)}%`}
              or e.irn = lower(${search})
              or e.ack_no = ${search}
          )
        `
            : sql`true`
        }
        and ${
          troubled && date && id
            ? sql`
          (${trouble}, d.date, d.id) < (${troubled}::boolean, ${date}::date, ${id}::uuid)
        `
            : sql`true`
        }
      order by ${trouble} desc, d.date desc, d.id desc
      limit ${PAGE + 1}
    `.execute(trx);
    const counts = await sql<{
      state: EinvoiceState;
      n: number;
    }>`
      select e.state, count(*)::int as n
      from einvoices e
      join documents d on d.organisation = e.organisation and d.id = e.document
      where e.organisation = ${context.organisation} and ${within(context)}
      group by e.state
    `.execute(trx);
    const page = rows.slice(0, PAGE);
    const last = rows.length > PAGE ? page.at(-1) : undefined;
    return {
      rows: page.map((row) => shown(context, row)),
      after: last ? `${last.trouble}|${last.date}|${last.id}` : null,
      counts: Object.fromEntries(counts.rows.map((c) => [c.state, c.n])),
    };
  });
}

/** Every exchange with the portal about a document the user may see. */
export async function listAttempts(id: Id, context: Context) {
  return context.inTransaction(async (trx) => {
    const own = await sql<{
      kind: string;
    }>`
      select d.kind
      from documents d
      where d.organisation = ${context.organisation} and d.id = ${id}::uuid
    `.execute(trx);
    const [document] = own.rows;
    if (!document) throw new Refusal('notFound');
    // what was sent to the portal says what the goods are worth
    allowCost(context, document.kind);
    const { rows } = await sql<{
      at: Date;
      what: 'register';
      outcome: 'accepted';
      code: string | null;
      message: string | null;
      request: string | null;
      response: string | null;
    }>`
      select at, what, outcome, code, message, request, response
      from einvoice_attempts
      where organisation = ${context.organisation} and document = ${id}::uuid
      order by attempt
    `.execute(trx);
    return rows.map((r) => ({ ...r, at: r.at.toISOString() }));
  });
}

const reasons: Readonly<Record<EinvoiceState, string>> = {
  queued: '',
  failed: '',
  unclear: '',
  sending: 'it is on its way',
  registered: 'it has its IRN',
  cancelled: 'its IRN was cancelled: a number is not used twice',
  void: 'the document is cancelled',
};

/** Puts documents in line for the portal, again or for the first time; what cannot go says why. */
export async function sendAgain(ids: readonly Id[], context: Context) {
  return context.inTransaction(async (trx) => {
    const { rows } = await sql<{
      id: Id;
      kind: string;
      number: string;
      state: EinvoiceState | null;
      unsigned: boolean | null;
      asked: boolean;
      cancelled: boolean;
    }>`
      select
        d.id, d.kind, d.number, e.state, ${unsigned} as unsigned,
        exists (
          select from cancellations c where c.organisation = d.organisation and c.document = d.id
        ) as cancelled,
        (
          coalesce((r.body ->> 'einvoice')::boolean, false)
            and r.gstin is not null
            and d.date >= coalesce(nullif(r.body ->> 'einvoiceFrom', ''), '0001-01-01')::date
            and d.supply_type in ('B2B', 'SEZWP', 'SEZWOP', 'EXPWP', 'EXPWOP', 'DEXP')
            and not coalesce((d.body -> 'draft' ->> 'withoutTax')::boolean, false)
        ) as asked
      from documents d
      join registrations r on r.organisation = d.organisation and r.id = d.registration
      left join einvoices e on e.organisation = d.organisation and e.document = d.id
      where d.organisation = ${context.organisation} and d.id = any(${[...ids]}::uuid[])
      order by d.date, d.id
    `.execute(trx);
    // one that is not there, and nothing is sent
    if (rows.length !== new Set(ids).size) throw new Refusal('notFound');
    const skipped: { id: Id; number: string; why: string }[] = [];
    let queued = 0;
    for (const row of rows) {
      const why = whyNot(row);
      if (why) {
        skipped.push({ id: row.id, number: row.number, why });
        continue;
      }
      queued += 1;
      // what is unclear stays so: it is asked for before it is sent again
      await sql`
        insert into einvoices (organisation, document, state)
        values (${context.organisation}, ${row.id}, 'queued')
        on conflict (organisation, document) do update
        set state = 'queued', version = einvoices.version + 1, updated_at = now()
        where einvoices.state = 'failed'
      `.execute(trx);
      // the portal is asked for the signed copy again, and for nothing else
      if (row.unsigned)
        await sql`
          update einvoices
          set state = 'unclear', version = version + 1, updated_at = now()
          where organisation = ${context.organisation}
            and document = ${row.id}::uuid
            and state = 'registered'
            and signed_qr is null
        `.execute(trx);
      await sql`
        insert into outbox (organisation, task, payload, key)
        values (
          ${context.organisation}, 'registerInvoice',
          ${JSON.stringify({ organisation: context.organisation, document: row.id })}, ${row.id}
        )
      `.execute(trx);
    }
    return { queued, skipped };
  });
}

function whyNot({
  kind,
  state,
  unsigned: incomplete,
  asked,
  cancelled,
}: {
  readonly kind: string;
  readonly state: EinvoiceState | null;
  readonly unsigned: boolean | null;
  readonly asked: boolean;
  readonly cancelled: boolean;
}): string {
  if (cancelled) return reasons.void;
  if (state) return sendable.includes(state) || incomplete ? '' : reasons[state];
  if (!isKind(kind) || !kindOf(kind).gst.irp) return `${kindLabel(kind)}s have no IRN`;
  return asked
    ? ''
    : 'the law asks for no IRN: the buyer is not registered, the note is without GST, or e-invoicing did not apply ' +
        'to this registration on that day';
}
