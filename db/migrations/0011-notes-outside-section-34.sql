-- A note without GST reduces no supply (section 34 of the CGST Act): what is left of the taxable value and the tax of a
-- line is left beside it. What was made of a line therefore says by itself what such notes gave.
create or replace function source_lines(org int, ids uuid[]) returns json
language sql stable as $$
  select coalesce(json_agg(s), '[]')
  from (
    select
      l.document, l.line, l.item, l.ledger, l.hsn, l.unit, l.quantity, source_free(d, l) as free_quantity,
      l.base_quantity, l.gst_rate, l.treatment, l.rate,
      d.body #> array['draft', 'lines', (l.line - 1)::text, 'discount'] as discount, l.taxable, l.value, l.cgst,
      l.sgst, l.igst, l.cess, source_foreign(d, l) as foreign,
      coalesce((d.body -> 'cessRates' ->> (l.line - 1))::int, 0) as cess_rate,
      source_cess_per_unit(d, l) as cess_per_unit, source_retail_price(d, l) as retail_price,
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
      (
        select coalesce(
          json_agg(
            json_build_object(
              'number', m.number, 'item', m.item, 'location', m.location, 'quantity', m.quantity,
              'cost', (
                select c.cost
                from movement_costs c
                where c.organisation = org and c.document = m.document and c.number = m.number
                order by c.revision desc
                limit 1
              )
            )
            order by m.number
          ),
          '[]'
        )
        from movements m
        where m.organisation = org and m.document = l.document and m.line = l.line
      ) as moved,
      (
        select coalesce(
          json_agg(
            json_build_object(
              'date', m.date, 'amount', coalesce((b.body -> 'landed' ->> m.line::text)::bigint, m.stated_value)
            )
          ),
          '[]'
        )
        from document_links k
        join movements m on m.organisation = org and m.document = k.target and m.quantity = 0 and m.line = l.line
          and m.item = l.item
        join documents b on b.organisation = org and b.id = k.target and b.reverses is null
        where k.organisation = org
          and k.source = l.document
          and k.role = 'source'
          and not exists (select from cancellations c where c.organisation = org and c.document = k.target)
      ) as landed
    from document_lines l
    join documents d on d.organisation = org and d.id = l.document
    where l.organisation = org and l.document = any(ids)
  ) s
$$;
