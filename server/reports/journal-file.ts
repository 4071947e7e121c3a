import { type QueryExecutorProvider, sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { formatDecimal } from '../../domain/base/decimal.ts';
import { paise } from '../../domain/base/money.ts';
import { say } from '../../domain/base/say.ts';
import {
  type JournalAccount,
  JournalBody,
  type JournalEntry,
  type JournalNature,
  type JournalTransaction,
  journalHead,
  journalNames,
  journalOpening,
} from '../../domain/books/journal-file.ts';
import { kindLabel } from '../../domain/document/kinds/index.ts';
import { allowCost } from '../access/index.ts';
import type { Context } from '../context.ts';
import { Problems } from '../kit/problems.ts';
import { ledgerBalances } from './balances.ts';
import { type Exported, MOST_ROWS } from './export.ts';

const PAGE = 5_000;

interface LedgerRow {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly nature: JournalNature;
  readonly group: string | null;
  readonly is_group: boolean;
}
interface PartyRow {
  readonly ledger: string;
  readonly party: string;
  readonly code: string;
  readonly name: string;
  readonly opening: string;
}
interface EntryRow {
  readonly date: string;
  readonly document: string;
  readonly leg: number;
  readonly ledger: string;
  readonly party: string | null;
  readonly amount: string;
  readonly currency: string | null;
  readonly foreign_amount: string | null;
  readonly kind: string;
  readonly number: string;
  readonly reverses: string | null;
  readonly party_name: string | null;
  readonly closes: boolean;
}

const keyOf = (ledger: string, party: string | null): string => (party === null ? ledger : `${ledger} ${party}`);

const ledgersOf = async (db: QueryExecutorProvider, organisation: number): Promise<readonly LedgerRow[]> => {
  const { rows } = await sql<LedgerRow>`
    select id, code, name, nature, "group", is_group
    from ledgers
    where organisation = ${organisation}
    order by code
  `.execute(db);
  return rows;
};

/** Every party that a ledger names up to the last day, with what it held there before the first. */
const partiesOf = async (
  db: QueryExecutorProvider,
  organisation: number,
  from: string,
  to: string,
): Promise<readonly PartyRow[]> => {
  const { rows } = await sql<PartyRow>`
    select x.ledger, x.party, p.code, p.name, x.opening
    from (
      select ledger, party, coalesce(sum(debit - credit) filter (where date < ${from}::date), 0) as opening
      from entries
      where organisation = ${organisation} and party is not null and date <= ${to}::date
      group by ledger, party
    ) x
    join parties p on p.organisation = ${organisation} and p.id = x.party
    order by p.code
  `.execute(db);
  return rows;
};

function accountsOf(ledgers: readonly LedgerRow[], parties: readonly PartyRow[]): JournalAccount[] {
  const byId = new Map(ledgers.map((ledger) => [ledger.id, ledger]));
  const groupsOf = ({ group }: LedgerRow): readonly string[] => {
    const above = group === null ? undefined : byId.get(group);
    return above === undefined ? [] : [...groupsOf(above), above.name];
  };
  const own = ledgers
    .filter(({ is_group }) => !is_group)
    .map((ledger) => ({
      key: keyOf(ledger.id, null),
      nature: ledger.nature,
      groups: groupsOf(ledger),
      name: ledger.name,
      code: ledger.code,
    }));
  const ofParties = parties.flatMap(({ ledger, party, code, name }) => {
    const above = byId.get(ledger);
    return above === undefined
      ? []
      : [
          {
            key: keyOf(ledger, party),
            nature: above.nature,
            groups: [...groupsOf(above), above.name],
            name,
            code,
          },
        ];
  });
  return [...own, ...ofParties];
}

/** What the trial balance opens with; what is of parties on their own accounts. */
async function openingsOf(
  db: QueryExecutorProvider,
  organisation: number,
  { from, to }: Period,
  parties: readonly PartyRow[],
): Promise<JournalEntry[]> {
  const ofParties = parties.map(({ ledger, party, opening }) => ({
    account: keyOf(ledger, party),
    amount: paise(Number(opening)),
  }));
  const named = new Map<string, number>();
  for (const { ledger, opening } of parties) named.set(ledger, (named.get(ledger) ?? 0) + Number(opening));
  const ofLedgers = (await ledgerBalances(db, organisation, { from, to, places: [] })).map(
    ({ ledger, openingDebit, openingCredit }) => ({
      account: keyOf(ledger, null),
      amount: paise(openingDebit - openingCredit - (named.get(ledger) ?? 0)),
    }),
  );
  return [...ofLedgers, ...ofParties];
}

interface Period {
  readonly from: string;
  readonly to: string;
}

/** The entries of a period by day and document, a page at a time. */
async function* entriesOf(
  db: QueryExecutorProvider,
  organisation: number,
  { from, to }: Period,
): AsyncGenerator<EntryRow> {
  for (let last: EntryRow | undefined, count = 0; ; ) {
    const after = last
      ? sql`(e.date, e.document, e.leg) > (${last.date}::date, ${last.document}::uuid, ${last.leg}::int)`
      : sql`true`;
    const { rows } = await sql<EntryRow>`
      select
        e.date, e.document, e.leg, e.ledger, e.party, (e.debit - e.credit) as amount, e.currency, e.foreign_amount,
        d.kind, d.number, d.reverses, p.name as party_name,
        exists (
          select from year_closings y
          where y.organisation = e.organisation and e.document in (y.document, y.reversal)
        ) as closes
      from entries e
      join documents d on d.organisation = e.organisation and d.id = e.document
      left join parties p on p.organisation = d.organisation and p.id = d.party
      where e.organisation = ${organisation} and e.date between ${from}::date and ${to}::date and ${after}
      order by e.date, e.document, e.leg
      limit ${PAGE}
    `.execute(db);
    count += rows.length;
    if (count > MOST_ROWS) throw new Refusal('tooLong', { rows: String(MOST_ROWS) });
    yield* rows;
    last = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}

const entryOf = (row: EntryRow): JournalEntry => {
  const amount = paise(Number(row.amount));
  const sign = amount < 0 ? -1 : 1;
  return {
    account: keyOf(row.ledger, row.party),
    amount,
    ...(row.currency !== null &&
      row.foreign_amount !== null && {
        foreign: `${row.currency} ${formatDecimal(sign * Number(row.foreign_amount), 2)}`,
      }),
  };
};

/** Entries that come one after another, put together to what each document has on each day. */
async function* transactionsOf(entries: AsyncIterable<EntryRow>): AsyncGenerator<JournalTransaction> {
  let first: EntryRow | undefined;
  let own: JournalEntry[] = [];
  const gathered = ({ date, number, kind, reverses, party_name, document, closes }: EntryRow): JournalTransaction => ({
    date,
    number,
    label: `${kindLabel(kind)}${reverses === null ? '' : ' (cancelled)'}`,
    ...(party_name !== null && { party: party_name }),
    id: document,
    ...(closes && { closes }),
    entries: own,
  });
  for await (const row of entries) {
    if (first !== undefined && (row.document !== first.document || row.date !== first.date)) {
      yield gathered(first);
      first = undefined;
      own = [];
    }
    first ??= row;
    own.push(entryOf(row));
  }
  if (first !== undefined) yield gathered(first);
}

const PERIODIC =
  'The books are periodic: what stock is worth is not posted, so profit and balance sheet of the product differ by it';

/**
 * The books of a period as a plain-text journal for hledger, whose reports equal the product's. It has every entry of the
 * organisation, because the entries of one location need not balance. So it is refused to people who see some locations, their
 * own entries, or no costs.
 */
export async function journalFile(context: Context, filters: Readonly<Record<string, string>>): Promise<Exported> {
  allowCost(context);
  if (filters.location)
    throw new Problems([{ field: 'location', ...say('The journal covers all locations: do not choose one') }]);
  if (context.locations.length > 0 || context.sees({ report: 'dayBook' }) === 'own') throw new Refusal('noAccess');
  const { organisation, organisationCode, settings } = context;
  const period = { from: filters.from ?? '', to: filters.to ?? '' };
  const lines = await context.inTransaction(async (trx) => {
    const ledgers = await ledgersOf(trx, organisation);
    const parties = await partiesOf(trx, organisation, period.from, period.to);
    const accounts = accountsOf(ledgers, parties);
    const names = journalNames(accounts);
    const openings = await openingsOf(trx, organisation, period, parties);
    const notes = settings.stockAccounting === 'periodic' && settings.trackInventory ? [PERIODIC] : [];
    const made = [
      ...journalHead({ organisation: organisationCode, ...period, notes }, accounts, names),
      ...journalOpening(period.from, openings, names),
    ];
    const body = new JournalBody(period.from, period.to, openings, names);
    for await (const transaction of transactionsOf(entriesOf(trx, organisation, period)))
      made.push(...body.add(transaction));
    made.push(...body.end());
    return made;
  });
  return {
    name: `${organisationCode}-${period.from.replaceAll('-', '')}-${period.to.replaceAll('-', '')}.journal`,
    type: 'text/plain',
    content: Buffer.from(`${lines.join('\n')}\n`).toString('base64'),
  };
}
