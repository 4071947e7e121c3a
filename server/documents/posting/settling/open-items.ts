import { addDays } from '../../../../domain/base/dates.ts';
import type { Entry, Id } from '../../../../domain/document/document.ts';
import { consumesCredits, type Kind } from '../../../../domain/document/kinds/index.ts';
import type { Loaded } from '../load.ts';
import type { CheckedRequest, Decided } from '../types.ts';

/**
 * Open items of documents that the user may not see do not exist for them, but for what is freed. A cancellation opens
 * them all the same.
 */
export const visible = ({ mirrorOf, frees = [], mayName }: CheckedRequest, loaded: Loaded): Loaded => {
  if (mirrorOf) return loaded;
  const isFreed = (document: Id): boolean => frees.some((f) => f.credit === document || f.invoice === document);
  return { ...loaded, open: (loaded.open ?? []).filter((item) => mayName(item) || isFreed(item.document)) };
};

/** The open amount once the document that this one reverses is freed. */
export function freed({ frees = [] }: CheckedRequest, loaded: Loaded): Loaded {
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

/** A document with its party on an entry leaves something to settle; a journal does so on each line with one. */
export function openedBy(kind: Kind, request: CheckedRequest, entries: readonly Entry[]): Decided['opens'] {
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
