import type { Check } from './check.ts';

/** Stock: quantities, values, batches, serial numbers, and what orders hold. */
export const stockChecks: readonly Check[] = [
  {
    id: 'INV-20',
    says: 'Quantity and value of each stock balance are the sums of its movements',
    sql: `
      select
        organisation,
        format('item %s at %s: stock balance %s, movements %s', item, location, coalesce(b, '-'), coalesce(m, '-')) as what
      from (
        select organisation, item, location, concat(quantity, '/', value) as b
        from item_balances
        where quantity <> 0 or value <> 0
      ) x
      full join (
        select
          m.organisation, m.item, m.location, concat(sum(m.quantity), '/', sum(c.cost)) as m,
          sum(m.quantity) as q, sum(c.cost) as v
        from movements m
        join lateral (
          select cost
          from movement_costs k
          where k.organisation = m.organisation and k.document = m.document and k.number = m.number
          order by revision desc
          limit 1
        ) c on true
        group by 1, 2, 3
      ) y using (organisation, item, location)
      where b is distinct from m and not (b is null and q = 0 and v = 0)
    `,
  },
  {
    id: 'INV-21',
    says: 'Where negative stock is refused, no stock balance was ever negative, in date order',
    sql: `
      select organisation, format('item %s at %s on %s: %s', item, location, date, after) as what
      from (
        select
          m.organisation, m.item, m.location, m.date,
          sum(m.quantity) over (
            partition by m.organisation, m.item, m.location order by m.date, m.sequence
          ) as after
        from movements m
        join organisations o on o.organisation = m.organisation
        where not coalesce((o.settings ->> 'isAllowNegative')::boolean, false)
      ) x
      where after < 0
    `,
  },
  {
    id: 'INV-22',
    says: 'A transfer takes from one location what it puts in the other, at its present cost; except for locations with negative stock',
    uses: ['transfers'],
    sql: `
      select
        d.organisation,
        format('%s: %s units and %s paise are missing', d.number, sum(m.quantity), sum(c.cost)) as what
      from documents d
      join movements m on m.organisation = d.organisation and m.document = d.id
      join organisations o on o.organisation = d.organisation
      join lateral (
        select cost
        from movement_costs k
        where k.organisation = m.organisation and k.document = m.document and k.number = m.number
        order by revision desc
        limit 1
      ) c on true
      where d.kind = any($1)
      group by d.organisation, d.id, d.number, o.settings
      having sum(m.quantity) <> 0
        or (sum(c.cost) <> 0 and not coalesce((o.settings ->> 'isAllowNegative')::boolean, false))
    `,
  },
  {
    id: 'INV-23',
    says: 'An order holds what nothing was made of yet, and nothing once it is cancelled, freed, given up or delivered',
    uses: ['reserving'],
    sql: `
      with
        taken as (
          select
            u.organisation, u.source_document as document, u.source_line as line,
            sum(u.base_quantity) as quantity
          from document_lines u
          where u.source_document is not null
            and not exists (
              select from cancellations g where g.organisation = u.organisation and g.document = u.document
            )
          group by 1, 2, 3
        ),
        linked as (
          select k.organisation, k.source as document, u.item, sum(u.base_quantity) as quantity
          from document_links k
          join document_lines u on u.organisation = k.organisation and u.document = k.target
          where k.role = 'order'
            and u.source_document is distinct from k.source
            and not exists (
              select from cancellations g where g.organisation = k.organisation and g.document = k.target
            )
          group by 1, 2, 3
        ),
        due as (
          select
            l.organisation, l.document, l.item,
            greatest(
              sum(
                case
                  when c.document is null and f.document is null and g.document is null
                    then greatest(l.base_quantity - coalesce(t.quantity, 0), 0)
                  else 0
                end
              ) - coalesce(
                (
                  select k.quantity
                  from linked k
                  where k.organisation = l.organisation and k.document = l.document and k.item = l.item
                ),
                0
              ),
              0
            ) as quantity
          from document_lines l
          join documents d on d.organisation = l.organisation and d.id = l.document and d.kind = any($1)
          left join cancellations c on c.organisation = l.organisation and c.document = l.document
          left join freed_orders f on f.organisation = l.organisation and f.document = l.document
          left join closed_lines g
            on g.organisation = l.organisation and g.document = l.document and g.line = l.line
          left join taken t on t.organisation = l.organisation and t.document = l.document and t.line = l.line
          where l.item is not null
          group by 1, 2, 3
        ),
        held as (
          select o.organisation, r.document, r.item, sum(r.quantity) as quantity
          from (select organisation, array_agg(distinct item) as items from due group by 1) o
          cross join lateral stock_reserved(o.organisation, $1, o.items, '{}') r
          group by 1, 2, 3
        )
      select
        organisation,
        format(
          'order %s holds %s of item %s, %s are due on it', document, coalesce(h.quantity, 0), item,
          coalesce(d.quantity, 0)
        ) as what
      from due d
      full join held h using (organisation, document, item)
      where coalesce(d.quantity, 0) <> coalesce(h.quantity, 0)
      union all
      select f.organisation, format('%s is freed and never held anything', d.number)
      from freed_orders f
      join documents d on d.organisation = f.organisation and d.id = f.document
      where d.kind <> all($1)
    `,
  },
  {
    id: 'INV-24b',
    says:
      'Under perpetual books the stock ledger is worth what the stock is worth, at the end of every day; a cost ' +
      'that was revised behind a lock counts from the day on which it is booked',
    uses: ['revisions'],
    sql: `
      select
        x.organisation,
        format('on %s the ledger moved by %s paise more than the stock balances', x.date, sum(x.value)) as what
      from (
        select e.organisation, e.date, e.debit - e.credit as value
        from entries e
        join posting_map p on p.organisation = e.organisation and p.ledger = e.ledger and p.effect = 'stock'
        union all
        select m.organisation, m.date, -c.cost
        from movements m
        join movement_costs c on c.organisation = m.organisation and c.document = m.document and c.number = m.number
        where not exists (
          select from movement_costs l
          where l.organisation = c.organisation
            and l.document = c.document
            and l.number = c.number
            and l.revision = c.revision + 1
        )
        union all
        select d.organisation, x.date, x.amount
        from documents d
        cross join lateral jsonb_to_recordset(d.body -> 'moved') m("from" date, "to" date, amount bigint)
        cross join lateral (values (m."from", m.amount), (m."to", -m.amount)) x(date, amount)
        where d.kind = any($1) and d.body ? 'moved'
      ) x
      join organisations o
        on o.organisation = x.organisation
          and coalesce(o.settings ->> 'stockAccounting', 'perpetual') = 'perpetual'
          and coalesce((o.settings ->> 'trackInventory')::boolean, true)
      group by x.organisation, x.date
      having sum(x.value) <> 0
    `,
  },
  {
    id: 'INV-25',
    says: 'An empty stock balance is worth nothing',
    sql: `
      select organisation, format('item %s at %s: %s', item, location, value) as what
      from item_balances
      where quantity = 0 and value <> 0
    `,
  },
  {
    id: 'INV-24c',
    says: 'A document without a price says what its goods cost when it was posted, line by line',
    uses: ['valued', 'valuedSigns'],
    sql: `
      with
        first as (
          select distinct on (m.organisation, m.document, m.line) m.organisation, m.document, m.line, c.cost
          from documents d
          join movements m on m.organisation = d.organisation and m.document = d.id
          join movement_costs c
            on c.organisation = m.organisation
              and c.document = m.document
              and c.number = m.number
              and c.revision = 0
          where d.body ->> 'atCost' = 'true'
          order by m.organisation, m.document, m.line, m.number
        ),
        said as (
          select d.organisation, d.id, d.number, l.line, l.value, coalesce(k.sign * f.cost, 0) as worth
          from unnest($1::text[], $2::int[]) k(kind, sign)
          join documents d on d.kind = k.kind and d.body ->> 'atCost' = 'true'
          join document_lines l on l.organisation = d.organisation and l.document = d.id
          left join first f on f.organisation = d.organisation and f.document = d.id and f.line = l.line
        )
      select organisation, format('%s line %s says %s, its goods cost %s', number, line, value, worth) as what
      from said
      where value <> worth
      union all
      select d.organisation, format('%s says %s, its goods cost %s', d.number, d.total, coalesce(sum(s.worth), 0))
      from documents d
      left join said s on s.organisation = d.organisation and s.id = d.id
      where d.body ->> 'atCost' = 'true'
      group by d.organisation, d.id, d.number, d.total
      having d.total <> coalesce(sum(s.worth), 0)
    `,
  },
  {
    id: 'INV-26',
    says: 'Batches of a movement come to its quantity, and none is ever negative at a place, in date order',
    sql: `
      with parts as (
        select
          m.organisation, m.item, m.location, m.document, m.number, m.date, m.sequence, m.quantity as whole,
          b.part ->> 'batch' as batch,
          (sign(m.quantity) * (b.part ->> 'quantity')::bigint)::bigint as quantity
        from movements m
        cross join lateral jsonb_array_elements(m.batches) b(part)
        where m.batches is not null
      )
      select
        organisation,
        format('document %s movement %s: batches %s of %s', document, number, sum(quantity), whole) as what
      from parts
      group by organisation, document, number, whole
      having sum(quantity) <> whole
      union all
      select organisation, format('batch %s of item %s at %s on %s: %s', batch, item, location, date, after)
      from (
        select
          p.*,
          sum(quantity) over (partition by organisation, item, location, batch order by date, sequence) as after
        from parts p
      ) x
      where after < 0
    `,
  },
  {
    id: 'INV-26b',
    says: 'No batch is sold after it has expired',
    uses: ['sales'],
    sql: `
      with known as (
        select m.organisation, m.item, b.part ->> 'batch' as batch, min((b.part ->> 'expiry')::date) as expiry
        from movements m
        cross join lateral jsonb_array_elements(m.batches) b(part)
        where b.part ? 'expiry'
        group by 1, 2, 3
      )
      select m.organisation, format('%s: batch %s expired on %s', d.number, k.batch, k.expiry) as what
      from movements m
      join documents d on d.organisation = m.organisation and d.id = m.document and d.kind = any($1)
      cross join lateral jsonb_array_elements(m.batches) b(part)
      join known k on k.organisation = m.organisation and k.item = m.item and k.batch = b.part ->> 'batch'
      where m.date > k.expiry
    `,
  },
  {
    id: 'INV-27',
    says: 'As many serial numbers as units move; each is at one place at most, at any time',
    sql: `
      with parts as (
        select m.organisation, m.item, m.location, m.date, m.sequence, s as serial, sign(m.quantity) as quantity
        from movements m
        cross join lateral unnest(m.serials) s
        where m.serials is not null
      )
      select
        organisation,
        format(
          'document %s movement %s: %s serial numbers for %s', document, number, cardinality(serials), quantity
        ) as what
      from movements
      where serials is not null and cardinality(serials)::bigint * 1000000 <> abs(quantity)
      union all
      select
        organisation,
        format('%s of item %s on %s: at %s places, %s at %s', serial, item, date, anywhere, here, location)
      from (
        select
          p.*,
          sum(quantity) over (partition by organisation, item, serial order by date, sequence) as anywhere,
          sum(quantity) over (partition by organisation, item, serial, location order by date, sequence) as here
        from parts p
      ) x
      where anywhere > 1 or here < 0
    `,
  },
  {
    id: 'INV-27b',
    says: 'What is kept in batches or by serial number never moves without',
    sql: `
      select m.organisation, format('document %s movement %s', m.document, m.number) as what
      from movements m
      join items i on i.organisation = m.organisation and i.id = m.item
      where m.quantity <> 0
        and (
          (m.batches is null and coalesce((i.body ->> 'batched')::boolean, false))
            or (m.serials is null and coalesce((i.body ->> 'serialised')::boolean, false))
        )
    `,
  },
  {
    id: 'INV-28',
    says: 'What moves is the quantity of its line in the base unit of the item; what changes a price moves nothing',
    uses: ['repricing'],
    sql: `
      select
        m.organisation,
        format(
          'document %s movement %s: %s moved, line %s has %s', m.document, m.number, m.quantity, l.line,
          l.base_quantity
        ) as what
      from movements m
      join documents d on d.organisation = m.organisation and d.id = m.document
      join document_lines l
        on l.organisation = m.organisation and l.document = coalesce(d.reverses, d.id) and l.line = m.line
      join documents o on o.organisation = l.organisation and o.id = l.document
      where abs(m.quantity) <> case when o.kind = any($1) then 0 else l.base_quantity end
    `,
  },
];
