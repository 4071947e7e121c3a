import { sql } from 'kysely';
import type { Handlers, Input } from '../../contract/contract.ts';
import type { dashboardCalls } from '../../contract/report-calls.ts';
import { moneyText, quantityText } from '../../domain/base/decimal.ts';
import type { Text } from '../../domain/base/say.ts';
import { type Kind, kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import type { Context } from '../context.ts';
import { openWork } from './open-work.ts';

interface Told {
  readonly id: string;
  readonly message: string;
  readonly text: Text | null;
  readonly link: string | null;
  readonly action_type: number | null;
  readonly at: Date;
}

type Count = NonNullable<Kind['life']['countedAs']>;
type Period = Input<(typeof dashboardCalls)['GetOrdersDashboardData']>;

/** The six cards of the order dashboard; cash sales and till bills count as sales. */
const cards: readonly (readonly [counts: Count, title: string])[] = [
  ['PurchaseOrder', 'Purchase Orders'],
  ['Purchase', 'Purchase Bills'],
  ['Purchasereturn', 'Purchase Returns'],
  ['SaleOrder', 'Sale Orders'],
  ['Sale', 'Sale Invoices'],
  ['Salereturn', 'Sale Returns'],
];
const kindsOf = (counts: Count): string[] => kindNames.filter((name) => kindOf(name).life.countedAs === counts);

const live = (context: Context, { StartDate, EndDate }: Period) => sql`
  d.organisation = ${context.organisation}
    and d.date between ${StartDate}::date and ${EndDate}::date
    and (${context.locations.length === 0} or d.location = any(${[...context.locations]}::uuid[]))
    and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
`;

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
type Sku = {
  itemSKU: string;
  itemName: string;
  quantity: string;
  channelId: string;
  createdDate: string;
  transactionDate: string;
  transactionNumber: string;
};
/** Of an item in stock: of what moved it last. */
const lastMoved = sql`
  '' as "channelId",
  coalesce(
    to_char((array_agg(d.posted_at order by d.date desc nulls last))[1] at time zone 'Asia/Kolkata', 'YYYY-MM-DD'),
    ''
  ) as "createdDate",
  coalesce(max(d.date)::text, '') as "transactionDate",
  coalesce((array_agg(d.number order by d.date desc nulls last))[1], '') as "transactionNumber"
`;
/** The last of the documents of a group; no document comes by a channel. */
const last = sql`
  '' as "channelId",
  to_char(
    (array_agg(d.posted_at order by d.date desc, d.id desc))[1] at time zone 'Asia/Kolkata', 'YYYY-MM-DD'
  ) as "createdDate",
  max(d.date)::text as "transactionDate",
  (array_agg(d.number order by d.date desc, d.id desc))[1] as "transactionNumber"
`;

const moved = async (trx: Trx, context: Context, period: Period, counts: Count): Promise<Sku[]> =>
  (
    await sql<Sku>`
      select i.sku as "itemSKU", i.name as "itemName", sum(l.base_quantity) as quantity, ${last}
      from documents d
      join document_lines l on l.organisation = d.organisation and l.document = d.id
      join items i on i.organisation = l.organisation and i.id = l.item
      where ${live(context, period)} and d.kind = any(${kindsOf(counts)}::text[])
      group by i.sku, i.name
      order by sum(l.base_quantity) desc, i.sku
      limit 3000
    `.execute(trx)
  ).rows;

const card = (title: string, rows: readonly Sku[]) => ({
  title,
  total: quantityText(rows.reduce((t, r) => t + Number(r.quantity), 0)),
  dashboardViewList: rows.map((r) => ({ ...r, quantity: quantityText(Number(r.quantity)) })),
});

/** Notifications that the bell still shows this user: their own and everybody's, without those they have dismissed. */
const unread = ({ organisation, user }: Context) => sql`
  n.organisation = ${organisation}
    and n.dismissed_at is null
    and (n."user" is null or n."user" = ${user})
    and not exists (
      select from notification_dismissals x
      where x.organisation = n.organisation and x.notification = n.id and x."user" = ${user}
    )
`;

/** Both dashboards and the bell, on real figures. */
export const dashboardHandlers: Handlers<typeof dashboardCalls, Context> = {
  GetInventoryDashboradData: (period, context) =>
    context.inTransaction(async (trx) => {
      const held = await sql<Sku>`
        select i.sku as "itemSKU", i.name as "itemName", sum(b.quantity) as quantity, ${lastMoved}
        from item_balances b
        join items i on i.organisation = b.organisation and i.id = b.item
        left join lateral (
          select d.number, d.date, d.posted_at
          from movements m
          join documents d on d.organisation = m.organisation and d.id = m.document
          where m.organisation = b.organisation and m.item = b.item and m.location = b.location
          order by m.date desc, m.sequence desc
          limit 1
        ) d on true
        where b.organisation = ${context.organisation}
          and (${context.locations.length === 0} or b.location = any(${[...context.locations]}::uuid[]))
        group by i.sku, i.name
        having sum(b.quantity) <> 0
        order by sum(b.quantity) desc, i.sku
        limit 3000
      `.execute(trx);
      return [
        card('Inventory', held.rows),
        card('Sale Orders', await moved(trx, context, period, 'SaleOrder')),
        card('Sale Invoices', await moved(trx, context, period, 'Sale')),
      ];
    }),
  GetOrdersDashboardData: (period, context) =>
    context.inTransaction(async (trx) => {
      const { rows } = await sql<{
        kind: string;
        day: string;
        n: number;
        amount: string;
      }>`
        select d.kind, d.date as day, count(*)::int as n, sum(d.total) as amount
        from documents d
        where ${live(context, period)} and d.kind = any(${cards.flatMap(([c]) => kindsOf(c))}::text[])
        group by d.kind, d.date
        order by d.date
      `.execute(trx);
      const of = (counts: Count) => rows.filter((r) => kindsOf(counts).includes(r.kind));
      const daily = cards.flatMap(([counts]) => {
        const days = new Map<string, number>();
        for (const r of of(counts)) days.set(r.day, (days.get(r.day) ?? 0) + r.n);
        return [...days].map(([orderDay, orderCount]) => ({ orderType: counts, orderDay, orderCount }));
      });
      return {
        orderData: cards.map(([counts, title]) => ({
          title,
          total: String(of(counts).reduce((t, r) => t + r.n, 0)),
          amount: moneyText(of(counts).reduce((t, r) => t + Number(r.amount), 0)),
        })),
        periodicData: daily,
      };
    }),
  GetOpenWork: (_, context) => openWork(context),
  GetNotifications: (_, context) =>
    context.inTransaction(async (trx) =>
      (
        await sql<Told>`
          select n.id, n.message, n.text, n.link, n.action_type, n.at
          from notifications n
          where ${unread(context)}
          order by n.at desc
          limit 100
        `.execute(trx)
      ).rows.map((r) => ({
        id: r.id,
        message: r.message,
        ...(r.text && { text: r.text }),
        link: r.link,
        actionType: r.action_type,
        at: r.at.toISOString(),
      })),
    ),
  DismissNotifications: ({ id }, context) =>
    context.inTransaction(async (trx) => {
      const { organisation, user } = context;
      const which = id ? sql`n.id = ${id}::uuid` : sql`true`;
      // a notification for everybody is dismissed by each user separately
      await sql`
        insert into notification_dismissals (organisation, notification, "user")
        select n.organisation, n.id, ${user}
        from notifications n
        where ${unread(context)} and n."user" is null and ${which}
        on conflict do nothing
      `.execute(trx);
      await sql`
        update notifications n
        set dismissed_at = now()
        where n.organisation = ${organisation} and n.dismissed_at is null and n."user" = ${user} and ${which}
      `.execute(trx);
      const { rows } = await sql<{
        n: number;
      }>`select count(*)::int as n from notifications n where ${unread(context)}`.execute(trx);
      return { left: rows[0]?.n ?? 0 };
    }),
};
