import { millionths, money, percentage, quantity } from '../base/decimal.ts';
import { type Paise, paise } from '../base/money.ts';
import { effectNames, effects, type Ledgers } from '../books/effects.ts';
import { lineCost, type PostingContext, post } from '../books/posting.ts';
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
  hsn: item.service ? '998313' : item.retailPrice === undefined ? '847130' : '21069020',
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

/** Posts documents one after the other without a database: sources, open documents and stock balances are kept in memory. */
export const walker = (world: WorkedCase) => {
  const posted = new Map<Id, { readonly draft: Draft; readonly priced: Priced }>();
  const stockBalances = new Map<string, Balance>();
  const items = new Map(world.items.map((item) => [item.sku, itemFacts(item)]));
  const party: PartyFacts = {
    id: 'party',
    name: 'Party',
    ...world.party,
    gstin: ['unregistered', 'overseas'].includes(world.party.category) ? null : '29AAACA1111A1Z5',
    hasPan: true,
    microSmall: false,
    creditDays: 0,
    hasAddress: true,
  };
  /** What documents that take back have taken of a line. */
  const used = new Map<string, { quantity: number; left: SourceLeft }>();

  const sources = (draft: Draft): Map<string, SourceLine> =>
    new Map(
      draft.lines.flatMap(({ source }) => {
        const line = source && posted.get(source.document)?.priced.lines[source.line - 1];
        if (!source || !line) return [];
        const { item, ledger, hsn, unit, quantity: whole, taxable, gstRate, treatment } = line;
        const { cessRate, cessPerUnit, retailPrice, baseQuantity, rate, discount } = line;
        const known: SourceLine = {
          ...{ ...source, hsn, unit, quantity: whole, taxable, gstRate, treatment, cessRate, cessPerUnit },
          ...(item !== undefined && { item }),
          ...(ledger !== undefined && { ledger }),
          ...(retailPrice !== undefined && { retailPrice }),
          ...{
            leftQuantity: whole,
            leftFree: line.freeQuantity,
            leftBase: baseQuantity,
            left: amountsOf(line),
            rate,
            discount,
          },
        };
        const before = used.get(sourceKey(source));
        return [[sourceKey(source), before ? lessOf(known, before.quantity, before.left) : known]];
      }),
    );

  const factsOf = (step: CaseStep): Facts => {
    const own = { registration: 'own', ...world.own };
    const away = step.atOther || step.draft.toRegistration === 'other';
    const other = away && world.other ? { registration: 'other', ...world.other } : undefined;
    return {
      own: step.atOther && other ? other : own,
      party: step.draft.party ? party : undefined,
      items,
      sources: sources(step.draft),
      roundTotal: world.roundTotal,
      ...(other && { other: step.atOther ? own : other }),
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

  /** What a late cost adds to them. */
  const landing = ({ kind, draft }: CaseStep, priced: Priced): Landed | undefined => {
    const bill = posted.get(draft.against ?? '');
    if (kindOf(kind).stock.effect !== 'worth' || !bill) return undefined;
    const holding: Holding = {
      method: world.valuation ?? 'average',
      held: (item, at) => (stockBalances.get(`${item}/${at}`) ?? emptyBalance).quantity,
    };
    if (kindOf(kind).lines.of === 'items')
      return reprice(
        takesBack(kindOf(kind)),
        priced.lines,
        draft.lines,
        (of) => {
          const bought = bill.priced.lines[of.line - 1];
          return bought?.item === undefined
            ? undefined
            : {
                of: sourceKey(of),
                item: bought.item,
                location: bill.draft.location,
                quantity: bought.baseQuantity,
                back: millionths(0),
              };
        },
        lineCost,
        holding,
      );
    const { location } = bill.draft;
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

  /** Costs of the document's movements, by line. */
  const shelve = (step: CaseStep, priced: Priced, landed: Landed | undefined): Map<number, Paise> => {
    const { draft } = step;
    const places = { location: draft.location, toLocation: draft.toLocation, transit: 'transit' };
    const movements = landed?.movements ?? move(kindOf(step.kind), priced.lines, draft, places);
    const costs = movements.map((movement) => {
      const balanceKey = `${movement.item}/${movement.location}`;
      const value = movement.value === undefined ? {} : { value: movement.value };
      const change = apply(world.valuation ?? 'average', stockBalances.get(balanceKey) ?? emptyBalance, {
        key: sourceKey({ document: step.key, line: movement.line }),
        quantity: movement.quantity,
        ...value,
        ...(movement.lateCost && { lateCost: movement.lateCost }),
      });
      stockBalances.set(balanceKey, change.balance);
      return change.cost;
    });
    return costsByLine(movements, costs);
  };

  return (step: CaseStep): Walked => {
    const kind = kindOf(step.kind);
    const { draft } = step;
    const facts = factsOf(step);
    const priced = price(resolve(kind, draft, facts));
    const landed = landing(step, priced);
    const costs = shelve(step, priced, landed);
    const context: PostingContext = {
      ledgers: codes,
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
      ownComposition: facts.own.kind === 'composition' || facts.own.kind === 'unregistered',
      perpetual: world.valuation !== undefined,
      costs: world.valuation === undefined ? new Map() : costs,
      ...(landed && { landed: landed.shares }),
      settled: (draft.allocations ?? []).map(({ document, amount }) => ({
        amount,
        rate: posted.get(document)?.draft.exchangeRate ?? quantity('1'),
      })),
      tdsEffect: tdsEffectOf(draft.tdsSection),
    };
    const entries = post(kind, context);
    posted.set(step.key, { draft, priced });
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
    return { priced, entries, costs };
  };
};
