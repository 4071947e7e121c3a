import { sql } from 'kysely';
import { grouped, quantityText, rupeesText } from '../../domain/base/decimal.ts';
import { listed, type Said, say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { missingFields, type Stage } from '../../domain/workflow/definition.ts';
import type { FactName } from '../../domain/workflow/families.ts';
import type { Context } from '../context.ts';
import type { Trx } from './definitions.ts';

/** Of an order, what its facts follow from. `total` in paise, in rupees. */
export interface Facts {
  readonly id: Id;
  readonly kind: keyof typeof import('../../domain/document/kinds/index.ts').kinds;
  readonly location: Id;
  readonly party: Id | null;
  readonly total: string;
  readonly draft: Readonly<Record<string, unknown>>;
}

/** Kinds of orders that hold stock until they are delivered. */
const reserving = kindNames.filter((name) => kindOf(name).stock.effect === 'reserve');

/** What keeps a fact from holding, in words; undefined: it holds. */
type Fact = (trx: Trx, context: Context, order: Facts) => Promise<Said | undefined>;

const facts: Readonly<Record<FactName, Fact>> = {
  // what other orders hold is not free; what this one holds is meant for it
  stockAvailable: async (trx, { organisation }, { id, location }) => {
    const { rows } = await sql<{ name: string; unit: string; short: string }>`
      with
        wanted as (
          select
            l.item,
            sum(
              greatest(
                l.base_quantity - coalesce(
                  (
                    select sum(u.base_quantity)
                    from document_lines u
                    where u.organisation = l.organisation
                      and u.source_document = l.document
                      and u.source_line = l.line
                      and not exists (
                        select from cancellations c
                        where c.organisation = u.organisation and c.document = u.document
                      )
                  ),
                  0
                ),
                0
              )
            ) as quantity
          from document_lines l
          where l.organisation = ${organisation}
            and l.document = ${id}::uuid
            and l.item is not null
            and not exists (
              select from closed_lines g
              where g.organisation = l.organisation and g.document = l.document and g.line = l.line
            )
          group by l.item
        ),
        held as (
          select r.item, sum(r.quantity) as quantity
          from stock_reserved(
            ${organisation}, ${[...reserving]}::text[],
            (select array_agg(item) from wanted),
            array[${location}::uuid]
          ) r
          where r.document <> ${id}::uuid
          group by r.item
        )
      select i.name, i.unit, w.quantity - coalesce(b.quantity, 0) + coalesce(h.quantity, 0) as short
      from wanted w
      join items i on i.organisation = ${organisation} and i.id = w.item and i.stocked
      left join item_balances b
        on b.organisation = ${organisation} and b.item = w.item and b.location = ${location}::uuid
      left join held h on h.item = w.item
      where w.quantity > coalesce(b.quantity, 0) - coalesce(h.quantity, 0)
      order by i.name
      limit 3
    `.execute(trx);
    return rows.length === 0
      ? undefined
      : say('stock is short by {{list}}', {
          list: listed(
            rows.map(({ name, unit, short }) =>
              say('{{quantity}} of {{item}}', {
                quantity: `${grouped(quantityText(Number(short)))} ${unit}`,
                item: name,
              }),
            ),
          ),
        });
  },
  creditOk: async (trx, { organisation }, { party, total }) => {
    const { rows } = await sql<{ name: string; limit: string | null; owed: string }>`
      select p.name, p.credit_limit as
      limit,
      coalesce(
        (
          select sum(
            case o.side when 'receivable' then open_worth(o.organisation, o) else -open_worth(o.organisation, o) end
          )
          from open_items o
          where o.organisation = p.organisation
            and o.party = any(party_family(p.organisation, p.id))
            and o.side in ('receivable', 'customerCredit')
            and o.open > 0
        ),
        0
      ) as owed
      from parties p
      where p.organisation = ${organisation}
        and p.id = coalesce(
          (select h.merged_into from parties h where h.organisation = ${organisation} and h.id = ${party}::uuid),
          ${party}::uuid
        )
    `.execute(trx);
    const [found] = rows;
    if (found?.limit == null) return undefined;
    const over = Number(found.owed) + Number(total) - Number(found.limit);
    return over > 0
      ? say('the credit limit of {{name}} is exceeded by {{amount}}', { name: found.name, amount: rupeesText(over) })
      : undefined;
  },
  paymentReceived: async (trx, { organisation }, { party, total }) => {
    const { rows } = await sql<{
      paid: string;
    }>`
      select coalesce(sum(open_worth(o.organisation, o)), 0) as paid
      from open_items o
      where o.organisation = ${organisation}
        and o.party = any(party_family(${organisation}, ${party}::uuid))
        and o.side = 'customerCredit'
        and o.open > 0
    `.execute(trx);
    const missing = Number(total) - Number(rows[0]?.paid ?? 0);
    return missing > 0
      ? say('{{amount}} of its total is not received in advance', { amount: rupeesText(missing) })
      : undefined;
  },
  fileAttached: async (trx, { organisation }, { id }) => {
    const { rows } = await sql`
      select from document_files
      where organisation = ${organisation} and document = ${id}::uuid and removed_at is null
      limit 1
    `.execute(trx);
    return rows.length === 0 ? say('no file is attached') : undefined;
  },
};

/** What keeps an order from leaving its stage, in words; empty: nothing. */
export async function blockedBy(
  trx: Trx,
  context: Context,
  order: Facts,
  stage: Pick<Stage, 'fields' | 'facts'>,
): Promise<Said[]> {
  const missing = missingFields(stage, kindOf(order.kind).fields, order.draft).map((label) =>
    say('{{label}} is empty', { label }),
  );
  for (const name of stage.facts) {
    const reason = await facts[name](trx, context, order);
    if (reason !== undefined) missing.push(reason);
  }
  return missing;
}
