import { type Said, say } from '../base/say.ts';
import type { Draft, Id, Problem } from '../document/document.ts';
import type { Kind } from '../document/kinds/kind.ts';

/** Ledgers that are kept in another currency, each with its code: banks abroad, accounts of exporters, foreign cash. */
export type LedgerCurrencies = ReadonlyMap<Id, string>;

/**
 * What moves a ledger of another currency says how much of that currency: a document in it, or a line of a journal by its own
 * amount, which is nothing where only the rupees change.
 */
export function currencyProblems(
  kind: Kind,
  draft: Draft,
  { currencies }: { readonly currencies?: LedgerCurrencies },
): Problem[] {
  const kept = (ledger: Id | undefined): string | undefined => currencies?.get(ledger ?? '');
  const other = (ledger: Id | undefined, field: string, row?: number): Problem[] => {
    const currency = kept(ledger);
    if (currency === undefined || (field === 'moneyLedger' && currency === draft.currency)) return [];
    const message =
      field === 'moneyLedger'
        ? say('This ledger is kept in {{currency}}: the document is in {{other}}', {
            currency,
            other: draft.currency,
          })
        : say('This ledger is kept in {{currency}}: choose another', { currency });
    return [{ field, ...message, ...(row !== undefined && { row }) }];
  };
  const line = ({ ledger, foreign }: Draft['lines'][number], row: number): Problem[] => {
    const currency = kept(ledger);
    if (kind.lines.of !== 'ledgers') return other(ledger, 'lines.ledger', row);
    const wrong = (message: Said): Problem[] => [{ field: 'lines.foreign', row, ...message }];
    if (currency === undefined)
      return foreign === undefined ? [] : wrong(say('This ledger is kept in rupees: it has no other amount'));
    if (foreign === undefined)
      return wrong(say('Enter the amount in {{currency}}; 0 where only the rupees change', { currency }));
    return foreign < 0 ? wrong(say('An amount is not negative: debit and credit say which way')) : [];
  };
  return [
    ...draft.lines.flatMap(line),
    ...other(draft.moneyLedger, 'moneyLedger'),
    ...(draft.tenders ?? []).flatMap(({ ledger }, row) => other(ledger, 'tenders.ledger', row)),
    ...(draft.charges ?? []).flatMap(({ ledger }, row) => other(ledger, 'charges.ledger', row)),
  ];
}
