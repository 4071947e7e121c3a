import { say } from '../../base/say.ts';
import type { TypedCheck } from './check.ts';
import { opensBills } from './opening-bills.ts';

/**
 * An advance from before the books has no document of its own here, with its tax: nothing can be set off or given back by it. On the
 * account of the party it is a credit like any other.
 */
export const openingAdvance: TypedCheck = {
  code: 'openingAdvance',
  weight: 'reason',
  source: 'CGST Act section 13(2): the tax on an advance is due when it is received, here before the books',
  find: ({ kind, draft, facts: { ledgers, parties } }) => {
    if (!opensBills(kind) || !ledgers) return [];
    const advances = [ledgers.advanceCustomer, ledgers.advanceSupplier];
    return draft.lines.flatMap(({ ledger = '', party }, row) => {
      if (!party || !advances.includes(ledger)) return [];
      const message = say(
        'An opening advance on this ledger cannot be set against bills or refunded: enter it on the account of {{party}}, or say why not',
        { party: parties?.get(party)?.name ?? say('the party') },
      );
      return [{ field: 'lines.ledger', row, ...message }];
    });
  },
};
