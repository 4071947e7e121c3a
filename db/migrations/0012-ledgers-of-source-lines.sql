-- A return or note is booked on the ledger that its source line was booked on: documents keep the ledger of their own of
-- each line, and posting reads whether an income ledger shows revenue from operations.
-- Whether a ledger shows revenue from operations (Schedule III): what it is itself, else what the nearest of its groups
-- is. Income of no kind is revenue.
create function is_revenue(org int, of_ledger uuid) returns boolean
language sql stable as $$
  with recursive up as (
    select l.nature, l.schedule3, l."group", 0 as height
    from ledgers l
    where l.organisation = org and l.id = of_ledger
    union all
    select up.nature, g.schedule3, g."group", up.height + 1
    from up
    join ledgers g on g.organisation = org and g.id = up."group"
    where up.schedule3 is null
  )
  select up.nature = 'income' and coalesce(up.schedule3, 'PL.I') = 'PL.I'
  from up
  order by up.height desc
  limit 1
$$;
grant execute on function is_revenue(int, uuid) to bahi_app;

-- Items as posting sees them, with the units they can be counted in. Unknown and foreign ids are left out alike; a
-- record that is retired is known, and known to be retired. A conversion that holds only for a template holds for
-- its variants. Goods that keep for a time only say how many days from when they are made, and how many have to be
-- left when they are sold.
create or replace function item_facts(org int, ids uuid[]) returns json
language sql stable as $$
  select coalesce(json_agg(i), '[]')
  from (
    select
      i.id, i.sku, i.name, i.service, i.stocked, i.hsn, i.unit, i.treatment, i.gst_rate, i.cess_rate,
      i.cess_per_unit, i.retail_price, i.sale_rate, i.purchase_rate, i.income_ledger, i.expense_ledger,
      i.income_ledger is not null and not is_revenue(org, i.income_ledger) as off_revenue,
      i.credit_blocked, i.scrap, not i.active as retired, i.is_template as template,
      coalesce((i.body ->> 'batched')::boolean, false) as batched,
      coalesce((i.body ->> 'serialised')::boolean, false) as serialised,
      case
        when i.body ->> 'hasShelfLife' = 'true'
          then json_build_object(
            'days', (i.body ->> 'shelfLifeDays')::int,
            'least', coalesce((i.body ->> 'minRemainingShelfLifeDays')::int, 0)
          )
      end as shelf_life,
      (
        select json_agg(
          json_build_object(
            'from', m.body ->> 'from', 'to', m.body ->> 'to', 'factor', m.body ->> 'factor',
            'own', coalesce(m.body ->> 'item', '') <> ''
          )
        )
        from masters m
        where m.organisation = org
          and m.master = 'unitConversion'
          and m.active
          and coalesce(m.body ->> 'item', '') in ('', i.id::text, i.template::text)
      ) as conversions
    from items i
    where i.organisation = org and i.id = any(ids)
  ) i
$$;
grant execute on function item_facts(int, uuid[]) to bahi_app;

-- The ledger of its own that a line was booked on, and whether it shows no revenue from operations; null for a line that
-- had none. Older documents do not keep it.
create function source_own_ledger(org int, d documents, l document_lines) returns json
language sql stable as $$
  select json_build_object('ledger', o.ledger, 'offRevenue', not is_revenue(org, o.ledger))
  from (select (d.body -> 'ownLedgers' ->> (l.line - 1))::uuid as ledger) o
  where o.ledger is not null
$$;
grant execute on function source_own_ledger(int, documents, document_lines) to bahi_app;

-- Lines of documents that others are made from: their rates and discounts as they were typed, what was made of each
-- by kind and amount (free goods by themselves; notes without GST apart), and what they cost. Amounts in another
-- currency come from the body where it keeps them, else from the rate of the document. What is made from a line takes over its rate where none
-- is given: goods that come back are worth what they were sold for. A return needs the movement that its goods came
-- in by, and the duty on them. `later`: what was made of the price notes about a line. `root`: of a line of a price note,
-- the line that it corrects in the end, with all that was made of that.
create or replace function source_lines(org int, ids uuid[]) returns json
language sql stable as $$
  select coalesce(json_agg(s), '[]')
  from (
    select
      l.document, l.line, d.kind, coalesce((d.body #>> '{draft,withoutTax}')::boolean, false) as financial, l.item,
      l.ledger, l.hsn, l.unit, l.quantity, source_free(d, l) as free_quantity,
      l.base_quantity, l.gst_rate, l.treatment, l.rate,
      d.body #> array['draft', 'lines', (l.line - 1)::text, 'discount'] as discount, l.taxable, l.value, l.cgst,
      l.sgst, l.igst, l.cess, source_foreign(d, l) as foreign,
      coalesce((d.body -> 'cessRates' ->> (l.line - 1))::int, 0) as cess_rate,
      source_cess_per_unit(d, l) as cess_per_unit, source_retail_price(d, l) as retail_price,
      source_own_ledger(org, d, l) as own_ledger, d.body ? 'ownLedgers' as keeps_ledgers,
      (
        select coalesce(json_agg(x), '[]')
        from (
          select
            t.kind, k.financial, sum(u.quantity) as quantity, sum(source_free(t, u)) as free_quantity,
            sum(u.base_quantity) as base_quantity, sum(u.taxable) as taxable, sum(u.value) as value,
            sum(source_foreign(t, u)) as foreign, sum(u.cgst) as cgst, sum(u.sgst) as sgst, sum(u.igst) as igst,
            sum(u.cess) as cess
          from document_lines u
          join documents t on t.organisation = org and t.id = u.document
          cross join lateral (
            select coalesce((t.body #>> '{draft,withoutTax}')::boolean, false) as financial
          ) k
          where u.organisation = org
            and u.source_document = l.document
            and u.source_line = l.line
            and t.reverses is null
            and not exists (select from cancellations c where c.organisation = org and c.document = t.id)
          group by t.kind, k.financial
        ) x
      ) as used,
      note_amounts(org, l.document, l.line, 2) as later,
      case
        when exists (select from note_kinds() k where k.kind = d.kind and not k.goods)
          then (
            select json_build_object(
              'document', r.document, 'line', r.line, 'taxable', s.taxable, 'value', s.value, 'cgst', s.cgst, 'sgst', s.sgst, 'igst', s.igst, 'cess', s.cess,
              'foreign', source_foreign(sd, s), 'used', note_amounts(org, r.document, r.line, 1),
              'moved', line_movements(org, r.document, r.line)
            )
            from note_root(org, l.document, l.line) r
            join document_lines s on s.organisation = org and s.document = r.document and s.line = r.line
            join documents sd on sd.organisation = org and sd.id = r.document
            where r.document <> l.document
          )
      end as root,
      line_movements(org, l.document, l.line) as moved,
      (
        select coalesce(json_agg(t.body -> 'costSpans' -> u.line::text), '[]')
        from document_lines u
        join documents t on t.organisation = org and t.id = u.document
        where u.organisation = org
          and u.source_document = l.document
          and u.source_line = l.line
          and t.body -> 'costSpans' ? u.line::text
          and t.reverses is null
          and not exists (select from cancellations c where c.organisation = org and c.document = t.id)
      ) as spans,
      (
        select coalesce(
          json_agg(
            json_build_object(
              'date', m.date, 'amount', coalesce((b.body -> 'landed' ->> m.line::text)::bigint, m.stated_value)
            )
          ),
          '[]'
        )
        from (
          -- notes about the line, and about those notes
          select n.document, n.line from note_lines(org, l.document, l.line) n
          union all
          -- a bill of entry has no lines, and its movements the line's number
          select k.target, l.line
          from document_links k
          where k.organisation = org
            and k.source = l.document
            and k.role = 'source'
            and not exists (select from document_lines n where n.organisation = org and n.document = k.target)
            and not exists (select from cancellations c where c.organisation = org and c.document = k.target)
        ) n
        join movements m
          on m.organisation = org
          and m.document = n.document
          and m.line = n.line
          and m.quantity = 0
          and m.item = l.item
        join documents b on b.organisation = org and b.id = n.document and b.reverses is null
      ) as landed
    from document_lines l
    join documents d on d.organisation = org and d.id = l.document
    where l.organisation = org and l.document = any(ids)
  ) s
$$;
grant execute on function source_lines(int, uuid[]) to bahi_app;

-- Services that are bought have a ledger of their own in the posting map. Books that are there keep them where they are:
-- with the purchases, until somebody chooses another ledger.
insert into posting_map (organisation, effect, ledger)
select organisation, 'purchaseService', ledger
from posting_map
where effect = 'purchase'
on conflict do nothing;
