import { CompiledQuery, sql } from 'kysely';
import type pg from 'pg';
import type { z } from 'zod';
import type { accountCalls } from '../../contract/accounts.ts';
import { Refusal } from '../../contract/errors.ts';
import { moneyText } from '../../domain/base/decimal.ts';
import { type Paise, paise } from '../../domain/base/money.ts';
import { type Register, registers } from '../../domain/books/registers.ts';
import { oldestFirst } from '../../domain/books/settle.ts';
import type { Day, Id } from '../../domain/document/document.ts';
import type { Context } from '../context.ts';
import {
  isPlainReceipt,
  nameableRows,
  ofLaterReturn,
  type Service,
  servicesDatedAfter,
  snapshotNow,
  valuesOfServices,
} from '../documents/index.ts';
import { newId } from '../kit/ids.ts';

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
type Shown = z.input<typeof accountCalls.GetCreditsListAganistParty.details>;

interface Open {
  document: Id;
  line: number;
  kind: string;
  number: string;
  date: Day;
  due_date: Day | null;
  side: 'receivable' | 'payable' | 'customerCredit' | 'supplierCredit';
  currency: string;
  original: string;
  open: string;
  /** Its IRN is cancelled: nothing settles it, and it settles nothing. */
  irnCancelled: boolean;
  /** The day its entries stand on, and whether they stand on a ledger of advances. */
  booked: Day;
  advance: boolean;
}
interface Pair {
  credit: Id;
  creditLine: number;
  creditNumber: string;
  invoice: Id;
  invoiceLine: number;
  invoiceNumber: string;
  amount: string;
  fixed: string;
}
/** So much in all of a credit is to settle a due; paise. */
export interface Wanted {
  readonly credit: Id;
  readonly creditLine: number;
  readonly invoice: Id;
  readonly invoiceLine: number;
  readonly amount: number;
}

/** The register in which credits settle dues. */
const settling = 'money' satisfies Register;
const settledSide = { customerCredit: 'receivable', supplierCredit: 'payable' } as const;
const isCredit = (side: Open['side']): side is keyof typeof settledSide => side in settledSide;
const nameOf = (document: Id, line: number): string => `${document}/${line}`;

/** The live items of a party that this user may see, oldest first; locked in the order of postings when they are to change. */
async function itemsOf(trx: Trx, context: Context, party: Id, lock: boolean): Promise<Open[]> {
  const { organisation } = context;
  const { ledgers } = await snapshotNow(trx, organisation);
  if (lock)
    await sql`
      select from open_items
      where organisation = ${organisation} and party = ${party}::uuid
      order by document, line
      for update
    `.execute(trx);
  const { rows } = await sql<Open>`
    select
      o.document, o.line, d.kind, coalesce(o.reference, d.number) as number, o.date, o.due_date, o.side,
      o.currency, o.original, o.open, d.date as booked, irn_cancelled(d.organisation, d.id) as "irnCancelled",
      exists (
        select from entries e
        where e.organisation = o.organisation
          and e.document = o.document
          and surviving_party(e.organisation, e.party) = o.party
          and o.line in (0, e.leg)
          and e.ledger = any(${[ledgers.advanceCustomer, ledgers.advanceSupplier]}::uuid[])
      ) as advance
    from open_items o
    join documents d on d.organisation = o.organisation and d.id = o.document
    where o.organisation = ${organisation}
      and o.party = ${party}::uuid
      and ${nameableRows(context)}
      and not exists (select from cancellations c where c.organisation = o.organisation and c.document = o.document)
    order by o.date, o.document, o.line
  `.execute(trx);
  return rows;
}

/** What settles what: of a party, or of one document. Allocations that were taken back are not listed; the books keep them. */
async function pairsOf(
  trx: Trx,
  organisation: number,
  of: { readonly party: Id } | { readonly document: Id },
): Promise<Pair[]> {
  const which =
    'party' in of
      ? sql`a.credit_document in (select document from open_items where organisation = ${organisation} and party = ${of.party}::uuid)`
      : sql`${of.document}::uuid in (a.credit_document, a.invoice_document)`;
  // brought together first: a planner that knows nothing of the tables yet joined every open item with every other
  const { rows } = await sql<Pair>`
    with paired as materialized (
      select
        a.organisation, a.credit_document, a.credit_line, a.invoice_document, a.invoice_line,
        sum(a.amount) as amount,
        greatest(
          coalesce(sum(a.amount) filter (where a.cause not in (a.credit_document, a.invoice_document)), 0), 0
        ) as fixed
      from allocations a
      where a.organisation = ${organisation} and ${which}
      group by 1, 2, 3, 4, 5
      having sum(a.amount) <> 0
    )
    select
      p.credit_document as credit, p.credit_line as "creditLine",
      coalesce(ci.reference, c.number) as "creditNumber", p.invoice_document as invoice,
      p.invoice_line as "invoiceLine", coalesce(ii.reference, i.number) as "invoiceNumber", p.amount,
      p.fixed
    from paired p
    join documents c on c.organisation = p.organisation and c.id = p.credit_document
    join documents i on i.organisation = p.organisation and i.id = p.invoice_document
    join open_items ci
      on ci.organisation = p.organisation and ci.document = p.credit_document and ci.line = p.credit_line
    join open_items ii
      on ii.organisation = p.organisation and ii.document = p.invoice_document and ii.line = p.invoice_line
    order by 6, 3
  `.execute(trx);
  return rows;
}

const pairText = (pair: Pair): Shown['allocations'][number] => ({
  ...pair,
  amount: moneyText(Number(pair.amount)),
  fixed: moneyText(Number(pair.fixed)),
});
const itemText = (o: Open): Shown['dues'][number] => ({
  document: o.document,
  line: o.line,
  kind: o.kind,
  number: o.number,
  date: o.date,
  dueDate: o.due_date,
  side: o.side,
  currency: o.currency,
  original: moneyText(Number(o.original)),
  open: moneyText(Number(o.open)),
});

/** Credits and dues of a party: those with something open, and those that settle or are settled. An unknown party has none. */
export async function standing(trx: Trx, context: Context, party: Id): Promise<Shown> {
  const items = await itemsOf(trx, context, party, false);
  const pairs = await pairsOf(trx, context.organisation, { party });
  const known = new Set(items.map((o) => nameOf(o.document, o.line)));
  const seen = pairs.filter(
    (p) => known.has(nameOf(p.credit, p.creditLine)) && known.has(nameOf(p.invoice, p.invoiceLine)),
  );
  const named = new Set(seen.flatMap((p) => [nameOf(p.credit, p.creditLine), nameOf(p.invoice, p.invoiceLine)]));
  const shown = items.filter((o) => Number(o.open) > 0 || named.has(nameOf(o.document, o.line)));
  return {
    credits: shown.filter((o) => isCredit(o.side)).map(itemText),
    dues: shown.filter((o) => !isCredit(o.side)).map(itemText),
    allocations: seen.map(pairText),
  };
}

/**
 * What a document settles or is settled by, as far as the user may see it; refused like one that does not exist where
 * they may not see the document itself.
 */
export async function pairsOfDocument(trx: Trx, context: Context, document: Id): Promise<Shown['allocations']> {
  await partyOf(trx, context, document);
  const pairs = await pairsOf(trx, context.organisation, { document });
  const { rows } = await sql<{ id: Id }>`
    select d.id
    from documents d
    where d.organisation = ${context.organisation}
      and d.id = any(${pairs.flatMap((p) => [p.credit, p.invoice])}::uuid[])
      and ${nameableRows(context)}
  `.execute(trx);
  const seen = new Set(rows.map(({ id }) => id));
  return pairs.filter((p) => seen.has(p.credit) && seen.has(p.invoice)).map(pairText);
}

async function partyOf(trx: Trx, context: Context, document: Id, line = 0): Promise<{ readonly party: Id | null }> {
  const { rows } = await sql<{ party: Id | null }>`
    select coalesce(
      (
        select o.party
        from open_items o
        where o.organisation = d.organisation and o.document = d.id and o.line = ${line}
      ),
      surviving_party(d.organisation, d.party)
    ) as party
    from documents d
    where d.organisation = ${context.organisation} and d.id = ${document}::uuid and ${nameableRows(context)}
  `.execute(trx);
  const [found] = rows;
  if (!found) throw new Refusal('notFound');
  return found;
}

/** Of dues, those for services whose tax was due when a receipt came: the receipt is an advance, which has a document of its own. */
async function servicesAfter(trx: Trx, organisation: number, credit: Open, dues: readonly Open[]): Promise<Service[]> {
  if (!isPlainReceipt(credit.kind) || dues.length === 0) return [];
  const ids = dues.map(({ document }) => document);
  const { rows } = await trx.executeQuery<Service>(
    CompiledQuery.raw(servicesDatedAfter, valuesOfServices(organisation, ids, credit.booked)),
  );
  return ofLaterReturn(rows, credit.booked);
}

/**
 * Brings each pair named to the amount wanted, all or none. Nothing is posted: both sides stand on one account. What moves
 * tax, a ledger of advances or a rate of exchange is settled by a document of its own and refused here.
 */
export async function settle(trx: Trx, context: Context, party: Id, wanted: readonly Wanted[]): Promise<void> {
  const { organisation } = context;
  const items = new Map((await itemsOf(trx, context, party, true)).map((o) => [nameOf(o.document, o.line), o]));
  const pairs = await pairsOf(trx, organisation, { party });
  const open = new Map([...items].map(([name, o]) => [name, Number(o.open)]));
  const changes = new Map<string, Wanted & { readonly change: number }>();
  for (const want of wanted) {
    const [from, to] = [nameOf(want.credit, want.creditLine), nameOf(want.invoice, want.invoiceLine)];
    const [credit, due] = [items.get(from), items.get(to)];
    if (
      !credit ||
      !due ||
      !isCredit(credit.side) ||
      settledSide[credit.side] !== due.side ||
      changes.has(`${from} ${to}`)
    )
      throw new Refusal('notFound');
    const pair = pairs.find((p) => nameOf(p.credit, p.creditLine) === from && nameOf(p.invoice, p.invoiceLine) === to);
    const change = want.amount - Number(pair?.amount ?? 0);
    if (change !== 0 && (credit.advance || credit.currency !== 'INR' || due.currency !== 'INR'))
      throw new Refusal('allocationPosts', { number: credit.number });
    const gone = [credit, due].find((one) => one.irnCancelled);
    if (change > 0 && gone) throw new Refusal('irnCancelled', { number: gone.number });
    const [service] = change > 0 ? await servicesAfter(trx, organisation, credit, [due]) : [];
    if (service) throw new Refusal('servicesPaidBefore', { number: credit.number, invoice: service.number });
    if (want.amount < Number(pair?.fixed ?? 0)) throw new Refusal('allocationPosts', { number: credit.number });
    if (change !== 0) changes.set(`${from} ${to}`, { ...want, change });
    open.set(from, (open.get(from) ?? 0) - change);
    open.set(to, (open.get(to) ?? 0) - change);
  }
  for (const [name, left] of open)
    if (left < 0) throw new Refusal('overAllocated', { number: items.get(name)?.number ?? '' });
  if (changes.size === 0) return;
  const date = await dateOf(
    trx,
    context,
    [...changes.values()]
      .flatMap((c) => [nameOf(c.credit, c.creditLine), nameOf(c.invoice, c.invoiceLine)])
      .flatMap((name) => items.get(name) ?? []),
  );
  const rows = JSON.stringify([...changes.values()].map((c) => ({ ...c, id: newId() })));
  const written = sql`
    insert into allocations (
      organisation, id, credit_document, credit_line, invoice_document, invoice_line, amount, date, cause, by
    )
    select
      ${organisation}, id, credit, "creditLine", invoice, "invoiceLine", change, ${date}::date, credit,
      ${context.user}::uuid
    from jsonb_to_recordset(${rows}::jsonb) x(
      id uuid, credit uuid, "creditLine" int, invoice uuid, "invoiceLine" int, change bigint
    )
  `.execute(trx);
  await written.catch((error: unknown) => {
    throw allowanceIn(error);
  });
  await sql`
    update open_items o
    set open = o.open - v.change
    from (
      select document, line, sum(change) as change
      from (
        select credit as document, "creditLine" as line, change
        from jsonb_to_recordset(${rows}::jsonb) x(credit uuid, "creditLine" int, change bigint)
        union all
        select invoice, "invoiceLine", change
        from jsonb_to_recordset(${rows}::jsonb) x(invoice uuid, "invoiceLine" int, change bigint)
      ) u
      group by document, line
    ) v
    where o.organisation = ${organisation} and o.document = v.document and o.line = v.line
  `.execute(trx);
}

/** What is taken back of a receipt or payment is money: what it gave as a discount or wrote off stays on what it settled. */
function allowanceIn(error: unknown): unknown {
  const { constraint, message } = error as pg.DatabaseError;
  if (constraint !== 'allocations_allowance') return error;
  const [number = '', amount] = message.split('\n');
  return new Refusal('allowanceGiven', { number, amount: moneyText(Number(amount)) });
}

/** Today, or later where a document or an earlier allocation of it is: on no day is more settled than there was. */
async function dateOf(trx: Trx, { organisation, today }: Context, items: readonly Open[]): Promise<Day> {
  const documents = items.map((o) => o.document);
  const { rows } = await sql<{ last: Day | null; locked: Day | null; money: Day | null }>`
    select
      (
        select max(date)
        from allocations
        where organisation = ${organisation}
          and (credit_document = any(${documents}::uuid[]) or invoice_document = any(${documents}::uuid[]))
      ) as last,
      (select locked_through from locks where organisation = ${organisation} for share) as locked,
      (
        select locked_through from register_locks where organisation = ${organisation} and register = ${settling}
      ) as money
  `.execute(trx);
  const days = [today, rows[0]?.last ?? today, ...items.map((o) => o.booked)];
  const date = days.reduce((a, b) => (a > b ? a : b));
  const locked = rows[0]?.locked;
  if (locked && date <= locked) throw new Refusal('periodLocked', { date: locked });
  const money = rows[0]?.money;
  if (money && date <= money) throw new Refusal('registerLocked', { register: registers[settling][1], date: money });
  return date;
}

/** Credits for a due, or dues for a credit: the one due first before all others, until nothing is left. */
export async function settleOldestFirst(trx: Trx, context: Context, document: Id, line: number): Promise<Id | null> {
  const { party } = await partyOf(trx, context, document, line);
  if (party === null) return null;
  const items = await itemsOf(trx, context, party, true);
  const own = items.find((o) => o.document === document && o.line === line);
  if (!own) return party;
  const credit = isCredit(own.side);
  const usable = (o: Open) => o.currency === 'INR' && !o.advance && !o.irnCancelled;
  const paired = items.filter(
    (o) =>
      usable(o) &&
      usable(own) &&
      (isCredit(own.side) ? o.side === settledSide[own.side] : isCredit(o.side) && settledSide[o.side] === own.side),
  );
  const barred = new Set<Open>();
  for (const other of paired) {
    const [from, to] = isCredit(own.side) ? [own, other] : [other, own];
    if ((await servicesAfter(trx, context.organisation, from, [to])).length > 0) barred.add(other);
  }
  const others = paired.filter((other) => !barred.has(other));
  const { allocations } = oldestFirst(
    paise(Number(own.open)),
    others.map((o) => ({
      document: nameOf(o.document, o.line),
      date: o.date,
      ...(o.due_date && { due: o.due_date }),
      open: paise(Number(o.open)),
    })),
  );
  const pairs = await pairsOf(trx, context.organisation, { party });
  const already = (c: Open, d: Open): Paise =>
    paise(
      Number(
        pairs.find(
          (p) =>
            nameOf(p.credit, p.creditLine) === nameOf(c.document, c.line) &&
            nameOf(p.invoice, p.invoiceLine) === nameOf(d.document, d.line),
        )?.amount ?? 0,
      ),
    );
  await settle(
    trx,
    context,
    party,
    allocations.flatMap(({ document: name, amount }) => {
      const other = others.find((o) => nameOf(o.document, o.line) === name);
      if (!other) return [];
      const [from, to] = credit ? [own, other] : [other, own];
      return [
        {
          credit: from.document,
          creditLine: from.line,
          invoice: to.document,
          invoiceLine: to.line,
          amount: already(from, to) + amount,
        },
      ];
    }),
  );
  return party;
}
