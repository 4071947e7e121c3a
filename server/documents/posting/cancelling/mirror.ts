import { millionths } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import { onAccountsOfToday } from '../../../../domain/books/accounts.ts';
import { mirror } from '../../../../domain/books/posting.ts';
import { kindOf } from '../../../../domain/document/kinds/index.ts';
import { price } from '../../../../domain/document/price.ts';
import { resolve } from '../../../../domain/document/resolve.ts';
import { moveLater, movementKey, moveOn } from '../../stock/balances.ts';
import type { Opened } from '../../stock/open-balances.ts';
import { gapOf } from '../../stock/stock-difference.ts';
import { type Decision, revision } from '../decision.ts';
import type { Loaded } from '../load.ts';
import { type CheckedRequest, MadeMeanwhile } from '../types.ts';

/**
 * The original's entries on the other side, its movements back at what they cost by now. What its cost was revised by since
 * is taken back by a cost revision too.
 */
export function decideMirror(
  request: CheckedRequest,
  original: NonNullable<CheckedRequest['mirrorOf']>,
  loaded: Loaded,
  opened: Opened,
): Decision {
  const now = loaded.cancelling?.find((c) => c.id === original.document);
  if (now?.followed) throw new MadeMeanwhile(`${now.followed} was made from ${now.number}`);
  const moved = original.movements.map((m, index) => {
    const worth = paise(-(now?.costs[index] ?? m.cost));
    const back = { ...m, quantity: millionths(0 - m.quantity), value: worth, number: index + 1 };
    const undone = movementKey(original.document, back.number);
    const cost = moveOn(opened.stockBalances, request, back, worth, { undone });
    return { ...back, cost, ...(m.lateCost && { value: cost }) };
  });
  const revised = moveLater(opened.stockBalances, opened.later, request, moved);
  // what settles it next meets the account where it stands by now
  const entries = onAccountsOfToday(mirror(original.entries), request.ledgers, loaded.accounts ?? new Map());
  const { date, registration, location, costCentre } = request.draft;
  const gap = gapOf(request, entries, moved);
  const own = { date, registration, location, costCentre: costCentre ?? null, kind: original.kind, amount: gap };
  return {
    request,
    priced: price(resolve(kindOf(request.kind), { ...request.draft, lines: [] }, request.facts)),
    entries,
    movements: moved,
    ...revision(request, loaded, revised, [own]),
    placeOfSupply: undefined,
    opens: [],
    allocations: [],
    links: [{ source: original.document, role: 'reversal' }],
  };
}
