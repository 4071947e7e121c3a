import { type QueryExecutorProvider, sql } from 'kysely';
import { addDays } from '../../domain/base/dates.ts';
import { moneyText } from '../../domain/base/decimal.ts';
import { kindLabel, kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { partyAgeing } from './outstanding.ts';
import { type Asked, among, type Query, type Row } from './report.ts';

/** Lines written by hand name a party on any ledger; on its account they are where they left something to settle. */
const written = kindNames.filter((name) => kindOf(name).books.opensByLine);

interface Posted {
  document: string;
  kind: string;
  number: string;
  date: string;
  due_date: string | null;
  cancels: string | null;
  amount: string;
  settled_with: string | null;
}

/**
 * What each document of the party and of those merged into it, found by its name and not among all entries, and each
 * bill of an opening balance, put on the account of the party up to a day: debit less credit.
 */
async function postedTo(
  db: QueryExecutorProvider,
  { organisation, places, locations = [], author }: Asked,
  party: string,
  to: string,
): Promise<Posted[]> {
  const { rows } = await sql<Posted>`
    with
      own as (
        select id
        from documents
        where organisation = ${organisation} and party = any(party_family(${organisation}, ${party}::uuid))
        union
        select d.id
        from documents d
        join open_items o on o.organisation = d.organisation and o.document = d.id
        where d.organisation = ${organisation}
          and d.kind = any(${written})
          and o.party = surviving_party(${organisation}, ${party}::uuid)
      ),
      named as (
        select id
        from own
        union
        select r.id
        from documents r
        where r.organisation = ${organisation} and r.reverses in (select id from own)
      ),
      booked as (
        select
          d.id as document, d.kind, d.date, d.number as own, d.reverses, r.number as cancels,
          coalesce(r.id, d.id) as origin,
          case when coalesce(r.kind, d.kind) = any(${written}) then e.leg else 0 end as line,
          sum(e.debit - e.credit) as amount
        from named n
        join documents d on d.organisation = ${organisation} and d.id = n.id
        join entries e on e.organisation = d.organisation and e.document = d.id
        left join documents r on r.organisation = d.organisation and r.id = d.reverses
        where e.organisation = ${organisation}
          and e.party = any(party_family(${organisation}, ${party}::uuid))
          and e.date <= ${to}::date
          and ${among('d.location', places)}
          and ${author ? sql`d.author = ${author}::uuid` : sql`true`}
        group by 1, 2, 3, 4, 5, 6, 7, 8
      )
    select
      b.document, b.kind, coalesce(o.reference, b.own) as number, b.date,
      case when b.reverses is null then o.due_date end as due_date, b.cancels, b.amount,
      (
        select string_agg(distinct coalesce(oi.reference, x.number), ', ')
        from (
          select
            case when a.invoice_document = b.document then a.credit_document else a.invoice_document end as other,
            case when a.invoice_document = b.document then a.credit_line else a.invoice_line end as other_line
          from allocations a
          where a.organisation = ${organisation}
            and a.date <= ${to}::date
            and (
              (a.invoice_document, a.invoice_line) = (b.document, b.line)
                or (a.credit_document, a.credit_line) = (b.document, b.line)
            )
          group by 1, 2
          having sum(a.amount) <> 0
        ) n
        join documents x
          on x.organisation = ${organisation}
            and x.id = n.other
            and ${among('x.location', locations)}
            and ${author ? sql`x.author = ${author}::uuid` : sql`true`}
        left join open_items oi
          on oi.organisation = ${organisation} and oi.document = n.other and oi.line = n.other_line
      ) as settled_with
    from booked b
    left join open_items o on o.organisation = ${organisation} and o.document = b.origin and o.line = b.line
    where b.amount <> 0 and (b.line = 0 or o.document is not null)
    order by b.date, b.document, b.line
  `.execute(db);
  return rows;
}

/** Ledgers say Dr or Cr. */
const side = (balance: number): string => `${moneyText(Math.abs(balance))} ${balance < 0 ? 'Cr' : 'Dr'}`;

const buckets = [
  ['notDue', 'Not due'],
  ['to30', '1–30 days late'],
  ['to60', '31–60 days late'],
  ['to90', '61–90 days late'],
  ['to180', '91–180 days late'],
  ['over180', 'Over 180 days late'],
  ['onAccount', 'On account'],
] as const;

/** The account of one party: opening balance, each document with what it is settled with, running balance; its age at the foot. */
const statementOf =
  (owes: 'receivable' | 'payable'): Query =>
  async (db, asked) => {
    const { from = '', to = '', party = '' } = asked.filters;
    const posted = await postedTo(db, asked, party, to);
    const { rows: named } = await sql<{ name: string }>`
      select name
      from parties
      where organisation = ${asked.organisation}
        and id = surviving_party(${asked.organisation}, ${party}::uuid)`.execute(db);
    const opening = posted.filter((p) => p.date < from).reduce((sum, p) => sum + Number(p.amount), 0);
    let balance = opening;
    let [debit, credit] = [0, 0];
    const body = posted
      .filter((p) => p.date >= from)
      .map((p): Row => {
        const amount = Number(p.amount);
        balance += amount;
        if (amount > 0) debit += amount;
        else credit -= amount;
        return {
          date: p.date,
          number: p.number,
          kind: p.kind,
          document: p.document,
          kindLabel: p.cancels ? `Cancels ${p.cancels}` : kindLabel(p.kind),
          with: p.settled_with ?? '',
          dueDate: p.due_date,
          debit: amount > 0 ? moneyText(amount) : '',
          credit: amount < 0 ? moneyText(-amount) : '',
          balance: side(balance),
        };
      });
    const heading = (date: string, number: string, figure: string): Row => ({
      ...{ date, number, kindLabel: '', with: '', dueDate: null, debit: '', credit: '' },
      ...{ balance: figure, heading: true },
    });
    const age = await partyAgeing(db, asked, owes, party, to);
    const foot = buckets.flatMap(([key, label]): Row[] =>
      age[key] === 0
        ? []
        : [{ ...heading('', label, side(owes === 'receivable' ? age[key] : -age[key])), heading: false }],
    );
    return {
      rows: [
        heading(addDays(from, -1), 'Opening balance', side(opening)),
        ...body,
        heading(to, 'Closing balance', side(balance)),
        ...(foot.length > 0 ? [heading('', 'Age from due date', ''), ...foot] : []),
      ],
      totals: { debit: moneyText(debit), credit: moneyText(credit) },
      after: null,
      notes: [],
      ...(named[0] && { about: named[0].name }),
    };
  };

export const customerStatement = statementOf('receivable');
export const supplierStatement = statementOf('payable');
