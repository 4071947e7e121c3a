import { sql } from 'kysely';
import type { z } from 'zod';
import { Refusal } from '../../contract/errors.ts';
import type { tillFigures } from '../../contract/till.ts';
import { moneyText } from '../../domain/base/decimal.ts';
import type { Id } from '../../domain/document/document.ts';
import { kindFor } from '../../domain/document/kinds/index.ts';
import type { CashCount } from '../../domain/till/till.ts';
import type { Context } from '../context.ts';
import { sessions, sessionText, type Trx } from './tills.ts';

type Figures = z.input<typeof tillFigures>;
interface Money {
  opening: string;
  expected: string;
  counted: string | null;
  opening_count: CashCount;
  closing_count: CashCount | null;
  number: string | null;
}
interface Sums {
  kind: string;
  documents: number;
  total: string;
  tax: string;
  discount: string;
  cancelled: number;
  cancelled_total: string;
  on_account: string;
  first: string | null;
  last: string | null;
}
interface Moved {
  kind: string;
  number: string;
  direction: 'in' | 'out';
  amount: string;
  reason: string;
  at: Date;
  by: string;
  sign: number;
}

const rupees = (amount: string | number | undefined): string => moneyText(Number(amount ?? 0));

/** The documents of a session with their sign: a cancellation belongs to the session of the document that it mirrors. */
const documentsOf = (org: number, id: Id) =>
  sql`
    (
      select coalesce(x.reverses, x.id) as id, case when x.reverses is null then 1 else -1 end as sign
      from till_documents t
      join documents x on x.organisation = t.organisation and x.id = t.document
      where t.organisation = ${org} and t.session = ${id}::uuid
    ) b
    join documents d on d.organisation = ${org} and d.id = b.id
  `;

/** X while it is open, Z once it is closed. A bill that was cancelled in the session counts as a bill and as cancelled. */
export async function figuresOf(trx: Trx, context: Context, id: Id): Promise<Figures> {
  const org = context.organisation;
  const [session] = await sessions(trx, context, sql`s.id = ${id}::uuid`);
  if (!session) throw new Refusal('notFound');
  const [money] = (
    await sql<Money>`
      select
        s.opening, coalesce(s.expected, till_expected(${org}, s.id)) as expected, s.counted,
        s.opening_count, s.closing_count, d.number
      from till_sessions s
      left join documents d on d.organisation = s.organisation and d.id = s.difference
      where s.organisation = ${org} and s.id = ${id}::uuid
    `.execute(trx)
  ).rows;
  if (!money) throw new Error('a session has figures');
  const { rows } = await sql<Sums>`
    select
      d.kind, count(*) filter (where sign > 0)::int as documents,
      coalesce(sum(sign * d.total), 0) as total,
      coalesce(sum(sign * (d.cgst + d.sgst + d.igst + d.cess)), 0) as tax,
      coalesce(sum(sign * (d.body ->> 'discount')::bigint), 0) as discount,
      count(*) filter (where sign < 0)::int as cancelled,
      coalesce(sum(d.total) filter (where sign < 0), 0) as cancelled_total,
      coalesce(sum(sign * (d.body -> 'draft' ->> 'onAccount')::bigint), 0) as on_account,
      (array_agg(d.number order by d.posted_at, d.id) filter (where sign > 0))[1] as first,
      (array_agg(d.number order by d.posted_at desc, d.id desc) filter (where sign > 0))[1] as last
    from ${documentsOf(org, id)}
    group by d.kind
  `.execute(trx);
  const [sold, back] = [kindFor('tillBill'), kindFor('tillReturn')].map((kind) => rows.find((r) => r.kind === kind));
  const modes = (
    await sql<{ kind: string; mode: string; amount: string }>`
      select d.kind, x.tender ->> 'mode' as mode, sum(sign * (x.tender ->> 'amount')::bigint) as amount
      from ${documentsOf(org, id)}
      cross join lateral jsonb_array_elements(d.body -> 'draft' -> 'tenders') x(tender)
      where x.tender ->> 'mode' is not null
      group by 1, 2
      order by 1, 2
    `.execute(trx)
  ).rows;
  const cash = await cashOf(trx, context, id);
  const moved = (direction: 'in' | 'out') =>
    rupees(cash.filter((m) => m.direction === direction).reduce((t, m) => t + m.sign * Number(m.amount), 0));
  const inModes = (kind: string) =>
    modes.filter((m) => m.kind === kind).map((m) => ({ mode: m.mode, amount: rupees(m.amount) }));
  return {
    session: sessionText(session),
    till: session.name,
    bills: session.bills,
    total: rupees(session.total),
    tax: rupees(sold?.tax),
    discount: rupees(sold?.discount),
    first: sold?.first ?? null,
    last: sold?.last ?? null,
    cancelled: sold?.cancelled ?? 0,
    cancelledTotal: rupees(sold?.cancelled_total),
    modes: inModes(kindFor('tillBill')),
    onAccount: rupees(sold?.on_account),
    returns: (back?.documents ?? 0) - (back?.cancelled ?? 0),
    returned: rupees(back?.total),
    returnedTax: rupees(back?.tax),
    refunds: inModes(kindFor('tillReturn')),
    cash: cash.map(({ kind: _, sign, at, amount, reason, ...m }) => ({
      ...m,
      amount: rupees(amount),
      reason: sign < 0 ? `Cancelled: ${reason}` : reason,
      at: at.toISOString(),
    })),
    cashIn: moved('in'),
    cashOut: moved('out'),
    opening: rupees(money.opening),
    expected: rupees(money.expected),
    counted: money.counted === null ? null : rupees(money.counted),
    numbers: await setDownIn(trx, context, id),
    openingCount: money.opening_count,
    closingCount: money.closing_count,
    differenceNumber: money.number,
  };
}

/** Cash that was put in or taken out, in the order in which it was. */
async function cashOf(trx: Trx, { organisation }: Context, id: Id): Promise<Moved[]> {
  const { rows } = await sql<Moved>`
    select
      d.kind, d.number, d.body -> 'draft' -> 'till' ->> 'cash' as direction,
      d.body -> 'draft' -> 'lines' -> 0 ->> 'debit' as amount,
      coalesce(d.body -> 'draft' ->> 'reason', '') as reason, d.posted_at as at, u.name as by, sign
    from ${documentsOf(organisation, id)}
    join users u on u.organisation = d.organisation and u.id = d.author
    where d.body -> 'draft' -> 'till' ? 'cash'
    order by d.posted_at, d.id, sign desc
    limit 500
  `.execute(trx);
  return rows;
}

/** Numbers of a session whose bill is not in the books. */
async function setDownIn(trx: Trx, { organisation }: Context, session: Id): Promise<Figures['numbers']> {
  const { rows } = await sql<{
    series: Id;
    period: string;
    counter: number;
    number: string;
    day: string;
    state: 'awaited' | 'refused' | 'void';
    reason: string;
    set_at: Date;
    name: string;
  }>`
    select n.series, n.period, n.counter, n.number, n.day, n.state, n.reason, n.set_at, u.name
    from till_numbers n
    join users u on u.organisation = n.organisation and u.id = n.set_by
    where n.organisation = ${organisation} and n.session = ${session}::uuid and n.state <> 'posted'
    order by n.period, n.counter
    limit 500
  `.execute(trx);
  return rows.map(({ day, set_at, name, ...n }) => ({ ...n, date: day, at: set_at.toISOString(), by: name }));
}
