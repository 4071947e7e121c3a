import { sql } from 'kysely';
import type { Answer, Input } from '../../../contract/contract.ts';
import type { documents } from '../../../contract/documents.ts';
import { money, moneyText, percentText, quantityText, rateText } from '../../../domain/base/decimal.ts';
import type { Id } from '../../../domain/document/document.ts';
import { type KindName, kindNames, kindOf, takesAdjustments } from '../../../domain/document/kinds/index.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import type { ItemFacts } from '../../../domain/document/resolve.ts';
import type { ItemPrices } from '../../../domain/items/item-price.ts';
import { isShort } from '../../../domain/stock/shelf-life.ts';
import { ratioText } from '../../../domain/stock/units.ts';
import { usesAdvance } from '../../../domain/tax/advances.ts';
import { deducteeOf } from '../../../domain/tax/withheld.ts';
import { isCostHidden, seesCost } from '../../access/index.ts';
import type { Context } from '../../context.ts';
import { lastInSeries } from '../posting/checks/booked.ts';
import { advancesOf } from '../posting/facts/draft-facts.ts';
import { itemFacts, partyFacts } from '../posting/facts/facts.ts';
import { priceListOf, pricesOf, pricesText } from '../posting/facts/price-lists.ts';
import { tdsBefore } from '../posting/facts/tds-before.ts';
import { kindAsked } from '../posting/kinds.ts';
import type { LoadedSource } from '../posting/load.ts';
import { withCovered } from '../posting/request/assessed.ts';
import { certificatesOf } from '../posting/request/certificates.ts';
import { snapshotNow } from '../posting/snapshot.ts';
import { sourcesFor } from '../posting/sources/source-lines.ts';
import { namedDocuments } from '../posting/sources/sources.ts';
import { isHere, mayRead, nameable, nameableRows } from '../read/may-read.ts';
import { advanceText, sourceDocumentText, sourceText } from '../read/wire.ts';

type Call = (typeof documents)['GetEditorFacts'];
type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
type Plain = Record<string, unknown>;

/**
 * Parties, items, ledgers and source lines of a draft with the facts shown at their fields: stock, last price, credit
 * limit, balance due. Decimals are text.
 */
export async function editorFacts(input: Input<Call>, context: Context): Promise<Answer<Call>> {
  const kind = input.kind === undefined ? undefined : kindOf(kindAsked(input.kind));
  return context.inTransaction(async (trx) => ({
    parties: await partiesOf(trx, context, input.parties, input.date, kind),
    items: await itemsOf(trx, context, input, kind),
    ledgers: await ledgersOf(trx, context, input.ledgers),
    costCentres: await costCentresOf(trx, context, input.costCentres ?? []),
    ...(input.kind !== undefined && (await termsOf(trx, context, kindAsked(input.kind)))),
    ...(kind && takesAdjustments(kind) && { named: await namedAdjustments(trx, context, kind) }),
    ...(kind && usesAdvance(kind) && { advances: await shownAdvances(trx, context, input.documents) }),
    ...(await seriesOf(trx, context, input)),
    documents: (await namedDocuments(trx, context, input.documents)).map(sourceDocumentText),
    sources: kind
      ? [
          ...(await withCovered(
            trx,
            context.organisation,
            kind,
            await withParts(trx, context, await sourcesOf(trx, context, input.documents, kind), kind),
          )),
        ]
      : [],
  }));
}

/** A number that is dated later than the draft: the draft is warned of it while it is typed. */
async function seriesOf(
  trx: Trx,
  context: Context,
  { kind: name, registration, location, date }: Input<Call>,
): Promise<Pick<Answer<Call>, 'lastInSeries'>> {
  if (name === undefined || registration === undefined || location === undefined) return {};
  const kind = kindAsked(name);
  if (!isHere(context, location) || !mayRead(context, kind)) return {};
  const snapshot = await snapshotNow(trx, context.organisation);
  const draft = { date, registration, location };
  const last = await lastInSeries(trx, context.organisation, kind, draft, {
    ...{ snapshot, today: context.today, mayName: nameable(context) },
  });
  return last ? { lastInSeries: last } : {};
}

/** The terms that are the default for a kind. */
async function termsOf(trx: Trx, { organisation }: Context, kind: KindName): Promise<{ readonly terms?: string }> {
  if (!kindOf(kind).fields.includes('terms')) return {};
  const { rows } = await sql<{
    text: string | null;
  }>`
    select body ->> 'text' as text
    from masters
    where organisation = ${organisation}
      and master = 'terms'
      and active
      and body ->> 'kind' = ${kind}
      and body ->> 'isDefault' = 'true'
    order by lower(name)
    limit 1
  `.execute(trx);
  return rows[0]?.text ? { terms: rows[0].text } : {};
}

interface Named {
  readonly code: string;
  readonly name: string;
  readonly sort: 'charge' | 'add' | 'less';
  readonly ledger: Id;
  readonly ledger_name: string;
  readonly amount: string | null;
  readonly rate: string | null;
  readonly hsn: string | null;
}

/** The charges and adjustments that the organisation has named for this side; those after tax only while they are switched on. */
async function namedAdjustments(
  trx: Trx,
  { organisation, settings }: Context,
  kind: Kind,
): Promise<NonNullable<Answer<Call>['named']>> {
  const { rows } = await sql<Named>`
    select
      m.code, m.name, m.body ->> 'sort' as sort, l.id as ledger, l.name as ledger_name,
      m.body ->> 'amount' as amount, m.body ->> 'gstRate' as rate, m.body ->> 'hsn' as hsn
    from masters m
    join ledgers l
      on l.organisation = m.organisation and l.id::text = m.body ->> 'ledger' and l.active and not l.is_group
    where m.organisation = ${organisation}
      and m.master = 'adjustment'
      and m.active
      and m.body ->> 'usedOn' in ('both', ${kind.gst.tax === 'output' ? 'sale' : 'purchase'})
      and (${settings.otherAdjustments} or m.body ->> 'sort' = 'charge')
    order by lower(m.name), m.code
    limit 200
  `.execute(trx);
  return rows.map(({ code, name, sort, ledger, ledger_name, amount, rate, hsn }) => ({
    code,
    name,
    sort,
    ledger,
    ledgerName: ledger_name,
    amount: amount === null ? '' : moneyText(money(amount)),
    gstRate: rate ?? '',
    hsn: hsn ?? '',
  }));
}

/** Ledgers, each with what it is kept in step with: nobody posts to those by hand. */
async function ledgersOf(trx: Trx, context: Context, ids: readonly Id[]): Promise<Plain[]> {
  if (ids.length === 0) return [];
  const { controlled, kept, currencies, money, usualTax } = await snapshotNow(trx, context.organisation);
  const { rows } = await sql<{
    id: Id;
    code: string;
    name: string;
    nature: string;
    retired: boolean;
  }>`
    select id, code, name, nature, not active as retired
    from ledgers
    where organisation = ${context.organisation} and id = any(${ids}::uuid[])
  `.execute(trx);
  return rows.map((row) => ({
    ...row,
    control: controlled.get(row.id) ?? null,
    keeps: kept.get(row.id) ?? null,
    currency: currencies.get(row.id) ?? null,
    money: money.has(row.id),
    ...usualTax.get(row.id),
  }));
}

/** Cost centres that the draft names. */
async function costCentresOf(
  trx: Trx,
  { organisation }: Context,
  ids: readonly Id[],
): Promise<Answer<Call>['costCentres']> {
  if (ids.length === 0) return [];
  const { rows } = await sql<
    Answer<Call>['costCentres'][number]
  >`select id, code, name, active from cost_centres where organisation = ${organisation} and id = any(${ids}::uuid[])`.execute(
    trx,
  );
  return rows;
}

/** What a party was paid or credited under each section before, for the thresholds of the sections. */
async function deductedOf(
  trx: Trx,
  { organisation }: Context,
  party: Id,
  date: string,
  kind: Kind | undefined,
): Promise<Plain[]> {
  if (!kind?.fields.includes('tdsSection')) return [];
  const { standings } = await tdsBefore(trx, organisation, party, date);
  return standings.map(({ section, ...amounts }) => ({
    section,
    ...Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, moneyText(Number(amount))])),
  }));
}
/** Certificates by which less is deducted from a party, with what is left of each. */
const certificatesText = async (
  trx: Trx,
  { organisation }: Context,
  party: Id,
  kind: Kind | undefined,
): Promise<Plain[]> =>
  kind?.fields.includes('tdsSection')
    ? (await certificatesOf(trx, organisation, party)).map((c) => ({
        ...c,
        rate: percentText(c.rate),
        left: moneyText(c.left),
      }))
    : [];

/** The balance of a party on the side of the document: a customer's invoices less their credits, or what we owe a supplier. */
async function partiesOf(
  trx: Trx,
  context: Context,
  ids: readonly Id[],
  date: string,
  kind: Kind | undefined,
): Promise<Plain[]> {
  const [owes, owed] =
    kind?.party.side === 'supplier' ? ['payable', 'supplierCredit'] : ['receivable', 'customerCredit'];
  const found: Plain[] = [];
  for (const id of new Set(ids)) {
    const facts = await partyFacts(trx, context.organisation, id);
    if (!facts) continue;
    const { rows } = await sql<{
      code: string;
      limit: string | null;
      owed: string;
      overdue: string;
      currency: string;
      pan: string | null;
      body: { addresses?: unknown };
    }>`
      select p.code, p.credit_limit as
      limit, p.currency, p.pan, p.body,
      coalesce(
        (
          select sum(
            case o.side when ${owes} then open_worth(o.organisation, o) else -open_worth(o.organisation, o) end
          )
          from open_items o
          where o.organisation = p.organisation and o.party = p.id and o.side in (${owes}, ${owed}) and o.open > 0
        ),
        0
      ) as owed,
      coalesce(
        (
          select sum(open_worth(o.organisation, o))
          from open_items o
          where o.organisation = p.organisation
            and o.party = p.id
            and o.side = ${owes}
            and o.open > 0
            and o.due_date < ${context.today}::date
        ),
        0
      ) as overdue
      from parties p
      where p.organisation = ${context.organisation} and p.id = ${id}
    `.execute(trx);
    const [more] = rows;
    found.push({
      ...facts,
      code: more?.code ?? '',
      currency: more?.currency ?? 'INR',
      creditLimit: more?.limit == null ? null : moneyText(Number(more.limit)),
      owed: moneyText(Number(more?.owed ?? 0)),
      overdue: moneyText(Number(more?.overdue ?? 0)),
      addresses: more?.body.addresses ?? [],
      deductee: deducteeOf(more?.pan ?? null),
      deducted: await deductedOf(trx, context, id, date, kind),
      certificates: await certificatesText(trx, context, id, kind),
      priceList: kind ? await priceListOf(trx, context.organisation, kind, id) : null,
    });
  }
  return found;
}

async function itemsOf(
  trx: Trx,
  context: Context,
  { items: ids, location, party, date, kind: name = '' }: Input<Call>,
  kind: Kind | undefined,
): Promise<Plain[]> {
  const items = await itemFacts(trx, context.organisation, ids);
  const places = location ? [location] : context.locations;
  const stock = await sql<{ item: Id; quantity: string; value: string }>`
    select item, sum(quantity) as quantity, sum(value) as value
    from item_balances
    where organisation = ${context.organisation}
      and item = any(${ids}::uuid[])
      and ${places.length > 0 ? sql`location = any(${places.filter((l) => isHere(context, l))}::uuid[])` : sql`true`}
    group by item
  `.execute(trx);
  const revaluing = new Set(
    (
      await sql<{
        item: Id;
      }>`select distinct item from revaluations where organisation = ${context.organisation} and item = any(${ids}::uuid[])`.execute(
        trx,
      )
    ).rows.map((r) => r.item),
  );
  const onHand = new Map(stock.rows.map((r) => [r.item, quantityText(Number(r.quantity))]));
  // only those who may view the documents that show the cost of goods get it
  const seesWorth = kind?.stock.valued && !isCostHidden(context) && mayRead(context, kindAsked(name));
  // what is not sold is entered at what it is bought for
  const buys =
    kind !== undefined && kind.party.side !== 'customer' && !isCostHidden(context) && mayRead(context, kindAsked(name));
  // what suppliers ask for and have asked for is shown to who sees what is bought
  const agreed = kind?.party.side === 'supplier' && !buys ? undefined : kind;
  const seesRate = buys || seesCost(context);
  const worth = new Map(seesWorth ? stock.rows.map((r) => [r.item, moneyText(Number(r.value))]) : []);
  const prices = agreed
    ? await pricesOf(trx, context.organisation, agreed, { party, location, items: ids })
    : new Map<Id, readonly ItemPrices[]>();
  const listPricesOf = (id: Id) => {
    const own = prices.get(id);
    return own ? { lists: own.map(pricesText), party: party ?? '', location: location ?? '' } : null;
  };
  const last = agreed && party ? await lastPrices(trx, context, agreed, party, ids) : new Map<Id, readonly Last[]>();
  const [batches, serials, rooms] = await Promise.all([
    batchesOf(trx, context, items, places),
    serialsOf(trx, context, items, places),
    roomsOf(trx, context, ids, places),
  ]);
  const { settings } = context;
  const { units } = await snapshotNow(trx, context.organisation);
  const measures = (i: ItemFacts) =>
    Object.fromEntries(
      Object.keys(i.units).flatMap((unit) => {
        const known = units.get(unit.toUpperCase());
        return known ? [[unit, known]] : [];
      }),
    );
  return [...items.values()].map((i) => ({
    ...itemText(i),
    ...(!seesRate && { purchaseRate: null }),
    measures: measures(i),
    batches: (batches.get(i.id) ?? []).map((b) => ({
      ...b,
      ...standing(b.expiry, date, settings.enableShelfLife ? i.shelfLife : null),
    })),
    serials: serials.get(i.id) ?? [],
    rooms: rooms.get(i.id) ?? [],
    onHand: onHand.get(i.id) ?? '0',
    ...(worth.has(i.id) && { worth: worth.get(i.id) }),
    revaluing: revaluing.has(i.id),
    lastRate: last.get(i.id)?.[0]?.rate ?? null,
    lastDate: last.get(i.id)?.[0]?.date ?? null,
    lastPrices: last.get(i.id) ?? [],
    prices: listPricesOf(i.id),
  }));
}

/** Whether a batch has expired on a day, or has less left than its buyer is to have. */
const standing = (expiry: unknown, date: string, life: ItemFacts['shelfLife']): Plain =>
  typeof expiry !== 'string'
    ? { expired: false }
    : { expired: expiry < date, ...(life && expiry >= date && isShort(expiry, date, life) && { short: true }) };

/** What is left of the batches of items that are kept in them, in the order in which they go out: what expires first. */
async function batchesOf(
  trx: Trx,
  { organisation }: Context,
  items: ReadonlyMap<Id, ItemFacts>,
  places: readonly Id[],
): Promise<Map<Id, Plain[]>> {
  const batched = [...items.values()].filter((i) => i.batched).map((i) => i.id);
  if (batched.length === 0) return new Map();
  const { rows } = await sql<{ item: Id; batch: string; expiry: string | null; quantity: string }>`
    select item, batch, min(expiry)::text as expiry, sum(quantity) as quantity
    from batches_held(${organisation}, ${batched}::uuid[], ${[...places]}::uuid[])
    group by item, batch
    order by min(expiry) nulls last, batch
  `.execute(trx);
  return gathered(rows, ({ batch, expiry, quantity }) => ({ batch, expiry, quantity: quantityText(Number(quantity)) }));
}

/** Serial numbers of the items that have them, in stock at these places. */
async function serialsOf(
  trx: Trx,
  { organisation }: Context,
  items: ReadonlyMap<Id, ItemFacts>,
  places: readonly Id[],
): Promise<Map<Id, string[]>> {
  const numbered = [...items.values()].filter((i) => i.serialised).map((i) => i.id);
  if (numbered.length === 0) return new Map();
  const { rows } = await sql<{ item: Id; serials: string[] }>`
    select item, (array_agg(serial order by serial))[1:${MOST_SERIALS}::int] as serials
    from serials_held(${organisation}, ${numbered}::uuid[], ${[...places]}::uuid[])
    group by item
  `.execute(trx);
  return new Map(rows.map((r) => [r.item, r.serials]));
}
/** More than anybody looks through: who has more of one item scans them. */
const MOST_SERIALS = 500;

/** The stock rooms in which items are, at these places, with how much. Nothing is asked where rooms are not used. */
async function roomsOf(
  trx: Trx,
  { organisation, settings }: Context,
  ids: readonly Id[],
  places: readonly Id[],
): Promise<Map<Id, Plain[]>> {
  if (!settings.isWarehouse || ids.length === 0) return new Map();
  const { rows } = await sql<{ item: Id; id: Id; name: string; quantity: string }>`
    select
      i.item, r.id, r.name,
      coalesce(
        (
          select sum(m.quantity)
          from movements m
          where m.organisation = r.organisation and m.room = r.id and m.item = i.item
        ),
        0
      ) as quantity
    from masters r
    cross join unnest(${[...ids]}::uuid[]) i(item)
    where r.organisation = ${organisation}
      and r.master = 'warehouse'
      and r.active
      and ${places.length > 0 ? sql`r.body ->> 'location' = any(${[...places]}::text[])` : sql`true`}
    order by lower(r.name)
  `.execute(trx);
  return gathered(rows, ({ id, name, quantity }) => ({ id, name, quantity: quantityText(Number(quantity)) }));
}

function gathered<T extends { readonly item: Id }>(rows: readonly T[], text: (row: T) => Plain): Map<Id, Plain[]> {
  const found = new Map<Id, Plain[]>();
  for (const row of rows) found.set(row.item, [...(found.get(row.item) ?? []), text(row)]);
  return found;
}

/** Source lines with the batches and serial numbers that left with them and did not come back yet: those are what can come back. */
async function withParts(trx: Trx, { organisation }: Context, sources: readonly Plain[], kind: Kind): Promise<Plain[]> {
  if (!kind.source.givesPrice || kind.stock.effect === 'out' || sources.length === 0) return [...sources];
  const documents = [...new Set(sources.map((s) => String(s.document)))];
  const { rows } = await sql<{
    document: Id;
    line: number;
    batch: string;
    expiry: string | null;
    quantity: string;
  }>`select document, line, batch, expiry::text as expiry, quantity from batches_out(${organisation}, ${documents}::uuid[])`.execute(
    trx,
  );
  const serials = await sql<{ document: Id; line: number; serials: string[] }>`
    select m.document, m.line, array_agg(s.serial order by s.serial) as serials
    from movements m
    cross join lateral unnest(m.serials) s(serial)
    where m.organisation = ${organisation}
      and m.document = any(${documents}::uuid[])
      and m.quantity < 0
      and not exists (
        select from document_lines l
        join movements b
          on b.organisation = l.organisation
            and b.document = l.document
            and b.line = l.line
            and b.quantity > 0
            and s.serial = any(b.serials)
        where l.organisation = m.organisation
          and l.source_document = m.document
          and l.source_line = m.line
          and not exists (
            select from cancellations c where c.organisation = l.organisation and c.document = l.document
          )
      )
    group by 1, 2
  `.execute(trx);
  const isAt = (s: Plain) => (r: { readonly document: Id; readonly line: number }) =>
    r.document === s.document && r.line === Number(s.line);
  return sources.map((s) => ({
    ...s,
    batches: rows
      .filter(isAt(s))
      .map((r) => ({ batch: r.batch, expiry: r.expiry, quantity: quantityText(Number(r.quantity)) })),
    serials: serials.rows.find(isAt(s))?.serials ?? [],
  }));
}

/** An item's facts as they go over the wire: decimals as text. */
export const itemText = (i: ItemFacts): Plain => ({
  ...i,
  units: Object.fromEntries(Object.entries(i.units).map(([unit, ratio]) => [unit, ratioText(ratio)])),
  gstRate: percentText(i.gstRate),
  cessRate: percentText(i.cessRate),
  cessPerUnit: moneyText(i.cessPerUnit),
  retailPrice: i.retailPrice === null ? null : moneyText(i.retailPrice),
  saleRate: i.saleRate === null ? null : rateText(i.saleRate),
  purchaseRate: i.purchaseRate === null ? null : rateText(i.purchaseRate),
});

interface Last {
  readonly rate: string;
  readonly date: string;
  readonly unit: string;
  readonly inclusive: boolean;
}

/** Kinds in which goods change hands for a price on the same side as this kind: sales to customers, or purchases. */
const trades = (kind: Kind): readonly string[] =>
  kindNames.filter((name) => {
    const { gst, stock, lines, party, life } = kindOf(name);
    return (
      gst.tax === kind.gst.tax &&
      lines.of === 'items' &&
      life.cycle === 'posted' &&
      party.side === kind.party.side &&
      stock.effect === (kind.gst.tax === 'input' ? 'in' : 'out')
    );
  });

/** Looks no further back than this many documents of the party: older ones are no guide to today's price. */
const RECENT = 300;

/** What each item last went for with the party, in rupees: for each unit, the latest first. */
async function lastPrices(
  trx: Trx,
  context: Context,
  kind: Kind,
  party: Id,
  items: readonly Id[],
): Promise<Map<Id, readonly Last[]>> {
  const kinds = trades(kind).filter((name) => mayRead(context, name));
  if (kind.gst.tax === 'none' || kinds.length === 0 || items.length === 0) return new Map();
  const { rows } = await sql<{ item: Id; rate: string; date: string; unit: string; inclusive: boolean }>`
    with recent as materialized (
      select d.id, d.date, coalesce((d.body #>> '{draft,taxInclusive}')::boolean, false) as inclusive
      from documents d
      where d.organisation = ${context.organisation}
        and d.party = any(party_family(${context.organisation}, ${party}::uuid))
        and d.kind = any(${kinds}::text[])
        and d.currency = 'INR'
        and ${context.locations.length > 0 ? sql`d.location = any(${[...context.locations]}::uuid[])` : sql`true`}
        and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
      order by d.date desc, d.id desc
      limit ${RECENT}
    )
    select item, rate, date, unit, inclusive
    from (
      select distinct on (l.item, l.unit) l.item, l.rate, r.date, r.id, l.line, l.unit, r.inclusive
      from recent r
      join document_lines l on l.organisation = ${context.organisation} and l.document = r.id
      where l.item = any(${items}::uuid[])
      order by l.item, l.unit, r.date desc, r.id desc, l.line desc
    ) latest
    order by item, date desc, id desc, line desc
  `.execute(trx);
  const found = new Map<Id, Last[]>();
  for (const { item, rate, ...last } of rows)
    found.set(item, [...(found.get(item) ?? []), { ...last, rate: rateText(Number(rate)) }]);
  return found;
}

/** Advances that a draft uses, as they were taxed. */
async function shownAdvances(trx: Trx, context: Context, ids: readonly Id[]): Promise<Plain[]> {
  const shown = await readableIds(trx, context, ids);
  return (await advancesOf(trx, context.organisation, shown)).map(advanceText);
}

/** Those of the documents that the user may name. */
async function readableIds(trx: Trx, context: Context, ids: readonly Id[]): Promise<Id[]> {
  const known = await sql<{
    id: Id;
  }>`
    select d.id
    from documents d
    where d.organisation = ${context.organisation} and d.id = any(${[...ids]}::uuid[]) and ${nameableRows(context)}
  `.execute(trx);
  return known.rows.map(({ id }) => id);
}

/** The lines of the documents that this draft's lines come from, with what is left of them for its kind. */
async function sourcesOf(trx: Trx, context: Context, ids: readonly Id[], kind: Kind): Promise<Plain[]> {
  if (ids.length === 0) return [];
  const shown = await readableIds(trx, context, ids);
  if (shown.length === 0) return [];
  const { rows } = await sql<{
    sources: LoadedSource[] | null;
  }>`select source_lines(${context.organisation}, ${shown}::uuid[]) as sources`.execute(trx);
  return [...sourcesFor(kind, { sources: rows[0]?.sources ?? [] }).values()].map(sourceText);
}
