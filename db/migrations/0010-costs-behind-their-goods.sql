-- First in, first out: a late cost of goods goes on the layers that hold them. A document says by line which goods
-- those are (`behind` in its body); valuing movements again needs it.
drop function stock_between(int, uuid, uuid, date, bigint, date, bigint, int);
create function stock_between(
  org int, what uuid, place uuid, after_day date, after_sequence bigint, until_day date, until_sequence bigint,
  most int
)
returns table (
  document uuid, number int, date date, sequence bigint, quantity bigint, stated_value bigint, cost bigint,
  revision int, kind text, registration uuid, location uuid, cost_centre uuid, source_document uuid,
  source_number int, source_quantity bigint, source_cost bigint, source_landed bigint, undoes boolean,
  source_spans jsonb, behind jsonb
)
language sql stable
set enable_seqscan = off as $$
  select
    m.document, m.number, m.date, m.sequence, m.quantity, m.stated_value, c.cost, c.revision,
    coalesce(o.kind, d.kind), d.registration, d.location, (coalesce(o.body, d.body) #>> '{draft,costCentre}')::uuid,
    s.source_document, s.source_number, f.quantity, latest_cost(org, f.document, f.number), s.landed, s.undoes,
    s.spans, coalesce(o.body, d.body) -> 'behind' -> m.line::text
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
