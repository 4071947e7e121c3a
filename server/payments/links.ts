import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Answer } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { paymentCalls } from '../../contract/payments.ts';
import { upiLink } from '../../domain/banking/upi.ts';
import { moneyText } from '../../domain/base/decimal.ts';
import { type Paise, paise } from '../../domain/base/money.ts';
import { type Said, say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import type { Context } from '../context.ts';
import { viewDocument } from '../documents/index.ts';
import type { Executor } from '../kit/database/sql.ts';
import { newId } from '../kit/ids.ts';
import { type PaymentDesk, purposeOf } from './gateway.ts';

type Calls = typeof paymentCalls;
type Payment = Answer<Calls['ListPayments']>[number];

/** A document that leaves something to pay, and how much of it is open now. */
export interface Due {
  readonly number: string;
  readonly kind: string;
  readonly registration: Id;
  readonly location: Id;
  readonly party: Id;
  readonly open: Paise;
  readonly cancelled: boolean;
  /** Without its IRN it is no invoice, and nothing settles it (rule 48(5)). */
  readonly irnCancelled: boolean;
}

/** What a document leaves to pay as a whole; undefined when nobody owes anything on it in rupees. */
export async function dueOf(run: Executor, organisation: number, document: Id): Promise<Due | undefined> {
  const { rows } = await sql<Omit<Due, 'open'> & { open: string }>`
    select
      d.number, d.kind, d.registration, d.location, o.party, o.open,
      exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id) as cancelled,
      irn_cancelled(d.organisation, d.id) as "irnCancelled"
    from documents d
    join open_items o
      on o.organisation = d.organisation
        and o.document = d.id
        and o.line = 0
        and o.side = 'receivable'
        and o.currency = 'INR'
    where d.organisation = ${organisation} and d.id = ${document}::uuid
  `.execute(run);
  const [row] = rows;
  return row && { ...row, open: paise(Number(row.open)) };
}

/** Why nobody can pay it by a link; undefined when somebody can. */
const obstacle = (due: Due | undefined): Said | undefined =>
  !due
    ? say('no amount in rupees is left for a customer to pay')
    : due.cancelled
      ? say('it is cancelled')
      : due.irnCancelled
        ? say('its IRN is cancelled')
        : due.open === 0
          ? say('it is paid')
          : undefined;

export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
const linkOf = ({ publicUrl }: Pick<PaymentDesk, 'publicUrl'>, token: string): string => `${publicUrl}/pay#${token}`;

interface Kept {
  id: Id;
  secret: Buffer;
  made_at: Date;
  by: string;
}
const keptLink = async (run: Executor, organisation: number, document: Id): Promise<Kept | undefined> =>
  (
    await sql<Kept>`
      select l.id, l.secret, l.made_at, u.name as by
      from payment_links l
      join users u on u.organisation = l.organisation and u.id = l.made_by
      where l.organisation = ${organisation} and l.document = ${document}::uuid and l.ended_at is null
    `.execute(run)
  ).rows[0];

/** The UPI request for what is open of a document, to the default bank account of the organisation. */
async function upiOf(
  run: Executor,
  organisation: number,
  due: Due | undefined,
): Promise<Answer<Calls['GetPaymentsOfDocument']>['upi']> {
  if (!due || obstacle(due)) return null;
  const { rows } = await sql<{ id: string | null; name: string }>`
    select
      (
        select b.body ->> 'upi'
        from masters b
        where b.organisation = r.organisation and b.master = 'bank' and b.active
        order by coalesce((b.body ->> 'isDefault')::boolean, false) desc
        limit 1
      ) as id,
      r.legal_name as name
    from registrations r
    where r.organisation = ${organisation} and r.id = ${due.registration}::uuid
  `.execute(run);
  const { id, name } = rows[0] ?? {};
  const link = id && name ? upiLink({ id, name, amount: due.open, reference: due.number }) : undefined;
  return id && link ? { id, link, amount: moneyText(due.open) } : null;
}

/** How a document can be paid, and what was. */
export async function paymentsOf(
  desk: PaymentDesk,
  id: Id,
  context: Context,
): Promise<Answer<Calls['GetPaymentsOfDocument']>> {
  const { draft } = await viewDocument(context, { id });
  const org = context.organisation;
  if (draft) return { upi: null, link: null, why: 'it is not posted yet', payments: [] };
  return context.inTransaction(async (trx) => {
    const due = await dueOf(trx, org, id);
    const kept = await keptLink(trx, org, id);
    const has = await sql`select from payment_gateways where organisation = ${org}`.execute(trx);
    const why = obstacle(due)?.message ?? (has.rows.length > 0 ? '' : 'there is no payment gateway yet');
    return {
      upi: await upiOf(trx, org, due),
      link: kept
        ? {
            url: linkOf(desk, desk.vault.open(kept.secret, purposeOf(org))),
            at: kept.made_at.toISOString(),
            by: kept.by,
          }
        : null,
      why,
      payments: await paymentRows(trx, org, sql`l.document = ${id}::uuid`),
    };
  });
}

/** The link of a document, made now or earlier. Nothing of it can be guessed, and only its digest can be looked up. */
export async function makeLink(desk: PaymentDesk, id: Id, context: Context): Promise<Answer<Calls['MakePaymentLink']>> {
  const { number } = await viewDocument(context, { id });
  const org = context.organisation;
  return context.inTransaction(async (trx) => {
    const reason = obstacle(await dueOf(trx, org, id));
    if (reason) throw new Refusal('notPayable', { number: number || say('A draft'), reason });
    if ((await sql`select from payment_gateways where organisation = ${org}`.execute(trx)).rows.length === 0)
      throw new Refusal('noGateway');
    const token = randomBytes(32).toString('base64url');
    await sql`
      insert into payment_links (organisation, id, document, digest, secret, made_by)
      values (
        ${org}, ${newId()}, ${id}::uuid, ${digestOf(token)}, ${desk.vault.seal(token, purposeOf(org))},
        ${context.user}
      )
      on conflict (organisation, document)
      where ended_at is null do nothing
    `.execute(trx);
    const kept = await keptLink(trx, org, id);
    if (!kept) throw new Refusal('notFound');
    return { url: linkOf(desk, desk.vault.open(kept.secret, purposeOf(org))) };
  });
}

export async function endLink(id: Id, context: Context): Promise<Answer<Calls['EndPaymentLink']>> {
  const { numAffectedRows } = await context.inTransaction((trx) =>
    sql`
      update payment_links
      set ended_at = now()
      where organisation = ${context.organisation} and document = ${id}::uuid and ended_at is null
    `.execute(trx),
  );
  return { ended: numAffectedRows === 1n };
}

/** Events of the gateway, the newest first but behind what somebody has to see to. */
export async function paymentRows(run: Executor, organisation: number, which = sql`true`): Promise<Payment[]> {
  const { rows } = await sql<
    Omit<Payment, 'at' | 'document' | 'receipt'> & {
      at: Date;
      document: Id;
      document_kind: string;
      number: string;
      receipt: Id | null;
      receipt_number: string | null;
    }
  >`
    select
      e.id, e.happened_at as at, e.kind, e.amount, e.fee, e.method, e.payment, e.state,
      coalesce(nullif(e.trouble, ''), e.reason) as trouble, d.id as document, d.kind as document_kind,
      d.number, e.receipt, r.number as receipt_number
    from payment_events e
    join payment_links l on l.organisation = e.organisation and l.id = e.link
    join documents d on d.organisation = l.organisation and d.id = l.document
    left join documents r on r.organisation = e.organisation and r.id = e.receipt
    where e.organisation = ${organisation} and ${which}
    order by e.state in ('stuck', 'held') desc, e.happened_at desc, e.id desc
    limit 100
  `.execute(run);
  return rows.map(({ at, amount, fee, document, document_kind, number, receipt, receipt_number, ...same }) => ({
    ...same,
    at: at.toISOString(),
    amount: moneyText(Number(amount)),
    fee: moneyText(Number(fee)),
    document: { id: document, kind: document_kind, number },
    receipt: receipt && receipt_number ? { id: receipt, number: receipt_number } : null,
  }));
}
