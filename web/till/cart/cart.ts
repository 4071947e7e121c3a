import type { DraftBody } from '../../../contract/documents.ts';
import { allows } from '../../../contract/levels.ts';
import { millionths, moneyText, ONE, parseDecimal, percent, quantityText } from '../../../domain/base/decimal.ts';
import { type Paise, paise, scale, sum, zero } from '../../../domain/base/money.ts';
import { check } from '../../../domain/document/check.ts';
import type { BatchPart, Draft, Priced } from '../../../domain/document/document.ts';
import { kindFor, kindOf } from '../../../domain/document/kinds/index.ts';
import { price } from '../../../domain/document/price.ts';
import { type Facts, resolve } from '../../../domain/document/resolve.ts';
import {
  batchesFor,
  type Meant,
  partKey,
  type Settled,
  settleBill,
  shareOff,
  type TenderMode,
  type TillItem,
  tenderModes,
} from '../../../domain/till/till.ts';
import { parseAmount } from '../../kit/format.ts';
import { inLanguage, type Problem } from '../../kit/server/api.ts';
import { t } from '../../kit/text.ts';
import { type Counter, dayOf, ownKind, ownOf } from '../counter.ts';
import { addressOf, addressProblems, noAddress, type TypedAddress } from '../selling/address.ts';
import { linePrices, ownPrice, priceAt } from './prices.ts';

/** A line at the till; quantity and discount as they were typed. */
export interface CartLine {
  readonly key: string;
  readonly item: string;
  readonly quantity: string;
  /** Rupees with the tax in it, as it was when it was scanned; a price list may say otherwise for the quantity and the customer. */
  readonly rate: string;
  /** Percent. */
  readonly discount: string;
  /** The batch that was scanned or chosen; without one, what expires first. */
  readonly batch?: string;
  /** Each serial number was scanned: so many there are. */
  readonly serials?: readonly string[];
}
export interface CartParty {
  readonly id: string;
  readonly name: string;
}
/** A bill in the making. */
export interface Cart {
  readonly lines: readonly CartLine[];
  readonly selected: string;
  /** A customer of the books, or only a name and phone. */
  readonly party: CartParty | null;
  readonly name: string;
  readonly phone: string;
  /** Of a buyer whom the bill has to name and who has no party record. */
  readonly address?: TypedAddress;
  /** Percent off the whole bill. */
  readonly discount: string;
  readonly given: Readonly<Record<TenderMode, string>>;
  readonly reference: string;
  readonly onAccount: string;
  /** The refused bill that this one takes the place of. */
  readonly instead?: string;
}
export const emptyCart: Cart = {
  ...{ lines: [], selected: '', party: null, name: '', phone: '', discount: '' },
  ...{ given: { cash: '', card: '', upi: '' }, reference: '', onAccount: '' },
};

const addTexts = (a: string, b: string): string => quantityText((parseDecimal(a, 6) ?? 0) + (parseDecimal(b, 6) ?? 0));

/** Scanned again, an item gets more on its line, when nothing is off on that; else a line of its own. */
export function withItem(
  cart: Cart,
  item: TillItem,
  quantity: string,
  rate: string,
  key: string,
  { batch, serial }: Pick<Meant<TillItem>, 'batch' | 'serial'> = {},
): Cart {
  const same = cart.lines.find(
    (l) => l.item === item.id && l.rate === rate && l.discount === '' && l.batch === (batch ?? undefined),
  );
  if (same) {
    const serials = serial === undefined ? {} : { serials: [...(same.serials ?? []), serial] };
    return changed(cart, same.key, { quantity: addTexts(same.quantity, quantity), ...serials });
  }
  const line: CartLine = {
    ...{ key, item: item.id, quantity, rate, discount: '' },
    ...(batch !== undefined && { batch }),
    ...(serial !== undefined && { serials: [serial] }),
  };
  return { ...cart, selected: key, lines: [...cart.lines, line] };
}
const isOnBill = (cart: Cart, item: string, serial: string): boolean =>
  cart.lines.some((line) => line.item === item && line.serials?.includes(serial));

/** The rate that an item goes on the bill at, or why it cannot go on it as it was scanned. */
export function rateOfScanned(
  cart: Cart,
  counter: Counter,
  { item, serial }: Meant<TillItem>,
  quantity: string,
): { readonly rate: string } | { readonly refusal: string } {
  if (item.serialised && serial === undefined)
    return { refusal: t('Scan the serial number of {{name}}', { name: item.name }) };
  if (serial !== undefined && (counter.taken?.has(partKey(item.id, serial)) || isOnBill(cart, item.id, serial)))
    return { refusal: t('Serial number {{serial}} is sold already, or on this bill', { serial }) };
  if (serial !== undefined && quantity !== '1')
    return { refusal: t('A serial number is one piece: scan the next one') };
  const rate = ownPrice(counter, item) ?? priceAt(counter, item, quantity)?.rate;
  if (rate === undefined) return { refusal: t('{{name}} has no price: give it a sale rate', { name: item.name }) };
  if (!((parseDecimal(quantity, 6) ?? 0) > 0)) return { refusal: t('The quantity must be more than zero') };
  return { rate };
}
/** One more or less of a line; of serial numbers the last one goes, and the next is scanned. */
export function stepped(cart: Cart, key: string, by: number): Cart {
  const line = cart.lines.find((l) => l.key === key);
  const quantity = (parseDecimal(line?.quantity ?? '', 6) ?? 0) + by * ONE;
  if (line?.serials && by > 0) return cart;
  if (quantity <= 0) return without(cart, key);
  const serials = line?.serials && { serials: line.serials.slice(0, by) };
  return changed(cart, key, { quantity: quantityText(quantity), ...serials });
}
/** The line with other values is the selected one then. */
export const changed = (cart: Cart, key: string, patch: Partial<CartLine>): Cart => ({
  ...cart,
  selected: key,
  lines: cart.lines.map((l) => (l.key === key ? { ...l, ...patch } : l)),
});
export const without = (cart: Cart, key: string): Cart => {
  const lines = cart.lines.filter((l) => l.key !== key);
  return { ...cart, lines, selected: lines.at(-1)?.key ?? '' };
};
/** A line that was removed, in its old place again; nothing changes where it is there. */
export const putBack = (cart: Cart, line: CartLine, at: number): Cart =>
  cart.lines.some(({ key }) => key === line.key)
    ? cart
    : { ...cart, lines: cart.lines.toSpliced(at, 0, line), selected: line.key };
/** The line before or after the selected one. */
export const moved = (cart: Cart, by: number): Cart => {
  const at = cart.lines.findIndex((l) => l.key === cart.selected);
  const to = cart.lines[Math.min(Math.max(at + by, 0), cart.lines.length - 1)];
  return to ? { ...cart, selected: to.key } : cart;
};

/** The batches of each line: of two lines of an item the second takes what the first has left. */
export function batchesOf(
  cart: Cart,
  { items, session, taken = new Map() }: Counter,
): readonly (readonly BatchPart[])[] {
  const used = new Map(taken);
  return cart.lines.map(({ item: id, quantity, batch }) => {
    const item = items.get(id);
    if (!item?.batched) return [];
    const life = session.settings.enableShelfLife ? item.shelfLife : null;
    const wanted = { quantity: parseDecimal(quantity, 6) ?? 0, batch, day: dayOf(session), life };
    const parts = batchesFor(item, wanted, used);
    for (const part of parts)
      used.set(partKey(id, part.batch), (used.get(partKey(id, part.batch)) ?? 0) + part.quantity);
    return parts;
  });
}

/** An amount as people type it (1,000.50); undefined when it is none. */
const amountIn = (text: string): number | undefined => parseDecimal(parseAmount(text, 2) ?? '', 2);
const amountOf = (text: string): Paise => paise(amountIn(text) ?? 0);
const percentOf = (text: string) => (text === '' ? undefined : percent(parseDecimal(text, 4) ?? 0));

function draftOf(cart: Cart, counter: Counter): Draft {
  const { session, till } = counter;
  const batches = batchesOf(cart, counter);
  const prices = linePrices(cart.lines, counter);
  const off = percentOf(cart.discount);
  const billTo = addressOf(cart.address ?? noAddress, ownOf(counter)?.state ?? '');
  const partyName = [cart.name.trim(), cart.phone.trim()].filter(Boolean).join(' · ');
  return {
    ...{ kind: kindFor('tillBill'), date: dayOf(session), registration: till.registration, location: till.location },
    ...{ currency: 'INR', exchangeRate: millionths(ONE), taxInclusive: true },
    lines: cart.lines.map((l, at) => {
      const own = batches[at] ?? [];
      const discount = percentOf(l.discount);
      return {
        ...{ item: l.item, quantity: millionths(parseDecimal(l.quantity, 6) ?? 0) },
        rate: millionths(parseDecimal(prices[at]?.rate ?? '', 6) ?? 0),
        ...(discount !== undefined && { discount: { percent: discount } }),
        ...(own.length > 0 && { batches: own }),
        ...(l.serials && { serials: l.serials }),
      };
    }),
    ...(off !== undefined && { discount: { percent: off } }),
    ...(cart.party && { party: cart.party.id }),
    ...(!cart.party && partyName && { partyName }),
    ...(billTo && { billTo }),
    ...(till.session && { till: { session: till.session.id } }),
  };
}
/** What the price of a bill and its check depend on. */
export const factsOf = (counter: Counter, cart: Cart): Facts => {
  const { session, till, items, party } = counter;
  const own = ownOf(counter);
  return {
    own: { registration: till.registration, state: own?.state ?? '', kind: ownKind(counter) },
    party: cart.party && party?.id === cart.party.id ? party : undefined,
    ...{ items, sources: new Map(), roundTotal: session.settings.autoRoundOffTotals },
    einvoice: till.einvoice ? (own?.gstin ?? null) : null,
  };
};

export interface Summed {
  readonly priced: Priced;
  readonly settled: Settled;
}
/** What the bill comes to and how it is paid; null while a figure on it cannot be worked with. */
export function sumUp(cart: Cart, counter: Counter): Summed | null {
  try {
    const priced = price(resolve(kindOf(kindFor('tillBill')), draftOf(cart, counter), factsOf(counter, cart)));
    const given = Object.fromEntries(tenderModes.map((mode) => [mode, amountOf(cart.given[mode])]));
    const paid = { given, onAccount: amountOf(cart.onAccount) };
    return { priced, settled: settleBill(priced.payable, paid, counter.till.ledgers) };
  } catch (problem) {
    if (problem instanceof RangeError) return null;
    throw problem;
  }
}

const isDecimal = (text: string, places: number): boolean => parseDecimal(text, places) !== undefined;
/** What was typed that is no figure: named, never read as nothing. */
function typedWrong(cart: Cart): Problem[] {
  const lines = cart.lines.flatMap((l, row): Problem[] => [
    ...(isDecimal(l.quantity, 6) && (parseDecimal(l.quantity, 6) ?? 0) > 0
      ? []
      : [{ field: 'lines.quantity', row, message: t('Enter the quantity') }]),
    ...(l.discount === '' || isPercent(l.discount)
      ? []
      : [{ field: 'lines.discount', row, message: t('A discount is between 0 and 100 %') }]),
  ]);
  const amounts = [
    ...tenderModes.map((mode) => [mode, cart.given[mode]] as const),
    ['onAccount', cart.onAccount] as const,
  ];
  return [
    ...lines,
    ...(cart.discount === '' || isPercent(cart.discount)
      ? []
      : [{ field: 'discount', message: t('A discount is between 0 and 100 %') }]),
    ...addressProblems(cart.address ?? noAddress),
    ...amounts.flatMap(([field, text]) =>
      text === '' || (amountIn(text) ?? -1) >= 0 ? [] : [{ field, message: t('Enter an amount') }],
    ),
  ];
}
const isPercent = (text: string): boolean => {
  const value = parseDecimal(text, 4);
  return value !== undefined && value >= 0 && value <= 1_000_000;
};

/** Said before the bill is finished: the server would refuse it when the customer has gone. */
function tooMuchOff(cart: Cart, counter: Counter, priced: Priced): Problem | undefined {
  const { discountLimit } = counter.till;
  if (discountLimit === null || allows(counter.session.grants['PoS'], 'approve')) return undefined;
  const prices = linePrices(cart.lines, counter);
  const listed = sum(
    cart.lines.map(({ item: id, quantity }, at) => {
      const item = counter.items.get(id);
      const own = parseDecimal((item && priceAt(counter, item, quantity))?.rate ?? '', 6) ?? 0;
      const charged = parseDecimal(prices[at]?.rate ?? '', 6) ?? 0;
      return scale(parseDecimal(quantity, 6) ?? 0, Math.max(own, charged), 10_000_000_000);
    }),
  );
  const given = shareOff(listed, paise(priced.gross - priced.discount));
  if (given <= (parseDecimal(discountLimit, 4) ?? 0)) return undefined;
  return {
    field: 'discount',
    message: t('At most {{discountLimit}} % discount at this till; an approver may give more', { discountLimit }),
  };
}

/** Of batches only what is left is sold, and may still be. */
function notLeft(cart: Cart, counter: Counter): Problem[] {
  return batchesOf(cart, counter).flatMap((parts, row) => {
    const line = cart.lines[row];
    const item = line && counter.items.get(line.item);
    const left = parts.reduce((total, part) => total + part.quantity, 0);
    if (!item?.batched || left >= (parseDecimal(line?.quantity ?? '', 6) ?? 0)) return [];
    const where = line?.batch ? `batch ${line.batch}` : t('batches that may still be sold');
    return [
      {
        field: 'lines.quantity',
        row,
        message: t('Only {{left}} is left in {{where}}', { left: quantityText(left), where }),
      },
    ];
  });
}

/** The bill as it goes to the server, or what is wrong with it. */
export function billOf(
  cart: Cart,
  counter: Counter,
): { readonly body: DraftBody; readonly summed: Summed } | { readonly problems: readonly Problem[] } {
  const wrong = typedWrong(cart);
  const summed = wrong.length ? null : sumUp(cart, counter);
  if (!summed) return { problems: wrong.length ? wrong : [{ field: 'lines', message: t('This cannot be added up') }] };
  const { settled } = summed;
  if (settled.over > 0)
    return {
      problems: [
        {
          field: 'card',
          message: t('₹{{over}} more than the bill: change is given on cash only', { over: moneyText(settled.over) }),
        },
      ],
    };
  if (settled.left > 0)
    return {
      problems: [{ field: 'cash', message: t('₹{{left}} is still to be paid', { left: moneyText(settled.left) }) }],
    };
  const gone = notLeft(cart, counter);
  if (gone.length) return { problems: gone };
  const off = tooMuchOff(cart, counter, summed.priced);
  if (off) return { problems: [off] };
  const draft: Draft = { ...draftOf(cart, counter), tenders: settled.tenders, onAccount: settled.onAccount };
  // a phone alone is no name
  const { partyName: _, ...unnamed } = draft;
  const named = cart.name.trim() ? draft : unnamed;
  const problems = check(kindOf(kindFor('tillBill')), named, factsOf(counter, cart), dayOf(counter.session));
  if (problems.length) return { problems: problems.map(inLanguage) };
  return { summed, body: bodyOf(cart, counter, settled) };
}

const partsText = (line: Draft['lines'][number] | undefined): Pick<DraftBody['lines'][number], 'batches'> =>
  line?.batches ? { batches: line.batches.map((b) => ({ ...b, quantity: quantityText(b.quantity) })) } : {};

function bodyOf(cart: Cart, counter: Counter, { tenders, onAccount, change }: Settled): DraftBody {
  const { till } = counter;
  const draft = draftOf(cart, counter);
  const prices = linePrices(cart.lines, counter);
  const fields = {
    ...(cart.phone.trim() && { phone: cart.phone.trim() }),
    ...(change > zero && { change: moneyText(change) }),
  };
  return {
    ...{
      kind: draft.kind,
      date: draft.date,
      registration: till.registration,
      location: till.location,
      taxInclusive: true,
    },
    ...(cart.party && { party: cart.party.id }),
    ...(draft.partyName && { partyName: draft.partyName }),
    ...(draft.billTo && { billTo: draft.billTo }),
    lines: cart.lines.map(({ item, quantity, rate, discount, serials }, at) => ({
      ...{ item, quantity, rate: prices[at]?.rate ?? rate },
      ...partsText(draft.lines[at]),
      ...(serials && { serials: [...serials] }),
      ...(discount && { discount: { percent: discount } }),
    })),
    ...(cart.discount && { discount: { percent: cart.discount } }),
    tenders: tenders.map(({ ledger, mode, amount }) => ({
      ...{ ledger, mode: mode as TenderMode, amount: moneyText(amount) },
      ...(cart.reference.trim() && mode !== 'cash' && { reference: cart.reference.trim() }),
    })),
    ...(onAccount > zero && { onAccount: moneyText(onAccount) }),
    ...(draft.till && { till: { session: draft.till.session } }),
    ...(Object.keys(fields).length > 0 && { fields }),
  };
}
