import { sql } from 'kysely';
import { say } from '../../domain/base/say.ts';
import type { Id, Problem } from '../../domain/document/document.ts';
import type { Context } from '../context.ts';
import { type Counted, decimalsProblems } from '../kit/measures.ts';
import type { Trx, Values } from './records.ts';

type Where = Pick<Context, 'organisation'>;
const rowsOf = (value: unknown): readonly Values[] => (Array.isArray(value) ? value : []);
/** Quantities of fields that are filled in; `from` tells field and row. */
const filled = (value: unknown, unit: unknown, at: Counted['at']): Counted[] =>
  value === undefined || value === null ? [] : [{ quantity: Number(value), unit: String(unit ?? ''), at }];

/** Reorder levels of an item are counted in its unit. */
export const levelDecimals = (trx: Trx, { organisation }: Where, values: Values): Promise<Problem[]> =>
  decimalsProblems(trx, organisation, [
    ...filled(values.reorderLevel, values.unit, { field: 'reorderLevel' }),
    ...rowsOf(values.reorderLevels).flatMap(({ level, upTo }, row) => [
      ...filled(level, values.unit, { field: 'reorderLevels.level', row }),
      ...filled(upTo, values.unit, { field: 'reorderLevels.upTo', row }),
    ]),
  ]);

/** A price of an item holds from so many of its own unit on. */
export async function stepDecimals(trx: Trx, { organisation }: Where, values: Values): Promise<Problem[]> {
  const prices = rowsOf(values.prices);
  const items = prices.flatMap(({ item, from }) => (item && from !== undefined ? [String(item)] : []));
  if (items.length === 0) return [];
  const { rows } = await sql<{ id: Id; unit: string }>`
    select id, unit
      from items
     where organisation = ${organisation}
       and id = any(${items}::uuid[])`.execute(trx);
  const units = new Map(rows.map(({ id, unit }) => [id, unit]));
  return decimalsProblems(
    trx,
    organisation,
    prices.flatMap(({ item, from }, row) =>
      item ? filled(from, units.get(String(item)), { field: 'prices.from', row }) : [],
    ),
  );
}

/** One of a unit is so many of another, which is counted in its own decimals. */
export const factorDecimals = async (trx: Trx, { organisation }: Where, values: Values): Promise<Problem[]> =>
  (await decimalsProblems(trx, organisation, filled(values.factor, values.to, { field: 'factor' }))).map((problem) => ({
    ...problem,
    ...say('{{message}}: enter the conversion the other way round', { message: problem.message }),
  }));
