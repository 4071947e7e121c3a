import { Refusal } from '../../../../contract/errors.ts';
import { ONE } from '../../../../domain/base/decimal.ts';
import { type Paise, paise, scale, sum, zero } from '../../../../domain/base/money.ts';
import { worthOf } from '../../../../domain/books/exchange.ts';
import { movesAdvances } from '../../../../domain/books/legs.ts';
import { foreignOwed, moneySettled, type PostingContext } from '../../../../domain/books/posting.ts';
import type { Allocation, Draft, Id, Priced } from '../../../../domain/document/document.ts';
import { consumesCredits, type Kind, settlesOthers } from '../../../../domain/document/kinds/index.ts';
import type { Loaded } from '../load.ts';

/** The open item that an allocation names: of a document as a whole, or of one of its lines. */
export const openItem = (loaded: Loaded, { document, line = 0 }: Pick<Allocation, 'document' | 'line'>) =>
  loaded.open?.find((o) => o.document === document && o.line === line);

/** What a document that leaves a credit settles: what was said, or the document that it is against. */
export function settledBy(kind: Kind, draft: Draft, original: number, loaded: Loaded): readonly Allocation[] {
  if (draft.allocations?.length) return draft.allocations;
  const against = draft.against ? openItem(loaded, { document: draft.against }) : undefined;
  if (!against || !settlesOthers(kind) || against.party !== draft.party || against.currency !== draft.currency)
    return [];
  const amount = paise(Math.min(against.open, original));
  return amount > 0 ? [{ document: against.document, amount }] : [];
}

/** What each of these takes off the account, by its open amount. */
const bookedAt = (wanted: readonly Allocation[], loaded: Loaded): Paise[] =>
  worthOf(wanted, (index) => {
    const { document, line = 0 } = wanted[index] ?? { document: '' as Id };
    const item = openItem(loaded, { document, line });
    return { name: `${document}/${line}`, open: item?.open ?? 0, worth: item?.worth ?? 0 };
  });

/** What settling takes off the account of the party in rupees, allocation by allocation; in rupees that is the amount itself. */
export interface Exchanged extends Pick<PostingContext, 'settled' | 'usedUp' | 'exchangeOnNote'> {
  readonly worth?: readonly { readonly invoiceWorth: Paise; readonly creditWorth: Paise }[];
}

/** Works out settlements in a foreign currency: each at what its document was booked at, the last of one at all that is left. */
export function exchanged(kind: Kind, draft: Draft, priced: Priced, loaded: Loaded): Exchanged {
  const priceless = kind.lines.of === 'none';
  if (draft.currency === 'INR') {
    const rate = (a: Allocation) => (openItem(loaded, a)?.exchange_rate ?? draft.exchangeRate) as Draft['exchangeRate'];
    return { settled: (draft.allocations ?? []).map((a) => ({ amount: a.amount, rate: rate(a) })) };
  }
  if (consumesCredits(kind)) return paidBack(kind, draft, loaded);
  const wanted = settledBy(kind, draft, foreignOwed(priced), loaded);
  const booked = bookedAt(wanted, loaded);
  const settled = wanted.map(({ amount }, i) => ({ amount, rate: draft.exchangeRate, booked: booked[i] ?? zero }));
  const same = booked.map((worth) => ({ invoiceWorth: worth, creditWorth: worth }));
  if (priceless && movesAdvances(kind) && !kind.books.opens)
    return { settled, ...applied(draft, wanted, booked, loaded) };
  if (priceless || !settlesOthers(kind)) return { settled, worth: same };
  // a note of another rate than its document: what it takes off the account is what was booked there
  const own = worthOf(wanted, () => ({ name: '', open: foreignOwed(priced), worth: priced.payable }));
  return { settled, worth: same, exchangeOnNote: paise(sum(booked) - sum(own)) };
}

/** The credits that money given back uses up: those named, or the whole of it the one it is against. */
export const usedUpBy = (draft: Draft, original: number): readonly Allocation[] =>
  draft.allocations?.length
    ? draft.allocations
    : draft.against && original > 0
      ? [{ document: draft.against, amount: paise(original) }]
      : [];

/** Money given back takes credits off their account at what they were booked at; what no credit stands behind is at the rate of the day. */
function paidBack(kind: Kind, draft: Draft, loaded: Loaded): Exchanged {
  const wanted = usedUpBy(draft, moneySettled({ draft }));
  const booked = bookedAt(wanted, loaded);
  const settled = wanted.map(({ amount }, i) => ({ amount, rate: draft.exchangeRate, booked: booked[i] ?? zero }));
  const rest = paise(moneySettled({ draft }) - sum(wanted.map(({ amount }) => amount)));
  const usedUp = paise(sum(booked) + scale(rest, draft.exchangeRate, ONE));
  const worth = booked.map((each) => ({ invoiceWorth: each, creditWorth: each }));
  return { settled, worth, ...(movesAdvances(kind) && { usedUp }) };
}

/** An advance that is applied leaves its own ledger at what it came in for. */
function applied(
  draft: Draft,
  wanted: readonly Allocation[],
  booked: readonly Paise[],
  loaded: Loaded,
): Pick<Exchanged, 'usedUp' | 'worth'> {
  const advance = draft.against ? openItem(loaded, { document: draft.against }) : undefined;
  if (!advance || advance.currency !== draft.currency) throw new Refusal('notFound');
  const used = worthOf(wanted, () => ({ name: '', open: advance.open, worth: advance.worth }));
  const worth = booked.map((invoiceWorth, i) => ({ invoiceWorth, creditWorth: used[i] ?? zero }));
  return { usedUp: sum(used), worth };
}
