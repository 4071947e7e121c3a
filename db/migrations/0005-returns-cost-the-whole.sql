-- Goods that come or go back in several returns take certain stretches of the quantity of their source line (`costSpans` in
-- the body of the return), so that the costs of all returns add up to the cost of the line, to the paisa. What a note on the
-- price of a bill line added to its goods, or took off, goes with those that go back later.
create or replace view movement_sources with (security_invoker = true) as
select
  m.organisation, m.document, m.number, p.document as source_document, p.number as source_number, false as undoes,
  null::bigint as landed, null::jsonb as spans
from movements m
join movements p on p.organisation = m.organisation and p.document = m.document and p.number = m.number - 1
  and p.line = m.line
  and p.item = m.item
  and p.quantity = -m.quantity
join documents d on d.organisation = m.organisation and d.id = m.document and d.reverses is null
where m.quantity > 0 and m.stated_value is null
union all
select m.organisation, m.document, m.number, d.reverses, m.number, true, null, null
from documents d
join movements m on m.organisation = d.organisation and m.document = d.id
where d.reverses is not null
union all
select
  m.organisation, m.document, m.number, f.document, f.number, false, null, d.body -> 'costSpans' -> l.line::text
from document_lines l
join movements m on m.organisation = l.organisation and m.document = l.document and m.line = l.line
  and m.quantity > 0
  and m.stated_value is null
join documents d on d.organisation = m.organisation and d.id = m.document and d.reverses is null
join movements f on f.organisation = l.organisation and f.document = l.source_document and f.line = l.source_line
  and f.item = m.item
where not exists (
  select from movements p
  where p.organisation = m.organisation
    and p.document = m.document
    and p.number = m.number - 1
    and p.line = m.line
    and p.item = m.item
    and p.quantity = -m.quantity
)
  and not exists (
    select from movements g
    where g.organisation = f.organisation and g.document = f.document and g.line = f.line and g.number < f.number
  )
union all
select
  m.organisation, m.document, m.number, f.document, f.number, false,
  (d.body -> 'givenBack' ->> l.line::text)::bigint, d.body -> 'costSpans' -> l.line::text
from document_lines l
join movements m on m.organisation = l.organisation and m.document = l.document and m.line = l.line
  and m.quantity < 0
join movements f on f.organisation = l.organisation and f.document = l.source_document and f.line = l.source_line
  and f.item = m.item
  and f.location = m.location
  and f.quantity > 0
join documents d on d.organisation = m.organisation and d.id = m.document and d.reverses is null
where d.body -> 'givenBack' ? l.line::text
  and not exists (
    select from movements g
    where g.organisation = f.organisation and g.document = f.document and g.line = f.line and g.number < f.number
  );

drop function stock_between(int, uuid, uuid, date, bigint, date, bigint, int);
create function stock_between(
  org int, what uuid, place uuid, after_day date, after_sequence bigint, until_day date, until_sequence bigint,
  most int
)
returns table (
  document uuid, number int, date date, sequence bigint, quantity bigint, stated_value bigint, cost bigint,
  revision int, kind text, registration uuid, location uuid, cost_centre uuid, source_document uuid,
  source_number int, source_quantity bigint, source_cost bigint, source_landed bigint, undoes boolean,
  source_spans jsonb
)
language sql stable
set enable_seqscan = off as $$
  select
    m.document, m.number, m.date, m.sequence, m.quantity, m.stated_value, c.cost, c.revision,
    coalesce(o.kind, d.kind), d.registration, d.location, (coalesce(o.body, d.body) #>> '{draft,costCentre}')::uuid,
    s.source_document, s.source_number, f.quantity, latest_cost(org, f.document, f.number), s.landed, s.undoes,
    s.spans
  from movements m
  join documents d on d.organisation = m.organisation and d.id = m.document
  left join documents o on o.organisation = d.organisation and o.id = d.reverses
  join lateral (
    select c.cost, c.revision
    from movement_costs c
    where c.organisation = m.organisation and c.document = m.document and c.number = m.number
    order by c.revision desc
    limit 1
  ) c on true
  left join lateral (
    select *
    from movement_sources s
    where s.organisation = m.organisation and s.document = m.document and s.number = m.number
    limit 1
  ) s on true
  left join movements f on f.organisation = m.organisation and f.document = s.source_document
    and f.number = s.source_number
  where m.organisation = org
    and m.item = what
    and m.location = place
    and (m.date, m.sequence) > (after_day, after_sequence)
    and (m.date, m.sequence) <= (until_day, until_sequence)
  order by m.date, m.sequence
  limit most
$$;
grant execute on function stock_between(int, uuid, uuid, date, bigint, date, bigint, int) to bahi_app;

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
            t.kind, sum(u.quantity) as quantity, sum(source_free(t, u)) as free_quantity,
            sum(u.base_quantity) as base_quantity, sum(u.taxable) as taxable, sum(u.value) as value,
            sum(source_foreign(t, u)) as foreign, sum(u.cgst) as cgst, sum(u.sgst) as sgst, sum(u.igst) as igst,
            sum(u.cess) as cess
          from document_lines u
          join documents t on t.organisation = org and t.id = u.document
          where u.organisation = org
            and u.source_document = l.document
            and u.source_line = l.line
            and t.reverses is null
            and not exists (select from cancellations c where c.organisation = org and c.document = t.id)
          group by t.kind
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
        from document_links k
        join movements m on m.organisation = org and m.document = k.target and m.quantity = 0 and m.item = l.item
        -- a note has lines of its own that name the line; a bill of entry has none, and its movements the line's number
        left join document_lines n on n.organisation = org and n.document = k.target and n.line = m.line
        join documents b on b.organisation = org and b.id = k.target and b.reverses is null
        where k.organisation = org
          and k.source = l.document
          and k.role = 'source'
          and coalesce(n.source_document, k.source) = l.document
          and coalesce(n.source_line, m.line) = l.line
          and not exists (select from cancellations c where c.organisation = org and c.document = k.target)
      ) as landed
    from document_lines l
    join documents d on d.organisation = org and d.id = l.document
    where l.organisation = org and l.document = any(ids)
  ) s
$$;
