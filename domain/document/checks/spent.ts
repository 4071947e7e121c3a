import { type Said, say } from '../../base/say.ts';
import type { Nature } from '../../books/ledger-uses.ts';
import type { Finding, TypedCheck } from './check.ts';

/**
 * What is spent is an expense, an asset, or pays a debt. Owners' money and income change by other entries, and what goods cost
 * follows the stock balances; but private spending is drawn from capital, and some expenses are recovered: somebody says so.
 */
export const spentElsewhere: TypedCheck = {
  code: 'spentElsewhere',
  weight: 'reason',
  source: 'Companies Act 2013, Schedule III: expenses apart from revenue and from shareholders’ funds',
  find: ({ kind, draft: { lines }, facts: { natures, ledgers } }) =>
    kind.lines.of === 'expenses'
      ? lines.flatMap(({ ledger }, row): Finding[] => {
          if (ledger === undefined) return [];
          const nature = natures?.get(ledger);
          const message = ledger === ledgers?.cogs ? ofCost : nature && unspentNatures[nature];
          return message ? [{ field: 'lines.ledger', row, ...message }] : [];
        })
      : [],
};
const ofCost = say(
  'This ledger is the cost of goods sold, which is posted with each sale: choose an expense or asset ledger, or give the reason for ' +
    'booking it here',
);
const unspentNatures: Readonly<Partial<Record<Nature, Said>>> = {
  equity: say('This ledger is capital: choose one of expenses or assets, or say why it is booked here'),
  income: say('This ledger is income: choose one of expenses or assets, or say why it is booked here'),
};
