import { decimalsProblem } from '../../stock/units.ts';
import type { Draft, DraftLine } from '../document.ts';
import type { Facts } from '../resolve.ts';
import type { Finding, TypedCheck } from './check.ts';

/** A quantity has no more decimals than its unit: nobody sells 0.0004 of a piece. */
export const unitDecimals: TypedCheck = {
  code: 'unitDecimals',
  weight: 'problem',
  source: 'fields of the product: decimals by unit of measure; the portal takes three decimals',
  find: ({ draft, facts }) => draft.lines.flatMap((line, row) => ofLine(line, row, facts)),
};

const quantities = ['quantity', 'freeQuantity', 'delta'] as const satisfies readonly (keyof DraftLine)[];

function ofLine(line: Draft['lines'][number], row: number, { items, units }: Facts): Finding[] {
  const unit = line.unit ?? (line.item === undefined ? undefined : items.get(line.item)?.unit);
  const decimals = unit === undefined ? undefined : units?.get(unit.toUpperCase())?.decimals;
  if (unit === undefined || decimals === undefined) return [];
  const wrong = (field: string, quantity: number | undefined): Finding[] => {
    const message = quantity === undefined ? undefined : decimalsProblem(quantity, unit, decimals);
    return message ? [{ field, row, ...message }] : [];
  };
  return [
    ...quantities.flatMap((field) => wrong(`lines.${field}`, line[field])),
    ...(line.batches ?? []).flatMap(({ quantity }) => wrong('lines.batches', quantity)).slice(0, 1),
  ];
}
