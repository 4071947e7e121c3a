import { millionths, money, percentage, quantity } from '../base/decimal.ts';
import { type Paise, paise } from '../base/money.ts';
import { effectNames, effects, type Ledgers } from '../books/effects.ts';
import { lineCost, post } from '../books/posting.ts';
import type { Draft, Entry, Id, Priced, PricedLine, SourceLeft } from '../document/document.ts';
import { kindOf, takesBack } from '../document/kinds/index.ts';
import { price } from '../document/price.ts';
import {
  accountOfParty,
  type Facts,
  type ItemFacts,
  isOverseas,
  isSezParty,
  isTaxedSupplier,
  type PartyFacts,
  resolve,
  type SourceLine,
  sourceKey,
} from '../document/resolve.ts';
import { amountsLeft } from '../document/sources.ts';
import type { CaseItem, CaseStep, WorkedCase } from '../facts/cases.ts';
import { dutyOf, type Holding, type Landed, land, type ReceivedLine, reprice } from '../stock/landing.ts';
import { costsByLine, move } from '../stock/stock.ts';
import { apply, type Balance, emptyBalance } from '../stock/valuation.ts';
import { tdsEffectOf } from '../tax/withheld.ts';
import { lessOf } from './source-line.ts';

/** The usual posting map with account codes for ids, so that entries read as the chart does. */
export const codes: Ledgers = Object.fromEntries(effectNames.map((name) => [name, effects[name][1]])) as Ledgers;

export const itemFacts = (item: CaseItem): ItemFacts => ({
  id: item.sku,
  sku: item.sku,
  name: item.sku,
  service: item.service,
  stocked: item.stocked,
  // rule 31D is for pan masala and tobacco
  hsn: item.hsn ?? (item.service ? '998313' : item.retailPrice === undefined ? '847130' : '21069020'),
  unit: 'NOS',
  units: { NOS: { base: 1, per: 1 } },
  treatment: item.treatment,
  gstRate: percentage(item.gstRate),
  cessRate: percentage(item.cessRate),
  cessPerUnit: money(item.cessPerUnit),
  retailPrice: item.retailPrice === undefined ? null : money(item.retailPrice),
  saleRate: null,
  purchaseRate: null,
  incomeLedger: null,
  expenseLedger: item.expenseLedger ?? null,
  creditBlocked: item.creditBlocked ?? false,
  scrap: item.scrap ?? false,
});

const amountsOf = ({ taxable, value, foreignValue: foreign, cgst, sgst, igst, cess }: PricedLine): SourceLeft => ({
  ...{ taxable, value, foreign },
  ...{ cgst, sgst, igst, cess },
});

export interface Walked {
  readonly priced: Priced;
  readonly entries: readonly Entry[];
  readonly costs: ReadonlyMap<number, Paise>;
}

/** What documents posted so far have left behind. */
interface Walk {
  readonly world: WorkedCase;
  readonly party: PartyFacts;
  readonly items: ReadonlyMap<string, ItemFacts>;
  readonly posted: Map<Id, { readonly draft: Draft; readonly priced: Priced }>;
  readonly stockBalances: Map<string, Balance>;
  /** What documents that take back have taken of a line. */
  readonly used: Map<string, { quantity: number; left: SourceLeft }>;
}

const partyOf = ({ party }: WorkedCase): PartyFacts => ({
  id: 'party',
  name: 'Party',
  ...party,
  gstin: ['unregistered', 'overseas'].includes(party.category) ? null : '29AAACA1111A1Z5',
  hasPan: true,
  microSmall: false,
  creditDays: 0,
  hasAddress: true,
});

const sourceLine = (source: { readonly document: Id; readonly line: number }, line: PricedLine): SourceLine => {
  const { item, ledger, hsn, unit, quantity: ofLine, taxable, gstRate, treatment } = line;
  const { cessRate, cessPerUnit, retailPrice, freeQuantity, baseQuantity, rate, discount } = line;
  return {
    ...{ ...source, hsn, unit, quantity: ofLine, taxable, gstRate, treatment, cessRate, cessPerUnit },
    ...(item !== undefined && { item }),
    ...(ledger !== undefined && { ledger }),
    ...(retailPrice !== undefined && { retailPrice }),
    ...{ leftQuantity: ofLine, leftFree: freeQuantity, leftBase: baseQuantity, left: amountsOf(line), rate, discount },
  };
};

/** The lines that a draft is made from, less what was taken of them before. */
const sourcesOf = ({ posted, used }: Walk, draft: Draft): Map<string, SourceLine> =>
  new Map(
    draft.lines.flatMap(({ source }) => {
      const line = source && posted.get(source.document)?.priced.lines[source.line - 1];
      if (!source || !line) return [];
      const known = sourceLine(source, line);
      const before = used.get(sourceKey(source));
      return [[sourceKey(source), before ? lessOf(known, before.quantity, before.left) : known]];
    }),
  );

const factsOf = (walk: Walk, { draft, atOther }: CaseStep): Facts => {
  const { world, party, items } = walk;
  const own = { registration: 'own', ...world.own };
  const away = atOther || draft.toRegistration === 'other';
  const other = away && world.other ? { registration: 'other', ...world.other } : undefined;
  return {
    own: atOther && other ? other : own,
    party: draft.party ? party : undefined,
    items,
    sources: sourcesOf(walk, draft),
    roundTotal: world.roundTotal,
    ...(other && { other: atOther ? own : other }),
    ...(world.tds && {
      tds: {
        section: world.tds.section,
        rate: percentage(world.tds.rate),
        base: money(world.tds.base),
      },
    }),
    ...(world.tcs && { tcs: { section: world.tcs.section, rate: percentage(world.tcs.rate) } }),
  };
};

/** What a cost that is known later adds to the goods of the bill that the document is against. */
const landingOf = ({ world, posted, stockBalances }: Walk, step: CaseStep, priced: Priced): Landed | undefined => {
  const { draft } = step;
  const kind = kindOf(step.kind);
  const bill = posted.get(draft.against ?? '');
  if (kind.stock.effect !== 'worth' || !bill) return undefined;
  const { location } = bill.draft;
  const holding: Holding = {
    method: world.valuation ?? 'average',
    held: (item, at) => (stockBalances.get(`${item}/${at}`) ?? emptyBalance).quantity,
  };
  if (kind.lines.of === 'items') {
    const boughtBy = (of: { readonly document: Id; readonly line: number }) => {
      const { item, baseQuantity: quantity = millionths(0) } = bill.priced.lines[of.line - 1] ?? {};
      return item === undefined ? undefined : { of: sourceKey(of), item, location, quantity, back: millionths(0) };
    };
    return reprice(takesBack(kind), priced.lines, draft.lines, boughtBy, lineCost, holding);
  }
  const lines = bill.priced.lines.map(
    ({ number, taxable, item, stocked, baseQuantity }): ReceivedLine => ({
      line: number,
      taxable,
      ...(item !== undefined &&
        stocked && {
          received: {
            ...{ item, location, quantity: baseQuantity },
            of: sourceKey({ document: draft.against ?? '', line: number }),
          },
        }),
    }),
  );
  return land(dutyOf(draft, true), lines, holding);
};

/** Moves the stock balances; costs of the document's movements, by line. */
const moveStock = (
  { world, stockBalances }: Walk,
  { key, kind, draft }: CaseStep,
  priced: Priced,
  landed: Landed | undefined,
): Map<number, Paise> => {
  const places = { location: draft.location, toLocation: draft.toLocation, transit: 'transit' };
  const movements = landed?.movements ?? move(kindOf(kind), priced.lines, draft, places);
  const costs = movements.map((movement) => {
    const balanceKey = `${movement.item}/${movement.location}`;
    const value = movement.value === undefined ? {} : { value: movement.value };
    const change = apply(world.valuation ?? 'average', stockBalances.get(balanceKey) ?? emptyBalance, {
      key: sourceKey({ document: key, line: movement.line }),
      quantity: movement.quantity,
      ...value,
      ...(movement.lateCost && { lateCost: movement.lateCost }),
    });
    stockBalances.set(balanceKey, change.balance);
    return change.cost;
  });
  return costsByLine(movements, costs);
};

/** Adds what the lines of a document take of their sources to what was taken before. */
const takeFromSources = ({ used }: Walk, priced: Priced): void => {
  for (const line of priced.lines) {
    const from = line.source ?? line.cuts;
    if (!from) continue;
    const before = used.get(sourceKey(from));
    const own = amountsOf(line);
    used.set(sourceKey(from), {
      quantity: (before?.quantity ?? 0) + (line.source ? line.quantity : 0),
      left: amountsLeft((name) => paise((before?.left[name] ?? 0) + own[name])),
    });
  }
};

const contextOf = ({ world, posted }: Walk, { kind, draft }: CaseStep, facts: Facts, priced: Priced) => ({
  ledgers: codes,
  draft,
  priced,
  lineEffect: kindOf(kind).books.lineEffect,
  ...(facts.party && {
    party: {
      id: facts.party.id,
      overseas: isOverseas(facts),
      taxed: isTaxedSupplier(facts),
      sez: isSezParty(facts),
      account: accountOfParty(facts.party),
    },
  }),
  ownComposition: facts.own.kind === 'composition' || facts.own.kind === 'unregistered',
  perpetual: world.valuation !== undefined,
  settled: (draft.allocations ?? []).map(({ document, amount }) => ({
    amount,
    rate: posted.get(document)?.draft.exchangeRate ?? quantity('1'),
  })),
  tdsEffect: tdsEffectOf(draft.tdsSection),
});

/** Posts documents one after the other without a database: sources, open documents and stock balances are kept in memory. */
export const walker = (world: WorkedCase) => {
  const walk: Walk = {
    world,
    party: partyOf(world),
    items: new Map(world.items.map((item) => [item.sku, itemFacts(item)])),
    posted: new Map(),
    stockBalances: new Map(),
    used: new Map(),
  };
  return (step: CaseStep): Walked => {
    const kind = kindOf(step.kind);
    const { draft } = step;
    const facts = factsOf(walk, step);
    const priced = price(resolve(kind, draft, facts));
    const landed = landingOf(walk, step, priced);
    const costs = moveStock(walk, step, priced, landed);
    const entries = post(kind, {
      ...contextOf(walk, step, facts, priced),
      costs: world.valuation === undefined ? new Map() : costs,
      ...(landed && { landed: landed.shares }),
    });
    walk.posted.set(step.key, { draft, priced });
    takeFromSources(walk, priced);
    return { priced, entries, costs };
  };
};
