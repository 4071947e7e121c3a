import { sql } from 'kysely';
import type { Said } from '../../domain/base/say.ts';
import type { Problem } from '../../domain/document/document.ts';
import { decimalsProblem, type Measure } from '../../domain/stock/units.ts';
import type { Executor } from './database/sql.ts';

/** A quantity (in millionths) as it was typed, the unit that it is counted in, and its field. */
export interface Counted {
  readonly quantity: number;
  readonly unit: string | undefined;
  readonly at: Omit<Problem, keyof Said>;
}

/** Problems of quantities that have more decimals than their unit; an unknown unit gives none. */
export async function decimalsProblems(
  run: Executor,
  organisation: number,
  all: readonly Counted[],
): Promise<Problem[]> {
  const parts = all.filter(({ quantity }) => quantity % 1_000_000 !== 0);
  if (parts.length === 0) return [];
  const { rows } = await sql<{
    units: Record<string, Measure>;
  }>`select unit_measures(${organisation}) as units`.execute(run);
  const units = rows[0]?.units ?? {};
  return parts.flatMap(({ quantity, unit = '', at }) => {
    const decimals = units[unit.toUpperCase()]?.decimals;
    const message = decimals === undefined ? undefined : decimalsProblem(quantity, unit, decimals);
    return message ? [{ ...at, ...message }] : [];
  });
}
