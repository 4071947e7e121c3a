import { type QueryExecutorProvider, sql } from 'kysely';
import { daysBetween } from '../../domain/base/dates.ts';
import { grouped, moneyText } from '../../domain/base/decimal.ts';
import { kindLabel } from '../../domain/document/kinds/index.ts';
import { type Asked, among, type Query, type Row } from './report.ts';

type Side = 'receivable' | 'payable';
/** The credits that stand against a side: receipts and notes of customers, payments and notes of suppliers. */
const creditOf = { receivable: 'customerCredit', payable: 'supplierCredit' } as const;

interface Open {
  party: string;
  name: string;
  micro_small: boolean;
  document: string;
  kind: string;
  number: string;
  date: string;
  due_date: string | null;
  side: string;
  currency: string;
  /** In its own currency, and in the rupees that stand on the account for it. */
  foreign: string;
  original: string;
  open: string;
}

/** What was open on a day: an allocation counts when the later of its two documents is dated on or before it. */
async function openOn(
  db: QueryExecutorProvider,
  organisation: number,
  side: Side,
  asOf: string,
  party: string | undefined,
  places: readonly string[],
): Promise<Open[]> {
  const { rows } = await sql<Open>`
    with used as (
      select document, line, sum(amount) as amount
      from (
        select a.invoice_document as document, a.invoice_line as line, a.amount
        from allocations a
        where a.organisation = ${organisation} and a.date <= ${asOf}::date
        union all
        select a.credit_document, a.credit_line, a.amount
        from allocations a
        where a.organisation = ${organisation} and a.date <= ${asOf}::date
      ) both_sides
      group by document, line
    )
    select
      o.party, p.name, coalesce((p.body ->> 'microSmall')::boolean, false) as micro_small, o.document,
      d.kind, coalesce(o.reference, d.number) as number, o.date, o.due_date, o.side, o.currency,
      o.original - coalesce(u.amount, 0) as foreign,
      coalesce(s.worth, o.original - coalesce(u.amount, 0)) as open,
      case
        when o.currency = 'INR' then o.original
        else round(o.original * d.exchange_rate / 1000000.0)::bigint
      end as original
    from open_items o
    join documents d on d.organisation = o.organisation and d.id = o.document
    join parties p on p.organisation = o.organisation and p.id = o.party
    left join used u on u.document = o.document and u.line = o.line
    left join lateral (select worth from open_on(o.organisation, o, ${asOf}::date) where o.currency <> 'INR') s
      on true
    where o.organisation = ${organisation}
      and o.side in (${side}, ${creditOf[side]})
      and d.date <= ${asOf}::date
      and (${party ?? null}::uuid is null or o.party = surviving_party(${organisation}, ${party ?? null}::uuid))
      and ${among('d.location', places)}
      and o.original - coalesce(u.amount, 0) <> 0
      and not exists (
        select from cancellations c
        join documents r on r.organisation = c.organisation and r.id = c.reversal
        where c.organisation = o.organisation and c.document = o.document and r.date <= ${asOf}::date
      )
    order by p.name, o.date, o.document, o.line
  `.execute(db);
  return rows;
}

const bucketOf = (days: number) =>
  days <= 0
    ? 'notDue'
    : days <= 30
      ? 'to30'
      : days <= 60
        ? 'to60'
        : days <= 90
          ? 'to90'
          : days <= 180
            ? 'to180'
            : 'over180';

const emptyAgeing = {
  notDue: 0,
  to30: 0,
  to60: 0,
  to90: 0,
  to180: 0,
  over180: 0,
  onAccount: 0,
  total: 0,
  microSmallOverdue: 0,
};
type Ageing = typeof emptyAgeing;

/** Section 15 of the MSMED Act: at most 45 days. */
const MICRO_SMALL_DAYS = 45;

const ageing =
  (side: Side): Query =>
  async (db, { organisation, filters, places }) => {
    const asOf = filters.asOf ?? '';
    const byParty = new Map<string, { name: string; sums: Ageing }>();
    const totals: Ageing = { ...emptyAgeing };
    for (const item of await openOn(db, organisation, side, asOf, filters.party, places)) {
      const party = byParty.get(item.party) ?? { name: item.name, sums: { ...emptyAgeing } };
      byParty.set(item.party, party);
      const amount = Number(item.open);
      const credit = item.side !== side;
      const from = filters.by === 'date' ? item.date : (item.due_date ?? item.date);
      const bucket = credit ? 'onAccount' : bucketOf(daysBetween(from, asOf));
      const late = !credit && item.micro_small && daysBetween(item.date, asOf) > MICRO_SMALL_DAYS;
      for (const sums of [party.sums, totals]) {
        sums[bucket] += credit ? -amount : amount;
        sums.total += credit ? -amount : amount;
        if (late) sums.microSmallOverdue += amount;
      }
    }
    const rows = [...byParty].map(([partyId, { name, sums }]): Row => ({ party: name, partyId, asOf, ...texts(sums) }));
    return { rows, totals: texts(totals), after: null, notes: [] };
  };

/** The outstanding balance of one party on a day, by age from the due date, in paise; credits are a separate, negative figure. */
export async function partyAgeing(
  db: QueryExecutorProvider,
  { organisation, places }: Pick<Asked, 'organisation' | 'places'>,
  side: Side,
  party: string,
  asOf: string,
): Promise<Ageing> {
  const sums = { ...emptyAgeing };
  for (const item of await openOn(db, organisation, side, asOf, party, places)) {
    const credit = item.side !== side;
    const amount = credit ? -Number(item.open) : Number(item.open);
    sums[credit ? 'onAccount' : bucketOf(daysBetween(item.due_date ?? item.date, asOf))] += amount;
    sums.total += amount;
  }
  return sums;
}

const texts = (sums: Ageing): Record<string, string> =>
  Object.fromEntries(Object.entries(sums).map(([key, n]) => [key, moneyText(n)]));

const outstanding =
  (side: Side): Query =>
  async (db, { organisation, filters, places }) => {
    const asOf = filters.asOf ?? '';
    let original = 0;
    let open = 0;
    const rows = (await openOn(db, organisation, side, asOf, filters.party, places)).map((item): Row => {
      const sign = item.side === side ? 1 : -1;
      original += sign * Number(item.original);
      open += sign * Number(item.open);
      return {
        party: item.name,
        number: item.number,
        kind: item.kind,
        kindLabel: kindLabel(item.kind),
        document: item.document,
        date: item.date,
        dueDate: item.due_date,
        days: sign > 0 ? Math.max(0, daysBetween(item.due_date ?? item.date, asOf)) : '',
        foreign: item.currency === 'INR' ? '' : `${item.currency} ${grouped(moneyText(sign * Number(item.foreign)))}`,
        original: moneyText(sign * Number(item.original)),
        open: moneyText(sign * Number(item.open)),
      };
    });
    return { rows, totals: { original: moneyText(original), open: moneyText(open) }, after: null, notes: [] };
  };

export const receivablesAgeing = ageing('receivable');
export const payablesAgeing = ageing('payable');
export const outstandingDebtors = outstanding('receivable');
export const outstandingCreditors = outstanding('payable');
