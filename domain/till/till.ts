import { HUNDRED_PERCENT, type Millionths, millionths, ONE, type Percent, percent } from '../base/decimal.ts';
import { type Paise, paise, scale, sum, zero } from '../base/money.ts';
import type { BatchPart, Day, Id, Tender } from '../document/document.ts';
import { tenderModes } from '../document/fields.ts';
import type { Kind } from '../document/kinds/kind.ts';
import type { ItemFacts } from '../document/resolve.ts';
import { type ItemPrice, type ItemPrices, itemPrice } from '../items/item-price.ts';
import { firstExpiryFirstOut, type HeldBatch, partName } from '../stock/parts.ts';
import { mayBeSold, type ShelfLife } from '../stock/shelf-life.ts';

export { tenderModes };
export type TenderMode = (typeof tenderModes)[number];

/** Notes and coins in rupees, the largest first. */
export const denominations = [2000, 500, 200, 100, 50, 20, 10, 5, 2, 1] as const;
/** How many there are of each note and coin; the denomination is the key. */
export type CashCount = Readonly<Record<string, number>>;

/** What a count comes to. A denomination that does not exist counts nothing. */
export const counted = (count: CashCount): Paise =>
  sum(denominations.map((rupees) => paise((count[String(rupees)] ?? 0) * rupees * 100)));

/** Where the prices of a till come from: the sale rate with tax added or with the tax in it, or the printed retail price. */
export const priceSources = ['saleRate', 'saleRateWithTax', 'mrp'] as const;
export type PriceSource = (typeof priceSources)[number];

/** What is at the till's place of an item that is kept in batches or by serial number. */
export interface TillParts {
  readonly batches?: readonly HeldBatch[];
  readonly serials?: readonly string[];
}

/** What a till needs to know of an item beside its facts. */
export interface TillItem extends ItemFacts, TillParts {
  readonly barcode: string | null;
  readonly mrp: Millionths | null;
  /** The item that it is a variant of, and its category: rows of price lists may be for those. */
  readonly parent: Id | null;
  readonly category: Id | null;
  /** Of its small picture, for lists. */
  readonly picture?: Id | null;
}

/**
 * A price in whole paise with the tax in it, as retail shows prices; undefined for an item without a price. `taxed`:
 * the seller may charge tax.
 */
export function tillPrice(
  item: Pick<TillItem, 'mrp'> & ItemFacts,
  from: PriceSource,
  taxed: boolean,
): Millionths | undefined {
  const bare = item.saleRate ?? undefined;
  if (from === 'mrp' && item.mrp !== null) return wholePaise(item.mrp);
  if (bare === undefined) return undefined;
  if (from === 'saleRateWithTax' || !taxed || item.treatment !== 'taxable') return wholePaise(bare);
  const rate = HUNDRED_PERCENT + item.gstRate + item.cessRate;
  return wholePaise(scale(bare, rate, HUNDRED_PERCENT) + item.cessPerUnit * PAISA);
}

/** What a price at a till depends on beside its item. */
export interface AtTill {
  readonly kind: Kind;
  readonly date: Day;
  readonly quantity: Millionths;
  /** The seller may charge tax. */
  readonly taxed: boolean;
  /** What it costs at this till without a list (`tillPrice`). */
  readonly own: Millionths | undefined;
}

/** The price of an item at a till by the lists that apply there, in whole paise with tax; otherwise the item's own price there. */
export function listedAtTill(item: ItemFacts, at: AtTill, prices: readonly ItemPrices[]): ItemPrice | undefined {
  const { kind, date, quantity, taxed, own } = at;
  const asked = { date, quantity, currency: 'INR', exchangeRate: millionths(ONE), taxInclusive: true, own };
  const found = itemPrice(kind, taxed ? item : { ...item, treatment: 'exempt' }, asked, prices);
  // without a price of its own and one of a list it has none: its bare sale rate is without the tax
  return (
    found && (found.list === undefined && own === undefined ? undefined : { ...found, rate: wholePaise(found.rate) })
  );
}

/** One paisa in millionths of a rupee. */
const PAISA = 10_000;
const wholePaise = (rate: number): Millionths => millionths(scale(rate, 1, PAISA) * PAISA);

/** What was put on the counter, by mode, and what stays on the customer's account. */
export interface Paid {
  readonly given: Readonly<Partial<Record<TenderMode, Paise>>>;
  readonly onAccount: Paise;
}

export interface Settled {
  /** What the books get: change is taken off the cash. */
  readonly tenders: readonly Tender[];
  readonly onAccount: Paise;
  readonly change: Paise;
  /** Still to be paid; nothing when the bill can be finished. */
  readonly left: Paise;
  /** More than the bill was paid in what gives no change: by so much. */
  readonly over: Paise;
}

/**
 * Settles a bill with what was given. Nothing given at all is the exact amount in cash. Change is only given on cash, so
 * that card, UPI and account together never exceed the bill.
 */
export function settleBill(
  payable: Paise,
  { given, onAccount }: Paid,
  ledgers: Readonly<Record<TenderMode, string>>,
): Settled {
  const amounts = tenderModes.map((mode) => given[mode] ?? zero);
  const nothing = sum([...amounts, onAccount]) === 0;
  const cash = nothing ? payable : (given.cash ?? zero);
  const other = paise(sum([...amounts, onAccount]) - (given.cash ?? zero));
  const due = Math.max(payable - other, 0);
  const kept = paise(Math.min(cash, due));
  const tenders = tenderModes
    .map((mode) => ({ mode, ledger: ledgers[mode], amount: mode === 'cash' ? kept : (given[mode] ?? zero) }))
    .filter(({ amount }) => amount > 0);
  return {
    tenders,
    onAccount,
    change: paise(cash - kept),
    left: paise(due - kept),
    over: paise(Math.max(other - payable, 0)),
  };
}

/** How much is given off what the till's prices come to, in ten-thousandths of a percent; nothing when more is asked than they say. */
export const shareOff = (listed: Paise, charged: Paise): Percent =>
  percent(listed > 0 ? Math.max(scale(paise(listed - charged), HUNDRED_PERCENT, listed), 0) : 0);

/** What was scanned: `3*8901234` is three of that code. Undefined when the quantity is no number. */
export function scanned(typed: string): { readonly quantity: string; readonly code: string } | undefined {
  const [, quantity, code = ''] = /^\s*(?:([\d.]*)\s*\*\s*)?(.*?)\s*$/.exec(typed) ?? [];
  if (quantity === undefined) return { quantity: '1', code };
  return /^\d{1,9}(\.\d{1,6})?$/.test(quantity) ? { quantity, code } : undefined;
}

/** An item that was meant, with one of its batches or serial numbers where that was scanned. */
export interface Meant<T> {
  readonly item: T;
  readonly batch?: string;
  readonly serial?: string;
}

type Scanned = Pick<TillItem, 'id' | 'barcode' | 'sku' | 'name' | 'batched' | 'serialised' | 'batches' | 'serials'>;

/** By batch and serial number as it is scanned: what it is of. */
export type PartIndex<T> = ReadonlyMap<string, readonly Meant<T>[]>;
export function indexParts<T extends Scanned>(items: readonly T[]): PartIndex<T> {
  const index = new Map<string, Meant<T>[]>();
  const add = (part: string, meant: Meant<T>) => {
    const known = index.get(partName(part));
    if (known) known.push(meant);
    else index.set(partName(part), [meant]);
  };
  for (const item of items) {
    for (const serial of item.serials ?? []) add(serial, { item, serial });
    for (const { batch } of item.batches ?? []) add(batch, { item, batch });
  }
  return index;
}

/**
 * The items that a text means: one whose barcode or SKU it is, one of whose batches or serial numbers it is, else
 * those whose name or code holds all its words.
 */
export function itemsMeant<T extends Scanned>(
  items: readonly T[],
  typed: string,
  parts: PartIndex<T> = new Map(),
): readonly Meant<T>[] {
  const code = typed.trim().toLowerCase();
  if (code === '') return [];
  const exact = items.find((i) => i.barcode?.toLowerCase() === code) ?? items.find((i) => i.sku.toLowerCase() === code);
  if (exact) return choicesOf(exact);
  const part = parts.get(partName(code));
  if (part) return part;
  const words = code.split(/\s+/);
  return items
    .filter((i) => {
      const text = `${i.name} ${i.sku} ${i.barcode ?? ''}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .flatMap(choicesOf);
}

/** A serial number has to be named; of batches what expires first goes, unless one of them is. */
function choicesOf<T extends Scanned>(item: T): readonly Meant<T>[] {
  if (item.serialised) return (item.serials ?? []).map((serial) => ({ item, serial }));
  if (!item.batched || (item.batches?.length ?? 0) < 2) return [{ item }];
  return [{ item }, ...(item.batches ?? []).map(({ batch }) => ({ item, batch }))];
}

/** What other bills of this till took of batches and serial numbers that the server does not count yet; by `partKey`. */
export type Taken = ReadonlyMap<string, number>;
export const partKey = (item: string, part: string): string => `${item}/${partName(part)}`;

export interface BatchesWanted {
  readonly quantity: number;
  readonly batch?: string | undefined;
  readonly day: Day;
  /** Where the shelf life of goods is looked at. */
  readonly life?: ShelfLife | null | undefined;
}

/**
 * The batches of a line: the one that was named, else what expires first of what may still be sold. Less than wanted
 * where not enough is left.
 */
export function batchesFor(
  { id, batches = [] }: Pick<TillItem, 'id' | 'batches'>,
  { quantity, batch, day, life }: BatchesWanted,
  taken: Taken,
): BatchPart[] {
  const left = batches.map((held) => ({
    ...held,
    quantity: millionths(Math.max(held.quantity - (taken.get(partKey(id, held.batch)) ?? 0), 0)),
  }));
  const named = batch === undefined ? left : left.filter((held) => partName(held.batch) === partName(batch));
  return firstExpiryFirstOut(
    named.filter(({ expiry }) => mayBeSold(expiry, day, life)),
    quantity,
  ).map(({ batch: name, quantity: part, expiry }) => ({ batch: name, quantity: part, ...(expiry && { expiry }) }));
}
