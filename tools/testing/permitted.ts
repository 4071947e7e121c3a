import type { CallName } from '../../contract/calls.ts';
import { allowInput, allowRows, requireCase, stillAllows } from '../../server/access/check.ts';
import { may, parentsOfKind } from '../../server/access/index.ts';
import type { Rule } from '../../server/access/rule.ts';
import { rules } from '../../server/access/rules.ts';
import type { Context } from '../../server/context.ts';

/** Checks the rule of a call as the server does before the handler; answers the context that the handler then gets. */
export async function permitted(name: CallName, input: unknown, given: Context): Promise<Context> {
  const rule = rules[name] as Rule<unknown>;
  const context: Context = {
    ...given,
    may: (action, kind) => may(given.grants, action, parentsOfKind(kind)),
    still: (row, now) => stillAllows(context, rule, row, now),
    require: (named) => requireCase(given, rule, named, input),
  };
  allowInput(context, rule, input);
  await allowRows(context, rule, input);
  return context;
}
