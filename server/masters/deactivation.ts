import { type RawBuilder, sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import type { MasterName } from '../../contract/masters.ts';
import { quantityText, rupeesText } from '../../domain/base/decimal.ts';
import { type Said, say } from '../../domain/base/say.ts';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import type { Context } from '../context.ts';
import type { Asked, RecordView, Trx } from './records.ts';

/** Something a record still holds: the first row found, and the reason in words. */
interface Blocker {
  readonly query: (
    org: number,
    record: RecordView,
  ) => RawBuilder<{ readonly what: string; readonly much?: string | null; readonly unit?: string | null }>;
  readonly reason: (found: { readonly what: string; readonly much: string; readonly unit: string }) => Said;
}

const ordered = kindNames.filter((name) => kindOf(name).life.cycle === 'ordered');

const party: readonly Blocker[] = [
  {
    query: (org, { id }) =>
      sql`
        select coalesce(o.reference, d.number) as what, o.open as much
        from open_items o
        join documents d on d.organisation = o.organisation and d.id = o.document
        where o.organisation = ${org} and o.party = ${id}::uuid and o.open > 0
        order by o.date
        limit 1
      `,
    reason: ({ what, much }) => say('{{what}} is open with {{amount}}', { what, amount: rupeesText(Number(much)) }),
  },
  {
    query: (org, { id }) => sql`
      select d.number as what
      from documents d
      where d.organisation = ${org}
        and d.party = ${id}::uuid
        and d.kind = any(${ordered}::text[])
        and d.reverses is null
        and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
        and exists (
          select from document_lines x
          where x.organisation = d.organisation
            and x.document = d.id
            and x.quantity > coalesce(
              (
                select sum(u.quantity)
                from document_lines u
                where u.organisation = x.organisation
                  and u.source_document = x.document
                  and u.source_line = x.line
                  and not exists (
                    select from cancellations g where g.organisation = u.organisation and g.document = u.document
                  )
              ),
              0
            )
        )
      order by d.date desc
      limit 1
    `,
    reason: ({ what }) => say('{{what}} is not fulfilled yet', { what }),
  },
];
const stock = (column: 'item' | 'location'): Blocker => ({
  query: (org, { id }) => sql`
    select ${sql.raw(column === 'item' ? 'l.name' : 'i.name')} as what, b.quantity as much, i.unit
    from item_balances b
    join items i on i.organisation = b.organisation and i.id = b.item
    join locations l on l.organisation = b.organisation and l.id = b.location
    where b.organisation = ${org} and b.${sql.raw(column)} = ${id}::uuid and b.quantity <> 0
    order by b.quantity desc
    limit 1
  `,
  reason: ({ what, much, unit }) =>
    column === 'item'
      ? say('{{quantity}} are in stock at {{what}}', { quantity: `${quantityText(Number(much))} ${unit}`, what })
      : say('{{quantity}} of {{what}} are in stock there', { quantity: `${quantityText(Number(much))} ${unit}`, what }),
});
const balance: Blocker = {
  query: (org, { id }) =>
    sql`
      select l.name as what, sum(t.debit - t.credit) as much
      from ledger_month_totals t
      join ledgers l on l.organisation = t.organisation and l.id = t.ledger
      where t.organisation = ${org} and t.ledger = ${id}::uuid
      group by l.name
      having sum(t.debit - t.credit) <> 0
    `,
  reason: ({ much }) =>
    say('its balance is {{balance}}', {
      balance: `${rupeesText(Math.abs(Number(much)))} ${Number(much) > 0 ? 'Dr' : 'Cr'}`,
    }),
};
const named = (reason: (what: string) => Said, query: Blocker['query']): Blocker => ({
  query,
  reason: ({ what }) => reason(what),
});

/** What keeps a record from being retired. */
const holds: Readonly<Partial<Record<MasterName, readonly Blocker[]>>> = {
  customer: party,
  consumer: party,
  supplier: party,
  item: [
    stock('item'),
    named(
      (what) => say('its variant {{what}} is active', { what }),
      (org, { id }) =>
        sql`select sku as what from items where organisation = ${org} and template = ${id}::uuid and active order by sku limit 1`,
    ),
  ],
  attribute: [
    named(
      (what) => say('{{what}} has variants made of it', { what }),
      (org, { id }) =>
        sql`select name as what from items where organisation = ${org} and is_template and body -> 'attributes' ? ${id} limit 1`,
    ),
  ],
  location: [stock('location')],
  registration: [
    named(
      (what) => say('the location {{what}} belongs to it', { what }),
      (org, { id }) =>
        sql`
          select name as what
          from locations
          where organisation = ${org} and registration = ${id}::uuid and active and not is_transit
          limit 1
        `,
    ),
  ],
  ledger: [
    named(
      (what) => say('“{{what}}” is posted to it (Ledger postings)', { what }),
      (org, { id }) =>
        sql`select effect as what from posting_map where organisation = ${org} and ledger = ${id}::uuid limit 1`,
    ),
    named(
      (what) => say('the bank account {{what}} is kept in it', { what }),
      (org, { id }) =>
        sql`
          select name as what
          from masters
          where organisation = ${org} and master = 'bank' and active and body ->> 'ledger' = ${id}
          limit 1
        `,
    ),
    named(
      (what) => say('the item {{what}} is posted to it', { what }),
      (org, { id }) =>
        sql`
          select name as what
          from items
          where organisation = ${org} and active and ${id}::uuid in (income_ledger, expense_ledger)
          limit 1
        `,
    ),
    balance,
  ],
  accountGroup: [
    named(
      (what) => say('{{what}} belongs to it', { what }),
      (org, { id }) =>
        sql`select name as what from ledgers where organisation = ${org} and "group" = ${id}::uuid and active limit 1`,
    ),
  ],
  priceList: [
    named(
      (what) => say('{{what}} has it', { what }),
      (org, { id }) =>
        sql`
          select name as what
          from parties
          where organisation = ${org} and active and ${id} in (body ->> 'priceList', body ->> 'purchasePriceList')
          order by lower(name)
          limit 1
        `,
    ),
  ],
  bank: [
    named(
      () => say('it is the default bank account: choose another one first'),
      (org, { id }) =>
        sql`select name as what from masters where organisation = ${org} and id = ${id}::uuid and body ->> 'isDefault' = 'true'`,
    ),
    {
      ...balance,
      query: (org, { values }) =>
        balance.query(org, { values, id: String(values.ledger), version: 0, active: true, names: {} }),
      reason: (found) => say('its ledger is in use: {{balance}}', { balance: balance.reason(found) }),
    },
  ],
  // without the only group that limits a user, every location would be open to that user
  group: [
    named(
      (what) => say('{{what}} could then work at every location: assign locations to this user first', { what }),
      (org, { id }) => sql`
        select u.name as what
        from user_places p
        join users u on u.organisation = p.organisation and u.id = p."user"
        where p.organisation = ${org}
          and p."group" = ${id}::uuid
          and not exists (
            select from user_places o
            where o.organisation = p.organisation and o."user" = p."user" and o."group" is distinct from p."group"
          )
        order by lower(u.name)
        limit 1
      `,
    ),
  ],
  role: [
    named(
      (what) => say('the workflow “{{what}}” names it', { what }),
      (org, { id }) => sql`
        select w.name as what
        from workflows w
        where w.organisation = ${org}
          and w.actions @> jsonb_build_array(jsonb_build_object('roles', jsonb_build_array(${id}::text)))
          and (
            w.status in ('draft', 'published')
              or exists (
                select from workflow_orders o
                where o.organisation = w.organisation and o.workflow = w.id and not o.ended
              )
          )
        order by w.version desc
        limit 1
      `,
    ),
  ],
  unit: [
    named(
      (what) => say('the item {{what}} is counted in it', { what }),
      (org, { values }) =>
        sql`select name as what from items where organisation = ${org} and active and unit = ${String(values.code)} limit 1`,
    ),
  ],
  category: [
    named(
      (what) => say('the item {{what}} belongs to it', { what }),
      (org, { id }) =>
        sql`select name as what from items where organisation = ${org} and body ->> 'category' = ${id} limit 1`,
    ),
    named(
      (what) => say('the price list {{what}} names it', { what }),
      (org, { id }) =>
        sql`
          select name as what
          from masters
          where organisation = ${org}
            and master = 'priceList'
            and body -> 'prices' @> jsonb_build_array(jsonb_build_object('category', ${id}::text))
          limit 1
        `,
    ),
    named(
      (what) => say('the category {{what}} belongs to it', { what }),
      (org, { id }) =>
        sql`select name as what from masters where organisation = ${org} and master = 'category' and body ->> 'parent' = ${id} limit 1`,
    ),
  ],
  costCentre: [
    named(
      (what) => say('the cost centre {{what}} belongs to it', { what }),
      (org, { id }) =>
        sql`
          select name as what
          from cost_centres
          where organisation = ${org} and parent = ${id}::uuid and active
          order by lower(name)
          limit 1
        `,
    ),
  ],
  warehouse: [
    named(
      (what) => say('{{what}} is inside it', { what }),
      (org, { id }) =>
        sql`
          select name as what
          from masters
          where organisation = ${org} and master = 'warehouse' and active and body ->> 'parent' = ${id}
          limit 1
        `,
    ),
    {
      query: (org, { id }) =>
        sql`
          select i.name as what, sum(m.quantity) as much, i.unit
          from movements m
          join items i on i.organisation = m.organisation and i.id = m.item
          where m.organisation = ${org} and m.room = ${id}::uuid
          group by i.name, i.unit
          having sum(m.quantity) <> 0
          limit 1
        `,
      reason: ({ what, much, unit }) =>
        say('{{quantity}} of {{what}} are in it', { quantity: `${quantityText(Number(much))} ${unit}`, what }),
    },
  ],
};

/** Refuses to retire what is still needed, and says by what. */
export async function canDeactivate(
  { name, master }: Asked,
  trx: Trx,
  context: Context,
  record: RecordView,
): Promise<void> {
  for (const { query, reason } of holds[name] ?? []) {
    const { rows } = await query(context.organisation, record).execute(trx);
    const [found] = rows;
    if (found)
      throw new Refusal('cannotRetire', {
        name: String(record.values[master.name] ?? record.values[master.code ?? ''] ?? master.label),
        reason: reason({ what: found.what, much: String(found.much ?? '0'), unit: found.unit ?? '' }),
      });
  }
}
