import { sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { exchangeCalls } from '../../contract/exchange.ts';
import { addDays, dayInWords } from '../../domain/base/dates.ts';
import { millionths, moneyText, ONE, rateText } from '../../domain/base/decimal.ts';
import { paise, scale, sum } from '../../domain/base/money.ts';
import { type Said, say } from '../../domain/base/say.ts';
import type { Effect, Ledgers } from '../../domain/books/effects.ts';
import { restated } from '../../domain/books/exchange.ts';
import { movesAdvances } from '../../domain/books/legs.ts';
import type { Day, Draft, DraftLine, Id } from '../../domain/document/document.ts';
import { kindFor, kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import type { Context } from '../context.ts';
import {
  checkedAhead,
  keyAt,
  type Poster,
  postedOnce,
  prepareCancelTogether,
  preparePosting,
  reasonsOf,
  snapshotNow,
} from '../documents/index.ts';
import { newId } from '../kit/ids.ts';
import { type Money, moneyLines, moneyOn } from './money.ts';

type Calls = typeof exchangeCalls;
type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

interface Standing {
  document: Id;
  line: number;
  kind: string;
  number: string;
  date: Day;
  party: string;
  location: Id;
  registration: Id;
  side: 'receivable' | 'payable' | 'customerCredit' | 'supplierCredit';
  currency: string;
  open: string;
  worth: string;
  rate: string | null;
}
interface Balance extends Standing {
  readonly now: number;
  readonly difference: number;
}

/** Advances for goods are settled in goods, not in money: they stay at what they were booked at (AS 11). */
const advances = kindNames.filter((name) => movesAdvances(kindOf(name)));
const isOurs = (side: Standing['side']): boolean => side === 'receivable' || side === 'customerCredit';
const isCredit = (side: Standing['side']): boolean => side === 'customerCredit' || side === 'supplierCredit';

interface Drawn {
  readonly balances: readonly (Standing | Balance)[];
  readonly valued: readonly Balance[];
  readonly missing: readonly string[];
  readonly hindrances: readonly Said[];
  readonly ledgers: Ledgers;
  readonly groups: readonly Group[];
  readonly money: readonly Money[];
}
/** What is booked at one location: open balances, which are taken back on the next day, or money, which stays at its rate. */
interface Group {
  readonly location: Id;
  readonly registration: Id;
  readonly balances: readonly Balance[];
  readonly money: readonly Money[];
  readonly lines: readonly {
    readonly ledger: Id;
    readonly debit?: number;
    readonly credit?: number;
    readonly foreign?: number;
  }[];
}

/** Open foreign balances as they stood at the end of a day, at its rates. It is about every location: nobody restates some of them. */
async function draw(trx: Trx, context: Context, asOf: Day, keys: readonly string[] = []): Promise<Drawn> {
  const { organisation, today } = context;
  const { ledgers } = await snapshotNow(trx, organisation);
  const balances = await balancesOn(trx, organisation, asOf);
  const known = balances.filter((b): b is Balance => 'difference' in b);
  const money = await moneyOn(trx, context, asOf, keys);
  const missing = [
    ...new Set(
      [...balances.filter((row) => row.rate === null), ...money.filter((m) => m.now === null)].map(
        (row) => row.currency,
      ),
    ),
  ].sort();
  const done = await sql<{
    number: string;
  }>`
    select d.number
    from exchange_revaluations v
    join documents d on d.organisation = v.organisation and d.id = v.journal
    where v.organisation = ${organisation}
      and v.as_of = ${asOf}::date
      and not exists (select from cancellations c where c.organisation = v.organisation and c.document = v.journal)
    limit 1
  `.execute(trx);
  const places = [
    ...new Map(known.map(({ location, registration }) => [location, { location, registration }])).values(),
  ];
  const kept = [
    ...new Map(money.map(({ location, registration }) => [location, { location, registration }])).values(),
  ].map((place): Group => {
    const own = money.filter(({ location, difference }) => location === place.location && difference !== 0);
    return { ...place, balances: [], money: own, lines: moneyLines(own, ledgers) };
  });
  const open = places.map((place): Group => {
    const own = known.filter(({ location, difference }) => location === place.location && difference !== 0);
    return {
      ...place,
      balances: known.filter(({ location }) => location === place.location),
      money: [],
      lines: linesOf(own, ledgers),
    };
  });
  const groups = [...open, ...kept].filter(({ lines }) => lines.length > 0);
  return {
    balances,
    valued: known,
    missing,
    ledgers,
    groups,
    money,
    hindrances: [
      ...(asOf > today ? [say('This day has not come')] : []),
      ...(done.rows[0]
        ? [
            say('Balances of this day are restated by {{number}} already: take that back first', {
              number: done.rows[0].number,
            }),
          ]
        : []),
      ...missing.map((currency) => say('There is no rate of {{currency}} for this day', { currency })),
    ],
  };
}

/** Open foreign balances at the end of a day, at its rate where there is one. */
async function balancesOn(trx: Trx, organisation: number, asOf: Day): Promise<(Standing | Balance)[]> {
  const { rows } = await sql<Standing>`
    select
      o.document, o.line, d.kind, coalesce(o.reference, d.number) as number, o.date, p.name as party,
      d.location, d.registration, o.side, o.currency, s.open, s.worth, r.rate
    from open_items o
    join documents d on d.organisation = o.organisation and d.id = o.document
    join parties p on p.organisation = o.organisation and p.id = o.party
    cross join lateral open_on(o.organisation, o, ${asOf}::date) s
    left join lateral exchange_rate_on(o.organisation, o.currency, 'book', ${asOf}::date) r on true
    where o.organisation = ${organisation}
      and o.currency <> 'INR'
      and d.date <= ${asOf}::date
      and d.kind <> all(${advances}::text[])
      and s.open > 0
      and not exists (
        select from cancellations c
        join documents x on x.organisation = c.organisation and x.id = c.reversal
        where c.organisation = o.organisation and c.document = o.document and x.date <= ${asOf}::date
      )
    order by o.side, p.name, o.date, o.document, o.line
  `.execute(trx);
  return rows.map((row) => (row.rate === null ? row : valued(row, Number(row.rate))));
}

const valued = (row: Standing, rate: number): Balance => {
  const [open, worth] = [Number(row.open), Number(row.worth)];
  return {
    ...row,
    now: scale(open, rate, ONE),
    difference: restated({ open, worth, owed: isOurs(row.side), credit: isCredit(row.side) }, millionths(rate)),
  };
};

/** Against ledgers beside the accounts of the parties, which stay at what was booked; gain and loss each in one sum. */
function linesOf(balances: readonly Balance[], ledgers: Ledgers): Group['lines'] {
  const of = (ours: boolean, sign: 1 | -1) =>
    sum(
      balances
        .filter((b) => isOurs(b.side) === ours && Math.sign(b.difference) === sign)
        .map((b) => paise(Math.abs(b.difference))),
    );
  const sides = (
    [
      [true, 'receivableRestated'],
      [false, 'payableRestated'],
    ] as const
  ).map(([ours, effect]) => [effect, of(ours, 1) - of(ours, -1)] as const);
  const amounts: readonly (readonly [Effect, number])[] = [
    ...sides,
    ['fxGain', -(of(true, 1) + of(false, 1))],
    ['fxLoss', of(true, -1) + of(false, -1)],
  ];
  return amounts.flatMap(([effect, amount]) =>
    amount === 0 ? [] : [{ ledger: ledgers[effect], ...(amount > 0 ? { debit: amount } : { credit: -amount }) }],
  );
}

const differenceOf = ({ valued, money }: Pick<Drawn, 'valued' | 'money'>): number =>
  [...valued, ...money].reduce((t, b) => t + (b.difference ?? 0), 0);

export const previewRevaluation = (
  { asOf }: Input<Calls['PreviewRevaluation']>,
  context: Context,
): Promise<Answer<Calls['PreviewRevaluation']>> =>
  context.inTransaction(async (trx) => {
    const drawn = await draw(trx, context, asOf);
    const { balances, missing, hindrances, groups, money } = drawn;
    const snapshot = await snapshotNow(trx, context.organisation);
    const { rows } = await sql<{
      id: Id;
      code: string;
      name: string;
    }>`
      select id, code, name
      from ledgers
      where organisation = ${context.organisation}
        and id = any(${[...new Set(groups.flatMap((g) => g.lines.map((l) => l.ledger)))]}::uuid[])
    `.execute(trx);
    const named = new Map(rows.map((row) => [row.id, row]));
    return {
      asOf,
      difference: moneyText(differenceOf(drawn)),
      missing: [...missing],
      hindrances: hindrances.map(({ message }) => message),
      balances: balances.map((b) => ({
        document: b.document,
        line: b.line,
        kind: b.kind,
        number: b.number,
        date: b.date,
        party: b.party,
        location: snapshot.locations.get(b.location)?.name ?? '',
        side: b.side,
        currency: b.currency,
        open: moneyText(Number(b.open)),
        booked: moneyText(Number(b.worth)),
        rate: b.rate === null ? null : rateText(Number(b.rate)),
        now: 'now' in b ? moneyText(b.now) : null,
        difference: 'difference' in b ? moneyText(b.difference) : null,
      })),
      money: money.map((m) => ({
        code: m.code,
        name: m.name,
        location: snapshot.locations.get(m.location)?.name ?? '',
        currency: m.currency,
        balance: moneyText(m.balance),
        booked: moneyText(m.worth),
        rate: m.rate === null ? null : rateText(m.rate),
        now: m.now === null ? null : moneyText(m.now),
        difference: m.difference === null ? null : moneyText(m.difference),
      })),
      entries: groups.flatMap(({ location, lines }) =>
        lines.map(({ ledger, debit = 0, credit = 0 }) => ({
          location: snapshot.locations.get(location)?.name ?? '',
          code: named.get(ledger)?.code ?? '',
          name: named.get(ledger)?.name ?? '',
          debit: moneyText(debit),
          credit: moneyText(credit),
        })),
      ),
    };
  });

/**
 * Each location's journal of the day, and what takes it back on the next one. They go through the ordinary posting one after
 * the other; when some are lost on the way, the same call under its key finds those that were posted and posts the rest.
 */
export async function postRevaluation(
  poster: Poster,
  { asOf, difference, accepted }: Input<Calls['PostRevaluation']>,
  context: Context,
): Promise<Answer<Calls['PostRevaluation']>> {
  const keys = Array.from({ length: MOST_JOURNALS }, (_, at) => keyAt(context.key, at)).filter(
    (key) => key !== undefined,
  );
  const { turn, drawn } = await context.inTransaction(async (trx) => ({
    // before the figures: who ends a restatement after this has a later turn
    turn: await turnOf(trx, context),
    drawn: await draw(trx, context, asOf, keys),
  }));
  const { groups, hindrances } = drawn;
  const begun = await context.inTransaction(
    async (trx) =>
      (
        await sql`
          select from idempotency_keys
          where organisation = ${context.organisation}
            and "user" = ${context.user}
            and key = ${context.key ?? null}::uuid
        `.execute(trx)
      ).rows.length > 0,
  );
  if (hindrances[0] && !begun) throw new Refusal('cannotRestate', { date: asOf, reason: hindrances[0] });
  if (differenceOf(drawn) !== difference) throw new Refusal('figuresChanged');
  if (groups.length === 0)
    throw new Refusal('cannotRestate', {
      date: asOf,
      reason: say('there is no gain or loss at the rates of this day'),
    });
  const journals: Answer<Calls['PostRevaluation']>['journals'] = [];
  const first = await context.inTransaction((trx) => firstJournal(trx, context, turn));
  let place = 0;
  for (const group of groups) {
    const post = async (draft: Draft) => {
      const isFirst = place === 0;
      const key = keyAt(context.key, place++);
      return postedOnce(context, key, async () =>
        poster.post(
          await preparePosting(
            { ...context, key },
            { ...draft, ...reasonsOf(context, accepted) },
            { skipsApproval: true, ...(isFirst && { id: first }) },
          ),
        ),
      ).catch((error: unknown) => {
        throw isFirst && error instanceof Refusal && error.code === 'alreadyPosted' ? restatedMeanwhile(asOf) : error;
      });
    };
    const journal = await post(journalOf(group, asOf, asOf, false));
    // money is there at its rate: nothing settles it later, so nothing is taken back
    const back =
      group.money.length > 0
        ? undefined
        : await post({ ...journalOf(group, asOf, addDays(asOf, 1), true), against: journal.id });
    journals.push(
      ...[journal, ...(back ? [back] : [])].map(({ id, number }) => ({ TransactionId: id, TransactionNumber: number })),
    );
    await context.inTransaction((trx) => keep(trx, context, group, asOf, journal.id, back?.id ?? null));
  }
  await context.inTransaction((trx) => endTurn(trx, context, journals[0]?.TransactionId));
  return { journals };
}

const restatedMeanwhile = (date: Day): Refusal =>
  new Refusal('cannotRestate', {
    date,
    reason: say(
      'another user has begun to restate balances. Check the figures again, or take back the unfinished restatement',
    ),
  });

/** How many restatements were ended, or taken back before they were: who sees the same number sees the same restatements. */
async function turnOf(trx: Trx, { organisation }: Context): Promise<number> {
  const { rows } = await sql<{ turn: number }>`
    select count(*)::int as turn
    from exchange_revaluation_turns t
    where t.organisation = ${organisation}
      and (
        t.done_at is not null
          or exists (select from cancellations c where c.organisation = t.organisation and c.document = t.journal)
      )
  `.execute(trx);
  return rows[0]?.turn ?? 0;
}

/** The id of the first journal of a turn: the same for all who restate at the same moment, so that one of them posts it. */
async function firstJournal(trx: Trx, { organisation }: Context, turn: number): Promise<Id> {
  await sql`
    insert into exchange_revaluation_turns (organisation, turn, journal)
    values (${organisation}, ${turn}, ${newId()}) on conflict do nothing
  `.execute(trx);
  const { rows } = await sql<{ journal: Id }>`
    select journal from exchange_revaluation_turns where organisation = ${organisation} and turn = ${turn}
  `.execute(trx);
  const [own] = rows;
  if (!own) throw new Error(`turn ${turn} of restatements was not kept`);
  return own.journal;
}

const endTurn = (trx: Trx, { organisation }: Context, journal: Id | undefined) =>
  sql`
    update exchange_revaluation_turns
    set done_at = now()
    where organisation = ${organisation} and journal = ${journal ?? null}::uuid and done_at is null
  `.execute(trx);

/** Three for each location at most. */
const MOST_JOURNALS = 300;

function journalOf({ location, registration, lines, money }: Group, asOf: Day, date: Day, back: boolean): Draft {
  const written = lines.map(({ ledger, debit, credit, foreign }): DraftLine => {
    const [left, right] = back ? [credit, debit] : [debit, credit];
    return {
      ledger,
      ...(foreign !== undefined && { foreign: paise(foreign) }),
      ...(left !== undefined && { debit: paise(left) }),
      ...(right !== undefined && { credit: paise(right) }),
    };
  });
  const narration =
    money.length > 0
      ? `Money in other currencies brought to the rates of ${dayInWords(asOf)}`
      : back
        ? `Takes back the restatement at the rates of ${dayInWords(asOf)}`
        : `Open foreign balances restated at the rates of ${dayInWords(asOf)}`;
  return {
    kind: kindFor('revaluation'),
    date,
    registration,
    location,
    currency: 'INR',
    exchangeRate: millionths(ONE),
    lines: written,
    narration,
    fields: { journalType: 'exchange' },
    restates: true,
  };
}

async function keep(
  trx: Trx,
  { organisation, user }: Context,
  { location, balances, money }: Group,
  asOf: Day,
  journal: Id,
  reversal: Id | null,
): Promise<void> {
  const id = newId();
  const kept = await sql`
      insert into exchange_revaluations (organisation, id, as_of, location, journal, reversal, by)
      values (
        ${organisation}, ${id}, ${asOf}::date, ${location}::uuid, ${journal}::uuid, ${reversal}::uuid, ${user}
      )
      on conflict do nothing
      returning id
    `.execute(trx);
  if (kept.rows.length === 0) return;
  await sql`
    insert into exchange_revaluation_lines (
      organisation, revaluation, document, line, currency, open, worth, rate, difference
    )
    select ${organisation}, ${id}, document, line, currency, open, worth, rate, difference
    from jsonb_to_recordset(${JSON.stringify(balances)}::jsonb) x(
      document uuid, line int, currency text, open bigint, worth bigint, rate bigint, difference bigint
    )
  `.execute(trx);
  await sql`
    insert into exchange_revaluation_money (
      organisation, revaluation, ledger, currency, balance, worth, rate, difference
    )
    select ${organisation}, ${id}, ledger, currency, balance, worth, rate, difference
    from jsonb_to_recordset(${JSON.stringify(money)}::jsonb) x(
      ledger uuid, currency text, balance bigint, worth bigint, rate bigint, difference bigint
    )
  `.execute(trx);
}

interface KeptLine {
  as_of: Day;
  /** Its open balances were restated at this location; null: only money was. */
  location: Id | null;
  document: Id | null;
  line: number | null;
  open: string | null;
  worth: string | null;
  difference: string | null;
}

/**
 * Restated days that another restatement would find other figures for: something was posted or cancelled on or before the day
 * since, or its rate was changed. A locked day keeps its figures.
 */
async function staleDays(trx: Trx, context: Context): Promise<ReadonlySet<Day>> {
  const { organisation } = context;
  const { rows } = await sql<KeptLine>`
    select
      v.as_of::text as as_of, case when v.reversal is not null then v.location end as location, x.document, x.line,
      x.open, x.worth, x.difference
    from exchange_revaluations v
    left join exchange_revaluation_lines x on x.organisation = v.organisation and x.revaluation = v.id
    where v.organisation = ${organisation}
      and v.as_of > coalesce(
        (select locked_through from locks where organisation = ${organisation}), '-infinity'::date
      )
      and not exists (
        select from cancellations c where c.organisation = v.organisation and c.document = v.journal
      )
  `.execute(trx);
  const stale = new Set<Day>();
  for (const asOf of new Set(rows.map((row) => row.as_of))) {
    const own = rows.filter((row) => row.as_of === asOf);
    const now = await balancesOn(trx, organisation, asOf);
    const money = await moneyOn(trx, context, asOf, []);
    // the journals of money stay on its ledgers: what is restated has no difference left
    if (isOther(own, now) || money.some(({ difference }) => difference !== null && difference !== 0)) stale.add(asOf);
  }
  return stale;
}

/** Whether open balances are others than those that were restated. Where nothing was won or lost, nothing was posted or kept. */
function isOther(kept: readonly KeptLine[], now: readonly (Standing | Balance)[]): boolean {
  const at = new Set(kept.map(({ location }) => location));
  const before = new Map(
    kept.flatMap((row) => (row.document === null ? [] : [[`${row.document}/${row.line}`, row] as const])),
  );
  const standing = now.filter((b) => at.has(b.location) || ('difference' in b && b.difference !== 0));
  return (
    standing.length !== before.size ||
    standing.some((b) => {
      const row = before.get(`${b.document}/${b.line}`);
      return (
        Number(b.open) !== Number(row?.open) ||
        Number(b.worth) !== Number(row?.worth) ||
        ('difference' in b && b.difference !== Number(row?.difference))
      );
    })
  );
}

export const listRevaluations = (context: Context): Promise<Answer<Calls['ListRevaluations']>> =>
  context.inTransaction(async (trx) => {
    const { organisation, locations } = context;
    const { rows } = await sql<
      Omit<Answer<Calls['ListRevaluations']>[number], 'difference' | 'stale'> & { difference: string }
    >`
      select
        v.id, v.as_of as "asOf", l.name as location, v.journal, j.number as "journalNumber", v.reversal,
        r.number as "reversalNumber", u.name as by,
        exists (
          select from cancellations c where c.organisation = v.organisation and c.document = v.journal
        ) as cancelled,
        (
          select coalesce(sum(x.difference), 0)
          from exchange_revaluation_lines x
          where x.organisation = v.organisation and x.revaluation = v.id
        ) + (
          select coalesce(sum(x.difference), 0)
          from exchange_revaluation_money x
          where x.organisation = v.organisation and x.revaluation = v.id
        ) as difference
      from exchange_revaluations v
      join documents j on j.organisation = v.organisation and j.id = v.journal
      left join documents r on r.organisation = v.organisation and r.id = v.reversal
      join locations l on l.organisation = v.organisation and l.id = v.location
      join users u on u.organisation = v.organisation and u.id = v.by
      where v.organisation = ${organisation}
        and ${locations.length > 0 ? sql`v.location = any(${[...locations]}::uuid[])` : sql`true`}
      order by v.as_of desc, v.at desc
      limit 200
    `.execute(trx);
    const stale = await staleDays(trx, context);
    return rows.map((row) => ({
      ...row,
      difference: moneyText(Number(row.difference)),
      stale: !row.cancelled && stale.has(row.asOf),
    }));
  });

/**
 * Cancels what takes back first: as long as it is posted, so is its journal. With `today`, what was posted on a locked
 * day is reversed today.
 */
export async function takeBackRevaluation(
  poster: Poster,
  { id, reason, today }: Input<Calls['TakeBackRevaluation']>,
  context: Context,
): Promise<Answer<Calls['TakeBackRevaluation']>> {
  const { rows } = await context.inTransaction((trx) =>
    sql<{ document: Id; cancelled: boolean }>`
      select
        x.document,
        exists (
          select from cancellations c where c.organisation = v.organisation and c.document = x.document
        ) as cancelled
      from exchange_revaluations v
      cross join lateral (values (1, v.reversal), (2, v.journal)) x(place, document)
      where x.document is not null and v.organisation = ${context.organisation} and v.id = ${id}::uuid
      order by x.place
    `.execute(trx),
  );
  if (rows.length === 0) throw new Refusal('notFound');
  const left = rows.flatMap(({ document, cancelled }, place) =>
    cancelled ? [] : [{ document, key: keyAt(context.key, place) }],
  );
  // one of the two alone is never taken back: both days are asked before the first
  for (const [at, { document, key }] of left.entries())
    await checkedAhead(context, key, () =>
      prepareCancelTogether(context, document, reason, {
        restatement: true,
        today,
        after: left.slice(0, at).map((one) => one.document),
      }),
    );
  let cancelled = 0;
  for (const { document, key } of left) {
    await postedOnce(context, key, async () =>
      poster.post({
        ...(await prepareCancelTogether(context, document, reason, { restatement: true, today })),
        key,
        digest: context.digest,
      }),
    );
    cancelled += 1;
  }
  return { cancelled };
}
