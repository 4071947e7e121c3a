-- Goods may go back without their share of the charges that were spread over the lines of their bill: source lines say what that
-- share is, and of how many goods it was kept.
-- The part of the value of a line that is charges of its document, spread over its lines before tax, in paise of rupees. Older
-- documents do not keep it by line: theirs is by value.
create function source_charge_share(d documents, l document_lines) returns bigint
language sql stable as $$
  select case
    when d.body ? 'chargeShares' then coalesce((d.body -> 'chargeShares' ->> (l.line - 1))::bigint, 0)
    when coalesce((d.body ->> 'chargeTotal')::bigint, 0) = 0 or (l.item is null and l.ledger is null) then 0
    else coalesce(
      round(
        (d.body ->> 'chargeTotal')::bigint * l.value::numeric
          / nullif(
            (
              select sum(o.value)
              from document_lines o
              where o.organisation = l.organisation
                and o.document = l.document
                and (o.item is not null or o.ledger is not null)
            ),
            0
          )
      )::bigint,
      0
    )
  end
$$;
grant execute on function source_charge_share(documents, document_lines) to bahi_app;

-- Lines of documents that others are made from: their rates and discounts as they were typed, what was made of each
-- by kind and amount (free goods by themselves; notes without GST apart), and what they cost. Amounts in another
-- currency come from the body where it keeps them, else from the rate of the document. What is made from a line takes
-- over its rate where none is given: goods that come back are worth what they were sold for. A return needs the movement
-- that its goods came in by, and the duty on them. `later`: what was made of the price notes about a line. `root`: of a line of a price note,
-- the line that it corrects in the end, with all that was made of that and what it moved. `landed`: what bills of entry
-- and notes at any depth put on its goods.
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
      source_charge_share(d, l) as charge_share,
      case when l.item is null and l.ledger is null then l.description end as charge,
      (
        select coalesce(json_agg(x), '[]')
        from (
          select
            t.kind, k.financial, sum(u.quantity) as quantity, sum(source_free(t, u)) as free_quantity,
            sum(u.base_quantity) as base_quantity, sum(u.taxable) as taxable, sum(u.value) as value,
            sum(source_foreign(t, u)) as foreign, sum(u.cgst) as cgst, sum(u.sgst) as sgst, sum(u.igst) as igst,
            sum(u.cess) as cess,
            coalesce(
              sum(u.quantity) filter (where coalesce((t.body #>> '{draft,keepsCharges}')::boolean, false)), 0
            ) as charges_kept
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
grant execute on function source_lines(int, uuid[]) to bahi_app;
