import { sql } from 'kysely';
import { Refusal } from '../../../../contract/errors.ts';
import { dayInWords } from '../../../../domain/base/dates.ts';
import { millionths, moneyText, ONE } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import { type Said, say } from '../../../../domain/base/say.ts';
import type { Effect } from '../../../../domain/books/effects.ts';
import { lockMet, registers } from '../../../../domain/books/registers.ts';
import type { BatchPart, Day, Draft, Entry, Id, Movement } from '../../../../domain/document/document.ts';
import {
  type KindName,
  kindCalled,
  kindFor,
  kindLabel,
  kindNames,
  kindOf,
  raisesPrice,
} from '../../../../domain/document/kinds/index.ts';
import type { LateCost } from '../../../../domain/stock/valuation.ts';
import { taxEffects, taxLockMet } from '../../../../domain/tax/tax-locks.ts';
import type { Context } from '../../../context.ts';
import type { Executor } from '../../../kit/database/sql.ts';
import { newId } from '../../../kit/ids.ts';
import { Problems } from '../../../kit/problems.ts';
import { documentFor, type Named, nameable, numberFor } from '../../read/may-read.ts';
import { requestOf } from '../request/requester.ts';
import { type Settlement, settledBy } from '../settling/settled-by.ts';
import { locksIn } from '../snapshot.ts';
import type { PostingRequest } from '../types.ts';
import { correction, inIff, insteadOfCancelling } from './alternatives.ts';

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

interface Original {
  kind: string;
  number: string;
  date: string;
  registration: Id;
  location: Id;
  party: Id | null;
  reverses: Id | null;
  currency: string;
  exchange_rate: string;
  cancelled: boolean;
  cleared: boolean;
  restated: string | null;
  irn: string | null;
  used: Named | null;
  deposited: Named | null;
  followed: Named | null;
  taken: Named | null;
  locked_through: string | null;
  locks: Record<string, string> | null;
  furnished: string | null;
  returned: boolean;
  taxes: Effect[];
}

/** A document that a refusal may name, as JSON. */
const named = (table: 'f' | 'v') => {
  const row = sql.ref(table);
  return sql`
    jsonb_build_object(
      'number', ${row}.number, 'kind', ${row}.kind, 'location', ${row}.location, 'toLocation',
      ${row}.to_location, 'author', ${row}.author
    )
  `;
};

/**
 * How a document is cancelled: with the session of a till, with the whole restatement that it is part of, freeing what
 * settles it, or on today instead of its own day.
 */
export interface How {
  readonly till?: NonNullable<Draft['till']>;
  readonly restatement?: true;
  readonly frees?: boolean | undefined;
  readonly today?: boolean | undefined;
  /** The kind that the caller takes it for: a document of another kind is a problem at `TransactionType`. */
  readonly kind?: KindName | undefined;
  /** Documents that the same call cancels before this one: they block nothing. */
  readonly after?: readonly Id[];
}

/** A document with what keeps it from being cancelled. */
async function originalOf(trx: Trx, context: Context, id: Id, after: readonly Id[]): Promise<Original | undefined> {
  const { rows } = await sql<Original>`
    select
      d.kind, d.number, d.date, d.registration, d.location, d.party, d.reverses, d.currency,
      d.exchange_rate,
      exists (
        select from cancellations c where c.organisation = d.organisation and c.document = d.id
      ) as cancelled,
      exists (
        select from bank_clearings c where c.organisation = d.organisation and c.document = d.id
      ) as cleared,
      (
        select v.as_of::text
        from exchange_revaluations v
        where v.organisation = d.organisation and d.id in (v.journal, v.reversal)
      ) as restated,
      (
        select case when irn_differs(e) then 'differs' else e.state end
        from einvoices e
        where e.organisation = d.organisation and e.document = d.id
      ) as irn,
      -- an adjustment posted entries of its own: it is cancelled first; what this document settled by itself is freed
      (
        select ${named('v')}
        from allocations a
        join documents v on v.organisation = a.organisation and v.id = a.cause
        where a.organisation = d.organisation
          and d.id in (a.invoice_document, a.credit_document)
          and a.cause not in (a.invoice_document, a.credit_document)
          and v.reverses is null
          and v.id <> all(${[...after]}::uuid[])
          and not exists (select from cancellations c where c.organisation = v.organisation and c.document = v.id)
        limit 1
      ) as used,
      (
        select ${named('v')}
        from tax_challan_parts p
        join documents v on v.organisation = p.organisation and v.id = p.challan
        where p.organisation = d.organisation
          and p.document = d.id
          and v.id <> all(${[...after]}::uuid[])
          and not exists (select from cancellations c where c.organisation = v.organisation and c.document = v.id)
        limit 1
      ) as deposited,
      (select l.locked_through::text from locks l where l.organisation = d.organisation) as locked_through,
      (
        select json_object_agg(r.register, r.locked_through)
        from register_locks r
        where r.organisation = d.organisation
      ) as locks,
      -- without tax, without GST, under composition, or within a registration no return of outward supplies shows it
      registration_status(d.organisation, d.registration, d.date) in ('regular', 'sez')
        and d.supply_type <> 'NONE'
        and not coalesce((d.body -> 'draft' ->> 'withoutTax')::boolean, false) as returned,
      array(
        select distinct m.effect
        from entries e
        join posting_map m on m.organisation = e.organisation and m.ledger = e.ledger
        where e.organisation = d.organisation and e.document = d.id and m.effect = any(${[...taxEffects]}::text[])
      ) as taxes,
      (
        select f.period from gst_furnished f where f.organisation = d.organisation and f.document = d.id
      ) as furnished,
      ${madeFrom(after)} as followed,
      ${takenBy(after)} as taken
    from documents d
    where d.organisation = ${context.organisation} and d.id = ${id}
  `.execute(trx);
  return rows[0];
}

/**
 * The request that posts the mirror of a document on the document's own day, refused where that day is not open;
 * posting asks again. On today it is mirrored only where its own day is not open and no note corrects it.
 */
export async function prepareCancel(context: Context, id: Id, reason: string, how: How = {}): Promise<PostingRequest> {
  const { restatement, frees = false, today = false, kind, after = [] } = how;
  return context.inTransaction(async (trx): Promise<PostingRequest> => {
    const original = await originalOf(trx, context, id, after);
    if (!original) throw new Refusal('notFound');
    if (kind !== undefined && kind !== original.kind) throw otherKind(original, kind);
    // its journals undo each other: one of them alone would leave the other
    if (original.restated !== null && !original.cancelled && !restatement)
      throw new Refusal('notCancellable', {
        number: original.number,
        reason: say('it is part of the restatement of {{restated}}: take that back as a whole under Foreign balances', {
          restated: dayInWords(original.restated),
        }),
      });
    refuse(original, context);
    if (today) refuseToday(original);
    else if (original.furnished) throw inIff(original.number, original.kind, original.furnished);
    await refuseSettled(trx, context, id, original.number, { frees, after });
    if (frees) await refuseAllowance(trx, context, id, original, after);
    const closed = today ? undefined : dayClosed(original);
    if (closed) throw closed;
    const draft = reversalOf(original, reason, today ? context.today : original.date, how);
    return {
      ...requestOf({ ...context, key: undefined, digest: undefined }, kindFor('reversal'), draft),
      id: newId(),
      number: undefined,
      mirrorOf: {
        document: id,
        kind: original.kind,
        reason,
        isReturned: original.returned,
        frees,
        entries: await entriesOf(context, trx, id),
        movements: await movementsOf(context, trx, id),
      },
    };
  });
}

/** The head of the document that reverses another one; its entries and movements are the mirror of that one's. */
const reversalOf = (original: Original, reason: string, date: Day, { till }: How): Draft => ({
  kind: kindFor('reversal'),
  date,
  registration: original.registration,
  location: original.location,
  currency: original.currency,
  exchangeRate: millionths(Number(original.exchange_rate || ONE)),
  lines: [],
  reference: original.number,
  narration: reason,
  ...(original.party && { party: original.party }),
  ...(till && { till }),
});

/** A living document that took back what the note `d` has added, or claimed again what it took back; those of `after` apart. */
const takenBy = (after: readonly Id[]) => sql`
  (
    select ${named('f')}
    -- asked in a row of its own: as a condition it may be asked for every document
    from (select note_taken(d.organisation, d.id) as id offset 0) t
    join documents f on f.organisation = d.organisation and f.id = t.id
    where f.id <> all(${[...after]}::uuid[])
  )
`;

/** A living document that was made from the document `d`, those of `after` apart. */
const madeFrom = (after: readonly Id[]) => sql`
  (
    select ${named('f')}
    from document_lines x
    join documents f on f.organisation = x.organisation and f.id = x.document
    where x.organisation = d.organisation
      and x.source_document = d.id
      and f.id <> all(${[...after]}::uuid[])
      and not exists (select from cancellations c where c.organisation = f.organisation and c.document = f.id)
    union all
    select ${named('f')}
    from document_links k
    join documents f on f.organisation = k.organisation and f.id = k.target
    where k.organisation = d.organisation
      and k.source = d.id
      and f.id <> all(${[...after]}::uuid[])
      and (k.role = 'order' or k.role = 'source' and f.kind = any(${standingOn}::text[]))
      and not exists (select from cancellations c where c.organisation = f.organisation and c.document = f.id)
    limit 1
  )
`;

/**
 * Why the IRN of a document stays: what was made from it, settles it or lets it travel would refer to what is no invoice
 * any more. Undefined where nothing refers to it. The document and its open items are locked meanwhile, so that nothing is added.
 */
export async function irnNeeded(run: Executor, context: Context, document: Id): Promise<Said | undefined> {
  const { organisation } = context;
  // whoever makes a document from it takes the same lock, and whoever settles it holds its open items
  await sql`select pg_advisory_xact_lock(hashtextextended(${document}::uuid::text, ${organisation}))`.execute(run);
  await sql`
    select from open_items
    where organisation = ${organisation} and document = ${document}::uuid
    order by line
    for update
  `.execute(run);
  const { rows } = await sql<{
    kind: string;
    followed: Named | null;
    taken: Named | null;
    settled: Named | null;
    travels: boolean;
  }>`
    select
      d.kind,
      ${madeFrom([])} as followed,
      ${takenBy([])} as taken,
      exists (
        select from eway_bills w
        where w.organisation = d.organisation and w.document = d.id and w.state in ('queued', 'sending', 'unclear')
      ) as travels,
      (
        select ${named('v')}
        from allocations a
        join documents v on v.organisation = a.organisation and v.id = a.credit_document
        where a.organisation = d.organisation and a.invoice_document = d.id
        group by v.organisation, v.id
        having sum(a.amount) <> 0
        order by v.number
        limit 1
      ) as settled
    from documents d
    where d.organisation = ${organisation} and d.id = ${document}::uuid
  `.execute(run);
  const { kind = '', followed, taken, settled, travels } = rows[0] ?? {};
  if (followed)
    return say('{{document}} was made from it. Cancel that first, or correct it by a note', {
      document: documentFor(context, followed),
    });
  if (taken)
    return say('{{taken}}. Cancel that first, or correct it by a note', {
      taken: amountsTaken(kind, documentFor(context, taken)),
    });
  if (settled)
    return say('it is settled with {{document}}. Take the settlement back first', {
      document: documentFor(context, settled),
    });
  return travels ? say('its e-way bill is on its way to the portal. Wait for that, and cancel it first') : undefined;
}

/** A document is cancelled as what it is: whoever takes it for another kind has the wrong one. */
const otherKind = ({ number, kind }: Original, taken: KindName): Problems =>
  new Problems([
    {
      field: 'TransactionType',
      ...say('{{number}} is {{kind}}, not {{taken}}: cancel it from its own list', {
        number,
        kind: anA(kindLabel(kind)),
        taken: anA(kindLabel(taken)),
      }),
    },
  ]);
const anA = (label: string): string => `${/^[aeio]/i.test(label) ? 'an' : 'a'} ${label.toLowerCase()}`;

/** Why nothing is written on the own day of a document. */
function dayClosed({
  kind,
  date,
  registration,
  locked_through,
  locks,
  returned,
  irn,
  taxes,
}: Original): Refusal | undefined {
  const instead = insteadOfCancelling(kind, returned, { hasNotes: irn !== 'cancelled' });
  if (locked_through !== null && date <= locked_through)
    return new Refusal('periodLocked', { date: locked_through, instead });
  const own = locksIn(locks ?? {});
  const lock = lockMet(kind, date, own, registration) ?? taxLockMet(taxes, date, own, registration);
  return lock && new Refusal('registerLocked', { register: registers[lock.register][1], date: lock.through, instead });
}

function refuseToday(original: Original): void {
  const { number, kind, furnished, returned, irn } = original;
  if (furnished === null && !dayClosed(original)) throw new Refusal('dayOpen', { number });
  // no note refers to an invoice whose IRN is cancelled
  const note = irn === 'cancelled' ? undefined : correction(kind, returned);
  if (note) throw new Refusal('notReversible', { number, note });
}

/**
 * Refuses a document that settles others, or is settled, with their list. Where they are to be freed, and where the document adjusts
 * others, it is refused only where one of them is hidden: nobody takes back a settlement of documents that they may not see.
 */
async function refuseSettled(
  run: Executor,
  context: Context,
  document: Id,
  number: string,
  { frees, after }: { readonly frees: boolean; readonly after: readonly Id[] },
): Promise<void> {
  const { rows } = await sql<Settlement & { readonly own: boolean }>`
    select s.document, s.amount, s.own, d.location, d.number, d.kind, d.to_location as "toLocation", d.author
    from (
      select document, amount, true as own
      from settlements_of(${context.organisation}, ${document}::uuid)
      union all
      select x.document, sum(a.amount)::bigint, false
      from allocations a
      cross join lateral (values (a.invoice_document), (a.credit_document)) x(document)
      where a.organisation = ${context.organisation}
        and a.cause = ${document}::uuid
        and ${document}::uuid not in (a.invoice_document, a.credit_document)
      group by x.document
      having sum(a.amount) <> 0
    ) s
    join documents d on d.organisation = ${context.organisation} and d.id = s.document
    where s.document <> all(${[...after]}::uuid[])
    order by d.number
  `.execute(run);
  const mayName = nameable(context);
  const isHidden = !rows.every(mayName);
  if (isHidden || (!frees && rows.some(({ own }) => own)))
    throw settledBy(rows, { locations: context.locations, mayName }, number);
}

interface Allowed extends Named {
  readonly allowance: string;
  readonly currency: string;
}

/**
 * Refuses to free a receipt or payment that gave a discount or wrote something off, where that would be on nothing: it would
 * be open for more than the money that came.
 */
async function refuseAllowance(
  run: Executor,
  context: Context,
  document: Id,
  { number, kind }: Pick<Original, 'number' | 'kind'>,
  after: readonly Id[],
): Promise<void> {
  const { rows } = await sql<Allowed>`
    select
      d.number, d.kind, d.location, d.to_location as "toLocation", d.author, d.currency,
      allowance_of(d.body) as allowance
    from (
      select distinct credit_document
      from allocations
      where organisation = ${context.organisation} and invoice_document = ${document}::uuid
    ) a
    join documents d on d.organisation = ${context.organisation} and d.id = a.credit_document
    where d.id <> all(${[...after]}::uuid[])
      and allowance_short(d.organisation, d.id, array[${document}::uuid]) > 0
    order by d.number
    limit 1
  `.execute(run);
  const [credit] = rows;
  if (!credit) return;
  const named = numberFor(context, credit);
  const amount = moneyText(Number(credit.allowance));
  // a document that was made from the receipt holds it: neither of the two goes
  if (kindCalled(kind)?.source.reverses === credit.kind)
    throw new Refusal('notCancellable', {
      number,
      reason: say(
        '{{amount}} of {{named}} is a discount or write-off on the documents it settled. Leave both as they are, and enter the ' +
          'receipt again',
        { amount, named },
      ),
    });
  throw new Refusal('allowanceGiven', { number: named, amount });
}

/** What a cancellation has freed: each document that has so much open again. */
export async function freedBy(
  context: Context,
  document: Id,
  reversal: Id,
): Promise<{ id: Id; number: string; amount: string }[]> {
  const { rows } = await context.inTransaction((trx) =>
    sql<Settlement>`
    select d.id as document, d.location, d.number, d.kind, d.to_location as "toLocation", d.author, -sum(a.amount) as amount
      from allocations a
      join documents d
        on d.organisation = a.organisation
       and d.id in (a.invoice_document, a.credit_document)
       and d.id <> ${document}
     where a.organisation = ${context.organisation}
       and a.cause = ${reversal}
     group by d.organisation, d.id
     order by d.number`.execute(trx),
  );
  const mayName = nameable(context);
  return rows.map((s) => ({ id: s.document, number: mayName(s) ? s.number : '', amount: moneyText(Number(s.amount)) }));
}

/** Kinds that say which document they are against, with lines or without: it stays as long as they do. */
export const standingOn = kindNames.filter((name) => kindOf(name).fields.includes('against'));

/** Why a document cannot go while the portal has it, or may have it. */
const heldByPortal: Readonly<Record<string, Said>> = {
  registered: say('cancel its IRN first, or issue a credit note'),
  sending: say('it is on its way to the invoice portal'),
  unclear: say('the invoice portal has not answered yet whether it has it'),
  differs: say(
    'the invoice portal has its number for another invoice: cancel that IRN at the portal, then send this ' +
      'document again, which asks for its state',
  ),
};

/** Tax that the government has is not taken back here. */
export const taxDeposited = (challan: string | Said): Said =>
  say('its tax is paid to the government by {{challan}}: cancel that first', { challan });

/** Amounts of a note that another document relies on, though it was not made from that note. */
export const amountsTaken = (kind: string, document: string | Said): Said => {
  const row = kindCalled(kind);
  return row && raisesPrice(row)
    ? say('the amount that it added was given back with {{document}}', { document })
    : say('the credit that it reversed was claimed again by {{document}}', { document });
};

/** What a bank has shown happened. */
export const throughBank = say('it went through the bank: take that back under bank reconciliation first');

function refuse(
  { number, kind, reverses, cancelled, cleared, irn, used, deposited, followed, taken }: Original,
  context: Context,
): void {
  if (cancelled) throw new Refusal('alreadyCancelled', { number });
  if (reverses || kindCalled(kind)?.life.system)
    throw new Refusal('notCancellable', { number, reason: say('it was made by the product itself') });
  if (cleared) throw new Refusal('notCancellable', { number, reason: throughBank });
  const held = irn && heldByPortal[irn];
  if (held) throw new Refusal('notCancellable', { number, reason: held });
  if (used)
    throw new Refusal('notCancellable', {
      number,
      reason: say('{{document}} adjusts it: cancel that first', { document: documentFor(context, used) }),
    });
  if (deposited) throw new Refusal('notCancellable', { number, reason: taxDeposited(documentFor(context, deposited)) });
  if (followed)
    throw new Refusal('notCancellable', {
      number,
      reason: say('{{document}} was made from it: cancel that first', { document: documentFor(context, followed) }),
    });
  if (taken)
    throw new Refusal('notCancellable', {
      number,
      reason: say('{{taken}}: cancel that first', { taken: amountsTaken(kind, documentFor(context, taken)) }),
    });
}

async function entriesOf(context: Context, trx: Trx, id: Id): Promise<Entry[]> {
  const { rows } = await sql<{
    ledger: Id;
    party: Id | null;
    registration: Id;
    location: Id;
    cost_centre: Id | null;
    currency: string | null;
    foreign_amount: string | null;
    exchange_rate: string | null;
    debit: string;
    credit: string;
  }>`
    select
      ledger, party, registration, location, cost_centre, currency, foreign_amount, exchange_rate, debit,
      credit
    from entries
    where organisation = ${context.organisation} and document = ${id}
    order by leg
  `.execute(trx);
  return rows.map((r) => ({
    ledger: r.ledger,
    registration: r.registration,
    location: r.location,
    debit: paise(Number(r.debit)),
    credit: paise(Number(r.credit)),
    ...(r.party && { party: r.party }),
    ...(r.cost_centre && { costCentre: r.cost_centre }),
    ...(r.currency &&
      r.foreign_amount !== null && {
        currency: r.currency,
        foreign: paise(Number(r.foreign_amount)),
        exchangeRate: millionths(Number(r.exchange_rate)),
      }),
  }));
}

async function movementsOf(context: Context, trx: Trx, id: Id): Promise<(Movement & { cost: number })[]> {
  const { rows } = await sql<{
    line: number;
    item: Id;
    location: Id;
    quantity: string;
    cost: string;
    room: Id | null;
    batches: BatchPart[] | null;
    serials: string[] | null;
    lateCost: LateCost | null;
  }>`
    select
      m.line, m.item, m.location, m.quantity, c.cost, m.room, m.batches, m.serials,
      d.body -> 'behind' -> m.line::text as "lateCost"
    from movements m
    join documents d on d.organisation = m.organisation and d.id = m.document
    join lateral (
      select cost
      from movement_costs c
      where c.organisation = m.organisation and c.document = m.document and c.number = m.number
      order by revision desc
      limit 1
    ) c on true
    where m.organisation = ${context.organisation} and m.document = ${id}
    order by m.number
  `.execute(trx);
  return rows.map((r) => ({
    line: r.line,
    item: r.item,
    location: r.location,
    quantity: millionths(Number(r.quantity)),
    cost: Number(r.cost),
    ...(r.room && { room: r.room }),
    ...(r.batches && { batches: r.batches }),
    ...(r.serials && { serials: r.serials }),
    ...(r.lateCost && { lateCost: r.lateCost }),
  }));
}

/**
 * The same as `prepareCancel`, on today only where the own day of the document is not open: for documents that are cancelled
 * together, of which one may stand on an open day.
 */
export async function prepareCancelTogether(
  context: Context,
  id: Id,
  reason: string,
  how: How,
): Promise<PostingRequest> {
  try {
    return await prepareCancel(context, id, reason, how);
  } catch (error) {
    if (how.today && error instanceof Refusal && error.code === 'dayOpen')
      return prepareCancel(context, id, reason, { ...how, today: false });
    throw error;
  }
}
