import type { Kind } from '../document/kinds/kind.ts';
import type { Rule } from './posting.ts';

/*
 * What the posting rule of a kind says of the kind. Only this file looks for parts of a rule: a part that is renamed or
 * split is mended here and in posting.ts.
 */

type Part = Rule[number][1];

const has = ({ books }: Kind, ...parts: readonly Part[]): boolean =>
  books.posting.some(([, part]) => parts.includes(part));

/** Has no entries of its own. */
export const postsNothing = ({ books }: Kind): boolean => books.posting.length === 0;
/** Takes something on top of the document, or off it, after tax. */
export const takesNonTaxable = (kind: Kind): boolean => has(kind, 'adjustments');
/** Is posted to a ledger of advances. */
export const movesAdvances = (kind: Kind): boolean => has(kind, 'advanceReceived', 'advancePaid');
/** Need not balance: the difference goes to the ledger of opening balances. */
export const mayHaveGap = (kind: Kind): boolean => has(kind, 'openingGap');
/** Money comes in through a bank, which may keep charges back. */
export const comesThroughBank = (kind: Kind): boolean => has(kind, 'bank');
/** Money goes out through a bank, which may take charges on top. */
export const goesThroughBank = (kind: Kind): boolean => has(kind, 'bankOut');
/** Settles documents of a party with money that is in the books already. */
export const appliesCredit = (kind: Kind): boolean => has(kind, 'appliedReceivable', 'appliedPayable');
/** Books tax that customs have assessed. */
export const booksCustomsTax = (kind: Kind): boolean => has(kind, 'customsTax');
/** May be paid at once, from the ledger of money that it names. */
export const mayPayAtOnce = (kind: Kind): boolean => has(kind, 'payableOrPaid');
/** On which side its tenders stand: money that comes in, or goes back. */
export const sideOfTenders = ({ books }: Kind): 'debit' | 'credit' | undefined =>
  books.posting.find(([, part]) => part === 'tenders')?.[0];
/** Takes money at once, in tenders. */
export const takesTenders = (kind: Kind): boolean => has(kind, 'tenders');
/** Books tax credit of what is bought. */
export const booksInputTax = (kind: Kind): boolean => has(kind, 'inputTax');
/** Is posted as its lines are written. */
export const postsAsWritten = (kind: Kind): boolean => has(kind, 'written');
/** Whether what its goods cost goes to the ledger of stock adjustments, and not to cost of goods sold. */
export const costsAreAdjustments = ({ books }: Kind): boolean =>
  [...books.posting, ...(books.perpetual ?? [])].some(
    ([, part]) => part === 'adjustment' || part === 'purchaseReturned',
  );

/** Which open items a document of money settles: those on the side of the account that its rule is posted to. */
export function settles({ books }: Kind): 'receivable' | 'payable' | 'customerCredit' | 'supplierCredit' | undefined {
  for (const [side, part] of books.posting) {
    if (part === 'settledReceivable' || part === 'appliedReceivable')
      return side === 'credit' ? 'receivable' : 'customerCredit';
    if (part === 'settledPayable' || part === 'appliedPayable') return side === 'debit' ? 'payable' : 'supplierCredit';
  }
  return undefined;
}
