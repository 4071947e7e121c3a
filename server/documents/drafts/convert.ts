import { sql } from 'kysely';
import type { Answer, Input } from '../../../contract/contract.ts';
import type { documents } from '../../../contract/documents.ts';
import { Refusal } from '../../../contract/errors.ts';
import { isDay } from '../../../domain/base/dates.ts';
import {
  millionths,
  moneyText,
  ONE,
  parseDecimal,
  percentText,
  quantityText,
  rateText,
} from '../../../domain/base/decimal.ts';
import { type Paise, paise, scale, sum } from '../../../domain/base/money.ts';
import { postsNothing } from '../../../domain/books/legs.ts';
import { givenEffect, givenOn } from '../../../domain/document/checks/added.ts';
import type { Discount, Draft, DraftLine, Id } from '../../../domain/document/document.ts';
import { heldOf } from '../../../domain/document/holds.ts';
import {
  isSupplierDocument,
  type Kind,
  type KindName,
  kindLabel,
  kindOf,
  takesAdjustments,
} from '../../../domain/document/kinds/index.ts';
import { sourceKey } from '../../../domain/document/resolve.ts';
import { asItsSource, leftToSource, rateLeft, takesValue } from '../../../domain/document/sources.ts';
import { firstExpiryFirstOut, type HeldBatch } from '../../../domain/stock/parts.ts';
import { type AdvanceFacts, usesAdvance, withAdvance } from '../../../domain/tax/advances.ts';
import type { Context } from '../../context.ts';
import { advancesOf } from '../posting/facts/draft-facts.ts';
import { kindAsked } from '../posting/kinds.ts';
import { entryGoods, withCovered } from '../posting/request/assessed.ts';
import { rateOn } from '../posting/request/exchange-rates.ts';
import { sourcesFor } from '../posting/sources/source-lines.ts';
import { namedDocuments } from '../posting/sources/sources.ts';
import { nameable } from '../read/may-read.ts';
import { advanceText, draftText, sourceDocumentText, sourceText } from '../read/wire.ts';
import { refuseHeld } from './on-hold.ts';
import { isReturnOrdered, leftLines, remainingToReturn, type Used, usedColumns } from './remaining.ts';

type Call = (typeof documents)['GetConversion'];
type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

interface Row extends Used {
  id: Id;
  author: Id;
  location: Id;
  body: { draft: Draft; value?: number };
  foreign_total: string;
  open: string | null;
  number: string;
  cancelled: boolean;
  irn_cancelled: boolean;
  survivors: Readonly<Record<Id, Id>>;
  standing: readonly Id[] /** Amounts of documents of the kind asked for that are against it. */;
  said: string;
}

/** The document that is continued as one of a kind, with what is still open of it. */
async function sourceOf(trx: Trx, context: Context, from: Id, target: KindName): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select
      d.id, d.kind, d.author, d.location, d.body, d.number, d.foreign_total,
      (
        select o.open from open_items o where o.organisation = d.organisation and o.document = d.id and o.line = 0
      ) as open,
      exists (
        select from cancellations c where c.organisation = d.organisation and c.document = d.id
      ) as cancelled,
      irn_cancelled(d.organisation, d.id) as irn_cancelled,
      ${usedColumns(context.organisation)},
      (
        select coalesce(array_agg(k.source), '{}')
        from document_links k
        where k.organisation = d.organisation
          and k.target = d.id
          and k.role in ('source', 'order')
          and not exists (
            select from cancellations c where c.organisation = k.organisation and c.document = k.source
          )
      ) as standing,
      (
        select coalesce(sum((t.body #>> '{draft,amount}')::bigint), 0)
        from document_links k
        join documents t on t.organisation = k.organisation and t.id = k.target
        where k.organisation = d.organisation
          and k.source = d.id
          and k.role = 'source'
          and t.kind = ${target}
          and not exists (
            select from cancellations c where c.organisation = k.organisation and c.document = k.target
          )
      ) as said,
      (
        select coalesce(jsonb_object_agg(p.id, p.merged_into), '{}')
        from parties p
        where p.organisation = d.organisation and p.merged_into is not null and d.body::text like '%' || p.id || '%'
      ) as survivors
    from documents d
    where d.organisation = ${context.organisation} and d.id = ${from}
  `.execute(trx);
  return rows[0] && ofSurvivors(rows[0]);
}

/** The draft that continues a document with what is still open of it, settles it, or copies it. Nothing is kept. */
export async function convert({ from, kind, copy }: Input<Call>, context: Context): Promise<Answer<Call>> {
  const target = kindAsked(kind);
  const row = kindOf(target);
  const asked = await context.inTransaction(async (trx) => {
    const source = await sourceOf(trx, context, from, target);
    if (
      !source ||
      !nameable(context)({ ...source, toLocation: source.body.draft.toLocation ?? null }) ||
      (!copy && !row.source.kinds.includes(source.kind))
    )
      throw new Refusal('notFound');
    const head = {
      ...continuedHead(source.body.draft, target, context.today),
      ...(!copy && row.stock.effect === 'transferIn' && (await arrival(trx, context, source.body.draft))),
    };
    if (copy) return { draft: draftText(heldOf(row, copied(row, head, source, context.today))), facts: {} };
    if (source.cancelled) throw new Refusal('alreadyCancelled', { number: source.number });
    if (source.irn_cancelled) throw new Refusal('irnCancelled', { number: source.number });
    await refuseHeld(trx, context, [source.id], target);
    if (isReturnOrdered(row, source.kind)) return { ordered: source };
    const continuation: Continuation = { row, head, from, source };
    const { draft, facts } =
      row.lines.of === 'none'
        ? await withoutLines(trx, context, continuation)
        : await withLines(trx, context, continuation);
    const documents = (await namedDocuments(trx, context, [source.id])).map(sourceDocumentText);
    return { draft, facts: { number: source.number, kind: kindLabel(source.kind), documents, ...facts } };
  });
  return 'ordered' in asked ? returnOrdered(asked.ordered, kind, context) : asked;
}

/** A document and what it is continued as. */
interface Continuation {
  readonly row: Kind;
  readonly head: ReturnType<typeof continuedHead>;
  readonly from: Id;
  readonly source: Row;
}
type Continued = Pick<Answer<Call>, 'draft' | 'facts'>;

/** A receipt or payment that settles it, or a declaration about its goods. */
async function withoutLines(trx: Trx, context: Context, { row, head, from, source }: Continuation): Promise<Continued> {
  if (row.fields.includes('amount')) {
    const [advance] = await advancesOf(trx, context.organisation, usesAdvance(row) ? [from] : []);
    return {
      draft: heldOf(row, settling(row, head, from, source, advance)),
      facts: { ...(advance && { advances: [advanceText(advance)] }) },
    };
  }
  // the rates of the goods say what customs will ask for
  const sources = sourcesOf(row, source).map(sourceText);
  return {
    draft: await declaring(trx, context, head, from, source),
    facts: { sources: await withCovered(trx, context.organisation, row, sources) },
  };
}

/** A document that takes over the lines of which something is left. */
async function withLines(trx: Trx, context: Context, { row, head, from, source }: Continuation): Promise<Continued> {
  // what goes out is proposed from stock, what comes back from what went out
  const out =
    row.source.givesPrice && row.stock.effect !== 'out' ? await batchesOut(trx, context, from, source) : new Map();
  const sources = sourcesOf(row, source).map((s) => ({
    ...sourceText(s),
    batches: (out.get(s.line) ?? []).map((b: HeldBatch) => ({ ...b, quantity: quantityText(b.quantity) })),
  }));
  const continuing = await withGivenBack(trx, context, row, continued(row, head, from, source, out), source);
  return { draft: draftText(heldOf(row, inRupees(row, continuing))), facts: { sources } };
}

/** An order to take goods back has none of its own: they come back from the document that sold them, as much as was ordered. */
async function returnOrdered(
  { id, number, body, closed, carried }: Row,
  kind: string,
  context: Context,
): Promise<Answer<Call>> {
  const { sold, wanted: ordered } = remainingToReturn({ closed, carried }, body.draft.lines);
  if (sold === undefined) throw new Refusal('nothingLeft', { number });
  const { draft, facts } = await convert({ from: sold, kind }, context);
  const askedFree = new Map(
    body.draft.lines.flatMap(({ source, freeQuantity }) =>
      source ? [[sourceKey(source), freeQuantity ?? 0] as const] : [],
    ),
  );
  const lines = (draft.lines as readonly WireLine[]).flatMap((line) => {
    const wanted = Math.min(ordered.get(sourceKey(line.source)) ?? 0, parseDecimal(line.quantity, 6) ?? 0);
    const { batches, freeQuantity, ...same } = line;
    // as many free goods as were asked back, or less where fewer are left
    const free = Math.min(askedFree.get(sourceKey(line.source)) ?? 0, parseDecimal(freeQuantity ?? '0', 6) ?? 0);
    const whole =
      quantityText(wanted) === line.quantity &&
      quantityText(free) === quantityText(parseDecimal(freeQuantity ?? '0', 6) ?? 0);
    return wanted > 0
      ? [
          {
            ...same,
            quantity: quantityText(wanted),
            ...(free > 0 && { freeQuantity: quantityText(free) }),
            ...(whole && batches !== undefined && { batches }),
          },
        ]
      : [];
  });
  if (lines.length === 0) throw new Refusal('nothingLeft', { number });
  const { reason } = body.draft;
  return { draft: { ...draft, order: id, lines, ...(reason !== undefined && { reason }) }, facts };
}
interface WireLine {
  readonly source: { readonly document: Id; readonly line: number };
  readonly quantity: string;
  readonly freeQuantity?: string;
  readonly batches?: unknown;
}

/**
 * What is said of one document only, among what is shown and printed: the cheque, the shipping bill, the original of a
 * note, the lorry receipt.
 */
const ofOne: ReadonlySet<string> = new Set([
  'instrument',
  'shippingBill',
  'shippingBillDate',
  'originalNumber',
  'originalDate',
  'creditReversal',
  'suppliedOn',
  'paidOn',
  'transportDocument',
]);

/**
 * The same once more, on its own: without the number of somebody else's paper, the rate of another day, and units that came
 * or went once. What cannot be without the document that it is against names that one again; and what was cancelled is typed
 * anew in its place, so that its copy says all of it again and continues what it had continued.
 */
function copied(row: Kind, head: Draft, { body: { draft }, cancelled, standing }: Row, today: string): Draft {
  const stands = (id: Id | undefined): id is Id =>
    id !== undefined && standing.includes(id) && (cancelled || row.fields.includes('against'));
  const { toLocation, against, order } = draft;
  return {
    ...(cancelled ? head : repeated(row, head, stands(against), today)),
    ...(toLocation !== undefined && { toLocation }),
    ...(stands(against) && { against }),
    ...(cancelled && stands(order) && { order }),
    lines: draft.lines.map(({ source, serials, ...line }) => {
      const kept = source && stands(source.document) ? { ...leftToSource(row, line), source } : line;
      return { ...kept, ...(cancelled && serials && { serials }) };
    }),
  };
}

/** The head without what belongs to the one document; beside the document that it is against it keeps the rate of that one. */
function repeated(
  row: Kind,
  { reference, referenceDate, exchangeRate, fields = {}, ...head }: Draft,
  isAgainst: boolean,
  today: string,
): Draft {
  const kept = Object.entries(fields).filter(([name, value]) => !ofOne.has(name) && !(isDay(value) && value < today));
  const theirs = {
    ...(reference !== undefined && { reference }),
    ...(referenceDate !== undefined && { referenceDate }),
  };
  return {
    ...head,
    ...(!isSupplierDocument(row) && theirs),
    ...(kept.length > 0 && { fields: Object.fromEntries(kept) }),
    // left out, it is that of the day
    ...((head.currency === 'INR' || isAgainst) && { exchangeRate }),
  } as Draft;
}

/** A party that was merged since is replaced by the one it was merged into. */
function ofSurvivors(row: Row): Row {
  const { draft } = row.body;
  const survivor = (party: Id | undefined) => (party === undefined ? {} : { party: row.survivors[party] ?? party });
  return Object.keys(row.survivors).length === 0
    ? row
    : {
        ...row,
        body: {
          ...row.body,
          draft: {
            ...draft,
            ...survivor(draft.party),
            lines: draft.lines.map((line) => ({ ...line, ...survivor(line.party) })),
          },
        },
      };
}

/** Goods arrive at the other end: its place and registration are this document's own, the sender is the other side. */
async function arrival(
  trx: Trx,
  { organisation }: Context,
  { toLocation, registration }: Draft,
): Promise<Partial<Draft>> {
  const { rows } = await sql<{
    registration: Id;
  }>`select registration from locations where organisation = ${organisation} and id = ${toLocation ?? null}`.execute(
    trx,
  );
  const [place] = rows;
  if (!place || toLocation === undefined) throw new Refusal('notFound');
  return { location: toLocation, registration: place.registration, toRegistration: registration };
}

/** By line. */
type OutBatches = ReadonlyMap<number, readonly HeldBatch[]>;

/** Batches that left with the source's lines and did not come back; of lines in another unit nothing is proposed. */
async function batchesOut(trx: Trx, { organisation }: Context, from: Id, { sources }: Row): Promise<OutBatches> {
  const { rows } = await sql<{
    line: number;
    batch: string;
    expiry: string | null;
    quantity: string;
  }>`select line, batch, expiry::text as expiry, quantity from batches_out(${organisation}, array[${from}::uuid])`.execute(
    trx,
  );
  const plain = new Set((sources ?? []).filter((s) => s.base_quantity === s.quantity).map((s) => s.line));
  const held = new Map<number, HeldBatch[]>();
  for (const { line, batch, expiry, quantity } of rows)
    if (plain.has(line))
      held.set(line, [
        ...(held.get(line) ?? []),
        { batch, quantity: millionths(Number(quantity)), ...(expiry !== null && { expiry }) },
      ]);
  return held;
}

const sourcesOf = (row: Kind, { sources }: Row) => [...sourcesFor(row, { sources: sources ?? [] }).values()];

/** What the successor starts with: everything of the head but what belongs to the one document only. */
const continuedHead = (draft: Draft, kind: string, today: string): Draft => {
  const {
    id: _id,
    version: _version,
    against: _against,
    order: _order,
    allocations: _allocations,
    tenders: _tenders,
    onAccount: _onAccount,
    till: _till,
    number: _number,
    dueDate: _due,
    accepted: _accepted,
    toLocation: _to,
    tdsLower: _lower,
    exchangeSource: _source,
    ...kept
  } = draft as Draft & { number?: string };
  return { ...kept, kind, date: today, lines: [] };
};

/** Money for what is open. Goods, charges and discounts are left out. */
function settling(
  row: Kind,
  head: Draft,
  from: Id,
  source: Row,
  advance: AdvanceFacts | undefined,
): Record<string, unknown> {
  const { kind, date, registration, location, party } = head;
  const currency = row.fields.includes('currency') ? head.currency : 'INR';
  // money is worth what its own day says: its rate is not that of what it settles
  const plain: Draft = {
    kind,
    date,
    registration,
    location,
    currency,
    lines: [],
    ...(party && { party }),
    against: from,
  } as unknown as Draft;
  const { advanceRate, ...taxed } = withAdvance(row, plain, advance);
  const bare = { ...taxed, ...(advanceRate !== undefined && { advanceRate: percentText(advanceRate) }) };
  const left = leftToSettle(row, source);
  // nobody knows how much an order is paid in advance
  if (left === undefined) return { ...bare, allocations: [] };
  const amount = moneyText(left);
  // what says which document it is against uses that one up: which others it settles is still to be said
  return {
    ...bare,
    amount,
    allocations: left > 0 && !row.fields.includes('against') ? [{ document: from, amount }] : [],
  };
}

/**
 * What of a document is open; where the new one posts nothing, what of its amount no other of that kind has said: in
 * rupees where it has no currency.
 */
const leftToSettle = (kind: Kind, { open, body, said }: Row): number | undefined => {
  const { amount = paise(0), currency, exchangeRate } = body.draft;
  const whole = currency === 'INR' || kind.fields.includes('currency') ? amount : scale(amount, exchangeRate, ONE);
  if (postsNothing(kind)) return Math.max(0, whole - Number(said));
  return open === null ? undefined : Number(open);
};

/**
 * What customs assesses of a bill: its value in its own currency at the rate that customs notified, which need not be the
 * books'; at the bill's own value where no such rate is kept. It is in rupees, settles nothing, and covers the goods that no
 * other bill of entry does.
 */
async function declaring(
  trx: Trx,
  { organisation, today }: Context,
  head: Draft,
  from: Id,
  { body, foreign_total, sources }: Row,
): Promise<Record<string, unknown>> {
  const { kind, date, registration, location } = head;
  const bare = {
    kind,
    date,
    registration,
    location,
    currency: 'INR',
    exchangeRate: millionths(ONE),
    lines: [],
    against: from,
  };
  const { currency } = body.draft;
  const goods = await entryGoods(trx, organisation, from);
  const part = goods.some(({ quantity, left }) => left !== quantity);
  const covers = Object.fromEntries(goods.map(({ line, left }) => [line, quantityText(left)]));
  const costs = new Map((sources ?? []).map(({ line, taxable }) => [line, taxable]));
  const whole = [...costs.values()].reduce((t, n) => t + n, 0);
  const left = goods.reduce((t, g) => t + scale(costs.get(g.line) ?? 0, g.left, g.quantity), 0);
  const ofPart = (amount: number) => (part ? scale(amount, left, Math.max(whole, 1)) : amount);
  const worth = moneyText(ofPart(body.value ?? 0));
  if (currency === 'INR') return { ...draftText(bare), customs: { assessable: worth, covers } };
  const invoice = ofPart(Number(foreign_total));
  const notified = await rateOn(trx, organisation, currency, 'customs', today);
  const stated = { currency, invoice: moneyText(invoice), covers };
  if (!notified) return { ...draftText(bare), customs: { assessable: worth, ...stated } };
  return {
    ...draftText(bare),
    customs: { assessable: moneyText(scale(invoice, notified.rate, ONE)), ...stated, rate: rateText(notified.rate) },
  };
}

/** The lines with what is left of them. */
function continued(row: Kind, head: Draft, from: Id, source: Row, out: OutBatches): Draft {
  const borne = sourcesFor(row, { sources: source.sources ?? [] });
  const lines = leftLines(row, from, source, source.body.draft.lines).map(
    ({ line, number, quantity, free }): DraftLine => {
      const of = borne.get(sourceKey({ document: from, line: number }));
      const {
        batches: _batches,
        serials: _serials,
        room: _room,
        freeQuantity: _free,
        ...same
      } = asItsSource(row, line, of);
      const goods = millionths(quantity + free);
      const batches = firstExpiryFirstOut(out.get(number) ?? [], goods);
      const whole = batches.reduce((t, b) => t + b.quantity, 0) === goods;
      const { rate: _rate, discount: _discount, ...unpriced } = same;
      const priced = of && takesValue(row, of) ? { ...unpriced, ...rateLeft(same, of, quantity, head) } : same;
      return {
        ...priced,
        quantity,
        ...(free > 0 && { freeQuantity: free }),
        source: { document: from, line: number },
        ...(whole && { batches }),
      };
    },
  );
  if (lines.length === 0) throw new Refusal('nothingLeft', { number: source.number });
  // a document that reduces another names it; an order's successor takes its discount and charges along, once
  const names = row.fields.includes('against') ? { against: from } : {};
  const { discount, charges, adjustments, reference, referenceDate, ...bare } = head;
  // the customer's order number goes along; a supplier's bill has a number of its own
  const theirs =
    row.gst.tax === 'input'
      ? {}
      : { ...(reference !== undefined && { reference }), ...(referenceDate !== undefined && { referenceDate }) };
  const first = (source.sources ?? []).every(({ used }) => used.length === 0);
  const whole = !row.source.givesPrice && !row.fields.includes('against');
  const { narration: _narration, terms: _terms, fields, ...own } = bare;
  return {
    ...(row.fields.includes('against') ? { ...own, ...kept(row, fields) } : bare),
    ...theirs,
    ...(whole && discount && (first || discount.percent !== undefined) && { discount }),
    ...(whole && first && charges && { charges }),
    ...(adjustments && first && (whole || allOf(row, source, lines)) && takesAdjustments(row) && { adjustments }),
    ...names,
    lines,
  };
}

/** A return takes off after tax what notes without GST gave on its goods, on the ledger of those notes (ADR 72). */
async function withGivenBack(
  trx: Trx,
  { organisation }: Context,
  row: Kind,
  draft: Draft,
  { sources }: Row,
): Promise<Draft> {
  if (!row.source.givesPrice || !takesAdjustments(row) || draft.adjustments) return draft;
  const given = givenOn(draft, sourcesFor(row, { sources: sources ?? [] }));
  const amount = sum(given.map((each) => each.amount));
  if (amount <= 0) return draft;
  const { rows } = await sql<{ ledger: Id }>`
    select ledger from posting_map where organisation = ${organisation} and effect = ${givenEffect(row)}
  `.execute(trx);
  const ledger = rows[0]?.ledger;
  const adjustment = { name: 'Discount without GST taken back', sign: 'less' as const, amount };
  return { ...draft, adjustments: [{ ...adjustment, ...(ledger && { ledger }) }] };
}

/** A kind without a currency is in rupees: what it continues is brought to them at the rate of exchange of its source. */
function inRupees(row: Kind, draft: Draft): Draft {
  const { currency, exchangeRate, discount, charges, adjustments } = draft;
  if (currency === 'INR' || row.fields.includes('currency')) return draft;
  const rupees = (amount: Paise): Paise => scale(amount, exchangeRate, ONE);
  const off = (given: Discount): Discount =>
    given.amount === undefined ? given : { ...given, amount: rupees(given.amount) };
  return {
    ...draft,
    currency: 'INR',
    exchangeRate: millionths(ONE),
    ...(discount && { discount: off(discount) }),
    ...(charges && { charges: charges.map((charge) => ({ ...charge, amount: rupees(charge.amount) })) }),
    ...(adjustments && { adjustments: adjustments.map((one) => ({ ...one, amount: rupees(one.amount) })) }),
    lines: draft.lines.map((line) => ({
      ...line,
      ...(line.rate !== undefined && { rate: millionths(scale(paise(line.rate), exchangeRate, ONE)) }),
      ...(line.discount && { discount: off(line.discount) }),
    })),
  };
}

/** Goods that all come back at once take along what came on top of them after tax; of a part nobody knows what belongs to it. */
const allOf = (row: Kind, { body }: Row, lines: readonly DraftLine[]): boolean =>
  row.source.givesPrice === true &&
  lines.length === body.draft.lines.length &&
  lines.every((line, at) => line.quantity === body.draft.lines[at]?.quantity);

/** Tax abroad goes back with what it was charged on, and goods through the e-commerce operator that they were sold through. */
const kept = (row: Kind, fields: Draft['fields'] = {}): Pick<Draft, 'fields'> => {
  const named = (['vatNumber', 'buyerVatNumber', 'ecommerceGstin'] as const).flatMap((name) =>
    row.fields.includes(name) && fields[name] ? [[name, fields[name]] as const] : [],
  );
  return named.length > 0 ? { fields: Object.fromEntries(named) } : {};
};
