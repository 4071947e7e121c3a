import { sql } from 'kysely';
import { millionths, quantityText } from '../../../../domain/base/decimal.ts';
import type { Id } from '../../../../domain/document/document.ts';
import type { Kind } from '../../../../domain/document/kinds/kind.ts';
import type { EntryGoods } from '../../../../domain/tax/customs.ts';
import type { Executor } from '../../../kit/database/sql.ts';

/** The goods of a purchase abroad, with what of each line no bill of entry covers yet. */
export async function entryGoods(run: Executor, organisation: number, bill: Id): Promise<EntryGoods[]> {
  const { rows } = await sql<{ line: number; name: string; unit: string; quantity: string; covered: string }>`
    select * from entry_goods(${organisation}, ${bill}::uuid)`.execute(run);
  return rows.map(({ line, name, unit, quantity, covered }) => ({
    ...{ line, name, unit, quantity: millionths(Number(quantity)) },
    left: millionths(Math.max(0, Number(quantity) - Number(covered))),
  }));
}

/** Lines of a source for the editor of a bill of entry: goods with their name and what is left to cover. */
export async function withCovered<L extends { readonly line?: unknown; readonly document?: unknown }>(
  run: Executor,
  organisation: number,
  kind: Kind,
  sources: readonly L[],
): Promise<readonly L[]> {
  const document = sources[0]?.document;
  if (!kind.fields.includes('customs') || document === undefined) return sources;
  const goods = new Map((await entryGoods(run, organisation, String(document))).map((each) => [each.line, each]));
  return sources.map((source) => {
    const found = goods.get(Number(source.line));
    return found
      ? { ...source, goods: { name: found.name, unit: found.unit, left: quantityText(found.left) } }
      : source;
  });
}
