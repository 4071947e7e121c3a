import { type QueryExecutorProvider, sql } from 'kysely';
import type { bankingCalls } from '../../contract/banking.ts';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import {
  type Due,
  mayClear,
  type OpenEntry,
  type OpenLine,
  ruleFor,
  settles,
  suggest,
} from '../../domain/banking/bank-matching.ts';
import { dayInWords, monthStart } from '../../domain/base/dates.ts';
import { moneyText, rupeesText } from '../../domain/base/decimal.ts';
import { paise } from '../../domain/base/money.ts';
import { say } from '../../domain/base/say.ts';
import { movesAdvances } from '../../domain/books/legs.ts';
import type { Day, Id } from '../../domain/document/document.ts';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import type { Context } from '../context.ts';
import { nameableRows } from '../documents/index.ts';
import { Problems } from '../kit/problems.ts';
import { rulesOf } from './rules.ts';
import { type Account, bankLedger, holdBank, type Trx } from './statements.ts';

const MOST_LINES = 1000;
const MOST_ENTRIES = 3000;

interface EntryRow {
  document: Id;
  leg: number;
  kind: string;
  number: string;
  date: Day;
  party: string;
  reference: string;
  instrument: string;
  amount: string;
  worth: string;
}
interface LineRow {
  id: Id;
  date: Day;
  amount: string;
  text: string;
  reference: string;
}

/** Entries at the places that somebody may see. */
export const seen = (column: string, locations: readonly Id[]) =>
  locations.length > 0 ? sql`${sql.ref(column)} = any(${[...locations]}::uuid[])` : sql`true`;

/** An entry whose document was cancelled on or before the day moved nothing: the two are left out together. */
const undone = (asOf: Day) => sql`
  (
    exists (
      select from cancellations x
      join documents b on b.organisation = x.organisation and b.id = x.reversal and b.date <= ${asOf}::date
      where x.organisation = e.organisation and x.document = e.document
    )
      or exists (select from cancellations x where x.organisation = e.organisation and x.reversal = e.document)
  )
`;

/** What an entry moves on the statement of its bank, in the bank's own currency; alias e. */
export const moved = (currency: string | null) =>
  currency === null
    ? sql`(e.debit - e.credit)`
    : sql`(case when e.currency is distinct from ${currency} then 0 when e.debit > 0 then e.foreign_amount else -e.foreign_amount end)`;
/** Of a bank in another currency: where only the rupees change, nothing went through the bank. */
const moves = (currency: string | null) => (currency === null ? sql`true` : sql`${moved(currency)} <> 0`);

/** The currency that a ledger is kept in; null for rupees. */
export async function currencyOf(trx: QueryExecutorProvider, organisation: number, ledger: Id): Promise<string | null> {
  return (
    (
      await sql<{
        currency: string | null;
      }>`select currency from ledgers where organisation = ${organisation} and id = ${ledger}::uuid`.execute(trx)
    ).rows[0]?.currency ?? null
  );
}

type Kept = Pick<Account, 'id' | 'currency'>;

/** Entries on the bank's ledger that no statement has shown up to a day. */
export async function openEntries(
  trx: QueryExecutorProvider,
  { organisation, locations }: Pick<Context, 'organisation' | 'locations'>,
  { id: ledger, currency }: Kept,
  asOf: Day,
  limit: number,
): Promise<readonly EntryRow[]> {
  return (
    await sql<EntryRow>`
      select
        e.document, e.leg, d.kind, d.number, e.date,
        coalesce(p.name, nullif(d.party_name, ''), '') as party, coalesce(d.reference, '') as reference,
        coalesce(d.body #>> '{draft,fields,instrument}', '') as instrument, ${moved(currency)} as amount,
        e.debit - e.credit as worth
      from entries e
      join documents d on d.organisation = e.organisation and d.id = e.document
      left join parties p on p.organisation = d.organisation and p.id = d.party
      where e.organisation = ${organisation}
        and e.ledger = ${ledger}::uuid
        and e.date <= ${asOf}::date
        and ${seen('e.location', locations)}
        and ${moves(currency)}
        and not exists (
          select from bank_clearings c
          where c.organisation = e.organisation
            and c.document = e.document
            and c.leg = e.leg
            and c.bank_date <= ${asOf}::date
        )
        and not ${undone(asOf)}
      order by e.date, e.document, e.leg
      limit ${limit}
    `.execute(trx)
  ).rows;
}

/** Lines of statements that no entry answers. */
export async function openLines(
  trx: QueryExecutorProvider,
  organisation: number,
  ledger: Id,
  asOf: Day,
  limit: number,
): Promise<readonly LineRow[]> {
  return (
    await sql<LineRow>`
      select b.id, b.date, b.amount, b.text, b.reference
      from bank_lines b
      where b.organisation = ${organisation}
        and b.ledger = ${ledger}::uuid
        and b.date <= ${asOf}::date
        and not exists (select from bank_clearings c where c.organisation = b.organisation and c.line = b.id)
      order by b.date, b.at, b.place
      limit ${limit}
    `.execute(trx)
  ).rows;
}

export interface Figures {
  readonly books: number;
  readonly bank: number;
  readonly notBooked: number;
  readonly statement: number | null /** The books in rupees. */;
  readonly worth: number;
}

/** Sums in paise: the books, what of them the bank has shown, what it has shown beside, and what it says itself. */
export async function figuresOf(
  trx: QueryExecutorProvider,
  { organisation, locations }: Pick<Context, 'organisation' | 'locations'>,
  { id: ledger, currency }: Kept,
  asOf: Day,
): Promise<Figures> {
  const here = seen('e.location', locations);
  const { rows } = await sql<{
    worth: string;
    books: string | null;
    bank: string;
    not_booked: string;
    statement: string | null;
  }>`
    select
      (
        select coalesce(sum(t.debit - t.credit), 0)
        from ledger_month_totals t
        where t.organisation = ${organisation}
          and t.ledger = ${ledger}::uuid
          and t.month < ${monthStart(asOf)}::date
          and ${seen('t.location', locations)}
      ) + (
        select coalesce(sum(t.debit - t.credit), 0)
        from ledger_day_totals t
        where t.organisation = ${organisation}
          and t.ledger = ${ledger}::uuid
          and t.day between ${monthStart(asOf)}::date and ${asOf}::date
          and ${seen('t.location', locations)}
      ) as worth,
      ${
        currency === null
          ? sql`null`
          : sql`
        (
          select coalesce(sum(${moved(currency)}), 0)
          from entries e
          where e.organisation = ${organisation}
            and e.ledger = ${ledger}::uuid
            and e.currency is not null
            and e.date <= ${asOf}::date
            and ${here}
        )
      `
      } as books,
      (
        select coalesce(sum(${moved(currency)}), 0)
        from bank_clearings c
        join entries e on e.organisation = c.organisation and e.document = c.document and e.leg = c.leg
        where c.organisation = ${organisation}
          and c.ledger = ${ledger}::uuid
          and c.bank_date <= ${asOf}::date
          and ${here}
      ) as bank,
      (
        select coalesce(sum(amount), 0)
        from bank_lines b
        where b.organisation = ${organisation}
          and b.ledger = ${ledger}::uuid
          and b.date <= ${asOf}::date
          and not exists (select from bank_clearings c where c.organisation = b.organisation and c.line = b.id)
      ) as not_booked,
      (
        select balance
        from bank_lines b
        where b.organisation = ${organisation} and b.ledger = ${ledger}::uuid and b.date <= ${asOf}::date
        order by b.date desc, b.at desc, b.place desc
        limit 1
      ) as statement
  `.execute(trx);
  const [row] = rows;
  return {
    worth: Number(row?.worth ?? 0),
    books: Number(row?.books ?? row?.worth ?? 0),
    bank: Number(row?.bank ?? 0),
    notBooked: Number(row?.not_booked ?? 0),
    statement: row?.statement == null ? null : Number(row.statement),
  };
}

const keyOf = ({ document, leg }: { readonly document: Id; readonly leg: number }): string => `${document}/${leg}`;

/** What is due in the bank's currency, of customers and to suppliers, that this user may see. */
async function duesOf(trx: Trx, context: Context, currency: string, asOf: Day): Promise<Due[]> {
  const { organisation } = context;
  const { rows } = await sql<{
    document: Id;
    line: number;
    party: Id;
    name: string;
    side: string;
    date: Day;
    due: Day;
    open: string;
    number: string;
    marks: string[];
  }>`
    select
      o.document, o.line, o.party, p.name, o.side, o.date, coalesce(o.due_date, o.date) as due, o.open,
      coalesce(o.reference, d.number) as number,
      array_remove(array[d.number, o.reference, d.reference], null) as marks
    from open_items o
    join documents d on d.organisation = o.organisation and d.id = o.document
    join parties p on p.organisation = o.organisation and p.id = o.party
    where o.organisation = ${organisation}
      and o.side in ('receivable', 'payable')
      and o.open > 0
      and o.currency = ${currency}
      and d.date <= ${asOf}::date
      and d.kind <> all(${advances}::text[])
      and ${nameableRows(context)}
    order by o.date, o.document, o.line
    limit ${MOST_ENTRIES}
  `.execute(trx);
  return rows.map(({ side, open, ...row }) => ({ ...row, owed: side === 'receivable', open: paise(Number(open)) }));
}
/** The balance of the ledger of advances is settled by kinds of its own. */
const advances = kindNames.filter((name) => movesAdvances(kindOf(name)));

/** What is kept of lines under their ids and not posted yet, whoever keeps it. */
async function draftsOf(
  trx: Trx,
  organisation: number,
  lines: readonly Id[],
): Promise<ReadonlyMap<Id, { readonly kind: string; readonly by: string; readonly waits: boolean }>> {
  const { rows } = await sql<{
    id: Id;
    kind: string;
    by: string;
    waits: boolean;
  }>`
    select d.id, d.kind, u.name as by, d.submitted_at is not null as waits
    from drafts d
    join users u on u.organisation = d.organisation and u.id = d.author
    where d.organisation = ${organisation} and d.id = any(${[...lines]}::uuid[])
  `.execute(trx);
  return new Map(rows.map(({ id, ...draft }) => [id, draft]));
}

type GetCall = (typeof bankingCalls)['GetReconciliation'];
export const getReconciliation = ({ ledger, asOf = '' }: Input<GetCall>, context: Context): Promise<Answer<GetCall>> =>
  context.inTransaction(async (trx) => {
    const { organisation, today } = context;
    const until = asOf || today;
    const account = await bankLedger(trx, organisation, ledger);
    const entries = await openEntries(trx, context, account, until, MOST_ENTRIES + 1);
    const lines = await openLines(trx, organisation, ledger, until, MOST_LINES + 1);
    const { worth, books, bank, notBooked, statement } = await figuresOf(trx, context, account, until);
    const rules = await rulesOf(trx, organisation);
    const open: OpenLine[] = lines.slice(0, MOST_LINES).map((l) => ({ ...l, amount: paise(Number(l.amount)) }));
    const known: OpenEntry[] = entries.map((e) => ({
      key: keyOf(e),
      date: e.date,
      amount: paise(Number(e.amount)),
      marks: [e.number, e.reference, e.instrument, e.party],
    }));
    // a draft that was kept of a line is posted under its id: that is said by the books, and needs no guess
    const made = open.flatMap((line) =>
      known
        .filter(({ key, amount }) => key.startsWith(`${line.id}/`) && amount === line.amount)
        .slice(0, 1)
        .map(({ key }) => ({ line: line.id, entry: key, by: 'reference' as const })),
    );
    const drafts = await draftsOf(
      trx,
      organisation,
      open.map(({ id }) => id),
    );
    const taken = new Set([...made.map(({ line }) => line), ...drafts.keys()]);
    const guessed = suggest(
      open.filter(({ id }) => !taken.has(id)),
      known.filter(({ key }) => !made.some(({ entry }) => entry === key)),
    );
    const suggested = new Map([...made, ...guessed].map((s) => [s.line, s]));
    const byKey = new Map(entries.map((e) => [keyOf(e), e]));
    const alone = open.filter((l) => !suggested.has(l.id) && !drafts.has(l.id));
    const settled = new Map(
      alone.length === 0
        ? []
        : settles(alone, await duesOf(trx, context, account.currency ?? 'INR', until)).map((s) => [s.line, s]),
    );
    return {
      lines: open.map((line) => {
        const found = suggested.get(line.id);
        const entry = found && byKey.get(found.entry);
        const dues = entry ? undefined : settled.get(line.id);
        // a number in the text says more than a rule, and a rule more than a name
        const rule = entry || drafts.has(line.id) || dues?.by === 'number' ? undefined : ruleFor(rules, ledger, line);
        return {
          ...line,
          amount: moneyText(line.amount),
          draft: drafts.get(line.id) ?? null,
          suggestion:
            entry && found ? { document: entry.document, leg: entry.leg, number: entry.number, by: found.by } : null,
          rule: rule ? { id: rule.id, way: rule.way, other: rule.other } : null,
          settles:
            dues && !rule
              ? {
                  way: dues.way,
                  party: dues.party,
                  name: dues.name,
                  by: dues.by,
                  dues: dues.dues.map((d) => ({ ...d, amount: moneyText(d.amount) })),
                }
              : null,
        };
      }),
      entries: entries.slice(0, MOST_ENTRIES).map(({ instrument, ...e }) => ({
        ...e,
        reference: e.reference || instrument,
        amount: moneyText(Number(e.amount)),
        worth: moneyText(Number(e.worth)),
      })),
      currency: account.currency,
      worth: account.currency === null ? null : moneyText(worth),
      books: moneyText(books),
      bank: moneyText(bank),
      notShown: moneyText(books - bank),
      notBooked: moneyText(notBooked),
      statement: statement === null ? null : moneyText(statement),
      difference: statement === null ? null : moneyText(statement - bank - notBooked),
      more: lines.length > MOST_LINES || entries.length > MOST_ENTRIES,
    };
  });

type MatchCall = (typeof bankingCalls)['MatchBankLines'];
type Match = Input<MatchCall>['matches'][number];

export const matchBankLines = ({ ledger, matches }: Input<MatchCall>, context: Context): Promise<Answer<MatchCall>> =>
  context.inTransaction(async (trx) => ({ matched: await match(trx, context, ledger, matches) }));

const clearedBefore = (booked: Day, row: number, isOfStatement: boolean) => ({
  ...{ field: isOfStatement ? 'matches.entries' : 'matches.date', row },
  ...say('The entry is dated {{booked}}: the bank has not cleared it before it was booked', {
    booked: dayInWords(booked),
  }),
});

/** Writes matches: each entry is the bank's own, open, and used once; the entries of a line are together what the line says. */
export async function match(trx: Trx, context: Context, ledger: Id, matches: readonly Match[]): Promise<number> {
  const { organisation, user, locations } = context;
  const { currency } = await bankLedger(trx, organisation, ledger);
  await holdBank(trx, organisation, ledger);
  const wanted = matches.flatMap((m) => m.entries);
  const { rows: entries } = await sql<{ document: Id; leg: number; date: Day; amount: string; open: boolean }>`
    select
      e.document, e.leg, e.date, ${moved(currency)} as amount,
      not exists (
        select from bank_clearings c
        where c.organisation = e.organisation and c.document = e.document and c.leg = e.leg
      )
        and not exists (
          select from cancellations x where x.organisation = e.organisation and x.document = e.document
        )
        and not exists (
          select from cancellations x where x.organisation = e.organisation and x.reversal = e.document
        ) as open
    from entries e
    join unnest(
      ${wanted.map((w) => w.document)}::uuid[], ${wanted.map((w) => w.leg)}::int[]
    ) w(document, leg) using (document, leg)
    where e.organisation = ${organisation} and e.ledger = ${ledger}::uuid and ${seen('e.location', locations)}
  `.execute(trx);
  const known = new Map(entries.map((e) => [keyOf(e), e]));
  const ids = matches.flatMap((m) => m.line ?? []);
  const { rows: lines } = await sql<{ id: Id; date: Day; amount: string; open: boolean }>`
    select
      b.id, b.date, b.amount,
      not exists (select from bank_clearings c where c.organisation = b.organisation and c.line = b.id) as open
    from bank_lines b
    where b.organisation = ${organisation} and b.ledger = ${ledger}::uuid and b.id = any(${ids}::uuid[])
  `.execute(trx);
  const shown = new Map(lines.map((l) => [l.id, l]));
  const used = new Set<string>();
  const rows = matches.flatMap((m, row) => {
    const line = m.line === undefined ? undefined : shown.get(m.line);
    const own = m.entries.map((e) => known.get(keyOf(e)));
    if ((m.line !== undefined && !line) || own.some((e) => e === undefined)) throw new Refusal('notFound');
    const names = [...(m.line ? [m.line] : []), ...m.entries.map(keyOf)];
    if (
      line?.open === false ||
      own.some((e) => !e?.open) ||
      names.some((n) => used.has(n)) ||
      new Set(names).size < names.length
    )
      throw new Refusal('clearedAlready');
    for (const name of names) used.add(name);
    const sum = own.reduce((t, e) => t + Number(e?.amount ?? 0), 0);
    if (line && sum !== Number(line.amount))
      throw new Problems([
        {
          field: 'matches.entries',
          row,
          ...say('The entries add up to {{sum}}, the line is {{amount}}', {
            sum: rupeesText(sum),
            amount: rupeesText(Number(line.amount)),
          }),
        },
      ]);
    const date = line?.date ?? m.date ?? '';
    if (date > context.today) throw new Problems([{ field: 'matches.date', row, ...say('This day has not come') }]);
    // on the days between, the books would show as cleared what they do not have
    const later = own.find((e) => e && !mayClear(e.date, date, line !== undefined));
    if (later) throw new Problems([clearedBefore(later.date, row, line !== undefined)]);
    return m.entries.map((e) => ({ ...e, date, line: m.line ?? null }));
  });
  await sql`
    insert into bank_clearings (organisation, document, leg, ledger, bank_date, line, by)
    select ${organisation}, document, leg, ${ledger}::uuid, date, line, ${user}::uuid
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) x(document uuid, leg int, date date, line uuid)
  `.execute(trx);
  return rows.length;
}

type UnmatchCall = (typeof bankingCalls)['UnmatchBankLines'];
/** A line that is half answered is none: all of its entries are open again. */
export const unmatchBankLines = (
  { ledger, entries }: Input<UnmatchCall>,
  context: Context,
): Promise<Answer<UnmatchCall>> =>
  context.inTransaction(async (trx) => {
    const { organisation } = context;
    await bankLedger(trx, organisation, ledger);
    await holdBank(trx, organisation, ledger);
    const { rows } = await sql<{ document: Id }>`
      with asked as (
        select c.document, c.leg, c.line
        from bank_clearings c
        join unnest(
          ${entries.map((e) => e.document)}::uuid[], ${entries.map((e) => e.leg)}::int[]
        ) w(document, leg) using (document, leg)
        where c.organisation = ${organisation} and c.ledger = ${ledger}::uuid
      )
      delete from bank_clearings c
      where c.organisation = ${organisation}
        and c.ledger = ${ledger}::uuid
        and ((c.document, c.leg) in (select document, leg from asked) or c.line in (select line from asked))
      returning c.document
    `.execute(trx);
    if (rows.length === 0) throw new Refusal('notFound');
    return { unmatched: rows.length };
  });

type MatchedCall = (typeof bankingCalls)['GetMatched'];
export const getMatched = ({ ledger }: Input<MatchedCall>, context: Context): Promise<Answer<MatchedCall>> =>
  context.inTransaction(async (trx) => {
    const { organisation, locations } = context;
    const { currency } = await bankLedger(trx, organisation, ledger);
    const { rows } = await sql<{
      document: Id;
      leg: number;
      kind: string;
      number: string;
      date: Day;
      bankDate: Day;
      amount: string;
      worth: string;
      text: string;
      by: string;
    }>`
      select
        c.document, c.leg, d.kind, d.number, e.date, c.bank_date as "bankDate",
        ${moved(currency)} as amount, e.debit - e.credit as worth, coalesce(b.text, '') as text,
        u.name as by
      from bank_clearings c
      join entries e on e.organisation = c.organisation and e.document = c.document and e.leg = c.leg
      join documents d on d.organisation = c.organisation and d.id = c.document
      join users u on u.organisation = c.organisation and u.id = c.by
      left join bank_lines b on b.organisation = c.organisation and b.id = c.line
      where c.organisation = ${organisation} and c.ledger = ${ledger}::uuid and ${seen('e.location', locations)}
      order by c.bank_date desc, c.at desc, c.document
      limit ${MOST_LINES}
    `.execute(trx);
    return rows.map((row) => ({
      ...row,
      currency,
      amount: moneyText(Number(row.amount)),
      worth: moneyText(Number(row.worth)),
    }));
  });
