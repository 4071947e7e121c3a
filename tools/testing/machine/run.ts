import { calls } from '../../../contract/calls.ts';
import type { Operation } from '../../../contract/contract.ts';
import { Refusal } from '../../../contract/errors.ts';
import { type Level, screens } from '../../../contract/screens.ts';
import { sentenceOf } from '../../../contract/wording.ts';
import { money } from '../../../domain/base/decimal.ts';
import { paise } from '../../../domain/base/money.ts';
import type { Id } from '../../../domain/document/document.ts';
import type { Grants } from '../../../server/access/index.ts';
import { accountHandlers } from '../../../server/accounts/index.ts';
import { closingHandlers } from '../../../server/closing/index.ts';
import type { Context } from '../../../server/context.ts';
import { countHandlers } from '../../../server/counting/index.ts';
import { documentHandlers, withoutCache } from '../../../server/documents/index.ts';
import type { PostingCache } from '../../../server/documents/posting/cache.ts';
import { einvoiceHandlers } from '../../../server/einvoice/index.ts';
import type { Books } from '../../../server/kit/database/sql.ts';
import { newId } from '../../../server/kit/ids.ts';
import { Problems } from '../../../server/kit/problems.ts';
import { masterHandlers, namedHandlers } from '../../../server/masters/index.ts';
import { reportHandlers } from '../../../server/reports/index.ts';
import { taxHandlers } from '../../../server/withheld/index.ts';
import { digestOf, type TestBooks, TODAY, testBooks } from '../books.ts';
import type { TestDatabase } from '../database.ts';
import { permitted } from '../permitted.ts';
import { onHand, type Place, type SmallBooks, smallBooks } from './books.ts';
import { entriesOf, openTraders, SERVICE } from './categories.ts';
import { reported } from './irns.ts';
import { type MachinePortal, signUp } from './portal.ts';
import { ALL_ITEMS, type Answered, KEPT, type Numbers, type Step, type World } from './step.ts';
import { planned, type StepName } from './steps.ts';
import { payable } from './withheld.ts';
import { YEAR_ENDS } from './years.ts';

/** One operation as it is kept: whose books, what, and the numbers that choose among what there is. */
export type Operated = readonly [whose: 0 | 1, name: StepName, numbers: Numbers];

/** How the organisations keep their stock. */
export interface Settings extends Readonly<Record<string, unknown>> {
  readonly valuation?: 'average' | 'fifo';
  readonly stockAccounting?: 'perpetual' | 'periodic';
  readonly isAllowNegative?: boolean;
}

interface Side {
  readonly small: SmallBooks;
  readonly world: World;
  readonly real: TestBooks;
  readonly transit: Id;
  /** Sees everything, to compare with. */
  readonly owner: TestDatabase['owner'];
  readonly handlers: Readonly<Record<string, (input: never, context: Context) => Promise<unknown>>>;
  readonly portal: MachinePortal | undefined;
}

/** Two organisations that know nothing of each other, in the real books and in the small ones. */
export interface Machine {
  /** Whether there was anything to do: an operation that finds nothing to choose from does nothing. */
  step(operated: Operated): Promise<boolean>;
  /** Compares all that the small books know with the real ones. */
  compare(): Promise<void>;
  readonly organisations: readonly number[];
  end(): Promise<void>;
}

async function open(
  db: TestDatabase,
  name: SmallBooks['name'],
  settings: Settings,
  books?: Books,
  portal?: MachinePortal,
  cache?: PostingCache,
): Promise<Side> {
  const real = await testBooks(db, { ...keeping, ...settings }, ALL_ITEMS, books, cache);
  if (portal) await signUp(portal, db, real);
  const { organisation, location } = real;
  const [abroad, early, front, back] = [newId(), newId(), newId(), newId()];
  await db.owner.query(
    `
      insert into parties (organisation, id, code, name, side, category, state, country, currency, search)
      values
        ($1, $2, 'X1', 'Abroad', 'customer', 'overseas', '96', 'US', 'USD', 'abroad'),
        ($1, $3, 'E1', 'Early', 'customer', 'registered', '29', 'IN', 'INR', 'early')
    `,
    [organisation, abroad, early],
  );
  await db.owner.query(
    `
      insert into masters (organisation, id, master, code, name, body)
      values ($1, $2, 'warehouse', 'F', 'Front', $4), ($1, $3, 'warehouse', 'B', 'Back', $4)
    `,
    [organisation, front, back, { location }],
  );
  for (const [item, flag] of [
    [KEPT.batch, 'batched'],
    [KEPT.serial, 'serialised'],
  ] as const)
    await db.owner.query('update items set body = body || $2 where id = $1', [real.items[item], { [flag]: true }]);
  await db.owner.query('update items set service = true, stocked = false, hsn = $2 where id = $1', [
    real.items[SERVICE.item],
    SERVICE.hsn,
  ]);
  const traders = await openTraders(db.owner, organisation);
  const centre = newId();
  const retired = { party: newId(), item: newId(), ledger: newId(), place: newId(), centre: newId() };
  for (const [values, text] of [
    [
      [centre, retired.centre],
      `
        insert into cost_centres (organisation, id, code, name, active)
        values ($1, $2, 'N', 'North', true), ($1, $3, 'R', 'Retired', false)
      `,
    ],
    [
      [retired.party],
      `insert into parties (organisation, id, code, name, side, category, state, country, currency, search, active)
       values ($1, $2, 'R1', 'Retired', 'both', 'registered', '29', 'IN', 'INR', 'retired', false)`,
    ],
    [
      [retired.item, real.items[0]],
      `
        insert into items (
          organisation, id, sku, name, service, stocked, hsn, unit, treatment, gst_rate, search, active
        )
        select
          organisation, $2, 'RETIRED', 'Retired', service, stocked, hsn, unit, treatment, gst_rate, 'retired',
          false
        from items
        where organisation = $1 and id = $3
      `,
    ],
    [
      [retired.ledger],
      `insert into ledgers (organisation, id, code, name, "group", nature, active)
       select organisation, $2, 'R999', 'Retired', "group", nature, false from ledgers where organisation = $1 and code = '1110'`,
    ],
    [
      [retired.place, location],
      `insert into locations (organisation, id, code, name, registration, active)
       select organisation, $2, 'RET', 'Retired', registration, false from locations where organisation = $1 and id = $3`,
    ],
  ] as const)
    await db.owner.query(text, [organisation, ...values]);
  const documents = documentHandlers(real.poster);
  const accounts = accountHandlers({
    masters: masterHandlers,
    reports: reportHandlers,
    post: documents.PostTransactionCalls,
    banks: namedHandlers.GetBankDetails,
  });
  const transit = await db.owner.query<{ id: Id }>('select id from locations where organisation = $1 and is_transit', [
    real.organisation,
  ]);
  const small = smallBooks(name, settings.isAllowNegative === true);
  return {
    small,
    portal,
    real,
    owner: db.owner,
    transit: transit.rows[0]?.id ?? '',
    world: {
      registration: real.registration,
      places: { shop: real.location, store: real.other },
      customer: real.customer,
      supplier: real.supplier,
      ...{ abroad, early, traders, rooms: { front, back }, centre, retired },
      items: real.items,
      ledgers: {
        bank: await real.ledger('1121'),
        cash: await real.ledger('1110'),
        power: await real.ledger('6420'),
        sales: await real.ledger('4110'),
        output: await real.ledger('2213'),
        input: await real.ledger('1413'),
      },
      today: TODAY,
      ...(portal && { portal: { next: undefined } }),
    },
    handlers: {
      ...{ ...documents, ...accounts },
      ...countHandlers(real.poster),
      ...closingHandlers,
      SaveMaster: masterHandlers.SaveMaster,
      ...taxHandlers(real.poster, false),
      CloseYear: closing(small),
      ...(portal && atPortal(portal)),
    },
  };
}

/** What is put in line is sent at once, as the job would. */
const atPortal = (portal: MachinePortal) => {
  const handlers = einvoiceHandlers(portal.desk);
  return {
    CancelIRNNumber: handlers.CancelIRNNumber,
    GenerateIRNNumber: async (asked: Parameters<typeof handlers.GenerateIRNNumber>[0], context: Context) => {
      // what posting put in line waits until it is asked for by hand
      await portal.forget(context.organisation);
      const answer = await handlers.GenerateIRNNumber(asked, context);
      await portal.send(context.organisation);
      return answer;
    },
  };
};

/** Closes as a person does: by the profit that was shown, or by another one when the step says by how much. */
const closing =
  ({ year }: SmallBooks) =>
  async (asked: Parameters<typeof closingHandlers.CloseYear>[0], context: Context): Promise<unknown> => {
    const { profit } = await closingHandlers.PreviewYearEnd({ year: asked.year, shares: [] }, context);
    year.shown = money(profit);
    return closingHandlers.CloseYear({ ...asked, profit: paise(year.shown + asked.profit) }, context);
  };

/** Goods are kept in every way. */
const keeping = { enableBatch: true, enableSerialization: true, isWarehouse: true } as const;

/** The same level on every screen. */
const grantsOf = (level: Level): Grants => new Map(Object.values(screens).map(({ parent }) => [parent, level]));

/** Asks a call as the server does behind its door: the shape of the input, the rule, the handler, the shape of the answer. */
async function ask({ handlers, real, world, portal }: Side, step: Step, key: string): Promise<Answered> {
  const { call: name, input: asked } = step;
  const operation: Operation = calls[name];
  const parsed = operation.input.safeParse(asked);
  if (!parsed.success)
    throw new Problems(parsed.error.issues.map(({ message }) => ({ field: '', ...sentenceOf(message, '') })));
  const grants = grantsOf(step.level ?? 5003);
  const given = real.context({
    grants,
    today: world.today,
    ...(operation.idempotent && { key, digest: digestOf(`${name}\n${JSON.stringify(asked)}`) }),
  });
  const context = await permitted(name, parsed.data, given);
  const next = world.portal?.next;
  if (world.portal) world.portal.next = undefined;
  if (next) await portal?.misbehave(...next);
  const details = await handlers[name]?.(parsed.data as never, context);
  return operation.details.parse(details) as Answered;
}

const codeOf = (error: unknown): string => {
  if (error instanceof Refusal) return error.code;
  if (error instanceof Problems) return 'problems';
  throw error;
};

/** The tax of documents, and what of it their own entries book. */
const SUPPLIED = `
  select
    d.id, d.place_of_supply as place, d.supply_type as type, d.reverse_charge as reverse,
    array[d.cgst, d.sgst, d.igst, d.payable]::text[] as amounts,
    (
      select coalesce(json_object_agg(t.code, t.amount::text), '{}')
      from (
        select l.code, sum(e.debit - e.credit) as amount
        from entries e
        join ledgers l on l.organisation = e.organisation and l.id = e.ledger
        where e.organisation = d.organisation
          and e.document = d.id
          and l.code = any('{2211,2212,2213,1411,1412,1413,2221,2222,2223,1442}')
        group by l.code
      ) t
    ) as entries
  from documents d
  where d.organisation = $1 and d.id = any($2)
`;
interface SuppliedRow {
  readonly id: Id;
  readonly place: string | null;
  readonly type: string;
  readonly reverse: boolean;
  readonly amounts: readonly string[];
  readonly entries: Readonly<Record<string, string>>;
}
/** Everything that the small books know of, in the real ones, in one question. */
const STANDING = `
  select
    (
      select coalesce(json_agg(json_build_array(i.document, i.open::text)), '[]')
      from open_items i
      where i.organisation = $1 and ($2::uuid[] is null or i.document = any($2))
    ) as open,
    (
      select coalesce(json_agg(json_build_array(b.item, b.location, b.quantity::text, b.value::text)), '[]')
      from item_balances b
      where b.organisation = $1 and ($3::uuid[] is null or b.item = any($3))
    ) as "stockBalances",
    (
      select count(*)::int
      from documents d
      where d.organisation = $1 and d.kind <> all('{costRevision,reversal,yearEnd}')
    ) as documents,
    (
      select count(*)::int
      from cancellations c
      where c.organisation = $1
        and not exists (
          select from year_closings y where y.organisation = c.organisation and y.document = c.document
        )
    ) as cancelled
`;
const EXCHANGE = `
  select coalesce(sum(e.credit - e.debit), 0)::text as n
  from entries e
  join ledgers l on l.organisation = e.organisation and l.id = e.ledger
  where e.organisation = $1
    and l.code in ('4230', '6510')
    and not exists (
      select from year_closings y where y.organisation = e.organisation and e.document in (y.document, y.reversal)
    )
`;
/** What ledgers of tax withheld owe the government. */
const OWED = `
  select
    coalesce(sum(t.credit - t.debit) filter (where l.role = 'tds_payable'), 0)::text as tds,
    coalesce(sum(t.credit - t.debit) filter (where l.role = 'tcs_payable'), 0)::text as tcs
  from ledger_month_totals t
  join ledgers l on l.organisation = t.organisation and l.id = t.ledger
  where t.organisation = $1
`;
/** What ledgers of income and expense hold of the year, and what of its profit is carried forward. */
const CARRIED = `
  select
    coalesce(sum(t.debit - t.credit) filter (where l.nature in ('income', 'expense')), 0)::text as earned,
    coalesce(sum(t.credit - t.debit) filter (where l.code = '3230'), 0)::text as kept
  from ledger_month_totals t
  join ledgers l on l.organisation = t.organisation and l.id = t.ledger
  where t.organisation = $1 and t.month <= $2::date
`;
interface Standing {
  open: [Id, string][];
  stockBalances: [Id, Id, string, string][];
  documents: number;
  cancelled: number;
}

/** Compares the stock balances and open items named, or all, and how many documents there are; answers what differs. */
async function differences(side: Side, only?: { readonly documents: Id[]; readonly items: Id[] }): Promise<string[]> {
  const { small, real, world, transit, owner } = side;
  const { rows } = await owner.query<Standing>({
    name: 'machine',
    text: STANDING,
    values: [real.organisation, only?.documents ?? null, only?.items ?? null],
  });
  const [now] = rows;
  if (!now) return ['nothing is there'];
  const wrong: string[] = [];
  const says = (what: string, is: unknown, should: unknown) => {
    if (is !== should) wrong.push(`${what} is ${is}, not ${should}`);
  };
  const known = new Map(small.docs.map((d) => [d.id, d]));
  for (const [id, amount] of now.open)
    says(`what is open of ${known.get(id)?.kind} ${id}`, Number(amount), known.get(id)?.open);
  if (!only) says('the open items', now.open.length, small.docs.filter((d) => d.side && d.total > 0).length);
  const places = new Map<Id, Place>([
    [world.places.shop, 'shop'],
    [world.places.store, 'store'],
    [transit, 'transit'],
  ]);
  for (const [item, location, quantity, value] of now.stockBalances) {
    const place = places.get(location) ?? 'shop';
    const held = onHand(small, world.items.indexOf(item), place);
    says(`item ${world.items.indexOf(item)} at ${place}`, Number(quantity), held * 1_000_000);
    if (held === 0 && !small.negative) says(`the value of nothing at ${place}`, Number(value), 0);
    if (Number(value) < 0 && held >= 0 && !small.negative) wrong.push(`goods at ${place} are worth ${value}`);
  }
  if (side.portal && !only) wrong.push(...(await irnsMissed(side)));
  const { closed, ever } = small.year;
  if (ever) {
    const {
      rows: [carried],
    } = await owner.query<{ earned: string; kept: string }>({
      name: 'carried',
      text: CARRIED,
      values: [real.organisation, YEAR_ENDS],
    });
    says('what is carried forward of the year', Number(carried?.kept), closed?.profit ?? 0);
    if (closed) says('what its ledgers hold', Number(carried?.earned), 0);
  }
  if (!only) {
    const gained = await owner.query<{ n: string }>(EXCHANGE, [real.organisation]);
    says('what exchange has gained', Number(gained.rows[0]?.n), small.exchange);
    wrong.push(...(await taxMissed(side)));
  }
  wrong.push(...(await supplyMissed(side, only?.documents)));
  says('the documents', now.documents, small.docs.length);
  says('those cancelled', now.cancelled, small.docs.filter((d) => d.cancelled).length);
  return wrong;
}

/** Place, tax and entries of the documents of which the law of each category foretells them. */
async function supplyMissed({ small, real, owner }: Side, only?: readonly Id[]): Promise<string[]> {
  const foretold = new Map(
    small.docs.flatMap((d) => (d.supplied && (!only || only.includes(d.id)) ? [[d.id, d]] : [])),
  );
  if (foretold.size === 0) return [];
  const { rows } = await owner.query<SuppliedRow>({
    name: 'supplied',
    text: SUPPLIED,
    values: [real.organisation, [...foretold.keys()]],
  });
  return rows.flatMap(({ id, place, type, reverse, amounts, entries }) => {
    const { kind, supplied, owed } = foretold.get(id) ?? {};
    if (!supplied) return [];
    const { cgst, sgst, igst } = supplied;
    const asLine = (parts: readonly unknown[], booked: Iterable<readonly [string, unknown]>): string =>
      [...parts, ...[...booked].map(([code, amount]) => `${code}: ${amount}`).sort()].join(' ');
    const is = asLine([place, type, reverse, ...amounts], Object.entries(entries));
    const should = asLine(
      [supplied.place, supplied.type, supplied.reverse, cgst, sgst, igst, owed],
      entriesOf(supplied),
    );
    return is === should ? [] : [`the tax of ${kind} ${id}: ${is}, not ${should}`];
  });
}

/** What is due of tax withheld, as the books tell it by section and month, and as its ledgers hold it. */
async function taxMissed(side: Side): Promise<string[]> {
  const { small, real, world, owner } = side;
  const { rows } = await owner.query<{ tds: string; tcs: string }>(OWED, [real.organisation]);
  const wrong: string[] = [];
  for (const [at, tax] of (['tds', 'tcs'] as const).entries()) {
    const held = Number(rows[0]?.[tax]);
    if (held !== payable(small, tax)) wrong.push(`the ledgers of ${tax} hold ${held}, not ${payable(small, tax)}`);
    const step = planned.readTax(small, world, [at, 0, 0, 0]);
    const asLine = step?.apply(await ask(side, step, ''), '');
    if (asLine !== undefined) wrong.push(asLine);
  }
  return wrong;
}

/** Exactly one IRN for each document that the portal has, and none that lives after it was cancelled. */
async function irnsMissed({ small, real, owner }: Side): Promise<string[]> {
  const { rows } = await owner.query<{ id: Id; kind: string; state: string; live: number; dead: number }>(
    `
      select
        d.id, d.kind, e.state, count(i.irn) filter (where i.cancelled_at is null)::int as live,
        count(i.irn) filter (where i.cancelled_at is not null)::int as dead
      from documents d
      join registrations r on r.organisation = d.organisation and r.id = d.registration
      join einvoices e on e.organisation = d.organisation and e.document = d.id
      left join sandbox.invoices i on i.gstin = r.gstin and i.number = upper(d.number)
      where d.organisation = $1 and d.kind = any($2)
      group by d.id, d.kind, e.state
    `,
    [real.organisation, reported],
  );
  const known = new Map(small.docs.map((d) => [d.id, d]));
  return rows.flatMap(({ id, kind, state, live, dead }) => {
    const { irn, atPortal: has } = known.get(id) ?? { irn: 'none', atPortal: false };
    const should = [irn, irn === 'cancelled' ? 0 : Number(has), irn === 'cancelled' ? 1 : 0].join(' ');
    const is = [state, live, dead].join(' ');
    return is === should ? [] : [`the IRNs of ${kind} ${id}: ${is}, not ${should}`];
  });
}

/** What a step touched: its documents by id and its items. */
const touchedBy = ({ small, world }: Side, before: number): { documents: Id[]; items: Id[] } => {
  const docs = small.docs.slice(Math.max(0, before - 2));
  return { documents: docs.map((d) => d.id), items: [...world.items] };
};

/** Answers what it was refused for, if it was. */
async function operate(side: Side, step: Step): Promise<string | undefined> {
  const before = side.small.docs.length;
  const key = step.key ?? newId();
  let answer: Answered | string;
  try {
    answer = await ask(side, step, key);
  } catch (error) {
    answer = codeOf(error);
  }
  const asked = `${step.call} ${JSON.stringify(step.input)}`;
  if (typeof answer === 'string') {
    if (!step.refused.includes(answer))
      throw new Error(`${asked}: refused as ${answer}, expected ${step.refused.join(' or ') || 'success'}`);
  } else {
    if (step.refused.length > 0) throw new Error(`${asked}: done, expected ${step.refused.join(' or ')}`);
    const wrong = step.apply(answer, key);
    if (wrong) throw new Error(`${asked}: ${wrong}`);
  }
  const wrong = await differences(side, touchedBy(side, before));
  if (wrong.length > 0) throw new Error(`after ${asked}: ${wrong.join('; ')}`);
  return typeof answer === 'string' ? answer : undefined;
}

/**
 * Opens both, on `books` if given; `seen` counts how each operation went. Each operation is foreseen from the small
 * books, asked of the real ones, and compared.
 */
export async function machine(
  db: TestDatabase,
  {
    settings = {},
    seen = new Map(),
    books,
    portal,
  }: {
    readonly settings?: Settings;
    readonly seen?: Map<string, number>;
    readonly books?: Books;
    readonly portal?: MachinePortal;
  } = {},
): Promise<Machine> {
  const sides = [
    await open(db, 'ours', settings, books, portal),
    // every run goes both ways: one organisation posts with the cache, the other without
    await open(db, 'theirs', settings, books, portal, withoutCache),
  ] as const;
  sides[0].small.other = sides[1].small;
  sides[1].small.other = sides[0].small;
  return {
    organisations: sides.map(({ real }) => real.organisation),
    step: async ([whose, name, numbers]) => {
      const side = sides[whose];
      const step = planned[name](side.small, side.world, numbers);
      if (step) {
        const how = `${name} ${(await operate(side, step)) ?? 'done'}`;
        seen.set(how, (seen.get(how) ?? 0) + 1);
      }
      return step !== undefined;
    },
    compare: async () => {
      for (const side of sides) {
        const wrong = await differences(side);
        if (wrong.length > 0) throw new Error(`in the end: ${wrong.join('; ')}`);
      }
    },
    end: async () => {
      for (const { real } of sides) await real.end();
    },
  };
}
