import { type Said, say } from '../../../../domain/base/say.ts';
import { type Checked, checked } from '../../../../domain/document/check.ts';
import { unaccepted } from '../../../../domain/document/checks/index.ts';
import type { Day, Draft, Id, Problem } from '../../../../domain/document/document.ts';
import { type KindName, kindOf } from '../../../../domain/document/kinds/index.ts';
import type { Facts } from '../../../../domain/document/resolve.ts';
import type { Found } from '../facts/facts.ts';

/**
 * All that is wrong with a draft: the checks of the domain, ledgers that take no entries, and warnings for which nobody has
 * given a reason.
 */
export function checkedWithLedgers(kind: KindName, draft: Draft, found: Found, facts: Facts, today: Day): Checked {
  const result = checked(kindOf(kind), draft, facts, today);
  const { problems, warnings } = result;
  return {
    ...result,
    problems: [...problems, ...ledgerProblems(draft, found, problems), ...unaccepted(draft, warnings)],
  };
}

/**
 * A draft names only ledgers that exist and are no groups (INV-10). Retired ledgers have their own check
 * (`domain/document/checks/retired.ts`). A field that has a problem already gets no second one.
 */
const ledgerProblems = (draft: Draft, found: Found, earlier: readonly Problem[]): Problem[] =>
  namedLedgers(draft)
    .filter(({ id, field, row }) => {
      const hasProblem = earlier.some((one) => one.field === field && one.row === row);
      return !hasProblem && !found.takes.has(id) && !found.retiredLedgers.has(id);
    })
    .map(({ id: _, ...at }) => ({ ...at, ...say('This ledger takes no entries') }));

const namedLedgers = (draft: Draft): (Omit<Problem, keyof Said> & { readonly id: Id })[] => [
  ...draft.lines.flatMap((l, row) => (l.ledger ? [{ id: l.ledger, field: 'lines.ledger', row }] : [])),
  ...(draft.moneyLedger ? [{ id: draft.moneyLedger, field: 'moneyLedger' }] : []),
  ...(draft.tenders ?? []).map((t, row) => ({ id: t.ledger, field: 'tenders.ledger', row })),
  ...(draft.charges ?? []).flatMap((c, row) => (c.ledger ? [{ id: c.ledger, field: 'charges.ledger', row }] : [])),
  ...(draft.adjustments ?? []).flatMap((a, row) =>
    a.ledger ? [{ id: a.ledger, field: 'adjustments.ledger', row }] : [],
  ),
];
