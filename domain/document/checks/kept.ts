import { say } from '../../base/say.ts';
import { effects } from '../../books/effects.ts';
import { betweenBranches, restated } from '../../books/ledger-uses.ts';
import { mayHaveGap } from '../../books/legs.ts';
import type { Finding, TypedCheck } from './check.ts';

/**
 * A written journal leaves ledgers between branches to the documents that move goods and money there, and those of restated
 * balances to the restatement. Opening balances may say what branches owed each other before the books.
 */
export const keptLedger: TypedCheck = {
  code: 'keptLedger',
  weight: 'problem',
  source:
    'decisions on branch accounts: what one registration owes another is in both; AS 11: open balances abroad are restated as a whole',
  find: ({ kind, draft: { lines, restates }, facts: { ledgerSeen } }) => {
    if (kind.lines.of !== 'ledgers' || kind.life.system || kind.lines.onlyMoney || restates) return [];
    const closed = mayHaveGap(kind) ? restated : [...betweenBranches, ...restated];
    return lines.flatMap(({ ledger }, row): Finding[] => {
      const kept =
        ledger === undefined ? undefined : ledgerSeen?.(ledger)?.effects.find((name) => closed.includes(name));
      return kept
        ? [
            {
              field: 'lines.ledger',
              row,
              ...say('This ledger is kept for “{{effects}}”: choose another', { effects: effects[kept][0] }),
            },
          ]
        : [];
    });
  },
};
