-- Stock rooms split the quantity of a place, batches and serial numbers that of an item: how they stand, asked where a line
-- names one. What came back from a sale is counted against what left with it.
create index movements_rooms on movements (organisation, room, item, date) where room is not null;

-- Stock rooms as a posting asks for them: where they are, and the least of an item that is ever in them from a day on.
create function room_facts(org int, items uuid[], rooms uuid[], dates date[]) returns json language sql stable as $$
  select json_agg(json_build_object('item', t.item, 'room', t.room, 'name', m.name, 'location', m.body ->> 'location', 'active', coalesce(m.active, false),
      'least', (select least(coalesce(sum(x.quantity) filter (where x.date <= t.day), 0), min(x.after) filter (where x.date > t.day))
                  from (select v.date, v.quantity, sum(v.quantity) over (order by v.date, v.sequence) as after from movements v where v.organisation = org and v.room = t.room and v.item = t.item) x)))
    from (select distinct * from unnest(items, rooms, dates) u(item, room, day)) t left join masters m on m.organisation = org and m.id = t.room and m.master = 'warehouse'
$$;

-- As before; of what a source moved, what came back from it by documents that stand is no longer there to come back.
create or replace function part_facts(org int, items uuid[], sorts text[], parts text[], places uuid[], dates date[], sources uuid[]) returns json language plpgsql as $$
begin
  perform pg_advisory_xact_lock(k) from (select distinct hashtextextended(concat_ws('/', t.item, t.sort, t.part), org) as k from unnest(items, sorts, parts) t(item, sort, part) order by 1) locks;
  return (select json_agg(json_build_object('item', t.item, 'sort', t.sort, 'part', t.part, 'location', t.place,
      'least', (select least(coalesce(sum(m.quantity) filter (where m.date <= t.day), 0), min(m.after) filter (where m.date > t.day)) from (select x.*, sum(x.quantity) over (order by x.date, x.sequence) as after from part_moves(org, t.item, t.sort, t.part) x where x.location = t.place) m),
      'most', (select greatest(coalesce(sum(m.quantity) filter (where m.date <= t.day), 0), max(m.after) filter (where m.date > t.day)) from (select x.*, sum(x.quantity) over (order by x.date, x.sequence) as after from part_moves(org, t.item, t.sort, t.part) x) m),
      'expiry', (select x.expiry from part_moves(org, t.item, t.sort, t.part) x where x.expiry is not null order by x.date, x.sequence limit 1),
      'source', (select coalesce(sum(abs(x.quantity)), 0) from part_moves(org, t.item, t.sort, t.part) x where x.document = t.source and x.quantity < 0)
        - (select coalesce(sum(x.quantity), 0) from part_moves(org, t.item, t.sort, t.part) x
            where x.quantity > 0 and x.document in (select l.document from document_lines l where l.organisation = org and l.source_document = t.source and l.item = t.item
              and not exists (select from cancellations c where c.organisation = org and c.document = l.document)))))
    from (select distinct * from unnest(items, sorts, parts, places, dates, sources) u(item, sort, part, place, day, source)) t);
end $$;

-- Batches of items at a place as they stand, those that expire first before the others; those of which nothing is left are left out.
create function batches_held(org int, items uuid[], places uuid[]) returns table (item uuid, location uuid, batch text, expiry date, quantity bigint) language sql stable as $$
  with moved as (
    -- the day is known from any movement of the batch, not from each
    select m.item, m.location, b.part ->> 'batch' as batch, min((b.part ->> 'expiry')::date) over (partition by m.item, b.part ->> 'batch') as expiry, sign(m.quantity) * (b.part ->> 'quantity')::bigint as quantity
      from movements m cross join lateral jsonb_array_elements(m.batches) b(part) where m.organisation = org and m.item = any(items) and m.batches is not null)
  select item, location, batch, min(expiry), sum(quantity)::bigint from moved where cardinality(places) = 0 or location = any(places)
   group by 1, 2, 3 having sum(quantity) > 0 order by 1, 2, 4 nulls last, 3
$$;
-- Serial numbers of items at a place.
create function serials_held(org int, items uuid[], places uuid[]) returns table (item uuid, location uuid, serial text) language sql stable as $$
  select m.item, m.location, s.serial from movements m cross join lateral unnest(m.serials) s(serial)
   where m.organisation = org and m.item = any(items) and (cardinality(places) = 0 or m.location = any(places)) and m.serials is not null
   group by 1, 2, 3 having sum(sign(m.quantity)) > 0 order by 1, 2, 3
$$;
-- Batches that left with the lines of documents and did not come back yet, in the base unit.
create function batches_out(org int, sources uuid[]) returns table (document uuid, line int, batch text, expiry date, quantity bigint) language sql stable as $$
  with moved as (
    select m.document, m.line, b.part ->> 'batch' as batch, (select min(x.expiry) from part_moves(org, m.item, 'batch', b.part ->> 'batch') x) as expiry, (b.part ->> 'quantity')::bigint as quantity
      from movements m cross join lateral jsonb_array_elements(m.batches) b(part) where m.organisation = org and m.document = any(sources) and m.quantity < 0 and m.batches is not null
    union all
    select l.source_document, l.source_line, b.part ->> 'batch', null, -(b.part ->> 'quantity')::bigint
      from document_lines l join movements m on m.organisation = org and m.document = l.document and m.line = l.line and m.quantity > 0 and m.batches is not null cross join lateral jsonb_array_elements(m.batches) b(part)
     where l.organisation = org and l.source_document = any(sources) and not exists (select from cancellations c where c.organisation = org and c.document = l.document))
  select document, line, batch, min(expiry), sum(quantity)::bigint from moved group by 1, 2, 3 having sum(quantity) > 0 order by 1, 2, 4 nulls last, 3
$$;
grant execute on function room_facts(int, uuid[], uuid[], date[]), batches_held(int, uuid[], uuid[]), serials_held(int, uuid[], uuid[]), batches_out(int, uuid[]) to bahi_app;

-- An order holds the goods that are still to be delivered on it, until somebody frees them for others. Written once.
create table freed_orders (
  organisation int not null references organisations, document uuid not null, by uuid not null, at timestamptz not null default now(),
  primary key (organisation, document), foreign key (organisation, document) references documents, foreign key (organisation, by) references users
);
create trigger log_change after insert or update or delete on freed_orders for each row execute function log_change();
alter table freed_orders enable row level security;
alter table freed_orders force row level security;
create policy tenant on freed_orders to bahi_app using (organisation = (select nullif(current_setting('app.organisation', true), '')::int)) with check (organisation = (select nullif(current_setting('app.organisation', true), '')::int));
create policy sweep on freed_orders to bahi_owner using (true) with check (true);
grant select, insert on freed_orders to bahi_app;

-- What orders of these kinds hold of items at places, in the base unit: line by line what nothing was made of yet.
create function stock_reserved(org int, kinds text[], items uuid[], places uuid[]) returns table (document uuid, item uuid, location uuid, quantity bigint) language sql stable as $$
  select d.id, l.item, d.location,
         sum(greatest(l.base_quantity - coalesce((select sum(u.base_quantity) from document_lines u where u.organisation = org and u.source_document = l.document and u.source_line = l.line
              and not exists (select from cancellations g where g.organisation = org and g.document = u.document)), 0), 0))::bigint
    from document_lines l join documents d on d.organisation = org and d.id = l.document
   where l.organisation = org and l.item = any(items) and d.kind = any(kinds) and (cardinality(places) = 0 or d.location = any(places))
     and not exists (select from cancellations c where c.organisation = org and c.document = d.id) and not exists (select from freed_orders f where f.organisation = org and f.document = d.id)
   group by 1, 2, 3
$$;
grant execute on function stock_reserved(int, text[], uuid[], uuid[]) to bahi_app;
