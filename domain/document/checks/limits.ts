import { addDays, compareDays, dayInWords, isDay } from '../../base/dates.ts';
import { HUNDRED_PERCENT, ONE, type Percent, percent, percentText } from '../../base/decimal.ts';
import { apportion, paise, scale } from '../../base/money.ts';
import { type Said, say } from '../../base/say.ts';
import { rateWithTax, takesPriceList } from '../../items/item-price.ts';
import type { Draft, DraftLine, PricedLine } from '../document.ts';
import { cutsPrice } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { type ItemFacts, proposed } from '../resolve.ts';
import { sourceKey } from '../sources.ts';
import type { Checking, CheckingPriced, Finding, PricedCheck, TypedCheck } from './check.ts';

/** What the roles of a person allow them beside levels. Null: no limit. */
export interface Limits {
  /** The highest discount that they may give, of the list price. */
  readonly discount: Percent | null;
  /** So many days before today a document may be dated. */
  readonly days: number | null;
}
export const noLimits: Limits = { discount: null, days: null };

/** The wider of two limits. */
const wider = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : Math.max(one, other);
/** Of several roles the widest limit counts; without a role there is nothing to limit. */
export const widest = (all: readonly Limits[]): Limits =>
  all.reduce<Limits | undefined>(
    (one, other) =>
      one
        ? { discount: wider(one.discount, other.discount) as Percent | null, days: wider(one.days, other.days) }
        : other,
    undefined,
  ) ?? noLimits;
/** Whether limits are no wider than one's own. */
export const isWithin = (own: Limits, given: Limits): boolean => {
  const one = widest([own, given]);
  return one.discount === own.discount && one.days === own.days;
};

/** What is offered or sold: discounts on it are given by us. What corrects a sale names it. */
export const givesDiscount = (kind: Kind): boolean =>
  takesPriceList(kind) &&
  kind.gst.tax === 'output' &&
  kind.party.side === 'customer' &&
  !kind.fields.includes('against');

/**
 * A bill that its till has numbered was handed over with its goods, perhaps without the network: it is booked, and says that it
 * is beyond the limit.
 */
export const isHandedOver = ({ till }: Draft): boolean => till?.counter !== undefined;

function dated({ draft: { date }, facts: { limits }, today }: Checking): Finding[] {
  const days = limits?.days ?? null;
  if (days === null || !isDay(date)) return [];
  const first = addDays(today, -days);
  if (compareDays(date, first) >= 0) return [];
  const most = days === 0 ? say('only with today’s date') : say('from {{first}} on', { first: dayInWords(first) });
  return [
    {
      field: 'date',
      ...say('Your roles allow dates {{most}}: a user with a wider limit can post or approve this one', {
        most,
      }),
    },
  ];
}

/** Amounts are whole paise: a discount that was shared over the lines is rounded. */
const ROUNDED = 1;

/** What is taken off after tax, shared over the lines by what they come to. What is added beside it makes up for none of it. */
function offAfterTax({ draft, priced }: CheckingPriced): readonly number[] {
  const off = (priced.adjustments ?? []).reduce((t, { amount }) => t + Math.max(0, -amount), 0);
  if (off === 0) return [];
  return apportion(
    paise(off),
    draft.lines.map((_, row) => Math.max(0, priced.lines[row]?.total ?? 0)),
  );
}

/**
 * The list price as the line states its rate. A rate with the tax in it is compared with the list price and its tax, also where
 * the item's own price is proposed as it is.
 */
function listPrice(
  { kind, draft, facts, pricing }: CheckingPriced,
  line: DraftLine,
  item: ItemFacts | undefined,
  { cgst, sgst, igst, cess }: PricedLine,
): number | undefined {
  if (!pricing.taxInclusive || cgst + sgst + igst + cess === 0 || !item)
    return proposed(kind, line, item, draft, facts);
  const net = proposed(kind, line, item, { ...draft, taxInclusive: false }, facts);
  return net && rateWithTax(net, item, line);
}

/** Each line less all discounts is compared with its list price, or with its rate where that is higher. */
function discounted(checking: CheckingPriced): Finding[] {
  const { kind, draft, facts, pricing, priced } = checking;
  const most = facts.limits?.discount ?? null;
  if (most === null || !givesDiscount(kind)) return [];
  const rupees = (amount: number) =>
    pricing.currency === 'INR' ? paise(amount) : scale(amount, pricing.exchangeRate, ONE);
  const off = offAfterTax(checking);
  return draft.lines.flatMap((line, row): Finding[] => {
    const made = priced.lines[row];
    if (!made) return [];
    const item = line.item === undefined ? undefined : facts.items.get(line.item);
    const listed = Math.max(listPrice(checking, line, item, made) ?? 0, made.rate);
    // what goes along for nothing is given like a discount
    const sent = made.quantity + (line.freeQuantity ?? 0);
    const whole = rupees(scale(sent, listed, 10_000_000_000));
    const given = whole - (made.gross - made.discountAmount - made.documentDiscount) + (off[row] ?? 0);
    if (whole <= 0 || given <= scale(whole, most, HUNDRED_PERCENT) + ROUNDED) return [];
    const share = percentText(percent(scale(given, HUNDRED_PERCENT, whole)));
    return [
      {
        field: 'lines.discount',
        row,
        ...say(
          'This is {{share}} % below the list price, and your roles allow {{most}} %: a user with a higher limit can post or approve it',
          { share, most: percentText(most) },
        ),
      },
    ];
  });
}

/**
 * A note takes off a part of a price that was sold at. What notes have taken off a line by now counts, against what the goods of
 * it were sold at that did not come back; where the line is not in the books, all of it was given.
 */
function reduced({ kind, draft, facts, priced }: CheckingPriced): Finding[] {
  const most = facts.limits?.discount ?? null;
  if (most === null || !cutsPrice(kind) || kind.gst.tax !== 'output') return [];
  return draft.lines.flatMap(({ source: named }, row): Finding[] => {
    const cut = priced.lines[row]?.value ?? 0;
    const sourced = named && facts.sources.get(sourceKey(named));
    const isMeasured = sourced !== undefined && sourced.quantity > 0;
    const whole = isMeasured ? scale(sourced.taxable, sourced.leftQuantity, sourced.quantity) : cut;
    const before = isMeasured ? whole - sourced.left.value + (sourced.financial?.value ?? 0) : 0;
    const given = Math.max(0, before) + cut;
    if (cut <= 0 || given <= scale(Math.max(0, whole), most, HUNDRED_PERCENT) + ROUNDED) return [];
    const by = whole > 0 ? `${percentText(percent(scale(given, HUNDRED_PERCENT, whole)))} %` : say('all');
    return [{ field: 'lines.rate', row, ...overLimit(say('Notes reduce the quantity sold by {{by}}', { by }), most) }];
  });
}

const overLimit = (what: Said, most: Percent): Said =>
  say('{{what}}, and your roles allow {{most}} %: a user with a higher limit can post or approve it', {
    what,
    most: percentText(most),
  });

/** What a receipt gives off beside its money, of the documents that it settles: their amounts in it, so that many receipts give no more. */
function forgiven({ kind, draft, facts: { limits } }: Checking): Finding[] {
  const most = limits?.discount ?? null;
  if (most === null || kind.lines.of !== 'none' || kind.party.side !== 'customer') return [];
  const { discountAmount = 0, writeOff = 0, allocations = [] } = draft;
  const given = discountAmount + writeOff;
  const settled = allocations.reduce((total, { amount }) => total + amount, 0);
  if (given <= 0 || given <= scale(settled, most, HUNDRED_PERCENT) + ROUNDED) return [];
  const by = settled > 0 ? `${percentText(percent(scale(given, HUNDRED_PERCENT, settled)))} %` : say('all');
  const field = discountAmount > 0 ? 'discountAmount' : 'writeOff';
  return [{ field, ...overLimit(say('Discount and write-off are {{by}} of the amount settled', { by }), most) }];
}

const source = 'decisions on rights: discount and back-dating are limits of the role';

export const datedWithinLimit: TypedCheck = {
  code: 'datedBeyondLimit',
  weight: 'problem',
  source,
  find: (checking) => (isHandedOver(checking.draft) ? [] : dated(checking)),
};
export const tillDatedBeyondLimit: TypedCheck = {
  code: 'tillDatedBeyondLimit',
  weight: 'warning',
  source,
  find: (checking) => (isHandedOver(checking.draft) ? dated(checking) : []),
};
export const discountWithinLimit: PricedCheck = {
  code: 'discountBeyondLimit',
  weight: 'problem',
  source,
  find: (checking) => (isHandedOver(checking.draft) ? [] : discounted(checking)),
};
export const noteWithinLimit: PricedCheck = {
  code: 'noteBeyondLimit',
  weight: 'problem',
  source,
  find: reduced,
};
export const forgivenWithinLimit: TypedCheck = {
  code: 'forgivenBeyondLimit',
  weight: 'problem',
  source,
  find: forgiven,
};
export const tillDiscountBeyondLimit: PricedCheck = {
  code: 'tillDiscountBeyondLimit',
  weight: 'warning',
  source,
  find: (checking) => (isHandedOver(checking.draft) ? discounted(checking) : []),
};
