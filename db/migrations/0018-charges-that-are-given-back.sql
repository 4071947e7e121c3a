-- A charge with a rate of its own is a line of its document, without item and ledger. What corrects the document may
-- give it back by that line, and needs its name.
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
      case when l.item is null and l.ledger is null then l.description end as charge,
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
              'document', r.document, 'line', r.line, 'taxable', s.taxable, 'value', s.value,
              'cgst', s.cgst, 'sgst', s.sgst, 'igst', s.igst, 'cess', s.cess,
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
