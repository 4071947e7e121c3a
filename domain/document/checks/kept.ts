import { effects } from '../../books/effects.ts';
import { betweenBranches } from '../../books/ledger-uses.ts';
import { mayHaveGap } from '../../books/legs.ts';
import type { Finding, TypedCheck } from './check.ts';

/** A written journal leaves ledgers between branches to the documents that move goods and money there. */
export const keptLedger: TypedCheck = {
  code: 'keptLedger',
  weight: 'problem',
  source: 'decisions on branch accounts: what one registration owes another stands on both',
  find: ({ kind, draft: { lines }, facts: { ledgerSeen } }) =>
    kind.lines !== 'ledgers' || kind.system || kind.onlyMoney || mayHaveGap(kind)
      ? []
      : lines.flatMap(({ ledger }, row): Finding[] => {
          const kept =
            ledger === undefined
              ? undefined
              : ledgerSeen?.(ledger)?.effects.find((name) => betweenBranches.includes(name));
          return kept
            ? [{ field: 'lines.ledger', row, message: `This ledger is kept for “${effects[kept][0]}”: choose another` }]
            : [];
        }),
};
