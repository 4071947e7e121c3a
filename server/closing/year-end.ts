import { CompiledQuery, sql } from 'kysely';
import type { z } from 'zod';
import type { closingCalls } from '../../contract/closing.ts';
import type { Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { addDays, addMonths, dayInWords, type FinancialYear, financialYearOf } from '../../domain/base/dates.ts';
import { HUNDRED_PERCENT, moneyText, rupeesText } from '../../domain/base/decimal.ts';
import { paise } from '../../domain/base/money.ts';
import { type Said, say } from '../../domain/base/say.ts';
import { type Closing, closeYear, type ProfitShare, type StandingLedger } from '../../domain/books/closing.ts';
import { mirror } from '../../domain/books/posting.ts';
import { lockMet, registers } from '../../domain/books/registers.ts';
import type { Day, Entry, Id } from '../../domain/document/document.ts';
import { kindFor } from '../../domain/document/kinds/index.ts';
import { allowCost } from '../access/index.ts';
import type { Context } from '../context.ts';
import { snapshotNow, writeSystemDocument } from '../documents/index.ts';
import { once } from '../kit/database/once.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';
import { stockWorth } from '../reports/index.ts';
import { holdBooks, lastClosed, lockBooks, refuseWhileRevalued, type Trx } from './locks.ts';

type Years = z.input<typeof closingCalls.GetYears.details>;
type OrganisationSnapshot = Awaited<ReturnType<typeof snapshotNow>>;
interface Closed {
  year: string;
  profit: string;
  document: Id | null;
  number: string | null;
  by: string;
  at: Day;
}

/** The financial year of this name; one that no calendar has is refused. */
function yearCalled(label: string): FinancialYear {
  const year = financialYearOf(`${label.slice(0, 4)}-04-01`);
  if (year.label !== label) throw new Problems([{ field: 'year', ...say('This is no financial year') }]);
  return year;
}

/**
 * From the first year in which something is left to today, and what was closed before, the last year first. Years are
 * closed one after the other, so one alone is next. Profit is for who has a grant.
 */
export async function yearsOf(trx: Trx, { organisation, today, grants }: Context): Promise<Years> {
  // a year in which everything was taken back has nothing to be closed
  const [first] = (
    await sql<{ month: Day | null }>`
    select min(month) as month
    from (
      select min(month) as month
      from ledger_month_totals
      where organisation = ${organisation}
      group by ledger, location, extract(year from month - interval '3 months')
      having sum(debit - credit) <> 0
    ) y`.execute(trx)
  ).rows;
  const { rows } = await sql<Closed>`
    select y.year, y.profit, y.document, d.number, u.name as by, (y.at at time zone 'Asia/Kolkata')::date as at
    from year_closings y
    join users u on u.organisation = y.organisation and u.id = y.by
    left join documents d on d.organisation = y.organisation and d.id = y.document
    where y.organisation = ${organisation} and y.reopened_at is null
  `.execute(trx);
  const closed = new Map(rows.map((row) => [row.year, row]));
  const begun = financialYearOf(first?.month ?? today);
  // a year that was closed before anything was booked stands in the list; those between have nothing to be closed
  const earliest = [...closed.keys()]
    .map((label) => yearCalled(label))
    .reduce((a, b) => (b.start < a.start ? b : a), begun);
  const years: Years = [];
  let isNextKnown = false;
  for (let at = earliest; at.start <= today; at = financialYearOf(addMonths(at.start, 12))) {
    const done = closed.get(at.label);
    if (!done && at.start < begun.start) continue;
    const state = done ? 'closed' : at.end >= today ? 'running' : isNextKnown ? 'waiting' : 'next';
    if (state === 'next') isNextKnown = true;
    years.unshift({
      year: at.label,
      from: at.start,
      to: at.end,
      state,
      profit: done && grants.has('JournalVouchers') ? moneyText(Number(done.profit)) : null,
      document: done?.document ?? null,
      number: done?.number ?? null,
      by: done?.by ?? null,
      at: done?.at ?? null,
    });
  }
  return years;
}

interface Drawn {
  readonly snapshot: OrganisationSnapshot;
  readonly closing: Closing;
  readonly obstacles: readonly Said[];
  readonly notes: readonly string[];
}

/** What closing the year posts, and what blocks it. It is about every location: nobody closes some of them. */
async function draw(trx: Trx, context: Context, year: FinancialYear, asked: readonly ProfitShare[]): Promise<Drawn> {
  const { organisation } = context;
  const snapshot = await snapshotNow(trx, organisation);
  const shares = await sharesOf(trx, context, snapshot, asked);
  const { rows } = await sql<{ ledger: Id; location: Id; earned: boolean; amount: string }>`
    select t.ledger, t.location, l.nature in ('income', 'expense') as earned, sum(t.debit - t.credit) as amount
    from ledger_month_totals t
    join ledgers l on l.organisation = t.organisation and l.id = t.ledger
    where t.organisation = ${organisation}
      and t.month <= ${year.end}::date
      and (
        l.nature in ('income', 'expense')
          or l.id = any(${[snapshot.ledgers.stock, snapshot.ledgers.openingDifference]}::uuid[])
      )
    group by t.ledger, t.location, l.nature, l.code
    having sum(t.debit - t.credit) <> 0
    order by l.code, t.location
  `.execute(trx);
  const standing: StandingLedger[] = rows
    .filter(({ earned }) => earned)
    .map((r) => ({ ledger: r.ledger, location: r.location, amount: paise(Number(r.amount)) }));
  const periodic = context.settings.stockAccounting === 'periodic' && context.settings.trackInventory;
  const booked = new Map(
    rows.filter((r) => r.ledger === snapshot.ledgers.stock).map((r) => [r.location, Number(r.amount)]),
  );
  const stock = periodic
    ? {
        ledger: snapshot.ledgers.stock,
        change: await changeLedger(trx, organisation),
        at: await Promise.all(
          [...snapshot.locations.keys()].map(async (location) => ({
            location,
            booked: paise(booked.get(location) ?? 0),
            worth: (await stockWorth(trx, organisation, [year.end], [location]))[0] ?? paise(0),
          })),
        ),
      }
    : undefined;
  const difference = rows
    .filter((r) => r.ledger === snapshot.ledgers.openingDifference)
    .reduce((t, r) => t + Number(r.amount), 0);
  return {
    snapshot,
    closing: closeYear(standing, shares, stock),
    ...(await hindering(trx, context, year, difference, snapshot.locks)),
  };
}

/** Retained earnings take all, unless it is said who shares. */
async function sharesOf(
  trx: Trx,
  { organisation }: Context,
  snapshot: OrganisationSnapshot,
  asked: readonly ProfitShare[],
): Promise<readonly ProfitShare[]> {
  if (asked.length === 0) return [{ ledger: snapshot.ledgers.retainedEarnings, share: HUNDRED_PERCENT }];
  const { rows } = await sql<{
    id: Id;
  }>`
    select id
    from ledgers
    where organisation = ${organisation}
      and id = any(${asked.map((s) => s.ledger)}::uuid[])
      and nature = 'equity'
      and active
      and not is_group
      and not is_computed(role)
  `.execute(trx);
  const known = new Set(rows.map((r) => r.id));
  const problems = asked.flatMap(({ ledger, share }, row) => [
    ...(known.has(ledger)
      ? []
      : [{ field: 'shares.ledger', row, ...say('Choose an active equity ledger for the profit') }]),
    ...(share > 0 ? [] : [{ field: 'shares.share', row, ...say('A share must be more than zero') }]),
  ]);
  if (problems.length === 0 && asked.reduce((t, s) => t + s.share, 0) !== HUNDRED_PERCENT)
    problems.push({ field: 'shares.share', row: asked.length - 1, ...say('The shares add up to 100 %') });
  if (problems.length > 0) throw new Problems(problems);
  return asked;
}

async function changeLedger(trx: Trx, organisation: number): Promise<Id> {
  const { rows } = await sql<{
    id: Id;
  }>`
    select id
    from ledgers
    where organisation = ${organisation} and role = 'inventory_change' and not is_group
    order by code
    limit 1
  `.execute(trx);
  if (!rows[0])
    throw new Refusal('cannotClose', {
      year: say('The year'),
      reason: say('the chart has no ledger for the change in inventories'),
    });
  return rows[0].id;
}

async function hindering(
  trx: Trx,
  context: Context,
  year: FinancialYear,
  difference: number,
  locks: OrganisationSnapshot['locks'],
): Promise<Pick<Drawn, 'obstacles' | 'notes'>> {
  const before = (await yearsOf(trx, context)).findLast(({ state }) => state === 'next');
  const { rows } = await sql<{
    drafts: number;
  }>`
    select count(*)::int as drafts
    from drafts
    where organisation = ${context.organisation} and body ->> 'date' between ${year.start} and ${year.end}
  `.execute(trx);
  const drafts = rows[0]?.drafts ?? 0;
  // the closing is a journal of the last day
  const register = lockMet(kindFor('yearEnd'), year.end, locks);
  return {
    obstacles: [
      ...(year.end >= context.today ? [say('it has not ended yet')] : []),
      ...(before && before.year < year.label ? [say('{{year}} is closed first', { year: before.year })] : []),
      ...(register === undefined
        ? []
        : [
            say('{{register}} are locked up to {{through}}: lock them up to {{end}} at most, and close the year then', {
              register: registers[register.register][0].toLowerCase(),
              through: dayInWords(register.through),
              end: dayInWords(addDays(year.end, -1)),
            }),
          ]),
      ...(difference === 0
        ? []
        : [
            say('opening balances differ by {{difference}}: enter what is missing', {
              difference: rupeesText(Math.abs(difference)),
            }),
          ]),
    ],
    notes:
      drafts === 0
        ? []
        : [
            drafts === 1
              ? 'One draft is dated in this year: it cannot be posted on its day once the year is closed'
              : `${drafts} drafts are dated in this year: they cannot be posted on their days once the year is closed`,
          ],
  };
}

export const previewYearEnd = (
  { year: label, shares }: Input<(typeof closingCalls)['PreviewYearEnd']>,
  context: Context,
) =>
  context.inTransaction(async (trx) => {
    // the profit is what was sold less what it cost
    allowCost(context);
    const {
      closing: { profit, entries },
      obstacles,
      notes,
      snapshot,
    } = await draw(trx, context, yearCalled(label), shares);
    const { rows } = await sql<{
      id: Id;
      code: string;
      name: string;
    }>`
      select id, code, name
      from ledgers
      where organisation = ${context.organisation}
        and id = any(${[...new Set(entries.map((e) => e.ledger))]}::uuid[])
    `.execute(trx);
    const named = new Map(rows.map((r) => [r.id, r]));
    return {
      year: label,
      profit: moneyText(profit),
      total: moneyText(entries.reduce((t, e) => t + e.debit, 0)),
      obstacles: obstacles.map(({ message }) => message),
      notes: [...notes],
      entries: entries.map((e) => ({
        location: snapshot.locations.get(e.location)?.name ?? 'In transit',
        ledger: e.ledger,
        code: named.get(e.ledger)?.code ?? '',
        name: named.get(e.ledger)?.name ?? '',
        debit: moneyText(e.debit),
        credit: moneyText(e.credit),
      })),
    };
  });

const write = (
  trx: Trx,
  snapshot: OrganisationSnapshot,
  context: Context,
  document: Parameters<typeof writeSystemDocument>[3],
) =>
  writeSystemDocument(
    (text, values) => trx.executeQuery<{ number: string }>(CompiledQuery.raw(text, values)),
    snapshot,
    context,
    document,
  );

/** Each entry stands at its place, under the registration of that place. */
const placed = (snapshot: OrganisationSnapshot, location: Id): { readonly registration: Id; readonly location: Id } => {
  const place = snapshot.locations.get(location);
  if (!place) throw new Error('a ledger total has a location that does not exist');
  return { registration: place.registration, location };
};

/** Holds the books, so that nothing is posted meanwhile, posts the closing on the last day and locks the year in one transaction. */
export const closeBooks = (
  { year: label, shares, profit }: Input<(typeof closingCalls)['CloseYear']>,
  context: Context,
) =>
  context.inTransaction(async (trx) => {
    const year = yearCalled(label);
    const lockedBefore = await holdBooks(trx, context.organisation);
    return once(
      trx,
      context,
      { year: label, lockedThrough: lockedBefore !== null && lockedBefore > year.end ? lockedBefore : year.end },
      async ({ lockedThrough }) => {
        const { organisation, user } = context;
        if ((await yearsOf(trx, context)).some((y) => y.year === label && y.state === 'closed'))
          throw new Refusal('cannotClose', { year: label, reason: say('it is closed already') });
        const {
          snapshot,
          closing,
          obstacles: [obstacle],
        } = await draw(trx, context, year, shares);
        if (obstacle) throw new Refusal('cannotClose', { year: label, reason: obstacle });
        await refuseWhileRevalued(trx, organisation, year.end);
        if (closing.profit !== profit) throw new Refusal('figuresChanged');
        const id = newId();
        const [first] = closing.entries;
        if (first)
          await write(trx, snapshot, context, {
            id,
            kind: kindFor('yearEnd'),
            date: year.end,
            ...placed(snapshot, first.location),
            narration: `Closing of ${label}`,
            entries: closing.entries.map((e) => ({ ...e, ...placed(snapshot, e.location), date: year.end })),
          });
        await sql`
          insert into year_closings (
            organisation, year, attempt, closed_through, profit, document, locked_before, by
          )
          select
            ${organisation}, ${label}, count(*) + 1, ${year.end}::date, ${closing.profit},
            ${first ? id : null}::uuid, ${lockedBefore}::date, ${user}
          from year_closings
          where organisation = ${organisation} and year = ${label}
        `.execute(trx);
        await lockBooks(trx, context, lockedThrough, `${label} closed`);
      },
    );
  });

/** The last closing alone can be taken back, by somebody with full rights; what it posted is mirrored on the same day. */
export const reopenYear = ({ year: label, reason }: Input<(typeof closingCalls)['ReopenYear']>, context: Context) =>
  context.inTransaction(async (trx) => {
    const { organisation, user } = context;
    const year = yearCalled(label);
    const lockedThrough = await holdBooks(trx, organisation);
    return once(trx, context, { year: label }, async () => {
      const last = await lastClosed(trx, organisation);
      if (!last || last.year < label)
        throw new Refusal('cannotReopen', { year: label, reason: say('it is not closed') });
      if (last.year > label)
        throw new Refusal('cannotReopen', {
          year: label,
          reason: say('{{year}} is closed after it: reopen that first', { year: last.year }),
        });
      const { rows } = await sql<{
        document: Id | null;
        locked_before: Day | null;
        number: string | null;
        registration: Id;
        location: Id;
      }>`
        select y.document, y.locked_before, d.number, d.registration, d.location
        from year_closings y
        left join documents d on d.organisation = y.organisation and d.id = y.document
        where y.organisation = ${organisation} and y.year = ${label} and y.reopened_at is null
      `.execute(trx);
      const [closed] = rows;
      // a lock that was set by hand to a later day is not removed here, and the reversal of the closing would be under it
      if (lockedThrough !== null && lockedThrough > year.end)
        throw new Refusal('periodLocked', {
          date: lockedThrough,
          instead: say(': lock them up to {{end}} at most before {{label}} is reopened', {
            end: dayInWords(year.end),
            label,
          }),
        });
      const snapshot = await snapshotNow(trx, organisation);
      const register = closed?.document ? lockMet(kindFor('yearEnd'), year.end, snapshot.locks) : undefined;
      if (register)
        throw new Refusal('registerLocked', { register: registers[register.register][1], date: register.through });
      const reversal = closed?.document ? newId() : null;
      if (closed?.document && reversal) {
        const entries = mirror(await entriesOf(trx, organisation, closed.document)).map((e) => ({
          ...e,
          date: year.end,
        }));
        await write(trx, snapshot, context, {
          id: reversal,
          kind: kindFor('reversal'),
          date: year.end,
          registration: closed.registration,
          location: closed.location,
          entries,
          narration: reason,
          reverses: closed.document,
        });
        await sql`
          insert into cancellations (organisation, document, reversal, reason, by)
          values (${organisation}, ${closed.document}, ${reversal}, ${reason}, ${user})
        `.execute(trx);
      }
      await sql`
        update year_closings
        set reopened_by = ${user}, reopened_at = now(), reopen_reason = ${reason}, reversal = ${reversal}::uuid
        where organisation = ${organisation} and year = ${label} and reopened_at is null
      `.execute(trx);
      const earlier = (await lastClosed(trx, organisation))?.through ?? null;
      const before = closed?.locked_before ?? null;
      // as it was before the closing, but never into a year that is closed
      const through = [earlier, before !== null && before < year.end ? before : null].reduce(
        (a, b) => (a === null || (b !== null && b > a) ? b : a),
        null,
      );
      await lockBooks(trx, context, through, reason);
    });
  });

async function entriesOf(trx: Trx, organisation: number, document: Id): Promise<Entry[]> {
  const { rows } = await sql<{
    ledger: Id;
    registration: Id;
    location: Id;
    debit: string;
    credit: string;
  }>`
    select ledger, registration, location, debit, credit
    from entries
    where organisation = ${organisation} and document = ${document}
    order by leg
  `.execute(trx);
  return rows.map((r) => ({ ...r, debit: paise(Number(r.debit)), credit: paise(Number(r.credit)) }));
}
