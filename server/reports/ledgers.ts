import { type RawBuilder, sql } from 'kysely';
import { grouped, moneyText, rupeesText } from '../../domain/base/decimal.ts';
import { costEffects } from '../../domain/books/effects.ts';
import { kindLabel } from '../../domain/document/kinds/index.ts';
import { ledgerBalances } from './balances.ts';
import { type Asked, among, type Query, type Row } from './report.ts';

const need = (filters: Readonly<Record<string, string>>, key: string): string => filters[key] ?? '';

/** The net of two sums on the side where it stands. */
export const net = (debit: number, credit: number) => {
  const balance = debit - credit;
  return { debit: balance > 0 ? balance : 0, credit: balance < 0 ? -balance : 0 };
};

export const trialBalance: Query = async (db, { organisation, filters, places }) => {
  const from = need(filters, 'from');
  const to = need(filters, 'to');
  const beforeClosing = filters.closing !== 'true';
  const balances = await ledgerBalances(db, organisation, { from, to, places, beforeClosing });
  const sums = { openingDebit: 0, openingCredit: 0, debit: 0, credit: 0, closingDebit: 0, closingCredit: 0 };
  const rows: Row[] = [];
  for (const b of balances) {
    const opening = net(b.openingDebit, b.openingCredit);
    const closing = net(b.openingDebit + b.debit, b.openingCredit + b.credit);
    const figures = {
      openingDebit: opening.debit,
      openingCredit: opening.credit,
      debit: b.debit,
      credit: b.credit,
      closingDebit: closing.debit,
      closingCredit: closing.credit,
    };
    if (Object.values(figures).every((n) => n === 0)) continue;
    for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += figures[key];
    rows.push({ code: b.code, name: b.name, ledger: b.ledger, from, to, ...texts(figures) });
  }
  const difference = sums.closingDebit - sums.closingCredit;
  return {
    rows,
    totals: texts(sums),
    after: null,
    // a single location need not balance: goods and money also move between locations
    notes: difference === 0 ? [] : [`Debit and credit differ by ${rupeesText(difference)}`],
  };
};

const texts = <K extends string>(figures: Readonly<Record<K, number>>): Record<K, string> =>
  Object.fromEntries(Object.entries<number>(figures).map(([key, n]) => [key, moneyText(n)])) as Record<K, string>;

/** What an entry moves of its own currency; alias e. */
const signedForeign = sql`case when e.debit > 0 then e.foreign_amount else -e.foreign_amount end`;
const inItsCurrency = (cents: number, currency: string | null): string =>
  currency === null ? '' : `${currency} ${grouped(moneyText(cents))}`;

/** The ledgers that hold money, moved or not; an overdrawn one is negative. */
export const cashAndBank: Query = async (db, { organisation, filters, places }) => {
  const [from, to] = [need(filters, 'from'), need(filters, 'to')];
  const { rows: ledgers } = await sql<{
    id: string;
    code: string;
    name: string;
    currency: string | null;
    foreign: string;
  }>`
    select
      id, code, name, currency,
      case
        when currency is null then 0
        else (
          select coalesce(sum(${signedForeign}), 0)
          from entries e
          where e.organisation = l.organisation
            and e.ledger = l.id
            and e.currency = l.currency
            and e.date <= ${to}::date
            and ${among('e.location', places)}
        )
      end as foreign
    from ledgers l
    where organisation = ${organisation} and not is_group and active and is_money(is_bank, role)
    order by code
  `.execute(db);
  const balances = new Map((await ledgerBalances(db, organisation, { from, to, places })).map((b) => [b.ledger, b]));
  const sums = { opening: 0, debit: 0, credit: 0, balance: 0 };
  const rows = ledgers.map(({ id, code, name, currency, foreign }): Row => {
    const { openingDebit = 0, openingCredit = 0, debit = 0, credit = 0 } = balances.get(id) ?? {};
    const opening = openingDebit - openingCredit;
    const figures = { opening, debit, credit, balance: opening + debit - credit };
    for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += figures[key];
    return { code, name, ledger: id, from, to, foreign: inItsCurrency(Number(foreign), currency), ...texts(figures) };
  });
  return { rows, totals: texts(sums), after: null, notes: [] };
};

interface EntryRow {
  date: string;
  document: string;
  kind: string;
  number: string;
  leg: number;
  ledger: string;
  party: string | null;
  debit: string;
  credit: string;
}

/** Where a page of entries goes on: after this entry. */
const cursor = (row: EntryRow) => `${row.date}|${row.document}|${row.leg}`;
const place = (after: string | undefined) => {
  const [date, document, leg] = (after ?? '').split('|');
  return date && document && leg ? { date, document, leg: Number(leg) } : undefined;
};

const drillable = (row: EntryRow, reversal: boolean) => ({
  date: row.date,
  number: row.number,
  kind: row.kind,
  document: row.document,
  kindLabel: `${kindLabel(row.kind)}${reversal ? ' (cancelled)' : ''}`,
  party: row.party ?? '',
  debit: moneyText(Number(row.debit)),
  credit: moneyText(Number(row.credit)),
});

/**
 * Leaves out the entries `e` by which documents say what goods cost, but for kinds that may tell it. The effects may have other ledgers
 * by now than when a document was posted: where the rest of its entries does not balance, it is not known which say it, and all are
 * left out.
 */
const withoutCost = ({ organisation, tells, settings }: Asked): RawBuilder<boolean> => {
  if (tells === undefined) return sql<boolean>`true`;
  const ofCost = sql`
    (
      select p.ledger
      from posting_map p
      where p.organisation = ${organisation} and p.effect = any(${[...costEffects]}::text[])
    )
  `;
  return sql<boolean>`
    exists (
      select from documents t
      left join documents r on r.organisation = t.organisation and r.id = t.reverses
      where t.organisation = e.organisation
        and t.id = e.document
        and (
          coalesce(r.kind, t.kind) = any(${[...tells]}::text[])
            or (
              e.ledger not in ${ofCost}
                and (
                  not exists (select from movements m where m.organisation = t.organisation and m.document = t.id)
                    or (
                      select
                        coalesce(sum(x.debit - x.credit) filter (where x.ledger not in ${ofCost}), 0) = 0
                          and (${settings.stockAccounting === 'periodic'} or bool_or(x.ledger in ${ofCost}))
                      from entries x
                      where x.organisation = t.organisation and x.document = t.id
                    )
                )
            )
        )
    )
  `;
};

/** Where the entries of a ledger begin: before the period, or before the page that is read. */
type Start = ReturnType<typeof place>;

/** The entries `e` of the ledger that the filters leave. */
const entriesOf = (asked: Asked, ledger: string) => {
  const { organisation, filters, places, author } = asked;
  const party = filters.party ?? null;
  const byAuthor = sql`
    exists (
      select from documents a
      where a.organisation = e.organisation and a.id = e.document and a.author = ${author ?? null}::uuid
    )
  `;
  return sql<boolean>`
    e.organisation = ${organisation}
      and e.ledger = ${ledger}::uuid
      and ${among('e.location', places)}
      and (${party}::uuid is null or e.party = any(party_family(${organisation}, ${party}::uuid)))
      and ${author ? byAuthor : sql`true`}
      and ${withoutCost(asked)}
  `;
};

const beforeStart = (start: Start, from: string) =>
  start
    ? sql<boolean>`(e.date, e.document, e.leg) <= (${start.date}::date, ${start.document}::uuid, ${start.leg}::int)`
    : sql<boolean>`e.date < ${from}::date`;

const afterStart = (start: Start) =>
  start
    ? sql<boolean>`(e.date, e.document, e.leg) > (${start.date}::date, ${start.document}::uuid, ${start.leg}::int)`
    : sql<boolean>`true`;

/** The balance before the first entry of a page. Kept totals know only whole ledgers; else the entries are summed. */
async function openingBalance(db: Parameters<Query>[0], asked: Asked, ledger: string, start: Start): Promise<number> {
  const { organisation, filters, places, author, tells } = asked;
  const from = need(filters, 'from');
  if (filters.party || start || author || tells) {
    const { rows } = await sql<{ balance: string }>`
      select coalesce(sum(e.debit - e.credit), 0) as balance
      from entries e
      where ${entriesOf(asked, ledger)} and ${beforeStart(start, from)}
    `.execute(db);
    return Number(rows[0]?.balance ?? 0);
  }
  const balances = await ledgerBalances(db, organisation, { from, to: need(filters, 'to'), places });
  const found = balances.find((balance) => balance.ledger === ledger);
  return found ? found.openingDebit - found.openingCredit : 0;
}

/** The currency of a ledger that is kept in one, and its balance in it before the first entry of a page. */
async function openingInCurrency(db: Parameters<Query>[0], asked: Asked, ledger: string, start: Start) {
  const { rows } = await sql<{ currency: string | null; before: string }>`
    select
      l.currency,
      case
        when l.currency is null then 0
        else (
          select coalesce(sum(${signedForeign}), 0)
          from entries e
          where ${entriesOf(asked, ledger)}
            and ${beforeStart(start, need(asked.filters, 'from'))}
            and e.currency = l.currency
        )
      end as before
    from ledgers l
    where l.organisation = ${asked.organisation} and l.id = ${ledger}::uuid
  `.execute(db);
  return { currency: rows[0]?.currency ?? null, balance: Number(rows[0]?.before ?? 0) };
}

/** One ledger day by day with its running balance; the opening balance stands first. */
export const generalLedger: Query = async (db, asked) => {
  const { filters, after, limit } = asked;
  const ledger = need(filters, 'ledger');
  const from = need(filters, 'from');
  const start = place(after);
  const opening = await openingBalance(db, asked, ledger, start);
  const { currency, balance: openingForeign } = await openingInCurrency(db, asked, ledger, start);
  const { rows } = await sql<EntryRow & { reverses: string | null; foreign: string | null }>`
    select
      ${signedForeign} as foreign, e.date, e.document, d.kind, d.number, e.leg, e.ledger, p.name as party,
      e.debit, e.credit, d.reverses
    from entries e
    join documents d on d.organisation = e.organisation and d.id = e.document
    left join parties p on p.organisation = e.organisation and p.id = coalesce(e.party, d.party)
    where ${entriesOf(asked, ledger)}
      and e.date between ${from}::date and ${need(filters, 'to')}::date
      and ${afterStart(start)}
    order by e.date, e.document, e.leg
    limit ${limit + 1}
  `.execute(db);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const head: Row = {
    number: 'Opening balance',
    date: from,
    kindLabel: '',
    party: '',
    debit: '',
    credit: '',
    foreign: '',
    foreignBalance: inItsCurrency(openingForeign, currency),
    balance: side(opening),
    heading: true,
  };
  let debit = 0;
  let credit = 0;
  let balance = opening;
  let foreign = openingForeign;
  const body = page.map((row): Row => {
    debit += Number(row.debit);
    credit += Number(row.credit);
    balance += Number(row.debit) - Number(row.credit);
    if (currency !== null) foreign += Number(row.foreign ?? 0);
    return {
      ...drillable(row, row.reverses !== null),
      foreign: currency !== null && row.foreign !== null ? inItsCurrency(Number(row.foreign), currency) : '',
      foreignBalance: inItsCurrency(foreign, currency),
      balance: side(balance),
    };
  });
  const totals: Record<string, string> = start || last ? {} : { debit: moneyText(debit), credit: moneyText(credit) };
  return { rows: [...(start ? [] : [head]), ...body], totals, after: last ? cursor(last) : null, notes: [] };
};

/** Ledgers say Dr or Cr. */
const side = (balance: number): string => `${moneyText(Math.abs(balance))} ${balance < 0 ? 'Cr' : 'Dr'}`;

export const dayBook: Query = async (db, asked) => {
  const { organisation, filters, after, limit, places } = asked;
  const start = place(after);
  const { rows } = await sql<EntryRow & { code: string; name: string; reverses: string | null }>`
    select
      e.date, e.document, d.kind, d.number, e.leg, e.ledger, l.code, l.name, p.name as party,
      e.debit, e.credit, d.reverses
    from entries e
    join documents d on d.organisation = e.organisation and d.id = e.document
    join ledgers l on l.organisation = e.organisation and l.id = e.ledger
    left join parties p on p.organisation = e.organisation and p.id = coalesce(e.party, d.party)
    where e.organisation = ${organisation}
      and e.date between ${need(filters, 'from')}::date and ${need(filters, 'to')}::date
      and ${among('e.location', places)}
      and ${withoutCost(asked)}
      and ${afterStart(start)}
    order by e.date, e.document, e.leg
    limit ${limit + 1}
  `.execute(db);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    rows: page.map((row) => ({ ...drillable(row, row.reverses !== null), ledger: `${row.code} ${row.name}` })),
    totals: {},
    after: last ? cursor(last) : null,
    notes: [],
  };
};
