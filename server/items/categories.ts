import { sql } from 'kysely';
import type { Answer } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { itemCalls } from '../../contract/items.ts';
import type { Id } from '../../domain/document/document.ts';
import type { Context } from '../context.ts';
import { settingsNow } from '../kit/settings-now.ts';
import type { Trx } from '../masters/index.ts';

const asked = [
  'unit',
  'hsn',
  'treatment',
  'gstRate',
  'cessRate',
  'batched',
  'serialised',
  'incomeLedger',
  'expenseLedger',
] as const;

/** The default values of a category: each from the nearest category up the tree that has one. */
export async function usualOf(
  trx: Trx,
  { organisation }: Context,
  category: Id,
): Promise<Answer<(typeof itemCalls)['GetCategoryUsual']>> {
  const { rows } = await sql<{ body: Readonly<Record<string, unknown>> }>`
    with recursive up as (
      select id, body, 0 as depth
      from masters
      where organisation = ${organisation} and master = 'category' and id = ${category}::uuid
      union all
      select m.id, m.body, up.depth + 1
      from up
      join masters m
        on m.organisation = ${organisation} and m.master = 'category' and m.id::text = up.body ->> 'parent'
      where up.depth < 50
    )
    select body
    from up
    order by depth
  `.execute(trx);
  if (rows.length === 0) throw new Refusal('notFound');
  const values = Object.fromEntries(
    asked.flatMap((field) => {
      const nearest = rows.map(({ body }) => String(body[field] ?? '')).find((text) => text !== '');
      return nearest === undefined ? [] : [[field, nearest]];
    }),
  );
  const ledgers = [values['incomeLedger'], values['expenseLedger']].filter((id) => id !== undefined);
  const named = await sql<{ id: Id; name: string }>`
    select id, name from ledgers where organisation = ${organisation} and id = any(${ledgers}::uuid[]) and active`.execute(
    trx,
  );
  const nameOf = new Map(named.rows.map(({ id, name }) => [id, name]));
  const unit = await sql<{ name: string }>`
    select name
    from masters
    where organisation = ${organisation} and master = 'unit' and active and code = ${values['unit'] ?? ''}
  `.execute(trx);
  const isLedger = (field: string) => field === 'incomeLedger' || field === 'expenseLedger';
  const settings = await settingsNow(trx, organisation);
  // a ledger or unit that was retired meanwhile is not proposed, nor are parts that are switched off
  const off = (field: string, value: string) =>
    value === 'true' &&
    ((field === 'batched' && !settings.enableBatch) || (field === 'serialised' && !settings.enableSerialization));
  const kept = Object.entries(values).filter(
    ([field, value]) =>
      (!isLedger(field) || nameOf.has(value)) && (field !== 'unit' || unit.rows.length > 0) && !off(field, value),
  );
  return {
    values: Object.fromEntries(kept),
    names: Object.fromEntries(
      kept.flatMap(([field, value]) =>
        isLedger(field)
          ? [[field, nameOf.get(value) ?? '']]
          : field === 'unit'
            ? [[field, unit.rows[0]?.name ?? value]]
            : [],
      ),
    ),
  };
}
