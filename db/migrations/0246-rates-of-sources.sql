-- What is made from a line is compared with its rate and its discount too, as they were typed, and takes over the rate where none is
-- given: goods that come back are worth what they were sold for.
create or replace function source_lines(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(s), '[]')
    from (
      select l.document, l.line, l.item, l.ledger, l.hsn, l.unit, l.quantity, l.base_quantity, l.gst_rate, l.treatment,
             l.rate, d.body #> array['draft', 'lines', (l.line - 1)::text, 'discount'] as discount,
             l.taxable, l.value, l.cgst, l.sgst, l.igst, l.cess,
             source_foreign(d, l) as foreign,
             coalesce((d.body -> 'cessRates' ->> (l.line - 1))::int, 0) as cess_rate,
             source_cess_per_unit(d, l) as cess_per_unit,
             source_retail_price(d, l) as retail_price,
             (select coalesce(json_agg(x), '[]')
                from (select t.kind, sum(u.quantity) as quantity, sum(u.base_quantity) as base_quantity,
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
