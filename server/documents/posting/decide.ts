import { Refusal } from '../../../contract/errors.ts';
import { addDays } from '../../../domain/base/dates.ts';
import { type Millionths, millionths, moneyText } from '../../../domain/base/decimal.ts';
import { type Paise, paise, scale } from '../../../domain/base/money.ts';
import { say } from '../../../domain/base/say.ts';
import { onAccountsOfToday } from '../../../domain/books/accounts.ts';
import { movesAdvances } from '../../../domain/books/legs.ts';
import {
  costEffect,
  lineCost,
  mirror,
  moneySettled,
  type PostingContext,
  post,
} from '../../../domain/books/posting.ts';
import { lockMet, registers } from '../../../domain/books/registers.ts';
import { writtenTotal } from '../../../domain/document/approval.ts';
import { adjustmentsOver } from '../../../domain/document/checks/added.ts';
import type { Allocation, Draft, Entry, Id, Movement, Priced } from '../../../domain/document/document.ts';
import {
  consumesCredits,
  cutsPrice,
  type Kind,
  kindCalled,
  kindOf,
  takesBack,
} from '../../../domain/document/kinds/index.ts';
import { price } from '../../../domain/document/price.ts';
import {
  accountOfParty,
  isOverseas,
  isSezParty,
  isTaxedSupplier,
  resolve,
  type SourceLine,
  sourceKey,
} from '../../../domain/document/resolve.ts';
import { type TakenOf, takesTooMuch } from '../../../domain/document/sources.ts';
import { atCost } from '../../../domain/stock/at-cost.ts';
import { nextSpans, type Span } from '../../../domain/stock/cost-spans.ts';
import { type Bought, dutyOf, type Landed, land, reprice } from '../../../domain/stock/landing.ts';
import { backAt, returnedCost } from '../../../domain/stock/revalue.ts';
import { costsByLine, move } from '../../../domain/stock/stock.ts';
import { hasGst, isRegular } from '../../../domain/tax/gst/registration/registered.ts';
import { taxEffectsOf, taxLockMet } from '../../../domain/tax/tax-locks.ts';
import { tdsEffectOf } from '../../../domain/tax/withheld.ts';
import { Problems } from '../../kit/problems.ts';
import { balanceKeyOf, moveLater, movementKey, moveOn, type Revised } from '../stock/balances.ts';
import type { Opened } from '../stock/reach.ts';
import { costRevision, type Difference, differenceOf } from '../stock/revision.ts';
import { insteadOfCancelling } from './cancelling/instead.ts';
import { isPricedFromSource } from './kinds.ts';
import type { Loaded, LoadedSource } from './load.ts';
import { exchanged, openItem, settledBy, usedUpBy } from './settling/exchange.ts';
import { sourcesFor } from './sources/source-lines.ts';
import { documentsFor } from './sources/sources.ts';
import { type CheckedRequest, type Decided, MadeMeanwhile, type ReleasedAllocation } from './types.ts';

/** What was decided, with what it changed in the cost of others. */
export type Decision = Decided & { readonly revised: readonly Revised[] };

/** Decides one document: tax, totals, stock, cost, entries, what it opens and settles. Pure but for the stock balances it moves. */
export function decide(request: CheckedRequest, found: Loaded, opened: Opened): Decision {
  const { draft } = request;
  const loaded = freed(request, visible(request, found));
  const kind = kindOf(request.kind);
  const next = request.mirrorOf && { instead: insteadOfCancelling(request.mirrorOf.kind, request.mirrorOf.isReturned) };
  if (loaded.lockedThrough !== null && draft.date <= loaded.lockedThrough)
    throw new Refusal('periodLocked', { date: loaded.lockedThrough, ...next });
  const lock = lockMet(request.mirrorOf?.kind ?? request.kind, draft.date, request.locks, draft.registration);
  if (lock) throw new Refusal('registerLocked', { register: registers[lock.register][1], date: lock.through, ...next });
  if (request.mirrorOf) refuseFiledTax(request, request.mirrorOf.entries);
  if (request.mirrorOf) return decideMirror(request, request.mirrorOf, loaded, opened);
  const facts = { ...request.facts, sources: sourcesFor(kind, loaded) };
  const added = (loaded.sources ?? []).length === 0 ? request.added : undefined;
  const pricing = added?.pricing ?? resolve(kind, draft, facts);
  const priced = added?.priced ?? price(pricing);
  refuseExceeded(kind, priced, loaded, facts.sources);
  const over = adjustmentsOver(
    kind,
    draft,
    priced,
    documentsFor(loaded.sourceDocuments ?? [], () => true),
  );
  if (over.length > 0) throw new Problems(over);
  const places = { location: draft.location, toLocation: draft.toLocation ?? draft.location, transit: request.transit };
  const landed = landing(kind, request, priced, loaded, opened);
  const moves = landed?.movements ?? (request.settings.trackInventory ? move(kind, priced.lines, draft, places) : []);
  const stated = moves.map((movement) => (movement.asHeld ? heldWorth(movement, request, opened) : movement));
  const costs: Paise[] = [];
  const givenBack = new Map<number, Paise>();
  const costSpans = new Map<number, readonly Span[]>();
  for (const [index, movement] of stated.entries()) {
    const returned = returnedOf(movement, loaded, stated, costSpans);
    const worth = worthOf(movement, stated[index - 1], costs[index - 1], returned);
    const taken = goingBack(movement, draft.date, returned);
    if (taken) givenBack.set(movement.line, taken.landed);
    if (returned && (taken || movement.quantity > 0)) costSpans.set(movement.line, returned.spans);
    const back = taken && backAt(taken, taken.cost, movement.quantity);
    const from = returned && {
      of: movementKey(returned.source.document, returned.whole.number),
      spans: returned.spans,
    };
    const how = { ...(back && { back }), ...(from && { from }) };
    costs.push(moveOn(opened.stockBalances, request, { number: index + 1, ...movement }, worth, how));
  }
  const moved = stated.map((movement, index) => {
    const cost = costs[index] ?? paise(0);
    return { number: index + 1, cost, ...movement, ...(movement.lateCost && { value: cost }) };
  });
  const revised = moveLater(opened.stockBalances, opened.later, request, moved);
  const { worth, ...settling } = exchanged(kind, draft, priced, loaded);
  const context: PostingContext = {
    ledgers: request.ledgers,
    draft,
    priced,
    lineEffect: kind.books.lineEffect,
    ...(facts.party && {
      party: {
        id: facts.party.id,
        overseas: isOverseas(facts),
        taxed: isTaxedSupplier(facts),
        sez: isSezParty(facts),
        account: accountOfParty(facts.party),
      },
    }),
    ownComposition: !isRegular(facts.own.kind),
    perpetual: request.settings.perpetual && request.settings.trackInventory,
    costs: costsByLine(stated, costs),
    ...(landed && { landed: landed.shares }),
    ...settling,
    tdsEffect: tdsEffectOf(draft.tdsSection),
    ...(facts.currencies && { currencies: facts.currencies }),
  };
  const posted = post(kind, context);
  const entries = [...posted, ...stockDifference(kind, request, posted, moved)];
  refuseFiledTax(request, entries);
  const opens = openedBy(kind, request, entries);
  return {
    request,
    placeOfSupply: kind.gst.tax === 'none' || !hasGst(request.facts.own.kind) ? undefined : pricing.placeOfSupply,
    priced: withTotal(kind, draft, atCost(kind, priced, stated, costs)),
    entries,
    movements: moved,
    givenBack,
    costSpans,
    ...(landed && { landed: landed.onAll ?? landed.shares }),
    ...revision(request, loaded, revised, []),
    opens,
    allocations: [
      ...(request.frees ?? []).map(takenBack),
      ...allocate(kind, request, opens[0]?.original ?? 0, loaded).map((a, i) => ({ ...a, ...worth?.[i] })),
    ],
    links: linksOf(draft),
  };
}

/** Refuses entries that change the tax of a filed return, typed by hand or not. */
function refuseFiledTax({ draft, ledgers, locks, mirrorOf }: CheckedRequest, entries: readonly Entry[]): void {
  if (locks.size === 0) return;
  const lock = taxLockMet(taxEffectsOf(entries, ledgers), draft.date, locks, draft.registration);
  if (!lock) return;
  const next = mirrorOf && { instead: insteadOfCancelling(mirrorOf.kind, mirrorOf.isReturned) };
  throw new Refusal('registerLocked', { register: registers[lock.register][1], date: lock.through, ...next });
}

/** What a document is made from, the order that it carries out, and what withheld the tax that it pays. */
function linksOf({ lines, against, order, challan }: Draft): Decided['links'] {
  const sources = [...lines.flatMap((l) => l.source?.document ?? []), ...(against ? [against] : [])];
  const of = (role: string, all: readonly string[]) => [...new Set(all)].map((source) => ({ source, role }));
  const paid = challan?.parts.map(({ document }) => document) ?? [];
  return [...of('source', sources), ...of('order', order ? [order] : []), ...of('challan', paid)];
}

/** An allocation the other way. */
const takenBack = ({
  amount,
  invoiceWorth,
  creditWorth,
  ...pair
}: ReleasedAllocation): Decided['allocations'][number] => ({
  ...pair,
  amount: -amount,
  ...(invoiceWorth !== undefined && { invoiceWorth: -invoiceWorth }),
  ...(creditWorth !== undefined && { creditWorth: -creditWorth }),
});

/**
 * Open items of documents that the user may not see do not exist for them, but for what is freed. A cancellation opens
 * them all the same.
 */
const visible = ({ mirrorOf, frees = [], mayName }: CheckedRequest, loaded: Loaded): Loaded => {
  if (mirrorOf) return loaded;
  const isFreed = (document: Id): boolean => frees.some((f) => f.credit === document || f.invoice === document);
  return { ...loaded, open: (loaded.open ?? []).filter((item) => mayName(item) || isFreed(item.document)) };
};

/** The open amount once the document that this one reverses is freed. */
function freed({ frees = [] }: CheckedRequest, loaded: Loaded): Loaded {
  if (frees.length === 0) return loaded;
  const open = (loaded.open ?? []).map((item) => {
    const own = frees.filter((f) => f.credit === item.document && f.creditLine === item.line);
    const amount = own.reduce((t, f) => t + f.amount, 0);
    return {
      ...item,
      open: item.open + amount,
      worth: item.worth + own.reduce((t, f) => t + (f.creditWorth ?? f.amount), 0),
    };
  });
  return { ...loaded, open };
}

/** A cost, or another price, that is known after its goods came in goes on the stock balances that still hold them. */
function landing(
  kind: Kind,
  { draft, facts, settings, landing: lines, repriced }: CheckedRequest,
  priced: Priced,
  loaded: Loaded,
  { stockBalances }: Opened,
): (Landed & { readonly onAll?: ReadonlyMap<number, Paise> }) | undefined {
  if (!settings.trackInventory) return undefined;
  const held = (item: Id, location: Id) => millionths(stockBalances.get(balanceKeyOf(item, location))?.quantity ?? 0);
  const holding = { method: settings.method, held };
  if (lines) return land(dutyOf(draft, isRegular(facts.own.kind)), lines, holding);
  // a note without GST leaves the goods at their cost (ADR 72)
  if (!repriced || draft.withoutTax) return undefined;
  return reprice(takesBack(kind), priced.lines, draft.lines, (named) => boughtBy(named, loaded), lineCost, holding);
}

/** The goods that a line of a bill brought in, and how much of them went back; of a line of a note, those of the bill that it corrects in the end. */
function boughtBy({ document, line }: { readonly document: Id; readonly line: number }, { sources }: Loaded) {
  const named = sources?.find((s) => s.document === document && s.line === line);
  const source = named?.root ?? named;
  const [whole] = source?.moved ?? [];
  if (!source || !whole || whole.quantity <= 0) return undefined;
  const back = source.used.reduce((t, u) => (isPricedFromSource(u.kind) ? t + u.base_quantity : t), 0);
  const { item, location, quantity } = whole;
  return {
    of: movementKey(source.document, whole.number),
    ...{ item, location, quantity: millionths(quantity), back: millionths(back) },
  } satisfies Bought;
}

/** The total of documents without priced lines: money moved, or the sum of debits. */
function withTotal(kind: Kind, draft: Draft, priced: Priced): Priced {
  if (kind.lines.of === 'items' || kind.lines.of === 'expenses') return priced;
  const { customs } = draft;
  const total = writtenTotal(kind, draft, priced);
  // what returns read of a bill of entry: the value that customs assessed, and the tax on it
  const assessed = customs && { taxable: customs.assessable, igst: customs.igst };
  return {
    ...priced,
    ...assessed,
    total,
    payable: total,
    foreignTotal: kind.lines.of === 'none' && !customs ? moneySettled({ draft }) : total,
  };
}

/** Later movements that cost something else now, and the document that says so. */
function revision(
  request: CheckedRequest,
  { lockedThrough }: Loaded,
  revised: readonly Revised[],
  own: readonly Difference[],
): Pick<Decision, 'revised' | 'revisions' | 'costRevision'> {
  return {
    revised,
    revisions: revised.map((r) => ({ document: r.document, number: r.number, revision: r.revision + 1, cost: r.now })),
    costRevision: costRevision({ ...request, lockedThrough }, [...own, ...revised.map(differenceOf)]),
  };
}

/** INV-16: returns and conversions never exceed their source, cumulatively; price cuts never exceed its value. */
function refuseExceeded(kind: Kind, priced: Priced, loaded: Loaded, sources: ReadonlyMap<string, SourceLine>): void {
  for (const d of loaded.sourceDocuments ?? []) {
    if (d.cancelled) throw new Refusal('alreadyCancelled', { number: d.number });
    if (d.irnCancelled) throw new Refusal('irnCancelled', { number: d.number });
  }
  const taken = new Map<string, TakenOf>();
  const ofRoot = new Map<string, number>();
  for (const { source, cuts, quantity, freeQuantity, baseQuantity, value, number } of priced.lines) {
    const named = source ?? cuts;
    const from = named && sources.get(sourceKey(named));
    if (!from) continue;
    const before = taken.get(sourceKey(from)) ?? { quantity: 0, free: 0, base: 0, value: 0 };
    const now = {
      quantity: before.quantity + quantity,
      free: before.free + freeQuantity,
      base: before.base + baseQuantity,
      value: before.value + value,
    };
    taken.set(sourceKey(from), now);
    const root = from.root ?? from;
    const together = (ofRoot.get(sourceKey(root)) ?? 0) + value;
    ofRoot.set(sourceKey(root), together);
    // lines of one document about a supply and about notes on it share what the supply has left
    const isShared = cutsPrice(kind) && together > (from.root?.left ?? from.left.value - (from.financial?.value ?? 0));
    if (isShared || takesTooMuch(kind, from, now)) throw new Refusal('sourceExceeded', { line: String(number) });
  }
}

/** Goods that come back without a document cost what is held of them costs on average, else what their item is bought for. */
function heldWorth(movement: Movement, { facts }: CheckedRequest, { stockBalances }: Opened): Movement {
  const { item, location, quantity, line } = movement;
  // what leaves is valued by its stock balance
  if (quantity < 0) return movement;
  const held = stockBalances.get(balanceKeyOf(item, location));
  if (held && held.quantity > 0) return { ...movement, value: scale(paise(held.value), quantity, held.quantity) };
  const { purchaseRate = null, name = '' } = facts.items.get(item) ?? {};
  if (purchaseRate !== null) return { ...movement, value: scale(quantity, purchaseRate, 10_000_000_000) };
  const message = say(
    'Nothing says what {{name}} cost: none is in stock here, so enter a purchase price with the item',
    { name },
  );
  throw new Problems([{ field: 'lines.item', row: line - 1, ...message }]);
}

/** The movement that goods of a return left or came with, and which stretches of it they are. */
interface Returned {
  readonly source: LoadedSource;
  readonly whole: LoadedSource['moved'][number];
  readonly quantity: Millionths;
  readonly spans: readonly Span[];
}

/** `own` are the stretches that lines above it take. */
function returnedOf(
  { costOf, quantity }: Movement,
  { sources }: Loaded,
  stated: readonly Movement[],
  own: ReadonlyMap<number, readonly Span[]>,
): Returned | undefined {
  const source = costOf && sources?.find((s) => s.document === costOf.document && s.line === costOf.line);
  const [whole] = source?.moved ?? [];
  if (!source || !whole) return undefined;
  const before = source.spans.flat();
  const back = source.used.reduce((t, u) => (isPricedFromSource(u.kind) ? t + u.base_quantity : t), 0);
  const untracked = Math.max(back - before.reduce((t, [from, upTo]) => t + upTo - from, 0), 0);
  const above = stated.flatMap((m) =>
    m.costOf?.document === source.document && m.costOf.line === source.line ? (own.get(m.line) ?? []) : [],
  );
  const all = millionths(whole.quantity);
  return { source, whole, quantity: all, spans: nextSpans(all, [...before, ...above], untracked, quantity) };
}

/** What a receipt of stock is worth: its line, the cost its source left at, or the cost the same line left with just now. */
function worthOf(
  movement: Movement,
  before: Movement | undefined,
  left: Paise | undefined,
  returned: Returned | undefined,
): Paise | undefined {
  if (movement.value !== undefined) return movement.value;
  if (movement.quantity < 0) return undefined;
  if (returned) return returnedCost(returned, returned.whole.cost, movement.quantity);
  return before && left !== undefined && before.line === movement.line ? paise(-left) : paise(0);
}

/**
 * The movement that brought in what goes back now, with the duty that came on its goods until that day. Goods that meanwhile went
 * to another location lie there at what they left at, like all others of theirs.
 */
function goingBack({ item, location, quantity }: Movement, date: string, returned: Returned | undefined) {
  if (quantity >= 0 || !returned) return undefined;
  const { source, whole, spans } = returned;
  if (whole.quantity <= 0 || whole.item !== item || whole.location !== location) return undefined;
  return {
    from: movementKey(source.document, whole.number),
    quantity: returned.quantity,
    cost: paise(whole.cost),
    spans,
    landed: paise(source.landed.reduce((t, l) => (l.date <= date ? t + l.amount : t), 0)),
  };
}

/** A document with its party on an entry leaves something to settle; a journal does so on each line with one. */
function openedBy(kind: Kind, request: CheckedRequest, entries: readonly Entry[]): Decided['opens'] {
  const { draft, facts } = request;
  if (kind.books.opensByLine) return openedByLines(request);
  if (!kind.books.opens || !draft.party) return [];
  const own = entries.filter((e) => e.party === draft.party);
  const foreign = draft.currency !== 'INR';
  const original = Math.abs(
    own.reduce((t, e) => t + (e.debit > 0 ? 1 : -1) * (foreign ? Math.abs(e.foreign ?? 0) : e.debit + e.credit), 0),
  );
  if (original === 0) return [];
  const owes = kind.books.opens === 'receivable' || kind.books.opens === 'payable';
  // money given back is due from nobody: its open amount has no due date
  const due =
    owes && !consumesCredits(kind) ? (draft.dueDate ?? addDays(draft.date, facts.party?.creditDays ?? 0)) : null;
  const { party, date, currency } = draft;
  return [{ line: 0, party, side: kind.books.opens, date, due, currency, original }];
}

/** Each line on the account of a party is a bill of its own, by the number and dates that it had, or a credit. */
const openedByLines = ({ draft, facts }: CheckedRequest): Decided['opens'] =>
  draft.lines.flatMap(({ ledger, party, debit, credit, reference, referenceDate, dueDate }, index) => {
    const control = facts.controlled?.get(ledger ?? '');
    if (!party || !control || control === 'stock') return [];
    const net = (debit ?? 0) - (credit ?? 0);
    const side = sides[control][net > 0 ? 0 : 1];
    const date = referenceDate ?? draft.date;
    const due = side === 'receivable' || side === 'payable' ? (dueDate ?? date) : null;
    const { currency } = draft;
    return [{ line: index + 1, party, side, date, due, currency, original: Math.abs(net), reference }];
  });
/** What a debit and a credit on an account of a party leave to settle. */
const sides = { customer: ['receivable', 'customerCredit'], supplier: ['supplierCredit', 'payable'] } as const;

/** Checks what is settled against what is open, and settles a note against its own invoice when nothing was said. */
function allocate(kind: Kind, request: CheckedRequest, original: number, loaded: Loaded): Decided['allocations'] {
  const { draft, id } = request;
  if (consumesCredits(kind)) return givenBack(kind, request, original, loaded);
  const credits = kind.books.opens === 'customerCredit' || kind.books.opens === 'supplierCredit';
  const against = draft.against ? openItem(loaded, { document: draft.against }) : undefined;
  const wanted = settledBy(kind, draft, original, loaded);
  const used = settled(wanted, settledSide[(credits ? kind.books.opens : against?.side) ?? ''], draft, loaded);
  const credit = credits ? id : draft.against;
  if (wanted.length === 0 || credit === undefined) return [];
  const most = credits ? original : Math.min(draft.amount ?? 0, openItem(loaded, { document: credit })?.open ?? 0);
  if (used > most) throw new Refusal('moreThanGiven', { amount: moneyText(most) });
  return wanted.map(({ document, line = 0, amount }) => ({
    credit,
    creditLine: 0,
    invoice: document,
    invoiceLine: line,
    amount,
  }));
}

/** Sums what is wanted of open items of this side; each must be the party's own and have as much open. */
function settled(wanted: readonly Allocation[], side: string | undefined, draft: Draft, loaded: Loaded): number {
  const taken = new Map<string, number>();
  for (const { document, line = 0, amount } of wanted) {
    const open = openItem(loaded, { document, line });
    const name = `${document}/${line}`;
    if (!open || open.party !== draft.party || open.currency !== draft.currency || open.side !== side)
      throw new Refusal('notFound');
    taken.set(name, (taken.get(name) ?? 0) + amount);
    if (amount <= 0 || (taken.get(name) ?? 0) > open.open) throw new Refusal('overAllocated', { number: open.number });
  }
  return wanted.reduce((t, { amount }) => t + amount, 0);
}

/** Which side a credit settles. */
const settledSide: Readonly<Record<string, string>> = { customerCredit: 'receivable', supplierCredit: 'payable' };

/** Money given back for credits (an advance, a return, a receipt on account): they are used up by it. */
function givenBack(
  kind: Kind,
  { draft, id }: CheckedRequest,
  original: number,
  loaded: Loaded,
): Decided['allocations'] {
  const wanted = usedUpBy(draft, original);
  const used = settled(wanted, kind.books.opens === 'receivable' ? 'customerCredit' : 'supplierCredit', draft, loaded);
  if (used > original) throw new Refusal('moreThanGiven', { amount: moneyText(original) });
  for (const { document } of wanted) {
    const source = loaded.sourceDocuments?.find((s) => s.id === document);
    // an advance stands on a ledger of its own, with its tax: what takes from the party's account does not move it
    const row = source && kindCalled(source.kind);
    if (row && movesAdvances(row) !== movesAdvances(kind))
      throw new Refusal('allocationPosts', { number: source.number });
  }
  return wanted.map(({ document, line = 0, amount }) => ({
    credit: document,
    creditLine: line,
    invoice: id,
    invoiceLine: 0,
    amount,
  }));
}

/** The stock ledger moves exactly as the stock balances do: what the entries leave out (goods that filled a hole) is cost of others. */
function stockDifference(
  kind: Kind,
  request: CheckedRequest,
  entries: readonly Entry[],
  moved: readonly { readonly cost: Paise }[],
): Entry[] {
  const { stock } = request.ledgers;
  const against = request.ledgers[costEffect(kind)];
  const gap = gapOf(request, entries, moved);
  if (gap === 0 || stock === against) return [];
  const { registration, location } = request.draft;
  const [debit, credit] = gap > 0 ? [stock, against] : [against, stock];
  const amount = paise(Math.abs(gap));
  return [
    { ledger: debit, debit: amount, credit: paise(0), registration, location },
    { ledger: credit, debit: paise(0), credit: amount, registration, location },
  ];
}

/** How much more the stock balances were moved by than the stock ledger. */
function gapOf(request: CheckedRequest, entries: readonly Entry[], moved: readonly { readonly cost: Paise }[]): number {
  if (!request.settings.perpetual || moved.length === 0) return 0;
  const booked = entries.reduce((t, e) => (e.ledger === request.ledgers.stock ? t + e.debit - e.credit : t), 0);
  return moved.reduce((t, m) => t + m.cost, 0) - booked;
}

/**
 * The original's entries on the other side, its movements back at what they cost by now. What its cost was revised by since
 * is taken back by a cost revision too.
 */
function decideMirror(
  request: CheckedRequest,
  original: NonNullable<CheckedRequest['mirrorOf']>,
  loaded: Loaded,
  opened: Opened,
): Decision {
  const now = loaded.cancelling?.find((c) => c.id === original.document);
  if (now?.followed) throw new MadeMeanwhile(`${now.followed} was made from ${now.number}`);
  const moved = original.movements.map((m, index) => {
    const worth = paise(-(now?.costs[index] ?? m.cost));
    const back = { ...m, quantity: millionths(0 - m.quantity), value: worth, number: index + 1 };
    const undone = movementKey(original.document, back.number);
    const cost = moveOn(opened.stockBalances, request, back, worth, { undone });
    return { ...back, cost, ...(m.lateCost && { value: cost }) };
  });
  const revised = moveLater(opened.stockBalances, opened.later, request, moved);
  // what settles it next meets the account where it stands by now
  const entries = onAccountsOfToday(mirror(original.entries), request.ledgers, loaded.accounts ?? new Map());
  const { date, registration, location, costCentre } = request.draft;
  const gap = gapOf(request, entries, moved);
  const own = { date, registration, location, costCentre: costCentre ?? null, kind: original.kind, amount: gap };
  return {
    request,
    priced: price(resolve(kindOf(request.kind), { ...request.draft, lines: [] }, request.facts)),
    entries,
    movements: moved,
    ...revision(request, loaded, revised, [own]),
    placeOfSupply: undefined,
    opens: [],
    allocations: [],
    links: [{ source: original.document, role: 'reversal' }],
  };
}
