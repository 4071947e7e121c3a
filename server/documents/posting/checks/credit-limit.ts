import { Refusal } from '../../../../contract/errors.ts';
import { moneyText, ONE } from '../../../../domain/base/decimal.ts';
import { scale } from '../../../../domain/base/money.ts';
import type { Draft, Id } from '../../../../domain/document/document.ts';
import type { Decided } from '../types.ts';

/** What a customer owes, with this batch, stays within their limit. */
export function refuseOverLimit(
  one: Decided,
  before: readonly Decided[],
  owed: readonly { readonly party: string; readonly name: string; readonly limit: number; readonly owed: number }[],
): void {
  const limited = owed.find((o) => owedBy(one, o.party) > 0);
  if (!limited) return;
  const alongside = before.reduce((t, d) => t + owedBy(d, limited.party), 0);
  const over = limited.owed + alongside + owedBy(one, limited.party) - limited.limit;
  if (over > 0) throw new Refusal('creditExceeded', { party: limited.name, amount: moneyText(over) });
}

/** What a document makes a customer owe more. */
const owedBy = ({ opens, request: { draft } }: Decided, party: Id): number =>
  opens.reduce((t, o) => (o.party === party && o.side === 'receivable' ? t + inRupees(o.original, draft) : t), 0);
const inRupees = (amount: number, { currency, exchangeRate }: Draft): number =>
  currency === 'INR' ? amount : scale(amount, exchangeRate, ONE);
