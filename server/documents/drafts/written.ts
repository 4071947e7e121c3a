import { sql } from 'kysely';
import type { z } from 'zod';
import type { documentView } from '../../../contract/documents.ts';
import {
  type Millionths,
  millionths,
  moneyText,
  percentText,
  quantityText,
  rateText,
} from '../../../domain/base/decimal.ts';
import { type Paise, paise } from '../../../domain/base/money.ts';
import { writtenTotal } from '../../../domain/document/approval.ts';
import type { Draft, Id, Priced } from '../../../domain/document/document.ts';
import type { KeptFigures } from '../../../domain/document/figures.ts';
import { kindOf } from '../../../domain/document/kinds/index.ts';
import { price } from '../../../domain/document/price.ts';
import { type Facts, resolve } from '../../../domain/document/resolve.ts';
import { atCost } from '../../../domain/stock/at-cost.ts';
import { move } from '../../../domain/stock/stock.ts';
import { advance, type StockState } from '../../../domain/stock/valuation.ts';
import type { Context } from '../../context.ts';
import { keptFigures } from '../posting/checks/approve.ts';
import { factsOf, withFacts } from '../posting/facts/draft-facts.ts';
import { kindAsked } from '../posting/kinds.ts';
import { enrichedDraft } from '../posting/request/enrich.ts';
import { centresNamed } from '../read/centres-named.ts';
import { pricedText } from '../read/wire.ts';
import { estimate } from '../stock/at-cost.ts';
import { expiriesOf } from '../stock/expiries.ts';
import { readable } from './drafts.ts';

type View = z.input<typeof documentView>;
type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

type WrittenParts = 'priced' | 'lines' | 'entries' | 'movements' | 'links' | 'money';

/**
 * What a draft that is to be approved says: its lines and sums, and what it moves, as they would be posted now; what
 * it settles or continues, and the ledger of its money. `figures`: those that it would be posted with now.
 */
export async function written(
  trx: Trx,
  context: Context,
  kept: { readonly kind: string; readonly body: unknown },
): Promise<{ readonly shown: Pick<View, WrittenParts>; readonly figures: KeptFigures }> {
  const { kind: name } = kept;
  const typed = await enrichedDraft(trx, context, readable(kept));
  const kind = kindOf(kindAsked(name));
  const facts = await factsOf(trx, context, typed);
  const draft = withFacts(typed, facts);
  const rooms = await namesOf(
    trx,
    context,
    'masters',
    draft.lines.flatMap(({ room }) => room ?? []),
  );
  const expiries = await expiriesOf(trx, context, draft.lines);
  const atPrice = price(resolve(kind, draft, facts));
  const moving =
    kind.stock.effect === 'adjust' && context.settings.trackInventory
      ? await adjusted(trx, context, draft, atPrice, facts)
      : undefined;
  const priced = moving
    ? {
        ...atCost(
          kind,
          atPrice,
          moving,
          moving.map(({ cost }) => cost),
        ),
        atCost: 'estimated' as const,
      }
    : await estimate(trx, context, kind, draft, atPrice);
  const total = writtenTotal(kind, draft, priced);
  const shown: Pick<View, WrittenParts> = {
    priced: { ...pricedText({ ...priced, total }), lines: [] },
    lines: priced.lines.map((l) => ({
      number: l.number,
      item: l.item ?? null,
      sku: (l.item && facts.items.get(l.item)?.sku) ?? null,
      description: l.description,
      hsn: l.hsn,
      unit: l.unit,
      quantity: quantityText(draft.lines[l.number - 1]?.delta ?? l.quantity),
      rate: rateText(l.rate),
      gstRate: percentText(l.gstRate),
      taxable: moneyText(l.taxable),
      cgst: moneyText(l.cgst),
      sgst: moneyText(l.sgst),
      igst: moneyText(l.igst),
      cess: moneyText(l.cess),
      total: moneyText(l.total),
      openQuantity: '0',
      room: rooms.get(draft.lines[l.number - 1]?.room ?? '') ?? null,
      expiries: expiries.get(l.number) ?? [],
      closed: null,
    })),
    entries: kind.lines.of === 'ledgers' ? await debits(trx, context, draft) : [],
    movements:
      moving?.map((moved) => ({ ...moved, quantity: quantityText(moved.quantity), cost: moneyText(moved.cost) })) ?? [],
    links: await named(trx, context, draft),
    money: draft.moneyLedger
      ? ((await namesOf(trx, context, 'ledgers', [draft.moneyLedger])).get(draft.moneyLedger) ?? null)
      : null,
  };
  return { shown, figures: keptFigures({ kind: kindAsked(name), draft, facts, settings: context.settings }) };
}

/** The lines of a journal, on the ledgers that they name. */
async function debits(trx: Trx, { organisation }: Context, { lines, costCentre }: Draft): Promise<View['entries']> {
  const { rows } = await sql<{
    id: Id;
    code: string;
    name: string;
  }>`
    select id, code, name
    from ledgers
    where organisation = ${organisation} and id = any(${lines.flatMap(({ ledger }) => ledger ?? [])}::uuid[])
  `.execute(trx);
  const centres = await centresNamed(trx, organisation, { costCentre, lines });
  const parties = await sql<{
    id: Id;
    name: string;
  }>`
    select id, name
    from parties
    where organisation = ${organisation} and id = any(${lines.flatMap(({ party }) => party ?? [])}::uuid[])
  `.execute(trx);
  return lines.flatMap((line, at) => {
    const ledger = rows.find(({ id }) => id === line.ledger);
    return ledger
      ? [
          {
            leg: at + 1,
            ledger: ledger.id,
            code: ledger.code,
            name: ledger.name,
            debit: moneyText(line.debit ?? 0),
            credit: moneyText(line.credit ?? 0),
            party: parties.rows.find(({ id }) => id === line.party)?.name ?? null,
            costCentre: centres[line.costCentre ?? costCentre ?? ''] ?? null,
            due: null,
          },
        ]
      : [];
  });
}

/** Names of masters or ledgers by their ids. */
async function namesOf(
  trx: Trx,
  { organisation }: Context,
  table: 'masters' | 'ledgers',
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{
    id: Id;
    name: string;
  }>`select id, name from ${sql.table(table)} where organisation = ${organisation} and id = any(${[...ids]}::uuid[])`.execute(
    trx,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

interface Moving {
  readonly line: number;
  readonly item: string;
  readonly location: string;
  readonly quantity: Millionths;
  readonly cost: Paise;
}

/** Goods that go or come by an adjustment, at what they cost as the stock balance stands. */
async function adjusted(
  trx: Trx,
  { organisation, settings }: Context,
  draft: Draft,
  priced: Priced,
  { items }: Facts,
): Promise<readonly Moving[]> {
  const moved = move(kindOf(kindAsked(draft.kind)), priced.lines, draft, {
    location: draft.location,
    toLocation: draft.toLocation,
    transit: undefined,
  });
  const { rows } = await sql<{
    item: Id;
    quantity: string;
    value: string;
    layers: readonly string[];
  }>`
    select item, quantity, value, layers::text[] as layers
    from item_balances
    where organisation = ${organisation}
      and location = ${draft.location}::uuid
      and item = any(${moved.map(({ item }) => item)}::uuid[])
  `.execute(trx);
  const {
    rows: [place],
  } = await sql<{
    name: string;
  }>`select name from locations where organisation = ${organisation} and id = ${draft.location}::uuid`.execute(trx);
  const nothing: StockState = { balance: { quantity: millionths(0), value: paise(0), layers: [] }, lastRate: paise(0) };
  const states = new Map(
    rows.map(({ item, quantity, value, layers }): [Id, StockState] => [
      item,
      {
        ...nothing,
        balance: {
          quantity: millionths(Number(quantity)),
          value: paise(Number(value)),
          layers: layers.flatMap((held, at) =>
            at % 2 === 0 ? [{ quantity: millionths(Number(held)), value: paise(Number(layers[at + 1])) }] : [],
          ),
        },
      },
    ]),
  );
  return moved.map(({ line, item, quantity, value }) => {
    const { state, cost } = advance(settings.valuation, states.get(item) ?? nothing, {
      quantity,
      ...(value !== undefined && { value }),
    });
    states.set(item, state);
    return { line, item: items.get(item)?.name ?? '', location: place?.name ?? '', quantity, cost };
  });
}

/** What it continues, and what it settles with how much. */
async function named(
  trx: Trx,
  { organisation }: Context,
  { lines, against, order, allocations = [] }: Draft,
): Promise<View['links']> {
  const settled = new Map<Id, number>();
  for (const { document, amount } of allocations) settled.set(document, (settled.get(document) ?? 0) + amount);
  const sources = [
    ...new Set([
      ...lines.flatMap(({ source }) => source?.document ?? []),
      ...(against ? [against] : []),
      ...(order ? [order] : []),
    ]),
  ];
  const all = [...sources, ...settled.keys()];
  if (all.length === 0) return [];
  const { rows } = await sql<{
    id: Id;
    kind: string;
    number: string;
  }>`select id, kind, number from documents where organisation = ${organisation} and id = any(${all}::uuid[])`.execute(
    trx,
  );
  const link = (document: Id, role: View['links'][number]['role'], amount: string | null) =>
    rows.filter(({ id }) => id === document).map((row) => ({ ...row, role, amount }));
  return [
    ...sources.flatMap((id) => link(id, 'source', null)),
    ...[...settled].flatMap(([id, amount]) => link(id, 'allocation', moneyText(amount))),
  ];
}
