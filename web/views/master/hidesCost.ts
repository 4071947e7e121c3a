import type { Field } from '../../../contract/masters.ts';
import type { Session } from '../../../contract/session.ts';

/** Whether a field says what goods cost to somebody whose roles show that nowhere: the server leaves it out, and keeps what it holds. */
export const hidesCost = (
  { limits }: Pick<Session, 'limits'>,
  field: Field | undefined,
  values: Readonly<Record<string, unknown>>,
): boolean => {
  const { cost } = field ?? {};
  if (limits.cost !== 'none' || cost === undefined) return false;
  return cost === true || Object.entries(cost).every(([other, value]) => values[other] === value);
};
