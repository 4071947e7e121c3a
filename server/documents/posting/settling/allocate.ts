import { Refusal } from '../../../../contract/errors.ts';
import { moneyText } from '../../../../domain/base/decimal.ts';
import { movesAdvances } from '../../../../domain/books/legs.ts';
import type { Allocation, Draft } from '../../../../domain/document/document.ts';
import { consumesCredits, type Kind, kindCalled } from '../../../../domain/document/kinds/index.ts';
import type { Loaded } from '../load.ts';
import type { CheckedRequest, Decided, ReleasedAllocation } from '../types.ts';
import { openItem, settledBy, usedUpBy } from './exchange.ts';

/** An allocation the other way. */
export const takenBack = ({
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

/** Checks what is settled against what is open, and settles a note against its own invoice when nothing was said. */
export function allocate(
  kind: Kind,
  request: CheckedRequest,
  original: number,
  loaded: Loaded,
): Decided['allocations'] {
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
    // an advance has its own ledger, with its tax: a settlement of the party's account does not move it
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
