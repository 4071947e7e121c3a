import { moneySettled, type PostingContext, post } from '../../../domain/books/posting.ts';
import { writtenTotal } from '../../../domain/document/approval.ts';
import { adjustmentsOver } from '../../../domain/document/checks/added.ts';
import type { Draft, Movement, Priced } from '../../../domain/document/document.ts';
import { type Kind, kindOf } from '../../../domain/document/kinds/index.ts';
import { price } from '../../../domain/document/price.ts';
import { accountOfParty, isOverseas, isSezParty, isTaxedSupplier, resolve } from '../../../domain/document/resolve.ts';
import { atCost } from '../../../domain/stock/at-cost.ts';
import type { Landed } from '../../../domain/stock/landing.ts';
import { costsByLine, move } from '../../../domain/stock/stock.ts';
import { hasGst, isRegular } from '../../../domain/tax/gst/registration/registered.ts';
import { tdsEffectOf } from '../../../domain/tax/withheld.ts';
import { Problems } from '../../kit/problems.ts';
import { moveLater } from '../stock/balances.ts';
import { landing } from '../stock/later-costs.ts';
import { costMovements } from '../stock/movement-costs.ts';
import type { Opened } from '../stock/open-balances.ts';
import { stockDifference } from '../stock/stock-difference.ts';
import { decideMirror } from './cancelling/mirror.ts';
import { refuseFiledTax, refuseLockedDay } from './checks/locks.ts';
import { type Decision, revision } from './decision.ts';
import type { Loaded } from './load.ts';
import { allocate, takenBack } from './settling/allocate.ts';
import { exchanged } from './settling/exchange.ts';
import { freed, openedBy, visible } from './settling/open-items.ts';
import { refuseCancelledSource, refuseExceeded } from './sources/exceeded.ts';
import { sourcesFor } from './sources/source-lines.ts';
import { documentsFor } from './sources/sources.ts';
import type { CheckedRequest, Decided } from './types.ts';

/** Decides one document: tax, totals, stock, cost, entries, what it opens and settles. Pure but for the stock balances it moves. */
export function decide(request: CheckedRequest, found: Loaded, opened: Opened): Decision {
  const { draft } = request;
  const loaded = freed(request, visible(request, found));
  const kind = kindOf(request.kind);
  refuseLockedDay(request, loaded.lockedThrough);
  if (request.mirrorOf) refuseFiledTax(request, request.mirrorOf.entries);
  if (request.mirrorOf) return decideMirror(request, request.mirrorOf, loaded, opened);
  const facts = { ...request.facts, sources: sourcesFor(kind, loaded) };
  const added = (loaded.sources ?? []).length === 0 ? request.added : undefined;
  const pricing = added?.pricing ?? resolve(kind, draft, facts);
  const priced = added?.priced ?? price(pricing);
  refuseCancelledSource(loaded);
  refuseExceeded(kind, priced, facts.sources);
  refuseAdjustments(kind, draft, priced, loaded);
  const landed = landing(kind, request, priced, loaded, opened);
  const movements = landed?.movements ?? movementsOf(kind, request, priced);
  const stock = costMovements(movements, request, loaded, opened);
  const revised = moveLater(opened.stockBalances, opened.later, request, stock.moved);
  const { worth, ...settling } = exchanged(kind, draft, priced, loaded);
  const costs = costsByLine(stock.valued, stock.costs);
  const posted = post(kind, { ...contextOf(kind, request, priced), costs, ...landedShares(landed), ...settling });
  const entries = [...posted, ...stockDifference(kind, request, posted, stock.moved)];
  refuseFiledTax(request, entries);
  const opens = openedBy(kind, request, entries);
  const allocated = allocate(kind, request, opens[0]?.original ?? 0, loaded);
  return {
    request,
    placeOfSupply: hasPlaceOfSupply(kind, request) ? pricing.placeOfSupply : undefined,
    priced: withTotal(kind, draft, atCost(kind, priced, stock.valued, stock.costs)),
    entries,
    movements: stock.moved,
    givenBack: stock.givenBack,
    costSpans: stock.costSpans,
    ...(landed && { landed: landed.onAll ?? landed.shares }),
    ...revision(request, loaded, revised, []),
    opens,
    allocations: [
      ...(request.frees ?? []).map(takenBack),
      ...allocated.map((allocation, index) => ({ ...allocation, ...worth?.[index] })),
    ],
    links: linksOf(draft),
  };
}

/** What is given back after tax is at most what the documents that it is made from added after tax. */
function refuseAdjustments(kind: Kind, draft: Draft, priced: Priced, { sourceDocuments = [] }: Loaded): void {
  const problems = adjustmentsOver(
    kind,
    draft,
    priced,
    documentsFor(sourceDocuments, () => true),
  );
  if (problems.length > 0) throw new Problems(problems);
}

/** The goods that the document itself moves, and from where to where. */
function movementsOf(kind: Kind, { draft, settings, transit }: CheckedRequest, priced: Priced): readonly Movement[] {
  if (!settings.trackInventory) return [];
  return move(kind, priced.lines, draft, {
    location: draft.location,
    toLocation: draft.toLocation ?? draft.location,
    transit,
  });
}

const landedShares = (landed: Landed | undefined): Pick<PostingContext, 'landed'> =>
  landed ? { landed: landed.shares } : {};

/** What the posting rule of the kind reads, but for cost and settlement. */
const contextOf = (kind: Kind, { ledgers, draft, facts, settings }: CheckedRequest, priced: Priced) => ({
  ledgers,
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
  perpetual: settings.perpetual && settings.trackInventory,
  tdsEffect: tdsEffectOf(draft.tdsSection),
  ...(facts.currencies && { currencies: facts.currencies }),
});

/** What a document is made from, the order that it carries out, and what withheld the tax that it pays. */
function linksOf({ lines, against, order, challan }: Draft): Decided['links'] {
  const sources = [...lines.flatMap((l) => l.source?.document ?? []), ...(against ? [against] : [])];
  const of = (role: string, all: readonly string[]) => [...new Set(all)].map((source) => ({ source, role }));
  const paid = challan?.parts.map(({ document }) => document) ?? [];
  return [...of('source', sources), ...of('order', order ? [order] : []), ...of('challan', paid)];
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

/** Without registration there is none, unless tax of an advance that was paid before goes back: it goes back under its place. */
const hasPlaceOfSupply = (kind: Kind, { facts: { own, advance } }: CheckedRequest): boolean =>
  kind.gst.tax !== 'none' && (hasGst(own.kind) || (advance?.rate ?? 0) > 0);
