-- Goods that were given free are counted by themselves: what is made from a line takes no more of them than it gave, however much of
-- what was paid for is left.

-- The free quantity of a line in its unit, in millionths.
create function source_free(d documents, l document_lines) returns bigint language sql stable as $$
  select coalesce((d.body #>> array['draft', 'lines', (l.line - 1)::text, 'freeQuantity'])::bigint, 0)
$$;
grant execute on function source_free(documents, document_lines) to bahi_app;

-- As in 0246, with the free goods of each line and of what was made of it.
create or replace function source_lines(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(s), '[]')
    from (
      select l.document, l.line, l.item, l.ledger, l.hsn, l.unit, l.quantity, source_free(d, l) as free_quantity,
             l.base_quantity, l.gst_rate, l.treatment,
             l.rate, d.body #> array['draft', 'lines', (l.line - 1)::text, 'discount'] as discount,
             l.taxable, l.value, l.cgst, l.sgst, l.igst, l.cess,
             source_foreign(d, l) as foreign,
             coalesce((d.body -> 'cessRates' ->> (l.line - 1))::int, 0) as cess_rate,
             source_cess_per_unit(d, l) as cess_per_unit,
             source_retail_price(d, l) as retail_price,
             (select coalesce(json_agg(x), '[]')
                from (select t.kind, sum(u.quantity) as quantity, sum(source_free(t, u)) as free_quantity,
                             sum(u.base_quantity) as base_quantity,
                             sum(u.taxable) as taxable, sum(u.value) as value, sum(source_foreign(t, u)) as foreign,
                             sum(u.cgst) as cgst, sum(u.sgst) as sgst, sum(u.igst) as igst, sum(u.cess) as cess
                        from document_lines u
                        join documents t on t.organisation = org and t.id = u.document
                       where u.organisation = org
                         and u.source_document = l.document
                         and u.source_line = l.line
                         and t.reverses is null
                         and not exists (select from cancellations c where c.organisation = org and c.document = t.id)
                       group by t.kind) x) as used,
             (select coalesce(json_agg(json_build_object('quantity', m.quantity, 'cost',
                       (select c.cost
                          from movement_costs c
                         where c.organisation = org and c.document = m.document and c.number = m.number
                         order by c.revision desc
                         limit 1)) order by m.number), '[]')
                from movements m
               where m.organisation = org and m.document = l.document and m.line = l.line) as moved
        from document_lines l
        join documents d on d.organisation = org and d.id = l.document
       where l.organisation = org and l.document = any(ids)
    ) s
$$;

-- What of each line of an order is carried out by now, in the unit of the line; of lines alike the first is served first. As in 0080,
-- but what was made from a line counts by what was paid for: free goods beside it are counted by themselves.
create or replace function carried_lines(org int, ordered uuid) returns table (line int, taken bigint) language sql stable as $$
  with own as (
    select l.line, l.item, l.source_document, l.source_line, l.quantity, l.base_quantity as wanted,
           least(l.base_quantity, coalesce(made.base, 0)) as named,
           least(l.quantity, coalesce(made.quantity, 0)) as made
      from document_lines l
      cross join lateral (
        select sum(u.base_quantity) as base, sum(u.quantity) as quantity
          from document_lines u
         where u.organisation = org
           and u.source_document = ordered
           and u.source_line = l.line
           and not exists (select from cancellations c where c.organisation = org and c.document = u.document)
      ) made
     where l.organisation = org
       and l.document = ordered
  ), linked as (
    select u.item, u.source_document, u.source_line, sum(u.base_quantity) as done
      from document_links k
      join document_lines u on u.organisation = org and u.document = k.target
     where k.organisation = org
       and k.source = ordered
       and k.role = 'order'
       and u.source_document is distinct from ordered
       and not exists (select from cancellations c where c.organisation = org and c.document = k.target)
     group by 1, 2, 3
  ), served as (
    select own.line, own.quantity, own.wanted, own.named, own.made,
           coalesce((select sum(x.done)
                       from linked x
                      where case when own.source_document is null then x.item = own.item
                                 else (x.source_document, x.source_line) = (own.source_document, own.source_line) end), 0)
             - coalesce(sum(own.wanted - own.named) over (
                 partition by own.item, own.source_document, own.source_line
                 order by own.line
                 rows between unbounded preceding and 1 preceding), 0) as done
      from own
  )
  select served.line,
         coalesce(least(quantity, made + round(greatest(0, least(wanted - named, done)) * quantity / nullif(wanted, 0))), 0)::bigint
    from served
$$;
