import { say } from '../base/say.ts';
import type { Draft, Id, Problem } from '../document/document.ts';
import type { Kind } from '../document/kinds/kind.ts';

const message = say('Choose a bank or cash ledger');

/**
 * Money comes to and leaves cash, bank, clearing and undeposited-funds ledgers only: those that a document names for its
 * money, its tenders, and every line of a kind that only moves money. Left out, `isMoney` finds nothing.
 */
export function moneyLedgerProblems(
  { lines: { onlyMoney } }: Kind,
  { moneyLedger, tenders = [], lines }: Draft,
  { isMoney }: { readonly isMoney?: (ledger: Id) => boolean },
): Problem[] {
  const isOther = (ledger: Id | undefined): boolean => !!ledger && isMoney?.(ledger) === false;
  return [
    ...(isOther(moneyLedger) ? [{ field: 'moneyLedger', ...message }] : []),
    ...tenders.flatMap(({ ledger }, row) => (isOther(ledger) ? [{ field: 'tenders.ledger', row, ...message }] : [])),
    ...lines.flatMap(({ ledger }, row) =>
      onlyMoney && isOther(ledger) ? [{ field: 'lines.ledger', row, ...message }] : [],
    ),
  ];
}

/**
 * The ledgers that a picker offers: those of money, those that a line may name by itself, those that a journal may without a
 * party, or also those with accounts of parties.
 */
export type LedgersOffered = 'moneyLedger' | 'entryLedger' | 'plainLedger' | 'journalLedger';

const offered: readonly string[] = [
  'moneyLedger',
  'entryLedger',
  'plainLedger',
  'journalLedger',
] satisfies LedgersOffered[];
/** Whether a picker offers ledgers, some or all. */
export const isLedgers = (pick: string | undefined): boolean => offered.includes(pick ?? '');

/** What the lines of a kind may name, as this check and that of controlled ledgers take it. */
export const ledgersOfLines = ({ lines }: Kind): LedgersOffered =>
  lines.onlyMoney ? 'moneyLedger' : lines.of === 'ledgers' ? 'journalLedger' : 'entryLedger';
