import { sql } from 'kysely';
import { daysBetween, financialYearOf } from '../../domain/base/dates.ts';
import { moneyText } from '../../domain/base/decimal.ts';
import type { Id } from '../../domain/document/document.ts';
import { kindLabel, kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import type { LineEffect } from '../../domain/document/kinds/kind.ts';
import { totalShown } from '../access/index.ts';
import type { Context } from '../context.ts';
import { isCancelled, isHere, LIMIT, type PartQuery, type Trx, viewedKinds } from './part.ts';

/** What a firm is to us: what is due on this side, what it is settled with, and the lines that add to and take from turnover. */
interface Account {
  readonly side: 'customer' | 'supplier';
  readonly due: 'receivable' | 'payable';
  readonly credit: 'customerCredit' | 'supplierCredit';
  readonly adds: readonly LineEffect[];
  readonly takes: readonly LineEffect[];
}
const customer: Account = {
  ...{ side: 'customer', due: 'receivable', credit: 'customerCredit' },
  ...{ adds: ['sales', 'retailSales'], takes: ['salesReturn', 'salesDiscount'] },
};
const supplier: Account = {
  ...{ side: 'supplier', due: 'payable', credit: 'supplierCredit' },
  ...{ adds: ['purchase', 'importPurchase'], takes: ['purchaseReturn', 'purchaseDiscount'] },
};

/** Documents that last bills are looked for among, so that their number does not follow that of all documents. */
const LAST_BILLS = 200;

const kindsOf = (effects: readonly LineEffect[]) =>
  kindNames.filter((kind) => kindOf(kind).life.cycle === 'posted' && effects.includes(kindOf(kind).books.lineEffect));

const isOnSide = async (trx: Trx, { organisation }: Context, id: Id, { side }: Account): Promise<boolean> =>
  (
    await sql`
      select from parties
      where organisation = ${organisation} and id = ${id}::uuid and side in (${side}, 'both')
    `.execute(trx)
  ).rows.length > 0;

/** What is open of a party now, as rows of a query `o`: found by an index that has open items alone. */
const openOf = (context: Context, id: Id, { due, credit }: Account) => sql`
  open_items o
  join documents d on d.organisation = o.organisation and d.id = o.document
  where o.organisation = ${context.organisation}
    and o.party = surviving_party(${context.organisation}, ${id}::uuid)
    and o.side in (${due}, ${credit})
    and o.open > 0
    and o.date <= ${context.today}::date
    and ${isHere('d.location', context)}
`;
const worth = sql`case when o.currency = 'INR' then o.open else open_worth(o.organisation, o) end`;

interface Sums {
  readonly balance: string;
  readonly overdue: string;
  readonly oldest: string | null;
  readonly documents: string;
  readonly notDue: string;
  readonly to30: string;
  readonly to60: string;
  readonly to90: string;
  readonly to180: string;
  readonly over180: string;
  readonly onAccount: string;
}

/** What is open by its age from the due date; credits are counted for themselves, and come off the balance. */
async function sumsOf(trx: Trx, context: Context, id: Id, account: Account): Promise<Sums | undefined> {
  const { rows } = await sql<Sums>`
    select
      coalesce(sum(case when credit then -worth else worth end), 0) as balance,
      coalesce(sum(worth) filter (where late > 0), 0) as overdue,
      min(due) filter (where late > 0) as oldest,
      count(*) as documents,
      coalesce(sum(worth) filter (where not credit and late <= 0), 0) as "notDue",
      coalesce(sum(worth) filter (where late between 1 and 30), 0) as "to30",
      coalesce(sum(worth) filter (where late between 31 and 60), 0) as "to60",
      coalesce(sum(worth) filter (where late between 61 and 90), 0) as "to90",
      coalesce(sum(worth) filter (where late between 91 and 180), 0) as "to180",
      coalesce(sum(worth) filter (where late > 180), 0) as "over180",
      coalesce(-sum(worth) filter (where credit), 0) as "onAccount"
    from (
      select
        ${worth} as worth, o.side = ${account.credit} as credit, coalesce(o.due_date, o.date) as due,
        case when o.side = ${account.due} then ${context.today}::date - coalesce(o.due_date, o.date) end as late
      from ${openOf(context, id, account)}
    ) s
  `.execute(trx);
  return rows[0];
}

/**
 * Value of supplies without tax since the first day of the financial year, net of notes and returns, of kinds that the person may
 * view; null: of none. Purchases without tax are what goods cost.
 */
async function turnoverOf(trx: Trx, context: Context, id: Id, { side, adds, takes }: Account): Promise<string | null> {
  const viewed = viewedKinds(context, side);
  const [plus, minus] = [adds, takes].map((effects) => kindsOf(effects).filter((kind) => viewed.includes(kind)));
  if (!plus?.length) return null;
  const { rows } = await sql<{ turnover: string }>`
    select coalesce(sum(case when d.kind = any(${minus ?? []}::text[]) then -d.taxable else d.taxable end), 0) as turnover
    from documents d
    where d.organisation = ${context.organisation}
      and d.party = any(party_family(${context.organisation}, ${id}::uuid))
      and d.date between ${financialYearOf(context.today).start}::date and ${context.today}::date
      and d.kind = any(${[...plus, ...(minus ?? [])]}::text[])
      and ${isHere('d.location', context)}
      and not ${isCancelled}
  `.execute(trx);
  return moneyText(Number(rows[0]?.turnover ?? 0));
}

/** Days from the date of a bill to what settled its rest, on average of the last bills that are settled. */
async function daysToPay(trx: Trx, context: Context, id: Id, { adds, due }: Account): Promise<number | null> {
  const { rows } = await sql<{ days: string | null }>`
    select round(avg(p.paid - o.date)) as days
    from unnest(party_family(${context.organisation}, ${id}::uuid)) f(id)
    cross join lateral (
      select d.organisation, d.id
      from documents d
      where d.organisation = ${context.organisation}
        and d.party = f.id
        and d.kind = any(${kindsOf(adds)}::text[])
        and ${isHere('d.location', context)}
      order by d.date desc, d.id desc
      limit ${LAST_BILLS}
    ) b
    join open_items o
      on o.organisation = b.organisation and o.document = b.id and o.line = 0 and o.side = ${due} and o.open = 0
    cross join lateral (
      select max(a.date) as paid
      from allocations a
      where a.organisation = o.organisation and a.invoice_document = o.document and a.invoice_line = o.line
    ) p
  `.execute(trx);
  const days = rows[0]?.days;
  return days == null ? null : Number(days);
}

const account =
  (of: Account): PartQuery =>
  async (trx, context, id) => {
    if (!(await isOnSide(trx, context, id, of))) return undefined;
    const sums = await sumsOf(trx, context, id, of);
    if (!sums) return undefined;
    const { oldest } = sums;
    return [
      {
        balance: moneyText(Number(sums.balance)),
        overdue: oldest === null ? null : moneyText(Number(sums.overdue)),
        oldestDays: oldest === null ? null : daysBetween(oldest, context.today),
        openCount: Number(sums.documents),
        turnover: await turnoverOf(trx, context, id, of),
        daysToPay: await daysToPay(trx, context, id, of),
      },
    ];
  };

const ages = ['notDue', 'to30', 'to60', 'to90', 'to180', 'over180', 'onAccount'] as const;

const ageing =
  (of: Account): PartQuery =>
  async (trx, context, id) => {
    const sums = await sumsOf(trx, context, id, of);
    if (!sums || Number(sums.documents) === 0) return undefined;
    const shown = ages.map((age) => [age, Number(sums[age]) === 0 ? null : moneyText(Number(sums[age]))] as const);
    return [{ ...Object.fromEntries(shown), total: moneyText(Number(sums.balance)) }];
  };

interface Open {
  readonly document: Id;
  readonly kind: string;
  readonly number: string;
  readonly date: string;
  readonly due_date: string | null;
  readonly side: string;
  readonly original: string;
  readonly open: string;
}

/** What is open, the longest due before the others. */
const openDocuments =
  (of: Account): PartQuery =>
  async (trx, context, id) => {
    if (!(await isOnSide(trx, context, id, of))) return undefined;
    const { rows } = await sql<Open>`
      select
        o.document, d.kind, coalesce(o.reference, d.number) as number, o.date, o.due_date, o.side,
        case when o.currency = 'INR' then o.original else round(o.original * d.exchange_rate / 1000000.0)::bigint end
          as original,
        ${worth} as open
      from ${openOf(context, id, of)}
      order by coalesce(o.due_date, o.date), o.date, o.document, o.line
      limit ${LIMIT}
    `.execute(trx);
    return rows.map(({ document, kind, number, date, due_date, side, original, open }) => {
      const sign = side === of.due ? 1 : -1;
      const late = daysBetween(due_date ?? date, context.today);
      return {
        ...{ document, kind, kindLabel: kindLabel(kind), number, date, dueDate: due_date },
        days: sign > 0 && late > 0 ? late : null,
        original: moneyText(sign * Number(original)),
        open: moneyText(sign * Number(open)),
      };
    });
  };

/** The last documents that name the party, of kinds that the person may view. */
const partyDocuments: PartQuery = async (trx, context, id) => {
  const { rows } = await sql<{
    id: Id;
    kind: string;
    number: string;
    date: string;
    reference: string | null;
    total: string;
    cancelled: boolean;
  }>`
    select l.*
    from unnest(party_family(${context.organisation}, ${id}::uuid)) f(id)
    cross join lateral (
      select d.id, d.kind, d.number, d.date, d.reference, d.total, ${isCancelled} as cancelled
      from documents d
      where d.organisation = ${context.organisation}
        and d.party = f.id
        and d.kind = any(${viewedKinds(context)}::text[])
        and ${isHere('d.location', context)}
      order by d.date desc, d.id desc
      limit ${LIMIT}
    ) l
    order by l.date desc, l.id desc
    limit ${LIMIT}
  `.execute(trx);
  return rows.map(({ id: document, kind, number, date, reference, total, cancelled }) => ({
    ...{ document, kind, kindLabel: kindLabel(kind), number, date, reference },
    total: totalShown(context, kind, moneyText(Number(total))),
    state: cancelled ? 'Cancelled' : null,
  }));
};

export const partyParts = {
  receivable: account(customer),
  receivableAgeing: ageing(customer),
  openReceivables: openDocuments(customer),
  payable: account(supplier),
  payableAgeing: ageing(supplier),
  openPayables: openDocuments(supplier),
  partyDocuments,
} as const;
